//! What settings come to, as people are shown it.

use sayso_core::transcript::Role;

use super::{Effective, SecurityPolicy, Treatment};
use crate::commands::OperatorRules;
use crate::{
    AutonomyLevel::{self, Full, ReadOnly, Supervised},
    Confinement, Enforced, HostPattern, HostRules, SandboxMode, SandboxedCommands,
};

fn confined(mode: SandboxMode, enforced: Enforced) -> SecurityPolicy {
    SecurityPolicy {
        confinement: Confinement { mode, enforced },
        autonomy: Full,
        ..SecurityPolicy::default()
    }
}

fn policy() -> SecurityPolicy {
    confined(SandboxMode::Require, Enforced::Wholly)
}

/// The names of the deeds by what becomes of them, and of the network.
fn told(effective: &Effective) -> String {
    let of = |wanted: Treatment| -> String {
        let deeds = effective.deeds.iter().filter(|(_, is)| *is == wanted);
        let deeds: Vec<String> = deeds.map(|(deed, _)| format!("{deed:?}")).collect();
        format!("{wanted:?}: {}", deeds.join(" "))
    };
    let network = format!("Network: {:?}", effective.network);
    [
        of(Treatment::Unasked),
        of(Treatment::Asked),
        of(Treatment::Refused),
        network,
    ]
    .join("\n")
}

fn at(policy: &SecurityPolicy, level: AutonomyLevel) -> String {
    told(&policy.effective(level, Role::Member))
}

#[test]
fn each_level_comes_to_something_else() {
    insta::assert_snapshot!(at(&policy(), ReadOnly), @r"
    Unasked: ReadsFiles RunsReaders
    Asked: FetchesPages OpensSecrets
    Refused: WritesFiles RunsOthers SendsRequests Destroys
    Network: Refused
    ");
    insta::assert_snapshot!(at(&policy(), Supervised), @r"
    Unasked: ReadsFiles RunsReaders
    Asked: WritesFiles RunsOthers FetchesPages SendsRequests OpensSecrets
    Refused: Destroys
    Network: Asked
    ");
    insta::assert_snapshot!(at(&policy(), Full), @r"
    Unasked: ReadsFiles WritesFiles
    Asked: OpensSecrets
    Refused: RunsOthers FetchesPages SendsRequests Destroys
    Network: Refused
    ");
}

#[test]
fn full_names_its_programs_by_what_becomes_of_them() {
    let listed = SecurityPolicy {
        allow_commands: ["git", "curl", "sudo", "sh"].map(str::to_owned).to_vec(),
        ..policy()
    };
    insta::assert_snapshot!(at(&listed, Full), @r#"
    Unasked: ReadsFiles WritesFiles RunsPrograms(["git", "curl"])
    Asked: OpensSecrets
    Refused: RunsPrograms(["sudo", "sh"]) RunsOthers FetchesPages SendsRequests Destroys
    Network: Refused
    "#);
    let online = SecurityPolicy {
        allow_network: true,
        ..listed
    };
    insta::assert_snapshot!(at(&online, Full), @r#"
    Unasked: ReadsFiles WritesFiles RunsPrograms(["git", "curl"]) FetchesPages
    Asked: OpensSecrets
    Refused: RunsPrograms(["sudo", "sh"]) RunsOthers SendsRequests Destroys
    Network: Unasked
    "#);
}

#[test]
fn settings_that_free_commands_show_what_they_leave_asking() {
    let sandboxed = SecurityPolicy {
        sandboxed_commands: SandboxedCommands::Allow,
        ..policy()
    };
    insta::assert_snapshot!(at(&sandboxed, Supervised), @r"
    Unasked: ReadsFiles RunsReaders RunsCommands
    Asked: WritesFiles Deletes UsesNetwork LeavesWorkspace FetchesPages SendsRequests OpensSecrets
    Refused: Destroys
    Network: Asked
    ");
    let unasked = SecurityPolicy {
        confirm_exec: false,
        confirm_write: false,
        allow_network: true,
        ..policy()
    };
    insta::assert_snapshot!(at(&unasked, Supervised), @r"
    Unasked: ReadsFiles WritesFiles RunsReaders RunsCommands Deletes UsesNetwork FetchesPages
    Asked: LeavesWorkspace SendsRequests OpensSecrets
    Refused: Destroys
    Network: Unasked
    ");
}

#[test]
fn a_missing_sandbox_shows() {
    insta::assert_snapshot!(at(&confined(SandboxMode::Require, Enforced::Partly), Supervised), @r"
    Unasked: ReadsFiles
    Asked: WritesFiles FetchesPages SendsRequests OpensSecrets
    Refused: RunsReaders RunsOthers Destroys
    Network: Refused
    ");
    insta::assert_snapshot!(at(&confined(SandboxMode::Off, Enforced::Nothing), Supervised), @r"
    Unasked: ReadsFiles
    Asked: WritesFiles RunsReaders RunsOthers FetchesPages SendsRequests OpensSecrets
    Refused: Destroys
    Network: Asked
    ");
}

#[test]
fn the_trade_is_told_only_where_it_is_made() {
    let frees =
        |policy: &SecurityPolicy, level| policy.effective(level, Role::Member).frees_sandboxed;
    let sandboxed = |policy| SecurityPolicy {
        sandboxed_commands: SandboxedCommands::Allow,
        ..policy
    };
    assert!(!frees(&policy(), Supervised));
    assert!(frees(&sandboxed(policy()), Supervised));
    assert!(!frees(&sandboxed(policy()), ReadOnly));
    assert!(!frees(&sandboxed(policy()), Full));
    let off = confined(SandboxMode::Off, Enforced::Nothing);
    assert!(!frees(&sandboxed(off), Supervised));
}

#[test]
fn text_from_outside_matters_where_something_runs_unasked() {
    let asks =
        |policy: &SecurityPolicy, level| policy.effective(level, Role::Member).outside_text_asks;
    assert!(!asks(&policy(), ReadOnly));
    assert!(!asks(&policy(), Supervised));
    assert!(asks(&policy(), Full));
    let unasked = SecurityPolicy {
        confirm_write: false,
        ..policy()
    };
    assert!(asks(&unasked, Supervised));
}

#[test]
fn rules_and_hosts_are_counted_and_change_no_kind() {
    let rules = "[[rule]]\nprefix = ['ls']\ndecision = 'ask'\njustification = 'x'\nmatch = ['ls']\n\
                 [[rule]]\nprefix = ['touch']\ndecision = 'allow'\nroles = ['owner']\n\
                 justification = 'x'\nmatch = ['touch a']\n";
    let ruled = SecurityPolicy {
        rules: OperatorRules::load(rules).unwrap(),
        hosts: HostRules {
            allow: HostPattern::parse("*.invalid").into_iter().collect(),
            ..HostRules::default()
        },
        ..policy()
    };
    assert_eq!(at(&ruled, Supervised), at(&policy(), Supervised));
    let counted = |role| {
        let effective = ruled.effective(Supervised, role);
        (effective.rules, effective.hosts)
    };
    assert_eq!(counted(Role::Member), (1, 1));
    assert_eq!(counted(Role::Owner), (2, 1));
}
