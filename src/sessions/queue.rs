//! What waits for a turn of its own: the notice that says so, with the buttons that change it.
//!
//! There is one notice for what one person has waiting in a session. It is deleted when nothing of
//! it waits any more, in the transaction that takes the last of it.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{SessionId, TurnId, UserId};
pub use sayso_store::inbox::WhileBusy;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, inbox, queued, stops, turns};

use super::messages;
use crate::delivery::{MessageRef, OutboxWriter, Purpose};
use crate::prompts::{PressedButton, PromptKind};

/// Returns what says that something is queued, with its buttons.
pub fn notice(id: i64, language: Language) -> Outbound {
    let button = |how: WhileBusy, label: &str| Button {
        label: label.to_owned(),
        token: PromptKind::Queue.button(how.as_str(), id),
        key: None,
        look: ButtonLook::Plain,
    };
    Outbound {
        buttons: vec![vec![
            button(WhileBusy::Steer, messages::join_now(language)),
            button(WhileBusy::Interrupt, messages::interrupt_now(language)),
        ]],
        quiet: true,
        ..Outbound::markdown(messages::queued_behind(language))
    }
}

/// Reads a button of that notice: what it does and the number of the notice; `None` when it was
/// forged.
fn parse(button: &PressedButton<'_>) -> Option<(WhileBusy, i64)> {
    let how = WhileBusy::named(button.choice).filter(|how| *how != WhileBusy::Queue)?;
    Some((how, button.number()?))
}

/// What a press on the notice came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueuePress {
    /// What waits joins the turn at its next step; the rows that say so.
    Joins(Vec<OutboxRow>),
    /// The turn is to stop, and what waits comes next.
    Interrupts(TurnId, Vec<OutboxRow>),
    /// No turn of theirs runs: what waits comes next anyway.
    ComesNext,
    /// Nothing waits any more.
    Over,
    /// It is what somebody else has waiting.
    NotYours,
}

/// Who presses a button of the notice, and where.
#[derive(Debug, Clone, Copy)]
pub struct QueuePresser<'a> {
    /// Who.
    pub user: UserId,
    /// The session of the notice.
    pub session: SessionId,
    /// The language of the answer.
    pub language: Language,
    /// The message with the button, where the platform says it.
    pub message: Option<MessageRef<'a>>,
}

/// Judges a press on the notice; `None` when the button was forged.
pub async fn press_queued(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    button: &PressedButton<'_>,
    by: QueuePresser<'_>,
) -> Result<Option<QueuePress>, StoreError> {
    let QueuePresser {
        user,
        session,
        language,
        message,
    } = by;
    let Some((how, id)) = parse(button) else {
        return Ok(None);
    };
    let whose = queued::whose(tx, id).await?;
    let Some((of, _)) = whose.filter(|(_, there)| *there == session) else {
        return Ok(Some(QueuePress::Over));
    };
    if of != user {
        return Ok(Some(QueuePress::NotYours));
    }
    let Some(turn) = turns::running_of(tx, session, user).await? else {
        return Ok(Some(QueuePress::ComesNext));
    };
    if how == WhileBusy::Steer {
        inbox::absorb(tx, session, user).await?;
        let said = close(tx, outbox, id, language, message).await?;
        return Ok(Some(QueuePress::Joins(said)));
    }
    inbox::let_interrupt(tx, session, user).await?;
    stops::ask_one_to_stop(tx, turn, user).await?;
    let said = settle(tx, outbox, session, user, language).await?;
    Ok(Some(QueuePress::Interrupts(turn, said)))
}

/// Takes the notice back where nothing of a person waits any more for a turn of its own; returns
/// the rows that do so.
pub async fn settle(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    session: SessionId,
    user: UserId,
    language: Language,
) -> Result<Vec<OutboxRow>, StoreError> {
    let Some(id) = queued::of(tx, session, user).await? else {
        return Ok(Vec::new());
    };
    if inbox::is_queued(tx, session, user).await? {
        return Ok(Vec::new());
    }
    close(tx, outbox, id, language, None).await
}

async fn close(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    id: i64,
    language: Language,
    this: Option<MessageRef<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    queued::close(tx, id).await?;
    let instead = Outbound::markdown(messages::queue_is_over(language));
    outbox.remove(tx, Purpose::Notice, id, this, &instead).await
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::{WhileBusy, notice, parse};
    use crate::prompts::PressedButton;

    #[test]
    fn a_button_of_the_notice_says_what_it_does() {
        let notice = notice(17, Language::English);
        let read: Vec<_> = notice.buttons[0]
            .iter()
            .map(|button| parse(&PressedButton::parse(&button.token).unwrap()))
            .collect();
        let expected = [WhileBusy::Steer, WhileBusy::Interrupt].map(|how| Some((how, 17)));
        assert_eq!(read, expected);
        for forged in ["qu.queue:17", "qu.steer:x", "qu.:17"] {
            let forged = PressedButton::parse(forged).unwrap();
            assert_eq!(parse(&forged), None, "{forged:?}");
        }
    }
}
