//! `git`: typed subcommands over a repository of the workspace.
//!
//! A repository may have come from anywhere, and its configuration may name programs. None of them
//! is ever run (`harmless`): what only reads is as harmless as reading a file, and what changes asks
//! as writing one does. What speaks to a server is left to `shell`, which asks for the network.

mod command;
mod harmless;
mod remote;

use std::io;
use std::path::Path;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible;
use sayso_policy::{
    Access, Action, ClearedCall, Confinement, Reach, Refusal, ToolFacts, WorkspaceUse,
    is_secret_like,
};

use self::command::{Arguments, Command, Use};
use self::harmless::Settings;
pub use self::remote::{NotFetched, Remote, RemoteFile, Remotes};

use super::arguments::{parse_arguments, refusal, spec_of};
use super::shell::{Run, Runner};
use super::workspace::Workspace;
use super::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// Words that speak for it in a request.
const HINTS: [&str; 10] = [
    "git",
    "commit",
    "branch",
    "repo",
    "repository",
    "diff",
    "提交",
    "分支",
    "仓库",
    "版本库",
];

/// Works with repositories of the workspace.
pub struct Git {
    spec: ToolSpec,
    runner: Runner,
    confinement: Confinement,
}

impl Git {
    /// Makes the tool, which runs git as commands of the shell run: where these must be confined and
    /// cannot be, git does not run either.
    pub fn new(runner: Runner, confinement: Confinement) -> Self {
        let description = "Looks at and changes a git repository of the workspace: status, diff, \
            log, show, branch, add, commit, switch, restore. No hooks, filters or other programs of \
            the repository run. For clone, fetch, pull and push use `shell` with access `network`.";
        Self {
            spec: spec_of::<Arguments>("git", description),
            runner,
            confinement,
        }
    }

    fn command(&self, call: &ToolCall) -> Result<Command, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        Command::of(arguments).map_err(|wrong| refusal(&self.spec, &wrong.to_string()))
    }

    async fn run_in(
        &self,
        workspace: &Path,
        command: &Command,
        call: &ClearedCall,
        context: &ToolContext,
    ) -> Result<ToolOutcome, ToolOutcome> {
        let run = |line, variables, workspace_use| Run {
            line,
            variables,
            timeout: None,
            access: Access::Workspace.min(call.access()),
            workspace_use,
        };
        let look = run(
            harmless::list_line(&command.repo),
            harmless::variables(workspace, &[]),
            WorkspaceUse::Reading,
        );
        let listed = self.runner.collect(&look, call.call(), context).await?;
        let settings = Settings::listed(&listed).map_err(|why| failed(why.to_string()))?;
        settings
            .check(command.usage)
            .map_err(|why| failed(why.to_string()))?;
        if command.shows_files && !call.was_approved() {
            let names = run(
                command.names_line(),
                harmless::variables(workspace, &settings.overrides()),
                WorkspaceUse::Reading,
            );
            let listed = self.runner.collect(&names, call.call(), context).await?;
            let mut files = listed.split('\0').map(str::trim);
            if let Some(secret) = files.find(|name| is_secret_like(Path::new(name))) {
                return Err(failed(format!(
                    "`{}` keeps secrets by its name, so it is asked about: name it in `paths`, or \
                     leave it out by naming others",
                    visible(secret)
                )));
            }
        }
        let workspace_use = match command.usage {
            Use::Reads if !call.was_approved() => WorkspaceUse::Reading,
            Use::Reads | Use::ChangesFiles | Use::Records => call.workspace_use(),
        };
        let work = run(
            command.line(),
            harmless::variables(workspace, &settings.overrides()),
            workspace_use,
        );
        Ok(self.runner.run(&work, call.call(), context).await)
    }
}

#[async_trait]
impl Tool for Git {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let command = self.command(call)?;
        // For the policy it reads or writes files; for the kernel it is a command.
        if self.confinement.must_not_run() {
            let refused = Refusal::NotConfined(self.confinement.enforced);
            return Err(ToolOutcome::not_run(refused.for_model()));
        }
        // A file that keeps secrets by its name is asked about, also as it once was.
        let secret = command
            .paths
            .iter()
            .find(|it| is_secret_like(Path::new(it)));
        let place = secret.map_or_else(
            || command.repo.clone(),
            |path| format!("{}/{path}", command.repo),
        );
        let root = scope.workspace.clone();
        let looked = tokio::task::spawn_blocking(move || Workspace::open(&root)?.reach(&place));
        let path = looked
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
            .map_err(|error| failed(format!("{}: {error}", command.repo)))?;
        Ok(ToolFacts {
            summary: visible(&command.shown()).into(),
            detail: None,
            action: action(command.usage, path),
            scripts: Vec::new(),
            secrets: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let command = match self.command(call.call()) {
            Ok(command) => command,
            Err(refusal) => return refusal,
        };
        let workspace = match Workspace::open(&context.scope.workspace) {
            Ok(workspace) => workspace,
            Err(error) => return failed(format!("the workspace: {error}")),
        };
        match workspace.reach(&command.repo) {
            Ok(Reach::Inside(_)) => {}
            Ok(Reach::Outside(_)) => return failed("it leads out of the workspace".to_owned()),
            Err(error) => return failed(format!("{}: {error}", command.repo)),
        }
        self.run_in(workspace.root(), &command, call, context)
            .await
            .unwrap_or_else(|outcome| outcome)
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

fn action(usage: Use, path: Reach) -> Action {
    match usage {
        Use::Reads => Action::Read { path },
        Use::ChangesFiles | Use::Records => Action::Write { path },
    }
}

fn failed(error: String) -> ToolOutcome {
    ToolOutcome::Failed {
        error,
        partial: None,
    }
}

#[cfg(test)]
mod tests {
    use sayso_policy::{Confinement, Enforced, SandboxMode};
    use sayso_sandbox::helper::HelperPath;
    use sayso_sandbox::{Sandbox, SandboxPlaces, ShellEnvironment};
    use serde_json::json;

    use super::Git;
    use crate::testing::{call, limits, scope};
    use crate::{Shell, Tool as _};

    async fn refusal(mode: SandboxMode, enforced: Enforced) -> Option<String> {
        let home = tempfile::tempdir().unwrap();
        let places = SandboxPlaces {
            data_dir: home.path().to_owned(),
            private: Vec::new(),
        };
        let sandbox = Sandbox::new(mode, places, []);
        let environment = ShellEnvironment::pick([]);
        let shell = Shell::new(limits(), HelperPath::own(), environment, sandbox);
        let git = Git::new(shell.runner(), Confinement { mode, enforced });
        let status = call("git", json!({"action": "status"}));
        let inspected = git.inspect(&status, &scope(home.path())).await;
        inspected.err().map(|outcome| outcome.for_model())
    }

    #[tokio::test]
    async fn where_commands_must_be_confined_and_are_not_git_does_not_run() {
        for enforced in [Enforced::Partly, Enforced::Nothing] {
            let told = refusal(SandboxMode::Require, enforced).await.unwrap();
            assert!(told.contains("`policy.sandbox` is `require`"), "{told}");
            assert_eq!(refusal(SandboxMode::Prefer, enforced).await, None);
            assert_eq!(refusal(SandboxMode::Off, enforced).await, None);
        }
        assert_eq!(refusal(SandboxMode::Require, Enforced::Wholly).await, None);
    }
}
