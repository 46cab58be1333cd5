//! The plan of a turn, made before its first step where the decision gate says so.
//!
//! It is committed before anything of it is shown, so a turn that is resumed shows the same plan.
//! Whatever goes wrong with it, the turn goes on without one.

use sayso_core::transcript::{CallPurpose, Entry, PlanApproval, Planned, PlannedStep};
use sayso_providers::{Attempts, ProviderError, Reply, Watcher};

use super::Turn;
use crate::agent::budget_meter::BudgetReservation;
use crate::agent::message_texts::user_texts;
use crate::agent::model_call::note_unanswered;
use crate::agent::plan::{PlanQuestion, PlanRequest, read_plan};
use crate::agent::{JournalError, TurnEvent, route};
use crate::executor::CallEvent;

impl Turn<'_> {
    /// Makes the plan; with one whose person is asked first, the turn then ends.
    pub(super) async fn plan(&mut self) -> Result<(), JournalError> {
        self.shorten_past().await?;
        self.prepare_map().await;
        let question = self.plan_question();
        let attempts = Attempts::default();
        let planned = self.setup.planned(&question.request(&attempts, None));
        let funds = self.spend.reserve(&planned).await?;
        if funds != BudgetReservation::Enough {
            return self.end_unpaid(funds).await;
        }
        let events = self.setup.events;
        events.emit(TurnEvent::Asking);
        let watch = |stage| events.emit(TurnEvent::of(stage));
        let asked = question.request(&attempts, Some(Watcher(&watch)));
        let answer = tokio::select! {
            answer = self.setup.agent.provider.chat_with_tools(asked, &|_| {}) => Some(answer),
            () = self.setup.stop.cancelled() => None,
        };
        self.spend
            .settle(planned.costs(answer.as_ref(), "", &attempts))
            .await?;
        note_unanswered(&mut self.record, CallPurpose::Plan, &attempts).await?;
        let Some(answer) = answer else {
            return Ok(());
        };
        let steps = self.read(&answer);
        let (usage, asking) = answer
            .map(|reply| (reply.usage, reply.asking))
            .unwrap_or_default();
        let approval = self.state().plans.unwrap_or_default();
        let plan = Planned {
            steps: steps.clone(),
            approval,
            usage,
            asking,
            taint: self.taint_around(),
        };
        self.record.record(Entry::Planned(plan)).await?;
        if approval == PlanApproval::Never && !steps.is_empty() {
            events.call(CallEvent::Planned(None, steps));
        }
        Ok(())
    }

    fn plan_question(&self) -> PlanQuestion {
        let state = self.state();
        let answering = state.answering.as_ref();
        let changes = answering.filter(|answering| !answering.plan.is_empty());
        // The request of a plan that is changed is given apart.
        let said = usize::from(changes.is_some());
        let request = PlanRequest {
            history: self.window.past_messages(),
            history_limit: self.setup.agent.limits.routing_messages,
            text: &user_texts(state.messages.get(said..).unwrap_or_default()),
            context: self.map.text(),
            changes,
            language: self.setup.language(),
        };
        PlanQuestion::of(&request, self.setup.context.model.clone())
    }

    /// Returns the steps of an answer; none where it is no plan.
    fn read(&self, answer: &Result<Reply, ProviderError>) -> Vec<PlannedStep> {
        let turn = self.setup.scope().turn;
        let reply = match answer {
            Ok(reply) => reply,
            Err(error) => {
                tracing::warn!(%turn, %error, "planning failed; continuing without a plan");
                return Vec::new();
            }
        };
        let text = route::said(&reply.message);
        read_plan(text).unwrap_or_else(|| {
            let bytes = text.len();
            tracing::warn!(%turn, bytes, "unreadable plan; continuing without a plan");
            Vec::new()
        })
    }
}
