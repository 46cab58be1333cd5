//! The model's turn: performs what [`next`] decides, appends the result, and repeats.
//!
//! [`Turn`] is made of parts with state of their own: its record, what it recalls, what it shows of
//! the conversation, and what it spends.

mod checks;
mod guess;
mod plan;
mod route;

use sayso_core::transcript::{
    AssistantMessage, CallId, CallProgress, CallPurpose, Entry, Heard, Replied, Returned, Role,
    Taint, ToolSpec, TurnOutcome, TurnState, Verdict, Way, clear_old_reasoning_content,
};
use sayso_providers::{ProviderError, Reply};
use tokio_util::sync::CancellationToken;

use crate::agent::attachments;
use crate::agent::budget_meter::{BudgetMeter, BudgetReservation};
use crate::agent::code_map::TurnMap;
use crate::agent::context_window::ContextWindow;
use crate::agent::instructions::{self, Instructions};
use crate::agent::message_texts::says_nothing;
use crate::agent::model_call::{Asked, Spend, StepRequest, note_answer, note_silence};
use crate::agent::next::{Action, next};
use crate::agent::prompt::{self, Prompt, PromptParts, SkillListing};
use crate::agent::recall::{Recall, RecallInput, RecallResult};
use crate::agent::tool_selection::{Offer, offer};
use crate::agent::turn_setup::{TurnContext, TurnRecord, TurnSetup};
use crate::agent::{
    Agent, Journal, JournalError, REPLY_BYTES, Routing, TurnEvent, TurnEvents, messages,
};
use crate::executor::{CallEvent, CallRun};
use crate::persona::Audience;

use self::guess::GuessedCall;

/// How far a turn was driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriveResult {
    /// It has ended.
    Ended,
    /// It waits for a person.
    Suspended,
    /// `stop` was cancelled; the caller that cancelled it knows the reason.
    Interrupted,
}

impl Agent {
    /// Drives a turn from wherever it is until it ends or must wait for a person.
    ///
    /// `state` is what the turn has come to, before and after. Cancelling `stop` ends the model
    /// call or tool that is under way.
    pub async fn drive(
        &self,
        context: &TurnContext,
        state: &mut TurnState,
        journal: &mut dyn Journal,
        meter: &mut dyn BudgetMeter,
        events: &dyn TurnEvents,
        stop: &CancellationToken,
    ) -> Result<DriveResult, JournalError> {
        let scope = &context.execution.scope;
        let skills = async {
            let skills = self.library.of(scope.owner, &scope.home).await;
            skills.map_err(|error| JournalError::Broken(error.to_string()))
        };
        let (skills, mut earlier) = tokio::try_join!(skills, journal.history())?;
        for past in &mut earlier.turns {
            clear_old_reasoning_content(&mut past.messages);
        }
        let mut setup = TurnSetup {
            agent: self,
            context,
            skills,
            instructions: Instructions::default(),
            events,
            stop,
        };
        let (in_hand, most) = (instructions::in_hand(&state.messages), setup.window().asked);
        setup.instructions = Box::pin(Instructions::load(scope, in_hand, most, journal)).await?;
        let turn = Turn {
            window: ContextWindow::new(earlier, setup.window()),
            setup,
            record: TurnRecord { state, journal },
            recall: Recall::default(),
            spend: Spend::new(meter),
            map: TurnMap::default(),
            guess: None,
        };
        match turn.run().await {
            Err(JournalError::Stopped { .. }) => Ok(DriveResult::Interrupted),
            driven => driven,
        }
    }
}

/// One turn while it is driven.
struct Turn<'a> {
    setup: TurnSetup<'a>,
    record: TurnRecord<'a>,
    recall: Recall,
    map: TurnMap,
    window: ContextWindow,
    spend: Spend<'a>,
    /// The first step, where it is asked beside Phase 1.
    guess: Option<GuessedCall<'a>>,
}

