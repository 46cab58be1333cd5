//! Applying a plan to a thread of the helper. What that thread starts is born confined; the rest
//! of the helper is not, so that it can end what it started.
//!
//! Nothing is undone: the thread that was confined starts the command and ends.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath,
    Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use nix::sys::prctl;
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

use super::attributes::attribute_filter;
use super::filter::filter;
use super::ordinary::{open_below, ordinary};
use super::profile::{Network, SandboxProfile};
use super::strictness::Strictness;

/// The Landlock whose rights are asked for: of Linux 6.12, the first that guards signals. Older
/// kernels enforce less of it, and the self-test says so.
const LANDLOCK: ABI = ABI::V6;

/// What is left to a command that runs as root: what it takes to unpack an archive or to install
/// into the workspace. Files are guarded by Landlock whatever it may.
const KEPT_RIGHTS: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID);

/// Confines the calling thread, and whatever it starts, for good.
///
/// # Errors
/// With [`Strictness::Whole`] it fails when Landlock or seccomp cannot be had at all. Where an old
/// kernel has less of Landlock it does not: that is what the self-test finds.
pub fn confine_thread(plan: &SandboxProfile) -> io::Result<()> {
    prctl::set_no_new_privs()?;
    drop_rights()?;
    let files = restrict_files(plan);
    let calls = restrict_calls(plan);
    match plan.strictness {
        Strictness::BestEffort => Ok(()),
        Strictness::Whole => {
            calls.map_err(|error| io::Error::other(format!("no seccomp: {error}")))?;
            match files.map_err(io::Error::other)? {
                RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
                RulesetStatus::NotEnforced => Err(io::Error::other("this kernel has no Landlock")),
            }
        }
    }
}

fn restrict_calls(plan: &SandboxProfile) -> Result<(), seccompiler::Error> {
    seccompiler::apply_filter(&filter(plan.network)?)?;
    if plan.only_reads() {
        keep_attributes()?;
    }
    Ok(())
}

/// Takes from the calling thread, and whatever it starts, the right to change modes, owners, times
/// and extended attributes of files.
pub(crate) fn keep_attributes() -> Result<(), seccompiler::Error> {
    seccompiler::apply_filter(&attribute_filter()?)
}

fn drop_rights() -> io::Result<()> {
    let mut rights = capabilities(None)?;
    rights.effective &= KEPT_RIGHTS;
    rights.permitted &= KEPT_RIGHTS;
    rights.inheritable = CapabilitySet::empty();
    Ok(set_capabilities(None, rights)?)
}

fn restrict_files(plan: &SandboxProfile) -> Result<RulesetStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?;
    if plan.network == Network::Refused {
        ruleset = ruleset.handle_access(AccessNet::from_all(LANDLOCK))?;
    }
    let mut created = ruleset
        .create()?
        .add_rules(path_beneath_rules(
            &plan.read,
            AccessFs::from_read(LANDLOCK),
        ))?
        .add_rules(path_beneath_rules(&plan.devices, device_rights()))?
        .add_rules(path_beneath_rules(&plan.write, workspace_rights()))?
        .add_rules(path_beneath_rules([&plan.temporary], workspace_rights()))?;
    for place in &plan.read_ordinary {
        created = allow_ordinary(created, place)?;
    }
    Ok(created.restrict_self()?.ruleset)
}

/// Allows to list a directory and all below it, and to read what keeps no secrets by its name.
/// What cannot be opened is not allowed. Nothing in it may be executed.
fn allow_ordinary(created: RulesetCreated, place: &Path) -> Result<RulesetCreated, RulesetError> {
    let Ok(root) = File::open(place).map(OwnedFd::from) else {
        return Ok(created);
    };
    let readable = ordinary(place);
    let readable = readable
        .iter()
        .filter_map(|name| open_below(&root, name).ok())
        .map(|opened| Ok::<_, RulesetError>(PathBeneath::new(opened, AccessFs::ReadFile)));
    created
        .add_rule(PathBeneath::new(&root, AccessFs::ReadDir))?
        .add_rules(readable)
}

/// Everything but making devices and asking them for more than reading and writing.
fn workspace_rights() -> BitFlags<AccessFs> {
    AccessFs::from_all(LANDLOCK) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev)
}

fn device_rights() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate
}
