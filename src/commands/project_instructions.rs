//! The `AGENTS.md` of a project: shown to an owner, who may have it followed.
//!
//! What is accepted is what was shown: the prompt keeps its hash, and a file that changed meanwhile
//! is not accepted. Files are read before the transaction of an event (`instruction_files.rs`).

use sayso_channel::{Address, Button, FileSource, Language, OutFile, Outbound};
use sayso_core::transcript::{Role, SessionId, UserId};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, accepted_instructions};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::context::CommandContext;
use super::instruction_files::KnownFile;
use super::{audit_records, messages};
use crate::audit::Event;
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, Pressed};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};
use crate::sessions::{INSTRUCTIONS_FILE, Project, ProjectInstructions};

/// What the buttons answer.
const YES: &str = "yes";
const NO: &str = "no";

/// Who may be asked about the file of a project, and where.
pub(super) struct Asker<'a> {
    /// The user.
    pub(super) user: UserId,
    /// What they may do.
    pub(super) role: Role,
    /// The session.
    pub(super) session: SessionId,
    /// Where it is asked.
    pub(super) address: &'a Address,
    /// The language of the question.
    pub(super) language: Language,
}

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
    /// It is still being read.
    Unread,
    /// An owner accepted it as it stands.
    Accepted,
    /// It is text from outside.
    Outside(ProjectInstructions),
}

/// Returns what becomes of the file of a project.
pub(super) async fn state_of(
    tx: &mut Tx,
    ctx: &CommandContext,
    project: &Project,
) -> Result<InstructionState, StoreError> {
    let found = match ctx.instructions.of(&project.name) {
        KnownFile::None => return Ok(InstructionState::None),
        KnownFile::Unread => return Ok(InstructionState::Unread),
        KnownFile::Found(found) => found,
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
    asker: &Asker<'_>,
    project: Option<&Project>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let Some(project) = project.filter(|_| asker.role == Role::Owner) else {
        return Ok(Vec::new());
    };
    let language = asker.language;
    let InstructionState::Outside(found) = state_of(tx, ctx, project).await? else {
        return Ok(Vec::new());
    };
    let shown = Shown {
        project: project.name.clone(),
        hash: found.hash.clone(),
    };
    let new = NewPrompt {
        kind: PromptKind::ProjectInstructions,
        place: Place::Session(asker.session),
        asked: Asked::User(asker.user),
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
            to: asker.address,
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
        YES if ctx.instructions.of(&shown.project) == KnownFile::Unread => {
            let text = messages::unread_instructions(language);
            return Ok(Some(Effects::refused(text.replace('`', ""))));
        }
        YES if is_as_shown(ctx, &shown) => {
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
fn is_as_shown(ctx: &CommandContext, shown: &Shown) -> bool {
    match ctx.instructions.of(&shown.project) {
        KnownFile::Found(found) => found.hash == shown.hash,
        KnownFile::None | KnownFile::Unread => false,
    }
}
