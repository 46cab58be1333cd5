//! `[budget]` and `[[prices]]`: where spending ends, and what it is said to cost.

use serde_json::json;

use sayso_fakes::Answer;

use crate::platform::Chat;
use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("budget.turn_tokens", a_turn_may_use_so_many_tokens),
    ("budget.turn_money", a_turn_may_cost_so_much),
    (
        "budget.user_day_tokens",
        a_user_may_use_so_many_tokens_a_day,
    ),
    ("budget.user_day_money", a_user_may_cost_so_much_a_day),
    (
        "budget.routine_day_tokens",
        a_routine_may_use_so_many_tokens_a_day,
    ),
    ("budget.routine_day_money", a_routine_may_cost_so_much_a_day),
    (
        "budget.instance_day_tokens",
        everybody_may_use_so_many_tokens_a_day,
    ),
    (
        "budget.instance_day_money",
        everybody_may_cost_so_much_a_day,
    ),
    (
        "budget.instance_month_tokens",
        everybody_may_use_so_many_tokens_a_month,
    ),
    (
        "budget.instance_month_money",
        everybody_may_cost_so_much_a_month,
    ),
    ("budget.currency", currency_is_how_money_is_written),
    ("prices.*.model", price_is_that_of_its_model),
    ("prices.*.input", tokens_cost_what_is_configured),
    ("prices.*.cached_input", tokens_cost_what_is_configured),
    ("prices.*.output", tokens_cost_what_is_configured),
];

/// What a million tokens of the bot's model cost: prompts 1, answers 4.
const PRICES: [(&str, &str); 3] = [
    ("PRICES__0__MODEL", "fake-1"),
    ("PRICES__0__INPUT", "1"),
    ("PRICES__0__OUTPUT", "4"),
];

/// Starts a bot without Phase 1, in which an answer has 300,000 tokens of prompt, 100,000 of them
/// cached, and 100,000 of its own: 0.70 by the prices above.
async fn open(settings: &[(&str, &str)]) -> TestBot {
    let settings = [settings, &[("AGENT__ROUTING", "off")]].concat();
    let bot = TestBot::with(&settings).await;
    bot.model.when(|request| {
        let text = format!("ok: {}", request.last_user());
        Some(Answer::text(text).usage(300_000, 100_000).cached(100_000))
    });
    bot
}

async fn open_with_prices(settings: &[(&str, &str)]) -> TestBot {
    open(&[&PRICES, settings].concat()).await
}

/// Says something and returns the answer, or why there is none.
async fn asks(chat: &Chat, text: &str) -> String {
    chat.says(text);
    let answer = format!("ok: {text}");
    let is_answer = |said: &str| said == answer || said.contains("I stopped here");
    chat.hears_with(|message| is_answer(&message.text) && !message.is_live())
        .await
        .text
}

/// Returns the reply to Ann's second request, after Bob's first and her own.
async fn second_request(bot: &TestBot) -> String {
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    assert_eq!(asks(&bob, "one").await, "ok: one");
    assert_eq!(asks(&ann, "two").await, "ok: two");
    asks(&ann, "three").await
}

/// Returns what ends a turn that calls a tool at each step.
async fn long_turn(settings: &[(&str, &str)]) -> (String, usize) {
    let settings = [
        settings,
        &[("AGENT__ROUTING", "off"), ("AGENT__MAX_STEPS", "3")],
    ]
    .concat();
    let bot = TestBot::with(&settings).await;
    bot.model.when(|request| {
        let calls = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        (!request.tools().is_empty()).then(|| calls.usage(300_000, 100_000))
    });
    let chat = bot.direct();
    chat.says("look");
    let ended = chat
        .settles(|message| message.text.contains("I stopped here"))
        .await;
    (ended.text, bot.model.requests().len())
}

