//! The cards that ask about held calls: what each says, who approves it, and where it is asked.

use std::borrow::Cow;

use sayso_channel::{ChatKind, Language};
use sayso_core::approval::Approver;
use sayso_core::redact::Redactor;
use sayso_core::transcript::{AssistantMessage, Entry, Role};
use sayso_policy::{Action, FolderOf, GrantPattern, HeldCall, Method};
use sayso_store::chats::SessionRow;
use sayso_store::outbox::OutboxRow;
use sayso_store::turns::{self, TurnRow};
use sayso_store::{StoreError, Tx};

use super::cards::CardWriter;
use super::turn_ending::TurnEnding;
use super::{SessionContext, messages};
use crate::approvals::{self, ApprovedIn, Ask, CallKind, NewCard, OwnersWhy};

/// Where calls are asked about, and for whom.
pub(super) struct AskedIn<'a> {
    pub(super) session: &'a SessionRow,
    pub(super) turn: &'a TurnRow,
    pub(super) chat_kind: ChatKind,
    pub(super) language: Language,
}

impl AskedIn<'_> {
    /// Returns the cards that ask about calls: what the asker may approve on one, and what only an
    /// owner may on another. An owner is asked about all of it on one, where they asked for it.
    pub(super) fn cards(&self, held: &[HeldCall], ctx: &SessionContext) -> Vec<NewCard> {
        let (redactor, language) = (ctx.outbox.redactor(), self.language);
        if self.turn.role == Role::Owner {
            let all = held.iter().map(|held| ask_of(held, redactor, language));
            return vec![self.card(ApprovedIn::Here, all.collect(), ctx)];
        }
        let owners_place = match self.chat_kind {
            ChatKind::Direct => ApprovedIn::Elsewhere,
            ChatKind::Group => ApprovedIn::Both,
        };
        let (mut own, mut owners) = (Vec::new(), Vec::new());
        for held in held {
            let ask = ask_of(held, redactor, language);
            match held.approver() {
                Approver::Asker => own.push(ask),
                Approver::Owner => owners.push(Ask {
                    owners_why: Some(owners_why(held, redactor)),
                    ..ask
                }),
            }
        }
        [(ApprovedIn::Here, own), (owners_place, owners)]
            .into_iter()
            .filter(|(_, calls)| !calls.is_empty())
            .map(|(place, calls)| self.card(place, calls, ctx))
            .collect()
    }

    fn card(&self, approved_in: ApprovedIn, calls: Vec<Ask>, ctx: &SessionContext) -> NewCard {
        NewCard {
            turn: self.turn.id,
            session: self.session.id,
            user: self.turn.user_id,
            chat: self.session.chat_id,
            approved_in,
            timeout_ms: ctx.limits.approval_expires_ms,
            claim: None,
            calls,
        }
    }
}

/// Opens a card and says it; one that is not approved in its chat alone, to the owners too. Its
/// title is what the model said in the answer that made its calls.
pub(super) async fn ask(
    tx: &mut Tx,
    ctx: &SessionContext,
    ending: &TurnEnding,
    mut card: NewCard,
) -> Result<Vec<OutboxRow>, StoreError> {
    let said = words_beside(tx, &card).await?;
    card.claim = said.and_then(|said| approvals::claim(&ctx.outbox.redactor().redact(&said)));
    let writer = CardWriter::of(ctx);
    let asks_owners = match card.approved_in {
        ApprovedIn::Here => false,
        ApprovedIn::Elsewhere | ApprovedIn::Both => true,
    };
    let view = approvals::open(tx, card).await?;
    let mut said = writer.say(tx, ending, &view).await?;
    if asks_owners {
        let owners = ctx.owners.direct_chats(tx).await?;
        said.extend(writer.say_copies(tx, ending, &view, &owners).await?);
    }
    Ok(said)
}

/// Returns what the model said beside the calls of a card, in the very answer that made them.
async fn words_beside(tx: &mut Tx, card: &NewCard) -> Result<Option<String>, StoreError> {
    let asked: Vec<_> = card.calls.iter().map(|ask| &ask.call).collect();
    let entries = turns::entries(tx, card.turn).await?;
    let newest = entries.into_iter().rev().find_map(|entry| match entry {
        Entry::Replied(replied) => Some(replied.message),
        _ => None,
    });
    let made_them = |message: &AssistantMessage| {
        let made: Vec<_> = message.calls.iter().map(|call| &call.id).collect();
        asked.iter().all(|call| made.contains(call))
    };
    Ok(newest.filter(made_them).map(|message| message.text))
}

/// Returns how a call is shown. Its approval is bound to the exact call, including secrets.
/// "Always" is not offered for a call with a secret, because the card could not show what it would
/// cover.
fn ask_of(held: &HeldCall, redactor: &Redactor, language: Language) -> Ask {
    let shown = held.shown_in(language);
    let summary = redactor.redact_call(&shown);
    let is_whole = matches!(summary, Cow::Borrowed(_));
    let as_json = |pattern: &GrantPattern| serde_json::to_string(pattern).ok();
    Ask {
        call: held.call().id.clone(),
        tool: held.call().name.clone(),
        kind: kind_of(held),
        summary: summary.into_owned(),
        why: why_of(held, is_whole, language),
        footer: held.confinement_in(FolderOf::Reader, language),
        digest: held.digest().as_str().to_owned(),
        pattern: held.pattern().filter(|_| is_whole).and_then(as_json),
        prefix: held.prefix().filter(|_| is_whole).and_then(as_json),
        approver: held.approver(),
        owners_why: None,
    }
}

/// Returns why a call is asked about, as its card says it.
fn why_of(held: &HeldCall, is_whole: bool, language: Language) -> String {
    if is_whole {
        return held.why_in(language);
    }
    let why = held.why_unquoted_in(language);
    format!("{why}\n{}", messages::secret_is_hidden(language))
}

/// Returns why it is asked about in the languages of owners, who may read another one.
fn owners_why(held: &HeldCall, redactor: &Redactor) -> OwnersWhy {
    let is_whole = matches!(
        redactor.redact_call(&held.shown_in(Language::English)),
        Cow::Borrowed(_)
    );
    let footer = |language| held.confinement_in(FolderOf::Asker, language);
    OwnersWhy {
        en: why_of(held, is_whole, Language::English),
        zh: why_of(held, is_whole, Language::Chinese),
        footer_en: footer(Language::English),
        footer_zh: footer(Language::Chinese),
    }
}

/// Returns what the title of the card says of a call.
fn kind_of(held: &HeldCall) -> CallKind {
    match &held.facts().action {
        Action::Exec { .. } => CallKind::Exec,
        Action::Write { .. } => CallKind::Write,
        Action::Remember { .. } => CallKind::Remember,
        Action::Read { .. } => CallKind::Read,
        Action::Configure => CallKind::Configure,
        Action::Fetch { method, .. } => match method {
            Method::Get | Method::Head => CallKind::Fetch,
            Method::Post | Method::Put | Method::Patch | Method::Delete => CallKind::Send,
        },
        Action::Internal | Action::Schedule(_) | Action::Mcp { .. } => CallKind::Other,
    }
}
