//! How many statements of the database a plain turn takes: until its answer is handed to delivery,
//! and behind that.

use std::time::Duration;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

/// The most until the answer is a row of the outbox. One of them is that of the typing indicator, which is
/// shown where the answer takes longer than 60 ms, as on a busy machine.
const UNTIL_THE_ANSWER: usize = 23;
/// The most behind that: sending, noting, indexing and remembering.
const BEHIND_THE_ANSWER: usize = 15;

/// How many turns are looked at. What is done now and then, beside turns, makes some of them
/// appear longer; the shortest one counts.
const TURNS: usize = 5;
/// After this time without a statement a turn is over.
const QUIET: Duration = Duration::from_millis(300);
/// What hands the answer to delivery.
const HANDED_OVER: &str = "INSERT INTO outbox";

on_both!(a_plain_turn_takes_few_statements);

async fn a_plain_turn_takes_few_statements(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[]).await;
    // With learning as it is by default.
    bot.set("MEMORY__LEARNING__ENABLED", "true");
    bot.set_variable("SAYSO_LOG", "info,sayso::store::statements=trace");
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    let mut turns = Vec::new();
    for number in 0..=TURNS {
        let begun = statements(&bot).len();
        let answer = format!("Answer {number}.");
        bot.model.says(&answer);
        chat.says(&format!("question {number}"));
        chat.settles(|message| message.text == answer).await;
        quiet(&bot).await;
        // The first one makes the chat and the person.
        if number > 0 {
            turns.push(statements(&bot).split_off(begun));
        }
    }
    let Some(least) = turns.into_iter().min_by_key(Vec::len) else {
        panic!("no turn");
    };
    let handed = least.iter().position(|it| it.starts_with(HANDED_OVER));
    let until = handed.map_or(least.len(), |at| at + 1);
    let behind = least.len() - until;
    let list = least.join("\n");
    assert!(
        until <= UNTIL_THE_ANSWER && behind <= BEHIND_THE_ANSWER,
        "{until} until the answer, {behind} behind it:\n{list}"
    );
    bot.assert_clean();
}

/// Returns the statements that have run, in one line each.
fn statements(bot: &TestBot) -> Vec<String> {
    let log = bot.log();
    let shown = log.lines().filter_map(|line| {
        let (_, text) = line.split_once("sayso::store::statements: ")?;
        let (_, text) = text.split_once("statement=")?;
        let text = text.trim_matches('"').replace("\\n", " ");
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    shown.collect()
}

/// Returns when nothing has run for a moment.
async fn quiet(bot: &TestBot) {
    let mut ran = statements(bot).len();
    loop {
        tokio::time::sleep(QUIET).await;
        let now = statements(bot).len();
        if now == ran {
            return;
        }
        ran = now;
    }
}
