//! Drivers that are no model, over the real journal: a chain of two fixed calls and a check, each a
//! few lines, work through the executor and get approvals, budget, audit, injection check, loop
//! guard, crash and resume from it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sayso_channel::{Address, ChatKind, Language};
use sayso_core::redact::Redactor;
use sayso_core::transcript::{
    CallId, ChatId, Consulted, ConversationMessage, Entry, Failure, Finish, Issued, ModelRequest,
    Origin, Role, SessionId, Taint, ToolCall, Treated, TurnOutcome, TurnState, Usage, UserId,
};
use sayso_memory::StoredMemory;
use sayso_store::jobs::{self, JobWork, NewJob};
use sayso_store::people::AccountStanding;
use sayso_store::query;
use sayso_store::sql;
use sayso_store::{Store, StoreError, Tx, chats, now_ms, people};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::claim::{Claim, ClaimResult, ClaimScope, claim};
use super::history_cache::{HistoryCache, Span};
use super::journal::StoredJournal;
use super::session_budget::StoredBudgetMeter;
use super::work::{execution_context, used};
use super::{Owners, SessionContext, SessionLimits, WhileBusy};
use crate::agent::TestAgent;
use crate::approvals;
use crate::audit::Auditor;
use crate::budget::{BudgetRules, Limit, Reservations};
use crate::delivery::{Channels, Dispatcher};
use crate::executor::{CallAction, CallEvent, CallEvents, CallRun, EntryLog as _, next_call};
use crate::routines::RoutineContext;

/// The drivers of these tests.
const DRIVERS: [Origin; 2] = [Origin::Chain, Origin::Check];

#[tokio::test]
async fn a_risky_call_waits_for_a_person_and_the_driver_goes_on_after_their_yes() {
    for origin in DRIVERS {
        let bench = Bench::new().await;
        bench
            .add_job(origin, &[write("a.txt"), read("a.txt")])
            .await;
        assert_eq!(bench.work().await, Worked::Waits, "{origin:?}");
        assert!(!bench.file("a.txt").exists());
        bench.press_approve().await;
        assert_eq!(bench.work().await, Worked::Ended, "{origin:?}");
        assert!(bench.file("a.txt").exists());
        let audit = bench.audit().await;
        let expected = [
            "decided file_write approved",
            "called file_write approved",
            "returned file_write success",
            "called file_read allowed",
            "returned file_read success",
        ];
        assert_eq!(audit, expected, "{origin:?}");
        assert_eq!(bench.spent_tokens().await, 0, "no model was asked");
    }
}

#[tokio::test]
async fn a_denied_call_is_not_run_and_its_driver_learns_of_it() {
    let bench = Bench::new().await;
    bench.add_job(Origin::Chain, &[write("a.txt")]).await;
    assert_eq!(bench.work().await, Worked::Waits);
    bench.press(approvals::Verb::Deny).await;
    assert_eq!(bench.work().await, Worked::Ended);
    assert!(!bench.file("a.txt").exists());
    assert_eq!(bench.audit().await[0], "decided file_write denied");
}

#[tokio::test]
async fn the_third_equal_call_is_kept_from_running() {
    for origin in DRIVERS {
        let bench = Bench::new().await;
        std::fs::write(bench.file("a.txt"), "text").unwrap();
        let steps = vec![read("a.txt"); 3];
        bench.add_job(origin, &steps).await;
        assert_eq!(bench.work().await, Worked::Ended);
        let audit = bench.audit().await;
        let called = audit.iter().filter(|line| line.starts_with("called"));
        assert_eq!(called.count(), 2, "{origin:?}");
        assert_eq!(bench.state().await.repeats.blocks(), 1);
    }
}

