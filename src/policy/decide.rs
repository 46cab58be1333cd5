//! The judgement itself: a pure function of a call, its facts and the rules.
//!
//! Commands are judged in `exec`; what is common to all calls is here.

use std::path::Path;

use sayso_core::approval::{Approved, Approver};
use sayso_core::transcript::{Role, ToolCall};

use super::access::{Access, CommandReach, WorkspaceUse};
use super::autonomy_level::AutonomyLevel;
use super::call::{Digest, Offer};
use super::call_facts::{Action, CallFacts, Reach};
use super::exec::{Asked, Exec};
use super::hosts::{Method, Server, Wanted};
use super::judgement::Judgement;
use super::mcp::McpUse;
use super::members::ReachesPast;
use super::messages::{AskReason, CommandReason, Refusal};
use super::outside_text::is_held_back;
use super::project_edit::ProjectEdit;
use super::secret_files::is_secret_like;
use super::security_policy::SecurityPolicy;
use super::{ClearedCall, HeldCall};

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

/// A judgement, and the properties of the call that are needed to show or run it.
struct Judged {
    judgement: Judgement,
    /// How far a command would reach.
    reach: Option<CommandReach>,
    /// What it may do in its workspace when it runs without approval.
    workspace_use: WorkspaceUse,
    /// Whether a grant covers it.
    is_granted: bool,
    /// What an "always" could cover.
    offer: Offer,
    /// What is said of a command that its text alone does not free.
    command: Option<CommandReason>,
    /// Who may approve it.
    approver: Approver,
}

impl Judged {
    fn access(&self) -> Access {
        self.reach.map_or(Access::Workspace, |reach| reach.access)
    }

    fn held(self, call: ToolCall, facts: &CallFacts, why: AskReason) -> Decision {
        let held = HeldCall::new(call, facts, why, self.reach)
            .approved_by(self.approver)
            .offering(self.offer)
            .saying(self.command);
        Decision::Ask(held)
    }
}

impl From<Judgement> for Judged {
    fn from(judgement: Judgement) -> Self {
        Self {
            judgement,
            reach: None,
            workspace_use: WorkspaceUse::Changing,
            is_granted: false,
            offer: Offer::default(),
            command: None,
            approver: Approver::Owner,
        }
    }
}

impl SecurityPolicy {
    /// Judges a call that has not been approved by a person.
    pub fn decide(&self, call: ToolCall, facts: &CallFacts) -> Decision {
        let judged = self.judge(&call, facts);
        match &judged.judgement {
            Judgement::Allow => {
                let cleared = ClearedCall::allowed(call, judged.access(), judged.workspace_use);
                Decision::Allow(cleared.with_bindings(&facts.tool))
            }
            Judgement::Ask(reason) => {
                let reason = reason.clone();
                judged.held(call, facts, reason)
            }
            Judgement::Deny(why) => Decision::Deny { why: why.clone() },
        }
    }

    /// Judges a held call again with a person's yes: a denial wins, and a call or facts that are
    /// no longer what was shown ask anew, as does a command that would reach further or is
    /// confined by less.
    ///
    /// A yes covers whatever the reason for asking was, so an approved repetition of a call with
    /// an unknown outcome runs.
    pub fn clear(&self, held: HeldCall, approved: &Approved, facts: &CallFacts) -> Decision {
        let call = held.into_call();
        let judged = self.judge(&call, facts);
        if let Judgement::Deny(why) = judged.judgement {
            return Decision::Deny { why };
        }
        let is_what_was_shown = *approved.call() == call.id
            && approved.digest()
                == Digest::of(&call, &facts.tool, judged.reach, judged.approver).as_str();
        if is_what_was_shown {
            let cleared = ClearedCall::approved(call, judged.access());
            Decision::Allow(cleared.with_bindings(&facts.tool))
        } else {
            judged.held(call, facts, AskReason::ChangedSinceShown)
        }
    }

