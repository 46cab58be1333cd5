//! Phase 2 asked beside Phase 1: whatever Phase 1 decides, whenever it does, and whatever fails, the
//! turn is the one that two calls in a row make.

use std::sync::Mutex;

use proptest::prelude::*;
use sayso_core::transcript::{AssistantMessage, Consulted, Guess, ModelName};
use sayso_providers::{ChatRequest, Checked, Heard, ModelCapacity, Provider, Reply};
use tokio::sync::Notify;
use tokio::task::yield_now;

use super::*;

/// The free rules load `git-workflow` for the first, and nothing for the second.
const MESSAGES: [&str; 2] = ["commit my changes with git", "how high is Mont Blanc?"];
/// What Phase 1 may say; the last is no route.
const VERDICTS: [&str; 5] = [
    r#"{"skills": [], "direct": true}"#,
    r#"{"skills": ["git-workflow"], "direct": false}"#,
    r#"{"skills": ["git-workflow", "code-review"], "direct": false}"#,
    r#"{"skills": [], "direct": false, "question": "Which one?"}"#,
    "I would rather not say.",
];

/// What a model does in one turn.
#[derive(Debug, Clone)]
struct Plan {
    message: &'static str,
    verdict: &'static str,
    /// Whether Phase 1 takes longer than what is looked up meanwhile.
    is_slow: bool,
    /// How many times Phase 1, and each step, then lets others work before it goes on.
    first: usize,
    second: usize,
    /// Whether the first step calls the tool.
    calls: bool,
    fault: Fault,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// The first question of Phase 2 fails.
    FirstStep,
    /// It says nothing.
    Silence,
    /// The guess is not paid for.
    Purse,
    /// The turn is stopped as the nth piece of work is let through.
    Stop(usize),
}

fn plans() -> impl Strategy<Value = Plan> {
    let fault = prop_oneof![
        4 => Just(Fault::Nothing),
        1 => Just(Fault::FirstStep),
        1 => Just(Fault::Silence),
        1 => Just(Fault::Purse),
        2 => (0_usize..20).prop_map(Fault::Stop),
    ];
    let message = prop::sample::select(&MESSAGES[..]);
    let verdict = prop::sample::select(&VERDICTS[..]);
    let times = (any::<bool>(), 0_usize..9, 0_usize..9);
    (message, verdict, times, any::<bool>(), fault).prop_map(
        |(message, verdict, (is_slow, first, second), calls, fault)| Plan {
            message,
            verdict,
            is_slow,
            first,
            second,
            calls,
            fault,
        },
    )
}

/// A model that says which skills it was told, so that an answer for another route shows.
struct Planned {
    plan: Plan,
    routing: Routing,
    stop: CancellationToken,
    let_through: AtomicUsize,
    steps: AtomicUsize,
    /// The skills that Phase 2 was told, each time.
    told: Mutex<Vec<String>>,
    /// Phase 2 was asked.
    asked: Notify,
}

impl Planned {
    async fn take_time(&self, times: usize) {
        for _ in 0..times {
            let passed = self.let_through.fetch_add(1, Ordering::Relaxed);
            if self.plan.fault == Fault::Stop(passed) {
                self.stop.cancel();
            }
            yield_now().await;
        }
    }

    fn step(&self, request: &ChatRequest<'_>) -> Result<AssistantMessage, ProviderError> {
        let skills = skills_told(request);
        self.told.lock().unwrap().push(skills.clone());
        self.asked.notify_one();
        let is_first = self.steps.fetch_add(1, Ordering::Relaxed) == 0;
        match self.plan.fault {
            Fault::FirstStep if is_first => return Err(ProviderError::Missing),
            Fault::Silence if is_first => return Ok(AssistantMessage::default()),
            _ => {}
        }
        let is_result = |message: &ConversationMessage| {
            matches!(message, ConversationMessage::ToolResult { .. })
        };
        let calls = self.plan.calls && !request.messages.iter().any(is_result);
        Ok(AssistantMessage {
            text: format!("told: {skills}"),
            calls: if calls { vec![rings()] } else { Vec::new() },
            ..AssistantMessage::default()
        })
    }
}

/// Returns the names of the skills whose texts are in a request.
fn skills_told(request: &ChatRequest<'_>) -> String {
    let texts = request.messages.iter().filter_map(|message| match message {
        ConversationMessage::User { text, .. } => Some(text),
        ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
    });
    let names = texts.flat_map(|text| text.split("## Skill: ").skip(1));
    let names = names.filter_map(|behind| behind.lines().next());
    names.collect::<Vec<_>>().join(", ")
}

#[async_trait]
impl Provider for Planned {
    fn name(&self) -> &'static str {
        "planned"
    }

    fn model(&self) -> &'static str {
        "plan"
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let is_route = request.options.form.is_some();
        let message = if is_route {
            // Then a guess is made for certain, unless a stop ends this question as well.
            let is_guessed = self.routing == Routing::Parallel && self.plan.fault != Fault::Purse;
            if self.plan.is_slow && is_guessed {
                self.asked.notified().await;
            }
            self.take_time(self.plan.first).await;
            AssistantMessage {
                text: self.plan.verdict.to_owned(),
                ..AssistantMessage::default()
            }
        } else {
            let message = self.step(&request)?;
            heard("told");
            self.take_time(self.plan.second).await;
            message
        };
        Ok(Reply {
            message,
            ..Reply::default()
        })
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        Ok(Checked::default())
    }
}

