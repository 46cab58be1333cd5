//! What scripts and packages use of the command line: answers in JSON, shell completions, manual pages.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::command_line::{CommandLine, Ran, ended};

/// A home in which a chat took place, with Chinese as the language of the terminal.
async fn used_home() -> CommandLine {
    let mut here = CommandLine::new();
    here.set("LC_ALL", "zh_CN.UTF-8");
    here.set("SAYSO__POLICY__SANDBOX", "off");
    let ran = here.run(&["chat"], "run mkdir -v photos\ny\n").await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    here
}

/// Runs a command and reads its answer.
async fn answer(here: &CommandLine, arguments: &[&str]) -> (Ran, Value) {
    let ran = here.run(arguments, "").await;
    let value = serde_json::from_str(&ran.out);
    let value = value.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {ran:?}"));
    assert!(!is_chinese(&ran.out), "{}", ran.out);
    (ran, value)
}

fn is_chinese(text: &str) -> bool {
    text.contains(|letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}'))
}

/// Returns the names of the fields of an object, in their order.
fn fields(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[tokio::test]
async fn doctor_counts_problems_and_says_their_fixes() {
    let here = used_home().await;
    let (ran, report) = answer(&here, &["doctor", "--json"]).await;
    assert_eq!(ran.code, Some(1));
    assert_eq!(fields(&report), ["ok", "problems", "findings"]);
    assert_eq!(report["ok"], false);
    let findings = report["findings"].as_array().unwrap();
    let problems: Vec<_> = findings.iter().filter(|it| it["ok"] == false).collect();
    assert_eq!(report["problems"], problems.len());
    assert!(problems.iter().all(|it| it["fix"].is_string()), "{report}");
    assert!(
        problems
            .iter()
            .any(|it| it["text"] == "no model is configured"),
        "{report}"
    );
    assert!(findings.len() > problems.len());
}

#[tokio::test]
async fn health_without_an_endpoint_says_whether_it_runs() {
    let mut here = used_home().await;
    let (ran, health) = answer(&here, &["health", "--json"]).await;
    assert_eq!(ran.code, Some(1));
    assert_eq!(health, serde_json::json!({ "status": "stopped" }));
    here.set("SAYSO__HTTP__LISTEN", "127.0.0.1:9");
    let (ran, health) = answer(&here, &["health", "--json"]).await;
    assert_eq!(ran.code, Some(1));
    assert_eq!(health["status"], "unreachable");
    assert!(health["reason"].is_string(), "{health}");
}

#[tokio::test]
async fn a_skill_with_an_error_is_named_with_its_line() {
    let here = CommandLine::new();
    std::fs::create_dir_all(here.path("skills/tea")).unwrap();
    here.write("skills/tea/SKILL.md", "---\nname: coffee\n---\nBrew it.\n");
    let (ran, report) = answer(&here, &["skills", "check", "--json", "skills"]).await;
    assert_eq!(ran.code, Some(1));
    assert_eq!(report["ok"], false);
    let skill = &report["skills"][0];
    assert_eq!(skill["file"], "skills/tea/SKILL.md");
    let finding = &skill["findings"][0];
    assert_eq!(fields(finding), ["line", "level", "text"]);
    assert_eq!(finding["level"], "error");
}

#[tokio::test]
async fn routing_and_audit_are_counted() {
    let here = used_home().await;
    let (ran, report) = answer(&here, &["routing", "report", "--json", "--days", "7"]).await;
    assert_eq!(ran.code, Some(0));
    assert_eq!(report["days"], 7);
    assert_eq!(report["messages"], 1);
    let (ran, verified) = answer(&here, &["audit", "verify", "--json"]).await;
    assert_eq!(ran.code, Some(0));
    assert_eq!(verified["ok"], true);
    let (entries, head) = (&verified["entries"], verified["head"].as_str().unwrap());
    assert!(head.starts_with(&format!("{entries}:")), "{verified}");
    // What it prints is what it takes.
    let noted = ["audit", "verify", "--json", "--head", head];
    assert_eq!(answer(&here, &noted).await.0.code, Some(0));
    let export = here.path("data/audit.jsonl");
    std::fs::write(&export, "").unwrap();
    let (ran, broken) = answer(&here, &["audit", "verify", "--json"]).await;
    assert_eq!(ran.code, Some(1));
    assert_eq!(fields(&broken), ["ok", "file", "problem"]);
}

/// Runs a program of this machine in a home; `None` where there is no such program.
async fn program(here: &CommandLine, name: &str, arguments: &[&str]) -> Option<Ran> {
    let mut command = here.program(name, arguments);
    let child = command.stdin(Stdio::null()).spawn().ok()?;
    Some(ended(child).await)
}

#[tokio::test]
async fn completions_are_read_by_their_shell() {
    let here = CommandLine::new();
    for (shell, check) in [
        ("bash", vec!["-c", "source ./file; complete -p sayso"]),
        ("zsh", vec!["-n", "./file"]),
        ("fish", vec!["--no-execute", "./file"]),
    ] {
        let script = here.run(&["completions", shell], "").await;
        assert_eq!(script.code, Some(0), "{script:?}");
        for word in ["doctor", "audit", "--json"] {
            let word = word.trim_start_matches("--");
            assert!(script.out.contains(word), "{shell} does not know {word}");
        }
        assert!(
            !script.out.contains("Print a reference page"),
            "{shell} shows what is hidden"
        );
        here.write("file", &script.out);
        match program(&here, shell, &check).await {
            Some(ran) => assert_eq!(ran.code, Some(0), "{shell}: {ran:?}"),
            None => println!("skipped: there is no {shell}"),
        }
    }
}

#[tokio::test]
async fn manual_pages_are_there_for_each_command() {
    let here = CommandLine::new();
    let page = here.run(&["man"], "").await;
    assert_eq!(page.code, Some(0), "{page:?}");
    assert!(page.out.contains(".TH sayso 1"), "{}", page.out);
    std::fs::create_dir(here.path("pages")).unwrap();
    let written = here.run(&["man", "pages"], "").await;
    assert_eq!(written.code, Some(0), "{written:?}");
    let has = |name: &str| Path::new(&here.path("pages")).join(name).is_file();
    assert!(has("sayso.1") && has("sayso-audit-verify.1"));
    assert!(!has("sayso-reference.1"), "it is hidden");
    let missing = here.run(&["man", "nowhere"], "").await;
    assert_eq!(missing.code, Some(1), "{missing:?}");
}

#[tokio::test]
async fn a_pipe_that_is_closed_early_is_no_error() {
    let here = CommandLine::of_a_person();
    let sayso = env!("CARGO_BIN_EXE_sayso");
    for command in ["completions bash", "man", "reference cli"] {
        let line =
            format!("set -o pipefail; {sayso} {command} | head -c 1; exit ${{PIPESTATUS[0]}}");
        let ran = program(&here, "bash", &["-c", &line]).await.unwrap();
        assert_eq!(ran.err, "", "{command}");
    }
}
