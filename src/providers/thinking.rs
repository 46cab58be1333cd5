//! Thoughts in the text: models whose server does not take them apart begin with `<think>`.

use std::sync::{Mutex, PoisonError};

use crate::providers::Heard;

/// Begins the thoughts, as the first word of an answer.
const BEGIN: &str = "<think>";
/// Ends them.
const END: &str = "</think>";

/// Parts a whole text into what was thought and what is said. A thought that does not end is all
/// there is.
pub(super) fn part(text: &str) -> (&str, &str) {
    let Some(thoughts) = text.trim_start().strip_prefix(BEGIN) else {
        return ("", text);
    };
    let (thoughts, said) = thoughts.split_once(END).unwrap_or((thoughts, ""));
    (thoughts.trim(), said.trim_start())
}

/// Passes on what is said, piece by piece, and keeps what is thought.
///
/// The lock is held by one stream alone; it is there because a [`Heard`] may be called from anywhere.
pub(super) struct Aloud<'a> {
    heard: Heard<'a>,
    so_far: Mutex<SoFar>,
}

#[derive(Debug, Default)]
enum SoFar {
    /// It is not known whether it thinks first.
    #[default]
    Nothing,
    /// What may be the beginning of thoughts, or is inside of them.
    Kept(String),
    /// Thoughts ended; blanks before the first word are left out.
    Awaited,
    /// What comes is said.
    Said,
}

impl<'a> Aloud<'a> {
    /// Passes on to here.
    pub(super) fn new(heard: Heard<'a>) -> Self {
        Self {
            heard,
            so_far: Mutex::default(),
        }
    }

    /// Takes a piece of the text.
    pub(super) fn hear(&self, piece: &str) {
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, said) = match std::mem::take(&mut *so_far) {
            SoFar::Nothing => keep(piece.to_owned()),
            SoFar::Kept(text) => keep(text + piece),
            SoFar::Awaited => begin(piece),
            SoFar::Said => (SoFar::Said, piece.to_owned()),
        };
        *so_far = next;
        if !said.is_empty() {
            (self.heard)(&said);
        }
    }
}

fn keep(text: String) -> (SoFar, String) {
    let words = text.trim_start();
    if let Some(thoughts) = words.strip_prefix(BEGIN) {
        return match thoughts.split_once(END) {
            Some((_, said)) => begin(said),
            None => (SoFar::Kept(text), String::new()),
        };
    }
    if BEGIN.starts_with(words) {
        return (SoFar::Kept(text), String::new());
    }
    (SoFar::Said, text)
}

fn begin(text: &str) -> (SoFar, String) {
    let said = text.trim_start();
    if said.is_empty() {
        return (SoFar::Awaited, String::new());
    }
    (SoFar::Said, said.to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::{Aloud, part};

    #[test]
    fn thoughts_at_the_beginning_are_parted_from_what_is_said() {
        assert_eq!(part("<think>\nhm\n</think>\n\nYes."), ("hm", "Yes."));
        assert_eq!(part(" <think>hm"), ("hm", ""));
        assert_eq!(part("Say <think>."), ("", "Say <think>."));
        assert_eq!(part("<thinking> is a word"), ("", "<thinking> is a word"));
    }

    proptest! {
        /// However it is cut, what was heard is what is said in the end.
        #[test]
        fn what_is_heard_is_what_is_said(
            thoughts in prop::option::of("[a-z <>/\n]{0,12}"),
            said in "[a-z<>/think\n ]{0,30}",
            cuts in prop::collection::vec(1_usize..6, 0..30),
        ) {
            let text = match thoughts {
                Some(thoughts) => format!("<think>{thoughts}</think>{said}"),
                None => format!("x{said}"),
            };
            let heard = Mutex::new(String::new());
            let keep = |piece: &str| heard.lock().unwrap().push_str(piece);
            let aloud = Aloud::new(&keep);
            let mut rest = text.as_str();
            for cut in cuts {
                let (piece, behind) = rest.split_at(cut.min(rest.len()));
                aloud.hear(piece);
                rest = behind;
            }
            aloud.hear(rest);
            let heard = heard.into_inner().unwrap();
            prop_assert_eq!(heard.as_str(), part(&text).1);
        }
    }
}
