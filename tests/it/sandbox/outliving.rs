//! Outliving the time-out, and the end of the command.

use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use sayso::bench_support::Access;

use super::{Stage, is_alive};

/// Leaves its session, its group and its parents, and hears no friendly signal.
const DETACH: &str =
    "setsid sh -c '(trap \"\" TERM HUP; echo $$ > detached; exec sleep 30) & wait' &
    while ! [ -s detached ]; do sleep 0.01; done";

fn pid(text: &str) -> Pid {
    Pid::from_raw(text.parse().unwrap())
}

#[test]
fn who_leaves_the_session_ends_at_the_time_out() {
    let stage = Stage::new();
    // Without a helper, killing the group is all that one can do.
    let mut alone = Command::new("/bin/sh")
        .args(["-c", &format!("{DETACH}\nsleep 30")])
        .current_dir(stage.workspace())
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let detached = stage.wait_for("detached");
    killpg(pid(&alone.id().to_string()), Signal::SIGKILL).unwrap();
    alone.wait().unwrap();
    assert!(is_alive(&detached), "the test shows nothing");
    kill(pid(&detached), Signal::SIGKILL).unwrap();
    std::fs::remove_file(stage.workspace().join("detached")).unwrap();

    let running = stage.start(
        &format!("{DETACH}\nsleep 30"),
        stage.terms(Access::Workspace),
    );
    let detached = stage.wait_for("detached");
    let took = running.abandon();
    assert!(took < Duration::from_secs(5), "it took {took:?}");
    assert!(!is_alive(&detached), "it lives on");
}

#[test]
fn who_leaves_the_session_ends_with_the_command() {
    let stage = Stage::new();
    stage.confined(DETACH).succeeded();
    assert!(!is_alive(&stage.wait_for("detached")), "it lives on");
}
