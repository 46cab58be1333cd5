//! The driver: performs what [`next`] decides, appends the result, and repeats.

use std::sync::Arc;

use sayso_channel::Language;
use tokio_util::sync::CancellationToken;

use super::budget_meter::{BudgetMeter, BudgetReservation, PlannedCall};
use super::context_window::Window;
use super::model_call::Asked;
use super::next::{Action, next};
use super::prompt::{self, Prompt, PromptParts, SkillListing};
use super::recall::{RecallResult, RecallState, profile_of};
use super::route::{self, RouteRequest};
use super::{
    Agent, Earlier, Journal, JournalError, REPLY_BYTES, Routing, TurnEvent, TurnEvents, messages,
};
use crate::persona::Audience;
use crate::policy::AutonomyLevel;
use crate::providers::{self, Attempts, ChatRequest, ProviderError, Reply, Watcher};
use crate::skills::{MessageFeatures, SKILL_TOOL, Skills};
use crate::transcript::{
    AssistantMessage, CallId, CallPurpose, ConversationMessage, Entry, Heard, ModelName,
    ModelRequest, Past, Replied, RouteResult, Routed, Scope, Skipped, Taint, ToolSpec, TurnOutcome,
    TurnState, Usage, Way, clear_old_reasoning_content,
};

/// For whom, where and under what conditions a turn is driven.
#[derive(Debug, Clone)]
pub struct TurnContext {
    /// For whom and where.
    pub scope: Scope,
    /// The level that holds for this user in this session.
    pub autonomy: AutonomyLevel,
    /// The model that is asked first; `None` takes the order of the configuration.
    pub model: Option<ModelName>,
    /// The language of our own texts.
    pub language: Language,
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
        let Scope {
            owner, workspace, ..
        } = &context.scope;
        let skills = async {
            let skills = self.library.of(*owner, workspace).await;
            skills.map_err(|error| JournalError::Broken(error.to_string()))
        };
        let (skills, mut earlier) = tokio::try_join!(skills, journal.history())?;
        for past in &mut earlier.turns {
            clear_old_reasoning_content(&mut past.messages);
        }
        let turn = Turn {
            agent: self,
            skills,
            context,
            state,
            journal,
            meter,
            events,
            stop,
            earlier,
            past: None,
            window: self.window(context),
            looked_up: None,
            recalled: None,
            profile: None,
            note: String::new(),
        };
        match turn.run().await {
            Err(JournalError::Stopped { .. }) => Ok(DriveResult::Interrupted),
            driven => driven,
        }
    }
}

impl Agent {
    /// Returns how much the model that is asked first can read.
    fn window(&self, context: &TurnContext) -> Window {
        let (model, wanted) = (&self.provider, context.model.as_ref());
        let longest_answer = model.longest_answer(wanted);
        Window::of(
            model.window(wanted),
            longest_answer,
            model.token_factor(wanted),
        )
    }

    /// Returns the call that a question of a turn will be, as long as the service would count it.
    pub(super) fn planned(&self, context: &TurnContext, request: &ChatRequest<'_>) -> PlannedCall {
        let (provider, wanted) = (&self.provider, context.model.as_ref());
        let factor = provider.token_factor(wanted);
        let longest = provider.longest_answer(wanted);
        PlannedCall::new(self.model(context), request, factor, longest)
    }

    /// Returns the name of the model that is asked first.
    fn model<'a>(&'a self, context: &'a TurnContext) -> &'a str {
        let wanted = context.model.as_ref();
        wanted.map_or_else(|| self.provider.model(), |wanted| &wanted.model)
    }
}

/// The result of the Phase 1 request.
#[derive(Debug, Default)]
struct AskedRoute {
    /// What it decided; none when it failed.
    route: Option<RouteResult>,
    usage: Usage,
    asking: Option<ModelRequest>,
}

/// One turn while it is driven.
pub(super) struct Turn<'a> {
    pub(super) agent: &'a Agent,
    /// The skills that are used for whom it is.
    skills: Arc<Skills>,
    pub(super) context: &'a TurnContext,
    pub(super) state: &'a mut TurnState,
    pub(super) journal: &'a mut dyn Journal,
    pub(super) meter: &'a mut dyn BudgetMeter,
    pub(super) events: &'a dyn TurnEvents,
    pub(super) stop: &'a CancellationToken,
    /// The earlier turns, without old reasoning.
    pub(super) earlier: Earlier,
    /// What is shown of them, once it is known.
    pub(super) past: Option<Past>,
    /// How much the model can read.
    pub(super) window: Window,
    /// What was looked up while Phase 1 was asked, and for which words.
    pub(super) looked_up: Option<(String, RecallResult)>,
    /// What was recalled, once the first step needs it.
    pub(super) recalled: Option<RecallState>,
    /// What is known of the person, once loaded: equal in all steps.
    pub(super) profile: Option<String>,
    /// The note of the turn, once a prompt was written.
    pub(super) note: String,
}

