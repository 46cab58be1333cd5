//! One turn: Phase 1 route, Phase 2 steps, until an outcome.
//!
//! The loop is resumable over its journal: [`next`] decides the next action, and the driver
//! performs it and appends the result. This module does not know where a message came from, what a
//! button is, or which provider, tool or database is in use.

#[cfg(test)]
mod agent_for_tests;
mod attachments;
mod background_call;
mod budget_meter;
mod compaction;
mod context_window;
mod file_messages;
mod images;
mod in_flight;
mod message_texts;
mod messages;
mod model_call;
mod next;
mod ports;
pub mod prompt;
mod recall;
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
pub use turn::DriveResult;
pub use turn_setup::TurnContext;

use sayso_memory::Memory;
use sayso_memory::knowledge::Knowledge;
use sayso_providers::Provider;
use sayso_tools::InboxLimits;

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
    /// The limits of a turn.
    pub limits: AgentLimits,
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
    /// How many steps a turn may take, unless its terms say otherwise.
    pub max_steps: u32,
    /// How many messages of history Phase 2 sees.
    pub history_messages: usize,
    /// How much the folder for files that people send may hold.
    pub inbox: InboxLimits,
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

/// How many tokens of history a prompt may hold, whatever the number of messages.
const HISTORY_TOKENS: usize = 24_000;
/// The most that a model may say in one step, in bytes; the rest is cut with a note.
const REPLY_BYTES: usize = 60_000;
