//! The judgement itself: a pure function of a call, its facts and the rules.

use std::path::Path;

use super::access::Confinement;
use super::call::{Digest, Offer};
use super::commands::prefix_for;
use super::facts::{Action, AutonomyLevel, Covers, Facts, GrantPattern, Reach};
use super::hosts::{HostRules, Wanted};
use super::messages::{AskReason, Refusal};
use super::plain::{PlainCommand, ProgramKind};
use super::secret_files::is_secret_like;
use super::{ClearedCall, HeldCall};
use crate::approvals::Approved;
use crate::transcript::ToolCall;

/// What the policy says of a call.
#[derive(Debug)]
pub enum Decision {
    /// It may run.
    Allow(ClearedCall),
    /// A person must decide.
    Ask(HeldCall),
    /// It may not run; the reason is the model's tool result.
    Deny {
        /// Why.
        why: Refusal,
    },
}

/// The rules of one instance, from `[policy]` and `[agent] autonomy`.
#[derive(Debug, Clone)]
pub struct SecurityPolicy {
    /// The programs that [`AutonomyLevel::Full`] may run.
    pub allow_commands: Vec<String>,
    /// Whether writes ask under [`AutonomyLevel::Supervised`].
    pub confirm_write: bool,
    /// Whether commands ask under [`AutonomyLevel::Supervised`].
    pub confirm_exec: bool,
    /// The highest level that any user of this instance has.
    pub autonomy: AutonomyLevel,
    /// What holds commands to what they were cleared for.
    pub confinement: Confinement,
    /// Which servers may be asked over HTTP.
    pub hosts: HostRules,
}

impl Default for SecurityPolicy {
    /// What an instance has whose configuration says nothing.
    fn default() -> Self {
        Self {
            allow_commands: Vec::new(),
            confirm_write: true,
            confirm_exec: true,
            autonomy: AutonomyLevel::Supervised,
            confinement: Confinement::default(),
            hosts: HostRules::default(),
        }
    }
}

/// A decision before it is bound to its call.
pub(super) enum Judgement {
    Allow,
    Ask(AskReason),
    Deny(Refusal),
}

impl SecurityPolicy {
    /// Judges a call that nobody was asked about.
    pub fn decide(&self, call: ToolCall, facts: &Facts) -> Decision {
        match self.judge(&call, facts) {
            Judgement::Allow => Decision::Allow(ClearedCall::allowed(call)),
            Judgement::Ask(reason) => ask(call, facts, reason),
            Judgement::Deny(why) => Decision::Deny { why },
        }
    }

    /// Judges a held call again with a person's yes: a denial wins, and a call or facts that are
    /// no longer what was shown ask anew.
    ///
    /// A yes covers whatever the reason for asking was, so an approved repetition of a call with
    /// an unknown outcome runs.
    pub fn clear(&self, held: HeldCall, approved: &Approved, facts: &Facts) -> Decision {
        let call = held.into_call();
        if let Judgement::Deny(why) = self.judge(&call, facts) {
            return Decision::Deny { why };
        }
        let is_what_was_shown = *approved.call() == call.id
            && approved.digest() == Digest::of(&call, &facts.tool).as_str();
        if is_what_was_shown {
            Decision::Allow(ClearedCall::approved(call))
        } else {
            ask(call, facts, AskReason::ChangedSinceShown)
        }
    }

    fn judge(&self, call: &ToolCall, facts: &Facts) -> Judgement {
        let level = facts.autonomy.min(self.autonomy);
        let judgement = match &facts.tool.action {
            Action::Read {
                path: Reach::Inside(path),
            } if is_secret_like(path) => Judgement::Ask(AskReason::KeepsSecrets),
            Action::Remember {
                is_suspicious: true,
            } => Judgement::Ask(AskReason::ReadsLikeInstructions),
            Action::Internal
            | Action::Remember {
                is_suspicious: false,
            }
            | Action::Read {
                path: Reach::Inside(_),
            } => Judgement::Allow,
            Action::Read {
                path: Reach::Outside(path),
            } => Judgement::Deny(outside(path)),
            Action::Write { path } => self.judge_write(path, level),
            Action::Fetch { method, server, .. } => self.hosts.judge(Wanted {
                server,
                changes: method.changes(),
                tainted: !facts.taint.is_only_of(call),
                level,
                network_is_free: false,
            }),
            Action::Exec { command, .. } => self.judge_exec(call, command, level, facts),
        };
        match judgement {
            Judgement::Allow | Judgement::Ask(_) if facts.repeats_unknown => {
                Judgement::Ask(AskReason::RepeatsUnknown)
            }
            Judgement::Allow if is_held_back(call, facts) => Judgement::Ask(AskReason::OutsideText),
            judgement => judgement,
        }
    }

