//! The servers that the tests drive: the reference servers, installed from npm at exact versions,
//! and a small one that misbehaves.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use nix::fcntl::{Flock, FlockArg};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::OnceCell;

use crate::test_bot::TestBot;

const PACKAGE: &str = include_str!("../../data/mcp/package.json");
const LOCK: &str = include_str!("../../data/mcp/package-lock.json");

/// Returns where the reference servers are, which are installed when a test first wants one.
async fn installed() -> PathBuf {
    static INSTALLED: OnceCell<PathBuf> = OnceCell::const_new();
    let install = || async { tokio::task::spawn_blocking(install).await.unwrap() };
    INSTALLED.get_or_init(install).await.clone()
}

/// Installs them beside what else the tests make, once for each state of the lock file.
fn install() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-servers");
    fs::create_dir_all(&directory).unwrap();
    // Another test process may be at it.
    let turnstile = File::create(directory.join("turnstile")).unwrap();
    let _alone = Flock::lock(turnstile, FlockArg::LockExclusive).unwrap();
    let done = directory.join("installed");
    if fs::read_to_string(&done).is_ok_and(|lock| lock == LOCK) {
        return directory;
    }
    fs::write(directory.join("package.json"), PACKAGE).unwrap();
    fs::write(directory.join("package-lock.json"), LOCK).unwrap();
    let ran = std::process::Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(&directory)
        .output()
        .unwrap_or_else(|error| panic!("npm cannot be run ({error}): install `nodejs` and `npm`"));
    assert!(
        ran.status.success(),
        "npm ci: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    fs::write(done, LOCK).unwrap();
    directory
}

/// Returns the script of a reference server: `everything`, `filesystem`, `memory`.
async fn script_of(server: &str) -> String {
    let installed = installed().await;
    let script = installed.join(format!(
        "node_modules/@modelcontextprotocol/server-{server}/dist/index.js"
    ));
    script.to_string_lossy().into_owned()
}

/// A server as it stands in the configuration.
pub struct Configured {
    name: &'static str,
    keys: Vec<(&'static str, String)>,
}

impl Configured {
    /// A reference server over standard input and output.
    pub async fn reference(server: &'static str, arguments: &[&str]) -> Self {
        let script = script_of(server).await;
        let all = [&[script.as_str()], arguments].concat();
        Self::program(server, "node", &all)
    }

    /// A server that misbehaves in this way, with a word that shows among its arguments.
    pub fn hostile(behaviour: &str, marker: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mcp/hostile.mjs");
        Self::program(
            "hostile",
            "node",
            &[&script.to_string_lossy(), behaviour, marker],
        )
    }

    /// A program.
    pub fn program(name: &'static str, program: &str, arguments: &[&str]) -> Self {
        let keys = vec![
            ("COMMAND", program.to_owned()),
            ("ARGS", serde_json::to_string(arguments).unwrap()),
        ];
        Self { name, keys }
    }

    /// A service.
    pub fn service(name: &'static str, url: &str) -> Self {
        let keys = vec![("URL", url.to_owned())];
        Self { name, keys }
    }

    /// Sets one of its keys more: `("ALLOW", "echo")`.
    pub fn with(mut self, key: &'static str, value: &str) -> Self {
        self.keys.push((key, value.to_owned()));
        self
    }

    /// Returns its settings as the server of this number.
    pub fn settings(&self, number: usize) -> Vec<(String, String)> {
        let key = |key: &str| format!("MCP__{number}__{key}");
        let keys = self.keys.iter();
        let keys = keys.map(|(name, value)| (key(name), value.clone()));
        let name = (key("NAME"), self.name.to_owned());
        [name].into_iter().chain(keys).collect()
    }
}

/// Builds a bot with these servers in which nothing runs yet.
pub async fn closed_bot_with(servers: &[Configured], settings: &[(&str, &str)]) -> TestBot {
    let mut bot = TestBot::closed(settings).await;
    for (number, server) in servers.iter().enumerate() {
        for (key, value) in server.settings(number) {
            bot.set(&key, &value);
        }
    }
    bot
}

/// Starts a bot with these servers, and waits until each of them is there.
pub async fn bot_with(servers: &[Configured], settings: &[(&str, &str)]) -> TestBot {
    let mut bot = closed_bot_with(servers, settings).await;
    bot.start();
    bot.settles_in().await;
    let there = |bot: &TestBot| bot.log().matches("MCP server connected").count();
    let waited = crate::test_bot::found(|| (there(&bot) >= servers.len()).then_some(())).await;
    assert!(waited.is_some(), "a server is missing:\n{}", bot.log());
    bot
}

/// The reference server `everything` over streamable HTTP, on a port of its own choice.
pub struct Everything {
    /// Where it answers.
    pub url: String,
    _process: Child,
}

impl Everything {
    pub async fn start() -> Self {
        let port = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mcp/port.mjs");
        let mut process = Command::new("node")
            .arg("--import")
            .arg(port)
            .arg(script_of("everything").await)
            .arg("streamableHttp")
            .env("PORT", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next_line().await.unwrap().unwrap();
            if let Some(port) = line.strip_prefix("PORT ") {
                break port.to_owned();
            }
        };
        // What else it says must not fill its pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self {
            url: format!("http://127.0.0.1:{port}/mcp"),
            _process: process,
        }
    }
}

/// Returns the processes whose arguments contain a word, without Sayso's own helpers.
pub fn processes_with(word: &str) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap();
    processes
        .filter_map(|process| {
            let process = process.ok()?;
            let number = process.file_name().to_str()?.parse().ok()?;
            let arguments = fs::read(process.path().join("cmdline")).ok()?;
            let arguments = String::from_utf8_lossy(&arguments).into_owned();
            arguments.contains(word).then_some(number)
        })
        .collect()
}
