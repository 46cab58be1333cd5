//! Which feature a press goes to: one match over all kinds of prompts, and one over what is done
//! when a prompt expires.

use sayso_core::transcript::Role;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, now_ms};

use super::context::CommandContext;
use super::{
    approval, autonomy_level, budget_prompts, erasure, forget, grants, language, layers, linking,
    memory_list, messages, model, pairing, project, project_instructions, question, queue, remind,
    routines, skill_review, stop_button, timezone, undo, unknown,
};
use crate::bus::Signal;
use crate::intake::{Effects, Pressed};
use crate::prompts::{self, Press, PressedButton, Presser, Prompt, PromptKind, Refusal};
use crate::sessions;

/// Judges a press, and has its feature do what it answers. What is no prompt's is an approval's.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    pressed: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    let button = PressedButton::parse(pressed.data);
    if pressed.role == Role::Guest && !button.as_ref().is_some_and(|it| is_for_guests(it.kind)) {
        return Ok(refused(Refusal::Unknown, pressed));
    }
    let Some(button) = button else {
        return approval::press(tx, ctx, pressed).await;
    };
    let answered = match button.kind {
        PromptKind::Stop => stop_button::answer(tx, ctx, &button, pressed).await?,
        PromptKind::Queue => queue::answer(tx, ctx, &button, pressed).await?,
        PromptKind::ModelList => model::answer(tx, ctx, &button, pressed).await?,
        PromptKind::ProjectList => project::answer(tx, ctx, &button, pressed).await?,
        PromptKind::RoutineList => routines::answer(tx, ctx, &button, pressed).await?,
        PromptKind::CommandView => layers::answer(tx, ctx, &button, pressed).await?,
        PromptKind::AutonomyLevel => autonomy_level::answer(tx, ctx, &button, pressed).await?,
        PromptKind::MemoryList => memory_list::answer(tx, ctx, &button, pressed).await?,
        PromptKind::GrantList => grants::answer(tx, ctx, &button, pressed).await?,
        PromptKind::LanguageList => language::answer(tx, ctx, &button, pressed).await?,
        PromptKind::ZoneList => timezone::answer(tx, ctx, &button, pressed).await?,
        PromptKind::Admission
        | PromptKind::Link
        | PromptKind::BudgetRaise
        | PromptKind::Erasure
        | PromptKind::Forget
        | PromptKind::LearnedUndo
        | PromptKind::FileUndo
        | PromptKind::FileRedo
        | PromptKind::SkillReview
        | PromptKind::ProjectInstructions
        | PromptKind::Retry
        | PromptKind::CommandGuess
        | PromptKind::Reminder
        | PromptKind::Question => return press(tx, ctx, &button, pressed).await,
    };
    Ok(answered.unwrap_or_else(|| refused(Refusal::Unknown, pressed)))
}

/// Returns whether somebody who may only chat is asked this.
fn is_for_guests(kind: PromptKind) -> bool {
    match kind {
        PromptKind::Stop
        | PromptKind::Queue
        | PromptKind::Question
        | PromptKind::Erasure
        | PromptKind::Forget
        | PromptKind::LearnedUndo
        | PromptKind::Retry
        | PromptKind::CommandGuess
        | PromptKind::CommandView
        | PromptKind::MemoryList
        | PromptKind::LanguageList => true,
        PromptKind::ModelList
        | PromptKind::ProjectList
        | PromptKind::AutonomyLevel
        | PromptKind::GrantList
        | PromptKind::RoutineList
        | PromptKind::Reminder
        | PromptKind::ZoneList
        | PromptKind::Admission
        | PromptKind::Link
        | PromptKind::BudgetRaise
        | PromptKind::FileUndo
        | PromptKind::FileRedo
        | PromptKind::SkillReview
        | PromptKind::ProjectInstructions => false,
    }
}

fn refused(refusal: Refusal, pressed: &Pressed<'_>) -> Effects {
    Effects::refused(refusal.text(pressed.language).to_owned())
}

