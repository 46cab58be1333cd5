//! The `AGENTS.md` of a project: shown to an owner, who may have it followed.
//!
//! What is accepted is what was shown: the prompt keeps its hash, and a file that changed meanwhile
//! is not accepted.

use sayso_channel::{Button, FileSource, Language, OutFile, Outbound};
use sayso_core::transcript::Role;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, accepted_instructions};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::context::CommandContext;
use super::{audit_records, messages};
use crate::audit::Event;
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, Pressed, ResolvedMessage};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};
use crate::sessions::{INSTRUCTIONS_FILE, Project, ProjectInstructions};

/// What the buttons answer.
const YES: &str = "yes";
const NO: &str = "no";

/// What an owner is asked about.
#[derive(Debug, Serialize, Deserialize)]
struct Shown {
    project: String,
    hash: String,
}

/// What becomes of the file of a project in its turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InstructionState {
    /// There is none.
    None,
    /// An owner accepted it as it stands.
    Accepted,
    /// It is text from outside.
    Outside(ProjectInstructions),
}

/// Returns what becomes of the file of a project.
pub(super) async fn state_of(
    tx: &mut Tx,
    project: &Project,
) -> Result<InstructionState, StoreError> {
    let Some(found) = ProjectInstructions::of(&project.path).await else {
        return Ok(InstructionState::None);
    };
    let accepted = accepted_instructions::of_in(tx, &project.name).await?;
    Ok(if accepted.as_deref() == Some(found.hash.as_str()) {
        InstructionState::Accepted
    } else {
        InstructionState::Outside(found)
    })
}

/// Shows an owner the file of a project with the buttons that decide about it; says nothing to others,
/// or where there is nothing to decide.
pub(super) async fn ask(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    project: Option<&Project>,
    language: Language,
) -> Result<Vec<OutboxRow>, StoreError> {
    let Some(project) = project.filter(|_| heard.role == Role::Owner) else {
        return Ok(Vec::new());
    };
    let InstructionState::Outside(found) = state_of(tx, project).await? else {
        return Ok(Vec::new());
    };
    let shown = Shown {
        project: project.name.clone(),
        hash: found.hash.clone(),
    };
    let new = NewPrompt {
        kind: PromptKind::ProjectInstructions,
        place: Place::Session(heard.session),
        asked: Asked::User(heard.user),
        subject: None,
        payload: &shown,
        expires_ms: None,
    };
    let prompt = prompts::open(tx, new).await?;
    let file = Outbound {
        file: Some(OutFile {
            name: format!("{INSTRUCTIONS_FILE}.txt"),
            source: FileSource::Text(found.text.clone()),
        }),
        ..Outbound::default()
    };
    let (yes, no) = messages::instruction_labels(language);
    let card = Outbound {
        buttons: vec![vec![
            Button::yes(yes, prompt.button(YES)),
            Button::no(no, prompt.button(NO)),
        ]],
        ..Outbound::markdown(messages::asks_about_instructions(
            &project.name,
            &found,
            language,
        ))
    };
    let mut said = Vec::new();
    for (outbound, subject) in [(&file, None), (&card, Some(prompt.id()))] {
        let saying = Saying {
            to: &heard.inbound.address,
            purpose: Purpose::Notice,
            turn: None,
            subject,
            outbound,
        };
        said.extend(ctx.outbox.say(tx, saying).await?);
    }
    Ok(said)
}

/// Has the file followed, or left as text, as an owner answered.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let language = pressed.language;
    let shown: Shown = prompt.payload()?;
    let text = match choice {
        NO => messages::instructions_left(&shown.project, language),
        YES if pressed.role != Role::Owner => return Ok(None),
        YES if is_as_shown(ctx, &shown).await => {
            accepted_instructions::put(tx, &shown.project, &shown.hash).await?;
            let payload = json!({
                "project": shown.project,
                "accepted": INSTRUCTIONS_FILE,
                "hash": shown.hash,
            });
            audit_records::pressed(tx, ctx, pressed, Event::Project, payload).await?;
            messages::instructions_accepted(&shown.project, language)
        }
        YES => messages::instructions_changed(&shown.project, language),
        _ => return Ok(None),
    };
    let outbound = Outbound::markdown(&text);
    let said = ctx
        .outbox
        .amend(tx, Purpose::Notice, prompt.id(), pressed.this, &outbound)
        .await?;
    Ok(Some(Effects::shown(text.replace('`', ""), said)))
}

/// Returns whether the file is still what was shown.
async fn is_as_shown(ctx: &CommandContext, shown: &Shown) -> bool {
    let Some(project) = ctx.limits.projects.named(&shown.project) else {
        return false;
    };
    let found = ProjectInstructions::of(&project.path).await;
    found.is_some_and(|found| found.hash == shown.hash)
}
