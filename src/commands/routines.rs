//! `/routines` and `/reminders`: what a person wants done, or to be reminded of, at set times. A button
//! for each shows it with what became of its last runs; there it is run, paused and deleted. In a group
//! it is what the same person made there.

use std::fmt::Display;

use sayso_channel::{Button, ButtonLook, ChatKind, Language, Outbound};
use sayso_core::transcript::{ChatId, RoutineId, UserId};
use sayso_store::prompts::Audience;
use sayso_store::routines::{self, NextDue, RoutineChange, RoutineKind, RoutineRow};
use sayso_store::{StoreError, Tx, new_id, now_ms, routine_runs};

use super::context::CommandContext;
use super::messages::{self, RoutineButton};
use crate::delivery::Purpose;
use crate::intake::{Effects, Pressed, ResolvedMessage, say};
use crate::prompts::{PressedButton, PromptKind, Refusal};
use crate::routines::{Begun, RunNow, begin_now, next_start};

/// How many of the last occurrences are shown.
const SHOWN_RUNS: i64 = 5;
/// How many buttons stand side by side.
const IN_A_ROW: usize = 5;
/// How many have a button; the others are reached by words.
const BUTTONS: usize = 20;

/// Lists the routines of a person.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    say_list(tx, ctx, heard, RoutineKind::Turn).await
}

/// Lists what a person has of one kind.
pub async fn say_list(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    kind: RoutineKind,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let place = match heard.inbound.chat_kind {
        ChatKind::Direct => Place::Everywhere,
        ChatKind::Group => Place::Here,
    };
    let view = View { kind, place };
    let listed = view.list(tx, heard.user, heard.chat.id, language).await?;
    let said = say(tx, &ctx.outbox, heard, &listed).await?;
    Ok(Effects::said(said))
}

/// Which of a person's routines are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All of them.
    Everywhere,
    /// Those that were made in this chat.
    Here,
}

/// Which list is shown, and of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct View {
    kind: RoutineKind,
    place: Place,
}

/// What a button of a list does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    /// Shows the list of this user.
    List(UserId),
    /// Shows one.
    Show,
    /// Does something with it.
    Change(RoutineButton),
    /// The same below a message about one routine, which is not rewritten.
    Beside(RoutineButton),
}

impl View {
    async fn rows(
        self,
        tx: &mut Tx,
        user: UserId,
        chat: ChatId,
    ) -> Result<Vec<RoutineRow>, StoreError> {
        let chat = (self.place == Place::Here).then_some(chat);
        let mut rows = routines::of_in(tx, user, chat).await?;
        // A reminder that was said is no more; a routine can be given another time.
        let stays = |row: &RoutineRow| row.kind == RoutineKind::Turn || row.due_ms.is_some();
        rows.retain(|row| row.kind == self.kind && stays(row));
        if self.kind == RoutineKind::Remind {
            rows.sort_by_key(|row| row.due_ms);
        }
        Ok(rows)
    }

    async fn list(
        self,
        tx: &mut Tx,
        user: UserId,
        chat: ChatId,
        language: Language,
    ) -> Result<Outbound, StoreError> {
        let rows = self.rows(tx, user, chat).await?;
        let button = |(row, number): (&RoutineRow, usize)| {
            plain(number.to_string(), self.token("show", row.id))
        };
        let buttons: Vec<Button> = rows.iter().zip(1..).take(BUTTONS).map(button).collect();
        Ok(Outbound {
            buttons: buttons.chunks(IN_A_ROW).map(<[Button]>::to_vec).collect(),
            ..Outbound::markdown(messages::routines(self.kind, &rows, language))
        })
    }

    /// Shows one routine to a user.
    async fn one(
        self,
        tx: &mut Tx,
        row: &RoutineRow,
        user: UserId,
        language: Language,
    ) -> Result<Outbound, StoreError> {
        let runs = routine_runs::newest_in(tx, row.id, SHOWN_RUNS).await?;
        let switch = if row.enabled {
            RoutineButton::Off
        } else {
            RoutineButton::On
        };
        let does = match row.kind {
            RoutineKind::Turn => vec![RoutineButton::Run, switch, RoutineButton::Delete],
            RoutineKind::Remind => vec![switch, RoutineButton::Delete],
        };
        let button = |does: RoutineButton| {
            let label = messages::routine_button(does, language).to_owned();
            plain(label, self.token(does.as_str(), row.id))
        };
        let back = plain(
            messages::back_button(language).to_owned(),
            self.token("list", user),
        );
        Ok(Outbound {
            buttons: vec![does.into_iter().map(button).collect(), vec![back]],
            ..Outbound::markdown(messages::routine(row, &runs, now_ms(), language))
        })
    }

