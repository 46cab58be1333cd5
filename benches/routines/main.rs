//! Routines of the real program in great numbers, against a platform and a model on loopback.
//!
//! `minute`: 3,000 reminders of 200 people, one due every 20 ms (50 a second), and 7,000 routines of a
//! model that are all due at its beginning. How late the reminders come, how long it takes until each
//! occurrence has its row, and how long people wait for answers meanwhile, beside what they wait in the
//! same process before it.
//!
//! `idle`: 100,000 routines of which none is due: the processor time that they cost, beside that of none
//! at all, and the calls of the model, which must be none.
//!
//! Prints lines for people and, last, one JSON line; names as arguments run only these. It takes about
//! six minutes on both platforms, and fails where an occurrence has no row, or two, or came early, or
//! where a model is called while nothing is due.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../turns/figures.rs"]
mod figures;
mod idle;
#[expect(dead_code, reason = "`turns` notes pairs, too")]
#[path = "../turns/line.rs"]
mod line;
mod minute;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    clippy::unwrap_used,
    reason = "the behaviour tests use the rest of it"
)]
#[path = "../../tests/it/platform/mod.rs"]
mod platform;
#[expect(dead_code, reason = "`turns` uses the rest of it")]
#[path = "../turns/process.rs"]
mod process;
mod rows;
#[expect(dead_code, reason = "`turns` uses the rest of it")]
#[path = "../turns/world.rs"]
mod world;

use anyhow::ensure;
use line::Line;
use platform::Platform;

const PLATFORMS: [Platform; 2] = [Platform::Telegram, Platform::Discord];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let is_any_platform = PLATFORMS
        .iter()
        .any(|platform| wanted.iter().any(|wanted| wanted == platform.name()));
    let is_any_measure = ["minute", "idle"]
        .iter()
        .any(|name| wanted.contains(&(*name).to_owned()));
    let mut line = Line::default();
    let mut broken = Vec::new();
    for platform in PLATFORMS {
        if is_any_platform && !is_wanted(platform.name()) {
            continue;
        }
        line.goes_on_with(platform);
        if !is_any_measure || is_wanted("minute") {
            broken.extend(minute::take(platform, &mut line).await?);
        }
        if !is_any_measure || is_wanted("idle") {
            broken.extend(idle::take(platform, &mut line).await?);
        }
    }
    println!("{line}");
    ensure!(broken.is_empty(), "promises broken: {broken:?}");
    Ok(())
}
