//! What may run, what is asked and what is refused, as tables.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sayso_core::Language;
use sayso_core::approval::Approved;
use sayso_core::transcript::{CallId, Role, Taint, ToolCall};

use AutonomyLevel::{Full, ReadOnly, Supervised};
use serde_json::json;
use url::Url;

use super::hosts::{HostPattern, HostRules, Method, Server};
use super::{
    Access, Action, AskReason, AutonomyLevel, Binding, CallFacts, Confinement, Covers, Decision,
    Enforced, GrantPattern, HeldCall, Reach, SandboxMode, SecurityPolicy, ToolFacts,
};

pub(super) fn confined(mode: SandboxMode, enforced: Enforced) -> Confinement {
    Confinement { mode, enforced }
}

pub(super) fn policy() -> SecurityPolicy {
    SecurityPolicy {
        allow_commands: vec![
            "git".into(),
            "python3".into(),
            "env".into(),
            "/opt/x/tool".into(),
        ],
        confirm_write: true,
        confirm_exec: true,
        autonomy: Full,
        confinement: confined(SandboxMode::Require, Enforced::Wholly),
        ..SecurityPolicy::default()
    }
}

pub(super) fn call(tool: &str) -> ToolCall {
    ToolCall {
        id: CallId("call-1".into()),
        name: tool.into(),
        arguments: json!({"argument": 1}),
    }
}

pub(super) fn facts(autonomy: AutonomyLevel, action: Action) -> CallFacts {
    CallFacts {
        tool: ToolFacts {
            summary: "what it does".into(),
            detail: None,
            action,
            scripts: Vec::new(),
            secrets: Vec::new(),
        },
        autonomy,
        role: Role::Member,
        project: None,
        grants: Vec::new(),
        said: Vec::new(),
        person: String::new(),
        taint: Taint::default(),
        repeats_unknown: false,
    }
}

pub(super) fn inside() -> Reach {
    Reach::Inside(PathBuf::from("/workspace/notes.md"))
}

pub(super) fn outside() -> Reach {
    Reach::Outside(PathBuf::from("/etc/passwd"))
}

pub(super) fn exec(command: &str) -> Action {
    Action::Exec {
        command: command.into(),
        program: command.split(' ').next().map(Into::into),
        access: Access::Workspace,
        places: BTreeMap::new(),
        lasting: crate::Lasting::WhileCalled,
    }
}

pub(super) fn grant(command: &str) -> GrantPattern {
    GrantPattern {
        tool: "shell".into(),
        covers: Covers::Command(command.into()),
        access: Access::Workspace,
        secrets: Vec::new(),
        files: Vec::new(),
    }
}

/// A decision in a word: `allow`, `ask: reason` or `deny: why`.
pub(super) fn told(decision: &Decision) -> String {
    match decision {
        Decision::Allow(_) => "allow".to_owned(),
        Decision::Ask(held) => match held.why() {
            AskReason::RunsCommand(_) => "ask: RunsCommand".to_owned(),
            why => format!("ask: {why:?}"),
        },
        Decision::Deny { why } => format!("deny: {}", why.for_model()),
    }
}

pub(super) fn check(policy: &SecurityPolicy, facts: &CallFacts, expected: &str) {
    let told = told(&policy.decide(call("shell"), facts));
    let fits = if expected.ends_with(':') {
        told.starts_with(expected)
    } else {
        told == expected
    };
    assert!(fits, "expected {expected:?}, got {told:?} for {facts:?}");
}

#[test]
fn each_level_has_its_own_answer_to_each_action() {
    let table = [
        (Action::Internal, ["allow", "allow", "allow"]),
        (
            Action::Remember {
                is_suspicious: false,
                text: None,
            },
            ["allow", "allow", "allow"],
        ),
        (
            Action::Remember {
                is_suspicious: true,
                text: None,
            },
            [
                "ask: ReadsLikeInstructions",
                "ask: ReadsLikeInstructions",
                "ask: ReadsLikeInstructions",
            ],
        ),
        (Action::Read { path: inside() }, ["allow", "allow", "allow"]),
        (
            Action::Read { path: outside() },
            ["deny:", "deny:", "deny:"],
        ),
        (
            Action::Write { path: inside() },
            ["deny:", "ask: WritesFile", "allow"],
        ),
        (
            Action::Write { path: outside() },
            ["deny:", "deny:", "deny:"],
        ),
        (exec("git commit"), ["deny:", "ask: RunsCommand", "allow"]),
        (exec("rm -r x"), ["deny:", "ask: RunsCommand", "deny:"]),
    ];
    for (action, expected) in table {
        for (level, expected) in [ReadOnly, Supervised, Full].into_iter().zip(expected) {
            check(&policy(), &facts(level, action.clone()), expected);
        }
    }
}