    /// Returns what would become of a call, without a decision that anything could be run by.
    pub(super) fn judgement(&self, call: &ToolCall, facts: &CallFacts) -> Judgement {
        self.judge(call, facts).judgement
    }

    fn judge(&self, call: &ToolCall, facts: &CallFacts) -> Judged {
        match facts.role {
            Role::Guest => return Judgement::Deny(Refusal::ChatOnly).into(),
            Role::Member | Role::Owner => {}
        }
        let mut judged = with_lasting(self.judge_action(call, facts), facts);
        if !facts.tool.secrets.is_empty() {
            judged = self.with_secrets(judged, facts);
        }
        if judged.workspace_use == WorkspaceUse::Changing {
            let is_granted_check = judged.is_granted && facts.tool.is_recipe();
            let is_suspect = !is_granted_check && is_held_back(call, facts);
            judged.judgement = with_doubts(judged.judgement, is_suspect, facts);
        }
        self.with_approver(judged, facts)
    }

    /// Says who may approve it, and refuses a member what no one may approve for one. The network
    /// is refused in any case; what else the operator lets run unasked is not asked about.
    fn with_approver(&self, judged: Judged, facts: &CallFacts) -> Judged {
        let past = self.reaches_past(facts, judged.reach);
        let refusal = self.members.refusal(past, facts.role);
        let judgement = match (judged.judgement, refusal) {
            (Judgement::Ask(_), Some(refusal)) => Judgement::Deny(refusal),
            (Judgement::Allow, Some(refusal)) if past == ReachesPast::Network => {
                Judgement::Deny(refusal)
            }
            (judgement, _) => judgement,
        };
        Judged {
            judgement,
            approver: self.members.approver(past),
            ..judged
        }
    }

    /// Judges what a call would do, whatever else is doubted about it.
    fn judge_action(&self, call: &ToolCall, facts: &CallFacts) -> Judged {
        let level = facts.autonomy.min(self.highest());
        match &facts.tool.action {
            Action::Read {
                path: Reach::Inside(path),
            } if is_secret_like(path) => Judgement::Ask(AskReason::KeepsSecrets).into(),
            Action::Remember {
                is_suspicious: true,
                ..
            } => Judgement::Ask(AskReason::ReadsLikeInstructions).into(),
            Action::Internal
            | Action::Remember {
                is_suspicious: false,
                ..
            }
            | Action::Read {
                path: Reach::Inside(_),
            } => Judgement::Allow.into(),
            Action::Read {
                path: Reach::Outside(path),
            } => Judgement::Deny(outside(path)).into(),
            Action::Configure => judge_configuring(facts.role, level).into(),
            Action::Schedule(_) => judge_scheduling(level).into(),
            Action::Write { path } => self.judge_file_change(path, facts, level),
            Action::Fetch { method, server, .. } => {
                let tainted = !facts.taint.is_only_of(call);
                self.judge_fetch(*method, server, tainted, level).into()
            }
            Action::Mcp {
                server,
                tool,
                says_it_reads,
            } => self
                .mcp
                .judge(McpUse {
                    server,
                    tool,
                    says_it_reads: *says_it_reads,
                    level,
                })
                .into(),
            Action::Exec {
                command,
                access,
                program,
                places,
                lasting: _,
            } => {
                let asked = Asked {
                    command,
                    program: program.as_deref(),
                    access: *access,
                    places,
                };
                self.judge_exec(call, asked, facts, level)
            }
        }
    }

    fn judge_fetch(
        &self,
        method: Method,
        server: &Server,
        tainted: bool,
        level: AutonomyLevel,
    ) -> Judgement {
        self.hosts.judge(Wanted {
            server,
            changes: method.changes(),
            tainted,
            level,
            network_is_free: self.allow_network,
        })
    }

