//! What a turn is driven with, and its record: what all parts of a turn take as arguments.

use std::sync::Arc;

use sayso_channel::Language;
use sayso_checks::CheckLimits;
use sayso_core::transcript::{
    ConversationMessage, Entry, ModelName, Origin, Scope, Taint, TurnOutcome, TurnState,
};
use sayso_providers::{ChatRequest, VisionSupport};
use tokio_util::sync::CancellationToken;

use super::budget_meter::PlannedCall;
use super::instructions::Instructions;
use super::window_limits::WindowLimits;
use super::{Agent, Journal, JournalError, TurnEvents};
use crate::executor::ExecutionContext;
use crate::skills::{SKILL_TOOL, Skills};

/// For whom, where and under what conditions a turn is driven.
#[derive(Debug, Clone)]
pub struct TurnContext {
    /// For whom, where and on which terms.
    pub execution: ExecutionContext,
    /// The model that is asked first; `None` takes the order of the configuration.
    pub model: Option<ModelName>,
    /// The local date and time with its zone, as written in the prompt.
    pub now: String,
    /// What other turns of this session wait for, one line each.
    pub waiting_for: Vec<String>,
    /// The untrusted text that is in these lines.
    pub taint: Taint,
    /// What happened in the session while the turn was parked, for the model.
    pub meanwhile: Option<String>,
    /// The routine that this turn is a run of.
    pub routine: Option<String>,
    /// Whether text is wanted while it arrives (`process_message_stream`), or only whole.
    pub stream: bool,
}

/// What a turn is driven with. Nothing of it changes meanwhile.
pub(super) struct TurnSetup<'a> {
    pub(super) agent: &'a Agent,
    pub(super) context: &'a TurnContext,
    /// The skills that are used for whom it is.
    pub(super) skills: Arc<Skills>,
    /// What the project of the turn says to agents.
    pub(super) instructions: Instructions,
    pub(super) events: &'a dyn TurnEvents,
    pub(super) stop: &'a CancellationToken,
}

impl TurnSetup<'_> {
    /// Returns for whom and where the turn acts.
    pub(super) fn scope(&self) -> &Scope {
        &self.context.execution.scope
    }

    /// Returns the limits of checks, where what a turn of this origin changes is
    /// verified.
    pub(super) fn checks(&self, origin: Origin) -> Option<CheckLimits> {
        let checks = &self.agent.checks;
        let is_due = checks.after_change || origin == Origin::Check;
        let has_project = self.scope().project.is_some();
        (is_due && has_project).then_some(checks.limits)
    }

    /// Returns the language of our own texts.
    pub(super) fn language(&self) -> Language {
        self.context.execution.language
    }

    /// Returns whether a model that may answer sees pictures.
    pub(super) fn sight(&self) -> VisionSupport {
        self.agent.provider.sight(self.wanted())
    }

    /// Returns the longest answer that the model gives, in tokens.
    pub(super) fn longest_answer(&self) -> usize {
        self.agent.provider.longest_answer(self.wanted())
    }

    /// Returns how much the model that is asked first can read.
    pub(super) fn window(&self) -> WindowLimits {
        let (model, wanted) = (&self.agent.provider, self.wanted());
        let factor = model.token_factor(wanted);
        WindowLimits::of(model.window(wanted), self.longest_answer(), factor)
    }

    /// Returns the call that a question of the turn will be, as long as the service would count it.
    pub(super) fn planned(&self, request: &ChatRequest<'_>) -> PlannedCall {
        let (provider, wanted) = (&self.agent.provider, self.wanted());
        let factor = provider.token_factor(wanted);
        let name = wanted.map_or_else(|| provider.model(), |wanted| &wanted.model);
        PlannedCall::new(name, request, factor, self.longest_answer())
    }

    /// Returns how many steps the turn may take: as many as the configuration says, or as a skill
    /// in view needs.
    pub(super) fn max_steps(&self, state: &TurnState) -> u32 {
        let calls = state.messages.iter().filter_map(|message| match message {
            ConversationMessage::Assistant(said) => Some(&said.calls),
            ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
        });
        let loaded = calls.flatten().filter(|call| call.name == SKILL_TOOL);
        let loaded = loaded.filter_map(|call| call.arguments["name"].as_str());
        let skills = state.routed().iter().map(String::as_str).chain(loaded);
        let needed = skills.filter_map(|name| self.skills.steps(name)).max();
        let allowed = self.context.execution.terms.max_steps;
        allowed.max(needed.unwrap_or_default())
    }

    fn wanted(&self) -> Option<&ModelName> {
        self.context.model.as_ref()
    }
}

/// What a turn has come to, and the journal that says so.
pub(super) struct TurnRecord<'a> {
    pub(super) state: &'a mut TurnState,
    pub(super) journal: &'a mut dyn Journal,
}

impl TurnRecord<'_> {
    /// Appends an entry.
    pub(super) async fn record(&mut self, entry: Entry) -> Result<(), JournalError> {
        self.journal.append(&entry).await?;
        self.state.apply(&entry);
        Ok(())
    }

    /// Ends the turn.
    pub(super) async fn finish(&mut self, outcome: TurnOutcome) -> Result<(), JournalError> {
        self.journal.finish(&outcome).await?;
        self.state.apply(&Entry::Ended { outcome });
        Ok(())
    }
}
