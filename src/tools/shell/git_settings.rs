//! Whether the settings of a git repository can have git start a program: hooks, filters, editors,
//! monitors, and whatever else a section that is not known here may name.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// Where git looks for settings, seen from the workspace, which is the home of every command.
const FILES: [&str; 4] = [
    ".git/config",
    ".git/config.worktree",
    ".gitconfig",
    ".config/git/config",
];
/// What has git look into further repositories, or elsewhere.
const FURTHER: [&str; 3] = [".gitmodules", ".git/modules", ".git/commondir"];
/// The longest settings that are read.
const MAX_BYTES: u64 = 64 * 1024;
/// The settings that name no program and no further file, by section.
const HARMLESS: [(&str, &[&str]); 6] = [
    (
        "core",
        &[
            "repositoryformatversion",
            "filemode",
            "bare",
            "logallrefupdates",
            "ignorecase",
            "precomposeunicode",
            "symlinks",
            "autocrlf",
            "eol",
            "safecrlf",
            "quotepath",
        ],
    ),
    ("user", &["name", "email"]),
    ("init", &["defaultbranch"]),
    ("remote", &["url", "pushurl", "fetch", "tagopt"]),
    ("branch", &["remote", "merge", "rebase"]),
    ("pull", &["rebase", "ff"]),
];

/// Returns whether no settings of the workspace's own repository, or of its user, can name a
/// program. What cannot be read may.
pub(super) fn name_no_program(workspace: &Path) -> bool {
    has_no_other_place(workspace)
        && has_no_hooks(&workspace.join(".git/hooks")).unwrap_or(false)
        && FILES
            .iter()
            .all(|file| is_harmless(&workspace.join(file)).unwrap_or(false))
}

fn has_no_other_place(workspace: &Path) -> bool {
    let is_missing = |name: &str| {
        let found = workspace.join(name).symlink_metadata();
        found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    };
    let repository = workspace.join(".git").symlink_metadata();
    let is_directory = repository.is_ok_and(|found| found.is_dir());
    (is_directory || is_missing(".git")) && FURTHER.iter().all(|name| is_missing(name))
}

fn has_no_hooks(hooks: &Path) -> io::Result<bool> {
    let entries = match fs::read_dir(hooks) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    for entry in entries {
        if !entry?.file_name().to_string_lossy().ends_with(".sample") {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_harmless(file: &Path) -> io::Result<bool> {
    let mut text = String::new();
    match fs::File::open(file) {
        Ok(file) => file.take(MAX_BYTES + 1).read_to_string(&mut text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    Ok(text.len() as u64 <= MAX_BYTES && has_only_harmless(&text))
}

fn has_only_harmless(text: &str) -> bool {
    let mut allowed: &[&str] = &[];
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(header) = line.strip_prefix('[') {
            let Some(keys) = keys_of(header) else {
                return false;
            };
            allowed = keys;
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.trim().to_ascii_lowercase();
        // A line that ends with a backslash goes on in the next.
        if value.ends_with('\\') || !allowed.contains(&key.as_str()) {
            return false;
        }
    }
    true
}

/// Returns the keys that a section may have, given its header behind the bracket.
fn keys_of(header: &str) -> Option<&'static [&'static str]> {
    let header = header.strip_suffix(']')?;
    let (name, subsection) = header.split_once(' ').unwrap_or((header, "\"\""));
    let quoted = subsection.strip_prefix('"')?.strip_suffix('"')?;
    if quoted.contains(['"', '\\', ']']) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    HARMLESS
        .iter()
        .find(|(section, _)| *section == name)
        .map(|(_, keys)| *keys)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{has_only_harmless, name_no_program};

    const FRESH: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
                         [remote \"origin\"]\n\turl = https://example.com/a.git\n\
                         \tfetch = +refs/heads/*:refs/remotes/origin/*\n\
                         [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n";

    #[test]
    fn settings_of_a_fresh_clone_name_no_program() {
        for text in [
            "",
            "# x\n; y\n",
            FRESH,
            "[User]\nname=Ann\nEmail = a@example.com",
        ] {
            assert!(has_only_harmless(text), "{text}");
        }
    }

    #[test]
    fn whatever_may_name_a_program_is_found() {
        for text in [
            "[core]\nfsmonitor = ./x",
            "[core]\nhooksPath = h",
            "[core] fsmonitor = ./x",
            "[core]\nbare = false \\\n[x]\nfsmonitor = ./x",
            "[filter \"lfs\"]\nclean = git-lfs clean",
            "[include]\npath = x",
            "[includeIf \"gitdir:x\"]\npath = x",
            "[remote \"origin\"]\nuploadpack = ./x",
            "[remote \"a]\"]\nurl = x",
            "[remote \"a\\\"b\"]\nurl = x",
            "[commit]\ngpgsign = true",
            "name = x",
            "[core",
        ] {
            assert!(!has_only_harmless(text), "{text}");
        }
    }

    #[test]
    fn a_repository_is_looked_at_in_all_its_places() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        assert!(name_no_program(root));
        fs::create_dir_all(root.join(".git/hooks")).unwrap();
        fs::write(root.join(".git/config"), FRESH).unwrap();
        fs::write(root.join(".git/hooks/pre-commit.sample"), "x").unwrap();
        assert!(name_no_program(root));
        for (file, text) in [
            (".git/hooks/pre-commit", "x"),
            (".gitconfig", "[core]\npager = x"),
            (".config/git/config", "[alias]\na = !x"),
            (".git/config.worktree", "[core]\nworktree = x"),
            (".gitmodules", ""),
            (".git/commondir", "x"),
        ] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            assert!(!name_no_program(root), "{file}");
            fs::remove_file(path).unwrap();
        }
        assert!(name_no_program(root));
        fs::remove_dir_all(root.join(".git")).unwrap();
        fs::write(root.join(".git"), "gitdir: elsewhere").unwrap();
        assert!(!name_no_program(root));
    }
}
