//! Where the paths of a command lead, without looking: what was looked up is given.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::call_facts::Place;
use crate::is_secret_like;

/// Where paths lead.
#[derive(Debug)]
pub enum Places<'a> {
    /// Paths were not resolved: a relative path that does not climb counts as inside, and no
    /// program has settings there.
    AsWritten,
    /// A tool looked, with symlinks resolved; what it did not look at is outside.
    LookedUp(&'a BTreeMap<String, Place>),
    /// Records which paths are asked about, so that they can be resolved next, and calls them
    /// inside.
    Noted(&'a RefCell<BTreeSet<String>>),
}

/// Where a path leads, as far as a command is concerned. The worst counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Leads {
    /// Into the workspace, or to where nothing is.
    Inside,
    /// To what the system tells everybody of itself. It may be read.
    Public,
    /// Inside, to a file that keeps secrets by its name.
    ToSecrets,
    /// Anywhere else.
    Outside,
}

/// How many directories a script may have entered before its paths are no longer followed.
const MAX_DIRECTORIES: usize = 8;
/// What every process may open and nothing is kept in.
const NOWHERE: [&str; 5] = [
    "/dev/null",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    ":memory:",
];

/// Files in which a system says what it is. A confined command sees no more of it than these, and
/// what is installed.
const PUBLIC_FILES: [&str; 23] = [
    "/etc/debian_version",
    "/etc/lsb-release",
    "/etc/mime.types",
    "/etc/os-release",
    "/etc/protocols",
    "/etc/redhat-release",
    "/etc/services",
    "/etc/shells",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/diskstats",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/swaps",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/ostype",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/random/uuid",
    "/proc/uptime",
    "/proc/version",
    "/proc/vmstat",
];
/// Directories with what packages of the system brought along.
const PUBLIC_DIRECTORIES: [&str; 10] = [
    "/bin",
    "/lib",
    "/lib64",
    "/sbin",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib64",
    "/usr/sbin",
    "/usr/share",
];

/// Returns whether a path leads to what a system tells everybody of itself.
fn is_public(path: &str) -> bool {
    let climbs = path.split('/').any(|name| name == "..");
    let is_below = |directory: &str| {
        path.strip_prefix(directory)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !climbs
        && !is_secret_like(Path::new(path))
        && (PUBLIC_FILES.contains(&path) || PUBLIC_DIRECTORIES.iter().any(|it| is_below(it)))
}

/// The places, and the directories in which the shell may be by now.
#[derive(Debug)]
pub(crate) struct Ground<'a> {
    places: Places<'a>,
    /// Relative to the workspace. Several, since a `cd` may have failed.
    directories: Vec<String>,
    is_lost: bool,
}

impl<'a> Ground<'a> {
    /// Starts in the workspace.
    pub(crate) fn new(places: Places<'a>) -> Self {
        Self {
            places,
            directories: vec![String::new()],
            is_lost: false,
        }
    }

    /// Returns where a path leads from every directory in which the shell may be.
    pub(crate) fn leads(&self, path: &str) -> Leads {
        if NOWHERE.contains(&path) || path == "-" {
            return Leads::Inside;
        }
        if is_public(path) {
            return Leads::Public;
        }
        let names_a_machine = path
            .split('/')
            .next()
            .is_some_and(|first| first.contains(':'));
        // Behind an `@` many programs look for a list of names.
        if self.is_lost || names_a_machine || path.is_empty() || path.starts_with('@') {
            return Leads::Outside;
        }
        self.directories
            .iter()
            .map(|directory| self.leads_from_start(&joined(directory, path)))
            .max()
            .unwrap_or(Leads::Outside)
    }

    fn leads_from_start(&self, path: &str) -> Leads {
        let inside = |resolved: &Path| {
            if is_secret_like(Path::new(path)) || is_secret_like(resolved) {
                Leads::ToSecrets
            } else {
                Leads::Inside
            }
        };
        match &self.places {
            Places::AsWritten if stays_inside(path) => inside(Path::new(path)),
            Places::AsWritten => Leads::Outside,
            Places::LookedUp(places) => match places.get(path) {
                Some(Place::Inside(resolved) | Place::Nothing(resolved)) => inside(resolved),
                Some(Place::Outside(_)) | None => Leads::Outside,
            },
            Places::Noted(paths) => {
                paths.borrow_mut().insert(path.to_owned());
                Leads::Inside
            }
        }
    }

