//! What the sandbox adds to the start and end of a command: `true` under the real helper, free and
//! held to the workspace, in turns. The last line is JSON with the middle times in microseconds and
//! their ratio; it fails when a confined command takes more than twice as long.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints its figures, and what cannot go on must fail it"
)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use sayso::bench_support::{Access, WorkspaceUse, sandbox_plan, shell_environment};
use serde_json::json;

/// How often each is run.
const RUNS: usize = 200;
/// How many times as long a confined command may take.
const MOST: f64 = 2.0;

fn main() -> ExitCode {
    let root = tempfile::tempdir().unwrap();
    let workspace = root.path().join("workspaces/1");
    fs::create_dir_all(&workspace).unwrap();
    let measure = |access| run(root.path(), &workspace, access);
    let (free, confined): (Vec<_>, Vec<_>) = (0..RUNS)
        .map(|_| (measure(Access::System), measure(Access::Workspace)))
        .unzip();
    let (free, confined) = (median(free), median(confined));
    let ratio = confined.as_secs_f64() / free.as_secs_f64();
    let figures = json!({
        "runs": RUNS,
        "free_us": free.as_micros(),
        "confined_us": confined.as_micros(),
        "ratio": (ratio * 100.0).round() / 100.0,
    });
    println!("{figures}");
    if ratio > MOST {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Runs `true` in the workspace, and returns how long its helper lived.
fn run(data_dir: &Path, workspace: &Path, access: Access) -> Duration {
    let reach = (access, WorkspaceUse::Changing);
    let plan = sandbox_plan(data_dir, Vec::new(), workspace, reach).unwrap();
    let order = json!({"run": {"command": "true", "plan": plan}});
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let begun = Instant::now();
    let mut helper = Command::new(env!("CARGO_BIN_EXE_sayso"))
        .arg("__helper")
        .env_clear()
        .envs(shell_environment(workspace))
        .current_dir(workspace)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .spawn()
        .unwrap();
    writeln!(ours, "{order}").unwrap();
    let mut reports = String::new();
    ours.read_to_string(&mut reports).unwrap();
    helper.wait().unwrap();
    let took = begun.elapsed();
    assert!(reports.contains(r#""exited":{"code":0}"#), "{reports}");
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