impl Turn<'_> {
    async fn run(mut self) -> Result<DriveResult, JournalError> {
        // One that goes on shows again what it was about to do.
        if !self.state().plan.is_empty() && !self.state().proposes {
            let plan = self.state().plan.clone();
            self.setup.events.call(CallEvent::Planned(None, plan));
        }
        loop {
            // A stop that comes while a turn ends finds it ended: there is one outcome.
            if self.setup.stop.is_cancelled() && self.state().ended.is_none() {
                self.drop_guess().await?;
                return Ok(DriveResult::Interrupted);
            }
            let max_steps = self.setup.max_steps(self.state());
            match next(
                self.state(),
                max_steps,
                self.setup.checks(self.state().origin),
            ) {
                Action::Fetch => attachments::fetch(&self.setup, &mut self.record).await?,
                Action::Route => self.route().await?,
                Action::Plan => self.plan().await?,
                Action::CallModel => self.call_model().await?,
                Action::Run(call) => self.run_call(&call).await?,
                Action::Refuse(call) => self.calls().refuse(call).await?,
                Action::Recover(call) => self.calls().recover(call).await?,
                Action::Suspend => return Ok(DriveResult::Suspended),
                Action::BeginChecks => self.begin_checks().await?,
                Action::RunCheck(strategy, purpose) => self.issue_check(strategy, purpose).await?,
                Action::Correct(recovery) => self.correct(recovery).await?,
                Action::ReportChecks(why) => self.report_checks(why).await?,
                Action::Conclude => self.conclude().await?,
                Action::GiveUp => self.give_up().await?,
                Action::Finish(outcome) => self.record.finish(outcome).await?,
                Action::Rest => return Ok(DriveResult::Ended),
            }
        }
    }

    fn state(&self) -> &TurnState {
        self.record.state
    }

    /// Returns the calls of the turn, to have something done about one.
    fn calls(&mut self) -> CallRun<'_> {
        CallRun {
            executor: &self.setup.agent.executor,
            context: &self.setup.context.execution,
            in_view: self.window.in_view(),
            state: self.record.state,
            journal: self.record.journal,
            events: self.setup.events,
            stop: self.setup.stop,
        }
    }

    /// Has a call judged and run, unless its person has said something meanwhile.
    async fn run_call(&mut self, id: &CallId) -> Result<(), JournalError> {
        let was_approved = self.state().call(id).is_some_and(|state| {
            matches!(
                &state.progress,
                CallProgress::Decided(Verdict::Approved { .. })
            )
        });
        if !was_approved && self.record.journal.has_pending_messages().await? {
            return self.preempt_calls().await;
        }
        if self.is_extra_check() {
            return self.judge_unasked(id).await;
        }
        self.calls().judge(id).await
    }

    /// Somebody said something that joins at the next step: what was not started of this one gives
    /// way to it. The results say so, and a kill between them finds the same words waiting.
    async fn preempt_calls(&mut self) -> Result<(), JournalError> {
        let calls = self.state().calls.iter();
        let waiting: Vec<CallId> = calls
            .filter(|state| state.progress == CallProgress::Waiting)
            .map(|state| state.call.id.clone())
            .collect();
        for call in waiting {
            // Nothing of it is shown: people see that their words were added.
            let preempted = Returned {
                call,
                outcome: messages::gives_way(self.setup.language()),
                tainted: false,
                own: false,
                screened: None,
            };
            self.record.record(Entry::Returned(preempted)).await?;
        }
        Ok(())
    }

    async fn fail(&mut self, error: &ProviderError) -> Result<(), JournalError> {
        tracing::warn!(turn = %self.setup.scope().turn, %error, "no model answered");
        let role = self.setup.scope().role;
        let why = sayso_providers::for_user(error, role, self.setup.language());
        let retry = sayso_providers::may_be_tried_again(error);
        self.record.finish(TurnOutcome::Failed { why, retry }).await
    }

    /// Fails the turn because the model said nothing.
    async fn fail_without_words(&mut self, reply: Reply) -> Result<(), JournalError> {
        note_silence(&mut self.record, CallPurpose::Step, &reply).await?;
        if reply.truncated {
            let most = self.setup.longest_answer();
            let why = messages::only_thoughts(most, self.setup.language());
            return self.fail_for_good(why).await;
        }
        tracing::warn!(turn = %self.setup.scope().turn, "the model gave no answer");
        let why = messages::no_answer(self.setup.language()).to_owned();
        let retry = true;
        self.record.finish(TurnOutcome::Failed { why, retry }).await
    }

    /// Fails the turn where the same request would fail again.
    async fn fail_for_good(&mut self, why: String) -> Result<(), JournalError> {
        let retry = false;
        self.record.finish(TurnOutcome::Failed { why, retry }).await
    }

    /// Ends the turn because a limit is reached, and says what was done until then.
    async fn end_used_up(&mut self, why: &str) -> Result<(), JournalError> {
        tracing::info!(turn = %self.setup.scope().turn, "budget limit reached");
        let why = messages::used_up(self.state(), why, self.setup.language());
        self.fail_for_good(why).await
    }

    /// Ends the turn where a limit is reached; a stop is looked for before each action.
    async fn end_unpaid(&mut self, funds: BudgetReservation) -> Result<(), JournalError> {
        match funds {
            BudgetReservation::Exhausted { why } => self.end_used_up(&why).await,
            BudgetReservation::Enough | BudgetReservation::Stopped => Ok(()),
        }
    }

    // Phase 2.

    async fn call_model(&mut self) -> Result<(), JournalError> {
        if self.state().steps > 0 {
            self.note_meanwhile().await?;
            self.absorb().await?;
            if !self.state().arriving.is_empty() {
                return Ok(());
            }
            Box::pin(self.look_for_instructions()).await?;
        }
        if let Some(guess) = self.guess.take()
            && let Some(asked) = self.take_guess(guess).await?
        {
            return self.take_asked(asked).await;
        }
        self.shorten_past().await?;
        self.prepare_recall().await;
        let (prompt, tools) = self.told(self.state().routed());
        self.window.set_note(prompt.note);
        let request = StepRequest {
            purpose: CallPurpose::Step,
            system: &prompt.system,
            tools: &tools,
        };
        let asked = self.ask(request, None).await?;
        self.take_asked(asked).await
    }

    /// Goes on with the result of asking for a step.
    async fn take_asked(&mut self, asked: Asked) -> Result<(), JournalError> {
        match asked {
            Asked::Answered(Ok(reply)) if says_nothing(&reply.message) => {
                self.fail_without_words(reply).await
            }
            Asked::Answered(Ok(reply)) => self.take_reply(reply).await,
            // The driver then asks again.
            Asked::Answered(Err(error)) if self.may_be_too_long(&error) => {
                let (setup, recall) = (&self.setup, &self.recall);
                if self
                    .window
                    .give_way(setup, recall, &mut self.record)
                    .await?
                {
                    return Ok(());
                }
                self.fail(&error).await
            }
            Asked::Answered(Err(error)) => self.fail(&error).await,
            Asked::Stopped => Ok(()),
            Asked::UsedUp { why } => self.end_used_up(&why).await,
        }
    }

    /// Asks the model with as much of the conversation as fits; `last` is said at its end.
    async fn ask(
        &mut self,
        request: StepRequest<'_>,
        last: Option<&str>,
    ) -> Result<Asked, JournalError> {
        let (setup, recall, record) = (&self.setup, &self.recall, &mut self.record);
        let window = &mut self.window;
        let shown = window
            .conversation(setup, recall, record, request, last)
            .await?;
        // Its pictures make room for those of others when it is answered.
        self.spend
            .ask(setup, record, request, &shown.messages)
            .await
    }

    fn may_be_too_long(&self, error: &ProviderError) -> bool {
        let (setup, recall) = (&self.setup, &self.recall);
        self.window
            .may_be_too_long(setup, recall, self.state(), error)
    }

    async fn shorten_past(&mut self) -> Result<(), JournalError> {
        let (setup, recall) = (&self.setup, &self.recall);
        self.window
            .shorten_past(setup, recall, &mut self.record)
            .await
    }

    /// Makes the map of the project where the request is about code.
    async fn prepare_map(&mut self) {
        let past = self.window.past_messages();
        self.map.prepare(&self.setup, self.record.state, past).await;
    }

    /// Looks up what the next step needs to know.
    async fn prepare_recall(&mut self) {
        self.prepare_map().await;
        let is_clean = self.state().taint.is_empty() && self.taint_around().is_empty();
        let input = RecallInput {
            state: self.record.state,
            in_view: self.window.in_view(),
            is_clean,
        };
        self.recall.prepare(&self.setup, input).await;
    }

    async fn take_reply(&mut self, reply: Reply) -> Result<(), JournalError> {
        let mut message = reply.message;
        message.text = messages::bounded(message.text, REPLY_BYTES, self.setup.language());
        if !message.calls.is_empty() {
            // A truncated call is reported in its result.
        } else if reply.truncated {
            let most = self.setup.longest_answer();
            message.text += &messages::cut_at_limit(most, self.setup.language());
        } else if reply.filtered {
            message.text += messages::withheld(self.setup.language());
        }
        name_calls(&mut message, self.state().steps + 1);
        let calls = message.calls.into_iter();
        message.calls = calls
            .map(|call| self.setup.agent.executor.tools.mended(call))
            .collect();
        if !message.calls.is_empty() {
            self.setup.events.emit(TurnEvent::StepDone);
        }
        let (memory_hits, knowledge_hits) = self.recall.hits();
        let taint = self.taint_around();
        self.record
            .record(Entry::Replied(Replied {
                message,
                usage: reply.usage,
                memory_hits,
                knowledge_hits,
                asking: reply.asking,
                taint,
            }))
            .await
    }

    /// Returns where the untrusted text came from that is in the prompt and not of this turn. It is
    /// part of the journal: a call that is approved later is judged by it, whatever is in view
    /// then.
    fn taint_around(&self) -> Taint {
        let mut taint = self.setup.context.taint.clone();
        taint.merge(&self.setup.instructions.taint);
        taint.merge(self.map.taint());
        if let Some(past) = self.window.past() {
            taint.merge(&past.taint.in_later_turns());
        }
        for memory in self.recall.memories() {
            let (owner, user) = (self.setup.scope().owner, self.setup.scope().user);
            taint.merge(&memory.taint_for(owner, user).by(Way::Memory));
        }
        taint
    }

    /// Takes up the instructions of folders that the newest calls came to.
    async fn look_for_instructions(&mut self) -> Result<(), JournalError> {
        if self.setup.scope().project.is_none() {
            return Ok(());
        }
        let in_hand = instructions::in_hand(&self.state().messages);
        if self.setup.instructions.are_for(&in_hand) {
            return Ok(());
        }
        let (scope, most) = (self.setup.scope(), self.setup.window().asked);
        let journal = &mut *self.record.journal;
        self.setup.instructions = Instructions::load(scope, in_hand, most, journal).await?;
        Ok(())
    }

    async fn note_meanwhile(&mut self) -> Result<(), JournalError> {
        match &self.setup.context.meanwhile {
            Some(text) if !self.state().noted => {
                let text = text.clone();
                self.record.record(Entry::Noted { text }).await
            }
            _ => Ok(()),
        }
    }

    async fn absorb(&mut self) -> Result<(), JournalError> {
        let messages = self.record.journal.pending_messages().await?;
        if !messages.is_empty() {
            let texts = messages.iter().map(|heard| heard.text.clone());
            self.setup.events.emit(TurnEvent::Joined(texts.collect()));
            self.record.state.apply(&Entry::Heard(Heard { messages }));
        }
        Ok(())
    }

    /// Returns whether the person may only chat: their turn has no tools and no skills.
    fn is_for_guest(&self) -> bool {
        self.setup.scope().role == Role::Guest
    }

    /// Returns the prompt and the tools of a step, with these skills by Phase 1.
    fn told(&self, by_route: &[String]) -> (Prompt, Vec<ToolSpec>) {
        let is_for_guest = self.is_for_guest();
        let mut skills = self.setup.skills.catalogue(self.setup.language());
        skills.retain(|_| !is_for_guest);
        let routed: Vec<(&str, &str)> = by_route
            .iter()
            .filter_map(|name| Some((name.as_str(), self.setup.skills.load(name)?)))
            .collect();
        let tools = &self.setup.agent.executor.tools;
        let offer = if is_for_guest {
            Offer::default()
        } else {
            let scope = self.setup.scope();
            offer(scope, self.window.earlier(), self.state(), &routed, tools)
        };
        let nothing = RecallResult::default();
        let recalled = self.recall.first().unwrap_or(&nothing);
        let audience = Audience::of(self.setup.scope().owner, self.setup.scope().role);
        let prompt = prompt::build(&PromptParts {
            language: self.setup.language(),
            identity: &self
                .setup
                .agent
                .persona
                .identity(self.setup.language(), audience),
            has_tools: !offer.tools.is_empty(),
            more_tools: &offer.more,
            skills: &skills,
            listing: match self.setup.agent.limits.routing {
                Routing::TwoPhase | Routing::Parallel | Routing::Auto => SkillListing::Named,
                Routing::Off => SkillListing::Described,
            },
            autonomy: self.setup.context.execution.terms.autonomy,
            recalled: &recalled.memories,
            knowledge: &recalled.passages,
            profile: self.recall.profile(),
            routed: &routed,
            workspace: &self.setup.scope().workspace,
            project: self.setup.scope().project.as_ref(),
            instructions: self.setup.instructions.accepted.as_deref(),
            outside_instructions: self.setup.instructions.outside.as_deref(),
            map: self.map.text(),
            now: &self.setup.context.now,
            owner: self.setup.scope().owner,
            waiting_for: &self.setup.context.waiting_for,
            routine: self.setup.context.routine.as_deref(),
        });
        (prompt, offer.tools)
    }

    // The step limit.

    /// Lets the model say what was done and what is left; says it for it when it cannot.
    async fn conclude(&mut self) -> Result<(), JournalError> {
        self.prepare_recall().await;
        let (prompt, _) = self.told(self.state().routed());
        self.window.set_note(prompt.note);
        let last_word =
            messages::conclude(self.setup.max_steps(self.state()), self.setup.language());
        let request = StepRequest {
            purpose: CallPurpose::Conclude,
            system: &prompt.system,
            tools: &[],
        };
        let asked = self.ask(request, Some(&last_word)).await?;
        let said = match asked {
            Asked::Answered(Ok(reply)) => {
                let (purpose, record) = (CallPurpose::Conclude, &mut self.record);
                note_answer(record, purpose, reply.asking, reply.usage).await?;
                reply.message.text
            }
            Asked::Answered(Err(_)) | Asked::UsedUp { .. } => String::new(),
            Asked::Stopped => return Ok(()),
        };
        let said = messages::bounded(said, REPLY_BYTES, self.setup.language());
        let text = messages::step_limit(self.state(), &said, self.setup.language());
        self.record.finish(TurnOutcome::StepLimit { text }).await
    }

    async fn give_up(&mut self) -> Result<(), JournalError> {
        let why = messages::gave_up(self.state(), self.setup.language());
        self.fail_for_good(why).await
    }
}

/// Gives each call a name that is unique in its turn: models repeat theirs, or leave them out.
fn name_calls(message: &mut AssistantMessage, step: u32) {
    for (position, call) in message.calls.iter_mut().enumerate() {
        call.id = CallId(format!("call_{step}_{position}"));
    }
}

#[cfg(test)]
mod tests;
