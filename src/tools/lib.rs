//! Acting on the world: what a tool is, the toolbox, and the one path on which tools run.
//!
//! A tool does not ask whether it may (`policy` decided) and does not talk to a chat. The
//! [`Toolbox`] runs nothing but a [`ClearedCall`].
//!
//! # Files
//!
//! The trait `Tool`, the `Toolbox` as the only executor, `shell`, `git`, `file_read`, `file_write`,
//! `list_dir`, `run_cmd`, `read_file`, `glob_file_search`, `grep`, `apply_patch`, `write_file`,
//! `undo_patch`, `send_file`, `read_document`, the folder for files that people send, `ask_user`,
//! `http_request`, `crawl_url`, `web_search`, the workspace. The sandbox and the helper process are
//! the crate in `sandbox/`.
//!
//! The tools of memory and skills live with what they touch.
//!
//! # Invariants
//!
//! - No tool asks whether it may run, and none talks to a chat. `ask_user` and `send_file` have
//!   typed results: `agent::next` ends the turn with the questions (`TurnOutcome::Inquired`), and
//!   the journal commits the file's outbox row together with `Returned`, so it is sent once
//!   whenever we are killed. What is sent is a copy outside the workspace (`outgoing/`).
//! - The questions of one `ask_user` are one row and one message; a button carries how many were
//!   answered before it was shown, so of two presses one counts and the other gets a notice. The
//!   answers begin a turn that sees the one that asked, and takes over its route when a button was
//!   pressed.
//! - No document and no page is parsed in the agent's process: their bytes are passed to a helper
//!   that can open no file, start no program and open no connection
//!   (`tools/sandbox/helper/sealed.rs`, asked by `sealed_helper.rs`; `Sandbox::sealed`), with 1 GiB
//!   and 30 s of a processor for a document (`documents/helper_request.rs`), 768 MiB and 10 s for a
//!   page (`fetch/page_request.rs`). With `sandbox = "off"` it is a process of its own with those
//!   limits and nothing more. A page that opens elements without end is refused before its tree is
//!   built: 200 kB of `<div>` take a parser of HTML 8 s.
//! - A file that a user sends is written under a hidden name in `inbox/` and renamed when it is
//!   whole; the same file under the same name is kept once, so fetching it again after a crash
//!   doubles nothing (`tools/files/attachments.rs`).
//! - `git` lists the settings of a repository first, which runs nothing, and overrides every one
//!   that names a program for the command that follows (`git/harmless.rs`); submodules are never
//!   entered, since git drops such overrides there.
//! - A call that does not end by its tool's own limit is given up by the `Toolbox`.
//! - `Toolbox::run` takes nothing but a `ClearedCall`, and only it makes the `ToolContext` without
//!   which no tool runs.
//! - Schemas travel only when something speaks for them (`Tool::schema_visibility`,
//!   `agent/tool_selection.rs`): a word of the request, a skill in view that names the tool, a call
//!   before, or the tool `tool_search`, which finds the others by name or purpose. That saves
//!   tokens and protects nothing: a call to a tool that was not offered takes the same path.
//! - A secret of `[secrets]` is a handle until the tool runs: `policy/secrets.rs` judges names and
//!   places and never sees a value, `tools/secrets.rs` puts it in behind the `ClearedCall`, and
//!   nothing that is stored or shown is made after that.
//! - What comes from outside passes `injection_check.rs`: a text that gives orders is withheld and
//!   only its rule and place are kept. The model is shown the rest in delimiters made of the text
//!   itself (`core/transcript/outside.rs`), without hidden characters and with control tokens
//!   broken up (`core/transcript/sanitize.rs`); the journal keeps it as it came.
//! - A change of files of a project runs only where each file is what its call was judged by
//!   (`ClearedCall::bound_to`), and is whole or not there: contents wait beside their files until all
//!   are written, and what a kill cuts off is finished or taken back from the before-images of the
//!   journal (`code/commit.rs`, `code/recovery.rs`).
//! - Nothing outside the workspace is opened by a file tool, whatever links are planted meanwhile
//!   (`workspace.rs`).
//! - The environment of a command is an allowlist.

use std::time::Duration;

use async_trait::async_trait;
use sayso_core::Language;
use sayso_core::transcript::{Scope, Taint, ToolCall, ToolOutcome, ToolSpec, TurnId};
use sayso_policy::{ClearedCall, ToolFacts};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

mod toolbox;

mod arguments;
mod ask_user;
mod coercion;
mod dynamic_tools;
mod encoding;
mod injection_check;
mod inventory;
mod plan;
mod sealed;
mod search;
mod secrets;
mod spool;
mod terminal_text;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tool_run;
mod workspace;

mod code;
mod documents;
mod files;
mod git;
mod mcp;
mod shell;
mod web;
mod web_search;