/// Judges a press on a prompt that has a row.
async fn press(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    pressed: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    let presser = Presser {
        user: pressed.user,
        role: pressed.role,
        chat: pressed.chat,
        session: pressed.session,
        now_ms: now_ms(),
    };
    match prompts::press(tx, button, &presser).await? {
        Press::Answers(prompt) => {
            let answered = answered(tx, ctx, &prompt, button.choice, pressed).await?;
            if let Some(effects) = answered {
                return Ok(effects);
            }
            // The choice was forged: nothing was answered.
            prompts::reopen(tx, &prompt).await?;
            Ok(refused(Refusal::Unknown, pressed))
        }
        Press::Expires(prompt) => Ok(Effects {
            said: expired(tx, ctx, &prompt, Some(pressed)).await?,
            ..refused(Refusal::Expired, pressed)
        }),
        Press::Refused(refusal, Some(prompt)) if prompt.kind == PromptKind::Link => {
            linking::stale(tx, ctx, &prompt, refusal, pressed).await
        }
        Press::Refused(refusal, _) => Ok(refused(refusal, pressed)),
    }
}

/// Does what a choice of a prompt answers; `None` where there is no such choice.
async fn answered(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    match prompt.kind {
        PromptKind::Admission => pairing::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::Link => linking::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::BudgetRaise => budget_prompts::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::Erasure => erasure::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::Forget => forget::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::LearnedUndo => undo_learned(tx, ctx, prompt, pressed).await,
        PromptKind::FileUndo => undo::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::FileRedo => undo::redo(tx, ctx, prompt, choice, pressed).await,
        PromptKind::SkillReview => skill_review::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::ProjectInstructions => {
            project_instructions::answer(tx, ctx, prompt, choice, pressed).await
        }
        PromptKind::Retry => try_again(tx, ctx, prompt, choice, pressed).await,
        PromptKind::Question => question::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::CommandGuess => unknown::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::Reminder => remind::answer(tx, ctx, prompt, choice, pressed).await,
        PromptKind::Queue
        | PromptKind::Stop
        | PromptKind::ModelList
        | PromptKind::ProjectList
        | PromptKind::RoutineList
        | PromptKind::CommandView
        | PromptKind::AutonomyLevel
        | PromptKind::MemoryList
        | PromptKind::GrantList
        | PromptKind::LanguageList
        | PromptKind::ZoneList => Ok(None),
    }
}

/// Has the request of a failed turn run again.
async fn try_again(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let (this, language) = (pressed.this, pressed.language);
    let again = sessions::run_again(tx, &ctx.outbox, prompt, choice, this, language).await?;
    Ok(again.map(|(user, said)| Effects {
        signals: vec![Signal::Work(pressed.session, user)],
        ..Effects::shown(messages::tries_again(language), said)
    }))
}

/// Takes back what was learned.
async fn undo_learned(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let (user, this, language) = (pressed.user, pressed.this, pressed.language);
    let (outbox, auditor) = (&ctx.outbox, &ctx.auditor);
    let said = sessions::undo_learned(tx, outbox, auditor, prompt, user, this, language).await?;
    Ok(Some(Effects::shown(messages::undone(language), said)))
}

/// Has the feature of a prompt that has just expired rewrite its message; `pressed` is the late
/// press, if one was made.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    pressed: Option<&Pressed<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let this = pressed.and_then(|pressed| pressed.this);
    match prompt.kind {
        PromptKind::Admission => pairing::expired(tx, ctx, prompt).await,
        PromptKind::Link => linking::expired(tx, ctx, prompt, this).await,
        PromptKind::BudgetRaise => budget_prompts::expired(tx, ctx, prompt).await,
        PromptKind::Erasure => erasure::expired(tx, ctx, prompt).await,
        PromptKind::Forget => forget::expired(tx, ctx, prompt, this).await,
        PromptKind::FileUndo => undo::expired(tx, ctx, prompt, this).await,
        PromptKind::SkillReview => skill_review::expired(tx, ctx, prompt, this).await,
        PromptKind::CommandGuess => unknown::expired(tx, ctx, prompt).await,
        // The first four do not expire, and words still answer a question that was said in time; the
        // others have no row.
        PromptKind::LearnedUndo
        | PromptKind::FileRedo
        | PromptKind::ProjectInstructions
        | PromptKind::Retry
        | PromptKind::Question
        | PromptKind::Reminder
        | PromptKind::Queue
        | PromptKind::Stop
        | PromptKind::ModelList
        | PromptKind::ProjectList
        | PromptKind::RoutineList
        | PromptKind::CommandView
        | PromptKind::AutonomyLevel
        | PromptKind::MemoryList
        | PromptKind::GrantList
        | PromptKind::LanguageList
        | PromptKind::ZoneList => Ok(Vec::new()),
    }
}
