//! How the end of a command is reported to the model.

use std::time::Duration;

use sayso_core::transcript::ToolOutcome;
use sayso_sandbox::helper::{End, Left, Limit};
use sayso_sandbox::{Network, SandboxProfile};

use super::run::Over;

/// What programs say when the system refuses them something (strerror(3)), in small letters.
const REFUSALS: &[&str] = &[
    "permission denied",
    "operation not permitted",
    "read-only file system",
];
/// What programs say when they find no address.
const NO_ADDRESS: &[&str] = &[
    "could not resolve host",
    "temporary failure in name resolution",
    "name or service not known",
];

/// What a command was held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Confined {
    /// To nothing.
    No,
    /// To reading the workspace.
    ToReading,
    /// To the workspace.
    ToWorkspace,
    /// To the workspace and the network.
    ToWorkspaceAndNetwork,
}

impl Confined {
    /// Returns what a plan holds a command to.
    pub(super) fn by(plan: Option<&SandboxProfile>) -> Self {
        match plan.map(|plan| (plan.network, plan.read_ordinary.is_empty())) {
            None => Self::No,
            Some((_, false)) => Self::ToReading,
            Some((Network::Refused, true)) => Self::ToWorkspace,
            Some((Network::Allowed, true)) => Self::ToWorkspaceAndNetwork,
        }
    }

    /// Returns what the model should know about a failure that this may explain.
    fn hint(self, output: &str) -> Option<&'static str> {
        let output = output.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| output.contains(word));
        match self {
            Self::ToReading if says(REFUSALS) => Some(
                "hint: it ran unasked, so it could only read: it could change nothing, and open no \
                 files that keep secrets by their names (`.env`, `*.pem`, `.ssh` ...). The rest is \
                 complete. If one of them is needed, name it (`cat .env`), and a person is asked",
            ),
            Self::ToWorkspace if says(REFUSALS) || says(NO_ADDRESS) => Some(
                "hint: it ran with access `workspace`: it may change the workspace and $TMPDIR, \
                 read the system's programs, and use no network. If it was refused for that and \
                 the task needs more, call again with access `network` or `system`",
            ),
            Self::ToWorkspaceAndNetwork if says(REFUSALS) => Some(
                "hint: it ran with access `network`: it may change the workspace and $TMPDIR, read \
                 the system's programs, and use the network. If it was refused for that and the \
                 task needs more, call again with access `system`",
            ),
            Self::No | Self::ToReading | Self::ToWorkspace | Self::ToWorkspaceAndNetwork => None,
        }
    }
}

/// Returns the result of a command that is over.
pub(super) fn outcome(
    over: Over,
    confined: Confined,
    output: String,
    timeout: Duration,
) -> ToolOutcome {
    let mut error = match over {
        Over::Ended(End::Exited { code: 0 }) => return ToolOutcome::Success { output },
        Over::Ended(End::Exited { code }) => format!("exit code {code}"),
        Over::Ended(End::Killed { signal }) => format!("ended by {signal}"),
        Over::Ended(End::Overdrawn(limit)) => overdrawn(limit).to_owned(),
        Over::TimedOut => format!(
            "timed out after {} s; it was ended with everything that it started",
            timeout.as_secs()
        ),
        Over::Stopped => "stopped; it was ended with everything that it started".to_owned(),
        Over::HelperLost => "its helper process vanished: how it ended is unknown".to_owned(),
    };
    if let Some(hint) = confined.hint(&output) {
        error.push('\n');
        error.push_str(hint);
    }
    ToolOutcome::Failed {
        error,
        partial: (!output.is_empty()).then_some(output),
    }
}

pub(super) fn overdrawn(limit: Limit) -> &'static str {
    match limit {
        Limit::Processes => {
            "it had too many processes at a time; it was ended with everything that it started"
        }
        Limit::Memory => "it used too much memory; it was ended with everything that it started",
        Limit::Disk => {
            "it had nearly filled the disk; it was ended with everything that it started"
        }
        Limit::Files => {
            "it had made too many files and directories; it was ended with everything that it \
             started"
        }
    }
}