#[test]
fn confirmations_can_be_switched_off_each_by_itself() {
    let without_write = SecurityPolicy {
        confirm_write: false,
        ..policy()
    };
    check(
        &without_write,
        &facts(Supervised, Action::Write { path: inside() }),
        "allow",
    );
    check(
        &without_write,
        &facts(Supervised, Action::Write { path: outside() }),
        "deny:",
    );
    check(
        &without_write,
        &facts(Supervised, exec("touch a")),
        "ask: RunsCommand",
    );
    let without_exec = SecurityPolicy {
        confirm_exec: false,
        ..policy()
    };
    check(
        &without_exec,
        &facts(Supervised, exec("rm x | wc")),
        "allow",
    );
    check(&without_exec, &facts(ReadOnly, exec("touch a")), "deny:");
    let write = facts(Supervised, Action::Write { path: inside() });
    check(&without_exec, &write, "ask: WritesFile");
}

#[test]
fn a_user_never_has_more_than_the_instance_allows() {
    let supervised = SecurityPolicy {
        autonomy: Supervised,
        ..policy()
    };
    check(
        &supervised,
        &facts(Full, exec("git commit")),
        "ask: RunsCommand",
    );
    let read_only = SecurityPolicy {
        autonomy: ReadOnly,
        ..policy()
    };
    check(&read_only, &facts(Supervised, exec("git commit")), "deny:");
}

#[test]
fn what_is_forbidden_is_refused_at_every_level_and_after_a_yes() {
    for level in [ReadOnly, Supervised, Full] {
        check(&policy(), &facts(level, exec("ls; rm -rf /")), "deny:");
    }
    let unasked = SecurityPolicy {
        confirm_exec: false,
        ..policy()
    };
    check(&unasked, &facts(Supervised, exec("rm -rf /")), "deny:");
    let granted = CallFacts {
        grants: vec![grant("rm -rf /")],
        ..facts(Supervised, exec("rm -rf /"))
    };
    check(&policy(), &granted, "deny:");
}

#[test]
fn a_grant_covers_one_tool_and_one_exact_command() {
    let granted = |command: &str, grant: GrantPattern| CallFacts {
        grants: vec![grant],
        ..facts(Supervised, exec(command))
    };
    check(
        &policy(),
        &granted("git commit", grant("git commit")),
        "allow",
    );
    check(
        &policy(),
        &granted("git commit -s", grant("git commit")),
        "ask: RunsCommand",
    );
    check(
        &policy(),
        &granted("git  push", grant("git commit")),
        "ask: RunsCommand",
    );
    let of_another_tool = GrantPattern {
        tool: "other".into(),
        ..grant("git commit")
    };
    check(
        &policy(),
        &granted("git commit", of_another_tool),
        "ask: RunsCommand",
    );
    let read_only = CallFacts {
        autonomy: ReadOnly,
        ..granted("git commit", grant("git commit"))
    };
    check(&policy(), &read_only, "deny:");
}

#[test]
fn a_grant_does_not_hold_in_a_tainted_turn() {
    let tainted = CallFacts {
        grants: vec![grant("git commit")],
        taint: others(),
        ..facts(Supervised, exec("git commit"))
    };
    check(&policy(), &tainted, "ask: OutsideText");
}

pub(super) fn others() -> Taint {
    let mut taint = Taint::default();
    taint.add_others();
    taint
}

