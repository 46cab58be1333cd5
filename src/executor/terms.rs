//! On which terms a turn works: a pure function of why it began and who is there.
//!
//! Work that no person attends is judged by the same policy as work at the keyboard, and nothing is
//! freer in it. What requires approval is held with a card in the person's chat; where there is no
//! chat it is refused.

use sayso_core::transcript::{Origin, SessionKind};
use sayso_policy::AutonomyLevel;

/// The most model steps of a turn that is planned work: a goal, or a chain with model questions.
const PLANNED_STEPS: u32 = 30;

/// Who is there while a turn works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attendance {
    /// The person whose turn it is reads along and can answer.
    Attended,
    /// No one reads along; the person has a chat in which a card can wait for them.
    Unattended,
    /// No one reads along, and there is no chat.
    Unreachable,
}

impl Attendance {
    /// Returns who is there for a turn of this origin in a session of this kind. In the background
    /// no one is, whatever it began with.
    pub fn of(origin: Origin, session: SessionKind) -> Self {
        match (origin, session) {
            (_, SessionKind::Background) | (Origin::Routine | Origin::Goal, _) => Self::Unattended,
            (
                Origin::Message | Origin::Chain | Origin::Check | Origin::Console,
                SessionKind::Direct | SessionKind::Group,
            ) => Self::Attended,
        }
    }

    /// Returns the same where the chat cannot be written to any more.
    pub fn without_chat(self) -> Self {
        match self {
            Self::Attended => Self::Attended,
            Self::Unattended | Self::Unreachable => Self::Unreachable,
        }
    }
}

/// Who may be asked in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MayAsk {
    /// The person, about approvals and by questions; owners about what only they approve.
    Person,
    /// The person and owners by cards, which wait in their chats; questions are not asked.
    CardOnly,
    /// No one: what would require approval is refused.
    NoOne,
}

/// Whose budget a turn spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetSubject {
    /// The person's.
    Person,
    /// The person's, and within it that of the routine.
    Routine,
}

/// What configuration, account and session allow, before the terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// The level that holds for this user in this session.
    pub autonomy: AutonomyLevel,
    /// How many model steps a turn may take.
    pub max_steps: u32,
}

/// What a turn may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The level that holds in this turn.
    pub autonomy: AutonomyLevel,
    /// Who may be asked.
    pub may_ask: MayAsk,
    /// Whose budget it spends.
    pub budget: BudgetSubject,
    /// How many model steps it may take, unless a skill in view needs more.
    pub max_steps: u32,
}

/// Returns the terms of a turn.
pub fn terms(origin: Origin, attendance: Attendance, granted: Granted) -> Terms {
    let (cap, may_ask) = match attendance {
        Attendance::Attended => (AutonomyLevel::Full, MayAsk::Person),
        Attendance::Unattended => (AutonomyLevel::Full, MayAsk::CardOnly),
        // No one would learn of what runs unasked.
        Attendance::Unreachable => (AutonomyLevel::Supervised, MayAsk::NoOne),
    };
    Terms {
        autonomy: granted.autonomy.min(cap),
        may_ask,
        budget: match origin {
            Origin::Routine => BudgetSubject::Routine,
            Origin::Message | Origin::Goal | Origin::Chain | Origin::Check | Origin::Console => {
                BudgetSubject::Person
            }
        },
        max_steps: match origin {
            Origin::Goal | Origin::Chain => granted.max_steps.max(PLANNED_STEPS),
            Origin::Message | Origin::Routine | Origin::Check | Origin::Console => {
                granted.max_steps
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::Origin::{self, Chain, Check, Console, Goal, Message, Routine};
    use sayso_core::transcript::SessionKind::{Background, Direct, Group};
    use sayso_policy::AutonomyLevel::{Full, Supervised};

    use super::{Attendance, BudgetSubject, Granted, MayAsk, Terms, terms};

    const GRANTED: Granted = Granted {
        autonomy: Full,
        max_steps: 10,
    };

    #[test]
    fn terms_of_every_origin_and_attendance() {
        let person = BudgetSubject::Person;
        let table = [
            (Message, person, 10),
            (Routine, BudgetSubject::Routine, 10),
            (Goal, person, 30),
            (Chain, person, 30),
            (Check, person, 10),
            (Console, person, 10),
        ];
        assert_eq!(table.map(|(origin, ..)| origin), Origin::ALL);
        let attendances = [
            (Attendance::Attended, Full, MayAsk::Person),
            (Attendance::Unattended, Full, MayAsk::CardOnly),
            (Attendance::Unreachable, Supervised, MayAsk::NoOne),
        ];
        for (origin, budget, max_steps) in table {
            for (attendance, autonomy, may_ask) in attendances {
                let expected = Terms {
                    autonomy,
                    may_ask,
                    budget,
                    max_steps,
                };
                let found = terms(origin, attendance, GRANTED);
                assert_eq!(found, expected, "{origin:?} {attendance:?}");
            }
        }
    }

    #[test]
    fn no_terms_raise_the_level_that_holds_for_the_user() {
        for autonomy in sayso_policy::AutonomyLevel::ALL {
            for origin in Origin::ALL {
                let granted = Granted {
                    autonomy,
                    ..GRANTED
                };
                let attended = terms(origin, Attendance::Attended, granted);
                assert_eq!(attended.autonomy, autonomy);
                let alone = terms(origin, Attendance::Unreachable, granted);
                assert!(alone.autonomy <= autonomy);
            }
        }
    }

    #[test]
    fn in_the_background_no_one_is_there() {
        for origin in Origin::ALL {
            let is_planned = matches!(origin, Routine | Goal);
            for session in [Direct, Group] {
                let is_attended = Attendance::of(origin, session) == Attendance::Attended;
                assert_eq!(is_attended, !is_planned, "{origin:?}");
            }
            let background = Attendance::of(origin, Background);
            assert_eq!(background, Attendance::Unattended);
            assert_eq!(background.without_chat(), Attendance::Unreachable);
        }
    }
}
