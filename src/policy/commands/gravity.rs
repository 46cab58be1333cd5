//! Why a command is asked about: a reason for each of its parts, the gravest first.
//!
//! [`Gravity`] is the one order of danger. A reason has it from the traits of its part, or from
//! what [`super::danger`] reads in its words.

use sayso_core::Language::{self, English};
use sayso_core::text;

use super::justification::Justification;
use super::traits::{Trait, Traits};

/// How many different reasons are kept; each may be said of several parts.
const KEPT_REASONS: usize = 32;
/// How many parts are kept of one reason.
const KEPT_PARTS: usize = 16;

/// How grave a reason is. This is the one order of danger, the gravest first: cards say reasons in
/// it, and mark those down to [`Gravity::Sends`].
///
/// What cannot be made undone comes first (something is lost, other rights are used, data leaves),
/// then what reaches past the workspace, then what cannot be judged, and what only changes files
/// of the workspace last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gravity {
    /// Something may be lost for good.
    Destroys,
    /// It runs with other rights, or reaches past what confines commands.
    Escalates,
    /// Data leaves the machine.
    Sends,
    /// It talks to other machines.
    Network,
    /// It reaches paths outside the workspace.
    Outside,
    /// It touches what keeps secrets.
    Secrets,
    /// Its text cannot be read for certain.
    Uncertain,
    /// It runs code that its text does not show.
    RunsCode,
    /// It brings packages or files from other machines.
    Installs,
    /// It changes files of the workspace.
    Changes,
    /// It is not known to only read.
    Unknown,
}

impl Gravity {
    /// Returns how grave it is to do what these traits say.
    pub fn of(traits: Traits) -> Self {
        // What it brings is written down, so that is said rather than that it uses the network.
        let network = if traits.has(Trait::Writes) {
            Self::Installs
        } else {
            Self::Network
        };
        [
            (Trait::Destructive, Self::Destroys),
            (Trait::Escalation, Self::Escalates),
            (Trait::Network, network),
            (Trait::OutsideWorkspace, Self::Outside),
            (Trait::Secrets, Self::Secrets),
            (Trait::Uncertain, Self::Uncertain),
            (Trait::Opaque, Self::RunsCode),
            (Trait::Writes, Self::Changes),
        ]
        .into_iter()
        .filter(|(one, _)| traits.has(*one))
        .map(|(_, gravity)| gravity)
        .min()
        .unwrap_or(Self::Unknown)
    }

    /// Returns whether a card marks such a reason as dangerous.
    pub fn is_marked(self) -> bool {
        self <= Self::Sends
    }

    /// Returns it in words that quote nothing of the command.
    pub fn in_words(self, language: Language) -> &'static str {
        match self {
            Self::Destroys => text!(language, "policy-gravity-in-words-destroys"),
            Self::Escalates => text!(language, "policy-gravity-in-words-escalates"),
            Self::Sends => text!(language, "policy-gravity-in-words-sends"),
            Self::Network => text!(language, "policy-gravity-in-words-network"),
            Self::Outside => text!(language, "policy-gravity-in-words-outside"),
            Self::Secrets => text!(language, "policy-gravity-in-words-secrets"),
            Self::Uncertain => text!(language, "policy-gravity-in-words-uncertain"),
            Self::RunsCode => text!(language, "policy-gravity-in-words-runs-code"),
            Self::Installs => text!(language, "policy-gravity-in-words-installs"),
            Self::Changes => text!(language, "policy-gravity-in-words-changes"),
            Self::Unknown => text!(language, "policy-gravity-in-words-unknown"),
        }
    }
}

/// One reason, and the parts of the command that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// How grave it is.
    pub gravity: Gravity,
    /// Why.
    pub why: Justification,
    /// The parts, as they are written; none while they are not known, or for the whole command.
    pub parts: Vec<String>,
}

impl Reason {
    /// Makes a reason of the whole command.
    pub fn new(gravity: Gravity, why: Justification) -> Self {
        Self {
            gravity,
            why,
            parts: Vec::new(),
        }
    }
}

/// The reasons of a command, the gravest first; of equal ones the earlier first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    listed: Vec<Reason>,
    left_out: bool,
}

impl Reasons {
    /// Makes the reasons of a command that has this one.
    pub fn one(reason: Reason) -> Self {
        Self {
            listed: vec![reason],
            left_out: false,
        }
    }

    /// Returns them, the gravest first.
    pub fn list(&self) -> &[Reason] {
        &self.listed
    }

    /// Returns whether there were more than are kept. None of those is graver than one that is.
    pub fn has_left_out(&self) -> bool {
        self.left_out
    }

