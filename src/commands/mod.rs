//! What people ask for by a command or answer by a button: one module for each feature.
//!
//! The registry of commands stands here: a new one is a variant, an arm and a line of the menu
//! (`messages/menu.rs`). `answers.rs` says which function a prompt's answer goes to. [`Commands`] is
//! what `intake` calls, by its port `Features`.
//!
//! # Files
//!
//! What people ask for by a command or answer by a button: one module for each feature, which
//! exports what runs its command and `answer` (and `expired`, where its prompt expires).
//!
//! `mod.rs` has the commands and the match that runs them, `messages/menu.rs` their menu;
//! `answers.rs` the matches over `PromptKind`; `features.rs` implements the port of `intake`;
//! `expiry.rs` closes prompts that were not answered in time; `context.rs` is what all work with.
//!
//! `pairing.rs` and `codes.rs` are the ways in, `owners.rs` says where owners are asked, `linking/`
//! joins and parts the accounts of a person, `erasure/` erases one, `forget/` forgets memories,
//! `skill_review/` has skills of others approved, `undo.rs`, `question.rs`, `queue.rs`,
//! `stop_button.rs` and `approval.rs` pass answers on to `sessions` and `approvals`.
//!
//! # Invariants
//!
//! - An empty list of owners admits no one; the code that makes the first owner is printed to the
//!   operator only.
//! - Every owner is asked about a stranger, in each direct chat that we have with one, on whatever
//!   channel; only an owner's press answers.
//! - Accounts are joined by a yes of each, given by that account in its own direct chat; the last
//!   yes and the joining are one transaction. A request is dropped when a person that it is about
//!   gains or loses an account, so a person is never joined with more accounts than the card
//!   showed.
//! - Nothing here receives an event: a feature gets a resolved message or press, and returns
//!   `Effects`. Background work is woken after the commit (`Effects::wakes`).

mod answers;
mod approval;
mod audit_records;
mod autonomy;
mod autonomy_level;
mod budget_prompts;
mod card_words;
mod check;
mod codes;
mod context;
mod denial_reason;
mod erasure;
mod expiry;
mod features;
mod forget;
mod grants;
mod instruction_files;
mod language;
mod layer;
mod layers;
mod linking;
mod list_message;
mod memory;
mod memory_list;
mod messages;
mod model;
mod new;
mod owners;
mod pairing;
mod permissions;
mod profile;
mod project;
mod project_instructions;
mod question;
mod queue;
mod remind;
mod routines;
mod skill_review;
mod skills;
mod status;
mod stop;
mod stop_button;
mod timezone;
mod undo;
mod unknown;
mod usage;
mod viewer;

pub use codes::owner_code;
pub use context::{Background, CommandContext, ModelChoice, PolicyView, SandboxWords, StatusView};
pub use features::Commands;
pub use instruction_files::InstructionFiles;
pub use owners::OwnerChats;
pub use permissions::ListedPermissions;
pub use skill_review::skill_to_install;

use sayso_channel::{Command, CommandCall, Language};
use sayso_core::transcript::Role;
use sayso_store::{StoreError, Tx};

use layer::Layer;
use layers::View;

use crate::intake::{Effects, ResolvedMessage, tell};
use crate::sessions;

/// A command that Sayso knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CommandKind {
    /// Says hello, or uses up a pairing code.
    Start,
    /// Lists the commands.
    Help,
    /// Begins a new conversation.
    New,
    /// Stops turns.
    Stop,
    /// Adds words to the running turn.
    Steer,
    /// Queues words behind it.
    Queue,
    /// Stops it and does this.
    Interrupt,
    /// Puts files back.
    Undo,
    /// Checks the project.
    Check,
    /// Shows the status.
    Status,
    /// Shows who the sender is.
    WhoAmI,
    /// Links another account.
    Link,
    /// Unlinks this account.
    Unlink,
    /// Shows or lowers the autonomy level.
    Autonomy,
    /// Lists or revokes grants.
    Grants,
    /// Shows what was spent.
    Usage,
    /// Forgets memories, or everything.
    Forget,
    /// Exports memories, shows the profile.
    Memory,
    /// Lists, switches and installs skills.
    Skills,
    /// Chooses the model.
    Model,
    /// Shows or chooses the project.
    Project,
    /// Lists routines.
    Routines,
    /// Keeps a reminder.
    Remind,
    /// Lists reminders.
    Reminders,
    /// Shows or sets the time zone.
    Timezone,
    /// Shows or sets the quiet hours.
    Quiet,
    /// Summarizes the earlier conversation.
    Compact,
    /// Chooses the language.
    Language,
}

impl CommandKind {
    const ALL: [Self; 28] = [
        Self::Start,
        Self::Help,
        Self::New,
        Self::Stop,
        Self::Steer,
        Self::Queue,
        Self::Interrupt,
        Self::Undo,
        Self::Check,
        Self::Status,
        Self::WhoAmI,
        Self::Link,
        Self::Unlink,
        Self::Autonomy,
        Self::Grants,
        Self::Usage,
        Self::Forget,
        Self::Memory,
        Self::Skills,
        Self::Model,
        Self::Project,
        Self::Routines,
        Self::Remind,
        Self::Reminders,
        Self::Timezone,
        Self::Quiet,
        Self::Compact,
        Self::Language,
    ];

