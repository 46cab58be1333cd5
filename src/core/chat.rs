//! What a conversation knows of its chat and of the files in it, as channels report them.

use serde::{Deserialize, Serialize};

use crate::UnknownName;

/// Who may read and answer in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatKind {
    /// One person and us.
    Direct,
    /// Several people.
    Group,
}

impl ChatKind {
    /// Returns its stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Group => "group",
        }
    }
}

impl TryFrom<String> for ChatKind {
    type Error = UnknownName;

    fn try_from(name: String) -> Result<Self, UnknownName> {
        match name.as_str() {
            "direct" => Ok(Self::Direct),
            "group" => Ok(Self::Group),
            _ => Err(UnknownName::of("kind of a chat", name)),
        }
    }
}

/// A file that stays on the platform until it is fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachmentRef {
    /// What kind of file it is.
    pub kind: AttachmentKind,
    /// What the platform needs to find it; opaque outside the channel.
    pub reference: String,
    /// The file's name, where it has one.
    pub name: Option<String>,
    /// Its media type, where the platform says one.
    pub media_type: Option<String>,
    /// Its size in bytes, where the platform says it.
    pub bytes: Option<u64>,
}

/// What kind of file was attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttachmentKind {
    /// A photo.
    Photo,
    /// Any file.
    Document,
    /// A recorded voice message.
    Voice,
    /// Music or another sound.
    Audio,
    /// A video, also a round one or an animation.
    Video,
}