#[test]
fn nothing_risky_runs_unasked_while_untrusted_text_is_in_view() {
    let trusting = SecurityPolicy {
        confirm_write: false,
        confirm_exec: false,
        ..policy()
    };
    let risky = [
        exec("git commit"),
        Action::Write { path: inside() },
        Action::Remember {
            is_suspicious: false,
            text: None,
        },
    ];
    for action in risky {
        for level in [Supervised, Full] {
            let clean = facts(level, action.clone());
            check(&trusting, &clean, "allow");
            let tainted = CallFacts {
                taint: others(),
                ..clean
            };
            check(&trusting, &tainted, "ask: OutsideText");
        }
    }
    // What only reads inside the workspace cannot leave it.
    for action in [
        Action::Internal,
        Action::Read { path: inside() },
        exec("git status"),
    ] {
        let tainted = CallFacts {
            taint: others(),
            ..facts(Full, action)
        };
        check(&trusting, &tainted, "allow");
    }
}

#[test]
fn what_a_call_itself_gave_does_not_hold_it_back() {
    let mut taint = Taint::default();
    taint.add_result_of(&call("shell"));
    let granted = CallFacts {
        grants: vec![grant("git commit")],
        taint,
        ..facts(Supervised, exec("git commit"))
    };
    check(&policy(), &granted, "allow");
    let mut of_another = granted;
    of_another.taint.add_result_of(&call("file_read"));
    check(&policy(), &of_another, "ask: OutsideText");
}

#[test]
fn a_repetition_with_unknown_outcome_asks_unless_it_is_denied() {
    let repeated = |facts| CallFacts {
        repeats_unknown: true,
        ..facts
    };
    let granted = CallFacts {
        grants: vec![grant("git commit")],
        ..facts(Supervised, exec("git commit"))
    };
    for allowed in [
        granted,
        facts(Supervised, exec("git commit")),
        facts(Full, exec("git commit")),
        facts(Full, Action::Write { path: inside() }),
        facts(Supervised, Action::Internal),
    ] {
        check(&policy(), &repeated(allowed), "ask: RepeatsUnknown");
    }
    check(&policy(), &repeated(facts(Full, exec("rm x"))), "deny:");
    check(
        &policy(),
        &repeated(facts(ReadOnly, exec("git commit"))),
        "deny:",
    );
}

#[test]
fn a_prefix_is_offered_where_the_table_has_one_and_covers_what_is_safe_behind_it() {
    let prefix = |command: &str| {
        let facts = facts(Supervised, exec(command));
        held(&facts).prefix().cloned()
    };
    let directories = GrantPattern {
        tool: "shell".into(),
        covers: Covers::Prefix("mkdir".into()),
        access: Access::Workspace,
        secrets: Vec::new(),
        files: Vec::new(),
    };
    assert_eq!(prefix("mkdir -p build"), Some(directories.clone()));
    assert_eq!(prefix("rm a"), None);
    assert_eq!(prefix("sh -c 'mkdir build'"), None);
    let granted = |command: &str| CallFacts {
        grants: vec![directories.clone()],
        ..facts(Supervised, exec(command))
    };
    check(&policy(), &granted("mkdir a b"), "allow");
    for command in ["mkdir -m 777 a", "rmdir a", "mkdir a; rm a", "mkdir a > b"] {
        check(&policy(), &granted(command), "ask: RunsCommand");
    }
    let other_tool = policy().decide(call("another"), &granted("mkdir a"));
    assert_eq!(told(&other_tool), "ask: RunsCommand");
}

