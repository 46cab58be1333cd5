//! A verdict, a stop, an expiry and a new message at the same moment.

use std::time::Duration;

use sayso_fakes::Message;

use super::{Dice, asks, card_of, closed, group, hears, is_open_card, mark, marks, obedient};
use crate::platform::{Chat, Platform, dropped_by, on_both};
use crate::test_bot::TestBot;

on_both!(
    verdicts_and_a_stop_have_one_outcome,
    a_verdict_a_stop_and_a_new_message_are_each_answered,
    a_stop_at_any_moment_of_asking_leaves_no_open_card,
    an_approved_call_runs_at_most_once_when_sayso_is_killed_after_the_press,
    nothing_runs_after_a_stop_and_no_one_stops_for_others,
    a_card_expires_unless_it_was_answered_in_time
);

/// How often each race is run, in another order and with other pauses each time.
const ROUNDS: usize = 12;
/// How many cards are answered about when they expire.
const EXPIRING: usize = 8;

/// What may happen at the same moment.
#[derive(Clone, Copy)]
enum Event {
    Press(&'static str),
    Stop,
    Message,
}

/// Has the events happen in this order with small random pauses, none waiting for another.
/// Returns what the presses were told.
async fn happen(
    bot: &TestBot,
    chat: &Chat,
    card: &Message,
    events: &[Event],
    dice: &mut Dice,
) -> Vec<String> {
    let mut presses = Vec::new();
    for event in events {
        match event {
            Event::Press(label) => {
                let press = chat.presses_token(&bot.ann, card.id, &card.token(label));
                presses.push((label, press));
            }
            Event::Stop => drop(chat.says("/stop")),
            Event::Message => drop(chat.says("how are you?")),
        }
        // From nothing to about the time that a turn takes to go on.
        let pause = [0, 0, 2, 5, 10, 20, 40][dice.below(7)];
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    let mut told = Vec::new();
    for (label, press) in presses {
        let answer = press.answered().await.text;
        let taken = if *label == "Approve" {
            "Approved."
        } else {
            "Denied."
        };
        told.push(answer.unwrap_or_else(|| taken.to_owned()));
    }
    told
}

/// Returns how many messages of the bot begin with one of these.
fn count(messages: &[Message], beginnings: &[&str]) -> usize {
    let ours = messages.iter().filter(|message| message.is_from_bot());
    ours.filter(|message| {
        beginnings
            .iter()
            .any(|beginning| message.text.starts_with(beginning))
    })
    .count()
}

/// The outcomes that a turn may have here.
const OUTCOMES: [&str; 3] = ["result: ", "ok: ", "⏹ Stopped."];
/// The replies to a stop that comes when all is done, or finds only messages to drop.
const NOTHING_TO_STOP: [&str; 2] = ["Nothing of yours is running here.", "⏹ One message"];

/// Runs a race in a direct chat over and over and returns that chat once all is done.
async fn race(bot: &TestBot, seed: u64, events: &[Event]) -> Chat {
    let mut dice = Dice(seed);
    let chat = bot.direct();
    let mut approved = Vec::new();
    for round in 0..ROUNDS {
        let name = format!("r{round}");
        let card = asks(bot, &chat, &name).await;
        let mut events = events.to_vec();
        dice.shuffle(&mut events);
        let told = happen(bot, &chat, &card, &events, &mut dice).await;
        assert!(
            told.iter().filter(|told| is_yes_or_no(told)).count() <= 1,
            "{told:?}"
        );
        if told.iter().any(|told| told == "Approved.") {
            approved.push(name);
        }
        closed(&chat, card.id).await;
        chat.sees(|messages| count(messages, &OUTCOMES) > round)
            .await;
        // A stop is for what was said before it, and no platform promises to deliver it in order.
        bot.has_heard_all().await;
    }
    chat.says("the end");
    hears(&chat, "ok: the end").await;
    let ran = marks(bot);
    let mut once = ran.clone();
    once.dedup();
    assert_eq!(ran, once, "nothing runs twice");
    assert!(
        ran.iter().all(|name| approved.contains(name)),
        "{ran:?} of {approved:?}"
    );
    assert!(!chat.messages().iter().any(is_open_card));
    chat
}

fn is_yes_or_no(told: &str) -> bool {
    ["Approved.", "Denied."].contains(&told)
}

/// Every turn has ended and said exactly one outcome; of one that expired its card says it.
async fn assert_one_outcome_each(bot: &TestBot) {
    let wrong = bot
        .rows(
            "SELECT t.request || ': ' || t.state || ', ' || count(o.id) FROM turns t
             LEFT JOIN outbox o ON o.turn_id = t.id AND o.purpose = 'final'
             GROUP BY t.id
             HAVING t.state <> 'ended'
                 OR count(o.id) + EXISTS (SELECT 1 FROM held_calls h WHERE h.turn_id = t.id
                                            AND h.verdict = 'expired') <> 1",
        )
        .await;
    assert!(wrong.is_empty(), "{wrong:?}");
}

async fn verdicts_and_a_stop_have_one_outcome(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let events = [Event::Press("Approve"), Event::Press("Deny"), Event::Stop];
    let chat = race(&bot, 0x5A15_0010, &events).await;
    let messages = chat.messages();
    // The last one is the end itself.
    assert_eq!(count(&messages, &OUTCOMES), ROUNDS + 1);
    // A stop that comes while the answer is sent keeps what was said.
    let kept = |message: &&Message| message.text.contains("\n\n⏹ stopped");
    let stopped = count(&messages, &["⏹ Stopped."]) + messages.iter().filter(kept).count();
    assert_eq!(
        stopped + count(&messages, &NOTHING_TO_STOP),
        ROUNDS,
        "every stop is answered\n{}",
        chat.transcript()
    );
    assert_one_outcome_each(&bot).await;
    bot.assert_clean();
}

async fn a_verdict_a_stop_and_a_new_message_are_each_answered(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let events = [Event::Press("Approve"), Event::Stop, Event::Message];
    race(&bot, 0x5A15_0020, &events).await;
    assert_one_outcome_each(&bot).await;
    let dropped: usize = bot
        .direct()
        .messages()
        .iter()
        .map(|message| dropped_by(&message.text))
        .sum();
    let unheard = bot
        .rows("SELECT said FROM inbox WHERE state <> 'heard' AND said = 'how are you?'")
        .await;
    assert_eq!(
        unheard.len(),
        dropped,
        "what no turn heard was dropped, and that was said"
    );
    bot.assert_clean();
}

async fn a_stop_at_any_moment_of_asking_leaves_no_open_card(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let mut dice = Dice(0x5A15_0030);
    let chat = bot.direct();
    for round in 0..ROUNDS {
        chat.says(&format!("run: {}", mark(&bot, "a")));
        tokio::time::sleep(Duration::from_millis(dice.below(60) as u64)).await;
        chat.says("/stop");
        let outcomes = ["⏹ Stopped.", "⏹ One message"];
        chat.sees(|messages| count(messages, &outcomes) == round + 1)
            .await;
    }
    chat.says("the end");
    hears(&chat, "ok: the end").await;
    chat.sees(|messages| !messages.iter().any(is_open_card))
        .await;
    assert!(marks(&bot).is_empty());
    assert_one_outcome_each(&bot).await;
    bot.assert_clean();
}

async fn an_approved_call_runs_at_most_once_when_sayso_is_killed_after_the_press(
    platform: Platform,
) {
    let mut bot = obedient(platform, &[]).await;
    let mut dice = Dice(0x5A15_0040);
    let chat = bot.direct();
    for round in 0..ROUNDS / 2 {
        let card = asks(&bot, &chat, &format!("k{round}")).await;
        chat.press(&bot.ann, card.id, "Approve").await;
        tokio::time::sleep(Duration::from_millis(dice.below(50) as u64)).await;
        bot.crash().await;
        closed(&chat, card.id).await;
        chat.sees(|messages| count(messages, &["result: "]) > round)
            .await;
    }
    chat.says("the end");
    hears(&chat, "ok: the end").await;
    let ran = marks(&bot);
    let mut once = ran.clone();
    once.dedup();
    assert_eq!(ran, once);
    assert_one_outcome_each(&bot).await;
    bot.assert_clean();
}

async fn nothing_runs_after_a_stop_and_no_one_stops_for_others(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    let pipe = bot.path("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let waits = |name: &str| {
        format!(
            "@sayso_bot run: read line < {}; {}",
            pipe.display(),
            mark(&bot, name)
        )
    };
    // The pipe lies outside of the workspace, so an owner approves it, who must be known.
    let owner = bot.direct();
    owner.says("/whoami");
    hears(&owner, "owner").await;
    chat.says_as(&bot.bob, &waits("bob"));
    let card = card_of(&chat, "bob").await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text.contains("▸ read line"))
        .await;
    chat.says("/stop");
    hears(&chat, "⏹ Stopped.").await;
    chat.says(&waits("ann"));
    let card = card_of(&chat, "ann").await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.sees(|messages| count(messages, &["▸ read line"]) == 1)
        .await;
    chat.says_as(&bot.bob, "/stop");
    hears(&chat, "Nothing of yours is running here.").await;
    // Opening the pipe waits for its reader, which is Ann's command and no other.
    let opened = tokio::task::spawn_blocking(move || std::fs::write(&pipe, "go\n"));
    opened.await.unwrap().unwrap();
    hears(&chat, "./mark-ann.").await;
    assert_eq!(marks(&bot), ["ann"]);
    bot.assert_clean();
}

async fn a_card_expires_unless_it_was_answered_in_time(platform: Platform) {
    let bot = obedient(platform, &[("POLICY__APPROVAL_EXPIRES_SECS", "10")]).await;
    let chat = bot.direct();
    let began = tokio::time::Instant::now();
    let mut cards = Vec::new();
    for number in 0..=EXPIRING {
        cards.push(asks(&bot, &chat, &format!("e{number}")).await);
    }
    let untouched = cards.pop().unwrap();
    // The first cards are answered in time, the last ones are not.
    tokio::time::sleep_until(began + Duration::from_millis(9_500)).await;
    let mut approved = Vec::new();
    for (number, card) in cards.iter().enumerate() {
        let told = chat
            .press_token(&bot.ann, card.id, &card.token("Approve"))
            .await;
        match told.text.as_deref().unwrap_or("Approved.") {
            "Approved." => approved.push(format!("e{number}")),
            "Too late: this has expired. Ask again if you still want it." => {}
            other => panic!("{other}"),
        }
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    let expired = closed(&chat, untouched.id).await;
    assert!(expired.text.starts_with("⌛ Not run"), "{expired}");
    let all = EXPIRING + 1;
    let ended = ["result: ", "⌛ Not run"];
    chat.sees(|messages| count(messages, &ended) == all).await;
    let told = chat
        .press_token(&bot.ann, untouched.id, &untouched.token("Approve"))
        .await;
    assert!(told.text.unwrap().starts_with("Too late"));
    assert_eq!(marks(&bot), approved);
    bot.has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE state <> 'ended')")
        .await;
    // An expiry asks no model: one call for each turn, and one for each result.
    assert_eq!(bot.model.turn_requests().len(), all + approved.len());
    assert!(!chat.messages().iter().any(is_open_card));
    assert_one_outcome_each(&bot).await;
    bot.assert_clean();
}
