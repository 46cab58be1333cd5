//! What a command's facts and results are. The helper here is a script that speaks its protocol;
//! the real one has its tests in `tests/helper.rs`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use sayso_policy::{Action, Binding, SandboxMode};
use sayso_sandbox::helper::HelperPath;
use sayso_sandbox::{Sandbox, SandboxPlaces, ShellEnvironment};
use serde_json::json;

use super::{Shell, program_of};
use crate::testing::{call, call_context, limits, run, scope, toolbox};
use crate::tool_run::ToolRun;
use crate::{Tool as _, ToolLimits};

/// A workspace, and a helper that does what `script` says.
struct Stage {
    workspace: tempfile::TempDir,
    outside: tempfile::TempDir,
}

impl Stage {
    fn new(script: &str) -> Self {
        let stage = Self {
            workspace: tempfile::tempdir().unwrap(),
            outside: tempfile::tempdir().unwrap(),
        };
        let program = stage.outside.path().join("helper");
        std::fs::write(&program, format!("#!/bin/sh\nread request\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        stage
    }

    fn shell(&self, limits: ToolLimits) -> Shell {
        let helper = HelperPath::at(self.outside.path().join("helper"));
        let places = SandboxPlaces {
            data_dir: self.outside.path().to_owned(),
            private: Vec::new(),
        };
        let sandbox = Sandbox::new(SandboxMode::Require, places, []);
        let environment = ShellEnvironment::pick(std::env::vars_os());
        Shell::new(limits, helper, environment, sandbox)
    }

    async fn run(&self) -> ToolRun {
        let call = call("shell", json!({"command": "anything", "timeout_secs": 1}));
        run(
            &toolbox(self.shell(limits())),
            call,
            &call_context(self.workspace.path()),
        )
        .await
    }

    async fn told(&self) -> String {
        self.run().await.outcome.for_model()
    }
}

#[tokio::test]
async fn output_and_errors_are_told_apart() {
    let ended = r#"echo '{"ended":{"exited":{"code":0}}}' >&0"#;
    let stage = Stage::new(&format!("echo out; echo err >&2; {ended}"));
    let ran = stage.run().await;
    assert!(ran.tainted);
    insta::assert_snapshot!(ran.outcome.for_model(), @"
    out
    [stderr]
    err
    ");
    assert_eq!(
        Stage::new(&format!("echo out; {ended}")).told().await,
        "out\n"
    );
    assert_eq!(Stage::new(ended).told().await, "(no output)");
}

#[tokio::test]
async fn a_failure_says_how_it_ended_and_keeps_its_output() {
    let exited = Stage::new(r#"echo out; echo '{"ended":{"exited":{"code":3}}}' >&0"#);
    insta::assert_snapshot!(exited.told().await, @"
    [failed] exit code 3
    [partial output]
    out
    ");
    let killed = Stage::new(r#"echo '{"ended":{"killed":{"signal":"SIGSEGV"}}}' >&0"#);
    insta::assert_snapshot!(killed.told().await, @"[failed] ended by SIGSEGV");
    let lost = Stage::new("kill -9 $$");
    insta::assert_snapshot!(lost.told().await, @"[failed] its helper process vanished: how it ended is unknown");
}

#[tokio::test]
async fn chat_f13_what_a_command_left_running_is_named() {
    let left = r#"echo '{"left":{"commands":["sleep 4242","python3 -m `http`\\n.server"],"count":3}}' >&0"#;
    let stage = Stage::new(&format!(
        r#"echo started; {left}; echo '{{"ended":{{"exited":{{"code":0}}}}}}' >&0"#
    ));
    insta::assert_snapshot!(stage.told().await, @r"
    started
    [ended what it left running: `sleep 4242`, `python3 -m 'http'\n.server` and 1 more. Nothing of it runs any more]
    ");
    let alone = Stage::new(&format!(
        r#"{left}; echo '{{"ended":{{"exited":{{"code":1}}}}}}' >&0"#
    ));
    let told = alone.told().await;
    assert!(
        told.contains("exit code 1") && told.contains("[ended what it left running: "),
        "{told}"
    );
}

#[test]
fn chat_f13_the_tool_says_what_becomes_of_what_is_left_running() {
    let stage = Stage::new("");
    let spec = stage.shell(limits()).spec().clone();
    assert!(
        spec.description
            .contains("(`&`, `nohup`, `setsid`) is ended with it")
    );
    // Where background processes are not available, the model is not informed of them.
    assert!(
        !spec.description.contains("background")
            && spec.parameters["properties"]["background"].is_null()
    );
}

#[tokio::test]
async fn a_time_out_closes_the_helpers_socket_and_keeps_the_output() {
    let stage = Stage::new("echo before; cat > /dev/null; echo told >&2");
    let begin = Instant::now();
    insta::assert_snapshot!(stage.told().await, @"
    [failed] timed out after 1 s; it was ended with everything that it started
    [partial output]
    before
    [stderr]
    told
    ");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn a_stop_ends_it_in_time_even_when_the_helper_hangs() {
    let stage = Stage::new("echo $$ > pid; exec sleep 60");
    let call_context = call_context(stage.workspace.path());
    let stop = call_context.stop.clone();
    let pid = stage.workspace.path().join("pid");
    let watched = pid.clone();
    let stopping = tokio::task::spawn_blocking(move || {
        while std::fs::read_to_string(&watched)
            .unwrap_or_default()
            .is_empty()
        {
            std::thread::yield_now();
        }
        stop.cancel();
        Instant::now()
    });
    let call = call("shell", json!({"command": "anything"}));
    let ran = run(&toolbox(stage.shell(limits())), call, &call_context).await;
    assert!(stopping.await.unwrap().elapsed() < Duration::from_secs(2));
    insta::assert_snapshot!(ran.outcome.for_model(), @"[failed] stopped; it was ended with everything that it started");
    let pid: i32 = std::fs::read_to_string(pid)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::SIGKILL).unwrap();
}

#[tokio::test]
async fn nothing_starts_after_a_stop() {
    let stage = Stage::new("touch started");
    let call_context = call_context(stage.workspace.path());
    call_context.stop.cancel();
    let call = call("shell", json!({"command": "anything"}));
    run(&toolbox(stage.shell(limits())), call, &call_context).await;
    assert!(!stage.workspace.path().join("started").exists());
}

#[tokio::test]
async fn long_outputs_share_the_bound_and_are_kept_apart() {
    let line = "x".repeat(99);
    let script = format!(
        "for i in 1 2 3 4 5 6 7 8 9 0; do echo {line}; echo {line}; echo {line} >&2; done\n\
         echo '{{\"ended\":{{\"exited\":{{\"code\":0}}}}}}' >&0"
    );
    let stage = Stage::new(&script);
    let told = stage.told().await;
    assert!(told.len() <= 1000, "{}", told.len());
    assert!(told.contains("of 2000 bytes left out here"), "{told}");
    assert!(told.contains("of 1000 bytes left out here"), "{told}");
    let kept = stage.workspace.path().join(".sayso/output");
    let length = |name| std::fs::metadata(kept.join(name)).unwrap().len();
    assert_eq!(
        (length("5-call-1.txt"), length("5-call-1.stderr.txt")),
        (2000, 1000)
    );
}

#[tokio::test]
async fn the_facts_hold_the_whole_command_and_its_scripts() {
    let stage = Stage::new("");
    std::fs::write(stage.workspace.path().join("a.sh"), "echo").unwrap();
    let command = "/opt/none/bash a.sh\u{202e} &&\nid";
    let toolbox = toolbox(stage.shell(limits()));
    let call = call("shell", json!({ "command": command }));
    let facts = toolbox
        .inspect(&call, &scope(stage.workspace.path()))
        .await
        .unwrap();
    assert_eq!(
        facts.summary.to_string(),
        "/opt/none/bash a.sh\\u{202e} &&\nid"
    );
    let action = Action::Exec {
        command: command.to_owned(),
        program: Some("bash".to_owned()),
        places: std::collections::BTreeMap::new(),
        access: sayso_policy::Access::Workspace,
        lasting: sayso_policy::Lasting::WhileCalled,
    };
    assert_eq!(facts.action, action);
    assert!(matches!(
        facts.scripts.as_slice(),
        [Binding::Workspace { .. }]
    ));
    let call = crate::testing::call("shell", json!({"command": "sh a.sh"}));
    let facts = toolbox
        .inspect(&call, &scope(stage.workspace.path()))
        .await
        .unwrap();
    assert!(matches!(
        facts.scripts.as_slice(),
        [
            Binding::File { .. },
            Binding::Workspace { inventory: Some(_) }
        ]
    ));
}

#[test]
fn the_program_is_a_plain_first_word() {
    let check = |command: &str, expected: Option<&str>| {
        assert_eq!(program_of(command).as_deref(), expected, "{command:?}");
    };
    check("git status", Some("git"));
    check("  /usr/bin/python3.11 x.py", Some("python3.11"));
    check("ls | wc", Some("ls"));
    for command in [
        "", "A=b ls", "'ls'", "$CMD", "l\\s", "ls;id", "(ls)", "..", "/",
    ] {
        check(command, None);
    }
}

#[tokio::test]
async fn arguments_that_cannot_be_used_are_refused_before_anybody_is_asked() {
    let stage = Stage::new("");
    let toolbox = toolbox(stage.shell(ToolLimits::default()));
    let refused = async |arguments| {
        let call = call("shell", arguments);
        let inspected = toolbox.inspect(&call, &scope(Path::new("/nowhere"))).await;
        inspected.unwrap_err().for_model()
    };
    insta::assert_snapshot!(refused(json!({"command": " "})).await, @r#"
    [error] E_INVALID_ARGS: bad arguments for `shell`: `command`: it is empty
    expected: {"command": string, "timeout_secs"?: integer, "access"?: "workspace" | "network" | "system"}
    "#);
    insta::assert_snapshot!(refused(json!({"command": "a\u{0}"})).await, @r#"
    [error] E_INVALID_ARGS: bad arguments for `shell`: `command`: it has a NUL in it
    expected: {"command": string, "timeout_secs"?: integer, "access"?: "workspace" | "network" | "system"}
    "#);
    insta::assert_snapshot!(refused(json!({"command": "x".repeat(20_000)})).await, @r#"
    [error] E_INVALID_ARGS: bad arguments for `shell`: `command`: 20000 bytes are too many, 16384 are allowed; write a script with file_write and run that
    expected: {"command": string, "timeout_secs"?: integer, "access"?: "workspace" | "network" | "system"}
    "#);
    insta::assert_snapshot!(refused(json!({"command": "ls", "timeout_secs": 121})).await, @r#"
    [error] E_INVALID_ARGS: bad arguments for `shell`: `timeout_secs`: 121 is not allowed, 1 to 120 is
    expected: {"command": string, "timeout_secs"?: integer, "access"?: "workspace" | "network" | "system"}
    "#);
}
