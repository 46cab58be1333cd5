//! A model call of a turn: set aside, made, booked; once more when the model only repeated itself
//! or said nothing.

use std::sync::{Mutex, PoisonError};

use super::budget_meter::BudgetReservation;
use super::turn::{Turn, says_nothing};
use super::{JournalError, REPLY_BYTES, TurnEvent, messages};
use crate::providers::{Attempts, ChatOptions, ChatRequest, ProviderError, Reply, Watcher};
use crate::transcript::{
    CallPurpose, Consulted, ConversationMessage, Entry, Failure, Finish, ModelRequest, ToolSpec,
    TurnOutcome, Usage,
};

/// The result of a model request.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one at a time, and it is taken apart at once"
)]
pub(super) enum Asked {
    /// The model answered, or did not.
    Answered(Result<Reply, ProviderError>),
    /// The turn was stopped meanwhile.
    Stopped,
    /// The model was not asked: a limit is reached.
    UsedUp {
        /// Which, in words for the user.
        why: String,
    },
}

impl Turn<'_> {
    /// Asks the model. An answer that only repeats itself, says nothing or was given up is paid for
    /// once more, for another one is mostly good; a second one is the failure.
    pub(super) async fn ask(
        &mut self,
        purpose: CallPurpose,
        system: &str,
        messages: &[ConversationMessage],
        tools: &[ToolSpec],
    ) -> Result<Asked, JournalError> {
        let attempts = Attempts::default();
        let events = self.events;
        let watch = |stage| events.emit(TurnEvent::of(stage));
        let request = ChatRequest {
            system,
            messages,
            tools,
            temperature: None,
            stream: self.context.stream,
            attempts: Some(&attempts),
            wanted: self.context.model.as_ref(),
            options: ChatOptions {
                watcher: Some(Watcher(&watch)),
                ..ChatOptions::default()
            },
        };
        let asked = self.ask_once(request, &attempts).await?;
        self.note_unanswered(purpose, &attempts).await?;
        let why = match &asked {
            Asked::Answered(Err(ProviderError::Repeating(why))) => why.clone(),
            Asked::Answered(Err(error)) if error.is_given_up() => error.to_string(),
            // Cut at the token limit, the next one would be as well.
            Asked::Answered(Ok(reply)) if says_nothing(&reply.message) && !reply.truncated => {
                self.note_silence(purpose, reply).await?;
                "it says nothing".to_owned()
            }
            Asked::Answered(_) | Asked::Stopped | Asked::UsedUp { .. } => return Ok(asked),
        };
        tracing::warn!(turn = %self.context.scope.turn, why, "unusable model response; retrying");
        self.events.emit(TurnEvent::StepDone);
        let asked = self.ask_once(request, &attempts).await?;
        self.note_unanswered(purpose, &attempts).await?;
        Ok(asked)
    }

    /// Writes down the attempts that brought no answer: the trace tells of every call.
    pub(super) async fn note_unanswered(
        &mut self,
        purpose: CallPurpose,
        attempts: &Attempts,
    ) -> Result<(), JournalError> {
        for (asking, ago_ms) in attempts.take_unanswered() {
            let consulted = Consulted {
                purpose: Some(purpose),
                asking: Some(asking),
                ago_ms,
                usage: Usage::default(),
            };
            self.record(Entry::Consulted(consulted)).await?;
        }
        Ok(())
    }

    /// Writes down an answer that is no step: it concludes the turn, or says nothing.
    pub(super) async fn note_answer(
        &mut self,
        purpose: CallPurpose,
        asking: Option<ModelRequest>,
        usage: Usage,
    ) -> Result<(), JournalError> {
        let Some(asking) = asking else {
            return Ok(());
        };
        let consulted = Consulted {
            purpose: Some(purpose),
            asking: Some(asking),
            ago_ms: 0,
            usage,
        };
        self.record(Entry::Consulted(consulted)).await
    }

    /// Writes down an answer that says nothing.
    async fn note_silence(
        &mut self,
        purpose: CallPurpose,
        reply: &Reply,
    ) -> Result<(), JournalError> {
        let asking = reply.asking.clone().map(|asking| ModelRequest {
            finish: Finish::Failed(Failure::Garbage),
            ..asking
        });
        self.note_answer(purpose, asking, reply.usage).await
    }

    /// Returns the longest answer that the model gives, in tokens.
    pub(super) fn longest_answer(&self) -> usize {
        let wanted = self.context.model.as_ref();
        self.agent.provider.longest_answer(wanted)
    }

    /// Fails the turn because the model said nothing.
    pub(super) async fn fail_without_words(&mut self, reply: Reply) -> Result<(), JournalError> {
        self.note_silence(CallPurpose::Step, &reply).await?;
        if reply.truncated {
            let why = messages::only_thoughts(self.longest_answer(), self.context.language);
            return self.finish(TurnOutcome::Failed { why }).await;
        }
        let error = ProviderError::Garbage("an empty answer".to_owned());
        self.fail(&error).await
    }

    async fn ask_once(
        &mut self,
        request: ChatRequest<'_>,
        attempts: &Attempts,
    ) -> Result<Asked, JournalError> {
        let planned = self.agent.planned(self.context, &request);
        match self.meter.reserve(&planned).await? {
            BudgetReservation::Enough => {}
            BudgetReservation::Exhausted { why } => return Ok(Asked::UsedUp { why }),
            BudgetReservation::Stopped => return Ok(Asked::Stopped),
        }
        let so_far = Mutex::new(String::new());
        let heard = |piece: &str| {
            let mut text = so_far.lock().unwrap_or_else(PoisonError::into_inner);
            // What comes behind the cut will not be in the reply either.
            if text.len() <= REPLY_BYTES {
                text.push_str(piece);
                self.events.emit(TurnEvent::Text(text.clone()));
            }
        };
        let answer = tokio::select! {
            answer = self.agent.provider.chat_with_tools(request, &heard) => Some(answer),
            () = self.stop.cancelled() => None,
        };
        let heard = so_far.into_inner().unwrap_or_else(PoisonError::into_inner);
        let costs = planned.costs(answer.as_ref(), &heard, attempts);
        self.meter.settle(costs).await?;
        Ok(answer.map_or(Asked::Stopped, Asked::Answered))
    }

    /// Ends the turn because a limit is reached, and says what was done until then.
    pub(super) async fn end_used_up(&mut self, why: &str) -> Result<(), JournalError> {
        tracing::info!(turn = %self.context.scope.turn, "budget limit reached");
        let why = messages::used_up(self.state, why, self.context.language);
        self.finish(TurnOutcome::Failed { why }).await
    }
}
