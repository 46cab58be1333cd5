//! Which commands an "always" is offered for, as lists.

use super::commands::places_as_written;
use super::decide_tests::{call, confined, facts};
use super::{
    Access, Action, AutonomyLevel, Confinement, Decision, Enforced, HeldCall, SandboxMode,
    SecurityPolicy,
};

/// Shells, interpreters, wrappers, loaders, package runners, and options that start a program.
const NEVER: &str = include_str!("../../tests/data/always/never.txt");
/// Ordinary commands, for which it remains useful.
const OFFERED: &str = include_str!("../../tests/data/always/offered.txt");

fn commands(list: &str) -> Vec<&str> {
    let lines = list.lines();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn held(command: &str, access: Access) -> Option<HeldCall> {
    let confinement: Confinement = confined(SandboxMode::Require, Enforced::Wholly);
    let policy = SecurityPolicy {
        confinement,
        ..SecurityPolicy::default()
    };
    let exec = Action::Exec {
        command: command.into(),
        program: command.split(' ').next().map(Into::into),
        access,
        places: places_as_written(command),
        lasting: crate::Lasting::WhileCalled,
    };
    let facts = facts(AutonomyLevel::Supervised, exec);
    match policy.decide(call("shell"), &facts) {
        Decision::Ask(held) => Some(held),
        Decision::Allow(_) | Decision::Deny { .. } => None,
    }
}

#[test]
fn s4_always_is_offered_for_nothing_that_runs_other_programs() {
    let commands = commands(NEVER);
    assert!(commands.len() >= 290, "{}", commands.len());
    let offers = |command: &&&str| {
        [Access::Workspace, Access::Network]
            .into_iter()
            .any(|access| {
                held(command, access)
                    .is_some_and(|held| held.pattern().is_some() || held.prefix().is_some())
            })
    };
    let offered: Vec<_> = commands.iter().filter(offers).collect();
    assert!(offered.is_empty(), "{offered:?}");
}

#[test]
fn s4_always_is_offered_for_ordinary_commands() {
    let commands = commands(OFFERED);
    assert!(commands.len() >= 40, "{}", commands.len());
    let is_missing = |command: &&&str| {
        held(command, Access::Workspace).is_none_or(|held| held.pattern().is_none())
    };
    let missing: Vec<_> = commands.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn s4_what_a_prefix_covers_is_itself_offered() {
    for (command, expected) in [
        ("mkdir -p a", Some("mkdir")),
        ("touch a", Some("touch")),
        ("git add a", Some("git add")),
        ("cargo test", None),
        ("npm run build", None),
        ("pytest", None),
        ("git commit -m x", None),
    ] {
        let held = held(command, Access::Workspace).unwrap();
        let prefix = held.prefix().map(|prefix| prefix.covers.clone());
        let expected = expected.map(|words| super::Covers::Prefix(words.to_owned()));
        assert_eq!(prefix, expected, "{command}");
    }
}
