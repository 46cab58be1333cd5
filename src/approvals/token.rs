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
}

impl Verb {
    /// Returns the data of a button: the verb's letter, a colon and the token (34 bytes).
    pub fn button(self, token: &str) -> String {
        format!("{}:{token}", self.letter())
    }

    /// Reads the data of a button; `None` when it is none of a card's.
    pub fn parse(data: &str) -> Option<(Self, &str)> {
        let (letter, token) = data.split_once(':')?;
        [
            Self::Approve,
            Self::Always,
            Self::AlwaysAlike,
            Self::Deny,
            Self::DenyWhy,
            Self::ApproveAll,
            Self::DenyAll,
        ]
        .into_iter()
        .find(|verb| verb.letter() == letter)
        .map(|verb| (verb, token))
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verb;
    use crate::store::new_token;

    #[test]
    fn a_button_says_its_verb_and_its_token() {
        let token = new_token().unwrap();
        for verb in [
            Verb::Approve,
            Verb::Always,
            Verb::AlwaysAlike,
            Verb::Deny,
            Verb::DenyWhy,
            Verb::ApproveAll,
            Verb::DenyAll,
        ] {
            let data = verb.button(&token);
            assert!(data.len() <= 64, "Telegram takes at most 64 bytes: {data}");
            assert_eq!(Verb::parse(&data), Some((verb, token.as_str())));
        }
        assert_eq!(Verb::parse("x:1"), None);
        assert_eq!(Verb::parse("y"), None);
        assert_ne!(new_token().unwrap(), token);
    }
}