    /// Adds one. The same reason of another part is said once, with both parts.
    pub fn add(&mut self, reason: Reason) {
        let is_same = |other: &&mut Reason| {
            other.why == reason.why && other.parts.is_empty() == reason.parts.is_empty()
        };
        if let Some(other) = self.listed.iter_mut().find(is_same) {
            for part in reason.parts {
                if other.parts.len() < KEPT_PARTS && !other.parts.contains(&part) {
                    other.parts.push(part);
                }
            }
            return;
        }
        let place = self
            .listed
            .partition_point(|other| other.gravity <= reason.gravity);
        self.listed.insert(place, reason);
        self.left_out |= self.listed.len() > KEPT_REASONS;
        self.listed.truncate(KEPT_REASONS);
    }

    /// Adds those of another part.
    pub fn merge(&mut self, others: Self) {
        self.left_out |= others.left_out;
        for reason in others.listed {
            self.add(reason);
        }
    }

    /// Says which part those are about that do not say so yet.
    pub fn about(&mut self, part: &str) {
        for mut reason in std::mem::take(&mut self.listed) {
            if reason.parts.is_empty() {
                reason.parts.push(part.to_owned());
            }
            self.add(reason);
        }
    }

    /// Leaves out, of reasons that do not say their part yet, the one that only says this gravity.
    pub fn drop_plain(&mut self, gravity: Gravity) {
        let plain = gravity.in_words(English);
        self.listed
            .retain(|reason| !reason.parts.is_empty() || reason.why.en != plain);
    }

    /// Makes reasons of one gravity that do not say their part yet graver.
    pub fn raise_open(&mut self, from: Gravity, to: Gravity) {
        for mut reason in std::mem::take(&mut self.listed) {
            if reason.parts.is_empty() && reason.gravity == from {
                reason.gravity = to;
            }
            self.add(reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::{Gravity, KEPT_REASONS, Reason, Reasons};
    use crate::commands::{Justification, Trait, Traits};

    fn reason(gravity: Gravity, why: &str, part: &str) -> Reason {
        let why = Justification {
            en: why.to_owned(),
            zh: why.to_owned(),
        };
        Reason {
            parts: vec![part.to_owned()],
            ..Reason::new(gravity, why)
        }
    }

    #[test]
    fn u1_the_order_of_gravity() {
        use Gravity::{
            Changes, Destroys, Escalates, Installs, Network, Outside, RunsCode, Secrets, Sends,
            Uncertain, Unknown,
        };
        let order = [
            Destroys, Escalates, Sends, Network, Outside, Secrets, Uncertain, RunsCode, Installs,
            Changes, Unknown,
        ];
        assert!(order.is_sorted());
        let table: Vec<String> = order
            .iter()
            .map(|gravity| {
                let mark = if gravity.is_marked() { "⚠️ " } else { "" };
                let words = [Language::English, Language::Chinese].map(|it| gravity.in_words(it));
                format!("{mark}{}", words.join(" | "))
            })
            .collect();
        insta::assert_snapshot!(table.join("\n"), @r"
        ⚠️ it may delete or overwrite something for good | 它可能永久删除或覆盖内容
        ⚠️ it runs with other rights, or reaches past what confines commands | 它会以其他权限运行，或超出对命令的限制
        ⚠️ it sends data to another machine | 它会向其他机器发送数据
        it talks to other machines | 它会与其他机器通信
        it reaches outside the workspace | 它会触及工作区之外
        it touches a file that keeps secrets | 它会触及存放机密的文件
        its text cannot be read for certain | 无法确定其文本的含义
        it runs code that is not in the command | 它会运行命令之外的代码
        it brings programs or files from other machines | 它会从其他机器取得程序或文件
        it changes files | 它会修改文件
        it is not known to only read | 不能确定它只是读取
        ");
    }

    #[test]
    fn the_gravest_trait_counts() {
        use Trait::{Destructive, Network, Opaque, Uncertain, Writes};
        let of = |traits: &[Trait]| Gravity::of(traits.iter().copied().collect::<Traits>());
        assert_eq!(of(&[]), Gravity::Unknown);
        assert_eq!(of(&[Writes]), Gravity::Changes);
        assert_eq!(of(&[Writes, Destructive]), Gravity::Destroys);
        assert_eq!(of(&[Network, Writes]), Gravity::Installs);
        assert_eq!(of(&[Network]), Gravity::Network);
        assert_eq!(of(&[Opaque, Uncertain]), Gravity::Uncertain);
    }

    #[test]
    fn equal_reasons_are_said_once_and_the_gravest_are_kept() {
        let mut reasons = Reasons::default();
        for number in 0..100 {
            reasons.add(reason(Gravity::Changes, &format!("{number}"), "a"));
        }
        reasons.add(reason(Gravity::Destroys, "deletes", "rm a"));
        reasons.add(reason(Gravity::Destroys, "deletes", "rm b"));
        assert_eq!(reasons.list().len(), KEPT_REASONS);
        assert!(reasons.has_left_out());
        assert_eq!(reasons.list()[0].parts, ["rm a", "rm b"]);
    }
}