#[tokio::test]
async fn a_result_that_gives_orders_is_treated_and_later_calls_know_of_it() {
    for origin in DRIVERS {
        let bench = Bench::new().await;
        bench.add_job(origin, &[page(), write("a.txt")]).await;
        assert_eq!(bench.work().await, Worked::Waits, "{origin:?}");
        let state = bench.state().await;
        let entries = bench.entries().await;
        let screened = entries.iter().find_map(|entry| match entry {
            Entry::Returned(returned) => returned.screened.as_ref(),
            _ => None,
        });
        assert_ne!(screened.unwrap().treatment, Treated::Noted);
        assert!(!state.taint.is_empty());
    }
}

#[tokio::test]
async fn a_kill_between_call_and_result_leaves_an_unknown_outcome_and_nothing_runs_twice() {
    for origin in DRIVERS {
        let bench = Bench::new().await;
        bench.add_job(origin, &[hangs(), read("a.txt")]).await;
        tokio::select! {
            worked = bench.work() => panic!("the call hangs: {worked:?}"),
            () = bench.until_called() => {}
        }
        assert_eq!(bench.work().await, Worked::Ended, "{origin:?}");
        let audit = bench.audit().await;
        let expected = [
            "called hang allowed",
            "returned hang unknown",
            "called file_read allowed",
            "returned file_read failed",
        ];
        assert_eq!(audit, expected, "{origin:?}");
        let state = bench.state().await;
        assert_eq!(state.unknown_calls.len(), 1);
    }
}

#[tokio::test]
async fn a_check_that_asks_a_model_pays_for_it_and_is_refused_when_the_budget_is_exhausted() {
    let bench = Bench::new().await;
    std::fs::write(bench.file("a.txt"), "text").unwrap();
    let steps = [read("a.txt"), ask("Is this text right?")];
    bench.add_job(Origin::Check, &steps).await;
    assert_eq!(bench.work().await, Worked::Ended);
    assert_eq!(bench.outcome().await, replied("It is right."));
    let spent = bench.spent_tokens().await;
    assert!(spent > 0, "the model was paid for");

    bench.add_job(Origin::Check, &steps).await;
    let poor = bench.with_budget(Limit {
        tokens: Some(1),
        micros: None,
    });
    assert_eq!(poor.work().await, Worked::Ended);
    let TurnOutcome::Failed { why, .. } = poor.outcome().await else {
        panic!("{:?}", poor.outcome().await)
    };
    assert!(!why.is_empty());
    assert_eq!(poor.model.asked(), 1, "the model was not asked again");
}

#[tokio::test]
async fn in_the_background_a_card_waits_for_the_person() {
    for origin in DRIVERS {
        let bench = Bench::in_background().await;
        bench.add_job(origin, &[write("a.txt")]).await;
        assert_eq!(bench.work().await, Worked::Waits, "{origin:?}");
        bench.press_approve().await;
        assert_eq!(bench.work().await, Worked::Ended, "{origin:?}");
        assert!(bench.file("a.txt").exists());
    }
}

/// How far the driver of a job came.
#[derive(Debug, PartialEq)]
enum Worked {
    Waits,
    Ended,
}

/// Walks the fixed steps of a job: what a chain, or a check, will be.
async fn walk(bench: &Bench, claim: &Claim) -> Worked {
    let mut journal = StoredJournal::new(bench.ctx.clone(), claim);
    let mut state = TurnState::fold(&claim.entries);
    let context = execution_context(&bench.ctx, claim, &state, Language::English);
    let steps: Vec<ToolCall> = serde_json::from_value(steps_of(&claim.entries)).unwrap();
    let stop = CancellationToken::new();
    while state.ended.is_none() {
        let outcome = match next_call(&state) {
            Some(CallAction::Suspend) => return Worked::Waits,
            Some(CallAction::Expire) => TurnOutcome::Expired,
            Some(CallAction::GiveUp) => failed("it went round in circles"),
            Some(action) => {
                let mut calls = CallRun {
                    executor: &bench.ctx.agent.executor,
                    context: &context,
                    in_view: &[],
                    state: &mut state,
                    journal: &mut journal,
                    events: &Unobserved,
                    stop: &stop,
                };
                match action {
                    CallAction::Run(call) => calls.judge(&call).await.unwrap(),
                    CallAction::Refuse(call) => calls.refuse(call).await.unwrap(),
                    CallAction::Recover(call) => calls.recover(call).await.unwrap(),
                    CallAction::Suspend | CallAction::Expire | CallAction::GiveUp => {}
                }
                continue;
            }
            None => match steps.get(made(&state)) {
                Some(step) if step.name == "ask" => match ask_model(bench, claim).await {
                    Ok(text) => replied(&text),
                    Err(why) => failed(&why),
                },
                Some(step) => {
                    let issued = Entry::Issued(Issued {
                        calls: vec![step.clone()],
                        taint: Taint::default(),
                        check: None,
                    });
                    journal.append(&issued).await.unwrap();
                    state.apply(&issued);
                    continue;
                }
                None => replied("done"),
            },
        };
        journal.finish(&outcome).await.unwrap();
        state.apply(&Entry::Ended { outcome });
    }
    Worked::Ended
}

