//! Programs that try to get out of the sandbox, and programs that only work in it.
//!
//! Each runs under the real helper with the plan that the agent would make. Whatever is refused
//! there is shown to succeed without a plan, or the refusal would prove nothing.

mod apart;
mod bounds;
pub mod chats;
mod escapes;
mod outliving;
/// What runs unasked: searches over secrets, and repositories whose settings name programs.
mod unasked;
mod work;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sayso::bench_support::{
    Access, WorkspaceUse, arguments_of_helper, sandbox_plan, shell_environment,
};
use serde_json::{Value, json};

use crate::test_bot::PATIENCE;

/// A data directory with the workspaces of two users in it, and a place outside of it.
struct Stage {
    root: tempfile::TempDir,
}

/// What a command is held to, and what it may use.
struct Terms {
    plan: Value,
    limits: Option<Value>,
}

/// A command that runs.
struct Running {
    process: Child,
    agent: BufReader<UnixStream>,
}

/// The outcome of a command.
#[derive(Debug)]
struct Came {
    end: Value,
    stdout: String,
    stderr: String,
}

impl Stage {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let stage = Self { root };
        for directory in [
            stage.workspace(),
            stage.data().join("workspaces/2"),
            stage.outside(),
        ] {
            fs::create_dir_all(directory).unwrap();
        }
        for secret in [
            "data/sayso.db",
            "data/workspaces/2/note",
            "outside/file",
            "sayso.toml",
        ] {
            fs::write(stage.path(secret), "a secret").unwrap();
        }
        stage
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(relative)
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    fn workspace(&self) -> PathBuf {
        self.path("data/workspaces/1")
    }

    fn outside(&self) -> PathBuf {
        self.path("outside")
    }

    fn terms(&self, access: Access) -> Terms {
        self.terms_of(access, WorkspaceUse::Changing)
    }

    fn terms_of(&self, access: Access, workspace_use: WorkspaceUse) -> Terms {
        let private = vec![self.path("sayso.toml")];
        let (data, workspace) = (self.data(), self.workspace());
        let plan = sandbox_plan(&data, private, &workspace, access, workspace_use).unwrap();
        Terms { plan, limits: None }
    }

    /// Returns the same with the view and the namespaces that the agent gives where it can.
    fn apart(&self, access: Access) -> Terms {
        let mut terms = self.terms(access);
        if has_namespaces() {
            terms.plan["view"] = json!("read_only");
            terms.plan["apart"] = match access {
                Access::Network => json!(["processes", "ipc"]),
                Access::Workspace | Access::System => json!(["processes", "ipc", "network"]),
            };
        }
        terms
    }

    /// Starts a command in the workspace.
    fn start(&self, command: &str, terms: Terms) -> Running {
        let helper = Command::new(env!("CARGO_BIN_EXE_sayso"));
        self.start_with(helper, command, terms)
    }

    /// Starts a command by this program, which becomes the helper.
    fn start_with(&self, mut program: Command, command: &str, terms: Terms) -> Running {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let process = program
            .args(arguments_of_helper(&terms.plan).unwrap())
            .env_clear()
            .envs(shell_environment(&self.workspace()))
            .current_dir(self.workspace())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut order = json!({"command": command, "plan": terms.plan});
        if let Some(limits) = terms.limits {
            order["limits"] = limits;
        }
        let mut agent = BufReader::new(ours);
        // It holds the other end as well, and would keep one waiting whose helper is gone.
        drop(program);
        // A helper that cannot go where it must ends without having read it, and says why.
        let _ = writeln!(agent.get_mut(), "{}", json!({"run": order}));
        Running { process, agent }
    }

    /// Runs a command that is held to the workspace.
    fn confined(&self, command: &str) -> Came {
        self.start(command, self.terms(Access::Workspace)).wait()
    }

    /// Runs a command that is held to reading the workspace, as what runs unasked.
    fn reading(&self, command: &str) -> Came {
        let terms = || self.terms_of(Access::Workspace, WorkspaceUse::Reading);
        let plain = self.start(command, terms()).wait();
        if has_namespaces() {
            let mut terms = terms();
            terms.plan["view"] = json!("read_only");
            terms.plan["apart"] = json!(["processes", "ipc", "network"]);
            let apart = self.start(command, terms).wait();
            assert_eq!(plain.stdout, apart.stdout);
        }
        plain
    }

