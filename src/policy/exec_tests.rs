//! How far commands reach, what confines them, and what that changes, as tables.

use sayso_core::approval::Approved;
use sayso_core::transcript::Role;

use AutonomyLevel::{Full, ReadOnly, Supervised};

use super::decide_tests::{
    call, check, cleared, confined, exec, facts, grant, held, others, policy, told,
};
use super::{
    Access, Action, AutonomyLevel, CallFacts, Decision, Enforced, GrantPattern, Place, SandboxMode,
    SandboxedCommands, SecurityPolicy,
};

/// A command that asks for more than the workspace.
fn reaching(command: &str, access: Access) -> Action {
    match exec(command) {
        Action::Exec {
            command,
            program,
            places,
            ..
        } => Action::Exec {
            command,
            program,
            access,
            places,
            lasting: crate::Lasting::WhileCalled,
        },
        action => action,
    }
}

#[test]
fn what_reaches_further_than_the_sandbox_only_a_yes_lets_run() {
    let generous = SecurityPolicy {
        allow_network: true,
        confirm_exec: false,
        sandboxed_commands: SandboxedCommands::Allow,
        allow_commands: vec!["touch".into(), "sudo".into(), "docker".into()],
        ..policy()
    };
    for action in [
        reaching("touch a", Access::System),
        exec("touch /etc/x"),
        exec("docker run web"),
        exec("sudo touch a"),
    ] {
        let Action::Exec { command, .. } = &action else {
            continue;
        };
        let granted = CallFacts {
            grants: vec![GrantPattern {
                access: Access::System,
                ..grant(command)
            }],
            ..facts(Supervised, action.clone())
        };
        check(&generous, &granted, "ask: RunsCommand");
        assert_eq!(held(&granted).pattern(), None, "{command}");
        check(&generous, &facts(ReadOnly, action.clone()), "deny:");
        check(&generous, &facts(Full, action), "deny:");
    }
}

#[test]
fn the_network_is_free_only_where_it_is_allowed() {
    let online = SecurityPolicy {
        allow_network: true,
        ..policy()
    };
    let table = [
        (exec("git fetch"), "deny:", "allow"),
        (reaching("git commit", Access::Network), "deny:", "allow"),
    ];
    for (action, off, on) in table {
        check(&policy(), &facts(Full, action.clone()), off);
        check(&online, &facts(Full, action.clone()), on);
        // It has other reasons to ask.
        check(&online, &facts(Supervised, action), "ask: RunsCommand");
    }
    let unasked = |policy: SecurityPolicy| SecurityPolicy {
        confirm_exec: false,
        ..policy
    };
    let fetch = facts(Supervised, exec("git fetch"));
    check(&unasked(policy()), &fetch, "ask: RunsCommand");
    check(&unasked(online.clone()), &fetch, "allow");
    let read = facts(Supervised, reaching("git status", Access::Network));
    check(&policy(), &read, "ask: RunsCommand");
    check(&online, &read, "allow");
}

#[test]
fn a_grant_reaches_no_further_than_its_card_said() {
    let facts = CallFacts {
        grants: vec![grant("git commit")],
        ..facts(Supervised, reaching("git commit", Access::Network))
    };
    check(&policy(), &facts, "ask: RunsCommand");
    let with_network = CallFacts {
        grants: vec![GrantPattern {
            access: Access::Network,
            ..grant("git commit")
        }],
        // Of a member none covers it: `members_tests`.
        role: Role::Owner,
        ..facts
    };
    check(&policy(), &with_network, "allow");
}

#[test]
fn a_missing_sandbox_is_never_made_up_for_in_silence() {
    let with = |mode, enforced| SecurityPolicy {
        confinement: confined(mode, enforced),
        confirm_exec: false,
        sandboxed_commands: SandboxedCommands::Allow,
        ..policy()
    };
    for enforced in [Enforced::Nothing, Enforced::Partly] {
        let required = with(SandboxMode::Require, enforced);
        let preferred = with(SandboxMode::Prefer, enforced);
        for command in ["git status", "git commit"] {
            let granted = CallFacts {
                grants: vec![grant(command)],
                ..facts(Supervised, exec(command))
            };
            check(&required, &granted, "deny:");
            check(&preferred, &granted, "ask: RunsCommand");
            check(&required, &facts(Full, exec(command)), "deny:");
            check(&preferred, &facts(Full, exec(command)), "ask: RunsCommand");
            check(&preferred, &facts(ReadOnly, exec(command)), "deny:");
        }
        let Decision::Deny { why } = required.decide(call("shell"), &facts(Supervised, exec("ls")))
        else {
            panic!("not refused");
        };
        let why = why.for_model();
        assert!(why.contains("`policy.sandbox`"), "{why}");
        assert!(why.contains("`sayso doctor`"), "{why}");
    }
}

#[test]
fn without_a_sandbox_every_command_asks_but_for_grants_and_lists() {
    let off = SecurityPolicy {
        confinement: confined(SandboxMode::Off, Enforced::Wholly),
        sandboxed_commands: SandboxedCommands::Allow,
        ..policy()
    };
    for command in ["git status", "git commit"] {
        check(&off, &facts(Supervised, exec(command)), "ask: RunsCommand");
        check(&off, &facts(Full, exec(command)), "allow");
        check(&off, &facts(ReadOnly, exec(command)), "deny:");
    }
    let granted = CallFacts {
        grants: vec![grant("git commit")],
        // Of a member none covers what nothing confines: `members_tests`.
        role: Role::Owner,
        ..facts(Supervised, exec("git commit"))
    };
    check(&off, &granted, "allow");
}

