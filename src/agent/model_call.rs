//! A model call of a turn: set aside, made, booked; once more when the model only repeated itself
//! or said nothing.

use std::sync::{Mutex, PoisonError};

use sayso_core::transcript::{
    CallPurpose, Consulted, ConversationMessage, Entry, Failure, Finish, ModelRequest, ToolSpec,
    Usage,
};
use sayso_providers::{Attempts, ChatOptions, ChatRequest, ProviderError, Reply, Watcher};

use super::budget_meter::{BudgetMeter, BudgetReservation, Cost, PlannedCall};
use super::message_texts::says_nothing;
use super::turn_setup::{TurnRecord, TurnSetup};
use super::{JournalError, REPLY_BYTES, TurnEvent};

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

/// What the model is asked in a step, beside the conversation.
#[derive(Clone, Copy)]
pub(super) struct StepRequest<'q> {
    pub(super) purpose: CallPurpose,
    pub(super) system: &'q str,
    pub(super) tools: &'q [ToolSpec],
}

/// What a turn spends on model calls, and the record of each.
pub(super) struct Spend<'a> {
    meter: &'a mut dyn BudgetMeter,
}

impl<'a> Spend<'a> {
    /// Returns what spends from this meter.
    pub(super) fn new(meter: &'a mut dyn BudgetMeter) -> Self {
        Self { meter }
    }

    /// Reserves what a call will cost at least.
    pub(super) async fn reserve(
        &mut self,
        planned: &PlannedCall,
    ) -> Result<BudgetReservation, JournalError> {
        self.meter.reserve(planned).await
    }

    /// Settles what a call cost.
    pub(super) async fn settle(&mut self, costs: Vec<Cost>) -> Result<(), JournalError> {
        self.meter.settle(costs).await
    }

    /// Reserves what the first step will cost at least, beside Phase 1. Returns whether it may be
    /// asked.
    pub(super) async fn reserve_guess(
        &mut self,
        planned: &PlannedCall,
    ) -> Result<bool, JournalError> {
        self.meter.reserve_guess(planned).await
    }

    /// Settles what that call cost.
    pub(super) async fn settle_guess(&mut self, costs: Vec<Cost>) -> Result<(), JournalError> {
        self.meter.settle_guess(costs).await
    }

    /// Asks the model. An answer that only repeats itself, says nothing or was given up is paid for
    /// once more, for another one is mostly good; a second one is the failure.
    pub(super) async fn ask(
        &mut self,
        setup: &TurnSetup<'_>,
        record: &mut TurnRecord<'_>,
        asked: StepRequest<'_>,
        messages: &[ConversationMessage],
    ) -> Result<Asked, JournalError> {
        let (purpose, attempts) = (asked.purpose, Attempts::default());
        let events = setup.events;
        let watch = |stage| events.emit(TurnEvent::of(stage));
        let request = ChatRequest {
            system: asked.system,
            messages,
            tools: asked.tools,
            temperature: None,
            stream: setup.context.stream,
            attempts: Some(&attempts),
            wanted: setup.context.model.as_ref(),
            options: ChatOptions {
                watcher: Some(Watcher(&watch)),
                ..ChatOptions::default()
            },
        };
        let asked = self.ask_once(setup, request, &attempts).await?;
        note_unanswered(record, purpose, &attempts).await?;
        let why = match &asked {
            Asked::Answered(Err(ProviderError::Repeating(why))) => why.clone(),
            Asked::Answered(Err(error)) if error.is_given_up() => error.to_string(),
            // Cut at the token limit, the next one would be as well.
            Asked::Answered(Ok(reply)) if says_nothing(&reply.message) && !reply.truncated => {
                note_silence(record, purpose, reply).await?;
                "it says nothing".to_owned()
            }
            Asked::Answered(_) | Asked::Stopped | Asked::UsedUp { .. } => return Ok(asked),
        };
        tracing::warn!(turn = %setup.scope().turn, why, "unusable model response; retrying");
        setup.events.emit(TurnEvent::Discarded);
        let asked = self.ask_once(setup, request, &attempts).await?;
        note_unanswered(record, purpose, &attempts).await?;
        Ok(asked)
    }

    async fn ask_once(
        &mut self,
        setup: &TurnSetup<'_>,
        request: ChatRequest<'_>,
        attempts: &Attempts,
    ) -> Result<Asked, JournalError> {
        let planned = setup.planned(&request);
        match self.reserve(&planned).await? {
            BudgetReservation::Enough => {}
            BudgetReservation::Exhausted { why } => return Ok(Asked::UsedUp { why }),
            BudgetReservation::Stopped => return Ok(Asked::Stopped),
        }
        setup.events.emit(TurnEvent::Asking);
        let so_far = Mutex::new(String::new());
        let heard = |piece: &str| {
            let mut text = so_far.lock().unwrap_or_else(PoisonError::into_inner);
            // What comes behind the cut will not be in the reply either.
            if text.len() <= REPLY_BYTES {
                text.push_str(piece);
                setup.events.emit(TurnEvent::Text(text.clone()));
            }
        };
        let answer = tokio::select! {
            answer = setup.agent.provider.chat_with_tools(request, &heard) => Some(answer),
            () = setup.stop.cancelled() => None,
        };
        let heard = so_far.into_inner().unwrap_or_else(PoisonError::into_inner);
        let costs = planned.costs(answer.as_ref(), &heard, attempts);
        self.settle(costs).await?;
        Ok(answer.map_or(Asked::Stopped, Asked::Answered))
    }
}

/// Writes down the attempts that brought no answer: the trace tells of every call.
pub(super) async fn note_unanswered(
    record: &mut TurnRecord<'_>,
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
        record.record(Entry::Consulted(consulted)).await?;
    }
    Ok(())
}

/// Writes down an answer that is no step: it concludes the turn, or says nothing.
pub(super) async fn note_answer(
    record: &mut TurnRecord<'_>,
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
    record.record(Entry::Consulted(consulted)).await
}

/// Writes down an answer that says nothing.
pub(super) async fn note_silence(
    record: &mut TurnRecord<'_>,
    purpose: CallPurpose,
    reply: &Reply,
) -> Result<(), JournalError> {
    let asking = reply.asking.clone().map(|asking| ModelRequest {
        finish: Finish::Failed(Failure::Garbage),
        ..asking
    });
    note_answer(record, purpose, asking, reply.usage).await
}
