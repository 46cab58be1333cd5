//! What is set aside, booked and judged, over a real database.

use std::sync::Arc;

use sayso_channel::ChatKind;
use sayso_core::transcript::{Role, TurnId, Usage};
use sayso_store::people::AccountStanding;
use sayso_store::turns::TurnRow;
use sayso_store::turns::TurnStatus;
use sayso_store::usage::{self, Spent, SpentBy};
use sayso_store::{Store, StoreError, chats, people, query, sql, turns};
use tempfile::TempDir;

use super::{
    BillingSubject, ModelUse, NextCall, SetAside, Settled, Warning, book_reading, reserve, settle,
};
use crate::budget::rules::{Amount, BudgetRules, Limit, Scope};
use crate::budget::{Day, Price, Prices, Reservation, Reservations};

/// A database with one turn of one user, and rules.
struct Books {
    store: Store,
    payer: BillingSubject,
    rules: BudgetRules,
    reservations: Reservations,
    /// How long an answer may become, in tokens.
    answer_tokens: u64,
    _directory: TempDir,
}

fn used(usage: &Usage) -> ModelUse<'_> {
    ModelUse {
        model: "model",
        usage,
        is_estimated: false,
    }
}

impl Books {
    async fn open(rules: BudgetRules) -> Self {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("sayso.db");
        let store = Store::open(&path).await.unwrap();
        let payer = store
            .write(|tx| {
                Box::pin(async move {
                    let user =
                        people::add_sender(tx, "chat", "1", "Ann", AccountStanding::Member).await?;
                    let chat = chats::chat_at(tx, "chat", "1", ChatKind::Direct, "en").await?;
                    let session = chats::session_at(tx, chat.id, "").await?;
                    let turn = TurnRow {
                        id: TurnId(7),
                        session_id: session,
                        user_id: user,
                        address: "{}".to_owned(),
                        reply_to: None,
                        request: String::new(),
                        role: Role::Member,
                        autonomy: "supervised".to_owned(),
                        state: TurnStatus::Running,
                        resumes: 0,
                        handed_over: false,
                        stop_by: None,
                        started_ms: 0,
                        worked_ms: 0,
                        project: None,
                    };
                    turns::insert(tx, &turn).await?;
                    Ok(BillingSubject {
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
            reservations: Reservations::default(),
            answer_tokens: 50,
            _directory: directory,
        }
    }

    /// Sets aside a call that is over at once.
    async fn sets_aside(&self, prompt_tokens: u64) -> SetAside {
        let reservation = Arc::new(self.reservations.reserve());
        self.sets_aside_for(prompt_tokens, &reservation).await
    }

    async fn sets_aside_for(&self, prompt_tokens: u64, place: &Arc<Reservation>) -> SetAside {
        let work = self.try_set_aside(&self.payer, prompt_tokens, place);
        work.await.unwrap()
    }

    async fn try_set_aside(
        &self,
        payer: &BillingSubject,
        prompt_tokens: u64,
        place: &Arc<Reservation>,
    ) -> Result<SetAside, StoreError> {
        let (rules, payer, place) = (self.rules.clone(), payer.clone(), Arc::clone(place));
        let answer_tokens = self.answer_tokens;
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let call = NextCall {
                    model: "model",
                    prompt_tokens,
                    certain_tokens: prompt_tokens * 4 / 5,
                    answer_tokens,
                };
                reserve(tx, &rules, &payer, &call, &place).await
            })
        });
        work.await
    }

    /// Sets aside what must be there, and returns on which day.
    async fn day(&self, prompt_tokens: u64) -> Day {
        match self.sets_aside(prompt_tokens).await {
            SetAside::On(day) => day,
            other @ (SetAside::UsedUp(_) | SetAside::Wait(_)) => panic!("{other:?}"),
        }
    }

    /// Returns the scope that refuses a call.
    async fn refusal(&self, prompt_tokens: u64) -> Scope {
        match self.sets_aside(prompt_tokens).await {
            SetAside::UsedUp(used_up) => used_up.scope,
            other @ (SetAside::On(_) | SetAside::Wait(_)) => panic!("{other:?}"),
        }
    }

    async fn books(&self, day: Day, prompt: u64, completion: u64) -> Vec<Warning> {
        let (rules, payer) = (self.rules.clone(), self.payer.clone());
        let usage = Usage {
            prompt_tokens: prompt,
            completion_tokens: completion,
            cached_tokens: 0,
        };
        let reservations = self.reservations.clone();
        let set_aside = self.set_aside(day).await;
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let settled = Settled {
                    call: used(&usage),
                    set_aside,
                    day,
                };
                settle(tx, &rules, &payer, settled, &reservations).await
            })
        });
        work.await.unwrap()
    }

    /// Returns what is set aside in the row of the day.
    async fn set_aside(&self, day: Day) -> Amount {
        let (payer, day) = (self.payer.clone(), day.to_string());
        let open = self.store.write(move |tx| {
            Box::pin(async move {
                query(sql!(
                    "SELECT coalesce(sum(open_tokens), 0), coalesce(sum(open_micros), 0)
                     FROM usage WHERE user_id = $1 AND day = $2"
                ))
                .bind(payer.user)
                .bind(day)
                .fetch_one(tx)
                .await
            })
        });
        let (tokens, micros): (u64, u64) = open.await.unwrap();
        Amount { tokens, micros }
    }

    /// Returns what the turn, and what the user, has spent in tokens, and the user's calls and
    /// money.
    async fn spent(&self, day: Day) -> (i64, Spent) {
        let (payer, reservations) = (self.payer.clone(), self.reservations.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                reservations.write_turn(tx, payer.turn.unwrap()).await?;
                reservations.note_written(payer.turn.unwrap());
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
async fn a_call_that_no_one_booked_stays_an_estimate() {
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
    // The lease of this session has not been taken yet.
    books.payer.fence = Some(0);
    let day = books.day(100).await;
    books.payer.fence = Some(1);
    let place = Arc::new(books.reservations.reserve());
    let set_aside = books.try_set_aside(&books.payer, 50, &place).await;
    assert_eq!(set_aside, Err(StoreError::Fenced));
    let payer = books.payer.clone();
    let booked = books.store.write(move |tx| {
        let (rules, usage) = (BudgetRules::default(), Usage::default());
        Box::pin(async move {
            let settled = Settled {
                call: used(&usage),
                set_aside: Amount::default(),
                day,
            };
            settle(tx, &rules, &payer, settled, &Reservations::default()).await
        })
    });
    assert_eq!(booked.await, Err(StoreError::Fenced));
    let (turn, user) = books.spent(day).await;
    assert_eq!((turn, user.tokens, user.calls), (100, 100, 0));
    books.payer.fence = Some(0);
    books.books(day, 70, 5).await;
    assert_eq!(books.spent(day).await.0, 75);
}

/// Returns rules with a limit for a user's day.
fn user_day(limit: Limit) -> BudgetRules {
    BudgetRules {
        user_day: limit,
        ..BudgetRules::default()
    }
}

#[tokio::test]
async fn r2_calls_under_way_cannot_spend_the_same_tokens() {
    let books = Books::open(user_day(tokens(419))).await;
    let [first, second, third, fourth] = [(); 4].map(|()| Arc::new(books.reservations.reserve()));
    let SetAside::On(day) = books.sets_aside_for(100, &first).await else {
        panic!("it is the first");
    };
    let waits = SetAside::Wait(Scope::User);
    books.books(day, 90, 30).await;
    drop(first);
    let SetAside::On(_) = books.sets_aside_for(100, &second).await else {
        panic!("it is alone again");
    };
    assert_eq!(
        books.sets_aside_for(100, &third).await,
        waits,
        "120 + 150 + 150 > 419"
    );
    assert_eq!(
        books.sets_aside_for(1, &fourth).await,
        waits,
        "it came later"
    );
    books.books(day, 100, 500).await;
    drop(second);
    for place in [&third, &fourth] {
        let decided = books.sets_aside_for(1, place).await;
        assert!(matches!(decided, SetAside::UsedUp(_)), "{decided:?}");
    }
}

/// One chat: sets a call aside, waiting for others, and books it; returns the day of a call that
/// was made.
async fn asks_in_a_chat(books: &Books, (prompt, answer): (u64, u64)) -> Option<Day> {
    let place = Arc::new(books.reservations.reserve());
    loop {
        let changed = books.reservations.changed();
        match books.sets_aside_for(prompt, &place).await {
            SetAside::On(day) => {
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
                books.books(day, prompt, answer).await;
                return Some(day);
            }
            SetAside::Wait(_) => changed.await,
            SetAside::UsedUp(_) => return None,
        }
    }
}

#[tokio::test]
async fn r2_a_person_in_64_chats_at_once_passes_a_limit_by_at_most_one_calls_answer() {
    for (limit, made) in [(20_000, 1), (100_000, 4)] {
        let mut books = Books::open(user_day(tokens(limit))).await;
        books.answer_tokens = 131_072;
        let chats = (0..64).map(|_| asks_in_a_chat(&books, (1_700, 30_000)));
        let asked = futures_util::future::join_all(chats).await;
        let days: Vec<Day> = asked.into_iter().flatten().collect();
        assert_eq!(days.len(), made);
        let spent = books.spent(days[0]).await.1.tokens;
        assert!(
            u64::try_from(spent).unwrap() <= limit + 31_700,
            "{spent} of {limit}"
        );
    }
}

#[tokio::test]
async fn r2_what_another_call_has_set_aside_is_not_spent_yet() {
    let books = Books::open(user_day(tokens(150))).await;
    let place = Arc::new(books.reservations.reserve());
    books.sets_aside_for(100, &place).await;
    // It may yet turn out to be free: the next one waits and is not refused.
    assert_eq!(books.sets_aside(100).await, SetAside::Wait(Scope::User));
    drop(place);
    // Killed: no one books it any more, and it counts.
    assert_eq!(books.refusal(100).await, Scope::User);
}

#[tokio::test]
async fn r2_the_first_call_may_pass_the_limit_by_its_answer() {
    let books = Books::open(user_day(tokens(101))).await;
    books.day(100).await;
}

#[tokio::test]
async fn r2_answers_in_flight_count_in_money_and_for_everybody() {
    let rules = priced(BudgetRules {
        instance_month: Limit {
            tokens: None,
            micros: Some(399),
        },
        ..BudgetRules::default()
    });
    let mut books = Books::open(rules).await;
    let [first, second] = [(); 2].map(|()| Arc::new(books.reservations.reserve()));
    // 100 for the prompt, and 2 * 50 for the answer.
    books.sets_aside_for(100, &first).await;
    assert_eq!(
        books.sets_aside_for(100, &second).await,
        SetAside::Wait(Scope::Month)
    );
    books.rules.instance_month.micros = Some(400);
    let decided = books.sets_aside_for(100, &second).await;
    assert!(matches!(decided, SetAside::On(_)), "{decided:?}");
}

#[tokio::test]
async fn r15_a_booking_of_absurd_numbers_is_written_and_settles_what_is_open() {
    let price = Price {
        input: u64::MAX,
        cached_input: u64::MAX,
        output: u64::MAX,
    };
    let mut rules = BudgetRules::default();
    rules.prices.models = vec![("model".to_owned(), price)];
    let books = Books::open(rules).await;
    for _ in 0..3 {
        let day = books.day(100).await;
        books.books(day, u64::MAX, 1 << 63).await;
        let (_, user) = books.spent(day).await;
        assert!(user.tokens > 0 && user.micros > 0, "{user:?}");
    }
    let payer = books.payer.clone();
    let open = usage::open_tokens(books.store.reader(), payer.user, payer.session).await;
    assert_eq!(open, Ok(0));
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

#[tokio::test]
async fn two_calls_of_one_turn_at_once_are_each_booked_for_what_they_cost() {
    let books = Books::open(priced(user_day(tokens(10_000)))).await;
    let [first, second] = [(); 2].map(|()| Arc::new(books.reservations.reserve()));
    let SetAside::On(day) = books.sets_aside_for(100, &first).await else {
        panic!("it is the first");
    };
    books.sets_aside_for(300, &second).await;
    let (turn, user) = books.spent(day).await;
    assert_eq!((turn, user.tokens, user.calls), (400, 400, 0));
    for (place, prompt) in [(first, 90), (second, 310)] {
        let (rules, payer) = (books.rules.clone(), books.payer.clone());
        let (all, set_aside) = (books.reservations.clone(), place.set_aside());
        let booked = books.store.write(move |tx| {
            let usage = Usage {
                prompt_tokens: prompt,
                completion_tokens: 5,
                cached_tokens: 0,
            };
            Box::pin(async move {
                let settled = Settled {
                    call: used(&usage),
                    set_aside,
                    day,
                };
                settle(tx, &rules, &payer, settled, &all).await
            })
        });
        booked.await.unwrap();
    }
    let (turn, user) = books.spent(day).await;
    assert_eq!((turn, user.tokens, user.calls), (410, 410, 2));
    assert_eq!(user.micros, 420);
    assert_eq!(books.set_aside(day).await, Amount::default());
}

#[tokio::test]
async fn a_booking_that_is_rolled_back_is_not_remembered() {
    let books = Books::open(user_day(tokens(1000))).await;
    let day = books.day(100).await;
    books.books(day, 100, 0).await;
    let (rules, payer) = (books.rules.clone(), books.payer.clone());
    let all = books.reservations.clone();
    let failed = books.store.write(move |tx| {
        let usage = Usage {
            prompt_tokens: 5000,
            ..Usage::default()
        };
        Box::pin(async move {
            let settled = Settled {
                call: used(&usage),
                set_aside: Amount::default(),
                day,
            };
            settle(tx, &rules, &payer, settled, &all).await?;
            Err::<(), _>(StoreError::Broken("something else".to_owned()))
        })
    });
    failed.await.unwrap_err();
    // 5000 would be too much; 100 are not.
    books.day(100).await;
}

#[tokio::test]
async fn what_is_read_beside_the_calls_of_a_turn_counts_once_for_it() {
    let books = Books::open(BudgetRules::default()).await;
    let day = books.day(100).await;
    books.books(day, 100, 10).await;
    let (payer, reservations) = (books.payer.clone(), books.reservations.clone());
    let read = books.store.write(move |tx| {
        Box::pin(async move {
            let usage = Usage {
                prompt_tokens: 1000,
                ..Usage::default()
            };
            book_reading(
                tx,
                &BudgetRules::default(),
                &payer,
                used(&usage),
                &reservations,
            )
            .await
        })
    });
    read.await.unwrap();
    assert_eq!(books.spent(day).await.0, 1110);
}

#[tokio::test]
async fn what_a_turn_has_spent_is_not_lost_with_a_transaction_that_fails() {
    let books = Books::open(BudgetRules::default()).await;
    let day = books.day(100).await;
    books.books(day, 100, 10).await;
    let (turn, reservations) = (books.payer.turn.unwrap(), books.reservations.clone());
    let failed = books.store.write(move |tx| {
        Box::pin(async move {
            reservations.write_turn(tx, turn).await?;
            tx.connection().batch("INSERT INTO nothing").await
        })
    });
    assert!(failed.await.is_err());
    assert_eq!(books.spent(day).await.0, 110);
    assert_eq!(books.spent(day).await.0, 110, "and is written once");
}
