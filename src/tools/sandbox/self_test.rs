//! Finding out what the kernel of this machine enforces, by trying it: a real helper, a real plan.

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::io::AsyncBufReadExt as _;

use super::plan::{Plan, Strictness, View};
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
    /// The view of the files that commands can be given.
    pub view: View,
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
    let test = async {
        let viewed = attempt(sandbox, helper, environment, View::ReadOnly).await;
        if viewed.enforced == Enforced::Wholly && viewed.view == View::ReadOnly {
            return viewed;
        }
        attempt(sandbox, helper, environment, View::AsItIs).await
    };
    let state = tokio::time::timeout(WITHIN, test).await;
    state.unwrap_or_else(|_elapsed| SandboxState::in_trouble("it took too long".to_owned()))
}

async fn attempt(
    sandbox: &Sandbox,
    helper: &HelperPath,
    environment: &ShellEnvironment,
    view: View,
) -> SandboxState {
    let stage = sandbox.temporary();
    let tried = ask(sandbox, helper, environment, (view, &stage)).await;
    if let Err(error) = std::fs::remove_dir_all(&stage) {
        tracing::debug!(%error, "the self-test of the sandbox left a directory behind");
    }
    match tried {
        Ok(tried) => SandboxState::of(&tried),
        Err(error) => SandboxState::in_trouble(error.to_string()),
    }
}

impl SandboxState {
    fn of(tried: &[Tried]) -> Self {
        let promises = tried.iter().filter(|tried| tried.check != Check::NoModes);
        let (kept, broken): (Vec<&Tried>, Vec<&Tried>) = promises.partition(|tried| tried.kept);
        let broken: Vec<Check> = broken.iter().map(|tried| tried.check).collect();
        let runs = kept.iter().any(|tried| tried.check == Check::ProgramsRun);
        let enforced = match (runs && kept.len() > 1, broken.is_empty()) {
            (false, _) => Enforced::Nothing,
            (true, true) => Enforced::Wholly,
            (true, false) => Enforced::Partly,
        };
        let no_modes = |tried: &Tried| tried.check == Check::NoModes && tried.kept;
        let view = if tried.iter().any(no_modes) {
            View::ReadOnly
        } else {
            View::AsItIs
        };
        Self {
            enforced,
            broken,
            view,
            trouble: None,
        }
    }

    fn in_trouble(why: String) -> Self {
        Self {
            enforced: Enforced::Nothing,
            broken: Vec::new(),
            view: View::AsItIs,
            trouble: Some(why),
        }
    }
}

async fn ask(
    sandbox: &Sandbox,
    helper: &HelperPath,
    environment: &ShellEnvironment,
    (view, stage): (View, &Path),
) -> io::Result<Vec<Tried>> {
    let (workspace, outside) = (stage.join("workspace"), stage.join("outside"));
    std::fs::create_dir_all(&workspace)?;
    std::fs::create_dir_all(&outside)?;
    std::fs::create_dir_all(stage.join("tmp"))?;
    std::fs::write(outside.join(SECRET), SECRET)?;
    let plan = Plan {
        strictness: Strictness::BestEffort,
        network: Network::Refused,
        view,
        read: sandbox.system.clone(),
        devices: places::devices(),
        read_ordinary: Vec::new(),
        write: vec![workspace.clone()],
        temporary: stage.join("tmp/1"),
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
