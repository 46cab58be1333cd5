//! Phase 2 asked beside Phase 1, with the route that free local rules guess.
//!
//! Phase 1 stays the truth. Until it has decided, nothing of the guessed answer is shown, written
//! into the journal as a reply, or run. Where it decides what was guessed, the answer under way is
//! that of the first step; where it does not, the request is ended, its tokens are counted, and Phase
//! 2 is asked anew. A kill before the decision leaves no trace of the guess.

use std::sync::{Arc, Mutex, PoisonError};

use sayso_core::transcript::{CallPurpose, Guess, ModelName, RouteResult, ToolSpec, Usage};
use sayso_providers::{Attempts, ChatOptions, ChatRequest, ProviderError, Reply, Retries};

use super::Turn;
use crate::agent::budget_meter::{Cost, PlannedCall};
use crate::agent::images::Shown;
use crate::agent::in_flight::InFlight;
use crate::agent::message_texts::says_nothing;
use crate::agent::model_call::{Asked, StepRequest, note_answer, note_silence, note_unanswered};
use crate::agent::{JournalError, REPLY_BYTES, Routing, TurnEvent, TurnEvents};

/// The first step, asked before Phase 1 has decided.
pub(super) struct GuessedCall<'a> {
    /// What Phase 1 is taken to decide.
    route: RouteResult,
    planned: PlannedCall,
    attempts: Arc<Attempts>,
    gate: Arc<Gate<'a>>,
    pub(super) asking: InFlight<'a, Result<Reply, ProviderError>>,
}

/// What is asked.
struct GuessedStep {
    system: String,
    tools: Vec<ToolSpec>,
    shown: Shown,
    stream: bool,
}

impl GuessedStep {
    /// Returns it as a provider is asked it: once, since it is asked anew where that fails.
    fn request<'r>(
        &'r self,
        attempts: &'r Attempts,
        wanted: Option<&'r ModelName>,
    ) -> ChatRequest<'r> {
        ChatRequest {
            system: &self.system,
            messages: &self.shown.messages,
            tools: &self.tools,
            temperature: None,
            stream: self.stream,
            attempts: Some(attempts),
            wanted,
            options: ChatOptions {
                retries: Retries::None,
                ..ChatOptions::default()
            },
        }
    }
}

/// Holds back the text of a guessed answer until Phase 1 has decided.
struct Gate<'a> {
    events: &'a dyn TurnEvents,
    held: Mutex<HeldText>,
}

#[derive(Default)]
struct HeldText {
    text: String,
    is_open: bool,
}

impl<'a> Gate<'a> {
    fn new(events: &'a dyn TurnEvents) -> Self {
        Self {
            events,
            held: Mutex::default(),
        }
    }

    fn hear(&self, piece: &str) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        // What comes behind the cut will not be in the reply either.
        if held.text.len() <= REPLY_BYTES {
            held.text.push_str(piece);
            if held.is_open {
                self.events.emit(TurnEvent::Text(held.text.clone()));
            }
        }
    }

    /// Shows what came until now, and from now on each piece.
    fn open(&self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.is_open = true;
        self.events.emit(TurnEvent::Asking);
        if !held.text.is_empty() {
            self.events.emit(TurnEvent::Text(held.text.clone()));
        }
    }

    /// Returns what came.
    fn text(&self) -> String {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.text.clone()
    }
}

impl<'a> Turn<'a> {
    /// Returns whether Phase 2 may be asked beside Phase 1.
    pub(super) fn may_guess(&self) -> bool {
        let agent = self.setup.agent;
        let is_parallel = match agent.limits.routing {
            Routing::Parallel | Routing::Auto => true,
            Routing::TwoPhase | Routing::Off => false,
        };
        let wanted = self.setup.context.model.as_ref();
        is_parallel && agent.provider.answers_two_at_once(wanted)
    }