#[test]
fn always_is_offered_only_for_narrow_commands() {
    let pattern = |facts: &CallFacts| {
        let held = held(facts);
        held.pattern().map(|pattern| pattern.covers.clone())
    };
    for command in ["git add a", "mkdir -p a", "cp a b", "touch 'a b'"] {
        assert_eq!(
            pattern(&facts(Supervised, exec(command))),
            Some(Covers::Command(command.to_owned()))
        );
    }
    for command in [
        "sh -c 'rm a'",
        "bash x.sh",
        "python3.11 x.py",
        "env touch a",
        "sudo ls",
        "xargs rm",
        "find .",
        "make test",
        "./run.sh",
        "bin/ls",
        "/bin/touch a",
        "ls | tee a",
        "ls; rm a",
        "touch *",
        "touch $HOME",
        "A=b git status",
        "\"sh\" -c 'rm a'",
        "git commit",
        "cargo test",
    ] {
        assert_eq!(
            pattern(&facts(Supervised, exec(command))),
            None,
            "{command}"
        );
    }
    let write = facts(Supervised, Action::Write { path: inside() });
    assert_eq!(pattern(&write), None);
    let tainted = CallFacts {
        taint: others(),
        ..facts(Supervised, exec("touch a"))
    };
    assert_eq!(pattern(&tainted), None);
    let nameless = Action::Exec {
        command: "touch a".into(),
        program: None,
        access: Access::Workspace,
        places: BTreeMap::new(),
        lasting: crate::Lasting::WhileCalled,
    };
    assert_eq!(pattern(&facts(Supervised, nameless)), None);
}

/// A file of the workspace that a command names.
fn file(name: &str, sha256: &str) -> Binding {
    Binding::File {
        path: PathBuf::from("/workspace").join(name),
        sha256: sha256.into(),
    }
}

#[test]
fn s4_a_grant_carries_what_its_command_names_and_lapses_with_it() {
    let naming = |files: Vec<Binding>| {
        let mut facts = facts(Supervised, exec("cp a b"));
        facts.tool.scripts = files;
        facts
    };
    let shown = naming(vec![file("a", "00")]);
    let pattern = held(&shown).pattern().cloned().unwrap();
    assert_eq!(pattern.files, [file("a", "00")]);
    let stored = serde_json::to_string(&pattern).unwrap();
    assert_eq!(
        serde_json::from_str::<GrantPattern>(&stored).unwrap(),
        pattern
    );
    let granted = |files| CallFacts {
        grants: vec![pattern.clone()],
        ..naming(files)
    };
    check(&policy(), &granted(vec![file("a", "00")]), "allow");
    // What it made itself is beside it.
    let with_more = vec![file("a", "00"), file("b", "11")];
    check(&policy(), &granted(with_more), "allow");
    for changed in [vec![file("a", "01")], vec![file("b", "00")], Vec::new()] {
        check(&policy(), &granted(changed), "ask: RunsCommand");
    }
    let whole = Binding::Workspace {
        inventory: Some("00".into()),
    };
    let may_run_more = vec![file("a", "00"), whole.clone()];
    check(&policy(), &granted(may_run_more), "ask: RunsCommand");
    assert_eq!(held(&naming(vec![whole])).pattern(), None);
}

#[test]
fn s4_a_grant_without_its_files_is_none() {
    let stored = r#"{"tool":"shell","access":"workspace","command":"touch a"}"#;
    assert!(serde_json::from_str::<GrantPattern>(stored).is_err());
}

#[test]
fn s3_a_card_says_when_what_runs_may_change_unnoticed() {
    let said = |action: Action, inventory: Option<&str>| {
        let mut facts = facts(Supervised, action);
        facts.tool.scripts.push(Binding::Workspace {
            inventory: inventory.map(Into::into),
        });
        let held = held(&facts);
        [Language::English, Language::Chinese].map(|language| {
            let why = held.why_in(language);
            why.contains("may have changed by the time it runs") || why.contains("无法全部核对")
        })
    };
    assert_eq!(said(exec("make"), Some("00")), [false; 2]);
    assert_eq!(said(exec("make"), None), [true; 2]);
    assert_eq!(said(exec("docker run web"), Some("00")), [true; 2]);
}

pub(super) fn held(facts: &CallFacts) -> HeldCall {
    match policy().decide(call("shell"), facts) {
        Decision::Ask(held) => held,
        decision => panic!("not held: {decision:?}"),
    }
}

/// Approves what `shown` describes, then clears it when `now` holds.
pub(super) fn cleared(shown: &CallFacts, now: &CallFacts) -> Decision {
    let held = held(shown);
    let approved = Approved::redeemed(held.call().id.clone(), held.digest().as_str().to_owned());
    policy().clear(held, &approved, now)
}