/// Asks the model about the result, as a check may: by the same budget as everything else.
async fn ask_model(bench: &Bench, claim: &Claim) -> Result<String, String> {
    let stop = CancellationToken::new();
    let mut meter = StoredBudgetMeter::new(bench.ctx.clone(), claim, None, stop);
    let answer = bench.model.ask("Is this text right?", &mut meter).await;
    meter.close().await;
    answer
}

/// Returns how many calls were made.
fn made(state: &TurnState) -> usize {
    let calls = state.messages.iter().map(|message| match message {
        ConversationMessage::Assistant(said) => said.calls.len(),
        ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => 0,
    });
    calls.sum()
}

fn steps_of(entries: &[Entry]) -> Value {
    let started = entries.iter().find_map(|entry| match entry {
        Entry::Started(started) => started.payload.clone(),
        _ => None,
    });
    started.unwrap()
}

struct Unobserved;

impl CallEvents for Unobserved {
    fn call(&self, _event: CallEvent) {}
}

#[tokio::test]
async fn the_past_as_it_is_known_is_the_past_as_it_is_read() {
    let bench = Bench::new().await;
    for name in ["a.txt", "b.txt"] {
        let path = bench.file(name);
        std::fs::write(path, "text").unwrap();
        bench.add_job(Origin::Check, &[read(name), page()]).await;
        assert!(matches!(bench.work().await, Worked::Ended), "{name}");
    }
    let span = Span {
        since: 0,
        until: 2,
        limit: 25,
    };
    let (store, session) = (&bench.ctx.store, bench.session);
    let read = HistoryCache::default().turns(store, session, span).await;
    let known = bench.ctx.history.turns(store, session, span).await;
    assert_eq!(known.unwrap(), read.unwrap());
}

#[test]
fn what_a_service_did_not_count_is_estimated_after_a_crash() {
    let asking = |finish| ModelRequest {
        server: "main".to_owned(),
        model: "large".to_owned(),
        attempt: 1,
        messages: 2,
        tools: 0,
        estimated_tokens: 700,
        took_ms: 5,
        finish,
    };
    let consulted = |finish, prompt_tokens| {
        Entry::Consulted(Consulted {
            purpose: None,
            asking: Some(asking(finish)),
            ago_ms: 0,
            usage: Usage {
                prompt_tokens,
                ..Usage::default()
            },
        })
    };
    for (entry, tokens) in [
        (consulted(Finish::Stop, 40), 40),
        (consulted(Finish::Stop, 0), 700),
        (consulted(Finish::Failed(Failure::TimedOut), 0), 700),
        (consulted(Finish::Failed(Failure::RateLimited), 0), 0),
    ] {
        let (model, usage) = used(&entry).unwrap();
        assert_eq!((model.as_str(), usage.prompt_tokens), ("large", tokens));
    }
}

/// An instance without channels, with a person in a direct chat.
struct Bench {
    ctx: SessionContext,
    model: TestAgent,
    session: SessionId,
    user: UserId,
    chat: ChatId,
    directory: Arc<TempDir>,
    dispatcher: Arc<Dispatcher>,
}

