//! What the policy comes to for one person: what runs unasked, what asks, what is refused.
//!
//! Nothing is worked out anew. Each kind of deed is tried as a call and judged as calls are. The
//! operator's rules for single commands and hosts are left out, since they speak of no kind.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sayso_core::transcript::{CallId, Role, Taint, ToolCall};
use serde_json::json;
use url::Url;

use super::access::{Access, Confinement};
use super::autonomy_level::AutonomyLevel;
use super::call_facts::{Action, CallFacts, Place, Reach, ToolFacts};
use super::commands::OperatorRules;
use super::hosts::{HostRules, Method, Server};
use super::judgement::Judgement;
use super::members::MembersSystem;
use super::security_policy::SecurityPolicy;

/// A kind of deed, as people think of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Reads files in the workspace.
    ReadsFiles,
    /// Runs commands that only read there.
    RunsReaders,
    /// Writes files there.
    WritesFiles,
    /// Runs commands that stay there.
    RunsCommands,
    /// Runs commands that delete.
    Deletes,
    /// Runs commands that use the network.
    UsesNetwork,
    /// Runs commands that nothing can confine.
    LeavesWorkspace,
    /// Runs these programs.
    RunsPrograms(Vec<String>),
    /// Runs whatever command was not named before.
    RunsOthers,
    /// Reads web pages.
    FetchesPages,
    /// Sends something to servers.
    SendsRequests,
    /// Opens files that keep secrets.
    OpensSecrets,
    /// Does what is forbidden to everybody.
    Destroys,
}

/// What becomes of a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// It is done.
    Unasked,
    /// A person is asked.
    Asked,
    /// It is not done.
    Refused,
}

/// What the policy comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    /// The level that was judged by.
    pub level: AutonomyLevel,
    /// What becomes of each kind of deed.
    pub deeds: Vec<(Deed, Treatment)>,
    /// What becomes of the network for commands.
    pub network: Treatment,
    /// How many rules of the operator hold besides.
    pub rules: usize,
    /// How many hosts are read without asking besides.
    pub hosts: usize,
    /// Whether an owner is asked about what reaches past the space of the person.
    pub asks_owners: bool,
    /// Whether text from outside makes something ask that runs unasked else.
    pub outside_text_asks: bool,
    /// Whether commands run unasked because the kernel confines them.
    pub frees_sandboxed: bool,
    /// What confines commands.
    pub confinement: Confinement,
}

impl SecurityPolicy {
    /// Returns what the policy comes to at a level, for a role.
    pub fn effective(&self, level: AutonomyLevel, role: Role) -> Effective {
        let plain = Self {
            rules: OperatorRules::default(),
            hosts: HostRules::default(),
            ..self.clone()
        };
        let level = level.min(self.highest());
        let trial = Trial {
            policy: &plain,
            level,
            role,
        };
        let asking = Self {
            sandboxed_commands: super::SandboxedCommands::Ask,
            ..plain.clone()
        };
        let without_freeing = Trial {
            policy: &asking,
            ..trial
        };
        Effective {
            level,
            deeds: trial.deeds(),
            network: trial.network(),
            rules: self.rules.for_role(role).count(),
            hosts: self.hosts.allow.len(),
            asks_owners: role == Role::Member
                && level == AutonomyLevel::Supervised
                && self.members.system == MembersSystem::Owner,
            outside_text_asks: trial.outside_text_asks(),
            frees_sandboxed: trial.command("touch a") != without_freeing.command("touch a"),
            confinement: self.confinement,
        }
    }
}

/// Judges hypothetical calls for a role and level.
#[derive(Clone, Copy)]
struct Trial<'a> {
    policy: &'a SecurityPolicy,
    level: AutonomyLevel,
    role: Role,
}