#[test]
fn an_approved_call_runs_when_it_is_still_what_was_shown() {
    let shown = facts(Supervised, exec("rm -r build"));
    let Decision::Allow(cleared) = cleared(&shown, &shown) else {
        panic!("an approved call was not allowed");
    };
    assert!(cleared.was_approved());
    assert_eq!(cleared.call(), &call("shell"));
}

#[test]
fn an_approved_repetition_runs() {
    let shown = CallFacts {
        repeats_unknown: true,
        ..facts(Supervised, exec("git commit"))
    };
    assert_eq!(told(&cleared(&shown, &shown)), "allow");
}

#[test]
fn a_denial_wins_over_a_yes() {
    let shown = facts(Supervised, exec("git commit"));
    let lowered = CallFacts {
        autonomy: ReadOnly,
        ..shown.clone()
    };
    assert!(told(&cleared(&shown, &lowered)).starts_with("deny: "));
}

#[test]
fn what_changed_since_it_was_shown_is_asked_about_anew() {
    let shown = facts(Supervised, exec("sh build.sh"));
    let mut script = shown.clone();
    script.tool.scripts.push(file("build.sh", "00"));
    assert_eq!(told(&cleared(&shown, &script)), "ask: ChangedSinceShown");
    let mut workspace = shown.clone();
    workspace.tool.scripts.push(Binding::Workspace {
        inventory: Some("00".into()),
    });
    assert_eq!(told(&cleared(&shown, &workspace)), "ask: ChangedSinceShown");
    let command = facts(Supervised, exec("sh other.sh"));
    assert_eq!(told(&cleared(&shown, &command)), "ask: ChangedSinceShown");
}

#[test]
fn a_yes_to_another_call_clears_nothing() {
    let shown = facts(Supervised, exec("git commit"));
    let digest = held(&shown).digest().as_str().to_owned();
    let of_another = Approved::redeemed(CallId("call-2".into()), digest);
    let decision = policy().clear(held(&shown), &of_another, &shown);
    assert_eq!(told(&decision), "ask: ChangedSinceShown");
    let of_other_arguments = Approved::redeemed(CallId("call-1".into()), "00".into());
    let decision = policy().clear(held(&shown), &of_other_arguments, &shown);
    assert_eq!(told(&decision), "ask: ChangedSinceShown");
}

#[test]
fn a_yes_does_not_outlive_its_digest_even_where_no_one_need_be_asked() {
    let shown = facts(Supervised, exec("git commit"));
    let raised = facts(Full, exec("git add -A"));
    assert_eq!(told(&cleared(&shown, &raised)), "ask: ChangedSinceShown");
}

#[test]
fn a_file_that_keeps_secrets_is_asked_about_at_every_level() {
    let secret = || Reach::Inside(PathBuf::from("/workspace/.env"));
    let unasked = SecurityPolicy {
        confirm_write: false,
        ..policy()
    };
    for level in [ReadOnly, Supervised, Full] {
        let read = facts(level, Action::Read { path: secret() });
        check(&unasked, &read, "ask: KeepsSecrets");
    }
    for level in [Supervised, Full] {
        let write = facts(level, Action::Write { path: secret() });
        check(&unasked, &write, "ask: KeepsSecrets");
    }
    let write = facts(ReadOnly, Action::Write { path: secret() });
    check(&unasked, &write, "deny:");
}

#[test]
fn a_request_is_judged_by_the_rules_for_hosts() {
    let fetch = |method| Action::Fetch {
        method,
        url: "https://example.org/".into(),
        server: Server::of(&Url::parse("https://example.org/").unwrap()).unwrap(),
    };
    let listed = SecurityPolicy {
        hosts: HostRules {
            allow: vec![HostPattern::parse("example.org").unwrap()],
            ..HostRules::default()
        },
        ..policy()
    };
    check(
        &policy(),
        &facts(Supervised, fetch(Method::Get)),
        "ask: Fetches",
    );
    check(&listed, &facts(Supervised, fetch(Method::Get)), "allow");
    check(
        &listed,
        &facts(Supervised, fetch(Method::Post)),
        "ask: SendsRequest",
    );
    let tainted = CallFacts {
        taint: others(),
        ..facts(Supervised, fetch(Method::Get))
    };
    check(&listed, &tainted, "ask: FetchesAfterOutsideText");
}
