//! The judgement of one command: what is said of its text, against the level, the grants and what
//! the kernel confines.
//!
//! The order is the same at every level. What is forbidden is refused, and so is everything where
//! a demanded sandbox is missing. Then what reaches past the sandbox is settled, since nothing
//! frees it of asking. Only then is it looked at what may run unasked.

use std::collections::BTreeMap;

use sayso_core::approval::Approver;
use sayso_core::transcript::{Role, ToolCall};

use super::access::{Access, CommandReach, SandboxedCommands, WorkspaceUse};
use super::autonomy_level::AutonomyLevel;
use super::binding::Binding;
use super::call::Offer;
use super::call_facts::{CallFacts, Covers, GrantPattern, Place};
use super::commands::{self, CommandDecision, Gravity, Places, Reason, Trait, Verdict, reasons};
use super::judgement::Judgement;
use super::members::ReachesPast;
use super::messages::{AllowReason, AskReason, CommandReason, Refusal};
use super::outside_text::is_held_back;
use super::plain::{PlainCommand, ProgramKind};
use super::security_policy::SecurityPolicy;

/// What makes a command that is neither forbidden nor a provable read dangerous enough that no
/// sandbox frees it of asking.
const NEVER_SANDBOXED: [Trait; 6] = [
    Trait::Network,
    Trait::Destructive,
    Trait::OutsideWorkspace,
    Trait::Escalation,
    Trait::Uncertain,
    Trait::Secrets,
];

/// What no "always" is offered for.
const NEVER_GRANTED: [Trait; 6] = [
    Trait::Network,
    Trait::OutsideWorkspace,
    Trait::Escalation,
    Trait::Opaque,
    Trait::Uncertain,
    Trait::Secrets,
];

/// A command under judgement.
pub(super) struct Exec<'a> {
    policy: &'a SecurityPolicy,
    call: &'a ToolCall,
    facts: &'a CallFacts,
    asked: Asked<'a>,
    verdict: Verdict,
    access: Access,
}

/// What its tool found out about a command.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The whole command.
    pub(super) command: &'a str,
    /// The program, where it is one plain word.
    pub(super) program: Option<&'a str>,
    /// How far it asks to reach.
    pub(super) access: Access,
    /// Where its paths lead.
    pub(super) places: &'a BTreeMap<String, Place>,
}

impl<'a> Exec<'a> {
    /// Reads the command.
    pub(super) fn new(
        policy: &'a SecurityPolicy,
        call: &'a ToolCall,
        asked: Asked<'a>,
        facts: &'a CallFacts,
    ) -> Self {
        let rules = policy.rules.for_role(facts.role);
        let places = Places::LookedUp(asked.places);
        let verdict = commands::judge_by(rules, asked.command, places);
        let access = asked.access.max(verdict.access());
        Self {
            policy,
            call,
            facts,
            asked,
            verdict,
            access,
        }
    }

    /// Returns how far it would reach.
    pub(super) fn reach(&self) -> CommandReach {
        CommandReach {
            access: self.access,
            confinement: self.policy.confinement,
        }
    }

    /// Returns what it may do in its workspace when it runs without approval. A provably read-only
    /// command text says that it changes nothing, but not what it starts: `git status` runs the
    /// program that `core.fsmonitor` of the repository names, and a search opens every file below.
    /// So the sandbox only lets it read files whose names do not suggest secrets.
    pub(super) fn workspace_use(&self) -> WorkspaceUse {
        if self.is_provable_read() {
            WorkspaceUse::Reading
        } else {
            WorkspaceUse::Changing
        }
    }

    /// Returns whether it provably only reads, confined to the workspace.
    fn is_provable_read(&self) -> bool {
        self.verdict.is_proven()
            && self.facts.tool.secrets.is_empty()
            && self.access == Access::Workspace
            && self.policy.confinement.is_whole()
    }

    /// Judges it at this level.
    pub(super) fn judge(&self, level: AutonomyLevel) -> Judgement {
        if self.verdict.decision == CommandDecision::Deny {
            return Judgement::Deny(Refusal::Forbidden(self.reason()));
        }
        let confinement = self.policy.confinement;
        if confinement.must_not_run() {
            return Judgement::Deny(Refusal::NotConfined(confinement.enforced));
        }
        match level {
            AutonomyLevel::ReadOnly if self.is_provable_read() => Judgement::Allow,
            AutonomyLevel::ReadOnly => Judgement::Deny(Refusal::OnlyReadsAt(level, self.reason())),
            AutonomyLevel::Supervised => self.judge_supervised(),
            AutonomyLevel::Full => self.judge_listed(),
        }
    }

