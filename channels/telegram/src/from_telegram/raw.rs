//! The fields of the Bot API that we read, every one optional.
//!
//! A field of an unexpected type counts as absent and spoils nothing beside it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reads a field, or its default when it is not what we expect.
fn lenient<'de, D, T>(field: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let value = Value::deserialize(field)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Reads a list, leaving out the elements that are not what we expect.
fn lenient_list<'de, D, T>(field: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let Value::Array(elements) = Value::deserialize(field)? else {
        return Ok(Vec::new());
    };
    Ok(elements
        .into_iter()
        .filter_map(|element| serde_json::from_value(element).ok())
        .collect())
}

/// Declares structs whose fields are all read leniently.
macro_rules! raw {
    ($(
        $(#[$doc:meta])*
        struct $name:ident { $($(#[$rename:meta])* $field:ident: $kind:ty,)* }
        $(lists { $($list:ident: $element:ty,)* })?
        $(rest $rest:ident)?
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Default, Deserialize)]
            #[serde(default)]
            pub(super) struct $name {
                $(
                    $(#[$rename])*
                    #[serde(deserialize_with = "lenient")]
                    pub(super) $field: Option<$kind>,
                )*
                $($(
                    #[serde(deserialize_with = "lenient_list")]
                    pub(super) $list: Vec<$element>,
                )*)?
                $(
                    #[serde(flatten)]
                    pub(super) $rest: Map<String, Value>,
                )?
            }
        )*
    };
}

raw! {
    /// A message, also one that is replied to or carries a button.
    struct RawMessage {
        message_id: i64,
        message_thread_id: i64,
        is_topic_message: bool,
        date: i64,
        edit_date: i64,
        from: RawUser,
        sender_chat: RawChat,
        chat: RawChat,
        text: String,
        caption: String,
        media_group_id: String,
        reply_to_message: Box<RawMessage>,
        external_reply: RawExternalReply,
        forward_origin: RawOrigin,
        via_bot: RawUser,
        sender_business_bot: RawUser,
        quote: RawQuote,
        reply_to_checklist_task_id: i64,
        reply_to_story: RawStory,
        direct_messages_topic: RawDirectTopic,
        migrate_to_chat_id: i64,
        animation: RawFile,
        audio: RawFile,
        document: RawFile,
        live_photo: RawFile,
        video: RawFile,
        video_note: RawFile,
        voice: RawFile,
    } lists {
        entities: RawEntity,
        caption_entities: RawEntity,
        photo: RawFile,
    } rest other

    /// An account.
    struct RawUser {
        id: i64,
        is_bot: bool,
        first_name: String,
        last_name: String,
        username: String,
        language_code: String,
    }

    /// A chat: direct (`private`), `group`, `supergroup` or `channel`.
    struct RawChat {
        id: i64,
        #[serde(rename = "type")]
        kind: String,
        title: String,
        username: String,
        first_name: String,
    }

    /// A stretch of text with a meaning; offset and length in UTF-16 units.
    struct RawEntity {
        #[serde(rename = "type")]
        kind: String,
        offset: usize,
        length: usize,
        user: RawUser,
    }

    /// Any file: photo size, document, sound, video.
    struct RawFile {
        file_id: String,
        file_name: String,
        mime_type: String,
        file_size: u64,
        width: u64,
        height: u64,
    }

    /// The piece of a message that a reply points at.
    struct RawQuote {
        text: String,
        is_manual: bool,
    }

    /// The message of another chat or topic that a reply points at.
    struct RawExternalReply {
        origin: RawOrigin,
        chat: RawChat,
        message_id: i64,
        animation: RawFile,
        audio: RawFile,
        document: RawFile,
        live_photo: RawFile,
        video: RawFile,
        video_note: RawFile,
        voice: RawFile,
    } lists {
        photo: RawFile,
    } rest other

    /// A story that a message replies to; what it shows is not told.
    struct RawStory {
        id: i64,
        chat: RawChat,
    }

    /// The conversation of one person in the direct messages of a channel.
    struct RawDirectTopic {
        topic_id: i64,
    }

    /// Who said a message that came from elsewhere.
    struct RawOrigin {
        sender_user: RawUser,
        sender_user_name: String,
        sender_chat: RawChat,
        chat: RawChat,
    }

    /// A press of a button.
    struct RawPress {
        id: String,
        from: RawUser,
        message: RawMessage,
        data: String,
    }

    /// A change of our own membership in a chat.
    struct RawMembership {
        chat: RawChat,
        from: RawUser,
        date: i64,
        old_chat_member: RawMember,
        new_chat_member: RawMember,
    }

    /// What we may do in a chat.
    struct RawMember {
        status: String,
        is_member: bool,
        can_send_messages: bool,
    }
}

impl RawMember {
    /// Returns whether the member can write; a status that we do not know can.
    pub(super) fn can_speak(&self) -> bool {
        match self.status.as_deref() {
            Some("left" | "kicked") => false,
            Some("restricted") => {
                self.is_member.unwrap_or(true) && self.can_send_messages.unwrap_or(true)
            }
            Some(_) | None => true,
        }
    }
}
