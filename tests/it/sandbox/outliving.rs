//! Outliving the time-out, the end of the command, and the helper.

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use sayso::bench_support::Access;

use super::{Stage, Terms, has_namespaces, is_alive};
use crate::test_bot::PATIENCE;

/// Leaves its session, its group and its parents, and hears no friendly signal.
const DETACH: &str =
    "setsid sh -c '(trap \"\" TERM HUP; echo $$ > detached; exec sleep 30) & wait' &
    while ! [ -s detached ]; do sleep 0.01; done";

/// The same by two forks; it holds a lock as long as it lives, whatever its number is. Who is still
/// waiting when the test has gone, ends.
const TWICE: &str = "cat > hold.pl <<'X'
use Fcntl ':flock'; use POSIX 'setsid';
exit if fork; setsid; exit if fork; $SIG{$_} = 'IGNORE' for qw(TERM HUP INT);
open L, '>>', 'lock'; flock L, LOCK_EX; open F, '>', 'held'; print F \"$$\\n\"; close F; sleep 60;
X
perl hold.pl; while ! [ -s held ]; do [ -e hold.pl ] || exit 1; sleep 0.01; done";

fn pid(text: &str) -> Pid {
    Pid::from_raw(text.parse().unwrap())
}

impl Stage {
    /// The terms with namespaces, if there are any, and those without.
    fn both(&self) -> Vec<Terms> {
        let mut both = vec![self.terms(Access::Workspace)];
        if has_namespaces() {
            both.push(self.apart(Access::Workspace));
        }
        both
    }

    fn lock_is_held(&self) -> bool {
        let lock = File::open(self.workspace().join("lock")).unwrap();
        Flock::lock(lock, FlockArg::LockExclusiveNonblock).is_err()
    }
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
    assert!(
        took < Duration::from_secs(20),
        "it was waited for: {took:?}"
    );
    assert!(!is_alive(&detached), "it lives on");
}

#[test]
fn who_leaves_the_session_ends_with_the_command() {
    let stage = Stage::new();
    stage.confined(DETACH).succeeded();
    assert!(!is_alive(&stage.wait_for("detached")), "it lives on");
}

#[test]
fn who_forks_twice_ends_with_the_command_and_at_the_time_out() {
    let stage = Stage::new();
    // Without a helper it outlives its shell.
    let alone = Command::new("/bin/sh")
        .args(["-c", TWICE])
        .current_dir(stage.workspace())
        .status();
    assert!(alone.unwrap().success());
    assert!(stage.lock_is_held(), "the test shows nothing");
    kill(pid(&stage.wait_for("held")), Signal::SIGKILL).unwrap();

    for again in [TWICE.to_owned(), format!("{TWICE}\nsleep 60")] {
        for terms in stage.both() {
            std::fs::remove_file(stage.workspace().join("held")).unwrap();
            let running = stage.start(&again, terms);
            stage.wait_for("held");
            if again == TWICE {
                running.wait().succeeded();
            } else {
                running.abandon();
            }
            assert!(!stage.lock_is_held(), "it lives on");
        }
    }
}

/// When the helper is killed, as by the OOM killer, the processes that it supervises end as well:
/// in a PID namespace the kernel ensures that.
#[test]
fn no_one_outlives_the_helper_in_a_namespace() {
    if !has_namespaces() {
        return;
    }
    let stage = Stage::new();
    let wait = format!("{TWICE}\nsleep 60");
    let free = stage.start(&wait, stage.terms(Access::System));
    let held = stage.wait_for("held");
    free.lose_helper();
    assert!(stage.lock_is_held(), "the test shows nothing");
    kill(pid(&held), Signal::SIGKILL).unwrap();
    std::fs::remove_file(stage.workspace().join("held")).unwrap();

    let running = stage.start(&wait, stage.apart(Access::Workspace));
    stage.wait_for("held");
    running.lose_helper();
    let deadline = Instant::now() + PATIENCE;
    while stage.lock_is_held() {
        assert!(Instant::now() < deadline, "it lives on");
        std::thread::yield_now();
    }
}