    /// Shows a routine after it was changed, or the list without it.
    async fn after(
        self,
        tx: &mut Tx,
        row: &RoutineRow,
        press: &Pressed<'_>,
    ) -> Result<Outbound, StoreError> {
        match routines::routine(tx, row.id).await? {
            Some(row) => self.one(tx, &row, press.user, press.language).await,
            None => self.list(tx, press.user, press.chat, press.language).await,
        }
    }

    fn token(self, verb: &str, id: impl Display) -> String {
        let place = match self.place {
            Place::Everywhere => "all",
            Place::Here => "here",
        };
        let kind = self.kind.as_str();
        PromptKind::RoutineList.button(format_args!("{verb}-{place}-{kind}"), id)
    }

    fn parse(button: &PressedButton<'_>) -> Option<(Self, Does, RoutineId)> {
        let id = RoutineId(button.number()?);
        if let Some(verb) = button.choice.strip_suffix("-kept") {
            let view = Self {
                kind: RoutineKind::Turn,
                place: Place::Everywhere,
            };
            return Some((view, Does::Beside(RoutineButton::named(verb)?), id));
        }
        let mut parts = button.choice.splitn(3, '-');
        let does = match parts.next()? {
            "list" => Does::List(UserId(id.0)),
            "show" => Does::Show,
            verb => Does::Change(RoutineButton::named(verb)?),
        };
        let place = match parts.next()? {
            "all" => Place::Everywhere,
            "here" => Place::Here,
            _ => return None,
        };
        let kind = RoutineKind::named(parts.next()?)?;
        Some((Self { kind, place }, does, id))
    }
}

fn plain(label: String, token: String) -> Button {
    Button {
        label,
        token,
        key: None,
        look: ButtonLook::Plain,
    }
}

/// Judges a press on a list; `None` when the button was forged. A routine is its person's alone: a
/// press of anybody else finds none.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((view, does, id)) = View::parse(button) else {
        return Ok(None);
    };
    let language = press.language;
    if let Does::List(owner) = does {
        if owner != press.user {
            let refused = Refusal::NotYours(Audience::User).text(language);
            return Ok(Some(Effects::refused(refused.to_owned())));
        }
        let listed = view.list(tx, press.user, press.chat, language).await?;
        return Ok(Some(Effects::said(rewrite(tx, ctx, press, &listed).await?)));
    }
    let rows = match does {
        Does::Beside(_) => routines::of_in(tx, press.user, None).await?,
        Does::List(_) | Does::Show | Does::Change(_) => {
            view.rows(tx, press.user, press.chat).await?
        }
    };
    let Some(row) = rows.into_iter().find(|row| row.id == id) else {
        let unknown = Refusal::Unknown.text(language).to_owned();
        return Ok(Some(Effects::refused(unknown)));
    };
    let does_at = does;
    match does {
        Does::List(_) | Does::Show => {
            let shown = view.one(tx, &row, press.user, language).await?;
            Ok(Some(Effects::said(rewrite(tx, ctx, press, &shown).await?)))
        }
        Does::Beside(RoutineButton::Delete) => {
            routines::delete(tx, press.user, id).await?;
            let text = messages::routine_deleted(&row.prompt, language);
            let said = rewrite(tx, ctx, press, &Outbound::markdown(text)).await?;
            let told = messages::routine_done(RoutineButton::Delete, language);
            Ok(Some(Effects::shown(told, said)))
        }
        Does::Change(does) | Does::Beside(does) => {
            let changed = change(tx, ctx, does, &row, press).await?;
            let mut effects = changed.effects;
            if changed.is_done && matches!(does_at, Does::Change(_)) {
                let shown = view.after(tx, &row, press).await?;
                effects.said.extend(rewrite(tx, ctx, press, &shown).await?);
                effects.receipt = Effects::echo(messages::routine_done(does, language)).receipt;
            }
            Ok(Some(effects))
        }
    }
}