    fn judge_supervised(&self) -> Judgement {
        if self.access == Access::System || self.policy.confinement.falls_short() {
            return self.ask();
        }
        if self.is_provable_read() {
            return Judgement::Allow;
        }
        match self.freed_by() {
            Some(_) => Judgement::Allow,
            None => self.ask(),
        }
    }

    /// Returns what frees it of asking, if anything does: a grant, a rule, the sandbox or a
    /// setting.
    fn freed_by(&self) -> Option<AllowReason> {
        if self.is_granted() {
            return Some(AllowReason::Granted);
        }
        if self.verdict.ruled.asks || self.verdict.traits.has(Trait::Secrets) {
            return None;
        }
        let is_confined = self.policy.confinement.is_whole();
        let network_is_free = self.access < Access::Network || self.policy.allow_network;
        let is_let = self.verdict.decision == CommandDecision::Allow
            && (self.verdict.ruled.allows || is_confined);
        let is_sandboxed = is_confined
            && self.access == Access::Workspace
            && self.policy.sandboxed_commands == SandboxedCommands::Allow
            && !NEVER_SANDBOXED
                .into_iter()
                .any(|one| self.verdict.traits.has(one));
        if network_is_free && is_let {
            return Some(AllowReason::Let(self.verdict.why.clone()));
        }
        if is_sandboxed {
            return Some(AllowReason::Sandboxed);
        }
        (network_is_free && !self.policy.confirm_exec).then_some(AllowReason::NotConfirmed)
    }

    /// Returns why a command runs unasked that is allowed at this level.
    pub(super) fn why_allowed(&self, level: AutonomyLevel) -> AllowReason {
        let why = || AllowReason::Let(self.verdict.why.clone());
        match level {
            AutonomyLevel::Full if self.is_ruled_in() => why(),
            AutonomyLevel::Full => AllowReason::Listed,
            _ if self.is_provable_read() => why(),
            AutonomyLevel::ReadOnly | AutonomyLevel::Supervised => {
                self.freed_by().unwrap_or_else(why)
            }
        }
    }

    /// The list is matched against the program of every segment as written: `./git` is not `git`.
    fn judge_listed(&self) -> Judgement {
        match self.access {
            Access::System => return Judgement::Deny(Refusal::ReachesTheSystem(self.reason())),
            Access::Network if !self.policy.allow_network => {
                return Judgement::Deny(Refusal::NetworkIsOff(self.reason()));
            }
            Access::Workspace | Access::Network => {}
        }
        if !self.is_ruled_in()
            && let Err(refusal) = self.check_list()
        {
            return Judgement::Deny(refusal);
        }
        let must_ask = self.policy.confinement.falls_short()
            || self.verdict.ruled.asks
            || self.verdict.traits.has(Trait::Secrets);
        if must_ask {
            self.ask()
        } else {
            Judgement::Allow
        }
    }

    fn is_ruled_in(&self) -> bool {
        self.verdict.decision == CommandDecision::Allow && self.verdict.ruled.allows
    }

    fn check_list(&self) -> Result<(), Refusal> {
        let listed = &self.policy.allow_commands;
        let places = Places::LookedUp(self.asked.places);
        let programs = commands::started_programs(self.asked.command, places)
            .ok_or(Refusal::NotPlainCommands)?;
        if let Some(program) = programs.iter().find(|program| !listed.contains(program)) {
            return Err(Refusal::NotOnTheList {
                program: program.clone(),
                allowed: listed.clone(),
            });
        }
        let hides = |program: &&String| ProgramKind::of(program) == ProgramKind::Wrapper;
        match programs.iter().find(hides) {
            Some(program) => Err(Refusal::HidesWhatItRuns(program.clone())),
            None => Ok(()),
        }
    }

    /// Returns whether a grant may cover it: no yes of a member covers what only an owner approves.
    fn is_grantable(&self) -> bool {
        let past = ReachesPast::of_command(self.reach());
        self.facts.role == Role::Owner || self.policy.members.approver(past) == Approver::Asker
    }

    /// Returns whether a grant covers it.
    pub(super) fn is_granted(&self) -> bool {
        self.is_grantable()
            && self.facts.grants.iter().any(|grant| {
                grant.tool == self.call.name
                    && grant.secrets == self.facts.tool.secrets
                    && grant.covers.command(self.asked.command)
                    && grant.holds(&self.facts.tool.scripts)
                    && grant.access >= self.access
            })
    }

