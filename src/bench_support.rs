//! What the benchmarks in `benches/`, the fuzzers and the escape tests in `tests/it/` reach of the
//! private rooms. It is no interface: nothing else may use it, and it may change with any commit.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use sayso_channel::Language;

pub use crate::agent::route::{by_rules, skip};
pub use crate::memory::rank::{Entry, Query, Said, Statistics, rank};
pub use crate::memory::{Memory, MemoryKind, NewMemory, StoredMemory, Vectors, asked_at};
use crate::policy::SandboxMode;
pub use crate::policy::commands::{
    CommandDecision, Places, Trait, judge as judge_command, started_programs,
};
pub use crate::policy::injection::{Finding, Screening, Treatment, check_tool_result};
pub use crate::policy::{Access, WorkspaceUse};
pub use crate::providers::{Embedder, Embedding, ProviderError, anthropic_shown, replay_shown};
pub use crate::redact::{Redactor, has_mark};
pub use crate::skills::messages::problem as skill_problem;
pub use crate::skills::{
    Checked, Gist, Host, SkillMeta, SkillRecommender, Skills, Weight, check as check_skills,
};
pub use crate::store::Store;
use crate::tools::{Sandbox, SandboxPlaces, ShellEnvironment, helper_arguments};
pub use crate::transcript::{Owner, Taint, TurnId, UserId};

/// Returns what a command may touch, as the helper is told it; null confines it in nothing.
pub fn sandbox_plan(
    data_dir: &Path,
    private: Vec<PathBuf>,
    workspace: &Path,
    (access, workspace_use): (Access, WorkspaceUse),
) -> serde_json::Result<serde_json::Value> {
    let places = SandboxPlaces {
        data_dir: data_dir.to_owned(),
        private,
    };
    let sandbox = Sandbox::new(SandboxMode::Require, places, std::env::vars_os());
    serde_json::to_value(sandbox.plan(access, workspace_use, workspace))
}

/// Returns the arguments with which the helper is started for a plan: what it must know before it
/// reads the plan itself.
pub fn arguments_of_helper(plan: &serde_json::Value) -> serde_json::Result<Vec<String>> {
    let plan = serde_json::from_value(plan.clone())?;
    helper_arguments(Option::as_ref(&plan))
}

/// Returns the environment of a command that works in this directory.
pub fn shell_environment(workspace: &Path) -> Vec<(&'static str, OsString)> {
    ShellEnvironment::pick(std::env::vars_os()).in_workspace(workspace)
}
