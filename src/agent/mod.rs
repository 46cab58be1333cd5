//! One turn: Phase 1 route, Phase 2 steps, until an outcome.
//!
//! The loop is resumable over its journal: [`next`] decides the next action, and the driver
//! performs it and appends the result. This module does not know where a message came from, what a
//! button is, or which provider, tool or database is in use.
//!
//! # Files
//!
//! A model's turn, which is one driver of `executor`: `next.rs` (pure), `turn/` (the driver;
//! `turn/route.rs` asks Phase 1, `turn/guess.rs` Phase 2 beside it), `route/` (what Phase 1 is
//! asked and answers), `turn/plan.rs` and `plan.rs` (the plan before the first step), `prompt/`
//! (Phase 2), `tool_selection.rs` (which tools are offered in Phase
//! 2), `turn/checks.rs` and `receipt.rs` (what was changed is verified), `ports.rs` and `budget_meter.rs` (what it needs from above), `self_info.rs`.
//!
//! A `Turn` is made of parts: `TurnSetup` (what it is driven with) and `TurnRecord` (state and
//! journal) in `turn_setup.rs`, `Recall` (`recall.rs`), `ContextWindow` (what of the conversation
//! fits) and `Spend` (`model_call.rs`, model calls within the budget). A part has state of its own
//! and gets the others as arguments.
//!
//! # Invariants
//!
//! - `agent` does not know where a message came from: it names no address, no button, no SQL, no
//!   concrete provider and no tool but its own `self_info`.
//! - The driver holds no state that its journal does not have, except the loaded history and the
//!   texts of what was recalled, whose names are in `Replied`.
//! - What a later step recalls is a note behind what was said by then: nothing that a model was
//!   shown in a turn is written anew, so a provider's cache stays good. A resumed turn reads the
//!   same again by its names; what was forgotten or changed meanwhile is not there any more.
//! - Words that recall are the user's, always. Those of the model and of the user's own files count
//!   while nothing untrusted is in view and bring in no tainted memory; after that a page could
//!   choose, by the words that it makes a model say, what private things the model sees.
//! - `prompt::build` is pure: no clock, no disk, no database; each section states its cap.
//! - Descriptions of skills are in Phase 1 alone, shortened before any is left out; Phase 2 has
//!   their names, or the descriptions where there is no Phase 1.
//! - Phase 1's JSON never leaves `route/`.
//! - With `routing = "parallel"` the first step is asked while Phase 1 decides, with the route that
//!   the free rules guess. Phase 1 stays the truth: before it has decided nothing of the guess is
//!   shown, journalled as a reply or run. Where it decides otherwise the request is ended, its cost
//!   is booked, `Routed` says so, and the step is asked anew. A property test drives random turns
//!   both ways and compares the journals (`turn/tests/guessing.rs`).
//! - Both calls are reserved. A guess that would have to wait for money, whose prompt is over
//!   `parallel_prompt_tokens` or does not fit the window without a cut, or whose server has one
//!   slot or has limited requests in the last two minutes, is not made: then one call follows the
//!   other.

#[cfg(test)]
mod agent_for_tests;
mod attachments;
mod background_call;
mod budget_meter;
mod code_map;
mod compaction;
mod context_window;
mod file_messages;
mod images;
mod in_flight;
mod instructions;
mod message_texts;
mod messages;
mod model_call;
mod next;
mod plan;
mod ports;
pub mod prompt;
mod recall;
mod receipt;
pub mod route;
pub mod self_info;
mod tool_selection;
mod turn;
mod turn_setup;
mod window_limits;

use std::sync::Arc;

#[cfg(test)]
pub use agent_for_tests::TestAgent;
pub use background_call::{BackgroundAnswer, BackgroundQuestion};
pub use budget_meter::{BudgetMeter, BudgetReservation, Cost, PlannedCall};
pub use compaction::{Gathering, Summary, SummedUp, ToSumUp};
pub use messages::{done_so_far, time_limit};
pub use ports::{Earlier, FetchError, Journal, MessageSource, TurnEvent, TurnEvents};
pub use sayso_tools::{INSTRUCTIONS_FILE, ProjectInstructions, UncheckedInstructions};
pub use turn::DriveResult;
pub use turn_setup::TurnContext;

