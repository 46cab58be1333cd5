//! A press on a choice of a question: it is an answer in words, and becomes a job.

use sayso_store::{StoreError, Tx};

use super::context::CommandContext;
use crate::bus::Signal;
use crate::intake::{Effects, Pressed, PressedJob};
use crate::prompts::{Prompt, Refusal};
use crate::sessions::{ChoiceOutcome, PressedChoice, choose};

/// Takes a choice as an answer.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let pressed_choice = PressedChoice {
        prompt,
        choice,
        this: pressed.this,
        chat_kind: pressed.chat_kind,
        language: pressed.language,
    };
    let outcome = choose(tx, &ctx.outbox, pressed_choice).await?;
    Ok(match outcome {
        ChoiceOutcome::Answers(chosen) => Some(Effects {
            said: chosen.said,
            signals: vec![Signal::Work(pressed.session, pressed.user)],
            job: Some(PressedJob {
                question: Some(chosen.question),
                words: chosen.words,
                ..PressedJob::default()
            }),
            ..Effects::default()
        }),
        ChoiceOutcome::GoesOn(said)
        | ChoiceOutcome::Written(said)
        | ChoiceOutcome::Dropped(said) => Some(Effects::said(said)),
        ChoiceOutcome::Closed => {
            let answered = Refusal::AlreadyAnswered.text(pressed.language);
            Some(Effects::refused(answered.to_owned()))
        }
        ChoiceOutcome::Unknown => None,
    })
}