impl ModelCapacity for Planned {
    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        usize::MAX
    }
}

/// What came of a turn.
struct Played {
    driven: DriveResult,
    entries: Vec<Entry>,
    outcome: Option<TurnOutcome>,
    rung: usize,
    /// What was shown before an answer was whole.
    shown: Vec<String>,
    steps: usize,
    booked: usize,
}

async fn play(plan: &Plan, routing: Routing) -> Played {
    let mut stage = Stage::new(Scripted::default());
    let model = Arc::new(Planned {
        plan: plan.clone(),
        routing,
        stop: stage.stop.clone(),
        let_through: AtomicUsize::new(0),
        steps: AtomicUsize::new(0),
        told: Mutex::default(),
        asked: Notify::new(),
    });
    stage.agent.provider = Arc::clone(&model) as _;
    stage.agent.limits.routing = routing;
    stage.wallet.pays_no_guess = plan.fault == Fault::Purse;
    let (driven, journal) = stage.process_message_stream(plan.message).await;
    Played {
        driven,
        outcome: journal.outcome().cloned(),
        entries: journal.entries,
        rung: stage.rung(),
        shown: stage.texts(),
        steps: model.told.lock().unwrap().len(),
        booked: stage.wallet.booked().len(),
    }
}

impl Played {
    fn guess(&self) -> Option<Guess> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Routed(routed) => routed.guess,
            _ => None,
        })
    }

    /// Returns the journal as far as both ways of asking must agree on it.
    fn meaning(&self) -> Vec<Entry> {
        let kept = self
            .entries
            .iter()
            .filter(|entry| !matches!(entry, Entry::Consulted(Consulted { .. })));
        kept.cloned()
            .map(|entry| match entry {
                Entry::Routed(mut routed) => {
                    routed.guess = None;
                    Entry::Routed(routed)
                }
                entry => entry,
            })
            .collect()
    }

    /// Returns the route that was decided.
    fn skills(&self) -> Option<String> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Routed(routed) => match &routed.route {
                RouteResult::Skills(names) => Some(names.join(", ")),
                RouteResult::Direct => Some(String::new()),
                RouteResult::NeedClarification { .. } => None,
            },
            _ => None,
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_guess_changes_nothing_but_the_time(plan in plans()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (alone, beside) = runtime.block_on(async {
            (play(&plan, Routing::TwoPhase).await, play(&plan, Routing::Parallel).await)
        });
        // Whatever happens, what is written and shown belongs to the route that was decided.
        let replies = beside.entries.iter().filter_map(|entry| match entry {
            Entry::Replied(replied) => Some(&replied.message.text),
            _ => None,
        });
        let told = beside.skills().map(|skills| format!("told: {skills}"));
        for reply in replies {
prop_assert_eq!(Some(reply), told.as_ref());
        }
        if beside.skills().is_none() {
            prop_assert!(beside.shown.is_empty(), "{:?}", beside.shown);
            prop_assert_eq!(beside.rung, 0);
        }
        prop_assert!(beside.booked >= beside.steps, "each call is booked");
        let calls_bell = |entry: &Entry| matches!(entry, Entry::Called { .. });
        let called = beside.entries.iter().filter(|entry| calls_bell(entry)).count();
        prop_assert!(beside.rung <= called, "a tool ran that no entry tells of");
        match plan.fault {
            // Times differ, and so does what a stop cuts off; there is no outcome either way.
            Fault::Stop(_) => {
                prop_assert!(beside.driven != DriveResult::Interrupted || beside.outcome.is_none());
                return Ok(());
            }
            // A guess that fails is asked anew.
            Fault::FirstStep if beside.guess().is_some() => return Ok(()),
            Fault::Purse => prop_assert_eq!(beside.guess(), None),
            Fault::Nothing | Fault::FirstStep | Fault::Silence => {}
        }
        prop_assert_eq!(&alone.outcome, &beside.outcome);
        prop_assert_eq!(alone.meaning(), beside.meaning());
        prop_assert_eq!(alone.rung, beside.rung);
        prop_assert_eq!(alone.driven, beside.driven);
    }
}

#[tokio::test]
async fn a_right_guess_is_the_first_step_and_is_asked_once() {
    let plan = Plan {
        message: MESSAGES[1],
        verdict: VERDICTS[0],
        is_slow: true,
        first: 9,
        second: 3,
        calls: false,
        fault: Fault::Nothing,
    };
    let played = play(&plan, Routing::Parallel).await;
    assert_eq!(played.guess(), Some(Guess::Agreed));
    assert_eq!(played.steps, 1);
    assert_eq!(played.booked, 2);
    assert_eq!(played.outcome, Some(replied("told: ")));
}

#[tokio::test]
async fn a_wrong_guess_is_dropped_and_counted() {
    let plan = Plan {
        message: MESSAGES[0],
        verdict: VERDICTS[0],
        is_slow: true,
        first: 9,
        second: 30,
        calls: true,
        fault: Fault::Nothing,
    };
    let played = play(&plan, Routing::Parallel).await;
    let Some(Guess::Dropped { usage }) = played.guess() else {
        panic!("{:?}", played.guess());
    };
    assert!(usage.prompt_tokens > 0);
    assert_eq!(
        played.steps, 3,
        "the guess, the step, and the one behind its result"
    );
    assert_eq!(played.rung, 1);
    let answer = "told: ".to_owned();
    assert_eq!(played.outcome, Some(replied(&answer)));
}
