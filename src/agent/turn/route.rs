//! Phase 1 of a turn: the skills for its first step, or a question back.

use std::sync::Arc;

use sayso_channel::Language;
use sayso_core::transcript::{
    CallPurpose, Entry, IntentLabel, ModelRequest, PlanApproval, RouteResult, Routed, Skipped,
    Usage,
};
use sayso_providers::{Attempts, ProviderError, Reply, Watcher};

use super::Turn;
use crate::agent::budget_meter::{BudgetReservation, PlannedCall};
use crate::agent::in_flight::InFlight;
use crate::agent::message_texts::user_texts;
use crate::agent::model_call::note_unanswered;
use crate::agent::route::{self, RouteRequest};
use crate::agent::{JournalError, Planning, Routing, TurnEvent};
use crate::skills::MessageFeatures;

/// The result of the Phase 1 request.
#[derive(Debug, Default)]
struct AskedRoute {
    /// What it decided; none when it failed.
    route: Option<RouteResult>,
    usage: Usage,
    asking: Option<ModelRequest>,
}

/// Phase 1 under way.
struct RouteCall<'a> {
    planned: PlannedCall,
    attempts: Arc<Attempts>,
    asking: InFlight<'a, RouteAnswer>,
}

/// What Phase 1 decided, and what it answered.
type RouteAnswer = (Option<RouteResult>, Result<Reply, ProviderError>);

impl<'a> Turn<'a> {
    /// Decides the route: by Phase 1, by the free rules where that fails, or without asking.
    pub(super) async fn route(&mut self) -> Result<(), JournalError> {
        self.shorten_past().await?;
        let text = user_texts(&self.state().messages);
        let skills = [Language::English, Language::Chinese]
            .map(|language| self.setup.skills.catalogue(language))
            .concat();
        // What an answer answers only Phase 1 can tell.
        let check = match self.state().answering {
            Some(_) => None,
            None => route::skip(&text, &skills, self.window.past_messages()),
        };
        let skipped = match self.setup.agent.limits.routing {
            // Skills are for those who may use tools.
            _ if self.is_for_guest() => Some(Skipped::SwitchedOff),
            _ if self.setup.context.routine.is_some() => Some(Skipped::SwitchedOff),
            Routing::Off => Some(Skipped::SwitchedOff),
            Routing::TwoPhase | Routing::Parallel => None,
            Routing::Auto => check,
        };
        let skills = Arc::clone(&self.setup.skills);
        let (features, recommender) = (MessageFeatures::of(&text), skills.recommender());
        let is_routine = self.setup.context.routine.is_some();
        let before = route::by_rules(&features, recommender, check, None);
        let plans = self.plans(before.label);
        let asked = if is_routine {
            // The free rules decide: no person is there to be asked back.
            AskedRoute::default()
        } else if skipped.is_some() {
            AskedRoute {
                route: Some(RouteResult::Direct),
                ..AskedRoute::default()
            }
        } else {
            // The first step follows the plan, so it is not asked before there is one.
            let may_guess = plans.is_none() && self.may_guess();
            let guessed = may_guess.then(|| before.route());
            let Some(asked) = self.ask_route(guessed).await? else {
                return Ok(());
            };
            asked
        };
        let mut by_rules = route::by_rules(&features, recommender, check, asked.route.as_ref());
        by_rules.stood_in = asked.route.is_none();
        let route = asked.route.unwrap_or_else(|| by_rules.route());
        let guess = self.judge_guess(&route).await?;
        let routed = Routed {
            route,
            usage: asked.usage,
            skipped,
            asking: asked.asking,
            by_rules: Some(by_rules),
            plans,
            guess,
        };
        self.record.record(Entry::Routed(routed)).await
    }