    /// Runs a command that is held to nothing.
    fn free(&self, command: &str) -> Came {
        self.start(command, self.terms(Access::System)).wait()
    }

    /// Shows that a command does its work, and that the sandbox refuses it, with namespaces and
    /// without.
    #[track_caller]
    fn is_refused(&self, command: &str) {
        self.free(command).succeeded();
        self.cannot(command);
    }

    /// Shows that the sandbox refuses it, with namespaces and without.
    #[track_caller]
    fn cannot(&self, command: &str) {
        self.confined(command).was_refused();
        let apart = self.start(command, self.apart(Access::Workspace));
        apart.wait().was_refused();
    }

    /// Waits until a line stands in this file of the workspace.
    fn wait_for(&self, file: &str) -> String {
        let path = self.workspace().join(file);
        let deadline = Instant::now() + PATIENCE;
        loop {
            match fs::read_to_string(&path) {
                Ok(line) if line.ends_with('\n') => return line.trim().to_owned(),
                _ if Instant::now() > deadline => panic!("no {file} was written"),
                _ => std::thread::yield_now(),
            }
        }
    }
}

impl Running {
    fn wait(mut self) -> Came {
        let mut end = Value::Null;
        for line in self.agent.lines() {
            let report: Value = serde_json::from_str(&line.unwrap()).unwrap();
            if let Some(ended) = report.get("ended") {
                end = ended.clone();
            }
        }
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let pipe = self.process.stdout.as_mut().unwrap();
        pipe.read_to_string(&mut stdout).unwrap();
        let pipe = self.process.stderr.as_mut().unwrap();
        pipe.read_to_string(&mut stderr).unwrap();
        self.process.wait().unwrap();
        // Where the kernel lacks what the sandbox needs, this says so.
        assert!(!end.is_null(), "the command did not run: {stderr}");
        Came {
            end,
            stdout,
            stderr,
        }
    }

    /// Returns what the helper reported, and what it said to the model.
    fn told(mut self) -> (String, String) {
        let (mut reports, mut said) = (String::new(), String::new());
        // It may have ended before it read what it was asked.
        let _ = self.agent.read_to_string(&mut reports);
        let pipe = self.process.stderr.as_mut().unwrap();
        pipe.read_to_string(&mut said).unwrap();
        self.process.wait().unwrap();
        (reports, said)
    }

    /// Kills the helper, which must not hear that we leave before.
    fn lose_helper(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Closes the agent's end, as after a time-out, and waits for the helper.
    fn abandon(mut self) -> Duration {
        let begin = Instant::now();
        drop(self.agent);
        self.process.wait().unwrap();
        begin.elapsed()
    }
}

impl Came {
    #[track_caller]
    fn succeeded(&self) -> &str {
        assert_eq!(self.end, json!({"exited": {"code": 0}}), "{self:?}");
        &self.stdout
    }

    #[track_caller]
    fn was_refused(&self) {
        assert_ne!(self.end, json!({"exited": {"code": 0}}), "{self:?}");
        let said = [
            "ermission denied",
            "Operation not permitted",
            "Read-only file system",
            "No such process",
        ];
        assert!(
            said.iter().any(|words| self.stderr.contains(words)),
            "{self:?}"
        );
        assert!(!self.stdout.contains("a secret"), "{self:?}");
    }
}

fn is_alive(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

/// Returns whether this system gives us all namespaces, and lets us mount a `/proc` in them. Where
/// it does not, what tests show of them is not shown, and they say so.
fn has_namespaces() -> bool {
    let user = if is_root() { "" } else { "Ur" };
    let tried = Command::new("unshare")
        .args([&format!("-{user}mpinf"), "--mount-proc", "true"])
        .output();
    let has = tried.is_ok_and(|tried| tried.status.success());
    if !has {
        skipped("this system gives no namespaces");
    }
    has
}

/// Says that something is not shown here, past the test harness, which keeps to itself what a
/// passing test prints.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped in part: {why}");
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}
