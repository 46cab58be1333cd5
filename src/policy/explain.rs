//! Explains how the policy would judge a command before it is called: the judgement of `exec`, with
//! its reason.
//!
//! Paths are not resolved, grants are ignored, and no text from outside is in view.

use sayso_core::transcript::{Role, Taint};

use super::access::Access;
use super::autonomy_level::AutonomyLevel;
use super::call_facts::Action;
use super::commands::{self, CommandDecision, Justification, Places, Verdict};
use super::effective::no_ones_call;
use super::exec::{Asked, Exec};
use super::judgement::Judgement;
use super::messages::AskReason;
use super::security_policy::SecurityPolicy;

/// What the policy makes of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// What becomes of it.
    pub decision: CommandDecision,
    /// Why.
    pub why: Justification,
    /// What is said of its text.
    pub verdict: Verdict,
}

impl SecurityPolicy {
    /// Judges a command for somebody of this level and role.
    pub fn explain(&self, command: &str, level: AutonomyLevel, role: Role) -> Explained {
        let level = level.min(self.highest());
        let places = commands::places_as_written(command);
        let asked = Asked {
            command,
            program: command.split_whitespace().next(),
            access: Access::Workspace,
            places: &places,
        };
        let action = Action::Exec {
            command: command.to_owned(),
            access: asked.access,
            program: asked.program.map(str::to_owned),
            places: places.clone(),
            lasting: crate::Lasting::WhileCalled,
        };
        let (call, facts) = no_ones_call(action, level, role, Taint::default());
        let exec = Exec::new(self, &call, asked, &facts);
        let (decision, why) = match exec.judge(level) {
            Judgement::Allow => (CommandDecision::Allow, exec.why_allowed(level).in_words()),
            Judgement::Ask(AskReason::RunsCommand(reason)) => {
                let why = Justification::said(|language| reason.in_language(language));
                (CommandDecision::Ask, why)
            }
            Judgement::Ask(reason) => {
                let why = Justification::said(|language| reason.for_people(language));
                (CommandDecision::Ask, why)
            }
            Judgement::Deny(refusal) => {
                let why = Justification::said(|language| refusal.in_language(language));
                (CommandDecision::Deny, why)
            }
        };
        let rules = self.rules.for_role(role);
        Explained {
            decision,
            why,
            verdict: commands::judge_by(rules, command, Places::AsWritten),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::commands::OperatorRules;
    use super::super::{Confinement, Enforced, SandboxMode, SandboxedCommands};
    use super::*;
    use AutonomyLevel::{Full, ReadOnly, Supervised};

    fn policy() -> SecurityPolicy {
        let rules = "[[rule]]\nprefix = ['make', 'test']\ndecision = 'allow'\nroles = ['owner']\n\
                     justification = 'our tests'\nmatch = ['make test']\n";
        SecurityPolicy {
            allow_commands: vec!["git".to_owned()],
            autonomy: Full,
            rules: OperatorRules::load(rules).unwrap(),
            confinement: Confinement {
                mode: SandboxMode::Require,
                enforced: Enforced::Wholly,
            },
            ..SecurityPolicy::default()
        }
    }

    #[track_caller]
    fn check(policy: &SecurityPolicy, command: &str, level: AutonomyLevel, expected: &str) {
        let explained = policy.explain(command, level, Role::Member);
        let told = format!("{:?}: {}", explained.decision, explained.why.en);
        assert!(told.starts_with(expected), "{command}: {told}");
    }

    #[test]
    fn a_command_is_explained_as_it_would_be_decided() {
        let only_reads = "Allow: it only reads, inside the workspace";
        for level in [ReadOnly, Supervised] {
            check(&policy(), "cat a.txt", level, only_reads);
        }
        check(
            &policy(),
            "cat ../a",
            ReadOnly,
            "Deny: the autonomy level is `read_only`",
        );
        check(&policy(), "touch a", Supervised, "Ask: it changes files");
        check(
            &policy(),
            "git add a",
            Full,
            "Allow: its programs are on `policy.allow_commands`",
        );
        check(
            &policy(),
            "touch a",
            Full,
            "Deny: `touch` is not in `policy.allow_commands`",
        );
        check(&policy(), "rm -rf /", Full, "Deny: it is forbidden");
    }

    #[test]
    fn settings_and_roles_are_the_reason_where_they_are() {
        let sandboxed = SecurityPolicy {
            sandboxed_commands: SandboxedCommands::Allow,
            ..policy()
        };
        check(
            &sandboxed,
            "touch a",
            Supervised,
            "Allow: the kernel keeps it in the workspace",
        );
        let unasked = SecurityPolicy {
            confirm_exec: false,
            ..policy()
        };
        check(
            &unasked,
            "touch a",
            Supervised,
            "Allow: `policy.confirm_exec` is `false`",
        );
        let missing = SecurityPolicy {
            confinement: Confinement::default(),
            ..policy()
        };
        check(
            &missing,
            "ls",
            Supervised,
            "Deny: `policy.sandbox` is `require`",
        );
        check(&policy(), "make test", Supervised, "Ask: ");
        let owner = policy().explain("make test", Supervised, Role::Owner);
        assert_eq!(
            (owner.decision, owner.why.en.as_str()),
            (CommandDecision::Allow, "our tests")
        );
    }
}
