//! Commits and trees of a git repository.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, bail, ensure};

/// A commit with one parent.
#[derive(Debug)]
pub(crate) struct Commit {
    pub(crate) parent: String,
    pub(crate) message: String,
    /// What it changed of what its parent has.
    pub(crate) changed: Vec<String>,
}

/// A repository, and a process that reads contents.
pub(crate) struct Git {
    folder: PathBuf,
    contents: Child,
    wanted: ChildStdin,
    given: BufReader<ChildStdout>,
}

impl Git {
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        let mut contents = command(folder)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start git")?;
        let wanted = contents.stdin.take().context("git has no input")?;
        let given = contents.stdout.take().context("git has no output")?;
        Ok(Self {
            folder: folder.to_owned(),
            contents,
            wanted,
            given: BufReader::new(given),
        })
    }

    /// Returns the commits with one parent, the oldest first.
    pub(crate) fn commits(&self) -> anyhow::Result<Vec<Commit>> {
        let format = "--format=%x01%P%x00%B%x00";
        let log = [
            "log",
            "--reverse",
            "--topo-order",
            "--no-merges",
            "--name-status",
        ];
        let text = self.run(&[&log[..], &["-M", "-z", format]].concat())?;
        Ok(text.split('\u{1}').skip(1).filter_map(commit).collect())
    }

    /// Returns the files of a tree: path and content by its hash.
    pub(crate) fn tree(&self, commit: &str) -> anyhow::Result<BTreeMap<String, String>> {
        let text = self.run(&["ls-tree", "-r", "-z", commit])?;
        let files = text.split('\0').filter_map(|line| {
            let (head, path) = line.split_once('\t')?;
            let mut head = head.split(' ');
            let is_file = head.next()?.starts_with("100");
            let hash = head.nth(1)?;
            is_file.then(|| (path.to_owned(), hash.to_owned()))
        });
        Ok(files.collect())
    }

    /// Returns a content.
    pub(crate) fn content(&mut self, hash: &str) -> anyhow::Result<Vec<u8>> {
        writeln!(self.wanted, "{hash}")?;
        let mut head = String::new();
        self.given.read_line(&mut head)?;
        let size = head.trim_end().rsplit(' ').next().unwrap_or_default();
        let Ok(size) = size.parse::<usize>() else {
            bail!("git does not have {hash}");
        };
        let mut content = vec![0; size + 1];
        self.given.read_exact(&mut content)?;
        content.pop();
        Ok(content)
    }

    fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let output = command(&self.folder).args(arguments).output()?;
        ensure!(
            output.status.success(),
            "git {} failed",
            arguments.join(" ")
        );
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        let _ = self.contents.kill();
        let _ = self.contents.wait();
    }
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    command
}

/// Reads what `git log -z --name-status` writes of a commit: parents, message, then a status and one
/// or two paths for each file.
fn commit(text: &str) -> Option<Commit> {
    let mut fields = text.split('\0');
    let parent = fields.next()?.to_owned();
    let message = fields.next()?.trim().to_owned();
    let mut changed = Vec::new();
    let mut fields = fields
        .map(str::trim_start)
        .filter(|field| !field.is_empty());
    while let Some(status) = fields.next() {
        let old = fields.next()?;
        if status.starts_with(['R', 'C']) {
            fields.next()?;
        }
        if !status.starts_with(['A', 'C']) {
            changed.push(old.to_owned());
        }
    }
    (parent.len() >= 40 && !parent.contains(' ')).then_some(Commit {
        parent,
        message,
        changed,
    })
}
