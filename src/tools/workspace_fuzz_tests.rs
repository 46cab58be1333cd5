//! Whatever path is written, what is opened lies in the workspace.

use std::fs;
use std::io::Read as _;
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sayso_policy::Reach;
use tempfile::TempDir;

use super::{Missing, Workspace};

/// A workspace in a directory with other things, full of links in and out.
struct Ground {
    directory: TempDir,
    workspace: Workspace,
}

impl Ground {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        for folder in ["work/a/b", "work-too", "outside/a"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for file in ["work/file", "work/a/file", "work/a/b/file"] {
            fs::write(at(file), "inside").unwrap();
        }
        for file in ["outside/file", "outside/a/file", "work-too/file", "file"] {
            fs::write(at(file), "outside").unwrap();
        }
        symlink("../outside", at("work/out")).unwrap();
        symlink(at("outside/file"), at("work/a/leak")).unwrap();
        symlink("..", at("work/a/up")).unwrap();
        symlink("a/b", at("work/in")).unwrap();
        symlink("loop", at("work/loop")).unwrap();
        symlink("/proc/self/root", at("work/magic")).unwrap();
        let workspace = Workspace::open(&at("work")).unwrap();
        Self {
            directory,
            workspace,
        }
    }

    /// Writes the directory of the whole ground in place of `HERE`.
    fn path(&self, written: &str) -> String {
        written.replace("HERE", &self.directory.path().to_string_lossy())
    }
}

/// Returns where an open descriptor is, as the kernel says.
fn place_of(descriptor: &impl AsRawFd) -> PathBuf {
    fs::read_link(format!("/proc/self/fd/{}", descriptor.as_raw_fd())).unwrap()
}

fn paths() -> impl Strategy<Value = String> {
    let step = "(\\.|\\.\\.|a|b|file|out|leak|up|in|loop|magic|work|work-too|outside|FILE|\
                HERE|/HERE|/proc/self/root|/proc/self/cwd|/etc|passwd|new|\u{202e}| |\\\\|~|)";
    prop::collection::vec(step, 1..8).prop_map(|steps| steps.join("/"))
}

fn check(ground: &Ground, written: &str) -> Result<(), TestCaseError> {
    let path = ground.path(written);
    let workspace = &ground.workspace;
    let is_inside = |place: &Path| place.starts_with(workspace.root());
    if let Ok(mut file) = workspace.open_file(&path) {
        let mut content = String::new();
        file.read_to_string(&mut content).unwrap();
        prop_assert_eq!(content, "inside", "{}", path);
        prop_assert!(is_inside(&place_of(&file)), "{}", path);
    }
    if let Ok(directory) = workspace.open_directory(&path) {
        prop_assert!(is_inside(&place_of(&directory)), "{}", path);
    }
    if let Ok((parent, name)) = workspace.open_parent(&path, Missing::IsAnError) {
        prop_assert!(is_inside(&place_of(&parent)), "{}", path);
        prop_assert_eq!(name.components().count(), 1, "{}", path);
    }
    if let Ok(Reach::Inside(resolved)) = workspace.reach(&path) {
        prop_assert!(is_inside(&resolved), "{}", path);
        let climbs = resolved.components().any(|step| step.as_os_str() == "..");
        prop_assert!(!climbs, "{}", path);
    }
    Ok(())
}

#[test]
fn no_path_leads_out() {
    let ground = Ground::new();
    let mut runner = proptest::test_runner::TestRunner::default();
    let result = runner.run(&paths(), |written| check(&ground, &written));
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn no_text_breaks_the_resolving() {
    let ground = Ground::new();
    let mut runner = proptest::test_runner::TestRunner::default();
    let result = runner.run(&any::<String>(), |written| check(&ground, &written));
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn making_directories_on_the_way_stays_inside() {
    let ground = Ground::new();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(64));
    let result = runner.run(&paths(), |written| {
        let path = ground.path(&written);
        if let Ok((parent, _)) = ground.workspace.open_parent(&path, Missing::IsMade) {
            prop_assert!(
                place_of(&parent).starts_with(ground.workspace.root()),
                "{}",
                path
            );
        }
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    let outside = fs::read_dir(ground.directory.path().join("outside")).unwrap();
    assert_eq!(outside.count(), 2);
}
