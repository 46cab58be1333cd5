//! The `self_info` tool: what the agent can look up about itself instead of guessing.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{Action, AutonomyLevel, ClearedCall, ToolFacts};
use sayso_tools::{Tool, ToolContext};
use serde_json::json;

use crate::skills::{Library, Skills};

/// What the agent knows of itself.
#[derive(Debug, Clone)]
pub struct SelfInfo {
    /// The version of this program.
    pub version: &'static str,
    /// The model that answers where no other was chosen, as `server/model`.
    pub default_model: String,
    /// The models that a session may choose instead.
    pub other_models: Vec<String>,
    /// The level in the configuration; a session may be lower.
    pub autonomy: AutonomyLevel,
    /// The names of all tools.
    pub tools: Vec<String>,
    /// What ends or cuts things.
    pub limits: Limits,
}

/// What ends or cuts things.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Steps of one turn.
    pub max_steps: u32,
    /// Messages of history that a prompt holds.
    pub history_messages: usize,
    /// How long a command may run.
    pub shell_timeout: Duration,
    /// How long an approval waits.
    pub approval_expires: Duration,
    /// The most that is read of a file.
    pub max_file_read_bytes: u64,
    /// The most of one tool result.
    pub max_output_bytes: u64,
}

/// Tells the model what it is and what it may.
#[derive(Debug)]
pub struct SelfInfoTool {
    spec: ToolSpec,
    info: SelfInfo,
    library: Arc<Library>,
}

impl SelfInfoTool {
    /// Returns the tool that tells this, and which skills are used.
    pub fn new(info: SelfInfo, library: Arc<Library>) -> Self {
        let spec = ToolSpec {
            name: "self_info".to_owned(),
            description:
                "Tells your own version, model, autonomy, tools, skills, workspace and limits."
                    .to_owned(),
            parameters: json!({"type": "object", "properties": {}}).into(),
        };
        Self {
            spec,
            info,
            library,
        }
    }

    fn report(&self, skills: &Skills, scope: &Scope) -> String {
        let SelfInfo {
            version,
            default_model,
            other_models,
            autonomy,
            tools,
            limits,
        } = &self.info;
        format!(
            "Sayso {version}\n\
             default model: {default_model}\n\
             other models (`/model` chooses one for a conversation): {}\n\
             autonomy (configured): {}\n\
             tools: {}\n\
             skills: {}\n\
             workspace: {}\n\
             limits: {} steps per turn; {} messages of history; commands end after {} s; \
             approvals expire after {} min; file reads up to {} bytes; tool results up to {} bytes",
            listed(&other_models.iter().map(String::as_str).collect::<Vec<_>>()),
            autonomy.as_str(),
            listed(&tools.iter().map(String::as_str).collect::<Vec<_>>()),
            listed(&skills.names().collect::<Vec<_>>()),
            scope.workspace.display(),
            limits.max_steps,
            limits.history_messages,
            limits.shell_timeout.as_secs(),
            limits.approval_expires.as_secs() / 60,
            limits.max_file_read_bytes,
            limits.max_output_bytes,
        )
    }
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}

#[async_trait]
impl Tool for SelfInfoTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, _call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        Ok(ToolFacts {
            summary: "self_info".into(),
            detail: None,
            action: Action::Internal,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, _call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        match self
            .library
            .of(context.scope.owner, &context.scope.home)
            .await
        {
            Ok(skills) => ToolOutcome::Success {
                output: self.report(&skills, &context.scope),
            },
            Err(error) => ToolOutcome::not_run(format!("the skills cannot be read: {error}")),
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::time::Duration;

    use sayso_core::transcript::{ChatId, Owner, Role, Scope, SessionId, TurnId, UserId};
    use sayso_policy::AutonomyLevel;

    use super::{Limits, SelfInfo, SelfInfoTool};
    use crate::skills::{Library, Skills};

    #[test]
    fn the_agent_knows_itself() {
        let all = Skills::builtin().unwrap();
        let names: HashSet<String> = all.names().map(str::to_owned).collect();
        let info = SelfInfo {
            version: "1.2.3",
            default_model: "main/small".to_owned(),
            other_models: vec!["main/large".to_owned()],
            autonomy: AutonomyLevel::Supervised,
            tools: vec!["shell".to_owned(), "skill".to_owned()],
            limits: Limits {
                max_steps: 10,
                history_messages: 50,
                shell_timeout: Duration::from_mins(2),
                approval_expires: Duration::from_mins(30),
                max_file_read_bytes: 262_144,
                max_output_bytes: 32_768,
            },
        };
        let none = all.without(&names);
        let tool = SelfInfoTool::new(info, Arc::new(Library::without_choices(all)));
        let scope = Scope {
            user: UserId(1),
            role: Role::Member,
            chat: ChatId(1),
            session: SessionId(1),
            turn: TurnId(1),
            owner: Owner::User(UserId(1)),
            workspace: PathBuf::from("/data/workspaces/1"),
            home: PathBuf::from("/data/workspaces/1"),
            project: None,
        };
        insta::assert_snapshot!(tool.report(&none, &scope), @r"
        Sayso 1.2.3
        default model: main/small
        other models (`/model` chooses one for a conversation): main/large
        autonomy (configured): supervised
        tools: shell, skill
        skills: none
        workspace: /data/workspaces/1
        limits: 10 steps per turn; 50 messages of history; commands end after 120 s; approvals expire after 30 min; file reads up to 262144 bytes; tool results up to 32768 bytes
        ");
    }
}
