//! The real program in a chat, with the real server: what the prefix cache keeps, a stop, and a
//! server that is killed and comes back.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use reqwest::Client;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::models::{Models, Server};
use crate::platform::Chat;
use crate::test_bot::TestBot;
use crate::{Extent, Figures};

/// How long a turn may take where a prompt of 1,600 tokens is read by one thread of a busy machine.
const PATIENCE: Duration = Duration::from_mins(10);
/// How often what is waited for is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// People write no sooner than this, and the prompt tells the minute.
const A_MINUTE_LATER: Duration = Duration::from_secs(62);
/// An answer that is to be broken off is longer than a busy machine takes to do so.
const LONG_ANSWER: (&str, &str) = ("PROVIDERS__0__MAX_TOKENS", "1000");
/// How often a model may end its answer by itself before it can be stopped.
const TRIES: usize = 5;

/// Plays conversations.
pub async fn play(models: &Models, extent: Extent, figures: &mut Figures) -> anyhow::Result<()> {
    let (model, routing, pause) = match extent {
        Extent::Short => (&models.quick, "off", Duration::ZERO),
        Extent::Whole => (&models.chat, "two_phase", A_MINUTE_LATER),
    };
    let mut server = Server::start(models, model, &[]).await?;
    let short = ("PROVIDERS__0__MAX_TOKENS", "60");
    let bot = open(&server, &[("AGENT__ROUTING", routing), short]).await;
    cache(&bot, pause, figures).await?;
    drop(bot);
    let bot = open(&server, &[("AGENT__ROUTING", "off"), LONG_ANSWER]).await;
    stop(&bot, &server, figures).await?;
    come_back(&bot, &mut server, figures).await
}

/// Starts the program with a model server. What a model babbles that has lost its layers may be a
/// call of a tool, which is not to run.
pub async fn open(server: &Server, settings: &[(&str, &str)]) -> TestBot {
    let mut bot = TestBot::closed(&[
        ("PROVIDERS__0__KIND", "llama"),
        ("PROVIDERS__0__BASE_URL", &server.url),
        ("AGENT__AUTONOMY", "read_only"),
    ])
    .await;
    for (key, value) in settings {
        bot.set(key, value);
    }
    bot.start();
    // It listens, and has its database.
    let chat = bot.direct();
    chat.says("/whoami");
    chat.hears().await;
    bot
}

/// Three turns, of which the later ones find what they begin with in the server's cache.
async fn cache(bot: &TestBot, pause: Duration, figures: &mut Figures) -> anyhow::Result<()> {
    let chat = bot.direct();
    let texts = [
        "What is the capital of France? Answer in one word.",
        "And of Spain?",
        "And of Italy?",
    ];
    figures.note("seconds_between_turns", pause.as_secs());
    for (turn, text) in (1..).zip(texts) {
        if turn > 1 {
            sleep(pause).await;
        }
        let begun = Instant::now();
        says(bot, &chat, text).await?;
        let took = begun.elapsed().as_millis() as u64;
        figures.note(&format!("turn_{turn}_ms"), took);
        for phase in asked(bot).await? {
            let (read, cached) = (phase.prompt_tokens, phase.cached_tokens);
            let name = format!("turn_{turn}_{}", phase.kind);
            figures.note(&format!("{name}_prompt_tokens"), read);
            figures.note(&format!("{name}_cached_tokens"), cached);
            // The same minute or another one: what does not change from turn to turn is not read
            // anew.
            ensure!(
                turn == 1 || cached * 10 >= read * 9,
                "{name} has only {cached} of {read} tokens in the cache"
            );
        }
    }
    Ok(())
}

/// Says something and waits until it is answered.
pub async fn says(bot: &TestBot, chat: &Chat, text: &str) -> anyhow::Result<()> {
    let before = ended(bot).await;
    chat.says(text);
    until(|| async { ended(bot).await > before })
        .await
        .context("a turn does not end")
}

/// Returns how many turns have ended.
async fn ended(bot: &TestBot) -> usize {
    let query = "SELECT CAST(id AS TEXT) FROM turns WHERE ended_ms IS NOT NULL";
    bot.rows(query).await.len()
}

/// What a call of the model cost.
struct Phase {
    /// `routed` or `replied`.
    kind: String,
    prompt_tokens: u64,
    cached_tokens: u64,
}