    fn judge_write(&self, path: &Reach, level: AutonomyLevel) -> Judgement {
        match (level, path) {
            (AutonomyLevel::ReadOnly, _) => Judgement::Deny(Refusal::ChangesNothingAt(level)),
            (_, Reach::Outside(path)) => Judgement::Deny(outside(path)),
            (_, Reach::Inside(path)) if is_secret_like(path) => {
                Judgement::Ask(AskReason::KeepsSecrets)
            }
            (AutonomyLevel::Supervised, Reach::Inside(_)) if self.confirm_write => {
                Judgement::Ask(AskReason::WritesFile)
            }
            (AutonomyLevel::Supervised | AutonomyLevel::Full, Reach::Inside(_)) => Judgement::Allow,
        }
    }

    fn judge_exec(
        &self,
        call: &ToolCall,
        command: &str,
        level: AutonomyLevel,
        facts: &Facts,
    ) -> Judgement {
        match level {
            AutonomyLevel::ReadOnly => Judgement::Deny(Refusal::ChangesNothingAt(level)),
            AutonomyLevel::Supervised if !self.confirm_exec => Judgement::Allow,
            AutonomyLevel::Supervised if !is_granted(call, command, facts) => {
                Judgement::Ask(AskReason::RunsCommand)
            }
            AutonomyLevel::Supervised => Judgement::Allow,
            AutonomyLevel::Full => self.judge_listed(command),
        }
    }

    /// The list is matched against the program as it is written: `./git` is not `git`.
    fn judge_listed(&self, command: &str) -> Judgement {
        let Some(plain) = PlainCommand::parse(command) else {
            return Judgement::Deny(Refusal::NotOnePlainCommand);
        };
        let program = plain.program();
        if !self.allow_commands.iter().any(|listed| listed == program) {
            return Judgement::Deny(Refusal::NotOnTheList {
                program: program.to_owned(),
                allowed: self.allow_commands.clone(),
            });
        }
        match ProgramKind::of(program) {
            ProgramKind::Ordinary | ProgramKind::Interpreter => Judgement::Allow,
            ProgramKind::Wrapper => Judgement::Deny(Refusal::HidesWhatItRuns(program.to_owned())),
        }
    }
}

fn outside(path: &Path) -> Refusal {
    Refusal::OutsideTheWorkspace(path.to_string_lossy().into_owned())
}

fn ask(call: ToolCall, facts: &Facts, reason: AskReason) -> Decision {
    let pattern = pattern_of(&call, facts);
    let prefix = pattern.as_ref().and_then(prefix_of);
    let offer = Offer { pattern, prefix };
    Decision::Ask(HeldCall::new(call, facts, reason, offer))
}

/// Returns whether untrusted text in view may be what asks for this call, so that neither a grant
/// nor a list nor a setting lets it run unasked, at no level. What reads inside the workspace runs:
/// its result cannot leave. What equal calls gave holds none of them back.
fn is_held_back(call: &ToolCall, facts: &Facts) -> bool {
    let is_risky = match &facts.tool.action {
        Action::Internal | Action::Read { .. } => false,
        Action::Remember { .. }
        | Action::Write { .. }
        | Action::Exec { .. }
        | Action::Fetch { .. } => true,
    };
    is_risky && !facts.taint.is_only_of(call)
}

fn is_granted(call: &ToolCall, command: &str, facts: &Facts) -> bool {
    facts
        .grants
        .iter()
        .any(|grant| grant.tool == call.name && grant.covers.command(command))
}

/// Returns what an "always" may cover: one exact plain command of an ordinary program that is
/// found on the search path. A program named by its path is a file that may change meanwhile.
fn pattern_of(call: &ToolCall, facts: &Facts) -> Option<GrantPattern> {
    let Action::Exec {
        command,
        program: Some(_),
    } = &facts.tool.action
    else {
        return None;
    };
    let plain = PlainCommand::parse(command)?;
    let is_narrow =
        !plain.program().contains('/') && ProgramKind::of(plain.program()) == ProgramKind::Ordinary;
    (is_narrow && !is_held_back(call, facts)).then(|| GrantPattern {
        tool: call.name.clone(),
        covers: Covers::Command(command.clone()),
    })
}

/// Returns what an "always" for commands like it may cover, where the table of prefixes has them.
fn prefix_of(pattern: &GrantPattern) -> Option<GrantPattern> {
    let Covers::Command(command) = &pattern.covers else {
        return None;
    };
    Some(GrantPattern {
        tool: pattern.tool.clone(),
        covers: Covers::Prefix(prefix_for(command)?.as_text()),
    })
}
