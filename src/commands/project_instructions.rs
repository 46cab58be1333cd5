//! The `AGENTS.md` of a project: shown to an owner, who may have it followed.
//!
//! What is accepted is what was shown: the prompt keeps its hash, and a file that changed meanwhile
//! is not accepted. Files are read before the transaction of an event (`instruction_files.rs`).

use sayso_channel::{Address, Button, FileSource, Language, OutFile, Outbound};
use sayso_core::transcript::{Role, SessionId, UserId};
use sayso_core::visible::visible_line;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, accepted_instructions};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::context::CommandContext;
use super::instruction_files::KnownFiles;
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
    files: Vec<ShownFile>,
}

/// One of the files, and its version.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ShownFile {
    path: String,
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
    /// These are text from outside.
    Outside(Vec<ProjectInstructions>),
}

/// Returns what becomes of the file of a project.
pub(super) async fn state_of(
    tx: &mut Tx,
    ctx: &CommandContext,
    project: &Project,
) -> Result<InstructionState, StoreError> {
    let mut found = match ctx.instructions.of(&project.name) {
        KnownFiles::Unread => return Ok(InstructionState::Unread),
        KnownFiles::Read(found) => found,
    };
    if found.is_empty() {
        return Ok(InstructionState::None);
    }
    let accepted = accepted_instructions::of_in(tx, &project.name).await?;
    found.retain(|one| accepted.get(&one.path) != Some(&one.hash));
    Ok(if found.is_empty() {
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
    let found = match state_of(tx, ctx, project).await? {
        InstructionState::None | InstructionState::Accepted => return Ok(Vec::new()),
        InstructionState::Unread => {
            let unread = Outbound::markdown(messages::unread_instructions(language));
            return say(tx, ctx, asker, None, &unread).await;
        }
        InstructionState::Outside(found) => found,
    };
    let files = found.iter().map(|one| ShownFile {
        path: one.path.clone(),
        hash: one.hash.clone(),
    });
    let shown = Shown {
        project: project.name.clone(),
        files: files.collect(),
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
            source: FileSource::Text(shown_text(&found)),
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
    let mut said = say(tx, ctx, asker, None, &file).await?;
    said.extend(say(tx, ctx, asker, Some(prompt.id()), &card).await?);
    Ok(said)
}

async fn say(
    tx: &mut Tx,
    ctx: &CommandContext,
    asker: &Asker<'_>,
    subject: Option<i64>,
    outbound: &Outbound,
) -> Result<Vec<OutboxRow>, StoreError> {
    let saying = Saying {
        to: asker.address,
        purpose: Purpose::Notice,
        turn: None,
        subject,
        outbound,
    };
    ctx.outbox.say(tx, saying).await
}

/// Returns files as an owner is shown them: the only one as it stands, several each below its path.
fn shown_text(found: &[ProjectInstructions]) -> String {
    if let [only] = found
        && only.path == INSTRUCTIONS_FILE
    {
        return only.text.clone();
    }
    let texts = found.iter().map(|one| {
        let text = one.text.trim_end();
        format!("===== {} =====\n\n{text}\n", visible_line(&one.path))
    });
    texts.collect::<Vec<_>>().join("\n")
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
        YES if ctx.instructions.of(&shown.project) == KnownFiles::Unread => {
            let text = messages::unread_instructions(language);
            return Ok(Some(Effects::refused(text.replace('`', ""))));
        }
        YES if is_as_shown(ctx, &shown) => {
            for file in &shown.files {
                accepted_instructions::put(tx, &shown.project, &file.path, &file.hash).await?;
            }
            let payload = json!({ "project": shown.project, "accepted": shown.files });
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

/// Returns whether the files are still what was shown.
fn is_as_shown(ctx: &CommandContext, shown: &Shown) -> bool {
    let KnownFiles::Read(found) = ctx.instructions.of(&shown.project) else {
        return false;
    };
    let is_there = |file: &ShownFile| {
        let mut found = found.iter();
        found.any(|one| one.path == file.path && one.hash == file.hash)
    };
    shown.files.iter().all(is_there)
}
