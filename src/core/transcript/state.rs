//! The fold of a journal: what a turn has come to.

use super::{
    Answering, Arriving, AssistantMessage, CallId, CheckState, ConversationMessage, Cut, Entry,
    Fetched, FirstPlan, Heard, Inquiry, Issued, MemoryId, Origin, OutsideSource, PassageId, Past,
    PlanApproval, Planned, PlannedStep, Repeats, Replied, Returned, RouteResult, Taint, ToolCall,
    ToolOutcome, TurnOutcome, Verdict, with_known_checks,
};

/// What a turn has come to, folded from its entries.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnState {
    /// Why it began.
    pub origin: Origin,
    /// History is the turns of the session that ended up to this number.
    pub history_cursor: i64,
    /// The question that the first message answers.
    pub answering: Option<Answering>,
    /// What Phase 1 decided.
    pub route: Option<RouteResult>,
    /// The messages of this turn, in order.
    pub messages: Vec<ConversationMessage>,
    /// The files that are still to be fetched.
    pub arriving: Vec<Arriving>,
    /// What is said to the person, once, about files that did not come or are of no use.
    pub file_notices: Vec<String>,
    /// Whether nothing was said but files, none of which came.
    pub came_to_nothing: bool,
    /// What was recalled: for the first step, and for each later one that brought more.
    pub recalled: Vec<Hits>,
    /// How many steps were made.
    pub steps: u32,
    /// The tool calls of the newest step, in the model's order.
    pub calls: Vec<CallState>,
    /// Where untrusted text came from that the model had in view.
    pub taint: Taint,
    /// What the person said themselves: without words of others, and without the names of files.
    pub said: Vec<String>,
    /// What was called again and again.
    pub repeats: Repeats,
    /// Calls of this turn whose outcome is unknown.
    pub unknown_calls: Vec<ToolCall>,
    /// What the newest step asks the person.
    pub inquiries: Vec<Inquiry>,
    /// Whether a plan is still to be made before the first step, and whether its person is asked.
    pub plans: Option<PlanApproval>,
    /// The plan that was made then.
    pub first_plan: Option<FirstPlan>,
    /// Whether its person is asked before it is followed.
    pub proposes: bool,
    /// The current plan; empty where there is none.
    pub plan: Vec<PlannedStep>,
    /// What of the conversation has given way.
    pub cut: Cut,
    /// How many tokens the conversation may have, where the model has said that it has too many.
    pub room_tokens: Option<usize>,
    /// The checks of what it changed.
    pub checks: CheckState,
    /// Whether what happened while the turn was parked was passed to the model.
    pub noted: bool,
    /// The files of which what the turn changed was put back after its end.
    pub undone: Vec<String>,
    /// The outcome, once it has ended.
    pub ended: Option<TurnOutcome>,
}

/// What a step recalled that none before it had.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hits {
    /// How many messages of the turn stood before it.
    pub behind: usize,
    /// The memories.
    pub memories: Vec<MemoryId>,
    /// The passages.
    pub passages: Vec<PassageId>,
}

/// A tool call of the newest step, and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct CallState {
    /// The call.
    pub call: ToolCall,
    /// How far it is.
    pub progress: CallProgress,
}

/// How far a tool call is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallProgress {
    /// Nothing was done about it.
    Waiting,
    /// It waits for a person.
    Held,
    /// A person, or time, decided.
    Decided(Verdict),
    /// It was started.
    Called,
    /// It has a result.
    Returned,
}

impl TurnState {
    /// Returns the names of the skills that Phase 1 chose.
    pub fn routed(&self) -> &[String] {
        match &self.route {
            Some(RouteResult::Skills(names)) => names,
            Some(RouteResult::Direct | RouteResult::NeedClarification { .. }) | None => &[],
        }
    }

