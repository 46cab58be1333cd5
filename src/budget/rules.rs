//! The limits as they are configured.

use super::prices::Prices;

/// What may be spent, and what tokens cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BudgetRules {
    /// By one turn.
    pub turn: Limit,
    /// By one user on a day.
    pub user_day: Limit,
    /// By one routine on a day.
    pub routine_day: Limit,
    /// By everybody on a day.
    pub instance_day: Limit,
    /// By everybody in a calendar month.
    pub instance_month: Limit,
    /// What tokens cost.
    pub prices: Prices,
}

/// A limit; `None` is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limit {
    /// In tokens, of prompts and answers alike.
    pub tokens: Option<u64>,
    /// In millionths of the currency.
    pub micros: Option<u64>,
}

/// Tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// Tokens, of prompts and answers alike.
    pub tokens: u64,
    /// Money, in millionths of the currency.
    pub micros: u64,
}

impl Amount {
    /// Returns both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            micros: self.micros.saturating_add(other.micros),
        }
    }

    /// Returns what is left without the other; never less than nothing.
    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            micros: self.micros.saturating_sub(other.micros),
        }
    }
}

/// What a limit is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One turn.
    Turn,
    /// A user's day.
    User,
    /// A routine's day.
    Routine,
    /// Everybody's day.
    Instance,
    /// Everybody's month.
    Month,
}

impl Scope {
    /// All, from the narrowest to the widest.
    pub(super) const ALL: [Self; 5] = [
        Self::Turn,
        Self::User,
        Self::Routine,
        Self::Instance,
        Self::Month,
    ];

    /// Returns the name in the database and in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::User => "user",
            Self::Routine => "routine",
            Self::Instance => "instance",
            Self::Month => "month",
        }
    }

    /// Reads the name in the database.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }

    /// Returns whether the limit is everybody's, and so the owners' affair.
    pub fn is_everybodys(self) -> bool {
        match self {
            Self::Turn | Self::User | Self::Routine => false,
            Self::Instance | Self::Month => true,
        }
    }
}

impl BudgetRules {
    /// Returns the configured limit.
    pub fn limit(&self, scope: Scope) -> Limit {
        match scope {
            Scope::Turn => self.turn,
            Scope::User => self.user_day,
            Scope::Routine => self.routine_day,
            Scope::Instance => self.instance_day,
            Scope::Month => self.instance_month,
        }
    }
}

impl Limit {
    /// Returns whether nothing is limited.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Returns the limit raised to this percentage.
    pub(super) fn raised(self, percent: u64) -> Self {
        let raise = |height: u64| {
            let raised = u128::from(height) * u128::from(percent) / 100;
            u64::try_from(raised).unwrap_or(u64::MAX)
        };
        Self {
            tokens: self.tokens.map(raise),
            micros: self.micros.map(raise),
        }
    }

    /// Returns whether nothing is left, or less than is certain to be spent next.
    pub(super) fn is_exceeded(self, spent: Amount, next: Amount) -> bool {
        let exceeds = |limit: Option<u64>, spent: u64, next: u64| {
            limit.is_some_and(|limit| spent >= limit || spent.saturating_add(next) > limit)
        };
        exceeds(self.tokens, spent.tokens, next.tokens)
            || exceeds(self.micros, spent.micros, next.micros)
    }

    /// Returns whether so much is no more than the limit.
    pub(super) fn holds(self, amount: Amount) -> bool {
        let is_within = |limit: Option<u64>, amount: u64| limit.is_none_or(|limit| amount <= limit);
        is_within(self.tokens, amount.tokens) && is_within(self.micros, amount.micros)
    }

    /// Returns how much of the limit is spent, in percent; of tokens and money the more.
    pub fn used(self, tokens: u64, micros: u64) -> u64 {
        let used = |limit: Option<u64>, spent: u64| {
            let limit = limit?;
            let percent = u128::from(spent) * 100 / u128::from(limit.max(1));
            Some(u64::try_from(percent).unwrap_or(u64::MAX))
        };
        let both = [used(self.tokens, tokens), used(self.micros, micros)];
        both.into_iter().flatten().max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Amount, Limit};

    const BOTH: Limit = Limit {
        tokens: Some(1000),
        micros: Some(50),
    };

    fn is_exceeded(limit: Limit, spent: (u64, u64), next: (u64, u64)) -> bool {
        let amount = |(tokens, micros)| Amount { tokens, micros };
        limit.is_exceeded(amount(spent), amount(next))
    }

    #[test]
    fn a_limit_is_exceeded_when_nothing_or_too_little_is_left() {
        assert!(!is_exceeded(BOTH, (999, 49), (1, 1)));
        assert!(
            is_exceeded(BOTH, (999, 49), (2, 0)),
            "the next call is too long"
        );
        assert!(is_exceeded(BOTH, (1000, 0), (0, 0)));
        assert!(is_exceeded(BOTH, (0, 50), (0, 0)));
        assert!(!is_exceeded(Limit::default(), (u64::MAX, u64::MAX), (1, 1)));
    }

    #[test]
    fn a_limit_is_raised_in_tokens_and_money() {
        let raised = BOTH.raised(150);
        assert_eq!((raised.tokens, raised.micros), (Some(1500), Some(75)));
        assert_eq!(Limit::default().raised(200), Limit::default());
    }

    #[test]
    fn the_scarcer_of_tokens_and_money_says_how_much_is_used() {
        assert_eq!(BOTH.used(100, 40), 80);
        assert_eq!(BOTH.used(1500, 0), 150);
        assert_eq!(Limit::default().used(7, 7), 0);
    }
}