impl Bench {
    async fn new() -> Self {
        Self::open(false).await
    }

    async fn in_background() -> Self {
        Self::open(true).await
    }

    async fn open(is_background: bool) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let store = Store::open(&path.join("sayso.db")).await.unwrap();
        let redactor = Redactor::new([]).unwrap();
        let channels = Arc::new(Channels::new());
        let (dispatcher, outbox) = Dispatcher::new(store.clone(), channels, redactor.clone());
        let memory = Arc::new(StoredMemory::new(store.clone()));
        let (agent, model) = TestAgent::new(memory, path, "It is right.");
        let routines = RoutineContext::for_test(outbox.clone());
        let ctx = SessionContext {
            store: store.clone(),
            outbox,
            agent: Arc::new(agent),
            auditor: Auditor::new(redactor),
            limits: SessionLimits {
                messages_per_minute: None,
                concurrent_turns: 1,
                concurrent_background: 1,
                turn_timeout: Duration::from_mins(1),
                while_busy: WhileBusy::Steer,
                approval_expires_ms: 60_000,
                workspaces: path.join("workspaces"),
                projects: crate::sessions::Projects::default(),
                language: None,
                learning: None,
            },
            budget: Arc::default(),
            reservations: Reservations::default(),
            history: HistoryCache::default(),
            owners: Arc::new(NoOwners),
            routines,
            worker: "worker".into(),
        };
        let (user, chat, session) = store
            .write(move |tx| Box::pin(async move { person(tx, is_background).await }))
            .await
            .unwrap();
        let bench = Self {
            ctx,
            model,
            session,
            user,
            chat,
            directory: Arc::new(directory),
            dispatcher: Arc::new(dispatcher),
        };
        std::fs::create_dir_all(bench.workspace()).unwrap();
        bench
    }

    /// Returns the same instance with another limit of each turn.
    fn with_budget(&self, turn: Limit) -> Self {
        let mut ctx = self.ctx.clone();
        ctx.budget = Arc::new(BudgetRules {
            turn,
            ..BudgetRules::default()
        });
        Self {
            ctx,
            model: self.model.clone(),
            directory: Arc::clone(&self.directory),
            dispatcher: Arc::clone(&self.dispatcher),
            ..*self
        }
    }

    fn workspace(&self) -> PathBuf {
        let workspaces = self.directory.path().join("workspaces");
        workspaces.join(format!("user-{}", self.user))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.workspace().join(name)
    }

    async fn add_job(&self, origin: Origin, steps: &[ToolCall]) {
        let job = NewJob {
            session: self.session,
            user: self.user,
            origin,
            due_ms: now_ms(),
            work: JobWork {
                address: address(),
                request: "do it".to_owned(),
                role: Role::Owner,
                payload: serde_json::to_value(steps).unwrap(),
            },
        };
        let added = self
            .ctx
            .store
            .write(move |tx| Box::pin(async move { jobs::add(tx, &job).await }));
        added.await.unwrap();
    }

    /// Claims what is to be done, as a worker does, and has it driven.
    async fn work(&self) -> Worked {
        let (ctx, session) = (self.ctx.clone(), self.session);
        let claimed = self.ctx.store.write(move |tx| {
            Box::pin(async move { claim(tx, &ctx, session, ClaimScope::Anything).await })
        });
        let ClaimResult::Turn(claim) = claimed.await.unwrap() else {
            panic!("there is nothing to do")
        };
        walk(self, &claim).await
    }

    /// Waits until a call is committed.
    async fn until_called(&self) {
        let count = "SELECT count(*) FROM journal WHERE kind = 'called'";
        while self.one::<i64>(count).await == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn press_approve(&self) {
        self.press(approvals::Verb::Approve).await;
    }

    async fn press(&self, verb: approvals::Verb) {
        let token: String = self
            .one("SELECT token FROM held_calls WHERE verdict IS NULL")
            .await;
        let presser = approvals::Presser {
            user: self.user,
            role: Role::Owner,
            name: "Ann".to_owned(),
            chat: self.chat,
            now_ms: now_ms(),
            language: Language::English,
        };
        let pressed = self.ctx.store.write(move |tx| {
            Box::pin(async move { approvals::press(tx, &verb.button(&token), &presser).await })
        });
        let pressed = pressed.await.unwrap().unwrap();
        assert_eq!(pressed.ready, Some(self.session), "{pressed:?}");
    }

    async fn audit(&self) -> Vec<String> {
        let rows: Vec<(String, String, Option<String>, Option<String>)> = query(sql!(
            "SELECT event, tool, decision, outcome FROM audit WHERE tool IS NOT NULL ORDER BY seq"
        ))
        .fetch_all(self.ctx.store.reader())
        .await
        .unwrap();
        let line = |(event, tool, decision, outcome): (_, _, Option<String>, Option<String>)| {
            let what: String = outcome.or(decision).unwrap_or_default();
            format!("{event} {tool} {what}")
        };
        rows.into_iter()
            .map(|(event, tool, decision, outcome): (String, String, _, _)| {
                line((event, tool, decision, outcome))
            })
            .collect()
    }

    async fn entries(&self) -> Vec<Entry> {
        let bodies: Vec<String> = query(sql!(
            "SELECT body FROM journal WHERE turn_id = (SELECT max(id) FROM turns) ORDER BY seq"
        ))
        .fetch_all(self.ctx.store.reader())
        .await
        .unwrap();
        let read = |body: &String| serde_json::from_str(body).unwrap();
        bodies.iter().map(read).collect()
    }

    async fn state(&self) -> TurnState {
        TurnState::fold(&self.entries().await)
    }

    async fn outcome(&self) -> TurnOutcome {
        self.state().await.ended.unwrap()
    }

    async fn spent_tokens(&self) -> i64 {
        self.one("SELECT spent_tokens FROM turns ORDER BY id DESC LIMIT 1")
            .await
    }

    async fn one<T: DeserializeOwned + Send>(&self, text: &'static str) -> T {
        query(sql!(text))
            .fetch_one(self.ctx.store.reader())
            .await
            .unwrap()
    }
}

