//! What is set aside, booked and judged, over a real database.

use tempfile::TempDir;

use super::{Payer, SetAside, Warning, book, set_aside};
use crate::budget::rules::{BudgetRules, Limit, Scope};
use crate::budget::{Day, Price, Prices};
use crate::store::turns::TurnRow;
use crate::store::usage::{self, Spent, SpentBy};
use crate::store::{Store, StoreError, chats, people, turns};
use crate::transcript::{TurnId, Usage};

/// A database with one turn of one user, and rules.
struct Books {
    store: Store,
    payer: Payer,
    rules: BudgetRules,
    _directory: TempDir,
}

impl Books {
    async fn open(rules: BudgetRules) -> Self {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("sayso.db");
        let store = Store::open(&path).await.unwrap();
        let payer = store
            .write(|tx| {
                Box::pin(async move {
                    let user = people::add_sender(tx, "chat", "1", "Ann", "member").await?;
                    let chat = chats::chat_at(tx, "chat", "1", "direct", "en").await?;
                    let session = chats::session_at(tx, chat.id, "").await?;
                    let turn = TurnRow {
                        id: TurnId(7),
                        session_id: session,
                        user_id: user,
                        address: "{}".to_owned(),
                        reply_to: None,
                        request: String::new(),
                        by_owner: false,
                        autonomy: None,
                        state: "running".to_owned(),
                        resumes: 0,
                        handed_over: false,
                        stop_by: None,
                        started_ms: 0,
                        worked_ms: 0,
                    };
                    turns::insert(tx, &turn).await?;
                    Ok(Payer {
                        user,
                        session,
                        turn: Some(turn.id),
                        routine: None,
                        fence: None,
                    })
                })
            })
            .await
            .unwrap();
        Self {
            store,
            payer,
            rules,
            _directory: directory,
        }
    }

    async fn sets_aside(&self, prompt_tokens: u64) -> SetAside {
        let (rules, payer) = (self.rules.clone(), self.payer.clone());
        let tokens = (prompt_tokens, prompt_tokens * 4 / 5);
        let work = self.store.write(move |tx| {
            Box::pin(async move { set_aside(tx, &rules, &payer, "model", tokens).await })
        });
        work.await.unwrap()
    }

    /// Sets aside what must be there, and returns on which day.
    async fn day(&self, prompt_tokens: u64) -> Day {
        match self.sets_aside(prompt_tokens).await {
            SetAside::On(day) => day,
            SetAside::UsedUp(used_up) => panic!("{used_up:?}"),
        }
    }

    /// Returns the scope that refuses a call.
    async fn refusal(&self, prompt_tokens: u64) -> Scope {
        match self.sets_aside(prompt_tokens).await {
            SetAside::UsedUp(used_up) => used_up.scope,
            SetAside::On(day) => panic!("set aside on {day}"),
        }
    }

    async fn books(&self, day: Day, prompt: u64, completion: u64) -> Vec<Warning> {
        let (rules, payer) = (self.rules.clone(), self.payer.clone());
        let usage = Usage {
            prompt_tokens: prompt,
            completion_tokens: completion,
            cached_tokens: 0,
        };
        let work = self.store.write(move |tx| {
            Box::pin(async move { book(tx, &rules, &payer, day, ("model", &usage, false)).await })
        });
        work.await.unwrap()
    }

    /// Returns what the turn, and what the user, has spent in tokens, and the user's calls and money.
    async fn spent(&self, day: Day) -> (i64, Spent) {
        let payer = self.payer.clone();
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let turn = usage::spent(tx, SpentBy::Turn(payer.turn.unwrap())).await?;
                let date = day.to_string();
                let user = usage::spent(tx, SpentBy::User(payer.user, &date)).await?;
                Ok((turn.tokens, user))
            })
        });
        work.await.unwrap()
    }
}

fn tokens(tokens: u64) -> Limit {
    Limit {
        tokens: Some(tokens),
        micros: None,
    }
}

/// Gives the model a price: a millionth for a token of a prompt, two for one of an answer.
fn priced(mut rules: BudgetRules) -> BudgetRules {
    let price = Price {
        input: 1_000_000,
        cached_input: 1_000_000,
        output: 2_000_000,
    };
    rules.prices = Prices {
        currency: "USD".to_owned(),
        models: vec![("model".to_owned(), price)],
    };
    rules
}

#[tokio::test]
async fn what_is_booked_takes_the_place_of_what_was_set_aside() {
    let books = Books::open(priced(BudgetRules::default())).await;
    let day = books.day(100).await;
    let (turn, user) = books.spent(day).await;
    assert_eq!((turn, user.tokens, user.calls), (100, 100, 0));
    assert_eq!(user.micros, 100);
    books.books(day, 70, 5).await;
    let (turn, user) = books.spent(day).await;
    assert_eq!((turn, user.tokens, user.calls), (75, 75, 1));
    assert_eq!((user.micros, user.unpriced_tokens), (80, 0));
}

