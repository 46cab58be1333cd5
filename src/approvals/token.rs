//! What the buttons of a card carry: a verb and a random single-use token.

/// What a button of a card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Approve one call.
    Approve,
    /// Approve one call, now and from now on.
    Always,
    /// Approve one call, and from now on those that begin like it.
    AlwaysAlike,
    /// Deny one call.
    Deny,
    /// Deny one call, and say why afterwards.
    DenyWhy,
    /// Approve all calls of the card.
    ApproveAll,
    /// Deny all calls of the card.
    DenyAll,
    /// Give each call of the card buttons of its own.
    OneByOne,
    /// Take back what the "always" of one call gave.
    TakeBack,
    /// Make the request of an expired card anew.
    AskAgain,
}

impl Verb {
    /// Every verb.
    const ALL: [Self; 10] = [
        Self::Approve,
        Self::Always,
        Self::AlwaysAlike,
        Self::Deny,
        Self::DenyWhy,
        Self::ApproveAll,
        Self::DenyAll,
        Self::OneByOne,
        Self::TakeBack,
        Self::AskAgain,
    ];

    /// Returns whether it is said of the whole card, and not of one call.
    pub(super) fn names_card(self) -> bool {
        match self {
            Self::ApproveAll | Self::DenyAll | Self::OneByOne | Self::AskAgain => true,
            Self::Approve
            | Self::Always
            | Self::AlwaysAlike
            | Self::Deny
            | Self::DenyWhy
            | Self::TakeBack => false,
        }
    }

    /// Returns the data of a button: the verb's letter, a colon and the token (34 bytes).
    pub fn button(self, token: &str) -> String {
        format!("{}:{token}", self.letter())
    }

    /// Reads the data of a button; `None` when it is none of a card's.
    pub fn parse(data: &str) -> Option<(Self, &str)> {
        let (letter, token) = data.split_once(':')?;
        let mut verbs = Self::ALL.into_iter();
        let verb = verbs.find(|verb| verb.letter() == letter)?;
        Some((verb, token))
    }

    fn letter(self) -> &'static str {
        match self {
            Self::Approve => "y",
            Self::Always => "a",
            Self::AlwaysAlike => "p",
            Self::Deny => "n",
            Self::DenyWhy => "w",
            Self::ApproveAll => "Y",
            Self::DenyAll => "N",
            Self::OneByOne => "o",
            Self::TakeBack => "r",
            Self::AskAgain => "g",
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_store::new_token;

    use super::Verb;

    #[test]
    fn a_button_says_its_verb_and_its_token() {
        let token = new_token().unwrap();
        for verb in Verb::ALL {
            let data = verb.button(&token);
            assert!(data.len() <= 64, "Telegram takes at most 64 bytes: {data}");
            assert_eq!(Verb::parse(&data), Some((verb, token.as_str())));
        }
        assert_eq!(Verb::parse("x:1"), None);
        assert_eq!(Verb::parse("y"), None);
        assert_ne!(new_token().unwrap(), token);
    }
}
