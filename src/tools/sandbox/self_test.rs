//! Finding out what the kernel of this machine enforces, by trying it: a real helper, a real plan.

use std::io;
use std::path::Path;
use std::time::Duration;

use sayso_policy::Enforced;
use tokio::io::AsyncBufReadExt as _;

use super::kernel_restriction::KernelRestriction;
use super::namespaces::Namespace;
use super::probe::{Agent, Check, Probe, SECRET, Tried};
use super::profile::{SandboxProfile, View};
use super::strictness::Strictness;
use super::{Network, Sandbox, places};
use crate::ShellEnvironment;
use crate::helper::{HelperPath, Limits, Report, Request};

/// How long it may take. What takes longer does not work.
const WITHIN: Duration = Duration::from_secs(5);

/// What the self-test found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxState {
    /// How much of its promises the sandbox keeps.
    pub enforced: Enforced,
    /// The promises that it does not keep.
    pub broken: Vec<Check>,
    /// The view of the files that commands can be given.
    pub view: View,
    /// The namespaces that commands can be given besides; those without the network all of them.
    pub apart: Vec<Namespace>,
    /// Whether the kernel counts the tasks of a command, and not the helper alone.
    pub counted_by_kernel: bool,
    /// What keeps commands from namespaces that they cannot be given.
    pub restriction: Option<KernelRestriction>,
    /// Why nothing could be tried.
    pub trouble: Option<String>,
}

/// The configurations that are tried in turn, until all promises are kept: everything; what is
/// possible where mounting a `/proc` is not allowed, as in most containers; no namespaces. If none
/// keeps all promises, the one that lacks the least is used.
const ATTEMPTS: [(View, &[Namespace]); 3] = [
    (View::ReadOnly, &Namespace::APART),
    (View::ReadOnly, &[Namespace::Ipc, Namespace::Network]),
    (View::AsItIs, &[]),
];

/// Tries every promise of the sandbox. Changes nothing but a directory of its own in the data
/// directory, which it removes; takes 5 s at most.
pub async fn self_test(
    sandbox: &Sandbox,
    helper: &HelperPath,
    environment: &ShellEnvironment,
) -> SandboxState {
    let test = async {
        let mut best = SandboxState::in_trouble(String::new());
        for (view, apart) in ATTEMPTS {
            let state = attempt(sandbox, helper, environment, view, apart).await;
            if state.lack() <= best.lack() {
                best = state;
            }
            if best.enforced == Enforced::Wholly {
                break;
            }
        }
        best
    };
    let state = tokio::time::timeout(WITHIN, test).await;
    state.unwrap_or_else(|_elapsed| SandboxState::in_trouble("it took too long".to_owned()))
}

async fn attempt(
    sandbox: &Sandbox,
    helper: &HelperPath,
    environment: &ShellEnvironment,
    view: View,
    apart: &[Namespace],
) -> SandboxState {
    let stage = sandbox.temporary();
    let tried = ask(sandbox, helper, environment, view, apart, &stage).await;
    if let Err(error) = std::fs::remove_dir_all(&stage) {
        tracing::debug!(%error, "sandbox self-test left a directory behind");
    }
    match tried {
        Ok(tried) => SandboxState::of(&tried),
        Err(error) => SandboxState::in_trouble(error.to_string()),
    }
}

impl SandboxState {
    fn of(tried: &[Tried]) -> Self {
        let promises = tried.iter().filter(|tried| tried.check.is_promise());
        let (kept, broken): (Vec<&Tried>, Vec<&Tried>) = promises.partition(|tried| tried.kept);
        let broken: Vec<Check> = broken.iter().map(|tried| tried.check).collect();
        let runs = kept.iter().any(|tried| tried.check == Check::ProgramsRun);
        let enforced = match (runs && kept.len() > 1, broken.is_empty()) {
            (false, _) => Enforced::Nothing,
            (true, true) => Enforced::Wholly,
            (true, false) => Enforced::Partly,
        };
        let has = |check| tried.iter().any(|tried| tried.check == check && tried.kept);
        let view = if has(Check::NoModes) {
            View::ReadOnly
        } else {
            View::AsItIs
        };
        let mut apart = Namespace::APART.to_vec();
        apart.retain(|namespace| has(Check::Apart(*namespace)));
        let is_whole = view == View::ReadOnly && apart == Namespace::APART;
        Self {
            enforced,
            broken,
            view,
            apart,
            counted_by_kernel: has(Check::CountedByKernel),
            restriction: if is_whole {
                None
            } else {
                KernelRestriction::find()
            },
            trouble: None,
        }
    }