use sayso_checks::CheckLimits;
use sayso_memory::Memory;
use sayso_memory::knowledge::Knowledge;
use sayso_providers::Provider;
use sayso_tools::{CodeSearch, InboxLimits, ProjectChecks};

use crate::executor::{Executor, JournalError};
use crate::persona::Persona;
use crate::skills::Library;

/// What every turn of this instance works with. Holds nothing of any conversation.
pub struct Agent {
    /// The model.
    pub provider: Arc<dyn Provider>,
    /// The tools and the rules of this instance, and the one path on which calls run.
    pub executor: Executor,
    /// What is remembered.
    pub memory: Arc<dyn Memory>,
    /// What the operator wrote down for everybody.
    pub knowledge: Knowledge,
    /// The skills.
    pub library: Arc<Library>,
    /// Who the agent is.
    pub persona: Arc<Persona>,
    /// The indexes of the projects; `None` where there are none, as in tests.
    pub code: Option<Arc<dyn CodeSearch>>,
    /// The limits of a turn.
    pub limits: AgentLimits,
    /// How what a turn changed is verified.
    pub checks: AgentChecks,
}

/// How what a turn changed is verified, from `[checks]`.
#[derive(Clone)]
pub struct AgentChecks {
    /// How each project is checked.
    pub projects: Arc<ProjectChecks>,
    /// How much is checked and corrected in one turn.
    pub limits: CheckLimits,
    /// Whether checks run by themselves after a turn that changed files.
    pub after_change: bool,
}

#[cfg(test)]
impl AgentChecks {
    /// Nothing is verified.
    pub fn none() -> Self {
        Self {
            projects: Arc::default(),
            limits: CheckLimits {
                max_corrections: 0,
                budget: std::time::Duration::ZERO,
            },
            after_change: false,
        }
    }
}

/// The limits of a turn, from `[agent]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentLimits {
    /// Whether Phase 1 is asked.
    pub routing: Routing,
    /// How long the prompt of Phase 2 may be, in tokens, to be sent beside Phase 1.
    pub parallel_prompt_tokens: u64,
    /// How many messages of history Phase 1 sees.
    pub routing_messages: usize,
    /// Whether a plan is made before work on code, and whether its person is asked.
    pub planning: Planning,
    /// How long the map of a project is, in tokens, in the prompt of a request about its code; with 0
    /// there is none.
    pub map_tokens: usize,
    /// How many steps a turn may take, unless its terms say otherwise.
    pub max_steps: u32,
    /// How many messages of history Phase 2 sees.
    pub history_messages: usize,
    /// How much the folder for files that people send may hold.
    pub inbox: InboxLimits,
}

impl AgentLimits {
    /// Returns how many ended turns a turn is shown at most. Each has at least two messages: the
    /// request and the outcome.
    pub fn history_turns(&self) -> usize {
        self.history_messages.div_ceil(2)
    }
}

/// Whether Phase 1 is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routing {
    /// Always, and Phase 2 after it.
    TwoPhase,
    /// Always, and Phase 2 at the same time, with the route that free local rules guess.
    Parallel,
    /// Like `Parallel`, unless a free local check finds that it has nothing to decide.
    Auto,
    /// Never: every message goes to Phase 2 at once.
    Off,
}

/// Whether a plan is made before work on code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planning {
    /// Never.
    Off,
    /// It is made, shown and followed.
    Followed,
    /// It is made, and followed once its person says so.
    Asked,
}

/// How many tokens of history a prompt may hold, whatever the number of messages.
const HISTORY_TOKENS: usize = 24_000;
/// The most that a model may say in one step, in bytes; the rest is cut with a note.
const REPLY_BYTES: usize = 60_000;