    /// Returns whether a plan is made for a message of this kind, and whether its person is asked. No
    /// person sees the plan of a routine, and guests have no tools to follow one.
    fn plans(&self, label: IntentLabel) -> Option<PlanApproval> {
        let approval = match self.setup.agent.limits.planning {
            Planning::Off => return None,
            Planning::Followed => PlanApproval::Never,
            Planning::Asked => PlanApproval::Ask,
        };
        if self.is_for_guest() || self.setup.context.routine.is_some() {
            return None;
        }
        let answering = self.state().answering.as_ref();
        if answering.is_some_and(|answering| !answering.plan.is_empty()) {
            // Who changes a plan has seen it: it is followed as changed.
            return Some(PlanApproval::Never);
        }
        label.enables_planning().then_some(approval)
    }

    /// Returns `None` when stopped meanwhile, or when the turn has ended because a limit is
    /// reached.
    async fn ask_route(
        &mut self,
        guessed: Option<RouteResult>,
    ) -> Result<Option<AskedRoute>, JournalError> {
        let Some(mut route) = self.begin_route().await? else {
            return Ok(None);
        };
        let stop = self.setup.stop;
        tokio::select! {
            decided = self.decide(&mut route, guessed) => decided?,
            () = stop.cancelled() => {}
        }
        let answered = route.asking.into_answer();
        let answer = answered.as_ref().map(|(_, answer)| answer);
        let costs = route.planned.costs(answer, "", &route.attempts);
        self.spend.settle(costs).await?;
        note_unanswered(&mut self.record, CallPurpose::Route, &route.attempts).await?;
        let Some((route, answer)) = answered else {
            return Ok(None);
        };
        let (usage, asking) = answer
            .map(|reply| (reply.usage, reply.asking))
            .unwrap_or_default();
        Ok(Some(AskedRoute {
            route,
            usage,
            asking,
        }))
    }

    /// Sets Phase 1 aside, and returns it ready to go out.
    async fn begin_route(&mut self) -> Result<Option<RouteCall<'a>>, JournalError> {
        // The request of an answered question is given apart.
        let said = usize::from(self.state().answering.is_some());
        let text = user_texts(self.state().messages.get(said..).unwrap_or_default());
        let skills = self.setup.skills.catalogue(self.setup.language());
        let request = RouteRequest {
            skills: &skills,
            history: self.window.past_messages(),
            history_limit: self.setup.agent.limits.routing_messages,
            text: &text,
            answering: self.record.state.answering.as_ref(),
            language: self.setup.language(),
        };
        let question = route::question(&request).wanting(self.setup.context.model.clone());
        let attempts = Arc::new(Attempts::default());
        let planned = self.setup.planned(&question.request(&attempts, None));
        let funds = self.spend.reserve(&planned).await?;
        if funds != BudgetReservation::Enough {
            self.end_unpaid(funds).await?;
            return Ok(None);
        }
        let (agent, events) = (self.setup.agent, self.setup.events);
        events.emit(TurnEvent::Asking);
        let noted = Arc::clone(&attempts);
        let call = async move {
            let watch = |stage| events.emit(TurnEvent::of(stage));
            let asked = question.request(&noted, Some(Watcher(&watch)));
            route::route(agent.provider.as_ref(), &question, asked).await
        };
        Ok(Some(RouteCall {
            planned,
            attempts,
            asking: InFlight::new(call),
        }))
    }

    /// Waits for Phase 1. What the first step needs is looked up meanwhile; where a route is guessed,
    /// the step is then asked.
    async fn decide(
        &mut self,
        route: &mut RouteCall<'a>,
        guessed: Option<RouteResult>,
    ) -> Result<(), JournalError> {
        route.asking.beside(self.prepare_recall()).await;
        if let Some(guessed) = guessed
            && !route.asking.has_arrived()
        {
            self.guess = route.asking.beside(self.begin_guess(guessed)).await?;
        }
        match &mut self.guess {
            Some(guess) => guess.asking.beside(route.asking.arrives()).await,
            None => route.asking.arrives().await,
        }
        Ok(())
    }
}
