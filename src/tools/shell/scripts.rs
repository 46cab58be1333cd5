//! The files that a command names, by content: an approval of `sh build.sh` is an approval of
//! what `build.sh` says now. And where its paths lead, for the policy.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use sha2::{Digest as _, Sha256};

use crate::policy::{Place, Reach, ScriptDigest, commands};
use crate::tools::workspace::Workspace;

/// How many files are read.
const MAX_READ_FILES: usize = 8;
/// How much of each is read.
const MAX_READ_BYTES: u64 = 1024 * 1024;
/// How many paths are resolved for the policy.
const MAX_PLACES: usize = 256;
/// How many files are looked at in all.
const MAX_FILES: usize = 64;

/// Returns the regular files that exist under a word of the command, relative to the workspace,
/// with their digests.
///
/// Words are taken generously: whatever could be a path behind quotes, operators or a `=` counts.
/// What is over the bounds (8 files of 1 MiB) is bound by its size and times instead of content.
pub fn named_files(command: &str, workspace: &Path) -> Vec<ScriptDigest> {
    let files: BTreeSet<PathBuf> = words(command)
        .filter_map(|word| workspace.join(word).canonicalize().ok())
        .filter(|path| path.is_file())
        .take(MAX_FILES)
        .collect();
    files
        .into_iter()
        .enumerate()
        .map(|(index, path)| {
            let budget = if index < MAX_READ_FILES {
                MAX_READ_BYTES
            } else {
                0
            };
            // What cannot be read now has a digest of its own: it differs once it can be.
            let sha256 = digest(&path, budget).unwrap_or_else(|error| error.kind().to_string());
            ScriptDigest { path, sha256 }
        })
        .collect()
}

/// Returns where the paths lead that the judgement of a command depends on, and whether anything
/// is there. What cannot be resolved is left out, which counts as outside.
pub fn named_places(command: &str, workspace: &Path) -> BTreeMap<String, Place> {
    let Ok(workspace) = Workspace::open(workspace) else {
        return BTreeMap::new();
    };
    commands::named_paths(command)
        .into_iter()
        .take(MAX_PLACES)
        .filter_map(|path| place(&workspace, &path).map(|place| (path, place)))
        .collect()
}

/// Returns where one path leads. With a `*` at its end nothing is there only when no name begins
/// like it.
fn place(workspace: &Workspace, path: &str) -> Option<Place> {
    let resolved = match workspace.reach(path).ok()? {
        Reach::Outside(resolved) => return Some(Place::Outside(resolved)),
        Reach::Inside(resolved) => resolved,
    };
    let is_nothing = match workspace.root().join(path).symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => path
            .strip_suffix('*')
            .is_none_or(|beginning| nothing_begins(workspace.root(), beginning)),
        Ok(_) | Err(_) => false,
    };
    Some(if is_nothing {
        Place::Nothing(resolved)
    } else {
        Place::Inside(resolved)
    })
}

fn nothing_begins(directory: &Path, beginning: &str) -> bool {
    directory.read_dir().is_ok_and(|mut entries| {
        entries.all(|entry| {
            entry.is_ok_and(|entry| !entry.file_name().to_string_lossy().starts_with(beginning))
        })
    })
}

/// Returns whatever could be a path: split at blanks, and again at what a shell acts on.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let at_blanks = command.split_whitespace();
    let at_operators = command.split(|letter: char| {
        letter.is_whitespace() || ";&|<>$`(){}[]*?~#!\\'\"=,:@".contains(letter)
    });
    let between_quotes = command.split(['\'', '"']);
    at_blanks
        .chain(at_operators)
        .chain(between_quotes)
        .filter(|word| !word.is_empty() && !word.contains('\0'))
}

fn digest(path: &Path, budget: u64) -> io::Result<String> {
    let file = File::options()
        .read(true)
        .custom_flags(OFlag::O_NONBLOCK.bits())
        .open(path)?;
    let metadata = file.metadata()?;
    let mut content = Vec::new();
    file.take(budget).read_to_end(&mut content)?;
    let mut hasher = Sha256::new();
    hasher.update(&content);
    if (content.len() as u64) < metadata.len() {
        hasher.update(stamp(&metadata));
    }
    Ok(format!("{:x}", hasher.finalize()))
}

