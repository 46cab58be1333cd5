//! Tests of reading files.

use std::fs;
use std::time::{Duration, SystemTime};

use super::{Found, Reader};
use crate::source::{LeftOut, MAX_FILE_BYTES, MAX_LINE_BYTES, Stamp};

/// A folder whose path has no links in it.
fn folder() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    (folder, root)
}

fn later() -> SystemTime {
    SystemTime::now() + Duration::from_mins(1)
}

#[test]
fn what_is_no_source_is_left_out() {
    let (_kept, root) = folder();
    let read = |path: &str| Reader::new(&root, later()).unwrap().read(path, None).err();
    fs::create_dir(root.join("folder")).unwrap();
    fs::write(root.join("binary.rs"), b"a\0b").unwrap();
    let long = "x".repeat(MAX_LINE_BYTES + 1);
    fs::write(root.join("long.js"), format!("a\n{long}\nb")).unwrap();
    let big = fs::File::create(root.join("big.rs")).unwrap();
    big.set_len(2 << 30).unwrap();
    let large = "x\n".repeat(MAX_FILE_BYTES as usize / 2 + 1);
    fs::write(root.join("large.rs"), large).unwrap();
    assert_eq!(read("folder"), Some(LeftOut::NoFile));
    assert_eq!(read("binary.rs"), Some(LeftOut::Binary));
    assert_eq!(read("long.js"), Some(LeftOut::LongLine));
    assert_eq!(read("big.rs"), Some(LeftOut::TooLarge));
    assert_eq!(read("large.rs"), Some(LeftOut::TooLarge));
    assert_eq!(read("gone.rs"), Some(LeftOut::Unreadable));
    for outside in ["../x.rs", "/etc/passwd", "a//b", "./a", "", "a\\b"] {
        assert_eq!(read(outside), Some(LeftOut::Path), "{outside}");
    }
}

#[test]
fn links_are_not_followed() {
    let (_kept, root) = folder();
    let (_other, outside) = folder();
    fs::write(outside.join("secret.rs"), "fn secret() {}").unwrap();
    let link =
        |to: &std::path::Path, at: &str| std::os::unix::fs::symlink(to, root.join(at)).unwrap();
    link(&outside.join("secret.rs"), "file.rs");
    link(&outside, "out");
    link(&root, "loop");
    let read = |path: &str| Reader::new(&root, later()).unwrap().read(path, None).err();
    assert_eq!(read("file.rs"), Some(LeftOut::NoFile));
    assert_eq!(read("out/secret.rs"), Some(LeftOut::Path));
    assert_eq!(read("loop"), Some(LeftOut::NoFile));
}

fn stamp(found: Result<Found, LeftOut>) -> Stamp {
    match found {
        Ok(Found::Read(file)) => file.stamp,
        Ok(Found::Same) => panic!("not read"),
        Err(reason) => panic!("{reason:?}"),
    }
}

#[test]
fn a_file_is_read_again_only_when_it_may_have_changed() {
    let (_kept, root) = folder();
    fs::write(root.join("a.rs"), "fn a() {}").unwrap();
    // A time just before the look says nothing, since the file may change within it.
    let fresh = stamp(
        Reader::new(&root, SystemTime::now())
            .unwrap()
            .read("a.rs", None),
    );
    assert_eq!(fresh.modified, 0);
    let again = Reader::new(&root, SystemTime::now())
        .unwrap()
        .read("a.rs", Some(&fresh));
    assert_eq!(stamp(again), fresh);
    let settled = stamp(Reader::new(&root, later()).unwrap().read("a.rs", None));
    let again = Reader::new(&root, later())
        .unwrap()
        .read("a.rs", Some(&settled));
    assert!(matches!(again, Ok(Found::Same)));
    fs::write(root.join("a.rs"), "fn abc() {}").unwrap();
    let changed = stamp(
        Reader::new(&root, later())
            .unwrap()
            .read("a.rs", Some(&settled)),
    );
    assert_ne!(changed.hash, settled.hash);
}
