//! What the buttons of prompts carry: `<kind>.<choice>:<reference>`, at most 64 bytes.

use std::fmt::Display;

use super::kind::PromptKind;

/// What a pressed button carries, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PressedButton<'a> {
    /// What was asked.
    pub kind: PromptKind,
    /// Which answer the button stands for, as its feature wrote it.
    pub choice: &'a str,
    /// The token of a row, or a number.
    pub reference: &'a str,
}

impl<'a> PressedButton<'a> {
    /// Reads the data of a button; `None` when it is no prompt's.
    pub fn parse(data: &'a str) -> Option<Self> {
        let (head, reference) = data.split_once(':')?;
        let (code, choice) = head.split_once('.')?;
        Some(Self {
            kind: PromptKind::coded(code)?,
            choice,
            reference,
        })
    }

    /// Returns the number that the button refers to.
    pub fn number(&self) -> Option<i64> {
        self.reference.parse().ok()
    }
}

impl PromptKind {
    /// Returns the data of a button. A token takes 32 bytes and a number at most 19, so a choice may
    /// have 28 bytes.
    pub fn button(self, choice: impl Display, reference: impl Display) -> String {
        format!("{}.{choice}:{reference}", self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::{PressedButton, PromptKind};

    #[test]
    fn a_button_is_read_back_and_fits() {
        let token = "0123456789abcdef0123456789abcdef";
        let longest = "123456789-123456789-12345678";
        for kind in PromptKind::ALL {
            let data = kind.button(longest, token);
            assert!(data.len() <= 64, "{data}");
            let expected = PressedButton {
                kind,
                choice: longest,
                reference: token,
            };
            assert_eq!(PressedButton::parse(&data), Some(expected));
            assert_eq!(PromptKind::named(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn other_data_is_no_prompts() {
        for other in ["", "y:00", "st", "st.stop", "st:17", "xx.yes:1", ".:", "17"] {
            assert_eq!(PressedButton::parse(other), None, "{other}");
        }
        let stop = PressedButton::parse("st.stop:17").unwrap();
        assert_eq!(stop.number(), Some(17));
        let forged = PressedButton::parse("st.stop:x").unwrap();
        assert_eq!(forged.number(), None);
    }
}
