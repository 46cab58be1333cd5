//! A copy of a project as it was before the changes of a turn, in which a check can run.
//!
//! It lies in the data directory beside all workspaces, where no command of another turn reaches, and
//! is removed when it is dropped; what a kill leaves behind is removed by the next one of the
//! conversation. Without `.git`, without what is installed or built, so a check that needs those
//! fails there in its own way.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use sayso_core::transcript::{FileBefore, Scope};

use crate::code::PatchStep;

/// How many files and folders are copied at most.
const MAX_ENTRIES: usize = 20_000;
/// How many bytes are copied at most.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// How many folders lie in one another at most.
const MAX_DEPTH: usize = 32;
/// Folders that tools make, whose files are no part of the project.
pub(super) const SKIPPED: [&str; 5] = ["__pycache__", "node_modules", "target", "vendor", "venv"];
/// The folder of the copies, in the data directory.
const FOLDER: &str = "before";

/// The copy.
pub(super) struct Snapshot {
    folder: PathBuf,
}

impl Snapshot {
    /// Copies the project of a turn and puts back what the turn changed. Blocks.
    ///
    /// # Errors
    /// Fails where the project is too large, or a file was not kept as it was before.
    pub(super) fn before(scope: &Scope, steps: &[PatchStep]) -> io::Result<Self> {
        let outgoing = scope.outgoing();
        let data = outgoing.parent().and_then(Path::parent);
        let data = data.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let folder = data.join(FOLDER).join(scope.session.to_string());
        if folder.symlink_metadata().is_ok() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let snapshot = Self { folder };
        let mut copy = Copy {
            entries: 0,
            bytes: 0,
        };
        copy.folder(&scope.workspace, &snapshot.folder, 0)?;
        let of_turn = steps.iter().filter(|step| step.turn == scope.turn);
        let mut first: BTreeMap<&str, &FileBefore> = BTreeMap::new();
        for file in of_turn.flat_map(|step| &step.files) {
            first.entry(&file.path).or_insert(file);
        }
        for (path, file) in first {
            snapshot.put_back(path, file)?;
        }
        Ok(snapshot)
    }

    /// Returns where it is.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn put_back(&self, path: &str, file: &FileBefore) -> io::Result<()> {
        let parts: Vec<Component<'_>> = Path::new(path).components().collect();
        let is_plain = parts.iter().all(|it| matches!(it, Component::Normal(_)));
        let Some((name, folders)) = parts.split_last().filter(|_| is_plain && file.is_kept())
        else {
            return Err(io::Error::other("a file was not kept as it was before"));
        };
        let mut folder = self.folder.clone();
        for part in folders {
            folder.push(part);
            match folder.symlink_metadata() {
                Ok(found) if found.is_dir() => {}
                Ok(_) => return Err(io::Error::other("a folder of the project is a link")),
                Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&folder)?,
                Err(error) => return Err(error),
            }
        }
        let place = folder.join(name);
        // A link would lead elsewhere: it gives way to the file.
        match fs::remove_file(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        match &file.content {
            Some(content) => fs::write(&place, content),
            None => Ok(()),
        }
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!(%error, "the copy of a project was not removed");
        }
    }
}

/// A copy under way.
struct Copy {
    entries: usize,
    bytes: u64,
}

impl Copy {
    /// Copies what a folder holds. Links stay links, wherever they lead: the sandbox judges that.
    fn folder(&mut self, from: &Path, to: &Path, depth: usize) -> io::Result<()> {
        if depth > MAX_DEPTH {
            return Err(io::Error::other("the project is too deep"));
        }
        for entry in from.read_dir()? {
            let entry = entry?;
            let (kind, name) = (entry.file_type()?, entry.file_name());
            let is_made = name
                .to_str()
                .is_some_and(|it| SKIPPED.contains(&it) || [".git", ".venv"].contains(&it));
            if is_made {
                continue;
            }
            self.entries += 1;
            let target = to.join(&name);
            if kind.is_dir() {
                fs::create_dir(&target)?;
                self.folder(&entry.path(), &target, depth + 1)?;
            } else if kind.is_symlink() {
                symlink(fs::read_link(entry.path())?, &target)?;
            } else if kind.is_file() {
                self.bytes += entry.metadata()?.len();
                self.check_size()?;
                fs::copy(entry.path(), &target)?;
            }
            self.check_size()?;
        }
        Ok(())
    }