impl Trial<'_> {
    fn deeds(self) -> Vec<(Deed, Treatment)> {
        let file = |name: &str| Reach::Inside(PathBuf::from(name));
        let mut deeds = vec![
            (Deed::ReadsFiles, self.of(Action::Read { path: file("a") })),
            (
                Deed::WritesFiles,
                self.of(Action::Write { path: file("a") }),
            ),
        ];
        deeds.extend(match self.level {
            AutonomyLevel::ReadOnly | AutonomyLevel::Supervised => self.kinds_of_commands(),
            AutonomyLevel::Full => self.listed_programs(),
        });
        deeds.extend(self.fetching());
        let secret = Action::Read { path: file(".env") };
        deeds.push((Deed::OpensSecrets, self.of(secret)));
        deeds.push((Deed::Destroys, self.command("rm -rf /")));
        deeds
    }

    /// Kinds that are treated alike are one.
    fn kinds_of_commands(self) -> Vec<(Deed, Treatment)> {
        let reads = self.command("ls");
        let kinds = [
            (Deed::RunsCommands, self.command("touch a")),
            (Deed::Deletes, self.command("rm -r a")),
            (Deed::UsesNetwork, self.command("git fetch")),
            (Deed::LeavesWorkspace, self.command("touch /etc/a")),
        ];
        let [(_, first), others @ ..] = &kinds;
        let are_alike = others.iter().all(|(_, treatment)| treatment == first);
        let commands = if are_alike {
            vec![(Deed::RunsOthers, *first)]
        } else {
            kinds.to_vec()
        };
        [vec![(Deed::RunsReaders, reads)], commands].concat()
    }

    /// At a level with a list, each program of it by itself. What it would be refused for the
    /// network alone is left to [`Effective::network`]: many programs need it for some of what they
    /// do.
    fn listed_programs(self) -> Vec<(Deed, Treatment)> {
        use Treatment::{Asked, Refused, Unasked};
        let online = SecurityPolicy {
            allow_network: true,
            ..self.policy.clone()
        };
        let trial = Trial {
            policy: &online,
            ..self
        };
        let mut deeds = Vec::new();
        for treatment in [Unasked, Asked, Refused] {
            let programs = self.policy.allow_commands.iter();
            let programs: Vec<String> = programs
                .filter(|program| trial.command(program) == treatment)
                .cloned()
                .collect();
            if !programs.is_empty() {
                deeds.push((Deed::RunsPrograms(programs), treatment));
            }
        }
        let none_listed = SecurityPolicy {
            allow_commands: Vec::new(),
            ..self.policy.clone()
        };
        let unlisted = Trial {
            policy: &none_listed,
            ..self
        };
        deeds.push((Deed::RunsOthers, unlisted.command("touch a")));
        deeds
    }

    fn fetching(self) -> Vec<(Deed, Treatment)> {
        let server = Url::parse("https://host.invalid/").ok();
        let server = server.as_ref().and_then(Server::of);
        let fetch = |method| {
            let server = server.clone()?;
            let url = format!("https://{}/", server.host());
            Some(self.of(Action::Fetch {
                method,
                url,
                server,
            }))
        };
        let pages = fetch(Method::Get).map(|treatment| (Deed::FetchesPages, treatment));
        let requests = fetch(Method::Post).map(|treatment| (Deed::SendsRequests, treatment));
        pages.into_iter().chain(requests).collect()
    }

    /// What becomes of a command that uses the network and is allowed in every other way.
    fn network(self) -> Treatment {
        let listed = SecurityPolicy {
            allow_commands: vec!["git".to_owned()],
            ..self.policy.clone()
        };
        let trial = Trial {
            policy: &listed,
            ..self
        };
        trial.command_reaching("git status", Access::Network)
    }

    fn outside_text_asks(self) -> bool {
        let write = || Action::Write {
            path: Reach::Inside(PathBuf::from("a")),
        };
        let listed = self.policy.allow_commands.first();
        let command = || exec(listed.map_or("touch a", String::as_str), Access::Workspace);
        let mut others = Taint::default();
        others.add_others();
        [write(), command()].into_iter().any(|action| {
            let unasked = self.of(action.clone()) == Treatment::Unasked;
            unasked && self.tainted(action, others.clone()) != Treatment::Unasked
        })
    }

    fn command(self, command: &str) -> Treatment {
        self.command_reaching(command, Access::Workspace)
    }

    fn command_reaching(self, command: &str, access: Access) -> Treatment {
        self.of(exec(command, access))
    }

    fn of(self, action: Action) -> Treatment {
        self.tainted(action, Taint::default())
    }

    fn tainted(self, action: Action, taint: Taint) -> Treatment {
        let (call, facts) = no_ones_call(action, self.level, self.role, taint);
        match self.policy.judgement(&call, &facts) {
            Judgement::Allow => Treatment::Unasked,
            Judgement::Ask(_) => Treatment::Asked,
            Judgement::Deny(_) => Treatment::Refused,
        }
    }
}

/// Returns a hypothetical call, with what it is judged by.
pub(super) fn no_ones_call(
    action: Action,
    autonomy: AutonomyLevel,
    role: Role,
    taint: Taint,
) -> (ToolCall, CallFacts) {
    let call = ToolCall {
        id: CallId(String::new()),
        name: String::new(),
        arguments: json!({}),
    };
    let tool = ToolFacts {
        summary: "".into(),
        detail: None,
        action,
        scripts: Vec::new(),
        secrets: Vec::new(),
    };
    let facts = CallFacts {
        tool,
        autonomy,
        role,
        project: None,
        grants: Vec::new(),
        taint,
        said: Vec::new(),
        person: String::new(),
        repeats_unknown: false,
    };
    (call, facts)
}

/// A command on paths that lie where they are written.
fn exec(command: &str, access: Access) -> Action {
    Action::Exec {
        command: command.to_owned(),
        access,
        program: command.split(' ').next().map(str::to_owned),
        places: BTreeMap::from([("a".to_owned(), Place::Inside(PathBuf::from("a")))]),
        lasting: crate::Lasting::WhileCalled,
    }
}

#[cfg(test)]
#[path = "effective_tests.rs"]
mod tests;
