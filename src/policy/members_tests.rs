//! Who approves what, and for whom, as a table.

use sayso_core::approval::{Approved, Approver};
use sayso_core::transcript::Role;
use url::Url;

use super::decide_tests::{call, check, confined, exec, facts, grant, policy};
use super::{
    Access, Action, AutonomyLevel, CallFacts, Decision, Enforced, HostPattern, HostRules, McpRule,
    MemberRules, MembersNetwork, MembersSystem, Method, SandboxMode, SecurityPolicy, Server,
};

fn reaching(command: &str, access: Access) -> Action {
    let Action::Exec {
        command,
        program,
        places,
        ..
    } = exec(command)
    else {
        panic!("no command");
    };
    Action::Exec {
        command,
        program,
        access,
        places,
        lasting: crate::Lasting::WhileCalled,
    }
}

fn by(role: Role, action: Action) -> CallFacts {
    CallFacts {
        role,
        ..facts(AutonomyLevel::Supervised, action)
    }
}

fn mcp(server: &str) -> Action {
    Action::Mcp {
        server: server.to_owned(),
        tool: "read".to_owned(),
        says_it_reads: false,
    }
}

fn fetch(url: &str, method: Method) -> Action {
    let parsed = Url::parse(url).unwrap();
    Action::Fetch {
        method,
        url: url.to_owned(),
        server: Server::of(&parsed).unwrap(),
    }
}

/// A policy with a program and a public service for MCP, and a server of the operator's own network.
fn house() -> SecurityPolicy {
    let mut policy = SecurityPolicy {
        hosts: HostRules {
            private: vec![HostPattern::parse("nas.local:5000").unwrap()],
            ..HostRules::default()
        },
        ..policy()
    };
    let program = McpRule {
        is_local: true,
        ..McpRule::default()
    };
    policy.mcp.add("files".to_owned(), program);
    policy.mcp.add("public".to_owned(), McpRule::default());
    policy
}

fn members(system: MembersSystem, network: MembersNetwork) -> SecurityPolicy {
    SecurityPolicy {
        members: MemberRules { system, network },
        ..house()
    }
}

#[track_caller]
fn approver(policy: &SecurityPolicy, facts: &CallFacts) -> Option<Approver> {
    match policy.decide(call("shell"), facts) {
        Decision::Ask(held) => Some(held.approver()),
        Decision::Allow(_) | Decision::Deny { .. } => None,
    }
}

/// What reaches past the space of the asker, and what does not.
fn past() -> Vec<Action> {
    vec![
        reaching("touch a", Access::System),
        exec("cat /etc/passwd"),
        exec("touch ../../user-1/a"),
        exec("sudo touch a"),
        exec("docker run web"),
        mcp("files"),
        mcp("unheard-of"),
        fetch("http://nas.local:5000/", Method::Get),
    ]
}

fn own() -> Vec<Action> {
    vec![
        exec("touch a"),
        exec("rm -rf a"),
        mcp("public"),
        fetch("https://example.org/", Method::Get),
        fetch("https://example.org/", Method::Post),
    ]
}

#[test]
fn s1_what_reaches_past_the_askers_space_needs_an_owner_the_one_who_asks() {
    for role in [Role::Member, Role::Owner] {
        for action in past() {
            let told = approver(&house(), &by(role, action.clone()));
            assert_eq!(told, Some(Approver::Owner), "{role:?} {action:?}");
        }
        for action in own() {
            let told = approver(&house(), &by(role, action.clone()));
            assert_eq!(told, Some(Approver::Asker), "{role:?} {action:?}");
        }
    }
}

#[test]
fn s1_a_command_that_is_not_wholly_confined_needs_an_owner() {
    for (mode, enforced) in [
        (SandboxMode::Prefer, Enforced::Partly),
        (SandboxMode::Prefer, Enforced::Nothing),
        (SandboxMode::Off, Enforced::Nothing),
        (SandboxMode::Off, Enforced::Wholly),
    ] {
        let policy = SecurityPolicy {
            confinement: confined(mode, enforced),
            ..house()
        };
        for command in ["ls", "touch a"] {
            let told = approver(&policy, &by(Role::Member, exec(command)));
            assert_eq!(
                told,
                Some(Approver::Owner),
                "{mode:?} {enforced:?} {command}"
            );
        }
    }
}

