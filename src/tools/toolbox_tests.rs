//! What the executor path promises whatever a tool does.

use std::path::Path;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{Action, ClearedCall, ToolFacts};
use serde_json::json;

use super::{ToolRun, Toolbox};
use crate::testing::{call, call_context, limits, redactor, run, scope, toolbox};
use crate::{FileRead, OutsideText, Tool, ToolContext, ToolLimits};

/// A tool that does what its argument `does` says.
struct Odd(ToolSpec);

impl Odd {
    fn new() -> Self {
        Self(ToolSpec {
            name: "odd".into(),
            description: "Does odd things.".into(),
            parameters: json!({"properties": {"does": {"type": "string"}}, "required": ["does"]})
                .into(),
        })
    }
}

#[async_trait]
impl Tool for Odd {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        assert_ne!(call.arguments["does"], "panic early");
        Ok(ToolFacts {
            summary: "odd".into(),
            detail: None,
            action: Action::Internal,
            scripts: Vec::new(),
            secrets: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        let long = || "x".repeat(9000);
        match call.call().arguments["does"].as_str().unwrap() {
            "say much" => ToolOutcome::Success { output: long() },
            "fail" => ToolOutcome::Failed {
                error: long(),
                partial: Some(long()),
            },
            "say nothing" => ToolOutcome::Success {
                output: String::new(),
            },
            "hang" => std::future::pending().await,
            other => panic!("asked to {other}"),
        }
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

async fn does(workspace: &Path, what: &str) -> ToolRun {
    let call = call("odd", json!({ "does": what }));
    run(&toolbox(Odd::new()), call, &call_context(workspace)).await
}

#[tokio::test]
async fn a_panic_becomes_a_result() {
    let workspace = tempfile::tempdir().unwrap();
    for when in ["panic", "panic early"] {
        let ran = does(workspace.path(), when).await;
        insta::allow_duplicates! {
            insta::assert_snapshot!(ran.outcome.for_model(), @"[error] E_TOOL: `odd` broke down; this is a fault of Sayso, not of the call");
        }
        assert!(!ran.tainted);
    }
}

#[tokio::test]
async fn every_result_is_bounded() {
    let workspace = tempfile::tempdir().unwrap();
    let ToolOutcome::Success { output } = does(workspace.path(), "say much").await.outcome else {
        panic!("no success");
    };
    assert!(output.len() <= 1000, "{}", output.len());
    assert!(output.contains("`.sayso/output/5-call-1.txt`"), "{output}");
    let ToolOutcome::Failed { error, partial } = does(workspace.path(), "fail").await.outcome
    else {
        panic!("no failure");
    };
    assert!(
        error.len() < 5000 && error.ends_with(" [4904 bytes left out]"),
        "{error}"
    );
    assert!(partial.unwrap().len() <= 1000);
}

#[tokio::test]
async fn what_was_left_out_can_be_read_on() {
    let workspace = tempfile::tempdir().unwrap();
    does(workspace.path(), "say much").await;
    let reader = toolbox(FileRead::new(limits()));
    let arguments = json!({"path": ".sayso/output/5-call-1.txt", "offset": 8990});
    let ran = run(
        &reader,
        call("file_read", arguments),
        &call_context(workspace.path()),
    )
    .await;
    let output = "x".repeat(10);
    assert_eq!(ran.outcome, ToolOutcome::Success { output });
}

#[tokio::test]
async fn results_of_tools_that_bring_outside_text_taint_the_turn() {
    let workspace = tempfile::tempdir().unwrap();
    assert!(does(workspace.path(), "say much").await.tainted);
    assert!(does(workspace.path(), "fail").await.tainted);
    let silent = does(workspace.path(), "say nothing").await;
    assert!(!silent.tainted, "no text is no text from outside");
}

#[tokio::test]
async fn a_tool_that_ignores_a_stop_is_dropped() {
    let workspace = tempfile::tempdir().unwrap();
    let call_context = call_context(workspace.path());
    call_context.stop.cancel();
    let call = call("odd", json!({"does": "hang"}));
    let begin = std::time::Instant::now();
    let ran = run(&toolbox(Odd::new()), call, &call_context).await;
    assert!(begin.elapsed() < std::time::Duration::from_secs(2));
    assert_eq!(ran.outcome.for_model(), "[failed] stopped");
}

#[tokio::test]
async fn a_tool_that_hangs_is_given_up() {
    let workspace = tempfile::tempdir().unwrap();
    let call_context = call_context(workspace.path());
    let longest_call = std::time::Duration::from_millis(20);
    let limits = ToolLimits {
        longest_call,
        ..limits()
    };
    let toolbox = Toolbox::new(vec![Box::new(Odd::new())], limits, redactor());
    let ran = run(
        &toolbox,
        call("odd", json!({"does": "hang"})),
        &call_context,
    )
    .await;
    assert_eq!(ran.outcome, ToolOutcome::given_up(longest_call));
}

#[test]
fn a_second_tool_of_the_same_name_is_left_out() {
    let tools: Vec<Box<dyn Tool>> = vec![
        Box::new(Odd::new()),
        Box::new(FileRead::new(limits())),
        Box::new(Odd::new()),
    ];
    let toolbox = Toolbox::new(tools, limits(), redactor());
    let tools = toolbox.all();
    let names: Vec<_> = tools.iter().map(|tool| &*tool.spec().name).collect();
    assert_eq!(names, ["odd", "file_read"]);
}

#[tokio::test]
async fn an_unknown_tool_and_arguments_that_are_no_object_say_what_there_is() {
    let workspace = tempfile::tempdir().unwrap();
    let toolbox = toolbox(Odd::new());
    let told = async |call| {
        let inspected = toolbox.inspect(&call, &scope(workspace.path())).await;
        inspected.unwrap_err().for_model()
    };
    insta::assert_snapshot!(told(call("od", json!({}))).await, @"[error] E_TOOL: there is no tool `od`; the tools are odd");
    insta::assert_snapshot!(told(call("odd", json!("does: x"))).await, @r#"
    [error] E_INVALID_ARGS: bad arguments for `odd`: not a JSON object: does: x
    expected: {"does": string}
    "#);
}
