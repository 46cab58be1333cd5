//! Races: what is swapped between resolving and opening leads nowhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::stat::Mode;

use super::{Missing, WALK, Workspace, openat};

#[test]
fn a_directory_that_became_a_link_is_not_walked_through() {
    let root = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(root.path()).unwrap();
    symlink(outside.path(), root.path().join("swapped")).unwrap();
    // What resolving saw before the swap: a plain name.
    let walked = workspace.walk(&[PathBuf::from("swapped")], Missing::IsAnError);
    assert_eq!(
        walked.unwrap_err().kind(),
        std::io::ErrorKind::NotADirectory
    );
    assert!(openat(&workspace.directory, "swapped", WALK, Mode::empty()).is_err());
}

#[test]
fn a_swap_at_any_moment_never_opens_the_outside() {
    let root = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("file"), "outside").unwrap();
    let (inside, link, name) = ["inside", "link", "name"]
        .map(|name| root.path().join(name))
        .into();
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("file"), "inside").unwrap();
    symlink(outside.path(), &link).unwrap();
    fs::rename(&inside, &name).unwrap();

    let workspace = Workspace::open(root.path()).unwrap();
    let over = AtomicBool::new(false);
    let mut contents = Vec::new();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                fs::rename(&name, &inside).unwrap();
                fs::rename(&link, &name).unwrap();
                fs::rename(&name, &link).unwrap();
                fs::rename(&inside, &name).unwrap();
            }
        });
        for _ in 0..5000 {
            if let Ok(file) = workspace.open_file("name/file") {
                contents.push(std::io::read_to_string(file));
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(
        !contents.is_empty(),
        "the swapping left no moment to open anything"
    );
    for content in contents {
        assert_eq!(content.unwrap(), "inside");
    }
}

#[test]
fn a_workspace_is_made_only_where_that_is_wanted() {
    let parent = tempfile::tempdir().unwrap();
    let place = parent.path().join("a/b");
    let missing = Workspace::open(&place).unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
    assert!(!parent.path().join("a").exists());
    let workspace = Workspace::open_or_make(&place).unwrap();
    assert!(workspace.root().is_dir());
    let (_directory, name) = workspace.open_parent("x/y/z", Missing::IsMade).unwrap();
    assert_eq!(name, PathBuf::from("z"));
    assert!(workspace.root().join("x/y").is_dir());
}