async fn person(
    tx: &mut Tx,
    is_background: bool,
) -> Result<(UserId, ChatId, SessionId), StoreError> {
    let user = people::add_sender(tx, "chat", "1", "Ann", AccountStanding::Owner).await?;
    let chat = chats::chat_at(tx, "chat", "1", ChatKind::Direct, "en").await?;
    let session = if is_background {
        chats::background_session_at(tx, chat.id, "").await?
    } else {
        chats::session_at(tx, chat.id, "").await?
    };
    Ok((user, chat.id, session))
}

fn address() -> Address {
    serde_json::from_value(json!({"channel": "chat", "chat": "1"})).unwrap()
}

struct NoOwners;

#[async_trait]
impl Owners for NoOwners {
    async fn direct_chats(&self, _tx: &mut Tx) -> Result<Vec<Address>, StoreError> {
        Ok(Vec::new())
    }
}

fn call(name: &str, arguments: Value) -> ToolCall {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    ToolCall {
        id: CallId(format!("call_{number}")),
        name: name.into(),
        arguments,
    }
}

fn write(path: &str) -> ToolCall {
    call("file_write", json!({"path": path, "content": "text"}))
}

fn read(path: &str) -> ToolCall {
    call("file_read", json!({ "path": path }))
}

fn page() -> ToolCall {
    call("page", json!({}))
}

fn hangs() -> ToolCall {
    call("hang", json!({}))
}

fn ask(question: &str) -> ToolCall {
    call("ask", json!({ "question": question }))
}

fn replied(text: &str) -> TurnOutcome {
    TurnOutcome::Replied { text: text.into() }
}

fn failed(why: &str) -> TurnOutcome {
    TurnOutcome::Failed {
        why: why.into(),
        retry: false,
    }
}
