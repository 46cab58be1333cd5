//! The notice about what waits behind a turn: a press has it join the turn, or end it.

use sayso_store::{StoreError, Tx};

use super::context::CommandContext;
use super::messages;
use crate::bus::Signal;
use crate::intake::messages::{interrupts, joins};
use crate::intake::{Effects, Pressed};
use crate::prompts::PressedButton;
use crate::sessions::{self, QueuePress, QueuePresser};

/// Judges a press on the notice; `None` when the button was forged.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Pressed {
        user,
        session,
        this,
        language,
        ..
    } = *pressed;
    let by = QueuePresser {
        user,
        session,
        language,
        message: this,
    };
    let outcome = sessions::press_queued(tx, &ctx.outbox, button, by).await?;
    Ok(outcome.map(|outcome| match outcome {
        QueuePress::Joins(said) => Effects::shown(joins(language), said),
        QueuePress::Interrupts(turn, said) => Effects {
            signals: vec![Signal::Stop(session, user, turn)],
            ..Effects::shown(interrupts(language), said)
        },
        QueuePress::ComesNext => Effects::told(messages::comes_next(language), false),
        QueuePress::Over => Effects::refused(messages::nothing_queued(language)),
        QueuePress::NotYours => Effects::refused(messages::not_your_message(language)),
    }))
}