pub use arguments::{parse_arguments, spec_of};
pub use ask_user::AskUser;
pub use code::{
    CodeMap, CodeMapRequest, CodePlace, CodePlaces, CodeSearch, CommandChanges, EditTool,
    FilesBefore, GlobFileSearch, Grep, INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE, PatchHistory,
    PatchStep, ProjectInstructions, ReadFile, SEEN_FILES_OF_SESSION, SearchSemantic, SeenFile,
    SeenFiles, SeenStore, SourceFiles, UncheckedInstructions, source_files,
};
pub use documents::{ReadDocument, Wanted, read as read_document};
pub use dynamic_tools::DynamicTools;
pub use encoding::decode;
pub use files::{
    FileRead, FileWrite, InboxLimits, Incoming, ListDir, MAX_INCOMING_BYTES, NotSaved, SavedFile,
    SendFile, is_unseen_picture,
};
pub use git::{Git, NotFetched, Remote, RemoteFile, Remotes};
pub use inventory::Inventory;
pub use mcp::{
    Asking, Login, McpLogin, McpServer, McpServers, McpShown, McpTrouble, McpWay, NoLogin,
    forget_tools, try_server,
};
pub use plan::{PLAN_TOOL, Plan};
pub use sealed::work_sealed;
pub use search::{TOOL_SEARCH, names_tool};
pub use secrets::{Secret, Secrets};
pub use shell::{
    Background, NewProcess, NotStarted, ProcessEnd, ProcessView, ProjectChecks, RUN_CHECKS,
    RunChecks, Running, SharedOutput, Shell, is_summed_up,
};
pub use spool::kept_output;
pub use tool_run::ToolRun;
pub use toolbox::Toolbox;
pub use web::{CrawlUrl, HttpRequest};
pub use web_search::{SearchConfig, SearchKind, WebSearch};
pub use workspace::Workspace;

/// Something that the model can call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Returns the specification that is passed to the model.
    fn spec(&self) -> &ToolSpec;

    /// Returns when the model receives the schema of the tool. This saves tokens and is not a
    /// security measure: a call of a tool whose schema was not sent is judged and run like any
    /// other.
    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::Always
    }

    /// Returns arguments with each value in the type that the tool takes, where there is one way to
    /// read it so.
    fn coerced(&self, arguments: Value) -> Value {
        coercion::coerced(arguments, &self.spec().parameters)
    }

    /// Looks up what the call would do, changing nothing. An error is the model's tool result:
    /// bad arguments are found here, before anybody is asked.
    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome>;

    /// Does what was cleared. Must end soon after `context.stop` is cancelled.
    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome;

    /// Returns whether running it twice is the same as running it once, so that a call which a
    /// crash interrupted may silently run again.
    fn is_idempotent(&self) -> bool {
        false
    }

    /// Returns whether a result holds text from outside. A tool of which nothing is said brings
    /// none.
    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::None
    }

    /// Returns the bound of its results in bytes, where it is not the one of all tools
    /// ([`ToolLimits::max_output_bytes`]).
    fn max_output_bytes(&self) -> Option<usize> {
        None
    }
}

/// What a result holds of text from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsideText {
    /// None.
    None,
    /// Some that was not checked yet: it is checked for injections, shown in delimiters, and taints
    /// the turn.
    Unchecked,
    /// Some that was checked when it was written, so that it is not checked again: what was
    /// remembered while such text was in view. It taints the turn.
    Checked,
}

/// When the schema of a tool is sent with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaVisibility<'a> {
    /// With each.
    Always,
    /// When one of these words, in lower case, is in the request, or a skill that is in view names
    /// the tool in backticks, or the tool was called before, or [`TOOL_SEARCH`] found it. Otherwise
    /// the model receives only its name.
    When(Vec<&'a str>),
    /// With each request of a turn that works in a project. The model is not told of it elsewhere.
    InProjects,
    /// With each request of a turn that works in no project: in one, another tool takes its place.
    OutsideProjects,
}

/// Around one run of a tool. Only the executor makes one, so nothing else can run a tool.
#[derive(Debug)]
pub struct ToolContext {
    /// For whom and where.
    pub scope: Scope,
    /// Cancelled when the turn is stopped or its lease is lost.
    pub stop: CancellationToken,
    /// Where the untrusted text came from that is in the turn's view.
    pub taint: Taint,
    /// The earlier turns that are in view.
    pub in_view: Vec<TurnId>,
    /// Shows who made it.
    _seal: toolbox::Seal,
}

/// For whom, where and when a call runs, as passed to the executor.
#[derive(Debug, Clone)]
pub struct CallContext {
    /// For whom and where.
    pub scope: Scope,
    /// Cancelled when the turn is stopped or its lease is lost.
    pub stop: CancellationToken,
    /// Where the untrusted text came from that is in the turn's view.
    pub taint: Taint,
    /// The earlier turns that are in view.
    pub in_view: Vec<TurnId>,
    /// The language of our own texts.
    pub language: Language,
}

/// How much a tool may take and give, from `[tools]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolLimits {
    /// After this a command is ended.
    pub shell_timeout: Duration,
    /// The most that one `file_read` gives.
    pub max_file_read_bytes: usize,
    /// The most that a result holds; the rest is kept in a file.
    pub max_output_bytes: usize,
    /// After this a call of any tool is given up, whatever limit of its own it has.
    pub longest_call: Duration,
}

impl Default for ToolLimits {
    fn default() -> Self {
        Self {
            shell_timeout: Duration::from_mins(2),
            max_file_read_bytes: 256 * 1024,
            max_output_bytes: 32 * 1024,
            longest_call: Duration::from_mins(15),
        }
    }
}
