//! A command line at which `sayso` is called: a directory, an environment of its own, and no network.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};

use crate::test_bot::PATIENCE;

/// A directory in which commands are run.
pub struct CommandLine {
    directory: TempDir,
    environment: Vec<(String, String)>,
}

/// What a command came to.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub out: String,
    /// What it printed as errors.
    pub err: String,
}

impl CommandLine {
    /// Returns an empty directory, in which data lies in `data`.
    pub fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let data = directory.path().join("data");
        let mut here = Self {
            directory,
            environment: Vec::new(),
        };
        here.set("SAYSO__DATA_DIR", &data.to_string_lossy());
        here
    }

    /// Returns an empty home, in which everything lies in its usual place.
    pub fn of_a_person() -> Self {
        Self {
            directory: TempDir::new().unwrap(),
            environment: Vec::new(),
        }
    }

    /// Sets a variable of the environment.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Returns a path in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file into the directory.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Returns the command, with pipes at all ends.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_sayso"), arguments)
    }

    /// Returns a command of another program, with pipes at all ends.
    pub fn program(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.directory.path())
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(self.directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Runs a command with these lines as its input, and waits until it ends.
    pub async fn run(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self.command(arguments).spawn().unwrap();
        let mut typing = child.stdin.take().unwrap();
        // A command that reads nothing may end before everything is written.
        let _ = typing.write_all(input.as_bytes()).await;
        drop(typing);
        ended(child).await.shown_from(self.directory.path())
    }
}

/// Waits for the end of a command.
pub async fn ended(child: Child) -> Ran {
    let output = tokio::time::timeout(PATIENCE, child.wait_with_output()).await;
    let output = output
        .unwrap_or_else(|_| panic!("the command did not end"))
        .unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ran {
    /// The same with paths as seen from the directory.
    fn shown_from(mut self, directory: &Path) -> Self {
        let prefix = format!("{}/", directory.display());
        for text in [&mut self.out, &mut self.err] {
            *text = text.replace(&prefix, "");
        }
        self
    }
}