impl Turn<'_> {
    async fn run(mut self) -> Result<DriveResult, JournalError> {
        // One that goes on shows again what it was about to do.
        if !self.state.plan.is_empty() {
            self.events
                .emit(TurnEvent::Planned(None, self.state.plan.clone()));
        }
        loop {
            // A stop that comes while a turn ends finds it ended: there is one outcome.
            if self.stop.is_cancelled() && self.state.ended.is_none() {
                return Ok(DriveResult::Interrupted);
            }
            match next(self.state, self.max_steps()) {
                Action::Fetch => self.fetch().await?,
                Action::Route => self.route().await?,
                Action::CallModel => self.call_model().await?,
                Action::Run(call) => self.judge(&call).await?,
                Action::Refuse(call) => self.refuse(call).await?,
                Action::Recover(call) => self.recover(call).await?,
                Action::Suspend => return Ok(DriveResult::Suspended),
                Action::Conclude => self.conclude().await?,
                Action::GiveUp => self.give_up().await?,
                Action::Finish(outcome) => self.finish(outcome).await?,
                Action::Rest => return Ok(DriveResult::Ended),
            }
        }
    }

    /// Returns how many steps the turn may take: as many as the configuration says, or as a skill
    /// in view needs.
    fn max_steps(&self) -> u32 {
        let calls = self
            .state
            .messages
            .iter()
            .filter_map(|message| match message {
                ConversationMessage::Assistant(said) => Some(&said.calls),
                ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
            });
        let loaded = calls.flatten().filter(|call| call.name == SKILL_TOOL);
        let loaded = loaded.filter_map(|call| call.arguments["name"].as_str());
        let skills = self.routed().iter().map(String::as_str).chain(loaded);
        let needed = skills.filter_map(|name| self.skills.steps(name)).max();
        self.agent.limits.max_steps.max(needed.unwrap_or_default())
    }

    pub(super) async fn record(&mut self, entry: Entry) -> Result<(), JournalError> {
        self.journal.append(&entry).await?;
        self.state.apply(&entry);
        Ok(())
    }

    pub(super) async fn finish(&mut self, outcome: TurnOutcome) -> Result<(), JournalError> {
        self.journal.finish(&outcome).await?;
        self.state.apply(&Entry::Ended { outcome });
        Ok(())
    }

    pub(super) async fn fail(&mut self, error: &ProviderError) -> Result<(), JournalError> {
        tracing::warn!(turn = %self.context.scope.turn, %error, "no model answered");
        let why = providers::for_user(error, self.context.language);
        self.finish(TurnOutcome::Failed { why }).await
    }

    // Phase 1.

    async fn route(&mut self) -> Result<(), JournalError> {
        self.shorten_past().await?;
        let text = user_texts(&self.state.messages);
        let skills = [Language::English, Language::Chinese]
            .map(|language| self.skills.catalogue(language))
            .concat();
        // What an answer answers only Phase 1 can tell.
        let check = match self.state.answering {
            Some(_) => None,
            None => route::skip(&text, &skills, past_messages(self.past.as_ref())),
        };
        let skipped = match self.agent.limits.routing {
            Routing::Off => Some(Skipped::SwitchedOff),
            Routing::TwoPhase => None,
            Routing::Auto => check,
        };
        let asked = if skipped.is_some() {
            AskedRoute {
                route: Some(RouteResult::Direct),
                ..AskedRoute::default()
            }
        } else {
            let Some(asked) = self.ask_route().await? else {
                return Ok(());
            };
            asked
        };
        let recommender = self.skills.recommender();
        let features = MessageFeatures::of(&text);
        let mut by_rules = route::by_rules(&features, recommender, check, asked.route.as_ref());
        by_rules.stood_in = asked.route.is_none();
        let routed = Routed {
            route: asked.route.unwrap_or_else(|| by_rules.route()),
            usage: asked.usage,
            skipped,
            asking: asked.asking,
            by_rules: Some(by_rules),
        };
        self.record(Entry::Routed(routed)).await
    }

    /// Ends the turn where a limit is reached; a stop is looked for before each action.
    async fn end_unpaid(&mut self, funds: BudgetReservation) -> Result<(), JournalError> {
        match funds {
            BudgetReservation::Exhausted { why } => self.end_used_up(&why).await,
            BudgetReservation::Enough | BudgetReservation::Stopped => Ok(()),
        }
    }

    /// Returns `None` when stopped meanwhile, or when the turn has ended because a limit is
    /// reached.
    async fn ask_route(&mut self) -> Result<Option<AskedRoute>, JournalError> {
        // The request of an answered question is given apart.
        let said = usize::from(self.state.answering.is_some());
        let text = user_texts(self.state.messages.get(said..).unwrap_or_default());
        let skills = self.skills.catalogue(self.context.language);
        self.shorten_past().await?;
        let query = user_texts(&self.state.messages);
        let request = RouteRequest {
            skills: &skills,
            history: past_messages(self.past.as_ref()),
            history_limit: self.agent.limits.routing_messages,
            text: &text,
            answering: self.state.answering.as_ref(),
            language: self.context.language,
        };
        let question = route::question(&request).wanting(self.context.model.clone());
        let attempts = Attempts::default();
        let planned = self
            .agent
            .planned(self.context, &question.request(&attempts, None));
        let funds = self.meter.reserve(&planned).await?;
        if funds != BudgetReservation::Enough {
            self.end_unpaid(funds).await?;
            return Ok(None);
        }
        let in_view = self.in_view().to_vec();
        let events = self.events;
        let watch = |stage| events.emit(TurnEvent::of(stage));
        let asked = question.request(&attempts, Some(Watcher(&watch)));
        // The inputs of Phase 2 are looked up meanwhile: memories, and who the person is.
        let asked = async {
            tokio::join!(
                route::route(self.agent.provider.as_ref(), request, asked),
                RecallResult::first(self.agent, self.context, &query, &in_view),
                profile_of(self.agent, self.context),
            )
        };
        let answered = tokio::select! {
            all = asked => Some(all),
            () = self.stop.cancelled() => None,
        };
        let answer = answered.as_ref().map(|((_, answer), ..)| answer);
        self.meter
            .settle(planned.costs(answer, "", &attempts))
            .await?;
        self.note_unanswered(CallPurpose::Route, &attempts).await?;
        let Some(((route, answer), found, profile)) = answered else {
            return Ok(None);
        };
        self.looked_up = Some((query, found));
        self.profile = Some(profile);
        let (usage, asking) = answer
            .map(|reply| (reply.usage, reply.asking))
            .unwrap_or_default();
        Ok(Some(AskedRoute {
            route,
            usage,
            asking,
        }))
    }

    // Phase 2.

    async fn call_model(&mut self) -> Result<(), JournalError> {
        if self.state.steps > 0 {
            self.note_meanwhile().await?;
            self.absorb().await?;
            if !self.state.arriving.is_empty() {
                return Ok(());
            }
        }
        self.shorten_past().await?;
        self.recall().await;
        let (prompt, tools) = self.told();
        self.note = prompt.note;
        let shown = self.conversation((&prompt.system, &tools), None).await?;
        let asked = self.ask(CallPurpose::Step, &prompt.system, &shown.messages, &tools);
        let asked = asked.await?;
        // Its pictures make room for those of others.
        drop(shown);
        match asked {
            Asked::Answered(Ok(reply)) if says_nothing(&reply.message) => {
                self.fail_without_words(reply).await
            }
            Asked::Answered(Ok(reply)) => self.take_reply(reply).await,
            // The driver then asks again.
            Asked::Answered(Err(error)) if self.may_be_too_long(&error) => {
                if self.give_way().await? {
                    return Ok(());
                }
                self.fail(&error).await
            }
            Asked::Answered(Err(error)) => self.fail(&error).await,
            Asked::Stopped => Ok(()),
            Asked::UsedUp { why } => self.end_used_up(&why).await,
        }
    }

    async fn take_reply(&mut self, reply: Reply) -> Result<(), JournalError> {
        let mut message = reply.message;
        message.text = messages::bounded(message.text, REPLY_BYTES, self.context.language);
        if !message.calls.is_empty() {
            // A truncated call is reported in its result.
        } else if reply.truncated {
            let most = self.longest_answer();
            message.text += &messages::cut_at_limit(most, self.context.language);
        } else if reply.filtered {
            message.text += messages::withheld(self.context.language);
        }
        name_calls(&mut message, self.state.steps + 1);
        let calls = message.calls.into_iter();
        message.calls = calls.map(|call| self.agent.tools.mended(call)).collect();
        if !message.calls.is_empty() {
            self.events.emit(TurnEvent::StepDone);
        }
        let recalled = self.recalled.as_ref();
        let (memory_hits, knowledge_hits) = recalled.map(RecallState::hits).unwrap_or_default();
        let taint = self.taint_around();
        self.record(Entry::Replied(Replied {
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
    pub(super) fn taint_around(&self) -> Taint {
        let mut taint = self.context.taint.clone();
        if let Some(past) = &self.past {
            taint.merge(&past.taint.in_later_turns());
        }
        for memory in self.recalled.iter().flat_map(RecallState::memories) {
            let (owner, user) = (self.context.scope.owner, self.context.scope.user);
            taint.merge(&memory.taint_for(owner, user).by(Way::Memory));
        }
        taint
    }

    async fn note_meanwhile(&mut self) -> Result<(), JournalError> {
        match &self.context.meanwhile {
            Some(text) if !self.state.noted => {
                let text = text.clone();
                self.record(Entry::Noted { text }).await
            }
            _ => Ok(()),
        }
    }

    async fn absorb(&mut self) -> Result<(), JournalError> {
        let messages = self.journal.pending_messages().await?;
        if !messages.is_empty() {
            self.events.emit(TurnEvent::Joined);
            self.state.apply(&Entry::Heard(Heard { messages }));
        }
        Ok(())
    }

    /// Returns the names of the skills that Phase 1 chose.
    fn routed(&self) -> &[String] {
        match &self.state.route {
            Some(RouteResult::Skills(names)) => names,
            Some(RouteResult::Direct | RouteResult::NeedClarification { .. }) | None => &[],
        }
    }

    /// Returns the prompt and the tools of a step.
    fn told(&self) -> (Prompt, Vec<ToolSpec>) {
        let skills = self.skills.catalogue(self.context.language);
        let routed: Vec<(&str, &str)> = self
            .routed()
            .iter()
            .filter_map(|name| Some((name.as_str(), self.skills.load(name)?)))
            .collect();
        let offer = self.offer(&routed);
        let nothing = RecallResult::default();
        let recalled = self.recalled.as_ref().map(RecallState::first);
        let recalled = recalled.unwrap_or(&nothing);
        let audience = Audience::of(self.context.scope.owner, self.context.scope.role);
        let prompt = prompt::build(&PromptParts {
            language: self.context.language,
            identity: &self.agent.persona.identity(self.context.language, audience),
            has_tools: !offer.tools.is_empty(),
            more_tools: &offer.more,
            skills: &skills,
            listing: match self.agent.limits.routing {
                Routing::TwoPhase | Routing::Auto => SkillListing::Named,
                Routing::Off => SkillListing::Described,
            },
            autonomy: self.context.autonomy,
            recalled: &recalled.memories,
            knowledge: &recalled.passages,
            profile: self.profile.as_deref().unwrap_or_default(),
            routed: &routed,
            workspace: &self.context.scope.workspace,
            now: &self.context.now,
            owner: self.context.scope.owner,
            waiting_for: &self.context.waiting_for,
            routine: self.context.routine.as_deref(),
        });
        (prompt, offer.tools)
    }

    // The step limit.

    /// Lets the model say what was done and what is left; says it for it when it cannot.
    async fn conclude(&mut self) -> Result<(), JournalError> {
        self.recall().await;
        let (prompt, _) = self.told();
        self.note = prompt.note;
        let last_word = messages::conclude(self.max_steps(), self.context.language);
        let told = (prompt.system.as_str(), &[][..]);
        let shown = self.conversation(told, Some(&last_word)).await?;
        let asked = self.ask(CallPurpose::Conclude, &prompt.system, &shown.messages, &[]);
        let asked = asked.await?;
        drop(shown);
        let said = match asked {
            Asked::Answered(Ok(reply)) => {
                self.note_answer(CallPurpose::Conclude, reply.asking, reply.usage)
                    .await?;
                reply.message.text
            }
            Asked::Answered(Err(_)) | Asked::UsedUp { .. } => String::new(),
            Asked::Stopped => return Ok(()),
        };
        let said = messages::bounded(said, REPLY_BYTES, self.context.language);
        let text = messages::step_limit(self.state, &said, self.context.language);
        self.finish(TurnOutcome::StepLimit { text }).await
    }

    async fn give_up(&mut self) -> Result<(), JournalError> {
        let why = messages::gave_up(self.state, self.context.language);
        self.finish(TurnOutcome::Failed { why }).await
    }
}

pub(super) fn past_messages(past: Option<&Past>) -> &[ConversationMessage] {
    past.map(|past| past.messages.as_slice())
        .unwrap_or_default()
}

pub(super) fn says_nothing(message: &AssistantMessage) -> bool {
    message.text.trim().is_empty() && message.calls.is_empty()
}

pub(super) fn user_texts(messages: &[ConversationMessage]) -> String {
    let texts: Vec<&str> = messages
        .iter()
        .filter_map(|message| match message {
            ConversationMessage::User { text, .. } => Some(text.as_str()),
            ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
        })
        .collect();
    texts.join("\n")
}

/// Gives each call a name that is unique in its turn: models repeat theirs, or leave them out.
fn name_calls(message: &mut AssistantMessage, step: u32) {
    for (position, call) in message.calls.iter_mut().enumerate() {
        call.id = CallId(format!("call_{step}_{position}"));
    }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;