/// Says what a command left running, on a line of its own; empty where it left nothing.
pub(super) fn told_left(left: &Left, can_keep: bool) -> String {
    if left.count == 0 {
        return String::new();
    }
    let commands = left.commands.iter();
    let named: Vec<String> = commands
        .map(|line| {
            format!(
                "`{}`",
                sayso_core::visible::visible_line(line).replace('`', "'")
            )
        })
        .collect();
    let more = match left.count.saturating_sub(left.commands.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let hint = if can_keep {
        "; to keep a command running, call with `background`"
    } else {
        ""
    };
    format!(
        "[ended what it left running: {}{more}. Nothing of it runs any more{hint}]",
        named.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sayso_sandbox::helper::{End, Limit};

    use super::{Confined, outcome};
    use crate::shell::run::Over;

    fn told(end: End, confined: Confined, output: &str) -> String {
        let timeout = Duration::from_secs(1);
        outcome(Over::Ended(end), confined, output.to_owned(), timeout).for_model()
    }

    #[test]
    fn a_refusal_by_the_kernel_is_explained() {
        let output = "cat: /etc/shadow: Permission denied";
        insta::assert_snapshot!(told(End::Exited { code: 1 }, Confined::ToWorkspace, output), @"
        [failed] exit code 1
        hint: it ran with access `workspace`: it may change the workspace and $TMPDIR, read the system's programs, and use no network. If it was refused for that and the task needs more, call again with access `network` or `system`
        [partial output]
        cat: /etc/shadow: Permission denied
        ");
        let output = "grep: ./.env: Permission denied";
        insta::assert_snapshot!(told(End::Exited { code: 2 }, Confined::ToReading, output), @"
        [failed] exit code 2
        hint: it ran unasked, so it could only read: it could change nothing, and open no files that keep secrets by their names (`.env`, `*.pem`, `.ssh` ...). The rest is complete. If one of them is needed, name it (`cat .env`), and a person is asked
        [partial output]
        grep: ./.env: Permission denied
        ");
        let output = "curl: (6) Could not resolve host: example.org";
        insta::assert_snapshot!(told(End::Exited { code: 6 }, Confined::ToWorkspace, output), @"
        [failed] exit code 6
        hint: it ran with access `workspace`: it may change the workspace and $TMPDIR, read the system's programs, and use no network. If it was refused for that and the task needs more, call again with access `network` or `system`
        [partial output]
        curl: (6) Could not resolve host: example.org
        ");
        let output = "touch: cannot touch '/x': Permission denied";
        let told = told(
            End::Exited { code: 1 },
            Confined::ToWorkspaceAndNetwork,
            output,
        );
        insta::assert_snapshot!(told, @"
        [failed] exit code 1
        hint: it ran with access `network`: it may change the workspace and $TMPDIR, read the system's programs, and use the network. If it was refused for that and the task needs more, call again with access `system`
        [partial output]
        touch: cannot touch '/x': Permission denied
        ");
    }

    #[test]
    fn nothing_else_is() {
        let failed = End::Exited { code: 1 };
        let denied = "Permission denied";
        for told in [
            told(failed.clone(), Confined::No, denied),
            told(failed.clone(), Confined::ToWorkspace, "no such file"),
            told(
                failed,
                Confined::ToWorkspaceAndNetwork,
                "Could not resolve host",
            ),
            told(End::Exited { code: 0 }, Confined::ToWorkspace, denied),
        ] {
            assert!(!told.contains("hint"), "{told}");
        }
    }

    #[test]
    fn what_was_used_up_is_said() {
        let told = |limit| told(End::Overdrawn(limit), Confined::ToWorkspace, "");
        let said = [Limit::Processes, Limit::Memory, Limit::Disk, Limit::Files].map(told);
        insta::assert_snapshot!(said.join("\n"), @"
        [failed] it had too many processes at a time; it was ended with everything that it started
        [failed] it used too much memory; it was ended with everything that it started
        [failed] it had nearly filled the disk; it was ended with everything that it started
        [failed] it had made too many files and directories; it was ended with everything that it started
        ");
    }
}
