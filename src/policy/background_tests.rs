//! Commands that keep running when their call is over: asked about at every level, for no yes that lasts.

use sayso_core::Language;

use AutonomyLevel::{Full, ReadOnly, Supervised};

use super::decide_tests::{call, check, exec, facts, grant, held, policy};
use super::{
    Access, Action, AutonomyLevel, CallFacts, Lasting, SandboxedCommands, SecurityPolicy,
    WorkspaceEffect,
};

fn kept(command: &str) -> Action {
    match exec(command) {
        Action::Exec {
            command,
            program,
            access,
            places,
            lasting: _,
        } => Action::Exec {
            command,
            program,
            access,
            places,
            lasting: Lasting::Background,
        },
        action => action,
    }
}

fn generous() -> SecurityPolicy {
    SecurityPolicy {
        allow_network: true,
        confirm_exec: false,
        sandboxed_commands: SandboxedCommands::Allow,
        allow_commands: vec!["mkdir".into(), "git".into()],
        ..policy()
    }
}

#[test]
fn chat_f13_nothing_frees_a_command_that_keeps_running_of_asking() {
    let ended = CallFacts {
        grants: vec![grant("mkdir a")],
        ..facts(Supervised, exec("mkdir a"))
    };
    check(&generous(), &ended, "allow");
    check(&generous(), &facts(Full, exec("mkdir a")), "allow");
    let granted = CallFacts {
        grants: vec![grant("mkdir a")],
        ..facts(Supervised, kept("mkdir a"))
    };
    check(&generous(), &granted, "ask: KeepsRunning");
    check(&policy(), &granted, "ask: KeepsRunning");
    check(
        &generous(),
        &facts(Full, kept("mkdir a")),
        "ask: KeepsRunning",
    );
    check(&generous(), &facts(ReadOnly, kept("mkdir a")), "deny:");
    assert!(
        held(&facts(Supervised, exec("mkdir a")))
            .pattern()
            .is_some()
    );
    let asked = held(&facts(Supervised, kept("mkdir a")));
    assert_eq!((asked.pattern(), asked.prefix()), (None, None));
}

#[test]
fn chat_f13_what_only_reads_is_kept_running_unasked() {
    for level in [ReadOnly, Supervised] {
        check(&policy(), &facts(level, kept("git status")), "allow");
    }
    check(&generous(), &facts(Full, kept("git status")), "allow");
}

#[test]
fn chat_f13_its_card_says_so_once_whatever_it_asks_for() {
    for (asked, language, words) in [
        (
            kept("npm start"),
            Language::English,
            "keeps running in the background",
        ),
        (kept("npm start"), Language::Chinese, "在后台继续运行"),
        (
            kept("mkdir a"),
            Language::English,
            "keeps running in the background",
        ),
    ] {
        let card = held(&facts(Supervised, asked)).why_in(language);
        assert_eq!(card.matches(words).count(), 1, "{card}");
    }
    let card = held(&facts(Supervised, exec("npm start"))).why_in(Language::English);
    assert!(!card.contains("keeps running"), "{card}");
    let card = held(&facts(Supervised, exec("npm start & true"))).why_in(Language::English);
    assert!(card.contains("is ended when the rest has ended"), "{card}");
}

#[test]
fn chat_f13_what_it_may_bring_makes_its_workspace_foreign_at_once() {
    let touch = |action, access| policy().touch(&facts(Supervised, action), access);
    assert_eq!(
        touch(exec("npm start"), Access::Network),
        WorkspaceEffect::Brings
    );
    assert_eq!(
        touch(kept("npm start"), Access::Network),
        WorkspaceEffect::ReachesOut
    );
    assert_eq!(
        touch(kept("mkdir a"), Access::Workspace),
        WorkspaceEffect::Changes
    );
}

#[test]
fn chat_f13_a_yes_to_a_call_that_ends_is_none_to_one_that_goes_on() {
    let (ended, kept) = (
        facts(Supervised, exec("mkdir a")),
        facts(Supervised, kept("mkdir a")),
    );
    assert_ne!(held(&ended).digest(), held(&kept).digest());
    assert_eq!(*held(&ended).call(), call("shell"));
}