/// Has a routine run twice on a day, and returns what became of the two runs.
async fn runs_of_a_routine(settings: &[(&str, &str)]) -> Vec<String> {
    let more = [
        ("AGENT__ROUTING", "off"),
        ("AGENT__AUTONOMY", "full"),
        ("ROUTINES__SPREAD_SECS", "0"),
        ("ROUTINES__QUIET_HOURS", "off"),
    ];
    let mut bot = TestBot::closed(&[settings, &more, &PRICES].concat()).await;
    bot.has_a_clock();
    bot.start();
    let chat = bot.direct();
    let create = json!({"action": "create", "schedule": "every 15 minutes", "prompt": "count"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("Kept.");
    chat.says("keep a routine");
    chat.settles(|message| message.text == "Kept.").await;
    bot.model.when(|request| {
        let text = format!("ok: {}", request.last_user());
        Some(Answer::text(text).usage(300_000, 100_000).cached(100_000))
    });
    for minutes in [16, 31] {
        bot.sets_clock(chrono::TimeDelta::minutes(minutes));
        let ended = "SELECT '' || id FROM routine_runs WHERE ended_ms > 1000 * unixepoch()
                     AND state IN ('done', 'failed', 'over_budget')";
        bot.has_noted(ended).await;
        tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
    }
    bot.rows("SELECT state FROM routine_runs ORDER BY due_ms")
        .await
}

#[tokio::test]
pub async fn a_routine_may_use_so_many_tokens_a_day() {
    let runs = runs_of_a_routine(&[("BUDGET__ROUTINE_DAY_TOKENS", "400000")]).await;
    assert_eq!(runs, ["done", "over_budget"]);
}

#[tokio::test]
pub async fn a_routine_may_cost_so_much_a_day() {
    let runs = runs_of_a_routine(&[("BUDGET__ROUTINE_DAY_MONEY", "0.7")]).await;
    assert_eq!(runs, ["done", "over_budget"]);
}

const A_TURN: &str = "as much as one turn may use";
const YOURS: &str = "your limit for today is used up";
const TODAYS: &str = "today's limit for everybody is used up";
const THE_MONTHS: &str = "this month's limit for everybody is used up";

#[tokio::test]
pub async fn a_turn_may_use_so_many_tokens() {
    let (ended, calls) = long_turn(&[("BUDGET__TURN_TOKENS", "400000")]).await;
    assert!(ended.contains(A_TURN), "{ended}");
    assert_eq!(calls, 1);
    let (ended, calls) = long_turn(&[("BUDGET__TURN_TOKENS", "0")]).await;
    assert!(ended.contains("limit of 3 steps"), "{ended}");
    assert_eq!(calls, 4);
}

#[tokio::test]
pub async fn a_turn_may_cost_so_much() {
    let no_tokens = ("BUDGET__TURN_TOKENS", "0");
    let limit = [&PRICES[..], &[no_tokens, ("BUDGET__TURN_MONEY", "1.4")]].concat();
    let (ended, calls) = long_turn(&limit).await;
    assert!(ended.contains(A_TURN), "{ended}");
    assert_eq!(calls, 2);
    let (ended, _) = long_turn(&[&PRICES[..], &[no_tokens]].concat()).await;
    assert!(ended.contains("limit of 3 steps"), "{ended}");
}

#[tokio::test]
pub async fn a_user_may_use_so_many_tokens_a_day() {
    let bot = open(&[("BUDGET__USER_DAY_TOKENS", "400000")]).await;
    let told = second_request(&bot).await;
    assert!(told.contains(YOURS), "{told}");
    let bot = open(&[("BUDGET__USER_DAY_TOKENS", "0")]).await;
    assert_eq!(second_request(&bot).await, "ok: three");
}

#[tokio::test]
pub async fn a_user_may_cost_so_much_a_day() {
    let bot = open_with_prices(&[("BUDGET__USER_DAY_MONEY", "0.70")]).await;
    let told = second_request(&bot).await;
    assert!(told.contains(YOURS), "{told}");
    let bot = open_with_prices(&[]).await;
    assert_eq!(second_request(&bot).await, "ok: three");
}

#[tokio::test]
pub async fn everybody_may_use_so_many_tokens_a_day() {
    let bot = open(&[("BUDGET__INSTANCE_DAY_TOKENS", "800000")]).await;
    let told = second_request(&bot).await;
    assert!(told.contains(TODAYS), "{told}");
    let bot = open(&[("BUDGET__INSTANCE_DAY_TOKENS", "0")]).await;
    assert_eq!(second_request(&bot).await, "ok: three");
}

#[tokio::test]
pub async fn everybody_may_cost_so_much_a_day() {
    let bot = open_with_prices(&[("BUDGET__INSTANCE_DAY_MONEY", "1.4")]).await;
    let told = second_request(&bot).await;
    assert!(told.contains(TODAYS), "{told}");
    let bot = open_with_prices(&[]).await;
    assert_eq!(second_request(&bot).await, "ok: three");
}

/// Moves what was spent to another day of the month, which is not tomorrow.
const EARLIER: &str = "UPDATE usage SET day = substr(day, 1, 8)
    || CASE WHEN substr(day, 9) > '15' THEN '02' ELSE '28' END";

async fn refused_in_the_month(bot: &TestBot) {
    let ann = bot.direct();
    assert_eq!(asks(&ann, "one").await, "ok: one");
    bot.change(EARLIER).await;
    let told = asks(&ann, "two").await;
    assert!(told.contains(THE_MONTHS), "{told}");
    bot.change("UPDATE usage SET day = date(day, '-2 months')")
        .await;
    assert_eq!(asks(&ann, "three").await, "ok: three");
}

#[tokio::test]
pub async fn everybody_may_use_so_many_tokens_a_month() {
    let bot = open(&[("BUDGET__INSTANCE_MONTH_TOKENS", "400000")]).await;
    refused_in_the_month(&bot).await;
}

#[tokio::test]
pub async fn everybody_may_cost_so_much_a_month() {
    let bot = open_with_prices(&[("BUDGET__INSTANCE_MONTH_MONEY", "0.70")]).await;
    refused_in_the_month(&bot).await;
}

/// Returns what `/usage` says after one answer.
async fn usage(bot: &TestBot) -> String {
    let chat = bot.direct();
    assert_eq!(asks(&chat, "one").await, "ok: one");
    chat.says("/usage details");
    chat.hears_with(|message| message.text.contains("You, today"))
        .await
        .text
}

#[tokio::test]
pub async fn currency_is_how_money_is_written() {
    let shown = usage(&open_with_prices(&[("BUDGET__CURRENCY", "EUR")]).await).await;
    assert!(shown.contains("0.70 EUR"), "{shown}");
    let shown = usage(&open_with_prices(&[]).await).await;
    assert!(shown.contains("0.70 USD"), "{shown}");
}

#[tokio::test]
pub async fn price_is_that_of_its_model() {
    let shown = usage(&open_with_prices(&[("PRICES__0__MODEL", "another")]).await).await;
    assert!(
        shown.contains("No price is configured for fake-1"),
        "{shown}"
    );
    let shown = usage(&open(&[]).await).await;
    assert!(shown.contains("No price is configured, so"), "{shown}");
}

#[tokio::test]
pub async fn tokens_cost_what_is_configured() {
    let cheap = [("PRICES__0__CACHED_INPUT", "0.1")];
    let shown = usage(&open_with_prices(&cheap).await).await;
    assert!(shown.contains("0.61 USD"), "{shown}");
    let dear = [
        ("PRICES__0__MODEL", "fake-1"),
        ("PRICES__0__INPUT", "2"),
        ("PRICES__0__OUTPUT", "5"),
    ];
    let shown = usage(&open(&dear).await).await;
    assert!(shown.contains("1.10 USD"), "{shown}");
}
