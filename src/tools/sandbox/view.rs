//! A view of the files in which everything but the workspace is read-only, where the system lets
//! us have one: a mount namespace of the helper's own, in a user namespace unless it is root's.
//!
//! Landlock does not see who changes modes, owners and times of files (landlock(7), "Current
//! limitations"); on a read-only mount nobody does. What the view adds, the self-test finds out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use rustix::process::{getegid, geteuid};

use super::plan::{Plan, Strictness, View};

/// The most mounts that are looked at; a system has dozens, with containers hundreds.
const MAX_MOUNTS: usize = 4096;
/// Where a mount's own options have a flag that must stay (mountinfo and mount(2)).
const KEPT: &[(&str, MsFlags)] = &[
    ("nosuid", MsFlags::MS_NOSUID),
    ("nodev", MsFlags::MS_NODEV),
    ("noexec", MsFlags::MS_NOEXEC),
    ("noatime", MsFlags::MS_NOATIME),
    ("nodiratime", MsFlags::MS_NODIRATIME),
    ("relatime", MsFlags::MS_RELATIME),
];

/// Gives this process the view of a plan, before it has another thread; with
/// [`Strictness::BestEffort`] as much of it as can be had. The plan's places must exist.
pub fn enter_view(plan: &Plan) -> io::Result<()> {
    if plan.view == View::AsItIs {
        return Ok(());
    }
    let temporary = plan.temporary.parent().into_iter();
    let places = plan.write.iter().map(PathBuf::as_path).chain(temporary);
    let writable = places
        .map(Path::canonicalize)
        .collect::<io::Result<Vec<_>>>()?;
    match (make_read_only(&writable), plan.strictness) {
        (Err(_), Strictness::BestEffort) => Ok(()),
        (made, Strictness::BestEffort | Strictness::Whole) => made,
    }
}

/// Gives the calling process, which has no other thread yet, and all that it starts a view in
/// which nothing but these directories can be changed. They must exist.
fn make_read_only(writable: &[PathBuf]) -> io::Result<()> {
    let here = std::env::current_dir()?;
    own_namespaces()?;
    change(Path::new("/"), MsFlags::MS_REC | MsFlags::MS_PRIVATE)?;
    for place in writable {
        mount(
            Some(place),
            place,
            NOTHING,
            MsFlags::MS_BIND | MsFlags::MS_REC,
            NOTHING,
        )?;
    }
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    for found in mounts.lines().take(MAX_MOUNTS).filter_map(Mount::read) {
        if !writable.iter().any(|place| found.place.starts_with(place)) {
            // A mount that lies hidden below another one, or that the system keeps as it is: the
            // self-test says what it is worth then.
            let _ = change(&found.place, found.read_only());
        }
    }
    // The directory that we are in lies on the mount below the new one.
    std::env::set_current_dir(here)
}

const NOTHING: Option<&str> = None;

fn change(place: &Path, flags: MsFlags) -> nix::Result<()> {
    mount(NOTHING, place, NOTHING, flags, NOTHING)
}

fn own_namespaces() -> io::Result<()> {
    let (user, group) = (geteuid(), getegid());
    if user.is_root() {
        return Ok(unshare(CloneFlags::CLONE_NEWNS)?);
    }
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)?;
    // We stay who we are (user_namespaces(7)).
    let (user, group) = (user.as_raw(), group.as_raw());
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// One line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
#[derive(Debug, PartialEq)]
struct Mount {
    place: PathBuf,
    kept: MsFlags,
}

impl Mount {
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.split(' ').skip(4);
        let place = PathBuf::from(plain(fields.next()?));
        let options = fields.next()?;
        let has = |name: &str| options.split(',').any(|option| option == name);
        let kept = KEPT.iter().filter(|(name, _)| has(name));
        Some(Self {
            place,
            kept: kept.fold(MsFlags::empty(), |kept, (_, flag)| kept | *flag),
        })
    }

    fn read_only(&self) -> MsFlags {
        MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | self.kept
    }
}

/// Returns a place without the escapes of blanks and backslashes.
fn plain(place: &str) -> String {
    let escapes = [
        ("\\040", " "),
        ("\\011", "\t"),
        ("\\012", "\n"),
        ("\\134", "\\"),
    ];
    let replace = |text: String, (escape, plain)| text.replace(escape, plain);
    escapes.into_iter().fold(place.to_owned(), replace)
}

#[cfg(test)]
mod tests {
    use super::{Mount, MsFlags};

    #[test]
    fn a_mount_keeps_what_it_must() {
        let line = "36 35 98:0 /mnt1 /mnt\\040two rw,nosuid,relatime master:1 - ext3 /dev/root rw";
        let mount = Mount::read(line).unwrap();
        assert_eq!(mount.place.to_str(), Some("/mnt two"));
        assert_eq!(mount.kept, MsFlags::MS_NOSUID | MsFlags::MS_RELATIME);
        assert_eq!(Mount::read("36 35"), None);
    }
}
