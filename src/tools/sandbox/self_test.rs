//! Finding out what the kernel of this machine enforces, by trying it: a real helper, a real plan.

use std::io;
use std::time::Duration;

use tokio::io::AsyncBufReadExt as _;

use super::plan::{Plan, Strictness};
use super::probe::{Check, Probe, SECRET, Tried};
use super::{Network, Sandbox, places};
use crate::policy::Enforced;
use crate::tools::helper::{HelperPath, Report, Request};
use crate::tools::shell::ShellEnvironment;

/// How long it may take. What takes longer does not work.
const WITHIN: Duration = Duration::from_secs(5);

/// What the self-test found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxState {
    /// How much of its promises the sandbox keeps.
    pub enforced: Enforced,
    /// The promises that it does not keep.
    pub broken: Vec<Check>,
    /// Why nothing could be tried.
    pub trouble: Option<String>,
}

/// Tries every promise of the sandbox. Changes nothing but a directory of its own in the data
/// directory, which it removes; takes 5 s at most.
pub async fn self_test(
    sandbox: &Sandbox,
    helper: &HelperPath,
    environment: &ShellEnvironment,
) -> SandboxState {
    let stage = sandbox.temporary();
    let tried = tokio::time::timeout(WITHIN, ask(sandbox, helper, environment, &stage)).await;
    if let Err(error) = std::fs::remove_dir_all(&stage) {
        tracing::debug!(%error, "the self-test of the sandbox left a directory behind");
    }
    match tried {
        Ok(Ok(tried)) => SandboxState::of(&tried),
        Ok(Err(error)) => SandboxState::in_trouble(error.to_string()),
        Err(_elapsed) => SandboxState::in_trouble("it took too long".to_owned()),
    }
}

impl SandboxState {
    fn of(tried: &[Tried]) -> Self {
        let broken: Vec<Check> = tried
            .iter()
            .filter(|tried| !tried.kept)
            .map(|it| it.check)
            .collect();
        let useless = broken.contains(&Check::ProgramsRun) || tried.len() <= broken.len() + 1;
        let enforced = match (useless, broken.is_empty()) {
            (true, _) => Enforced::Nothing,
            (false, true) => Enforced::Wholly,
            (false, false) => Enforced::Partly,
        };
        Self {
            enforced,
            broken,
            trouble: None,
        }
    }

    fn in_trouble(why: String) -> Self {
        Self {
            enforced: Enforced::Nothing,
            broken: Vec::new(),
            trouble: Some(why),
        }
    }
}

async fn ask(
    sandbox: &Sandbox,
    helper: &HelperPath,
    environment: &ShellEnvironment,
    stage: &std::path::Path,
) -> io::Result<Vec<Tried>> {
    let (workspace, outside) = (stage.join("workspace"), stage.join("outside"));
    std::fs::create_dir_all(&workspace)?;
    std::fs::create_dir_all(&outside)?;
    std::fs::write(outside.join(SECRET), SECRET)?;
    let plan = Plan {
        strictness: Strictness::BestEffort,
        network: Network::Refused,
        read: sandbox.system.clone(),
        devices: places::devices(),
        write: vec![workspace.clone()],
        temporary: stage.join("tmp"),
    };
    let request = Request::Probe(Probe { plan, outside });
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
    fn a_sandbox_in_which_nothing_runs_is_none() {
        assert_eq!(enforced([false, true, true]), Enforced::Nothing);
        assert_eq!(SandboxState::of(&[]).enforced, Enforced::Nothing);
    }
}
