//! The turn driver over a scripted model and a journal in memory.

mod guessing;
mod planning;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sayso_channel::{AttachmentRef, Language};
use sayso_core::transcript::{
    Answering, CallId, ChatId, ConversationMessage, Entry, FileBefore, Heard, HeardText, InboxId,
    MemoryId, Origin, OutsideReason, Owner, Role, RouteResult, Scope, SessionId, Skipped, Started,
    Taint, ToolCall, ToolOutcome, ToolSpec, TurnId, TurnOutcome, TurnState, UserId,
    WorkspaceProvenance,
};
use sayso_memory::knowledge::Knowledge;
use sayso_memory::{
    Filed, Learned, Memory, MemorySearch, NewEntry, NewFact, NewMemory, Recalled, Span,
};
use sayso_policy::{
    Access, Action, AutonomyLevel, Binding, ClearedCall, Confinement, Covers, Enforced,
    GrantPattern, HeldCall, SandboxMode, SecurityPolicy, ToolFacts,
};
use sayso_providers::{ProviderError, Scripted};
use sayso_tools::{InboxLimits, Tool, ToolContext, ToolLimits, Toolbox};
use serde_json::json;
use tokio::fs::File;
use tokio_util::sync::CancellationToken;

use super::DriveResult;
use crate::agent::{
    Agent, AgentChecks, AgentLimits, BudgetMeter, BudgetReservation, Cost, Earlier, FetchError,
    MessageSource, PlannedCall, Planning, Routing, TurnContext, TurnEvent, TurnEvents,
};
use crate::executor::{
    Approved, BudgetSubject, CallEvent, CallEvents, CallJournal, EntryLog, ExecutionContext,
    Executor, JournalError, MayAsk, Terms, WorkspaceLog,
};
use crate::persona::Persona;
use crate::skills::{Library, Skills};

#[tokio::test]
async fn process_message_returns_clarification_without_tool_execution() {
    let question = r#"{"skills": [], "direct": false, "question": "Look at it, or commit it?"}"#;
    let stage = Stage::new(
        Scripted::default()
            .then_says(question)
            .then_calls("", vec![rings()]),
    );
    let (driven, journal) = stage.process_message("git").await;
    assert_eq!(driven, DriveResult::Ended);
    assert_eq!(
        journal.outcome(),
        Some(&TurnOutcome::Asked {
            question: "Look at it, or commit it?".to_owned(),
            choices: vec![],
        })
    );
    assert_eq!(stage.rung(), 0);
    assert_eq!(stage.model.asked().len(), 1, "Phase 2 was not asked");
    assert!(stage.model.asked()[0].tools.is_empty());
}

