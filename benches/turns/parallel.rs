//! `routing = "parallel"` beside `"two_phase"` in one run: the labelled messages of `tests/data`, each
//! routed as its label says, and a burst.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use sayso_fakes::{Answer, ModelRequest};
use serde::Deserialize;

use super::burst;
use super::figures::Figures;
use super::latency;
use super::line::Line;
use super::platform::Platform;
use super::process::Process;
use super::world::World;

/// How long the model takes for each call.
const MODEL_TIME: Duration = Duration::from_millis(100);
/// The label of messages that need no skill.
const DIRECT: &str = "direct";
/// How many of these messages a person says.
const EACH: usize = 20;
/// How many chats a burst has; the default of `agent.concurrent_turns` is 64.
const BURST: usize = 200;

/// The messages of one label.
#[derive(Debug, Deserialize)]
struct Labelled {
    en: Vec<String>,
    zh: Vec<String>,
}

/// What one way of routing came to.
struct Talked {
    whole: Figures,
    /// Of all prompts, in bytes: what tokens are in proportion to.
    sent_bytes: f64,
    calls: f64,
}

/// Measures both ways, twice, in turns.
pub async fn take(platform: Platform, line: &mut Line) -> anyhow::Result<()> {
    let mut labels = BTreeMap::new();
    for set in ["routing", "routing_held_out"] {
        labels.extend(read(set)?);
    }
    let alone = talk(platform, &labels, "two_phase").await?;
    let beside = talk(platform, &labels, "parallel").await?;
    let call_ms = MODEL_TIME.as_secs_f64() * 1000.0;
    for (name, talked) in [("two_phase", &alone), ("parallel", &beside)] {
        let (median, slow) = (talked.whole.median(), talked.whole.p95());
        line.note(&format!("{name}_calls_of_time_p50"), median / call_ms);
        line.note(&format!("{name}_calls_of_time_p95"), slow / call_ms);
        line.note(&format!("{name}_calls_per_turn"), talked.calls);
    }
    let more = beside.sent_bytes / alone.sent_bytes - 1.0;
    line.note("parallel_more_input_percent", more * 100.0);
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    for routing in ["two_phase", "parallel", "parallel", "two_phase"] {
        let per_second = burst_of(platform, routing).await?;
        match routing {
            "parallel" => beside.push(per_second),
            _ => alone.push(per_second),
        }
    }
    let (alone, beside) = (
        Figures::of_milliseconds(&alone).median(),
        Figures::of_milliseconds(&beside).median(),
    );
    line.note("two_phase_burst_turns_per_s", alone);
    line.note("parallel_burst_turns_per_s", beside);
    line.note("parallel_burst_ratio", beside / alone);
    Ok(())
}

/// Reads a set: each message with its label.
fn read(set: &str) -> anyhow::Result<Vec<(String, String)>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{set}.toml"));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let labelled: BTreeMap<String, Labelled> = toml::from_str(&text)?;
    let messages = labelled.into_iter().flat_map(|(label, messages)| {
        let texts = messages.en.into_iter().chain(messages.zh);
        texts.map(move |text| (text, label.clone()))
    });
    Ok(messages.collect())
}

/// Says every message once, each to a model whose Phase 1 is right.
async fn talk(
    platform: Platform,
    labels: &BTreeMap<String, String>,
    routing: &str,
) -> anyhow::Result<Talked> {
    let known = labels.clone();
    let world =
        World::answering(platform, MODEL_TIME, move |request| answer(request, &known)).await;
    let home = tempfile::tempdir()?;
    let more = format!("[agent]\nrouting = \"{routing}\"\n");
    let _process = Process::start_with(&world, home.path(), &more).await?;
    let texts: Vec<&String> = labels.keys().collect();
    let chats = world.chats(5, texts.len().div_ceil(EACH));
    let mut took = Vec::with_capacity(texts.len());
    for (chat, texts) in chats.iter().zip(texts.chunks(EACH)) {
        // The first message of a person makes their rows.
        latency::answered(chat, "hello there.").await;
        if took.is_empty() {
            world.forget();
        }
        for text in texts {
            took.push(latency::told(chat, text, "done.").await);
        }
    }
    let asked = world.model.requests();
    let bytes: usize = asked.iter().map(|it| it.body.to_string().len()).sum();
    Ok(Talked {
        calls: asked.len() as f64 / took.len() as f64,
        sent_bytes: bytes as f64,
        whole: Figures::of(&took),
    })
}

/// Answers as a model that routes each message to its label.
fn answer(request: &ModelRequest, labels: &BTreeMap<String, String>) -> Answer {
    let said = request.last_user();
    if !request.is_routing() {
        let is_labelled = labels.contains_key(said.trim());
        return Answer::text(if is_labelled {
            "done.".to_owned()
        } else {
            format!("you said: {said}")
        });
    }
    let label = labels.get(said.trim()).map_or(DIRECT, String::as_str);
    Answer::text(if label == DIRECT {
        r#"{"skills":[],"direct":true}"#.to_owned()
    } else {
        format!(r#"{{"skills":["{label}"],"direct":false}}"#)
    })
}

async fn burst_of(platform: Platform, routing: &str) -> anyhow::Result<f64> {
    let world = World::start(platform, MODEL_TIME).await;
    let home = tempfile::tempdir()?;
    let more = format!("[agent]\nrouting = \"{routing}\"\n");
    let _process = Process::start_with(&world, home.path(), &more).await?;
    Ok(burst(&world, BURST).await.per_second())
}
