//! Namespaces of a command's own: what is not in them is not there for it.
//!
//! The helper goes into them before it does anything else. A namespace of processes takes in only
//! what is started next, so the helper starts itself again there, as its first process: when that
//! one ends, the kernel ends everything in it.

use std::fs;
use std::io;

use nix::sched::{CloneFlags, unshare};
use rustix::process::{Gid, Uid, getegid, geteuid};
use rustix::thread::{
    CapabilitySet, capabilities, configure_capability_in_ambient_set, set_capabilities,
};
use serde::{Deserialize, Serialize};

use super::strictness::Strictness;

/// Numbers that a namespace does not give again once it has given all (`RESERVED_PIDS` of the
/// kernel's `kernel/pid.c`).
const NOT_GIVEN_AGAIN: usize = 300;
/// Tasks of a namespace that are the helper's.
pub const HELPER_TASKS: usize = 16;
/// The first kernel whose `pid_max` holds for a namespace, and not for the machine.
const OWN_PID_MAX_SINCE: (u32, u32) = (6, 14);
/// The highest number of a process in this namespace.
pub(crate) const PID_MAX: &str = "/proc/sys/kernel/pid_max";

/// What a command can have of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Namespace {
    /// Privileges over the other namespaces for a user who is not root. It is never requested
    /// explicitly, but created where it is required.
    Users,
    /// Mounts, without which there is neither a view nor a `/proc` of its own.
    Mounts,
    /// Processes: it sees no others, and all end with the first.
    Processes,
    /// Shared memory and message queues.
    Ipc,
    /// The network: none but a loopback that is down.
    Network,
}

/// The namespaces that a helper goes into first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceSetup {
    /// What to do when one cannot be had.
    pub strictness: Strictness,
    /// Which, in this order; after one that cannot be had none is tried.
    pub namespaces: Vec<Namespace>,
}

/// The namespaces that this process is in and the agent is not. Only [`enter`] makes one with
/// something in it, or the helper outside hands it to the one inside.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entered(Vec<Namespace>);

impl Entered {
    /// Returns whether it is one of them.
    pub fn has(&self, namespace: Namespace) -> bool {
        self.0.contains(&namespace)
    }
}

impl Namespace {
    /// Those that a command can be given besides a view of the files.
    pub const APART: [Self; 3] = [Self::Processes, Self::Ipc, Self::Network];

    /// Returns its name in `/proc/PID/ns`.
    pub fn link(self) -> &'static str {
        match self {
            Self::Users => "user",
            Self::Mounts => "mnt",
            Self::Processes => "pid",
            Self::Ipc => "ipc",
            Self::Network => "net",
        }
    }

    fn flag(self) -> CloneFlags {
        match self {
            Self::Users => CloneFlags::CLONE_NEWUSER,
            Self::Mounts => CloneFlags::CLONE_NEWNS,
            Self::Processes => CloneFlags::CLONE_NEWPID,
            Self::Ipc => CloneFlags::CLONE_NEWIPC,
            Self::Network => CloneFlags::CLONE_NEWNET,
        }
    }
}

/// Takes the calling process, which has no other thread yet, into new namespaces; into that of
/// processes only what it starts from now on.
pub fn enter(parting: &NamespaceSetup) -> io::Result<Entered> {
    let mut entered = Entered::default();
    if !capabilities(None)?
        .effective
        .contains(CapabilitySet::SYS_ADMIN)
    {
        let (user, group) = (geteuid(), getegid());
        match (unshare(CloneFlags::CLONE_NEWUSER), parting.strictness) {
            (Ok(()), _) => stay(user, group)?,
            (Err(_), Strictness::BestEffort) => return Ok(entered),
            (Err(error), Strictness::Whole) => return Err(error.into()),
        }
        entered.0.push(Namespace::Users);
    }
    for namespace in &parting.namespaces {
        match (unshare(namespace.flag()), parting.strictness) {
            (Ok(()), _) => entered.0.push(*namespace),
            (Err(_), Strictness::BestEffort) => break,
            (Err(error), Strictness::Whole) => return Err(error.into()),
        }
    }
    Ok(entered)
}

/// Gives us the user and group inside that we are outside (user_namespaces(7)), and lets what we
/// start mount as we may. Confining a thread takes that from it.
fn stay(user: Uid, group: Gid) -> io::Result<()> {
    let (user, group) = (user.as_raw(), group.as_raw());
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    let mut rights = capabilities(None)?;
    rights.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, rights)?;
    Ok(configure_capability_in_ambient_set(
        CapabilitySet::SYS_ADMIN,
        true,
    )?)
}

/// Limits the tasks in this PID namespace, whose `/proc` is mounted, to about `tasks`, by setting
/// its highest PID. Does nothing on kernels where that setting is global.
pub(crate) fn bound_tasks(tasks: usize) -> io::Result<()> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease")?;
    if version(&release).is_some_and(|version| version >= OWN_PID_MAX_SINCE) {
        fs::write(PID_MAX, pid_max_for(tasks))?;
    }
    Ok(())
}

/// Returns the highest PID that leaves room for at most `tasks` tasks and those of the helper.
pub(crate) fn pid_max_for(tasks: usize) -> String {
    (tasks + HELPER_TASKS + NOT_GIVEN_AGAIN).to_string()
}

fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|character: char| !character.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{OWN_PID_MAX_SINCE, version};

    #[test]
    fn kernels_are_told_apart_by_their_release() {
        assert_eq!(version("6.18.44-generic\n"), Some((6, 18)));
        assert_eq!(version("6.8.0-45-generic"), Some((6, 8)));
        assert!(version("5.15.0") < Some(OWN_PID_MAX_SINCE));
        assert_eq!(version("unknown"), None);
    }
}
