//! How models are asked and what ends it: facts for traces, and nothing that was said.

use serde::{Deserialize, Serialize};

use super::Usage;

/// How a model was asked, and what ended it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The service, as the configuration names it.
    #[serde(default)]
    pub server: String,
    /// The model.
    pub model: String,
    /// The how manieth attempt this was for the same question, over all services.
    #[serde(default = "first")]
    pub attempt: u32,
    /// How many messages it was given, beside the system prompt.
    pub messages: usize,
    /// How many tools the request offered.
    pub tools: usize,
    /// How many tokens prompt, messages and tools were expected to have.
    pub estimated_tokens: usize,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// What ended it.
    pub finish: Finish,
}

fn first() -> u32 {
    1
}

/// What ended a question to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It had said everything.
    Stop,
    /// It wants tools to be called.
    ToolCalls,
    /// The token limit.
    Length,
    /// The turn was stopped, or Sayso was.
    Interrupted,
    /// There is no answer.
    Failed(Failure),
}

impl Finish {
    /// Returns whether a service may ask money for it: one that refused, or was not there, does not.
    pub fn may_have_cost(self) -> bool {
        !matches!(
            self,
            Self::Failed(Failure::Unreachable | Failure::RateLimited | Failure::Refused { .. })
        )
    }
}

/// Why a model gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// There was no connection, or it was lost.
    Unreachable,
    /// It took too long.
    TimedOut,
    /// There were too many requests.
    RateLimited,
    /// The service refused.
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// The service failed on its side.
    Broken {
        /// The HTTP status.
        status: u16,
    },
    /// What it said is no answer.
    Garbage,
    /// It said the same again and again.
    Repeating,
    /// No model is configured.
    Missing,
}

/// What a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallPurpose {
    /// To decide what a message needs (Phase 1).
    Route,
    /// To make a plan before the first step.
    Plan,
    /// To answer or to call tools (Phase 2).
    Step,
    /// To answer while Phase 1 still decides (`routing = "parallel"`); its answer was dropped.
    Guess,
    /// To say at the step limit what was done and what is left.
    Conclude,
    /// To propose what is to be learned from what was said, when its session is idle.
    Learn,
    /// To sum up the older turns of a session.
    SumUp,
}

/// A question to a model whose answer is no entry: it failed, was broken off, or is the end of the
/// turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consulted {
    /// What it was asked for; `None` where a crash took that along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<CallPurpose>,
    /// How it was asked; `None` where a crash took that along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asking: Option<ModelRequest>,
    /// How long before this entry it was over, in milliseconds.
    #[serde(default)]
    pub ago_ms: u64,
    /// What it cost, where known.
    #[serde(default)]
    pub usage: Usage,
}