#[test]
fn sandboxed_commands_run_unasked_where_that_is_set() {
    let sandboxed = SecurityPolicy {
        sandboxed_commands: SandboxedCommands::Allow,
        ..policy()
    };
    for command in [
        "git commit",
        "python3 x.py",
        "make",
        "touch a",
        "./build.sh",
    ] {
        check(
            &policy(),
            &facts(Supervised, exec(command)),
            "ask: RunsCommand",
        );
        check(&sandboxed, &facts(Supervised, exec(command)), "allow");
        let tainted = CallFacts {
            taint: others(),
            ..facts(Supervised, exec(command))
        };
        check(&sandboxed, &tainted, "ask: OutsideText");
        check(&sandboxed, &facts(ReadOnly, exec(command)), "deny:");
    }
    for command in [
        "rm -r x",
        "curl https://example.com",
        "touch /etc/x",
        "sudo touch a",
        "$X a",
        "touch $(cat a)",
        "for a in b; do touch $a; done",
    ] {
        check(
            &sandboxed,
            &facts(Supervised, exec(command)),
            "ask: RunsCommand",
        );
    }
    check(&sandboxed, &facts(Supervised, exec("rm -rf /")), "deny:");
}

#[test]
fn files_that_keep_secrets_are_never_read_unasked() {
    let secret = || Action::Exec {
        command: "cat .env".into(),
        program: Some("cat".into()),
        access: Access::Workspace,
        places: [(".env".to_owned(), Place::Inside("/workspace/.env".into()))].into(),
        lasting: crate::Lasting::WhileCalled,
    };
    let generous = SecurityPolicy {
        confirm_exec: false,
        sandboxed_commands: SandboxedCommands::Allow,
        allow_commands: vec!["cat".into()],
        ..policy()
    };
    check(&generous, &facts(Supervised, secret()), "ask: RunsCommand");
    check(&generous, &facts(Full, secret()), "ask: RunsCommand");
    check(&generous, &facts(ReadOnly, secret()), "deny:");
}

#[test]
fn a_yes_is_bound_to_what_confines_the_command() {
    let shown = facts(Supervised, exec("git commit"));
    let held = held(&shown);
    let approved = Approved::redeemed(held.call().id.clone(), held.digest().as_str().to_owned());
    let weaker = SecurityPolicy {
        confinement: confined(SandboxMode::Off, Enforced::Nothing),
        ..policy()
    };
    let decision = weaker.clear(held, &approved, &shown);
    assert_eq!(told(&decision), "ask: ChangedSinceShown");
}

#[test]
fn a_cleared_command_reaches_as_far_as_was_judged() {
    let access = |action| match policy().decide(call("shell"), &facts(Full, action)) {
        Decision::Allow(cleared) => cleared.access(),
        decision => panic!("not allowed: {decision:?}"),
    };
    assert_eq!(access(exec("git commit")), Access::Workspace);
    assert_eq!(access(Action::Internal), Access::Workspace);
    let shown = facts(Supervised, exec("git push"));
    let Decision::Allow(pushed) = cleared(&shown, &shown) else {
        panic!("an approved call was not allowed");
    };
    assert_eq!(pushed.access(), Access::Network);
}

#[test]
fn full_runs_only_plain_commands_of_listed_programs() {
    for command in [
        "git status",
        "git commit -m 'a; b'",
        "python3 x.py",
        "/opt/x/tool -v",
        "git log | git shortlog && git add -A",
        "git status 2>&1 > /dev/null",
        "timeout 5 git add -A",
        "env git add -A",
    ] {
        check(&policy(), &facts(Full, exec(command)), "allow");
    }
    for command in [
        "ls",
        "./git status",
        "/tmp/git status",
        "tool",
        "git status; rm x",
        "git status | sh",
        "git log > /tmp/x",
        "git $(id)",
        "git status\nrm x",
        "GIT_DIR=x git status",
        "env GIT_DIR=x git status",
        "timeout 5 rm x",
        "sudo git status",
        "",
    ] {
        check(&policy(), &facts(Full, exec(command)), "deny:");
    }
}

#[test]
fn a_refusal_under_full_names_the_list() {
    for command in ["ls", "git $(a)", "env A=b git status"] {
        let Decision::Deny { why } = policy().decide(call("shell"), &facts(Full, exec(command)))
        else {
            panic!("{command} was not denied");
        };
        let why = why.for_model();
        assert!(why.contains("`policy.allow_commands`"), "{why}");
    }
}

#[test]
fn commands_that_only_read_inside_the_workspace_never_ask() {
    let reading = |place: Place| Action::Exec {
        command: "cat notes.md | head".into(),
        program: Some("cat".into()),
        access: Access::Workspace,
        places: [("notes.md".to_owned(), place)].into(),
        lasting: crate::Lasting::WhileCalled,
    };
    for level in [ReadOnly, Supervised] {
        check(
            &policy(),
            &facts(level, reading(Place::Inside("/workspace/notes.md".into()))),
            "allow",
        );
        check(&policy(), &facts(level, exec("git status")), "allow");
    }
    check(
        &policy(),
        &facts(Supervised, reading(Place::Outside("/etc/passwd".into()))),
        "ask: RunsCommand",
    );
    check(
        &policy(),
        &facts(ReadOnly, reading(Place::Outside("/etc/passwd".into()))),
        "deny:",
    );
    // The path was not resolved.
    check(
        &policy(),
        &facts(Supervised, exec("cat notes.md")),
        "ask: RunsCommand",
    );
}
