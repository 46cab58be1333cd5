//! What says that files of a project have changed.
//!
//! Only the folders of known files are watched, each by itself: what a build writes beside them, in
//! folders that are ignored, wakes nothing. Where the system has no room for watches
//! (`fs.inotify.max_user_watches`), the look at all files every ten minutes is what is left.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};

/// How many folders of one project are watched.
const MAX_FOLDERS: usize = 4_000;

/// What is watched of a folder; a link is none.
const CHANGES: AddWatchFlags = AddWatchFlags::IN_CREATE
    .union(AddWatchFlags::IN_DELETE)
    .union(AddWatchFlags::IN_DELETE_SELF)
    .union(AddWatchFlags::IN_MOVE_SELF)
    .union(AddWatchFlags::IN_CLOSE_WRITE)
    .union(AddWatchFlags::IN_MOVE)
    .union(AddWatchFlags::IN_ONLYDIR)
    .union(AddWatchFlags::IN_DONT_FOLLOW);

/// Watches the folders of projects, each of which has a number.
pub(super) struct Watches {
    inotify: Option<Inotify>,
    /// Projects may share folders, which have one watch then.
    projects: HashMap<WatchDescriptor, BTreeSet<usize>>,
    folders: Vec<BTreeMap<PathBuf, WatchDescriptor>>,
}

impl Watches {
    /// Watches nothing yet.
    pub(super) fn new(projects: usize) -> Self {
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC);
        let inotify = inotify.inspect_err(|error| {
            tracing::warn!(%error, "cannot watch projects; their files are looked at every ten minutes");
        });
        Self {
            inotify: inotify.ok(),
            projects: HashMap::new(),
            folders: vec![BTreeMap::new(); projects],
        }
    }

    /// Watches the folders of these files of a project, and no others of it. Returns whether there are
    /// some that were not watched before, of which a change since they were looked at is not heard.
    pub(super) fn follow(&mut self, project: usize, root: &Path, files: &[String]) -> bool {
        let (Some(inotify), Some(watched)) = (&self.inotify, self.folders.get_mut(project)) else {
            return false;
        };
        let mut is_new = false;
        let folders = files.iter().filter_map(|file| Path::new(file).parent());
        let mut wanted: BTreeSet<&Path> = folders.flat_map(Path::ancestors).collect();
        wanted.insert(Path::new(""));
        let wanted: BTreeSet<PathBuf> = wanted
            .into_iter()
            .take(MAX_FOLDERS)
            .map(|folder| root.join(folder))
            .collect();
        watched.retain(|folder, watch| {
            let stays = wanted.contains(folder);
            if !stays {
                release(inotify, &mut self.projects, *watch, project);
            }
            stays
        });
        for folder in wanted {
            // A folder that came again under the same name is another one.
            match inotify.add_watch(&folder, CHANGES) {
                Ok(watch) => {
                    self.projects.entry(watch).or_default().insert(project);
                    let before = watched.insert(folder, watch);
                    is_new |= before != Some(watch);
                    if let Some(before) = before.filter(|before| *before != watch) {
                        release(inotify, &mut self.projects, before, project);
                    }
                }
                Err(Errno::ENOSPC) => {
                    tracing::warn!(
                        "no room for more watches of folders (fs.inotify.max_user_watches); what \
                         changes there is found within ten minutes"
                    );
                    break;
                }
                // It has gone since it was listed.
                Err(Errno::ENOENT | Errno::ENOTDIR) => is_new = true,
                Err(error) => tracing::debug!(%error, "cannot watch a folder of a project"),
            }
        }
        is_new
    }

    /// Waits for changes for at most this long; returns the projects that have changed.
    pub(super) fn changed(&self, wait: Duration) -> BTreeSet<usize> {
        let Some(inotify) = &self.inotify else {
            std::thread::sleep(wait);
            return BTreeSet::new();
        };
        let timeout = PollTimeout::try_from(wait).unwrap_or(PollTimeout::MAX);
        let mut polled = [PollFd::new(inotify.as_fd(), PollFlags::POLLIN)];
        // Whatever woke it, what is there is read.
        let _ = poll(&mut polled, timeout);
        let mut changed = BTreeSet::new();
        while let Ok(events) = inotify.read_events() {
            for event in events {
                if event.mask.contains(AddWatchFlags::IN_Q_OVERFLOW) {
                    changed.extend(0..self.folders.len());
                }
                changed.extend(self.projects.get(&event.wd).into_iter().flatten());
            }
        }
        changed
    }
}

/// Ends the watch of a project, which goes on where another one has it, too.
fn release(
    inotify: &Inotify,
    projects: &mut HashMap<WatchDescriptor, BTreeSet<usize>>,
    watch: WatchDescriptor,
    project: usize,
) {
    let Some(who) = projects.get_mut(&watch) else {
        return;
    };
    who.remove(&project);
    if who.is_empty() {
        projects.remove(&watch);
        // One that has gone is watched no longer in any case.
        let _ = inotify.rm_watch(watch);
    }
}
