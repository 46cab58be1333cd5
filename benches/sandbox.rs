//! What the sandbox adds to the start and end of a command: `true` under the real helper, free, held
//! to the workspace, held to reading it, and held to it in namespaces of its own where the system has
//! them, in turns. The last line is JSON with the middle times in microseconds and their ratios; it
//! fails when a confined command takes more than twice as long.

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

use sayso::bench_support::{
    Access, WorkspaceUse, arguments_of_helper, sandbox_plan, shell_environment,
};
use serde_json::{Value, json};

/// How often each is run.
const RUNS: usize = 200;
/// How many times as long a confined command may take.
const MOST: f64 = 2.0;

fn main() -> ExitCode {
    let root = tempfile::tempdir().unwrap();
    let workspace = root.path().join("workspaces/1");
    fs::create_dir_all(&workspace).unwrap();
    let plan = |access, workspace_use| {
        sandbox_plan(root.path(), Vec::new(), &workspace, access, workspace_use).unwrap()
    };
    let confined = plan(Access::Workspace, WorkspaceUse::Changing);
    let mut ways = vec![
        ("free", plan(Access::System, WorkspaceUse::Changing)),
        ("confined", confined.clone()),
        ("reading", plan(Access::Workspace, WorkspaceUse::Reading)),
    ];
    if has_namespaces() {
        let mut apart = confined;
        apart["view"] = json!("read_only");
        apart["apart"] = json!(["processes", "ipc", "network"]);
        ways.push(("apart", apart));
    }
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..RUNS {
        for ((_, plan), times) in ways.iter().zip(&mut times) {
            times.push(run(&workspace, plan));
        }
    }
    let middles: Vec<Duration> = times.into_iter().map(median).collect();
    let mut figures = json!({"runs": RUNS});
    let mut most = 0.0_f64;
    for ((name, _), middle) in ways.iter().zip(&middles) {
        let ratio = middle.as_secs_f64() / middles[0].as_secs_f64();
        figures[name] = json!({
            "us": middle.as_micros(),
            "ratio": (ratio * 100.0).round() / 100.0,
        });
        most = most.max(ratio);
    }
    println!("{figures}");
    if most > MOST {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Returns whether a command can have namespaces here.
fn has_namespaces() -> bool {
    let tried = Command::new("unshare")
        .args(["-Urpinf", "--mount-proc", "true"])
        .output();
    tried.is_ok_and(|tried| tried.status.success())
}

/// Runs `true` in the workspace, and returns how long its helper lived.
fn run(workspace: &Path, plan: &Value) -> Duration {
    let order = json!({"run": {"command": "true", "plan": plan}});
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let begun = Instant::now();
    let mut helper = Command::new(env!("CARGO_BIN_EXE_sayso"))
        .args(arguments_of_helper(plan).unwrap())
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
