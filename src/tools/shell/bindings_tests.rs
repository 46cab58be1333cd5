//! What an approval is bound to, on disk.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use sayso_policy::Binding;

use super::super::places::named_places;
use super::bindings;

fn bound(command: &str, workspace: &Path) -> Vec<Binding> {
    let workspace = workspace.canonicalize().unwrap();
    bindings(command, &workspace, &named_places(command, &workspace))
}

fn names(command: &str, workspace: &Path) -> Vec<String> {
    let root = workspace.canonicalize().unwrap();
    let name = |binding: &Binding| match binding {
        Binding::File { path, .. } => {
            let path = path.strip_prefix(&root).unwrap_or(path);
            Some(path.to_str().unwrap().to_owned())
        }
        Binding::Workspace { .. } | Binding::Recipe { .. } | Binding::Edit { .. } => None,
    };
    bound(command, workspace).iter().filter_map(name).collect()
}

fn is_whole(command: &str, workspace: &Path) -> bool {
    let bound = bound(command, workspace);
    bound.iter().any(Binding::is_whole_workspace)
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
        "sh a'.'s\\h",
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

#[test]
fn s3_a_file_is_found_from_the_directory_that_the_command_enters() {
    let workspace = tempfile::tempdir().unwrap();
    fs::create_dir(workspace.path().join("sub")).unwrap();
    fs::write(workspace.path().join("sub/x"), "x").unwrap();
    assert_eq!(names("cd sub && rm x", workspace.path()), ["sub/x"]);
    assert!(!is_whole("cd sub && rm x", workspace.path()));
}

#[test]
fn a_changed_file_has_another_digest() {
    let workspace = tempfile::tempdir().unwrap();
    let file = workspace.path().join("a.txt");
    let mut digests = Vec::new();
    for content in [
        "one".to_owned(),
        "two".to_owned(),
        "x".repeat(2 << 20),
        "x".repeat(1 << 20),
    ] {
        fs::write(&file, content).unwrap();
        let bound_now = bound("rm a.txt", workspace.path());
        assert_eq!(bound_now, bound("rm a.txt", workspace.path()));
        digests.push(format!("{bound_now:?}"));
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
    let command = format!("rm {}", all.join(" "));
    let before = bound(&command, workspace.path());
    assert_eq!(before.len(), 12);
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(workspace.path().join("f11"), "behind").unwrap();
    let after = bound(&command, workspace.path());
    assert_eq!(before[..11], after[..11]);
    assert_ne!(before[11], after[11]);
}

#[test]
fn s3_a_file_behind_many_others_is_not_left_out() {
    let workspace = tempfile::tempdir().unwrap();
    let all: Vec<_> = (0..70).map(|number| format!("f{number:02}")).collect();
    for name in &all {
        fs::write(workspace.path().join(name), "before").unwrap();
    }
    let command = format!("rm {}", all.join(" "));
    let before = bound(&command, workspace.path());
    assert_eq!(before.len(), 65);
    fs::write(workspace.path().join("f69"), "behind").unwrap();
    assert_ne!(before, bound(&command, workspace.path()));
}

#[test]
fn s3_a_change_within_one_tick_of_the_clock_shows() {
    let workspace = tempfile::tempdir().unwrap();
    let file = workspace.path().join("Makefile");
    let mut seen = Vec::new();
    for content in ["aaaa", "bbbb", "cccc", "dddd"] {
        fs::write(&file, content).unwrap();
        let bound = bound("make", workspace.path());
        assert!(bound.iter().any(Binding::is_whole_workspace));
        assert!(!bound.iter().any(Binding::is_incomplete), "{bound:?}");
        seen.push(bound);
    }
    for (index, one) in seen.iter().enumerate() {
        assert!(!seen[index + 1..].contains(one));
    }
}

#[test]
fn s3_a_workspace_that_cannot_be_listed_is_said_to_be_so() {
    let workspace = tempfile::tempdir().unwrap();
    for number in 0..20_001 {
        fs::write(workspace.path().join(number.to_string()), "").unwrap();
    }
    assert!(
        bound("make", workspace.path())
            .iter()
            .any(Binding::is_incomplete)
    );
    assert!(bound("touch a", workspace.path()).is_empty());
}

#[test]
fn s3_git_is_bound_to_the_workspace_where_a_program_of_it_may_run() {
    let workspace = tempfile::tempdir().unwrap();
    let path = workspace.path();
    let whole = |command: &str| is_whole(command, path);
    fs::create_dir_all(path.join(".git/hooks")).unwrap();
    fs::create_dir_all(path.join("sub")).unwrap();
    fs::write(path.join("notes.txt"), "x").unwrap();
    assert!(!whole("git add notes.txt") && !whole("git status"));
    assert!(whole("git add sub") && whole("git add ."));
    assert!(whole("git commit -m x"));
    symlink("nowhere", path.join(".git/hooks/post-index-change")).unwrap();
    assert!(whole("git add notes.txt") && whole("git status"));
}