/// The result of a press on a button below a routine.
struct Changed {
    effects: Effects,
    is_done: bool,
}

impl Changed {
    fn refused(text: String) -> Self {
        Self {
            effects: Effects::told(text, true),
            is_done: false,
        }
    }
}

/// Does what a button says with a routine.
async fn change(
    tx: &mut Tx,
    ctx: &CommandContext,
    does: RoutineButton,
    row: &RoutineRow,
    press: &Pressed<'_>,
) -> Result<Changed, StoreError> {
    let (user, language) = (press.user, press.language);
    let mut begun = Begun::default();
    let is_done = match does {
        RoutineButton::Delete => routines::delete(tx, user, row.id).await?,
        RoutineButton::Off => switch(tx, user, row.id, Switch::Off).await?,
        // An occurrence that is due and not started yet stays so.
        RoutineButton::On if row.enabled && row.is_to_come() => true,
        RoutineButton::On => {
            let next = next_start(row, &ctx.routines.limits, now_ms());
            let may_be_on = next.is_some() || row.source.is_some();
            may_be_on && switch(tx, user, row.id, Switch::On(next)).await?
        }
        RoutineButton::Run => {
            let run = begin_now(tx, &ctx.routines, row, &mut begun).await?;
            if run == RunNow::Open {
                return Ok(Changed::refused(messages::routine_runs_already(language)));
            }
            run == RunNow::Begun
        }
    };
    if !is_done {
        return Ok(Changed::refused(messages::routine_is_over(language)));
    }
    let effects = Effects {
        said: begun.said,
        signals: begun.signals,
        wakes: vec![ctx.routines.changed.clone()],
        ..Effects::told(messages::routine_done(does, language), false)
    };
    Ok(Changed {
        effects,
        is_done: true,
    })
}

/// Rewrites the message that was pressed.
async fn rewrite(
    tx: &mut Tx,
    ctx: &CommandContext,
    press: &Pressed<'_>,
    outbound: &Outbound,
) -> Result<Vec<sayso_store::outbox::OutboxRow>, StoreError> {
    ctx.outbox
        .amend(tx, Purpose::Notice, new_id(), press.this, outbound)
        .await
}

/// What a routine is switched to.
#[derive(Debug, Clone, Copy)]
enum Switch {
    /// On; with when it is due next, where the clock starts it.
    On(Option<NextDue>),
    /// Off.
    Off,
}

/// Switches a routine on, for the moment at which it is due next, or off.
async fn switch(tx: &mut Tx, user: UserId, id: RoutineId, to: Switch) -> Result<bool, StoreError> {
    let (enabled, next) = match to {
        Switch::On(next) => (true, next),
        Switch::Off => (false, None),
    };
    let change = RoutineChange {
        enabled: Some(enabled),
        next,
        ..RoutineChange::default()
    };
    routines::change(tx, user, id, &change).await
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{RoutineId, UserId};
    use sayso_store::routines::RoutineKind;

    use super::{Does, Place, PressedButton, RoutineButton, View};

    #[test]
    fn a_button_is_read_back_and_fits() {
        for kind in RoutineKind::ALL {
            for place in [Place::Everywhere, Place::Here] {
                let view = View { kind: *kind, place };
                for does in RoutineButton::ALL {
                    let token = view.token(does.as_str(), RoutineId(i64::MAX));
                    assert!(token.len() <= 64, "{token}");
                    let button = PressedButton::parse(&token).unwrap();
                    let expected = (view, Does::Change(does), RoutineId(i64::MAX));
                    assert_eq!(View::parse(&button), Some(expected));
                }
                let token = view.token("list", UserId(i64::MAX));
                assert!(token.len() <= 64, "{token}");
                let (_, does, _) = View::parse(&PressedButton::parse(&token).unwrap()).unwrap();
                assert_eq!(does, Does::List(UserId(i64::MAX)));
            }
        }
        for forged in ["ro.show-all:1", "ro.show-x-turn:1", "ro.eat-all-turn:1"] {
            let button = PressedButton::parse(forged).unwrap();
            assert_eq!(View::parse(&button), None, "{forged}");
        }
    }
}