    /// Asks the first step as this route would have it. Returns `None` where it has to wait for Phase
    /// 1: its prompt is long or does not fit the window without a cut, or a limit of the budget is near.
    pub(super) async fn begin_guess(
        &mut self,
        route: RouteResult,
    ) -> Result<Option<GuessedCall<'a>>, JournalError> {
        let names = match &route {
            RouteResult::Skills(names) => names.as_slice(),
            RouteResult::Direct | RouteResult::NeedClarification { .. } => &[],
        };
        let (prompt, tools) = self.told(names);
        self.window.set_note(prompt.note);
        let asked = StepRequest {
            purpose: CallPurpose::Guess,
            system: &prompt.system,
            tools: &tools,
        };
        let (setup, recall) = (&self.setup, &self.recall);
        let whole = self
            .window
            .conversation_uncut(setup, recall, self.record.state, asked);
        let Some(shown) = whole.await else {
            return Ok(None);
        };
        let step = GuessedStep {
            system: prompt.system,
            tools,
            shown,
            stream: setup.context.stream,
        };
        let (agent, wanted) = (setup.agent, setup.context.model.as_ref());
        let attempts = Arc::new(Attempts::default());
        let planned = setup.planned(&step.request(&attempts, wanted));
        if planned.prompt_tokens > agent.limits.parallel_prompt_tokens
            || !self.spend.reserve_guess(&planned).await?
        {
            return Ok(None);
        }
        let gate = Arc::new(Gate::new(self.setup.events));
        let (heard, noted) = (Arc::clone(&gate), Arc::clone(&attempts));
        let call = async move {
            let request = step.request(&noted, wanted);
            let hear = |piece: &str| heard.hear(piece);
            agent.provider.chat_with_tools(request, &hear).await
        };
        Ok(Some(GuessedCall {
            route,
            planned,
            attempts,
            gate,
            asking: InFlight::new(call),
        }))
    }

    /// Compares the guess with what was decided: goes on with it, or drops it.
    pub(super) async fn judge_guess(
        &mut self,
        decided: &RouteResult,
    ) -> Result<Option<Guess>, JournalError> {
        let Some(guess) = &self.guess else {
            return Ok(None);
        };
        let agreed = are_alike(&guess.route, decided);
        let status = if agreed { "agreed" } else { "dropped" };
        metrics::counter!("sayso_route_guesses_total", "status" => status).increment(1);
        if agreed {
            guess.gate.open();
            return Ok(Some(Guess::Agreed));
        }
        let usage = self.drop_guess().await?;
        Ok(Some(Guess::Dropped { usage }))
    }

    /// Ends the guessed request, if there is one; returns what it cost.
    pub(super) async fn drop_guess(&mut self) -> Result<Usage, JournalError> {
        let Some(guess) = self.guess.take() else {
            return Ok(Usage::default());
        };
        let heard = guess.gate.text();
        let answer = guess.asking.into_answer();
        let costs = guess
            .planned
            .costs(answer.as_ref(), &heard, &guess.attempts);
        let usage = sum_of(&costs);
        self.spend.settle_guess(costs).await?;
        let (purpose, record) = (CallPurpose::Guess, &mut self.record);
        if let Some(Ok(reply)) = answer {
            note_answer(record, purpose, reply.asking, reply.usage).await?;
        }
        note_unanswered(record, purpose, &guess.attempts).await?;
        Ok(usage)
    }

    /// Waits for the answer to a guess that was right. Returns `None` where it is of no use and the
    /// step is to be asked anew.
    pub(super) async fn take_guess(
        &mut self,
        mut guess: GuessedCall<'a>,
    ) -> Result<Option<Asked>, JournalError> {
        let stop = self.setup.stop;
        tokio::select! {
            () = guess.asking.arrives() => {}
            () = stop.cancelled() => {}
        }
        let heard = guess.gate.text();
        let answer = guess.asking.into_answer();
        let costs = guess
            .planned
            .costs(answer.as_ref(), &heard, &guess.attempts);
        self.spend.settle_guess(costs).await?;
        let (purpose, record) = (CallPurpose::Step, &mut self.record);
        note_unanswered(record, purpose, &guess.attempts).await?;
        match answer {
            None => return Ok(Some(Asked::Stopped)),
            Some(Ok(reply)) if !says_nothing(&reply.message) || reply.truncated => {
                return Ok(Some(Asked::Answered(Ok(reply))));
            }
            Some(Ok(reply)) => note_silence(record, purpose, &reply).await?,
            Some(Err(_)) => {}
        }
        self.setup.events.emit(TurnEvent::Discarded);
        Ok(None)
    }
}

/// Returns whether two routes lead to the same first step.
fn are_alike(guessed: &RouteResult, decided: &RouteResult) -> bool {
    match (guessed, decided) {
        (RouteResult::Direct, RouteResult::Direct) => true,
        (RouteResult::Skills(guessed), RouteResult::Skills(decided)) => guessed == decided,
        _ => false,
    }
}

fn sum_of(costs: &[Cost]) -> Usage {
    costs.iter().fold(Usage::default(), |sum, cost| Usage {
        prompt_tokens: sum.prompt_tokens + cost.usage.prompt_tokens,
        completion_tokens: sum.completion_tokens + cost.usage.completion_tokens,
        cached_tokens: sum.cached_tokens + cost.usage.cached_tokens,
    })
}