/// Returns the calls of the last turn: at least the one that answered.
async fn asked(bot: &TestBot) -> anyhow::Result<Vec<Phase>> {
    let query = "SELECT kind || ' ' || body FROM journal
        WHERE turn_id = (SELECT max(id) FROM turns) AND kind IN ('routed', 'replied')";
    let mut phases = Vec::new();
    for row in bot.rows(query).await {
        let (kind, body) = row.split_once(' ').context("no entry of a journal")?;
        let body: Value = serde_json::from_str(body)?;
        let count = |name: &str| {
            let count = body.get("usage").and_then(|usage| usage.get(name));
            count.and_then(Value::as_u64).unwrap_or_default()
        };
        // Rules may have found a route without the model.
        if count("prompt_tokens") > 0 {
            phases.push(Phase {
                kind: kind.to_owned(),
                prompt_tokens: count("prompt_tokens"),
                cached_tokens: count("cached_tokens"),
            });
        }
    }
    let is_answered = phases.iter().any(|phase| phase.kind == "replied");
    ensure!(is_answered, "the last turn was not answered by the model");
    Ok(phases)
}

/// Stops an answer in the middle: the server is to break it off.
async fn stop(bot: &TestBot, server: &Server, figures: &mut Figures) -> anyhow::Result<()> {
    let chat = bot.direct();
    for _ in 0..TRIES {
        let (before, cancelled) = (ended(bot).await, server.cancelled());
        chat.says("Write a very long story about a dog, as long as you can.");
        begins(bot, server, before).await?;
        let begun = Instant::now();
        chat.says("/stop");
        until(|| async { ended(bot).await > before })
            .await
            .context("a turn does not end that is stopped")?;
        bot.has_said_all().await;
        let stopped = chat.messages().iter().any(|it| it.text.contains('⏹'));
        if !stopped {
            continue;
        }
        until(|| async { server.cancelled() > cancelled })
            .await
            .context("the server works on after a stop")?;
        let took = begun.elapsed().as_millis() as u64;
        figures.note("stop_frees_the_server_ms", took);
        return Ok(());
    }
    anyhow::bail!("nothing was stopped, {TRIES} times")
}

/// The first outcome of a question.
#[derive(Debug, PartialEq, Eq)]
enum First {
    Written,
    Ended,
}

/// Waits until the server writes an answer, or more turns have ended than before.
async fn begins(bot: &TestBot, server: &Server, before: usize) -> anyhow::Result<First> {
    let client = Client::builder().no_proxy().build()?;
    let begins = async {
        loop {
            let slots = client.get(format!("{}/slots", server.url)).send().await;
            let slots: Value = match slots {
                Ok(slots) => slots.json().await.unwrap_or_default(),
                Err(_) => Value::Null,
            };
            let decoded = slots.pointer("/0/next_token/0/n_decoded");
            if decoded.and_then(Value::as_u64).unwrap_or_default() > 0 {
                return First::Written;
            }
            if ended(bot).await > before {
                return First::Ended;
            }
            sleep(LOOK).await;
        }
    };
    timeout(PATIENCE, begins)
        .await
        .context("nothing is written")
}

async fn until<F: Future<Output = bool>>(mut is_so: impl FnMut() -> F) -> anyhow::Result<()> {
    let waits = async {
        while !is_so().await {
            sleep(LOOK).await;
        }
    };
    timeout(PATIENCE, waits).await.context("waited in vain")
}

/// Kills the server in the middle of an answer and starts another one in its place.
async fn come_back(
    bot: &TestBot,
    server: &mut Server,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let chat = bot.direct();
    let before = ended(bot).await;
    chat.says("Write a very long story about a cat, as long as you can.");
    begins(bot, server, before).await?;
    server.kill().await?;
    until(|| async { ended(bot).await > before })
        .await
        .context("a turn does not end whose server is killed")?;
    let told = chat
        .settles(|message| message.text.contains("cannot reach the model"))
        .await;
    let told = told.text.lines().next().unwrap_or_default();
    figures.note("killed_server_is_told", told);
    server.start_again().await?;
    let before = ended(bot).await;
    chat.says("What is the capital of France? Answer in one word.");
    let first = begins(bot, server, before).await?;
    figures.note("after_the_restart", format!("{first:?}"));
    if first == First::Ended {
        // A turn that failed has ended as well.
        asked(bot).await?;
        return Ok(());
    }
    // A model without most of its layers finds no end.
    chat.says("/stop");
    until(|| async { ended(bot).await > before })
        .await
        .context("a turn does not end after a restart")
}
