//! A thousand wrong presses, while two hundred turns run.

use std::time::Duration;

use sayso_fakes::{Answer, Gate, Message, Person, Press};

use super::{asks, card_of, closed, hears, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(a_thousand_wrong_presses_while_two_hundred_turns_run);

/// How many turns run meanwhile.
const TURNS: i64 = 200;
/// How many presses there are of each kind.
const EACH: usize = 125;
/// How long a press may stay unanswered: Discord takes answers for three seconds.
const ANSWERED_WITHIN: Duration = Duration::from_secs(3);

const DECIDED: &str = "This was already decided. Nothing changed.";
const DOES_NOTHING: &str = "This button does nothing here.";
const NOT_FOR_YOU: &str = "This button is not for you.";
const NOT_YOURS: &str = "Only the person who asked, or an owner, can answer this.";
const TOO_LATE: &str = "Too late: this has expired. Ask again if you still want it.";

/// An unauthorized or expired press, and the expected notice.
struct Wrong<'a> {
    chat: &'a Chat,
    presser: &'a Person,
    message: i64,
    token: String,
    told: &'static str,
}

async fn a_thousand_wrong_presses_while_two_hundred_turns_run(platform: Platform) {
    let bot = bot_of(platform).await;
    let (ann, carol) = (bot.direct(), bot.person(103, "Carol"));
    let group = bot.group("Friends");
    let (anns, bobs) = (group.with(&bot.ann), group.with(&bot.bob));
    let old = decided(&bot, &ann).await;
    let expired = expired(&bot, &ann).await;
    let open = asks(&bot, &ann, "open").await;
    anns.says(&format!("@sayso_bot run: {}", mark(&bot, "grouped")));
    let grouped = card_of(&group, "grouped").await;
    let before = marks(&bot);

    let wrong = |chat, presser, card: &Message, token: String, told| Wrong {
        chat,
        presser,
        message: card.id,
        token,
        told,
    };
    let kinds = [
        wrong(&ann, &bot.ann, &old, old.token("Approve"), DECIDED),
        wrong(&ann, &bot.ann, &expired, expired.token("Approve"), TOO_LATE),
        wrong(
            &bobs,
            &bot.bob,
            &grouped,
            grouped.token("Approve"),
            NOT_YOURS,
        ),
        wrong(
            &group,
            &carol,
            &grouped,
            grouped.token("Approve"),
            NOT_FOR_YOU,
        ),
        wrong(
            &anns,
            &bot.ann,
            &grouped,
            open.token("Approve"),
            DOES_NOTHING,
        ),
        wrong(&ann, &bot.ann, &open, "y:%".to_owned(), DOES_NOTHING),
        wrong(
            &ann,
            &bot.ann,
            &open,
            format!("ad.in:{}", "0".repeat(32)),
            DOES_NOTHING,
        ),
        wrong(
            &ann,
            &bot.ann,
            &open,
            format!("q.0-0:{}", "f".repeat(32)),
            DOES_NOTHING,
        ),
    ];
    let work = at_work(&bot).await;
    press_all(&kinds).await;
    work.open();
    for number in 0..TURNS {
        worker(&bot, number)
            .hears_with(|message| message.text.starts_with("worked"))
            .await;
    }
    assert_eq!(marks(&bot), before, "nothing ran");
    for (chat, card) in [(&ann, &open), (&group, &grouped)] {
        assert_eq!(chat.message(card.id).labels(), card.labels());
    }
    ann.press(&bot.ann, open.id, "Approve").await;
    hears(&ann, "./mark-open.").await;
    bot.assert_clean();
}

/// Starts a bot that lets everybody in but Carol, with a model that obeys and works.
async fn bot_of(platform: Platform) -> TestBot {
    let workers: Vec<i64> = (0..TURNS)
        .map(|number| 1_000 + number)
        .chain([102])
        .collect();
    let allowed = platform.accounts(&workers);
    let settings = [
        ("ACCESS__ALLOW", &*allowed),
        ("AGENT__CONCURRENT_TURNS", "256"),
    ];
    obedient(platform, &settings).await
}

/// Returns a card that was denied.
async fn decided(bot: &TestBot, chat: &Chat) -> Message {
    let card = asks(bot, chat, "old").await;
    chat.press(&bot.ann, card.id, "Deny").await;
    closed(chat, card.id).await;
    hears(chat, "result: [failed] not run").await;
    card
}

/// Returns a card that expired without an answer.
async fn expired(bot: &TestBot, chat: &Chat) -> Message {
    let card = asks(bot, chat, "expired").await;
    bot.change("UPDATE cards SET expires_ms = expires_ms - 7200000 WHERE state = 'open'")
        .await;
    closed(chat, card.id).await;
    card
}

/// The direct chat of somebody who has Sayso at work.
fn worker(bot: &TestBot, number: i64) -> Chat {
    bot.direct_with(&bot.person(1_000 + number, "Worker"))
}

/// Has two hundred turns at work, each in a chat of its own; they end when the gate opens.
async fn at_work(bot: &TestBot) -> Gate {
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let works = !request.is_routing() && request.last_user().contains("please work");
        let answer = Answer::text("worked, and worked, and worked").chunks_of(4);
        works.then(|| answer.held_after(2, &held))
    });
    for number in 0..TURNS {
        worker(bot, number).says("please work");
        if (number + 1) % 50 == 0 {
            gate.reached_by(number as usize + 1).await;
        }
    }
    gate.reached_by(TURNS as usize).await;
    gate
}

/// Presses some dozens of buttons at a time, a thousand in all, and waits for each answer. One that
/// takes too long to come with words comes without.
async fn press_all(kinds: &[Wrong<'_>]) {
    let mut slowest = Duration::ZERO;
    let (mut answered, mut told) = (0, 0);
    for round in (0..EACH).step_by(4) {
        let rounds = 4.min(EACH - round);
        let all = std::iter::repeat_n(kinds, rounds).flatten();
        let presses: Vec<(&Wrong<'_>, Press)> = all
            .map(|wrong| {
                let chat = wrong.chat;
                let press = chat.presses_token(wrong.presser, wrong.message, &wrong.token);
                (wrong, press)
            })
            .collect();
        for (wrong, press) in presses {
            let outcome = press.answered().await;
            if let Some(text) = &outcome.text {
                assert_eq!(text, wrong.told, "{}", wrong.token);
                told += 1;
            }
            slowest = slowest.max(outcome.answered_in);
            answered += 1;
        }
    }
    assert_eq!(answered, 1_000);
    assert!(told > 500, "only {told} were told anything");
    assert!(slowest < ANSWERED_WITHIN, "{slowest:?}");
}