#[tokio::test]
async fn process_message_runs_tools_until_there_is_an_answer() {
    let script = Scripted::default()
        .then_says(r#"{"skills": [], "direct": true}"#)
        .then_calls("I ring.", vec![rings()])
        .then_says("It rang.");
    let stage = Stage::new(script);
    let (driven, journal) = stage.process_message("ring the bell").await;
    assert_eq!(driven, DriveResult::Ended);
    assert_eq!(journal.outcome(), Some(&replied("It rang.")));
    assert_eq!(stage.rung(), 1);
    let kinds: Vec<String> = journal
        .entries
        .iter()
        .map(|entry| {
            serde_json::to_value(entry).unwrap()["entry"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "started", "heard", "routed", "replied", "called", "returned", "replied", "ended"
        ]
    );
    assert!(
        stage.texts().is_empty(),
        "nothing is heard before the whole answer"
    );
}

#[tokio::test]
async fn process_message_stream_is_heard_while_it_is_said() {
    let script = Scripted::default()
        .then_says(r#"{"skills": [], "direct": true}"#)
        .then_says("Good morning.");
    let stage = Stage::new(script);
    stage.process_message_stream("hello").await;
    assert_eq!(stage.texts(), ["Good morning."]);
    let streamed: Vec<bool> = stage
        .model
        .asked()
        .iter()
        .map(|asked| asked.stream)
        .collect();
    assert_eq!(streamed, [true, true], "Phase 1 is streamed, and not heard");
}

#[tokio::test]
async fn a_tool_that_panics_is_a_result_and_not_the_end() {
    let breaks = ToolCall {
        arguments: json!({"how": "loudly"}),
        ..rings()
    };
    let script = Scripted::default()
        .then_says(r#"{"skills": [], "direct": true}"#)
        .then_calls("", vec![breaks])
        .then_says("The bell is broken.");
    let stage = Stage::new(script);
    let (_, journal) = stage.process_message("ring the bell loudly").await;
    assert_eq!(journal.outcome(), Some(&replied("The bell is broken.")));
    let asked = stage.model.asked().pop().unwrap();
    let Some(ConversationMessage::ToolResult { outcome, .. }) = asked.messages.last() else {
        panic!("the model is told what came of it: {:?}", asked.messages)
    };
    assert!(outcome.for_model().starts_with("[error]"), "{outcome:?}");
}

#[tokio::test]
async fn a_turn_that_is_stopped_leaves_its_end_to_who_stopped_it() {
    let stage = Stage::new(Scripted::default());
    stage.stop.cancel();
    let (driven, journal) = stage.process_message("hello").await;
    assert_eq!(driven, DriveResult::Interrupted);
    assert_eq!(journal.outcome(), None);
    assert!(stage.model.asked().is_empty());
}

#[tokio::test]
async fn a_skipped_phase_1_gives_the_same_prompt_as_direct_and_says_why() {
    let direct = r#"{"skills": [], "direct": true}"#;
    let asked = Stage::new(Scripted::default().then_says(direct).then_says("Hello."));
    asked.process_message("good morning").await;
    let mut skipping = Stage::new(Scripted::default().then_says("Hello."));
    skipping.agent.limits.routing = Routing::Auto;
    let (_, journal) = skipping.process_message("good morning").await;
    assert_eq!(skipping.model.asked().len(), 1);
    assert_eq!(skipping.model.asked().pop(), asked.model.asked().pop());
    let Some(Entry::Routed(routed)) = journal.entries.get(2) else {
        panic!("the route is an entry: {:?}", journal.entries)
    };
    assert_eq!(routed.route, RouteResult::Direct);
    assert_eq!(routed.skipped, Some(Skipped::SmallTalk));
}

#[tokio::test]
async fn an_answer_to_a_clarification_is_always_routed() {
    let direct = r#"{"skills": [], "direct": true}"#;
    let mut stage = Stage::new(Scripted::default().then_says(direct).then_says("Done."));
    stage.agent.limits.routing = Routing::Auto;
    let mut journal = JournalInMemory::hearing("thanks");
    let Entry::Started(started) = &mut journal.entries[0] else {
        panic!("a turn begins so")
    };
    started.answering = Some(Answering {
        request: "git".to_owned(),
        question: "Look at it, or commit it?".to_owned(),
        asked: 1,
        untrusted: false,
        plan: Vec::new(),
    });
    let mut state = TurnState::fold(&journal.entries);
    let driven = stage
        .agent
        .drive(
            &context(false),
            &mut state,
            &mut journal,
            &mut Wallet::default(),
            &stage.events,
            &stage.stop,
        )
        .await;
    assert_eq!(driven.unwrap(), DriveResult::Ended);
    assert_eq!(stage.model.asked().len(), 2);
}

#[tokio::test]
async fn an_empty_purse_asks_no_model() {
    let mut stage = Stage::new(Scripted::default());
    stage.wallet.pays_for = Some(0);
    let (driven, journal) = stage.process_message("hello").await;
    assert_eq!(driven, DriveResult::Ended);
    assert!(stage.model.asked().is_empty());
    assert_eq!(journal.outcome(), Some(&failed("The purse is empty.")));
}

#[tokio::test]
async fn a_purse_that_runs_empty_ends_the_turn_with_what_was_done() {
    let script = Scripted::default()
        .then_says(r#"{"skills": [], "direct": true}"#)
        .then_calls("I ring.", vec![rings()])
        .then_says("It rang.");
    let mut stage = Stage::new(script);
    stage.wallet.pays_for = Some(2);
    let (_, journal) = stage.process_message("ring the bell").await;
    assert_eq!(stage.rung(), 1);
    assert_eq!(stage.model.left(), 1, "the third call was not made");
    let why = "The purse is empty.\n\nDone before: did one more step";
    assert_eq!(journal.outcome(), Some(&failed(why)));
}

#[tokio::test]
async fn every_call_is_booked_also_one_that_fails_and_the_last_word() {
    let script = Scripted::default()
        .then(Err(ProviderError::Garbage("no JSON".to_owned())))
        .then_calls("", vec![rings()])
        .then_says("I rang once.");
    let mut stage = Stage::new(script);
    stage.max_steps = 1;
    let (_, journal) = stage.process_message("ring the bell").await;
    assert!(matches!(
        journal.outcome(),
        Some(TurnOutcome::StepLimit { .. })
    ));
    let booked = stage.wallet.booked();
    assert_eq!(booked.len(), 3);
    assert!(booked.iter().all(|cost| cost.usage.prompt_tokens > 0));
}

#[tokio::test]
async fn without_funds_for_a_last_word_the_step_limit_speaks_for_itself() {
    let script = Scripted::default()
        .then_says(r#"{"skills": [], "direct": true}"#)
        .then_calls("", vec![rings()])
        .then_says("never said");
    let mut stage = Stage::new(script);
    stage.max_steps = 1;
    stage.wallet.pays_for = Some(2);
    let (_, journal) = stage.process_message("ring the bell").await;
    let Some(TurnOutcome::StepLimit { text }) = journal.outcome() else {
        panic!("{:?}", journal.outcome())
    };
    assert!(text.contains("Done before: did one more step"), "{text}");
    assert_eq!(stage.model.left(), 1);
}

#[tokio::test]
async fn an_answer_that_only_repeats_itself_is_asked_for_once_more() {
    let stuck = || Err(ProviderError::Repeating("so often".to_owned()));
    let direct = r#"{"skills": [], "direct": true}"#;
    let once = Scripted::default()
        .then_says(direct)
        .then(stuck())
        .then_says("Hello.");
    let stage = Stage::new(once);
    let (_, journal) = stage.process_message("hello").await;
    assert_eq!(journal.outcome(), Some(&replied("Hello.")));
    assert_eq!(stage.wallet.booked().len(), 3, "also the loop was paid for");

    let twice = Scripted::default()
        .then_says(direct)
        .then(stuck())
        .then(stuck())
        .then_says("never said");
    let stage = Stage::new(twice);
    let (_, journal) = stage.process_message("hello").await;
    let Some(TurnOutcome::Failed { why, .. }) = journal.outcome() else {
        panic!("{:?}", journal.outcome())
    };
    assert!(why.contains("kept repeating itself"), "{why}");
    assert_eq!(stage.model.left(), 1);
}

#[tokio::test]
async fn s3_a_file_that_changes_while_a_call_enters_its_workspace_is_asked_about() {
    for (changes_after, driven, runs) in
        [(1, DriveResult::Suspended, 0), (9, DriveResult::Ended, 1)]
    {
        let copies = ToolCall {
            name: "shell".to_owned(),
            ..rings()
        };
        let script = Scripted::default()
            .then_says(r#"{"skills": [], "direct": true}"#)
            .then_calls("", vec![copies])
            .then_says("Copied.");
        let mut stage = Stage::new(script);
        let copier = Copier::new(changes_after, Arc::clone(&stage.rung));
        stage.grants = vec![GrantPattern {
            tool: "shell".to_owned(),
            access: Access::Workspace,
            secrets: vec![],
            files: vec![Copier::file("as granted")],
            covers: Covers::Command("cp a b".to_owned()),
        }];
        stage.agent.executor.policy.confinement = Confinement {
            mode: SandboxMode::Require,
            enforced: Enforced::Wholly,
        };
        stage.agent.executor.tools = Arc::new(Toolbox::new(
            vec![Box::new(copier)],
            ToolLimits::default(),
            sayso_core::redact::Redactor::new([]).unwrap(),
        ));
        let (ended, _) = stage.process_message("copy it").await;
        assert_eq!((ended, stage.rung()), (driven, runs), "{changes_after}");
    }
}

/// An agent with one tool, a bell, and everything that a turn needs.
struct Stage {
    agent: Agent,
    model: Arc<Scripted>,
    rung: Arc<AtomicUsize>,
    events: Events,
    stop: CancellationToken,
    wallet: Wallet,
    grants: Vec<GrantPattern>,
    max_steps: u32,
}

impl Stage {
    fn new(script: Scripted) -> Self {
        let model = Arc::new(script);
        let rung = Arc::new(AtomicUsize::new(0));
        let bell = Bell::new(Arc::clone(&rung));
        let agent = Agent {
            provider: Arc::clone(&model) as _,
            executor: Executor {
                tools: Arc::new(Toolbox::new(
                    vec![Box::new(bell)],
                    ToolLimits::default(),
                    sayso_core::redact::Redactor::new([]).unwrap(),
                )),
                policy: SecurityPolicy::default(),
            },
            memory: Arc::new(NoMemory),
            knowledge: Knowledge::open(&PathBuf::from("/nonexistent")),
            library: Arc::new(Library::without_choices(Skills::builtin().unwrap())),
            persona: Arc::new(Persona::load(&PathBuf::from("/nonexistent"))),
            code: None,
            limits: AgentLimits {
                routing: Routing::TwoPhase,
                parallel_prompt_tokens: 16_000,
                routing_messages: 6,
                planning: Planning::Off,
                map_tokens: 0,
                max_steps: 5,
                history_messages: 50,
                inbox: InboxLimits { files: 0, bytes: 0 },
            },
            checks: AgentChecks::none(),
        };
        Self {
            agent,
            model,
            rung,
            events: Events::default(),
            stop: CancellationToken::new(),
            wallet: Wallet::default(),
            grants: Vec::new(),
            max_steps: 5,
        }
    }

    async fn process_message(&self, text: &str) -> (DriveResult, JournalInMemory) {
        self.drive(text, false).await
    }

    async fn process_message_stream(&self, text: &str) -> (DriveResult, JournalInMemory) {
        self.drive(text, true).await
    }

    async fn drive(&self, text: &str, stream: bool) -> (DriveResult, JournalInMemory) {
        let mut journal = JournalInMemory::hearing(text);
        journal.grants.clone_from(&self.grants);
        let mut state = TurnState::fold(&journal.entries);
        let mut context = context(stream);
        context.execution.terms.max_steps = self.max_steps;
        let driven = self
            .agent
            .drive(
                &context,
                &mut state,
                &mut journal,
                &mut self.wallet.clone(),
                &self.events,
                &self.stop,
            )
            .await;
        (driven.unwrap(), journal)
    }

    /// How often the bell rang.
    fn rung(&self) -> usize {
        self.rung.load(Ordering::Relaxed)
    }

    /// The texts that were heard before they were whole.
    fn texts(&self) -> Vec<String> {
        self.events.texts.lock().unwrap().clone()
    }
}

fn context(stream: bool) -> TurnContext {
    let user = UserId(1);
    TurnContext {
        execution: ExecutionContext {
            scope: Scope {
                user,
                role: Role::Owner,
                chat: ChatId(2),
                session: SessionId(3),
                turn: TurnId(4),
                owner: Owner::User(user),
                workspace: PathBuf::from("/nonexistent"),
                home: PathBuf::from("/nonexistent"),
                project: None,
            },
            person: String::new(),
            terms: Terms {
                autonomy: AutonomyLevel::Supervised,
                may_ask: MayAsk::Person,
                budget: BudgetSubject::Person,
                max_steps: 5,
            },
            language: Language::English,
            largest_file: u64::MAX,
        },
        model: None,
        now: "2026-11-21 Saturday 10:00 UTC+00:00".to_owned(),
        waiting_for: vec![],
        taint: Taint::default(),
        meanwhile: None,
        routine: None,
        stream,
    }
}

fn rings() -> ToolCall {
    ToolCall {
        id: CallId("call".to_owned()),
        name: "bell".to_owned(),
        arguments: json!({}),
    }
}

fn replied(text: &str) -> TurnOutcome {
    TurnOutcome::Replied {
        text: text.to_owned(),
    }
}

fn failed(why: &str) -> TurnOutcome {
    TurnOutcome::Failed {
        why: why.to_owned(),
        retry: false,
    }
}

/// A journal that keeps its entries in memory and in which no approval is requested.
struct JournalInMemory {
    entries: Vec<Entry>,
    grants: Vec<GrantPattern>,
}

impl JournalInMemory {
    fn hearing(text: &str) -> Self {
        let heard = HeardText {
            inbox: InboxId(1),
            text: text.to_owned(),
            untrusted: false,
            files: Vec::new(),
        };
        let started = Started {
            origin: Origin::Message,
            payload: None,
            history_cursor: 0,
            answering: None,
        };
        let entries = vec![
            Entry::Started(started),
            Entry::Heard(Heard {
                messages: vec![heard],
            }),
        ];
        Self {
            entries,
            grants: Vec::new(),
        }
    }

    fn outcome(&self) -> Option<&TurnOutcome> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Ended { outcome } => Some(outcome),
            _ => None,
        })
    }
}

#[async_trait]
impl EntryLog for JournalInMemory {
    async fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.entries.push(entry.clone());
        Ok(())
    }

    async fn finish(&mut self, outcome: &TurnOutcome) -> Result<(), JournalError> {
        let outcome = outcome.clone();
        self.entries.push(Entry::Ended { outcome });
        Ok(())
    }
}

#[async_trait]
impl CallJournal for JournalInMemory {
    async fn call(
        &mut self,
        cleared: &ClearedCall,
        _before: Vec<FileBefore>,
    ) -> Result<(), JournalError> {
        let call = cleared.call().id.clone();
        self.entries.push(Entry::Called { call });
        Ok(())
    }

    async fn changes_of(&mut self, _call: &CallId) -> Result<Vec<FileBefore>, JournalError> {
        Ok(Vec::new())
    }

    async fn hold(&mut self, held: &[HeldCall]) -> Result<(), JournalError> {
        let calls = held.iter().map(|held| held.call().id.clone()).collect();
        self.entries.push(Entry::Held { calls });
        Ok(())
    }

    async fn approved(&mut self, _call: &CallId) -> Result<Option<Approved>, JournalError> {
        Ok(None)
    }

    async fn grants(&mut self) -> Result<Vec<GrantPattern>, JournalError> {
        Ok(self.grants.clone())
    }

    async fn name_of(&mut self, _user: UserId) -> Result<Option<String>, JournalError> {
        Ok(Some("Ann".to_owned()))
    }

    async fn can_ask_owners(&mut self) -> Result<bool, JournalError> {
        Ok(true)
    }

    async fn append_unasked(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.append(entry).await
    }
}

#[async_trait]
impl WorkspaceLog for JournalInMemory {
    async fn provenance(&mut self) -> Result<WorkspaceProvenance, JournalError> {
        let why = OutsideReason::Shared;
        Ok(WorkspaceProvenance::Foreign { why })
    }

    async fn note_provenance(&mut self, _now: &WorkspaceProvenance) -> Result<(), JournalError> {
        Ok(())
    }

    async fn keep_changes(
        &mut self,
        _call: &CallId,
        _files: Vec<FileBefore>,
    ) -> Result<(), JournalError> {
        Ok(())
    }
}

#[async_trait]
impl MessageSource for JournalInMemory {
    async fn has_pending_messages(&mut self) -> Result<bool, JournalError> {
        Ok(false)
    }

    async fn pending_messages(&mut self) -> Result<Vec<HeardText>, JournalError> {
        Ok(vec![])
    }

    async fn fetch(&mut self, _: &AttachmentRef, _: &mut File) -> Result<(), FetchError> {
        Err(FetchError::Gone)
    }

    async fn history(&mut self) -> Result<Earlier, JournalError> {
        Ok(Earlier::default())
    }

    async fn accepted_instructions(
        &mut self,
        _: &str,
    ) -> Result<BTreeMap<String, String>, JournalError> {
        Ok(BTreeMap::new())
    }
}

/// A budget meter that pays for `pays_for` calls, or for all, and keeps what was booked.
#[derive(Clone, Default)]
struct Wallet {
    pays_for: Option<usize>,
    pays_no_guess: bool,
    booked: Arc<Mutex<Vec<Cost>>>,
}

impl Wallet {
    fn booked(&self) -> Vec<Cost> {
        self.booked.lock().unwrap().clone()
    }
}

#[async_trait]
impl BudgetMeter for Wallet {
    async fn reserve(&mut self, call: &PlannedCall) -> Result<BudgetReservation, JournalError> {
        assert!(call.prompt_tokens > 0, "a call without a prompt");
        let made = self.booked.lock().unwrap().len();
        if self.pays_for.is_some_and(|most| made >= most) {
            let why = "The purse is empty.".to_owned();
            return Ok(BudgetReservation::Exhausted { why });
        }
        Ok(BudgetReservation::Enough)
    }

    async fn settle(&mut self, costs: Vec<Cost>) -> Result<(), JournalError> {
        self.booked.lock().unwrap().extend(costs);
        Ok(())
    }

    async fn reserve_guess(&mut self, call: &PlannedCall) -> Result<bool, JournalError> {
        let funds = self.reserve(call).await?;
        Ok(!self.pays_no_guess && funds == BudgetReservation::Enough)
    }

    async fn settle_guess(&mut self, costs: Vec<Cost>) -> Result<(), JournalError> {
        self.settle(costs).await
    }
}

/// Keeps the texts that were heard while they were said.
#[derive(Default)]
struct Events {
    texts: Mutex<Vec<String>>,
}

impl CallEvents for Events {
    fn call(&self, _event: CallEvent) {}
}

impl TurnEvents for Events {
    fn emit(&self, event: TurnEvent) {
        if let TurnEvent::Text(text) = event {
            self.texts.lock().unwrap().push(text);
        }
    }
}

/// Counts how often it rings; rung loudly, it breaks.
struct Bell {
    spec: ToolSpec,
    rung: Arc<AtomicUsize>,
}

impl Bell {
    fn new(rung: Arc<AtomicUsize>) -> Self {
        let spec = ToolSpec {
            name: "bell".to_owned(),
            description: "Rings.".to_owned(),
            parameters: json!({"type": "object", "properties": {"how": {"type": "string"}}}).into(),
        };
        Self { spec, rung }
    }
}

#[async_trait]
impl Tool for Bell {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, _call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        Ok(ToolFacts {
            summary: "ring".into(),
            detail: None,
            action: Action::Internal,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        assert_ne!(
            call.call().arguments,
            json!({"how": "loudly"}),
            "the bell breaks"
        );
        self.rung.fetch_add(1, Ordering::Relaxed);
        ToolOutcome::Success {
            output: "ding".to_owned(),
        }
    }
}

/// Copies a file, which is another one after this many looks at it.
struct Copier {
    spec: ToolSpec,
    changes_after: usize,
    looks: AtomicUsize,
    copied: Arc<AtomicUsize>,
}

impl Copier {
    fn new(changes_after: usize, copied: Arc<AtomicUsize>) -> Self {
        let spec = ToolSpec {
            name: "shell".to_owned(),
            description: "Copies.".to_owned(),
            parameters: json!({"type": "object", "properties": {}}).into(),
        };
        Self {
            spec,
            changes_after,
            looks: AtomicUsize::new(0),
            copied,
        }
    }

    fn file(sha256: &str) -> Binding {
        Binding::File {
            path: PathBuf::from("/nonexistent/a"),
            sha256: sha256.to_owned(),
        }
    }
}

#[async_trait]
impl Tool for Copier {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, _call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        let is_as_granted = looks < self.changes_after;
        Ok(ToolFacts {
            summary: "cp a b".into(),
            detail: None,
            action: Action::Exec {
                command: "cp a b".to_owned(),
                access: Access::Workspace,
                program: Some("cp".to_owned()),
                places: BTreeMap::new(),
                lasting: sayso_policy::Lasting::WhileCalled,
            },
            scripts: vec![Self::file(if is_as_granted {
                "as granted"
            } else {
                "changed"
            })],
            secrets: vec![],
        })
    }

    async fn run(&self, _call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        self.copied.fetch_add(1, Ordering::Relaxed);
        ToolOutcome::Success {
            output: String::new(),
        }
    }
}

/// Remembers nothing.
struct NoMemory;

#[async_trait]
impl Memory for NoMemory {
    async fn remember(&self, _owner: Owner, _new: NewMemory) -> anyhow::Result<Option<MemoryId>> {
        Ok(None)
    }

    async fn learn(&self, _owner: Owner, _new: NewFact) -> anyhow::Result<Learned> {
        Ok(Learned::New(MemoryId(1)))
    }

    async fn file(&self, _owner: Owner, _entry: NewEntry) -> anyhow::Result<Option<Filed>> {
        Ok(None)
    }

    async fn undo(&self, _owner: Owner, _learned: &Learned) -> anyhow::Result<bool> {
        Ok(false)
    }

    fn note_written(&self) {}

    async fn forget(&self, _owner: Owner, _ids: &[MemoryId]) -> anyhow::Result<u64> {
        Ok(0)
    }
}

#[async_trait]
impl MemorySearch for NoMemory {
    async fn recall(
        &self,
        _owner: Owner,
        _query: &str,
        _limit: usize,
    ) -> anyhow::Result<Vec<Recalled>> {
        Ok(vec![])
    }

    async fn named(&self, _owner: Owner, _ids: &[MemoryId]) -> anyhow::Result<Vec<Recalled>> {
        Ok(vec![])
    }

    async fn find(
        &self,
        _owner: Owner,
        _query: &str,
        _limit: usize,
        _span: Span,
    ) -> anyhow::Result<Vec<Recalled>> {
        Ok(vec![])
    }
}