    fn check_size(&self) -> io::Result<()> {
        if self.entries > MAX_ENTRIES || self.bytes > MAX_BYTES {
            return Err(io::Error::other("the project is too large to be copied"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use sayso_core::transcript::{
        CallId, ChatId, FileBefore, Owner, Role, Scope, SessionId, TurnId, UserId,
    };
    use tempfile::TempDir;

    use super::Snapshot;
    use crate::code::PatchStep;

    fn scope(directory: &Path) -> Scope {
        Scope {
            user: UserId(1),
            role: Role::Owner,
            chat: ChatId(1),
            session: SessionId(1),
            turn: TurnId(7),
            owner: Owner::User(UserId(1)),
            workspace: directory.join("site"),
            home: directory.join("data/workspaces/user-1"),
            project: None,
        }
    }

    fn step(turn: i64, path: &str, content: Option<&str>) -> PatchStep {
        PatchStep {
            turn: TurnId(turn),
            call: CallId("c".to_owned()),
            files: vec![FileBefore {
                path: path.to_owned(),
                was: content.map(|_| "00".to_owned()),
                content: content.map(|text| text.as_bytes().to_vec()),
                mode: None,
                becomes: "01".to_owned(),
                own: false,
            }],
        }
    }

    fn read(snapshot: &Snapshot, name: &str) -> Option<String> {
        fs::read_to_string(snapshot.folder().join(name)).ok()
    }

    #[test]
    fn it_has_the_files_as_they_were_before_the_turn() {
        let directory = TempDir::new().unwrap();
        let site = directory.path().join("site");
        for folder in ["src", "target", ".git"] {
            fs::create_dir_all(site.join(folder)).unwrap();
            fs::write(site.join(folder).join("a"), "now").unwrap();
        }
        fs::write(site.join("new"), "now").unwrap();
        symlink("/etc/hostname", site.join("link")).unwrap();
        let steps = [
            step(6, "src/a", Some("an earlier turn")),
            step(7, "src/a", Some("before")),
            step(7, "src/a", Some("in between")),
            step(7, "new", None),
            step(7, "link", Some("a file once")),
        ];
        let snapshot = Snapshot::before(&scope(directory.path()), &steps).unwrap();
        assert_eq!(read(&snapshot, "src/a").as_deref(), Some("before"));
        assert_eq!(read(&snapshot, "new"), None);
        assert_eq!(read(&snapshot, "link").as_deref(), Some("a file once"));
        assert_eq!(read(&snapshot, "target/a"), None);
        assert_eq!(read(&snapshot, ".git/a"), None);
        let now = fs::read_to_string(site.join("src/a")).unwrap();
        assert_eq!(now, "now", "the project itself is as it was left");
        let folder = snapshot.folder().to_owned();
        drop(snapshot);
        assert!(!folder.exists());
    }

    #[test]
    fn nothing_is_written_outside_of_it() {
        let directory = TempDir::new().unwrap();
        let site = directory.path().join("site");
        fs::create_dir_all(&site).unwrap();
        let outside = directory.path().join("outside");
        fs::create_dir(&outside).unwrap();
        symlink(&outside, site.join("linked")).unwrap();
        for path in ["../x", "/tmp/x", "linked/x"] {
            let steps = [step(7, path, Some("no"))];
            let made = Snapshot::before(&scope(directory.path()), &steps);
            assert!(made.is_err(), "{path}");
        }
        assert_eq!(outside.read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_was_not_kept_makes_no_copy() {
        let directory = TempDir::new().unwrap();
        fs::create_dir_all(directory.path().join("site")).unwrap();
        let mut lost = step(7, "a", Some(""));
        for file in &mut lost.files {
            file.content = None;
        }
        assert!(Snapshot::before(&scope(directory.path()), &[lost]).is_err());
    }
}
