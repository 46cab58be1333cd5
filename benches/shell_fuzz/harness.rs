//! A directory in which texts are run, and what they did there.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a run may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether a run has ended.
const LOOK_EVERY: Duration = Duration::from_micros(500);
/// The file that a run may read.
const GIVEN: (&str, &str) = ("a.txt", "a 1\nb 2\n\nc:d 3\n");
/// A program that talks to other machines, replaced by one that only leaves a mark.
const STAND_IN: &str = "#!/bin/sh\n: >\"$FUZZ_MARK\"\n";

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// A file was made, removed or changed.
    pub wrote: bool,
    /// The stand-in for `curl` was started.
    pub ran: bool,
}

/// A place to run texts in, one after the other.
pub struct Place {
    root: PathBuf,
}

impl Place {
    /// Makes it in an empty directory.
    pub fn new(root: &Path) -> io::Result<Self> {
        let root = root.to_owned();
        fs::create_dir_all(root.join("bin"))?;
        let stand_in = root.join("bin/curl");
        fs::write(&stand_in, STAND_IN)?;
        fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755))?;
        Ok(Self { root })
    }

    /// Runs a program with these words and no input. One that does not end is killed.
    pub fn run(&self, words: &[&str]) -> io::Result<Done> {
        let (directory, mark) = (self.root.join("work"), self.root.join("mark"));
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir(&directory)?;
        fs::write(directory.join(GIVEN.0), GIVEN.1)?;
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let path = format!("{}:/usr/bin:/bin", self.root.join("bin").display());
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(&directory)
            .env_clear()
            .env("PATH", path)
            .env("HOME", &directory)
            .env("FUZZ_MARK", &mark)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let begun = Instant::now();
        while child.try_wait()?.is_none() {
            if begun.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                break;
            }
            thread::sleep(LOOK_EVERY);
        }
        if words.iter().any(|word| word.contains('&')) {
            // What went on in the background.
            thread::sleep(Duration::from_millis(4));
        }
        let ran = mark.exists();
        if ran {
            fs::remove_file(&mark)?;
        }
        let wrote = !is_untouched(&directory)?;
        Ok(Done { wrote, ran })
    }
}

fn is_untouched(directory: &Path) -> io::Result<bool> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.push(entry?.file_name());
    }
    let is_given = matches!(names.as_slice(), [name] if name == GIVEN.0);
    Ok(is_given && fs::read_to_string(directory.join(GIVEN.0))? == GIVEN.1)
}

/// Returns the programs of these that the machine has, each as its first words.
pub fn present<'a>(candidates: &[&'a [&'a str]]) -> Vec<&'a [&'a str]> {
    let has = |program: &str| {
        ["/usr/bin", "/bin"]
            .iter()
            .any(|directory| Path::new(directory).join(program).exists())
    };
    candidates
        .iter()
        .copied()
        .filter(|words| words.first().is_some_and(|program| has(program)))
        .collect()
}
