//! Checks of a project: what an "always" for one covers, and when it lapses.

use std::path::PathBuf;

use sayso_core::transcript::Taint;

use super::AutonomyLevel::{Full, Supervised};
use super::decide_tests::{call, confined, exec, facts, policy};
use super::{Binding, CallFacts, Decision, Enforced, GrantPattern, SandboxMode, SecurityPolicy};

const COMMAND: &str = "python3 -B -m unittest";

/// A check with the state of the file that defines it.
fn check_of(command: &str, sha256: &str) -> CallFacts {
    let mut facts = facts(Supervised, exec(command));
    facts.tool.scripts = vec![
        Binding::File {
            path: PathBuf::from("/workspace/pyproject.toml"),
            sha256: sha256.into(),
        },
        Binding::Recipe {
            check: "tests".to_owned(),
        },
    ];
    facts
}

fn is_allowed(policy: &SecurityPolicy, facts: &CallFacts) -> bool {
    matches!(policy.decide(call("run_checks"), facts), Decision::Allow(_))
}

fn offered(policy: &SecurityPolicy, facts: &CallFacts) -> Option<GrantPattern> {
    match policy.decide(call("run_checks"), facts) {
        Decision::Ask(held) => {
            assert_eq!(held.prefix(), None, "nothing wider is offered");
            held.pattern().cloned()
        }
        Decision::Allow(_) | Decision::Deny { .. } => None,
    }
}

fn others() -> Taint {
    let mut taint = Taint::default();
    taint.add_others();
    taint
}

#[test]
fn a_check_is_asked_about_and_an_always_holds_while_its_files_do() {
    let policy = policy();
    let shown = check_of(COMMAND, "00");
    assert!(!is_allowed(&policy, &shown));
    let pattern = offered(&policy, &shown).unwrap();
    let granted = |facts: CallFacts| CallFacts {
        grants: vec![pattern.clone()],
        ..facts
    };
    assert!(is_allowed(&policy, &granted(check_of(COMMAND, "00"))));
    assert!(!is_allowed(&policy, &granted(check_of(COMMAND, "01"))));
    assert!(!is_allowed(
        &policy,
        &granted(check_of("python3 x.py", "00"))
    ));
    // The same command is another matter where the model chose it.
    let mut by_model = granted(check_of(COMMAND, "00"));
    by_model.tool.scripts.pop();
    assert!(!is_allowed(&policy, &by_model));
}

#[test]
fn text_from_outside_has_not_chosen_the_command() {
    let policy = policy();
    let tainted = CallFacts {
        taint: others(),
        ..check_of(COMMAND, "00")
    };
    assert!(!is_allowed(&policy, &tainted), "it is asked about once");
    let pattern = offered(&policy, &tainted).unwrap();
    let granted = CallFacts {
        grants: vec![pattern],
        ..tainted
    };
    assert!(is_allowed(&policy, &granted));
    // At the level where nothing is asked about, outside text still has it asked.
    let at_full = CallFacts {
        autonomy: Full,
        grants: Vec::new(),
        ..granted
    };
    assert!(!is_allowed(&policy, &at_full));
}

#[test]
fn a_check_that_reaches_further_or_is_not_confined_is_asked_about_each_time() {
    let policy = policy();
    for command in ["curl -s https://example.org", "sudo make test", "rm -rf /"] {
        assert_eq!(
            offered(&policy, &check_of(command, "00")),
            None,
            "{command}"
        );
    }
    let open = SecurityPolicy {
        confinement: confined(SandboxMode::Prefer, Enforced::Nothing),
        ..policy
    };
    assert_eq!(offered(&open, &check_of(COMMAND, "00")), None);
}
