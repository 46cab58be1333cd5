//! What commands and answers work with: what all share, and one small struct for each feature that
//! needs more.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use sayso_channel::{Health, Language};
use sayso_policy::SecurityPolicy;
use tokio::sync::{Notify, watch};

use super::instruction_files::InstructionFiles;
use crate::audit::Auditor;
use crate::budget::BudgetRules;
use crate::code_index::CodeIndexes;
use crate::delivery::OutboxWriter;
use crate::intake::Access;
use crate::routines::RoutineContext;
use crate::sessions::{CardWriter, SessionLimits};
use crate::skills::Library;

/// What commands and answers work with.
pub struct CommandContext {
    /// Who may come in.
    pub access: Access,
    /// What speaks.
    pub outbox: OutboxWriter,
    /// What writes down what is done.
    pub auditor: Auditor,
    /// The limits of sessions.
    pub limits: SessionLimits,
    /// What may be spent on model calls.
    pub budget: Arc<BudgetRules>,
    /// The skills.
    pub library: Arc<Library>,
    /// What may be done for whom.
    pub policy: PolicyView,
    /// The models that answer.
    pub models: ModelChoice,
    /// What `/status` shows beside.
    pub status: StatusView,
    /// What is done in the background.
    pub background: Background,
    /// The `AGENTS.md` of the projects, as read for the newest event that asked for them.
    pub instructions: InstructionFiles,
    /// What routines and reminders work with.
    pub routines: RoutineContext,
}

/// What may be done for whom, for `/autonomy`.
pub struct PolicyView {
    /// The policy.
    pub rules: SecurityPolicy,
    /// What the kernel was found to enforce.
    pub sandbox: SandboxWords,
}

/// The models that answer.
pub struct ModelChoice {
    /// The one that the configuration names first.
    pub configured: String,
    /// Those that a session may choose: `server/model`.
    pub offered: Vec<String>,
}

/// What `/status` shows of the instance.
pub struct StatusView {
    /// What owners changed of the configuration in chat, key and value.
    pub changed: Vec<(String, String)>,
    /// How each channel is.
    pub health: Vec<(String, Health)>,
    /// The embedder by its name, and how it is, if there is one.
    pub embedder: Option<(String, Health)>,
    /// The names of the MCP servers that wait for a login, as it changes.
    pub waiting_logins: watch::Receiver<BTreeSet<String>>,
    /// Returns the names of the tools that are there and that no model is offered.
    pub tools_left_out: Arc<dyn Fn() -> BTreeSet<String> + Send + Sync>,
    /// What is known of the code of projects.
    pub code: CodeIndexes,
}

/// What is done in the background, and what wakes it.
pub struct Background {
    /// The directory of the log files, which may hold beginnings of what was said.
    pub logs: PathBuf,
    /// Wakes it when a person is to be erased.
    pub erasing: Arc<Notify>,
    /// Wakes it when a skill is to be looked at or put in place.
    pub reviewing: Arc<Notify>,
}

impl Background {
    /// Returns the background work of an instance with this directory of log files.
    pub fn new(logs: PathBuf) -> Self {
        Self {
            logs,
            erasing: Arc::default(),
            reviewing: Arc::default(),
        }
    }
}

/// What the sandbox is worth on this machine, in one line each.
#[derive(Debug, Clone, Default)]
pub struct SandboxWords {
    /// In English.
    pub english: String,
    /// In 简体中文.
    pub chinese: String,
}

impl SandboxWords {
    /// Returns it in one language.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Chinese => &self.chinese,
        }
    }
}

impl CommandContext {
    /// Returns the language that our own texts have in a chat.
    pub fn language(&self, chat_language: &str) -> Language {
        self.limits.language_in(chat_language)
    }

    /// Returns what writes cards anew.
    pub fn cards(&self) -> CardWriter<'_> {
        CardWriter {
            outbox: &self.outbox,
            limits: &self.limits,
        }
    }
}