    /// Returns whether somebody who may only chat can use it.
    fn is_for_guests(self) -> bool {
        match self {
            Self::Start
            | Self::Help
            | Self::New
            | Self::Stop
            | Self::Steer
            | Self::Queue
            | Self::Interrupt
            | Self::WhoAmI
            | Self::Forget
            | Self::Memory
            | Self::Language => true,
            Self::Undo
            | Self::Check
            | Self::Status
            | Self::Link
            | Self::Unlink
            | Self::Autonomy
            | Self::Grants
            | Self::Usage
            | Self::Skills
            | Self::Model
            | Self::Project
            | Self::Routines
            | Self::Remind
            | Self::Reminders
            | Self::Timezone
            | Self::Quiet
            | Self::Compact => false,
        }
    }

    /// Returns the command with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| messages::menu_entry(*kind).name == name)
    }
}

/// Returns the commands for a platform's menu.
pub fn menu() -> Vec<Command> {
    CommandKind::ALL
        .into_iter()
        .map(messages::menu_entry)
        .collect()
}

/// A command of the registry, for the reference page.
pub struct CommandEntry {
    /// Its name, texts and argument.
    pub command: Command,
    /// Whether guests can use it.
    pub is_for_guests: bool,
}

/// Returns every command of the registry.
pub fn entries() -> Vec<CommandEntry> {
    let entry = |kind: CommandKind| CommandEntry {
        command: messages::menu_entry(kind),
        is_for_guests: kind.is_for_guests(),
    };
    CommandKind::ALL.into_iter().map(entry).collect()
}

/// Whether a command is only to show something: nothing stands behind it, or that details are
/// wanted.
fn is_shown(arguments: &str) -> bool {
    arguments.trim().is_empty() || Layer::written(arguments) == Layer::Details
}

/// Returns the commands of somebody with this role, for `/help`.
fn menu_for(role: Role) -> Vec<Command> {
    let all = CommandKind::ALL.into_iter();
    let theirs = all.filter(|kind| role != Role::Guest || kind.is_for_guests());
    theirs.map(messages::menu_entry).collect()
}

/// Runs a command in the transaction that stores its message.
// long: an arm for each command.
async fn run_command(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    call: &CommandCall,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let arguments = call.arguments.as_str();
    let Some(kind) = CommandKind::named(&call.name) else {
        return unknown::tell_unknown(tx, ctx, heard, call).await;
    };
    if heard.role == Role::Guest && !kind.is_for_guests() {
        return tell(tx, &ctx.outbox, heard, messages::not_for_guests(language)).await;
    }
    let text = match kind {
        CommandKind::Start | CommandKind::Help => {
            return layers::run(tx, ctx, heard, View::Help, arguments).await;
        }
        CommandKind::New => new::run(tx, ctx, heard, language).await?,
        CommandKind::Stop => return stop::run(tx, ctx, heard).await,
        // Their words are a job, which intake takes as such.
        CommandKind::Steer | CommandKind::Queue | CommandKind::Interrupt => {
            return Ok(Effects::default());
        }
        CommandKind::Undo => return undo::command(tx, ctx, heard).await,
        CommandKind::Check => return check::run(tx, ctx, heard).await,
        CommandKind::Status => return layers::run(tx, ctx, heard, View::Status, arguments).await,
        CommandKind::WhoAmI => linking::who_am_i(tx, heard, language).await?,
        CommandKind::Link => return linking::link(tx, ctx, heard, arguments).await,
        CommandKind::Unlink => return linking::unlink(tx, ctx, heard).await,
        CommandKind::Autonomy if !is_shown(arguments) => {
            return autonomy_level::lower(tx, ctx, heard, arguments).await;
        }
        CommandKind::Autonomy => {
            return layers::run(tx, ctx, heard, View::Autonomy, arguments).await;
        }
        CommandKind::Grants => return grants::run(tx, ctx, heard, arguments, language).await,
        CommandKind::Forget if erasure::is_everything(arguments) => {
            return erasure::ask(tx, ctx, heard).await;
        }
        CommandKind::Memory if is_shown(arguments) => {
            return memory_list::run(tx, ctx, heard).await;
        }
        CommandKind::Memory => return memory::run(tx, ctx, heard, arguments, language).await,
        CommandKind::Forget if !call.arguments.trim().is_empty() => {
            return forget::ask(tx, ctx, heard, arguments).await;
        }
        CommandKind::Forget => erasure::usage(language),
        CommandKind::Model => return model::run(tx, ctx, heard, arguments, language).await,
        CommandKind::Project => return project::run(tx, ctx, heard, arguments, language).await,
        CommandKind::Skills if is_shown(arguments) => {
            return layers::run(tx, ctx, heard, View::Skills, arguments).await;
        }
        CommandKind::Skills => return skills::run(tx, ctx, heard, arguments, language).await,
        CommandKind::Routines => return routines::run(tx, ctx, heard).await,
        CommandKind::Reminders => return remind::list(tx, ctx, heard).await,
        CommandKind::Remind => return remind::run(tx, ctx, heard, arguments).await,
        CommandKind::Timezone => return timezone::run(tx, ctx, heard, arguments).await,
        CommandKind::Quiet => return timezone::quiet(tx, ctx, heard, arguments).await,
        CommandKind::Compact => compact(tx, heard, language).await?,
        CommandKind::Language => return language::run(tx, ctx, heard, arguments).await,
        CommandKind::Usage => return layers::run(tx, ctx, heard, View::Usage, arguments).await,
    };
    tell(tx, &ctx.outbox, heard, text).await
}

/// Has the earlier part of the conversation summed up.
async fn compact(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<String, StoreError> {
    let (session, user, at) = (heard.session, heard.user, &heard.inbound.address);
    sessions::request_compaction(tx, session, user, at, language).await
}
