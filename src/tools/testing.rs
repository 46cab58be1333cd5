//! A scene for tests: a turn in a directory, calls of it, and a toolbox of one tool.

use std::path::Path;

use sayso_core::Language;
use sayso_core::redact::Redactor;
use sayso_core::transcript::{
    CallId, ChatId, Owner, Role, Scope, SessionId, Taint, ToolCall, TurnId, UserId,
};
use sayso_policy::{Access, ClearedCall};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{CallContext, Tool, ToolLimits, ToolRun, Toolbox};

/// A turn that works in this directory.
pub fn scope(workspace: &Path) -> Scope {
    Scope {
        user: UserId(1),
        role: Role::Member,
        chat: ChatId(2),
        session: SessionId(3),
        turn: TurnId(5),
        owner: Owner::User(UserId(1)),
        workspace: workspace.to_path_buf(),
        home: workspace.to_path_buf(),
        project: None,
    }
}

/// A run in this directory.
pub fn call_context(workspace: &Path) -> CallContext {
    CallContext {
        scope: scope(workspace),
        stop: CancellationToken::new(),
        taint: Taint::default(),
        in_view: Vec::new(),
        language: Language::English,
    }
}

/// A call as a model makes it.
pub fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: CallId("call-1".into()),
        name: tool.into(),
        arguments,
    }
}

/// Clears a call: what the policy makes of it is not the tools' affair.
pub fn cleared(call: ToolCall) -> ClearedCall {
    ClearedCall::for_test(call, Access::System)
}

/// Inspects and runs a call of one tool, as the agent does; a refusal of either is the result.
pub async fn run(toolbox: &Toolbox, call: ToolCall, call_context: &CallContext) -> ToolRun {
    match toolbox.inspect(&call, &call_context.scope).await {
        Ok(_) => toolbox.run(cleared(call), call_context).await,
        Err(outcome) => ToolRun::ours(outcome),
    }
}

/// A toolbox of one tool with small limits.
pub fn toolbox(tool: impl Tool + 'static) -> Toolbox {
    Toolbox::new(vec![Box::new(tool)], limits(), redactor())
}

/// A redactor without any configured secret.
///
/// # Panics
/// Never: without secrets there is no pattern that could be wrong.
#[expect(clippy::expect_used, reason = "a scene for tests")]
pub fn redactor() -> Redactor {
    Redactor::new([]).expect("no pattern is no bad pattern")
}

/// Limits that tests can reach.
pub fn limits() -> ToolLimits {
    ToolLimits {
        max_file_read_bytes: 2000,
        max_output_bytes: 1000,
        ..ToolLimits::default()
    }
}
