//! What plans say; that the kernel keeps to them is shown in `tests/it/sandbox`.

use std::path::{Path, PathBuf};

use sayso_policy::{Access, SandboxMode, WorkspaceUse};

use super::{Network, Sandbox, SandboxPlaces, SandboxProfile, Strictness};

fn sandbox(mode: SandboxMode, data_dir: &Path) -> Sandbox {
    let places = SandboxPlaces {
        data_dir: data_dir.to_owned(),
        private: vec!["/etc/ssl/certs".into()],
    };
    Sandbox::new(mode, places, [])
}

fn plan(access: Access) -> Option<SandboxProfile> {
    let sandbox = sandbox(SandboxMode::Require, Path::new("/srv/data"));
    sandbox.plan(
        access,
        WorkspaceUse::Changing,
        Path::new("/srv/data/workspaces/1"),
    )
}

#[test]
fn a_plan_gives_the_workspace_and_no_network() {
    let plan = plan(Access::Workspace).unwrap();
    assert_eq!(plan.network, Network::Refused);
    assert_eq!(plan.strictness, Strictness::Whole);
    assert_eq!(plan.write, [PathBuf::from("/srv/data/workspaces/1")]);
    assert!(plan.read.contains(&"/usr".into()));
    for unreadable in [
        "/",
        "/etc",
        "/root",
        "/home",
        "/tmp",
        "/srv/data",
        "/var",
        "/run",
    ] {
        assert!(!plan.read.contains(&unreadable.into()), "{unreadable}");
    }
}

#[test]
fn a_plan_for_reading_gives_nothing_to_write() {
    let sandbox = sandbox(SandboxMode::Require, Path::new("/srv/data"));
    let workspace = Path::new("/srv/data/workspaces/1");
    let plan = sandbox
        .plan(Access::Workspace, WorkspaceUse::Reading, workspace)
        .unwrap();
    assert!(plan.write.is_empty());
    assert_eq!(plan.read_ordinary, [workspace]);
    assert!(!plan.read.contains(&workspace.to_path_buf()));
}

#[test]
fn with_the_network_come_the_files_that_find_names() {
    let (without, with) = (
        plan(Access::Workspace).unwrap(),
        plan(Access::Network).unwrap(),
    );
    assert_eq!(with.network, Network::Allowed);
    let resolver = PathBuf::from("/etc/resolv.conf");
    assert!(!without.read.contains(&resolver));
    assert_eq!(with.read.contains(&resolver), resolver.exists());
}

#[test]
fn what_a_person_gave_the_system_and_what_is_off_has_no_plan() {
    assert_eq!(plan(Access::System), None);
    let off = sandbox(SandboxMode::Off, Path::new("/srv/data"));
    assert_eq!(
        off.plan(Access::Workspace, WorkspaceUse::Reading, Path::new("/w")),
        None
    );
    let prefer = sandbox(SandboxMode::Prefer, Path::new("/srv/data"));
    let plan = prefer
        .plan(Access::Workspace, WorkspaceUse::Changing, Path::new("/w"))
        .unwrap();
    assert_eq!(plan.strictness, Strictness::BestEffort);
}

#[test]
fn private_places_are_left_out_of_the_readable_ones() {
    let plan = plan(Access::Network).unwrap();
    assert!(!plan.read.contains(&"/etc/ssl/certs".into()));
    let inside = sandbox(SandboxMode::Require, Path::new("/usr/share"));
    let plan = inside
        .plan(
            Access::Workspace,
            WorkspaceUse::Changing,
            Path::new("/usr/share/w"),
        )
        .unwrap();
    assert!(!plan.read.contains(&"/usr".into()));
    assert!(
        !plan
            .read
            .iter()
            .any(|place| place.starts_with("/usr/share"))
    );
    assert!(plan.read.contains(&"/usr/bin".into()));
}

#[test]
fn every_command_has_a_temporary_directory_of_its_own() {
    let [one, other] = [plan(Access::Workspace), plan(Access::Workspace)].map(Option::unwrap);
    assert_ne!(one.temporary, other.temporary);
    assert!(one.temporary.starts_with("/srv/data/tmp"));
}