#[tokio::test]
async fn a_call_that_nobody_booked_stays_an_estimate() {
    let books = Books::open(BudgetRules::default()).await;
    // Killed here, and resumed.
    books.day(100).await;
    let day = books.day(100).await;
    books.books(day, 90, 10).await;
    let (turn, user) = books.spent(day).await;
    assert_eq!((turn, user.tokens, user.calls), (200, 200, 2));
    assert_eq!(
        user.unpriced_tokens, 100,
        "only what was booked has no price"
    );
}

#[tokio::test]
async fn who_has_lost_the_lease_spends_nothing() {
    let mut books = Books::open(BudgetRules::default()).await;
    // Nobody has taken the lease of this session yet.
    books.payer.fence = Some(0);
    let day = books.day(100).await;
    books.payer.fence = Some(1);
    let payer = books.payer.clone();
    let set_aside = books.store.write(move |tx| {
        let rules = BudgetRules::default();
        Box::pin(async move { set_aside(tx, &rules, &payer, "model", (50, 40)).await })
    });
    assert_eq!(set_aside.await, Err(StoreError::Fenced));
    let payer = books.payer.clone();
    let booked = books.store.write(move |tx| {
        let (rules, usage) = (BudgetRules::default(), Usage::default());
        Box::pin(async move { book(tx, &rules, &payer, day, ("model", &usage, false)).await })
    });
    assert_eq!(booked.await, Err(StoreError::Fenced));
    let (turn, user) = books.spent(day).await;
    assert_eq!((turn, user.tokens, user.calls), (100, 100, 0));
    books.payer.fence = Some(0);
    books.books(day, 70, 5).await;
    assert_eq!(books.spent(day).await.0, 75);
}

#[tokio::test]
async fn calls_under_way_cannot_spend_the_same_tokens() {
    let rules = BudgetRules {
        user_day: tokens(150),
        ..BudgetRules::default()
    };
    let books = Books::open(rules).await;
    books.day(100).await;
    assert_eq!(books.refusal(100).await, Scope::User);
}

#[tokio::test]
async fn the_narrowest_limit_speaks_first() {
    let rules = BudgetRules {
        turn: tokens(1000),
        user_day: tokens(1000),
        instance_day: tokens(900),
        ..BudgetRules::default()
    };
    let mut books = Books::open(rules).await;
    let day = books.day(10).await;
    books.books(day, 950, 0).await;
    assert_eq!(books.refusal(10).await, Scope::Instance);
    assert_eq!(books.refusal(100).await, Scope::Turn, "certain to exceed");
    books.rules.turn = Limit::default();
    assert_eq!(books.refusal(100).await, Scope::User);
}

#[tokio::test]
async fn a_routine_has_a_day_of_its_own() {
    let rules = BudgetRules {
        routine_day: tokens(1000),
        ..BudgetRules::default()
    };
    let mut books = Books::open(rules).await;
    books.payer.routine = Some("morning".to_owned());
    let day = books.day(10).await;
    books.books(day, 1000, 0).await;
    assert_eq!(books.refusal(10).await, Scope::Routine);
    books.payer.routine = Some("evening".to_owned());
    books.day(10).await;
    books.payer.routine = None;
    books.day(10).await;
}

#[tokio::test]
async fn money_is_limited_by_what_a_prompt_costs_at_least() {
    let rules = priced(BudgetRules {
        user_day: Limit {
            tokens: None,
            micros: Some(1000),
        },
        ..BudgetRules::default()
    });
    let books = Books::open(rules).await;
    assert_eq!(books.refusal(1300).await, Scope::User);
    let day = books.day(1000).await;
    books.books(day, 1000, 0).await;
    assert_eq!(books.refusal(0).await, Scope::User);
}

#[tokio::test]
async fn little_left_is_told_once_a_day() {
    let rules = BudgetRules {
        user_day: tokens(1000),
        instance_day: tokens(1100),
        ..BudgetRules::default()
    };
    let books = Books::open(rules).await;
    let day = books.day(10).await;
    assert_eq!(books.books(day, 790, 0).await, []);
    let told = |scope, used| Warning { scope, used, day };
    let mut warnings = Vec::new();
    for _ in 0..10 {
        let day = books.day(10).await;
        warnings.extend(books.books(day, 10, 0).await);
    }
    assert_eq!(warnings, [told(Scope::User, 80), told(Scope::Instance, 80)]);
}