    /// Returns whether a program finds no settings under this name. It begins with `~/` where the
    /// program looks at home: the workspace is the home of every command. It ends with `*` where it
    /// is the beginning of a name.
    ///
    /// A program that looks where it is started looks above that as well, so elsewhere than at the
    /// start it may find some.
    pub(crate) fn lacks(&self, settings: &str) -> bool {
        let (name, is_known) = match settings.strip_prefix("~/") {
            Some(name) => (name, true),
            None => (settings, !self.has_moved()),
        };
        let is_nothing = match &self.places {
            Places::AsWritten => true,
            Places::LookedUp(places) => matches!(places.get(name), Some(Place::Nothing(_))),
            Places::Noted(paths) => {
                paths.borrow_mut().insert(name.to_owned());
                true
            }
        };
        is_known && is_nothing
    }

    /// Returns the directories in which the shell may be, relative to the workspace.
    pub(crate) fn directories(&self) -> &[String] {
        &self.directories
    }

    /// Returns whether it is not known where the shell may be.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Returns whether the shell may be elsewhere than where it started.
    pub(crate) fn has_moved(&self) -> bool {
        self.is_lost || self.directories.len() > 1
    }

    /// Enters a directory; returns whether it is inside.
    pub(crate) fn enter(&mut self, directory: &str) -> bool {
        if self.leads(directory) != Leads::Inside || directory == "-" {
            self.is_lost = true;
            return false;
        }
        let entered: Vec<_> = self
            .directories
            .iter()
            .map(|from| joined(from, directory))
            .collect();
        self.directories.extend(entered);
        self.directories.sort();
        self.directories.dedup();
        self.is_lost |= self.directories.len() > MAX_DIRECTORIES;
        !self.is_lost
    }
}

/// Returns a path relative to the starting directory.
pub(super) fn joined(directory: &str, path: &str) -> String {
    if directory.is_empty() || path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{directory}/{path}")
    }
}

/// Returns whether a path is relative and never climbs above where it starts.
pub(super) fn stays_inside(path: &str) -> bool {
    let mut depth = 0_i32;
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        if depth < 0 {
            return false;
        }
    }
    !path.starts_with('/') && !path.starts_with('~')
}

#[cfg(test)]
mod tests {
    use super::{Ground, Leads, Place, Places};

    #[test]
    fn relative_paths_that_do_not_climb_are_inside() {
        let ground = Ground::new(Places::AsWritten);
        for path in ["a", "./a/b", "a/../b", ".", "/dev/null", "-"] {
            assert_eq!(ground.leads(path), Leads::Inside, "{path}");
        }
        for path in [
            "/",
            "/etc/hosts",
            "..",
            "a/../../b",
            "~/x",
            "host:x",
            "http://x",
            "@list",
            "",
        ] {
            assert_eq!(ground.leads(path), Leads::Outside, "{path}");
        }
    }

    #[test]
    fn what_the_system_tells_everybody_is_public() {
        let ground = Ground::new(Places::AsWritten);
        for path in [
            "/etc/os-release",
            "/proc/cpuinfo",
            "/usr/share/dict/words",
            "/usr/bin",
        ] {
            assert_eq!(ground.leads(path), Leads::Public, "{path}");
        }
        for path in [
            "/etc/passwd",
            "/etc/os-release/../passwd",
            "/usr/share/../../etc/passwd",
            "/usr/share/server.key",
            "/usr/shared",
            "/usr/local/etc/x",
            "/proc/1/environ",
            "/proc/self/maps",
        ] {
            assert_eq!(ground.leads(path), Leads::Outside, "{path}");
        }
    }

    #[test]
    fn after_a_cd_a_path_must_be_inside_from_wherever_the_shell_may_be() {
        let mut ground = Ground::new(Places::AsWritten);
        assert!(ground.enter("a/b"));
        assert_eq!(ground.leads("x"), Leads::Inside);
        assert_eq!(
            ground.leads("../x"),
            Leads::Outside,
            "the cd may have failed"
        );
        assert!(!ground.enter("/tmp"));
        assert_eq!(ground.leads("x"), Leads::Outside);
    }

    #[test]
    fn what_no_one_looked_up_is_outside() {
        let places = std::collections::BTreeMap::new();
        let ground = Ground::new(Places::LookedUp(&places));
        assert_eq!(ground.leads("a"), Leads::Outside);
        assert!(!ground.lacks(".toolrc"));
    }

    #[test]
    fn settings_are_lacking_where_nothing_was_found() {
        let places = [
            (".toolrc".to_owned(), Place::Nothing("/w/.toolrc".into())),
            (".otherrc".to_owned(), Place::Inside("/w/.otherrc".into())),
            ("sub".to_owned(), Place::Inside("/w/sub".into())),
        ]
        .into();
        let mut ground = Ground::new(Places::LookedUp(&places));
        assert!(ground.lacks(".toolrc") && ground.lacks("~/.toolrc"));
        assert!(!ground.lacks(".otherrc") && !ground.lacks("~/.otherrc"));
        ground.enter("sub");
        assert!(
            !ground.lacks(".toolrc"),
            "one of its directories may have some"
        );
        assert!(ground.lacks("~/.toolrc"));
    }
}
