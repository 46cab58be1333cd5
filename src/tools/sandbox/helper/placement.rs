//! Where a helper stands, as its second argument says: still outside of the namespaces that it is
//! to go into, or inside. Without one it stays where the agent is.

use std::io;
use std::process::{Command, ExitCode, ExitStatus};

use nix::sys::prctl;
use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};

use super::protocol::HELPER_ARGUMENT;
use crate::{Entered, Namespace, NamespaceSetup, enter};

/// What the second argument says, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Standing {
    /// Outside; it is to go into these first.
    Outside(NamespaceSetup),
    /// Inside, as the first process of its namespace.
    Inside(Entered),
}

/// What is left to do for a helper that has found its place.
pub(crate) enum Stand {
    /// Everything, in these namespaces.
    Here(Entered),
    /// Nothing: the one inside has done it.
    Done(ExitCode),
}

impl Standing {
    /// Goes where it has to be. Must be called before there is a second thread.
    pub(crate) fn take(argument: Option<&str>) -> io::Result<Stand> {
        let Some(argument) = argument else {
            return Ok(Stand::Here(Entered::default()));
        };
        match serde_json::from_str(argument)? {
            Self::Outside(parting) => {
                let entered = enter(&parting)?;
                if !entered.has(Namespace::Processes) {
                    return Ok(Stand::Here(entered));
                }
                let status = run_inside(entered)?;
                let code = status.code().and_then(|code| u8::try_from(code).ok());
                Ok(Stand::Done(code.map_or(ExitCode::FAILURE, ExitCode::from)))
            }
            Self::Inside(entered) => {
                // Who kills the one outside ends all that is in here. Should it be gone already,
                // the agent knows, and closes its end.
                prctl::set_pdeathsig(Signal::SIGKILL)?;
                Ok(Stand::Here(entered))
            }
        }
    }
}

/// Starts the helper again, as the first process of the new namespace, and waits for its end. It
/// has our standard input, the socket to the agent, of which nothing was read.
fn run_inside(entered: Entered) -> io::Result<ExitStatus> {
    let standing = serde_json::to_string(&Standing::Inside(entered))?;
    Command::new("/proc/self/exe")
        .args([HELPER_ARGUMENT, &standing])
        .spawn()?
        .wait()
}
