//! A platform that is away while people wait for answers: nothing is lost, doubled or out of order, the
//! tries become rare, what waits is on disk and not in memory, and health says so.

use sayso_fakes::{Answer, Gate, Message};

use super::line::Line;
use crate::health::{get, health_until, window_of};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{PATIENCE, TestBot, eventually};

on_both!(what_is_to_be_said_while_the_platform_is_away_is_said_once_and_in_order);

/// How many people wait, and for how many answers each.
const PEOPLE: i64 = 12;
const MESSAGES: usize = 4;
/// Every answer is an outbox row that waits.
const ALL_WAIT: &str = "SELECT 'all' WHERE (SELECT count(*) FROM outbox
     WHERE state = 'pending' AND purpose = 'final') = 48";
/// What is logged of each try in vain.
const IN_VAIN: &str = "platform unreachable";

async fn what_is_to_be_said_while_the_platform_is_away_is_said_once_and_in_order(
    platform: Platform,
) {
    let (mut bot, mut line) = bot_on_a_line(platform).await;
    let window = window_of(&bot).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        Some(Answer::text(format!("ok: {}", request.last_user())).held_by(&held))
    });
    let chats: Vec<Chat> = (0..PEOPLE)
        .map(|number| bot.direct_with(&bot.person(7_000 + number, &format!("Guest{number}"))))
        .collect();
    for number in 1..=MESSAGES {
        for chat in &chats {
            chat.says(&number.to_string());
        }
    }
    bot.has_heard_all().await;
    gate.reached_by(PEOPLE as usize).await;

    goes_away(&bot, &mut line).await;
    gate.open();
    bot.has_noted(ALL_WAIT).await;
    let (status, report) = health_until(&window, PATIENCE, |status, _| status == 503).await;
    assert_eq!(
        report["channels"][0]["status"], "waiting",
        "{status} {report}"
    );
    // A row that is being tried is none that waits.
    let waiting = async {
        let line = "sayso_outbox_rows{state=\"pending\"} 48";
        while !get(&window, "/metrics").await.1.contains(line) {}
    };
    assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok());
    // Each chat has one row on its way; four tries of each take more than three seconds.
    let tries = || bot.log().matches(IN_VAIN).count();
    eventually("so many tries", || tries() >= 4 * chats.len()).await;
    assert!(tries() <= 8 * chats.len(), "{} tries", tries());
    for chat in &chats {
        chat.says("late");
    }

    comes_back(&bot, &mut line).await;
    let expected: Vec<String> = ["1", "2", "3", "4", "late"]
        .map(|said| format!("ok: {said}"))
        .to_vec();
    for chat in &chats {
        chat.settles(|message| message.text == "ok: late").await;
        let answers = chat.messages().into_iter();
        let answers: Vec<String> = answers
            .filter(Message::is_from_bot)
            .map(|message| message.text)
            .collect();
        assert_eq!(answers, expected);
    }
    health_until(&window, PATIENCE, |status, _| status == 200).await;
    assert_eq!(bot.stop().await, Some(0));
    bot.assert_clean();
}

/// Starts a bot whose requests to its platform go over a line.
async fn bot_on_a_line(platform: Platform) -> (TestBot, Line) {
    let settings = [
        ("ACCESS__ALLOW", platform.everybody()),
        ("AGENT__ROUTING", "off"),
        ("HTTP__LISTEN", "127.0.0.1:0"),
    ];
    let mut bot = TestBot::closed_on(platform, &settings).await;
    let (server, key) = match platform {
        Platform::Telegram => (bot.telegram.url(), "CHANNELS__TELEGRAM__API_URL"),
        Platform::Discord => (bot.discord.url(), "CHANNELS__DISCORD__API_URL"),
    };
    let (line, url) = Line::to(&server).await;
    bot.set(key, &url);
    bot.start();
    bot.settles_in().await;
    (bot, line)
}

async fn goes_away(bot: &TestBot, line: &mut Line) {
    line.is_cut().await;
    if bot.platform == Platform::Discord {
        bot.discord.goes_away();
    }
}

async fn comes_back(bot: &TestBot, line: &mut Line) {
    line.is_mended().await;
    if bot.platform == Platform::Discord {
        bot.discord.comes_back();
    }
}