    /// Returns how much is missing: promises before namespaces. Where there is nothing, it is all.
    fn lack(&self) -> (u8, usize, usize) {
        let own = usize::from(self.view == View::ReadOnly) + self.apart.len();
        match self.enforced {
            Enforced::Wholly => (0, 0, usize::MAX - own),
            Enforced::Partly => (1, self.broken.len(), usize::MAX - own),
            Enforced::Nothing => (2, 0, 0),
        }
    }

    fn in_trouble(why: String) -> Self {
        Self {
            enforced: Enforced::Nothing,
            broken: Vec::new(),
            view: View::AsItIs,
            apart: Vec::new(),
            counted_by_kernel: false,
            restriction: None,
            trouble: Some(why),
        }
    }
}

async fn ask(
    sandbox: &Sandbox,
    helper: &HelperPath,
    environment: &ShellEnvironment,
    view: View,
    apart: &[Namespace],
    stage: &Path,
) -> io::Result<Vec<Tried>> {
    let (workspace, outside) = (stage.join("workspace"), stage.join("outside"));
    std::fs::create_dir_all(&workspace)?;
    std::fs::create_dir_all(&outside)?;
    std::fs::create_dir_all(stage.join("tmp"))?;
    std::fs::write(outside.join(SECRET), SECRET)?;
    let plan = SandboxProfile {
        strictness: Strictness::BestEffort,
        network: Network::Refused,
        view,
        apart: apart.to_vec(),
        read: sandbox.system.clone(),
        devices: places::devices(),
        read_ordinary: Vec::new(),
        write: vec![workspace.clone()],
        temporary: stage.join("tmp/1"),
    };
    let request = Request::Probe(Probe {
        plan,
        outside,
        agent: Agent::here(),
        tasks: Limits::confined(WITHIN).threads,
    });
    let mut launched = helper
        .launch(environment.in_workspace(&workspace), &workspace, &request)
        .await?;
    let mut line = String::new();
    while launched.reports.read_line(&mut line).await? > 0 {
        if let Ok(Report::Tried(tried)) = serde_json::from_str(&line) {
            return Ok(tried);
        }
        line.clear();
    }
    Err(io::Error::other("its helper ended without a word"))
}

#[cfg(test)]
mod tests {
    use super::{Check, Enforced, SandboxState, Tried};

    fn enforced(kept: [bool; 3]) -> Enforced {
        let checks = [Check::ProgramsRun, Check::NoReading, Check::NoUdp];
        let tried: Vec<Tried> = checks
            .into_iter()
            .zip(kept)
            .map(|(check, kept)| Tried { check, kept })
            .collect();
        SandboxState::of(&tried).enforced
    }

    #[test]
    fn only_every_promise_is_wholly() {
        assert_eq!(enforced([true, true, true]), Enforced::Wholly);
        assert_eq!(enforced([true, true, false]), Enforced::Partly);
        assert_eq!(enforced([true, false, false]), Enforced::Nothing);
    }

    #[test]
    fn promises_count_for_more_than_namespaces_and_those_for_more_than_none() {
        let lack = |tried: &[(Check, bool)]| {
            let tried: Vec<Tried> = [(Check::ProgramsRun, true)]
                .iter()
                .chain(tried)
                .map(|(check, kept)| Tried {
                    check: *check,
                    kept: *kept,
                })
                .collect();
            SandboxState::of(&tried).lack()
        };
        let whole = lack(&[(Check::NoTcp, true), (Check::NoSignals, true)]);
        let viewed = lack(&[
            (Check::NoTcp, true),
            (Check::NoSignals, false),
            (Check::NoModes, true),
        ]);
        let bare = lack(&[(Check::NoTcp, true), (Check::NoSignals, false)]);
        let nothing = SandboxState::in_trouble("why".to_owned()).lack();
        assert!(whole < viewed && viewed < bare && bare < nothing);
    }

    #[test]
    fn a_sandbox_in_which_nothing_runs_is_none() {
        assert_eq!(enforced([false, true, true]), Enforced::Nothing);
        assert_eq!(SandboxState::of(&[]).enforced, Enforced::Nothing);
    }
}