/// Returns what changes when a file does, without reading it. The change time cannot be set back.
fn stamp(metadata: &Metadata) -> String {
    format!(
        "{} bytes, inode {}, changed {}.{:09}",
        metadata.len(),
        metadata.ino(),
        metadata.ctime(),
        metadata.ctime_nsec()
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{named_files, named_places};
    use crate::policy::commands::{CommandDecision, Places, judge};

    fn names(command: &str, workspace: &Path) -> Vec<String> {
        let files = named_files(command, workspace);
        let root = workspace.canonicalize().unwrap();
        files
            .iter()
            .map(|file| {
                let path = file.path.strip_prefix(&root).unwrap_or(&file.path);
                path.to_str().unwrap().to_owned()
            })
            .collect()
    }

    #[test]
    fn files_are_found_however_the_command_names_them() {
        let workspace = tempfile::tempdir().unwrap();
        for name in ["a.sh", "with space.sh"] {
            fs::write(workspace.path().join(name), "x").unwrap();
        }
        let absolute = format!("sh {}/a.sh", workspace.path().display());
        for command in [
            "sh a.sh",
            "./a.sh",
            "true;./a.sh",
            "sh<a.sh",
            "sh 'a.sh'",
            "x --file=a.sh",
            "(cd . && sh \"a.sh\")",
            absolute.as_str(),
        ] {
            assert_eq!(names(command, workspace.path()), ["a.sh"], "{command}");
        }
        assert_eq!(
            names("sh 'with space.sh'", workspace.path()),
            ["with space.sh"]
        );
        assert!(names("sh b.sh .", workspace.path()).is_empty());
    }

    fn decision(command: &str, workspace: &Path) -> CommandDecision {
        let places = named_places(command, workspace);
        judge(command, Places::LookedUp(&places)).decision
    }

    #[test]
    fn settings_in_the_workspace_that_name_a_program_make_a_harmless_command_ask() {
        for (command, settings) in [
            ("cargo --version", "rust-toolchain.toml"),
            ("cargo --version", ".cargo/config.toml"),
            ("sqlite3 a.db 'select 1'", ".sqliterc"),
            ("packer version", "packer-plugin-x"),
            ("ansible-doc -l", "ansible.cfg"),
            ("docker ps", ".docker/config.json"),
        ] {
            let workspace = tempfile::tempdir().unwrap();
            let path = workspace.path();
            assert_eq!(decision(command, path), CommandDecision::Allow, "{command}");
            let settings = path.join(settings);
            fs::create_dir_all(settings.parent().unwrap()).unwrap();
            fs::write(&settings, "x").unwrap();
            assert_eq!(decision(command, path), CommandDecision::Ask, "{command}");
            fs::remove_file(&settings).unwrap();
            symlink("nowhere", &settings).unwrap();
            assert_eq!(decision(command, path), CommandDecision::Ask, "{command}");
        }
    }

    #[test]
    fn a_star_in_the_name_of_a_file_is_a_letter() {
        let workspace = tempfile::tempdir().unwrap();
        symlink("/etc/passwd", workspace.path().join("a*")).unwrap();
        fs::write(workspace.path().join("b*"), "x").unwrap();
        let decision = |command| decision(command, workspace.path());
        assert_eq!(decision("cat 'a*'"), CommandDecision::Ask);
        assert_eq!(decision("cat 'b*'"), CommandDecision::Allow);
    }

    #[test]
    fn a_changed_file_has_another_digest() {
        let workspace = tempfile::tempdir().unwrap();
        let script = workspace.path().join("a.sh");
        let mut digests = Vec::new();
        for content in [
            "one".to_owned(),
            "two".to_owned(),
            "x".repeat(2 << 20),
            "x".repeat(1 << 20),
        ] {
            fs::write(&script, content).unwrap();
            let files = named_files("sh a.sh", workspace.path());
            assert_eq!(files, named_files("sh a.sh", workspace.path()));
            digests.push(files[0].sha256.clone());
        }
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), 4);
    }

    #[test]
    fn files_over_the_bound_are_bound_too() {
        let workspace = tempfile::tempdir().unwrap();
        let all: Vec<_> = (0..12).map(|number| format!("f{number:02}")).collect();
        for name in &all {
            fs::write(workspace.path().join(name), "before").unwrap();
        }
        let command = format!("cat {}", all.join(" "));
        let before = named_files(&command, workspace.path());
        assert_eq!(before.len(), 12);
        fs::write(workspace.path().join("f11"), "behind").unwrap();
        let after = named_files(&command, workspace.path());
        assert_eq!(before[..11], after[..11]);
        assert_ne!(before[11], after[11]);
    }
}
