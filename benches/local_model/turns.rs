//! The real program in a chat, with the real server: what the prefix cache keeps, a stop, and a server that
//! is killed and comes back.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use reqwest::Client;
use serde_json::Value;

use crate::house::House;
use crate::models::{Models, Server};
use crate::platform::Chat;
use crate::{Extent, Figures};

/// How long a turn may take where a prompt of 1,600 tokens is read by one thread of a busy machine.
const PATIENCE: Duration = Duration::from_mins(10);
/// How soon a stop must have reached the server.
const STOPPED_WITHIN: Duration = Duration::from_secs(10);
/// People write no sooner than this, and the prompt tells the minute.
const A_MINUTE_LATER: Duration = Duration::from_secs(62);

/// Plays a conversation.
pub async fn play(
    models: &Models,
    server: Server,
    extent: Extent,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let mut house = House::closed(&[
        ("PROVIDERS__0__KIND", "llama"),
        ("PROVIDERS__0__BASE_URL", &server.url),
        ("PROVIDERS__0__MAX_TOKENS", "400"),
        ("MEMORY__LEARNING__ENABLED", "false"),
    ])
    .await;
    house.start();
    let chat = house.direct();
    let pause = match extent {
        Extent::Short => Duration::ZERO,
        Extent::Whole => A_MINUTE_LATER,
    };
    let texts = [
        "What is the capital of France? Answer in one word.",
        "And of Spain?",
        "And of Italy?",
    ];
    for (turn, text) in texts.into_iter().enumerate() {
        if turn > 0 {
            tokio::time::sleep(pause).await;
        }
        let begun = Instant::now();
        chat.says(text);
        ended(&house, turn + 1).await?;
        figures.note(
            &format!("turn_{}_ms", turn + 1),
            begun.elapsed().as_millis() as u64,
        );
        let (read, cached) = tokens(&house).await?;
        figures.note(&format!("turn_{}_prompt_tokens", turn + 1), read);
        figures.note(&format!("turn_{}_cached_tokens", turn + 1), cached);
        // The same minute or another one: what does not change from turn to turn is not read anew.
        ensure!(
            turn == 0 || cached > 0,
            "nothing is cached in turn {}",
            turn + 1
        );
    }
    figures.note("seconds_between_turns", pause.as_secs());
    stop(&house, &chat, &server, figures).await?;
    come_back(&house, &chat, models, server, figures).await
}

/// Waits until so many turns have ended.
async fn ended(house: &House, turns: usize) -> anyhow::Result<()> {
    let all = async {
        let query = "SELECT CAST(count(*) AS TEXT) FROM turns WHERE ended_ms IS NOT NULL";
        while house.rows(query).await != [turns.to_string()] {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let ended = tokio::time::timeout(PATIENCE, all).await;
    ended.with_context(|| format!("turn {turns} does not end"))
}

/// Returns how many tokens the prompts of the last turn had, and how many of these were cached.
async fn tokens(house: &House) -> anyhow::Result<(u64, u64)> {
    let mut show = house.command();
    let shown = show
        .args(["trace", "show", "last"])
        .stdout(std::process::Stdio::piped());
    let shown = String::from_utf8(shown.output().await?.stdout)?;
    let line = shown.lines().find(|line| line.contains(" cached)"));
    let line = line.with_context(|| format!("no tokens in {shown}"))?;
    let (read, behind) = line.split_once(" tokens in (").context("no tokens in")?;
    let (cached, _) = behind
        .split_once(" cached")
        .context("nothing on the cache")?;
    let number = |text: &str| {
        let last = text.rsplit(' ').next().unwrap_or_default();
        last.replace(',', "").parse::<u64>()
    };
    Ok((number(read)?, number(cached)?))
}

/// Stops an answer in the middle; the server is to be free at once.
async fn stop(
    house: &House,
    chat: &Chat,
    server: &Server,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let before = turns_so_far(house).await?;
    chat.says("Write a very long story about a dog, as long as you can.");
    is_busy(server, true).await?;
    let begun = Instant::now();
    chat.says("/stop");
    is_busy(server, false).await?;
    let took = begun.elapsed();
    ended(house, before + 1).await?;
    figures.note("stop_frees_the_server_ms", took.as_millis() as u64);
    ensure!(took < STOPPED_WITHIN, "the server works on after a stop");
    Ok(())
}

async fn turns_so_far(house: &House) -> anyhow::Result<usize> {
    let counted = house.rows("SELECT CAST(count(*) AS TEXT) FROM turns").await;
    Ok(counted.first().context("no turns")?.parse()?)
}

/// Waits until the server answers somebody, or nobody.
async fn is_busy(server: &Server, expected: bool) -> anyhow::Result<()> {
    let client = Client::builder().no_proxy().build()?;
    let looks = async {
        loop {
            let slots = client.get(format!("{}/slots", server.url)).send().await;
            let slots: Value = match slots {
                Ok(slots) => slots.json().await.unwrap_or_default(),
                Err(_) => Value::Null,
            };
            if slots.pointer("/0/is_processing").and_then(Value::as_bool) == Some(expected) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let looked = tokio::time::timeout(PATIENCE, looks).await;
    looked.context("the server's slot does not change")
}

/// Kills the server in the middle of an answer and starts another one in its place.
async fn come_back(
    house: &House,
    chat: &Chat,
    models: &Models,
    server: Server,
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let before = turns_so_far(house).await?;
    chat.says("Write a very long story about a cat, as long as you can.");
    is_busy(&server, true).await?;
    let port = format!("port={}", server.port());
    server.kill().await?;
    ended(house, before + 1).await?;
    let told = chat
        .settles(|message| message.text.contains("could not reach the model"))
        .await;
    figures.note(
        "killed_server_is_told",
        told.text.lines().next().unwrap_or_default(),
    );
    let _back = Server::start(models, &models.chat, &[&port]).await?;
    chat.says("What is the capital of France? Answer in one word.");
    ended(house, before + 2).await?;
    let last = chat.messages().pop().context("nothing is said")?;
    figures.note(
        "after_the_restart",
        last.text.lines().next().unwrap_or_default(),
    );
    ensure!(
        !last.text.contains('⚠'),
        "nothing is answered after a restart"
    );
    Ok(())
}
