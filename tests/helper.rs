//! The helper process, spoken to as the agent does: whatever a command starts ends with it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, also in what its tests share"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the helper may take to end everything on a busy machine: what it ends would live longer.
const SOON: Duration = Duration::from_secs(30);

/// A helper with its command, in a directory of its own.
struct Helper {
    directory: tempfile::TempDir,
    child: Child,
    agent: BufReader<UnixStream>,
}

/// What came of a command.
#[derive(Debug, PartialEq)]
struct Came {
    reports: Vec<Value>,
    stdout: String,
    stderr: String,
}

impl Helper {
    fn run(command: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (ours, theirs) = UnixStream::pair().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_sayso"))
            .arg("__helper")
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("ONLY", "this")
            .current_dir(directory.path())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut helper = Self {
            directory,
            child,
            agent: BufReader::new(ours),
        };
        let request = json!({"run": {"command": command}});
        writeln!(helper.agent.get_mut(), "{request}").unwrap();
        helper
    }

    /// Waits until the command wrote a line into this file of its directory.
    fn wait_for(&self, file: &str) -> String {
        let path = self.directory.path().join(file);
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            match fs::read_to_string(&path) {
                Ok(line) if line.ends_with('\n') => return line.trim().to_owned(),
                _ if Instant::now() > deadline => panic!("no {file} was written"),
                _ => std::thread::yield_now(),
            }
        }
    }

    fn wait(mut self) -> Came {
        let mut came = Came {
            reports: Vec::new(),
            stdout: String::new(),
            stderr: String::new(),
        };
        for line in self.agent.lines() {
            came.reports
                .push(serde_json::from_str(&line.unwrap()).unwrap());
        }
        let stdout = self.child.stdout.as_mut().unwrap();
        stdout.read_to_string(&mut came.stdout).unwrap();
        let stderr = self.child.stderr.as_mut().unwrap();
        stderr.read_to_string(&mut came.stderr).unwrap();
        self.child.wait().unwrap();
        came
    }

    /// Closes the agent's end and waits for the helper.
    fn abandon(mut self) -> Duration {
        let begin = Instant::now();
        drop(self.agent);
        self.child.wait().unwrap();
        begin.elapsed()
    }
}

fn is_alive(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

#[test]
fn a_command_runs_with_the_helpers_environment_and_reports_its_end() {
    let came = Helper::run("echo $ONLY; env | sort >&2; exit 7").wait();
    assert_eq!(came.stdout, "this\n");
    let names: Vec<_> = came
        .stderr
        .lines()
        .filter_map(|line| line.split('=').next())
        .collect();
    assert_eq!(names, ["ONLY", "PATH", "PWD"]);
    assert!(
        came.reports[0]["started"]["group"].is_u64(),
        "{:?}",
        came.reports
    );
    assert_eq!(
        came.reports[1..],
        [json!({"ended": {"exited": {"code": 7}}})]
    );
}

#[test]
fn a_command_has_no_input_and_cannot_reach_the_agent() {
    let came = Helper::run("cat; ls -l /proc/self/fd | grep -c socket; kill -SEGV $$").wait();
    assert_eq!(came.stdout, "0\n");
    assert_eq!(
        came.reports[1..],
        [json!({"ended": {"killed": {"signal": "SIGSEGV"}}})]
    );
}

#[test]
fn what_a_command_leaves_behind_ends_with_it() {
    let helper = Helper::run(
        "setsid sh -c 'echo $$ > detached; exec sleep 60' & \
         (sleep 60 & echo $! > background); \
         while ! [ -s detached ]; do :; done",
    );
    let left = [helper.wait_for("detached"), helper.wait_for("background")];
    let came = helper.wait();
    // They are named, which whoever is told "it is up" must know.
    let named = &came.reports[1]["left"];
    assert_eq!(named["count"], 2, "{named}");
    let commands = named["commands"].as_array().unwrap();
    assert!(commands.contains(&json!("sleep 60")), "{named}");
    assert_eq!(
        came.reports[2..],
        [json!({"ended": {"exited": {"code": 0}}})]
    );
    assert!(!left.iter().any(|pid| is_alive(pid)), "{left:?} live on");
}

#[test]
fn everything_ends_when_the_agent_is_gone() {
    let helper = Helper::run(
        "trap '' TERM HUP INT
         setsid sh -c 'trap \"\" TERM; echo $$ > detached; while :; do sleep 1; done' &
         sh -c 'sh -c \"echo \\$\\$ > deep; sleep 60\"; true' &
         echo $$ > top
         wait",
    );
    let started = ["detached", "deep", "top"].map(|file| helper.wait_for(file));
    assert!(started.iter().all(|pid| is_alive(pid)));
    let took = helper.abandon();
    assert!(took < SOON, "it took {took:?}");
    assert!(
        !started.iter().any(|pid| is_alive(pid)),
        "{started:?} live on"
    );
}

#[test]
fn a_command_may_clean_up_before_it_is_killed() {
    let helper = Helper::run(
        "trap 'echo cleaned > cleaned; exit 0' TERM
         echo ready > ready
         while :; do sleep 0.01; done",
    );
    helper.wait_for("ready");
    let agent = helper.agent.get_ref().try_clone().unwrap();
    agent.shutdown(std::net::Shutdown::Write).unwrap();
    let cleaned = helper.wait_for("cleaned");
    assert_eq!(cleaned, "cleaned");
    let came = helper.wait();
    assert_eq!(
        came.reports[1..],
        [json!({"ended": {"exited": {"code": 0}}})]
    );
}

#[test]
fn processes_that_multiply_are_ended_too() {
    let helper = Helper::run(
        "echo 'echo $$ >> born; setsid sh again & sleep 0.02' > again
         sh again; sleep 60",
    );
    helper.wait_for("born");
    let born = helper.directory.path().join("born");
    let deadline = Instant::now() + Duration::from_secs(20);
    while fs::read_to_string(&born).unwrap().lines().count() < 20 {
        assert!(Instant::now() < deadline, "they do not multiply");
        std::thread::yield_now();
    }
    let open = fs::File::open(&born).unwrap();
    let took = helper.abandon();
    assert!(took < SOON, "it took {took:?}");
    let born = std::io::read_to_string(open).unwrap();
    assert!(!born.lines().any(is_alive), "some live on");
}

#[test]
fn a_command_that_kills_its_helper_is_known_by_its_group() {
    let came = Helper::run("kill -9 $PPID; exec >&- 2>&-; sleep 60").wait();
    assert_eq!(came.reports.len(), 1, "{:?}", came.reports);
    let group = came.reports[0]["started"]["group"].as_i64().unwrap();
    let group = nix::unistd::Pid::from_raw(i32::try_from(group).unwrap());
    nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL).unwrap();
}

#[test]
fn a_helper_that_is_asked_nothing_sensible_says_so_and_ends() {
    let directory = tempfile::tempdir().unwrap();
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    writeln!(ours, "run ls").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sayso"))
        .arg("__helper")
        .current_dir(directory.path())
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .output()
        .unwrap();
    assert!(!output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("the command could not be run: "), "{told}");
}