    fn judge_exec(
        &self,
        call: &ToolCall,
        asked: Asked<'_>,
        facts: &CallFacts,
        level: AutonomyLevel,
    ) -> Judged {
        let exec = Exec::new(self, call, asked, facts);
        Judged {
            judgement: exec.judge(level),
            reach: Some(exec.reach()),
            workspace_use: exec.workspace_use(),
            is_granted: exec.is_granted(),
            offer: exec.offer(),
            command: exec.danger(),
            approver: Approver::Owner,
        }
    }

    /// Refuses secrets where they may not go, and else asks: no setting frees a call that uses one,
    /// only a grant for that very call.
    fn with_secrets(&self, judged: Judged, facts: &CallFacts) -> Judged {
        let judgement = match (self.secrets.judge(&facts.tool), &judged.judgement) {
            (_, Judgement::Deny(_)) => return judged,
            (Ok(()), Judgement::Allow) if judged.is_granted => return judged,
            (Err(refusal), _) => Judgement::Deny(refusal),
            (Ok(()), Judgement::Allow | Judgement::Ask(_)) => {
                Judgement::Ask(AskReason::UsesSecrets(facts.tool.secrets.clone()))
            }
        };
        Judged {
            judgement,
            ..judged
        }
    }

    /// Judges a write; patches in a project can be allowed for good.
    fn judge_file_change(&self, path: &Reach, facts: &CallFacts, level: AutonomyLevel) -> Judged {
        let judgement = self.judge_write(path, level);
        let Some(edit) = ProjectEdit::of(facts) else {
            return judgement.into();
        };
        let is_granted = edit.is_granted();
        let judgement = match judgement {
            Judgement::Ask(AskReason::WritesFile) if is_granted => Judgement::Allow,
            judgement => judgement,
        };
        Judged {
            is_granted,
            offer: edit.offer(),
            ..judgement.into()
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
}

/// Asks an owner, at any level that may change something, and refuses everybody else.
fn judge_configuring(role: Role, level: AutonomyLevel) -> Judgement {
    match (role, level) {
        (Role::Guest | Role::Member, _) => Judgement::Deny(Refusal::OwnersAlone),
        (Role::Owner, AutonomyLevel::ReadOnly) => Judgement::Deny(Refusal::ChangesNothingAt(level)),
        (Role::Owner, AutonomyLevel::Supervised | AutonomyLevel::Full) => {
            Judgement::Ask(AskReason::ChangesSettings)
        }
    }
}

fn judge_scheduling(level: AutonomyLevel) -> Judgement {
    match level {
        AutonomyLevel::ReadOnly => Judgement::Deny(Refusal::ChangesNothingAt(level)),
        AutonomyLevel::Supervised => Judgement::Ask(AskReason::SchedulesTurns),
        AutonomyLevel::Full => Judgement::Allow,
    }
}

/// Asks about what keeps running when its call is over, at every level that lets it run at all, and
/// lets no yes to it last. What provably only reads is let run as ever.
fn with_lasting(judged: Judged, facts: &CallFacts) -> Judged {
    if !facts.tool.keeps_running() {
        return judged;
    }
    let judgement = match judged.judgement {
        Judgement::Allow if judged.workspace_use == WorkspaceUse::Changing => {
            Judgement::Ask(AskReason::KeepsRunning)
        }
        judgement => judgement,
    };
    Judged {
        judgement,
        is_granted: false,
        offer: Offer::default(),
        ..judged
    }
}

/// Asks about what would run although it may have taken effect already, or although untrusted
/// text may be what asks for it (`is_suspect`).
fn with_doubts(judgement: Judgement, is_suspect: bool, facts: &CallFacts) -> Judgement {
    match judgement {
        Judgement::Allow | Judgement::Ask(_) if facts.repeats_unknown => {
            Judgement::Ask(AskReason::RepeatsUnknown)
        }
        Judgement::Allow if is_suspect => Judgement::Ask(AskReason::OutsideText),
        judgement => judgement,
    }
}

fn outside(path: &Path) -> Refusal {
    Refusal::OutsideTheWorkspace(path.to_string_lossy().into_owned())
}
