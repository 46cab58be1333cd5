//! What a message does that is said while a turn of its person runs: it joins the turn, waits for
//! one of its own, or ends it. The setting says which, a command says it of one message, and a
//! button changes it.

use sayso_channel::{Address, MessageKey, Outbound};
use sayso_core::transcript::TurnId;
use sayso_store::inbox::InboxState;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, inbox, queued, stops, turns};

use super::context::IntakeContext;
use super::effects::Effects;
use super::messages;
use super::reply::{is_awaited, reply_to, say};
use super::resolved::ResolvedMessage;
use crate::bus::Signal;
use crate::delivery::{Purpose, Saying};
use crate::sessions::{self, WhileBusy};

/// How a message is taken up.
#[derive(Debug, Clone, Copy)]
pub struct BusyAction {
    /// What it does to the turn.
    pub how: WhileBusy,
    /// The turn of its person that runs, where that matters.
    pub turn: Option<TurnId>,
}

impl BusyAction {
    /// Nothing is done to the turn.
    pub const JOINS: Self = Self {
        how: WhileBusy::Steer,
        turn: None,
    };

    /// The turn ends for it: it is the new form of what the turn answers.
    fn replaces(turn: TurnId) -> Self {
        Self {
            how: WhileBusy::Interrupt,
            turn: Some(turn),
        }
    }

    /// Finds out how a message is taken up; `wanted` is what its command says, `album` what it is a
    /// piece of.
    pub async fn of(
        tx: &mut Tx,
        ctx: &IntakeContext,
        heard: &ResolvedMessage<'_>,
        wanted: Option<WhileBusy>,
        album: Option<&str>,
    ) -> Result<Self, StoreError> {
        if wanted.is_none()
            && let Some(turn) = edited_turn(tx, heard).await?
        {
            return Ok(Self::replaces(turn));
        }
        if wanted.is_none()
            && let Some(piece) = like_the_first(tx, heard, album).await?
        {
            return Ok(piece);
        }
        let how = wanted.unwrap_or(ctx.limits.while_busy);
        // What only joins asks nothing of the turn, unless somebody waits to hear that it does.
        let matters = how != WhileBusy::Steer || wanted.is_some();
        let turn = if matters {
            turns::running_of(tx, heard.session, heard.user).await?
        } else {
            None
        };
        Ok(Self { how, turn })
    }

    /// Returns the platform's name of the message, for the turn that answers it. What the platform
    /// wants answered at once gets a receipt where it must wait, and its turn speaks for itself.
    pub fn message(self, heard: &ResolvedMessage<'_>) -> Option<String> {
        let is_receipted = self.turn.is_some() && is_awaited(heard.inbound);
        (!is_receipted).then(|| heard.message.message.to_string())
    }

    /// Returns the message, where it joins a running turn of its person and nothing else says so at
    /// once: it gets a reaction.
    pub fn noticed(self, heard: &ResolvedMessage<'_>) -> Option<(Address, MessageKey)> {
        if self.how != WhileBusy::Steer || is_awaited(heard.inbound) || !heard.has_running {
            return None;
        }
        let message = &heard.message.message;
        Some((heard.inbound.address.clone(), message.clone()))
    }

    /// Does to the running turn what the message wants, and says so where nothing else would.
    pub async fn follow(
        self,
        tx: &mut Tx,
        ctx: &IntakeContext,
        heard: &ResolvedMessage<'_>,
    ) -> Result<Effects, StoreError> {
        let Some(turn) = self.turn else {
            return Ok(Effects::default());
        };
        let mut effects = Effects {
            said: self.receipt(tx, ctx, heard).await?,
            ..Effects::default()
        };
        if self.how == WhileBusy::Interrupt {
            stops::ask_one_to_stop(tx, turn, heard.user).await?;
            let closed = ctx.cards().close_of(tx, turn).await?;
            effects.said.extend(closed);
            let stop = Signal::Stop(heard.session, heard.user, turn);
            effects.signals.push(stop);
        }
        Ok(effects)
    }

    async fn receipt(
        self,
        tx: &mut Tx,
        ctx: &IntakeContext,
        heard: &ResolvedMessage<'_>,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let language = ctx.language(&heard.chat.language);
        if self.how == WhileBusy::Queue {
            return say_queued(tx, ctx, heard).await;
        }
        // The live message counts what joins, and a stopped turn says so itself.
        if !is_awaited(heard.inbound) {
            return Ok(Vec::new());
        }
        let text = match self.how {
            WhileBusy::Steer | WhileBusy::Queue => messages::joins(language),
            WhileBusy::Interrupt => messages::interrupts(language),
        };
        say(tx, &ctx.outbox, heard, &Outbound::markdown(text)).await
    }
}

/// Returns the open turn of the person that answers the earlier form of an edited message and
/// nothing else: it ends for the new form, so that one answer stands in the chat and not two.
async fn edited_turn(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
) -> Result<Option<TurnId>, StoreError> {
    if !heard.message.edited {
        return Ok(None);
    }
    let key = &heard.inbound.key;
    let channel = heard.inbound.address.channel.as_str();
    inbox::answered_alone_by(tx, heard.user, channel, &key.kind, &key.id).await
}

/// Returns how a further piece of an album or of a split text is taken up: as the first one, and
/// where a turn has that already, by joining it. `None` is no such piece.
async fn like_the_first(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    album: Option<&str>,
) -> Result<Option<BusyAction>, StoreError> {
    let Some(album) = album else {
        return Ok(None);
    };
    let first = inbox::first_piece(tx, heard.session, album).await?;
    Ok(first.map(|(state, how)| {
        let how = how.filter(|_| state == InboxState::Waiting);
        how.map_or(BusyAction::JOINS, |how| BusyAction { how, turn: None })
    }))
}

/// Says once that what a person says meanwhile is queued.
async fn say_queued(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let Some(id) = queued::open(tx, heard.session, heard.user).await? else {
        if !is_awaited(heard.inbound) {
            return Ok(Vec::new());
        }
        let text = messages::queued_too(language);
        return say(tx, &ctx.outbox, heard, &Outbound::markdown(text)).await;
    };
    let outbound = Outbound {
        reply_to: reply_to(heard),
        ..sessions::queued_notice(id, language)
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: Some(id),
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}
