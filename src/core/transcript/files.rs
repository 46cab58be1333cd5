//! Files that come with messages: as they were announced, and as they were taken in.

use serde::{Deserialize, Serialize};

use super::{ConversationMessage, Image, InboxId};
use crate::AttachmentRef;

/// A file of a message, as it was announced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnouncedFile {
    /// The line of the message that announces it.
    pub text: String,
    /// Where it is.
    pub file: AttachmentRef,
}

/// The files of a message that wait to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arriving {
    /// The message that they came with.
    pub inbox: InboxId,
    /// Its place among the messages of the turn.
    pub place: usize,
    /// The files.
    pub files: Vec<AnnouncedFile>,
}

/// What became of the files of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetched {
    /// The message that they came with.
    pub inbox: InboxId,
    /// Each of them, in order.
    pub files: Vec<FetchedFile>,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchedFile {
    /// The line that names it from now on, in the place of the one that announced it.
    pub text: String,
    /// Why it did not come, or is of no use, in words for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether it did not come.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missed: bool,
    /// What it is to a model that sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Image>,
}

impl Fetched {
    /// Returns what is said to the person about the files.
    pub fn notices(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| file.why.as_deref())
    }
}

impl Arriving {
    /// Returns whether a message announces these files and says nothing else.
    pub fn are_all_of(&self, message: &ConversationMessage) -> bool {
        let ConversationMessage::User { text, .. } = message else {
            return false;
        };
        let mut rest = text.clone();
        for announced in &self.files {
            rest = rest.replacen(&announced.text, "", 1);
        }
        rest.trim().is_empty()
    }

    /// Puts the new lines in the place of the old ones. The last place counts: what people wrote,
    /// and what others said around them, stands before the files.
    pub fn rename(&self, fetched: &Fetched, message: &mut ConversationMessage) {
        let ConversationMessage::User { text, images } = message else {
            return;
        };
        images.extend(fetched.files.iter().filter_map(|file| file.image.clone()));
        for (announced, file) in self.files.iter().zip(&fetched.files).rev() {
            if let Some(start) = text.rfind(&announced.text) {
                text.replace_range(start..start + announced.text.len(), &file.text);
            } else {
                text.push('\n');
                text.push_str(&file.text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{AttachmentKind, AttachmentRef};

    use super::*;

    fn announced() -> AnnouncedFile {
        AnnouncedFile {
            text: "[attached photo]".to_owned(),
            file: AttachmentRef {
                kind: AttachmentKind::Photo,
                reference: "1".to_owned(),
                name: None,
                media_type: None,
                bytes: None,
            },
        }
    }

    fn named(text: &str) -> FetchedFile {
        FetchedFile {
            text: text.to_owned(),
            why: None,
            missed: false,
            image: None,
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let arriving = Arriving {
            inbox: InboxId(1),
            place: 0,
            files: vec![announced(), announced()],
        };
        let fetched = Fetched {
            inbox: InboxId(1),
            files: vec![named("[photo: a]"), named("[photo: b]")],
        };
        let mut message = ConversationMessage::user(text);
        arriving.rename(&fetched, &mut message);
        assert_eq!(message, ConversationMessage::user(expected));
    }

    #[test]
    fn a_message_of_files_alone_says_nothing_else() {
        let arriving = Arriving {
            inbox: InboxId(1),
            place: 0,
            files: vec![announced(), announced()],
        };
        let are_all = |text: &str| arriving.are_all_of(&ConversationMessage::user(text));
        assert!(are_all("[attached photo]\n[attached photo]"));
        assert!(!are_all("look\n[attached photo]\n[attached photo]"));
        assert!(!are_all(
            "[attached photo]\n[attached photo]\n[attached photo]"
        ));
    }

    #[test]
    fn each_file_is_named_where_it_was_announced() {
        check(
            "Bob: [attached photo]\n> [attached photo]\nlook\n[attached photo]",
            "Bob: [attached photo]\n> [photo: a]\nlook\n[photo: b]",
        );
        check("look\n[attached photo]", "look\n[photo: b]\n[photo: a]");
    }
}
