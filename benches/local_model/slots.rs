//! Parallel routing with the real server: with one slot Phase 2 waits for Phase 1, with two both are
//! asked at once. What the server works on at the same moment is read from its `/slots`
//! (<https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md>).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use reqwest::Client;
use serde_json::Value;
use tokio::time::sleep;

use crate::models::{Models, Server};
use crate::turns::{open, says};
use crate::{Extent, Figures};

/// How often the server is asked what it works on. A call of the model takes seconds.
const LOOK: Duration = Duration::from_millis(20);
/// No free rule says which skill this wants, and none is needed, so the free rules guess "no skill".
const MESSAGE: &str = "What is the capital of France? Answer in one word.";

/// Says the same to a server of one slot and to one of two, and compares what each was asked.
pub async fn play(models: &Models, extent: Extent, figures: &mut Figures) -> anyhow::Result<()> {
    let model = match extent {
        Extent::Short => &models.quick,
        Extent::Whole => &models.chat,
    };
    for slots in [1, 2] {
        let asked = turn(models, model, slots).await?;
        figures.note(&format!("slots_{slots}_busy_at_once"), asked.busy);
        figures.note(&format!("slots_{slots}_guessed"), asked.has_guessed);
        ensure!(
            asked.busy == slots && asked.has_guessed == (slots == 2),
            "a server of {slots} slots worked on {} calls at once; guessed: {}",
            asked.busy,
            asked.has_guessed
        );
    }
    Ok(())
}

/// What one turn asked of the server.
struct Asked {
    /// On how many calls it worked at the same moment, at most.
    busy: usize,
    /// Whether the journal has a guess.
    has_guessed: bool,
}

async fn turn(models: &Models, model: &std::path::Path, slots: usize) -> anyhow::Result<Asked> {
    let settings = [format!("n_parallel={slots}"), "n_ctx=16384".to_owned()];
    let settings = settings.each_ref().map(String::as_str);
    let server = Server::start(models, model, &settings).await?;
    let routing = [
        ("AGENT__ROUTING", "parallel"),
        ("PROVIDERS__0__MAX_TOKENS", "60"),
    ];
    let bot = open(&server, &routing).await;
    // How many slots a server has is known once it has been asked something.
    says(&bot, &bot.direct(), MESSAGE).await?;
    let busiest = Arc::new(AtomicUsize::new(0));
    let watch = tokio::spawn(watch(server.url.clone(), Arc::clone(&busiest)));
    let said = says(&bot, &bot.direct(), MESSAGE).await;
    watch.abort();
    said?;
    let query = "SELECT body FROM journal
        WHERE turn_id = (SELECT max(id) FROM turns) AND kind = 'routed'";
    let routed = bot.rows(query).await.pop().context("nothing was routed")?;
    let routed: Value = serde_json::from_str(&routed)?;
    Ok(Asked {
        busy: busiest.load(Ordering::Relaxed),
        has_guessed: routed.get("guess").is_some(),
    })
}

/// Notes on how many calls the server works at the same moment, until it is aborted.
async fn watch(url: String, busiest: Arc<AtomicUsize>) -> anyhow::Result<()> {
    let client = Client::builder().no_proxy().build()?;
    loop {
        let slots: Value = client
            .get(format!("{url}/slots"))
            .send()
            .await?
            .json()
            .await?;
        let busy = slots.as_array().into_iter().flatten();
        let busy = busy.filter(|slot| slot["is_processing"] == Value::Bool(true));
        busiest.fetch_max(busy.count(), Ordering::Relaxed);
        sleep(LOOK).await;
    }
}