    /// Folds entries in their order.
    pub fn fold<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut state = Self::default();
        for entry in entries {
            state.apply(entry);
        }
        state
    }

    /// Takes one more entry into account.
    pub fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::Started(started) => {
                self.origin = started.origin;
                self.history_cursor = started.history_cursor;
                self.answering.clone_from(&started.answering);
                // The request counts as said; the question that we asked back is not history.
                if let Some(answering) = &started.answering {
                    if answering.untrusted {
                        self.taint.add_others();
                    }
                    self.messages
                        .push(ConversationMessage::user(&answering.request));
                }
            }
            Entry::Heard(heard) => self.hear(heard),
            Entry::Fetched(fetched) => self.take_files(fetched),
            Entry::Routed(routed) => {
                self.route = Some(routed.route.clone());
                self.plans = routed.plans;
            }
            Entry::Planned(planned) => self.take_plan(planned),
            Entry::Replied(replied) => {
                self.note_hits(replied);
                self.steps += 1;
                self.take_calls(&replied.message.calls, &replied.taint);
                self.messages
                    .push(ConversationMessage::Assistant(replied.message.clone()));
            }
            Entry::Issued(issued) => self.take_issued(issued),
            // It is no step, and nothing was said in it that is not said elsewhere.
            Entry::Consulted(_) | Entry::Condensed(_) => {}
            Entry::Called { call } => self.advance(call, CallProgress::Called),
            Entry::Returned(returned) => self.take_result(returned),
            Entry::Held { calls } => {
                for call in calls {
                    self.advance(call, CallProgress::Held);
                }
            }
            Entry::Decided(decided) => {
                self.advance(
                    &decided.call,
                    CallProgress::Decided(decided.verdict.clone()),
                );
            }
            Entry::Noted { text } => self.take_note(text),
            Entry::Compacted(compacted) => {
                self.cut = compacted.cut;
                self.room_tokens = compacted.room_tokens.or(self.room_tokens);
            }
            Entry::Undone(undone) => self.undone.extend(undone.files.iter().cloned()),
            Entry::Redone(redone) => self.undone.retain(|file| !redone.files.contains(file)),
            Entry::Ended { outcome } => self.ended = Some(outcome.clone()),
        }
    }

    fn take_plan(&mut self, planned: &Planned) {
        self.plans = None;
        self.taint.merge(&planned.taint);
        self.plan.clone_from(&planned.steps);
        if !planned.steps.is_empty() {
            self.proposes = planned.approval == PlanApproval::Ask;
            self.first_plan = Some(FirstPlan {
                behind: self.messages.len(),
                steps: planned.steps.clone(),
            });
        }
    }

    /// A model that reads them later sees the calls before their results.
    fn take_issued(&mut self, issued: &Issued) {
        if let Some(check) = &issued.check {
            let reply = self.last_text().to_owned();
            self.checks.issue(check, &reply);
        }
        self.take_calls(&issued.calls, &issued.taint);
        if issued.calls.is_empty() {
            return;
        }
        let message = AssistantMessage {
            calls: issued.calls.clone(),
            ..AssistantMessage::default()
        };
        self.messages.push(ConversationMessage::Assistant(message));
    }

    fn take_calls(&mut self, calls: &[ToolCall], taint: &Taint) {
        self.inquiries.clear();
        self.taint.merge(taint);
        self.calls = calls.iter().cloned().map(CallState::waiting).collect();
    }

    /// What is noted before the first step is no word about other turns.
    fn take_note(&mut self, text: &str) {
        let has_begun = |it: &ConversationMessage| matches!(it, ConversationMessage::Assistant(_));
        // Neither is what a check found.
        let is_of_checks = self.checks.correct();
        if is_of_checks {
            // What is done about it is no repetition of what came before.
            self.repeats.take_words();
        }
        self.noted |= !is_of_checks && self.messages.iter().any(has_begun);
        self.messages.push(ConversationMessage::user(text));
    }

    /// Returns the call of the newest step with this id.
    pub fn call(&self, id: &CallId) -> Option<&CallState> {
        self.calls.iter().find(|state| state.call.id == *id)
    }

    /// Returns the text of the newest answer of the model.
    pub fn last_text(&self) -> &str {
        self.messages
            .iter()
            .rev()
            .find_map(|message| match message {
                ConversationMessage::Assistant(assistant) => Some(assistant.text.as_str()),
                ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
            })
            .unwrap_or_default()
    }

    /// Returns what later turns are shown of this one: every call has a result, and the last word
    /// is that of the outcome.
    pub fn into_history(mut self) -> Past {
        for state in &self.calls {
            let outcome = match state.progress {
                CallProgress::Returned => continue,
                CallProgress::Called => ToolOutcome::INTERRUPTED,
                CallProgress::Waiting | CallProgress::Held | CallProgress::Decided(_) => {
                    ToolOutcome::denied("the turn ended before")
                }
            };
            self.messages.push(ConversationMessage::ToolResult {
                call: state.call.id.clone(),
                name: state.call.name.clone(),
                outcome,
                outside: None,
            });
        }
        let last_word = match self.ended {
            Some(
                TurnOutcome::StepLimit { text }
                | TurnOutcome::TimeLimit { text }
                | TurnOutcome::NotReceived { text },
            ) => Some(text),
            Some(TurnOutcome::Inquired { questions, .. }) => {
                let questions = questions.into_iter().map(|asked| asked.question);
                Some(questions.collect::<Vec<_>>().join("\n"))
            }
            Some(TurnOutcome::Stopped { said, .. }) => Some(match said {
                Some(said) => format!("{said}\n(stopped by the user)"),
                None => "(stopped by the user)".to_owned(),
            }),
            Some(TurnOutcome::Expired) => {
                Some("(an approval expired; what it asked for was not run)".to_owned())
            }
            Some(TurnOutcome::Failed { .. }) => Some("(failed)".to_owned()),
            // Behind its last words there are the checks.
            Some(TurnOutcome::Replied { text }) if self.checks.round.is_some() => Some(text),
            Some(
                TurnOutcome::Replied { .. }
                | TurnOutcome::Asked { .. }
                | TurnOutcome::Proposed { .. },
            )
            | None => None,
        };
        if let Some(text) = last_word {
            let message = AssistantMessage {
                text,
                ..AssistantMessage::default()
            };
            self.messages.push(ConversationMessage::Assistant(message));
        }
        if !self.undone.is_empty() {
            note_undone(&mut self.messages, &self.undone);
        }
        Past {
            messages: self.messages,
            taint: self.taint,
            turns: Vec::new(),
        }
    }

    /// Notes what was in the prompt and had not been before.
    fn note_hits(&mut self, replied: &Replied) {
        let known = |hits: &&MemoryId| !self.recalled.iter().any(|it| it.memories.contains(hits));
        let memories: Vec<_> = replied.memory_hits.iter().filter(known).copied().collect();
        let known = |hits: &&PassageId| !self.recalled.iter().any(|it| it.passages.contains(hits));
        let passages: Vec<_> = replied
            .knowledge_hits
            .iter()
            .filter(known)
            .cloned()
            .collect();
        if self.recalled.is_empty() || !memories.is_empty() || !passages.is_empty() {
            self.recalled.push(Hits {
                behind: self.messages.len(),
                memories,
                passages,
            });
        }
    }

    fn hear(&mut self, heard: &Heard) {
        self.came_to_nothing = false;
        self.repeats.take_words();
        for message in &heard.messages {
            if message.untrusted {
                self.taint.add_others();
            } else if message.files.is_empty() {
                self.said.push(message.text.clone());
            }
            if !message.files.is_empty() {
                self.arriving.push(Arriving {
                    inbox: message.inbox,
                    place: self.messages.len(),
                    files: message.files.clone(),
                });
            }
            self.messages.push(ConversationMessage::user(&message.text));
        }
    }

    fn take_files(&mut self, fetched: &Fetched) {
        let is_it = |arriving: &Arriving| arriving.inbox == fetched.inbox;
        let Some(place) = self.arriving.iter().position(is_it) else {
            return;
        };
        let arriving = self.arriving.remove(place);
        if fetched.files.iter().any(|file| file.image.is_some()) {
            self.taint.add_picture();
        }
        self.file_notices
            .extend(fetched.notices().map(str::to_owned));
        let is_alone = self.messages.len() == 1;
        if let Some(message) = self.messages.get_mut(arriving.place) {
            let is_nothing =
                fetched.files.iter().all(|file| file.missed) && arriving.are_all_of(message);
            self.came_to_nothing = is_nothing && is_alone;
            arriving.rename(fetched, message);
        }
    }

    fn advance(&mut self, id: &CallId, progress: CallProgress) {
        if let Some(state) = self.calls.iter_mut().find(|state| state.call.id == *id) {
            state.progress = progress;
        }
    }

    fn take_result(&mut self, returned: &Returned) {
        let Some(state) = self
            .calls
            .iter_mut()
            .find(|state| state.call.id == returned.call)
        else {
            return;
        };
        state.progress = CallProgress::Returned;
        if !self.checks.take_result(&state.call, &returned.outcome) {
            self.repeats.take(&state.call, &returned.outcome);
        }
        if returned.tainted && !returned.own {
            self.taint.add_result_of(&state.call);
        }
        let outside = returned.shows_outside_text().then(|| {
            let (tool, arguments) = (&state.call.name, state.call.canonical_arguments());
            OutsideSource {
                call: format!("{tool} {arguments}"),
                suspected: returned.is_suspected(),
            }
        });
        match &returned.outcome {
            ToolOutcome::Asks { questions } => self.inquiries.extend(questions.iter().cloned()),
            ToolOutcome::Plans { steps } => self.plan = with_known_checks(steps, &self.plan),
            ToolOutcome::Unknown { .. } => self.unknown_calls.push(state.call.clone()),
            ToolOutcome::Success { .. }
            | ToolOutcome::Failed { .. }
            | ToolOutcome::Error { .. }
            | ToolOutcome::Sends { .. }
            | ToolOutcome::Checked { .. }
            | ToolOutcome::Denied { .. } => {}
        }
        self.messages.push(ConversationMessage::ToolResult {
            call: returned.call.clone(),
            name: state.call.name.clone(),
            outcome: returned.outcome.clone(),
            outside,
        });
    }
}

/// Says behind the last word that the files are as they were before.
fn note_undone(messages: &mut Vec<ConversationMessage>, files: &[String]) {
    let note = format!(
        "(the person has since undone the changes of these files: {})",
        files.join(", ")
    );
    match messages.last_mut() {
        Some(ConversationMessage::Assistant(last)) => last.text = format!("{}\n{note}", last.text),
        Some(ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. }) | None => {
            let last = AssistantMessage {
                text: note,
                ..AssistantMessage::default()
            };
            messages.push(ConversationMessage::Assistant(last));
        }
    }
}

impl CallState {
    fn waiting(call: ToolCall) -> Self {
        Self {
            call,
            progress: CallProgress::Waiting,
        }
    }
}
