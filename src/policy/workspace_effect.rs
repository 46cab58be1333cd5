//! How a cleared call touches its workspace, for tracking whether the workspace can contain text
//! from outside.
//!
//! Besides its workspace a confined command reads what the operator installed, which is trusted,
//! and what the kernel shows of other processes, whose names and arguments are untrusted. Programs
//! that exist to show those bring in text from outside; so does every command whose programs cannot
//! be determined for certain.

use super::access::Access;
use super::call_facts::{Action, CallFacts, Lasting, Reach};
use super::commands::{Places, started_programs};
use super::plain::ProgramKind;
use super::security_policy::SecurityPolicy;

/// How a call touches its workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkspaceEffect {
    /// It reads there and nowhere else, and changes nothing.
    Reads,
    /// It reads and changes what is there, and reaches nothing else.
    Changes,
    /// It may bring text from elsewhere.
    Brings,
    /// Nothing holds it to the workspace.
    ReachesOut,
}

/// Programs that show what others do on the machine.
const SHOW_OTHERS: [&str; 28] = [
    "atop",
    "btop",
    "dmesg",
    "finger",
    "fuser",
    "glances",
    "htop",
    "ip",
    "ipcs",
    "journalctl",
    "last",
    "lastlog",
    "loginctl",
    "lsof",
    "netstat",
    "pgrep",
    "pidof",
    "pmap",
    "ps",
    "pstree",
    "pwdx",
    "ss",
    "systemctl",
    "tload",
    "top",
    "users",
    "w",
    "who",
];

impl SecurityPolicy {
    /// Returns how a call touches its workspace that was cleared to reach so far.
    pub fn touch(&self, facts: &CallFacts, access: Access) -> WorkspaceEffect {
        match &facts.tool.action {
            Action::Read {
                path: Reach::Inside(_),
            } => WorkspaceEffect::Reads,
            Action::Write {
                path: Reach::Inside(_),
            } => WorkspaceEffect::Changes,
            Action::Exec {
                command,
                places,
                lasting,
                ..
            } => match (
                lasting,
                self.touch_of(command, Places::LookedUp(places), access),
            ) {
                // Its output arrives when it is no longer tracked.
                (Lasting::Background, WorkspaceEffect::Brings) => WorkspaceEffect::ReachesOut,
                (Lasting::Background | Lasting::WhileCalled, touch) => touch,
            },
            Action::Internal
            | Action::Remember { .. }
            | Action::Configure
            | Action::Schedule(_)
            | Action::Fetch { .. }
            | Action::Mcp { .. }
            | Action::Read {
                path: Reach::Outside(_),
            }
            | Action::Write {
                path: Reach::Outside(_),
            } => WorkspaceEffect::Brings,
        }
    }

    fn touch_of(&self, command: &str, places: Places<'_>, access: Access) -> WorkspaceEffect {
        if access == Access::System || !self.confinement.is_whole() {
            return WorkspaceEffect::ReachesOut;
        }
        let programs = started_programs(command, places);
        let stays = programs.is_some_and(|programs| programs.iter().all(|it| stays(it)));
        match access {
            Access::Workspace if stays => WorkspaceEffect::Changes,
            Access::Workspace | Access::Network | Access::System => WorkspaceEffect::Brings,
        }
    }
}

/// Returns whether what a program shows comes from its workspace, unless a program in there was
/// made to show more.
fn stays(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    ProgramKind::of(program) != ProgramKind::Wrapper && !SHOW_OTHERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{WorkspaceEffect, stays};
    use crate::commands::Places;
    use crate::{Access, Confinement, Enforced, SandboxMode, SecurityPolicy};

    fn touch(command: &str, access: Access) -> WorkspaceEffect {
        let policy = SecurityPolicy {
            confinement: Confinement {
                mode: SandboxMode::Require,
                enforced: Enforced::Wholly,
            },
            ..SecurityPolicy::default()
        };
        policy.touch_of(command, Places::AsWritten, access)
    }

    #[test]
    fn only_what_is_confined_and_named_stays() {
        for command in [
            "ls -l",
            "cat notes | head",
            "python3 count.py",
            "timeout 5 make",
        ] {
            assert_eq!(
                touch(command, Access::Workspace),
                WorkspaceEffect::Changes,
                "{command}"
            );
            assert_eq!(
                touch(command, Access::Network),
                WorkspaceEffect::Brings,
                "{command}"
            );
            assert_eq!(
                touch(command, Access::System),
                WorkspaceEffect::ReachesOut,
                "{command}"
            );
        }
        for command in [
            "ps aux",
            "/usr/bin/ps aux",
            "env ps",
            "sh -c 'ps aux'",
            "xargs ps",
            "ls | w",
            "$PROGRAM",
            "cat $(ps)",
            "for p in 1 2; do ps; done",
            "ls > /tmp/x",
        ] {
            assert_eq!(
                touch(command, Access::Workspace),
                WorkspaceEffect::Brings,
                "{command}"
            );
        }
        assert!(stays("git") && !stays("sudo"));
    }

    #[test]
    fn what_the_kernel_does_not_confine_reaches_out() {
        let policy = SecurityPolicy::default();
        let touch = policy.touch_of("ls", Places::AsWritten, Access::Workspace);
        assert_eq!(touch, WorkspaceEffect::ReachesOut);
    }
}