#[test]
fn s1_the_network_is_approved_by_whom_the_setting_names() {
    use MembersNetwork::{Asker, Deny, Owner};
    for (network, expected) in [
        (Asker, Some(Approver::Asker)),
        (Owner, Some(Approver::Owner)),
        (Deny, None),
    ] {
        let policy = members(MembersSystem::Owner, network);
        for action in [
            exec("curl https://example.org"),
            reaching("touch a", Access::Network),
        ] {
            let facts = by(Role::Member, action);
            assert_eq!(approver(&policy, &facts), expected, "{network:?}");
        }
    }
    let deny = members(MembersSystem::Owner, Deny);
    let network = exec("curl https://example.org");
    check(&deny, &by(Role::Member, network.clone()), "deny:");
    check(&deny, &by(Role::Owner, network), "ask: RunsCommand");
}

#[test]
fn s1_what_the_operator_denies_members_is_refused_and_owners_are_asked() {
    let deny = members(MembersSystem::Deny, MembersNetwork::Owner);
    for action in past() {
        let Decision::Deny { why } = deny.decide(call("shell"), &by(Role::Member, action.clone()))
        else {
            panic!("{action:?}");
        };
        assert!(
            why.for_model()
                .contains("`policy.members_system` is `deny`")
        );
        assert!(
            why.in_language(sayso_core::Language::Chinese)
                .contains("members_system")
        );
        let told = approver(&deny, &by(Role::Owner, action.clone()));
        assert_eq!(told, Some(Approver::Owner), "{action:?}");
    }
    for action in own() {
        let told = approver(&deny, &by(Role::Member, action.clone()));
        assert_eq!(told, Some(Approver::Asker), "{action:?}");
    }
}

#[test]
fn s1_no_grant_of_a_member_covers_what_needs_an_owner() {
    let granted = |role, access| {
        let action = reaching("git commit", access);
        CallFacts {
            grants: vec![super::GrantPattern {
                access: Access::System,
                ..grant("git commit")
            }],
            ..by(role, action)
        }
    };
    check(&house(), &granted(Role::Member, Access::Workspace), "allow");
    check(
        &house(),
        &granted(Role::Member, Access::Network),
        "ask: RunsCommand",
    );
    check(&house(), &granted(Role::Owner, Access::Network), "allow");
    let offered =
        |command: &str| match house().decide(call("shell"), &by(Role::Member, exec(command))) {
            Decision::Ask(held) => (held.pattern().is_some(), held.prefix().is_some()),
            other => panic!("{other:?}"),
        };
    assert_eq!(offered("git fetch"), (false, false));
    assert_eq!(offered("mkdir build"), (true, true));
}

#[test]
fn s1_clearing_judges_again_and_a_denial_wins() {
    let facts = by(Role::Member, exec("cat /etc/passwd"));
    let held = |policy: &SecurityPolicy| match policy.decide(call("shell"), &facts) {
        Decision::Ask(held) => held,
        other => panic!("{other:?}"),
    };
    let digest = held(&house()).digest();
    let approved = || Approved::redeemed(call("shell").id, digest.as_str().to_owned());
    assert!(matches!(
        house().clear(held(&house()), &approved(), &facts),
        Decision::Allow(_)
    ));
    let deny = members(MembersSystem::Deny, MembersNetwork::Owner);
    assert!(matches!(
        deny.clear(held(&house()), &approved(), &facts),
        Decision::Deny { .. }
    ));
}

#[test]
fn s1_an_approval_by_the_one_who_asked_is_none_once_an_owner_must_approve() {
    let facts = by(Role::Member, exec("curl https://example.org"));
    let held = |policy: &SecurityPolicy| match policy.decide(call("shell"), &facts) {
        Decision::Ask(held) => held,
        other => panic!("{other:?}"),
    };
    let asker = members(MembersSystem::Owner, MembersNetwork::Asker);
    let digest = held(&asker).digest();
    let approved = Approved::redeemed(call("shell").id, digest.as_str().to_owned());
    let again = house().clear(held(&asker), &approved, &facts);
    let Decision::Ask(again) = again else {
        panic!("{again:?}");
    };
    assert_eq!(again.approver(), Approver::Owner);
}

#[test]
fn s1_what_the_operator_lets_be_read_unasked_is_read_for_members_too() {
    let policy = SecurityPolicy {
        hosts: HostRules {
            allow: vec![HostPattern::parse("nas.local:5000").unwrap()],
            private: vec![HostPattern::parse("nas.local:5000").unwrap()],
            ..HostRules::default()
        },
        ..house()
    };
    let get = by(Role::Member, fetch("http://nas.local:5000/", Method::Get));
    check(&policy, &get, "allow");
    let post = by(Role::Member, fetch("http://nas.local:5000/", Method::Post));
    assert_eq!(approver(&policy, &post), Some(Approver::Owner));
}
