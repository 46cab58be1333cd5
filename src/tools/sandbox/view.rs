//! A view of the files in which everything but the workspace is read-only, and of the processes in
//! which there are no others, where the system lets us have namespaces for them.
//!
//! Landlock does not restrict changes of modes, owners and timestamps of files (landlock(7),
//! "Current limitations"); a read-only mount does. Whether the view is effective is checked by the
//! self-test.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};

use super::namespaces::{Entered, Namespace, bound_tasks};
use super::profile::{SandboxProfile, View};
use super::strictness::Strictness;

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

/// Gives this process, before it has another thread, the view of a plan and, in a PID namespace, a
/// `/proc` of its own and a limit on tasks. With [`Strictness::BestEffort`] as much of the view as
/// possible; the plan's places must exist.
pub fn enter_view(plan: &SandboxProfile, entered: &Entered, tasks: usize) -> io::Result<()> {
    if entered.has(Namespace::Mounts) {
        // Nothing that we mount is seen outside, and the other way round.
        change(Path::new("/"), MsFlags::MS_REC | MsFlags::MS_PRIVATE)?;
    }
    let viewed = match plan.view {
        View::AsItIs => Ok(()),
        View::ReadOnly if entered.has(Namespace::Mounts) => make_read_only(plan),
        View::ReadOnly => Err(io::Error::other("there is no namespace for its view")),
    };
    match plan.strictness {
        Strictness::BestEffort => {}
        Strictness::Whole => viewed?,
    }
    if entered.has(Namespace::Processes) {
        // Without it we would count and end by the numbers of others.
        own_proc(tasks)?;
    }
    Ok(())
}

/// Makes everything read-only but the places of a plan where it may write. The mounts must be
/// ours alone.
fn make_read_only(plan: &SandboxProfile) -> io::Result<()> {
    let here = std::env::current_dir()?;
    let temporary = plan.temporary.parent().into_iter();
    let places = plan.write.iter().map(PathBuf::as_path).chain(temporary);
    let writable = places
        .map(Path::canonicalize)
        .collect::<io::Result<Vec<_>>>()?;
    for place in &writable {
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
            // This fails for a mount that is hidden below another one, or that the system does not
            // let us change: the self-test then reports what the view is worth.
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

/// Mounts the `/proc` of our own namespace of processes, which tells of no other.
fn own_proc(tasks: usize) -> io::Result<()> {
    let kept = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let place = Path::new("/proc");
    mount(NOTHING, place, Some("proc"), kept, NOTHING)?;
    bound_tasks(tasks)?;
    let read_only = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY;
    Ok(change(place, read_only | kept)?)
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