    fn ask(&self) -> Judgement {
        Judgement::Ask(AskReason::RunsCommand(self.reason()))
    }

    /// Returns what is said of it: where it is denied what denies it, else every reason, the
    /// gravest first.
    pub(super) fn reason(&self) -> CommandReason {
        if self.verdict.decision == CommandDecision::Deny {
            let why = Reason {
                parts: self.part_of(&self.verdict.segment).into_iter().collect(),
                ..Reason::new(Gravity::Destroys, self.verdict.why.clone())
            };
            return CommandReason::new(vec![why], false);
        }
        let mut reasons = self.reasons_of_text();
        if let Some(reason) = self.reason_of_access() {
            let place = reasons.partition_point(|other| other.gravity <= reason.gravity);
            reasons.insert(place, reason);
        }
        if reasons.is_empty() {
            reasons.push(Reason::new(Gravity::Unknown, reasons::is_unconfined()));
        }
        CommandReason::new(reasons, self.verdict.reasons.has_left_out())
    }

    /// Returns what its card says of it beside another reason to ask; `None` for what only reads.
    pub(super) fn danger(&self) -> Option<CommandReason> {
        (self.verdict.decision != CommandDecision::Allow).then(|| self.reason())
    }

    fn reasons_of_text(&self) -> Vec<Reason> {
        let listed = self.verdict.reasons.list().iter();
        let told = listed.map(|reason| Reason {
            parts: reason
                .parts
                .iter()
                .filter_map(|part| self.part_of(part))
                .collect(),
            ..reason.clone()
        });
        told.collect()
    }

    /// Returns a part of the command, where it is not all of it.
    fn part_of(&self, part: &str) -> Option<String> {
        (part.trim() != self.asked.command.trim()).then(|| part.to_owned())
    }

    /// Returns the reason that is not in its text: it was called with more access, or a rule that
    /// allows it does not free what reaches this far.
    fn reason_of_access(&self) -> Option<Reason> {
        let gravity = match self.access {
            Access::Workspace => return None,
            Access::Network => Gravity::Network,
            Access::System => Gravity::Escalates,
        };
        let why = if self.asked.access > self.verdict.access() {
            reasons::asks_for(self.access)
        } else if self.verdict.decision == CommandDecision::Allow {
            reasons::reaches(self.access)
        } else {
            return None;
        };
        Some(Reason::new(gravity, why))
    }

    /// Returns what an "always" may cover. Nothing is offered that would not hold.
    pub(super) fn offer(&self) -> Offer {
        let pattern = self.pattern();
        let is_free_of_secrets = |pattern: &&GrantPattern| pattern.secrets.is_empty();
        let has_prefix =
            |pattern: &&GrantPattern| is_free_of_secrets(pattern) && !self.facts.tool.is_recipe();
        let narrow = pattern.as_ref().filter(has_prefix);
        let prefix = narrow.and_then(|pattern| {
            Some(GrantPattern {
                covers: Covers::Prefix(commands::prefix_for(self.asked.command)?.as_text()),
                // Other commands that it covers name other files.
                files: Vec::new(),
                ..pattern.clone()
            })
        });
        Offer { pattern, prefix }
    }

    /// One exact plain command of a program that obeys only its words, with the files that these
    /// name: whatever may run something else, or act elsewhere, is asked about each time. So is not a
    /// check of a project: its words are those of the files that define it, which are bound.
    fn pattern(&self) -> Option<GrantPattern> {
        let is_recipe = self.facts.tool.is_recipe();
        let would_hold = self.asked.program.is_some()
            && self.access < Access::System
            && self.is_grantable()
            && (is_recipe || !is_held_back(self.call, self.facts))
            && !self.policy.confinement.falls_short();
        let has = |one| self.verdict.traits.has(one) && !(is_recipe && one == Trait::Opaque);
        let acts_elsewhere = NEVER_GRANTED.into_iter().any(has);
        let files = &self.facts.tool.scripts;
        let is_narrow = is_recipe
            || PlainCommand::parse(self.asked.command)
                .is_some_and(|plain| !plain.program().contains('/'))
                && commands::is_one_plain_command(self.asked.command)
                && !files.iter().any(Binding::is_whole_workspace);
        (would_hold && is_narrow && !acts_elsewhere).then(|| GrantPattern {
            tool: self.call.name.clone(),
            covers: Covers::Command(self.asked.command.to_owned()),
            access: self.access,
            secrets: self.facts.tool.secrets.clone(),
            files: files.clone(),
        })
    }
}
