//! The fields of Discord's objects that we read, every one optional.
//!
//! A field of an unexpected type counts as absent and spoils nothing beside it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

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

/// An id: Discord writes it as text, since JSON's numbers lose its last digits elsewhere
/// (<https://docs.discord.com/developers/reference#snowflakes>).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id(pub(crate) u64);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(field: D) -> Result<Self, D::Error> {
        let id = match Value::deserialize(field)? {
            Value::String(digits) => digits.parse().ok(),
            Value::Number(number) => number.as_u64(),
            _ => None,
        };
        id.map(Self)
            .ok_or_else(|| serde::de::Error::custom("not an id"))
    }
}

/// Declares structs whose fields are all read leniently.
macro_rules! raw {
    ($(
        $(#[$doc:meta])*
        struct $name:ident { $($(#[$rename:meta])* $field:ident: $kind:ty,)* }
        $(lists { $($list:ident: $element:ty,)* })?
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Default, Deserialize)]
            #[serde(default)]
            pub(crate) struct $name {
                $(
                    $(#[$rename])*
                    #[serde(deserialize_with = "lenient")]
                    pub(crate) $field: Option<$kind>,
                )*
                $($(
                    #[serde(deserialize_with = "lenient_list")]
                    pub(crate) $list: Vec<$element>,
                )*)?
            }
        )*
    };
}

raw! {
    /// A message, also one that is replied to, forwarded or carries a button.
    struct RawMessage {
        id: Id,
        channel_id: Id,
        guild_id: Id,
        author: RawUser,
        member: RawMember,
        content: String,
        edited_timestamp: String,
        #[serde(rename = "type")]
        kind: u64,
        flags: u64,
        webhook_id: Id,
        message_reference: RawReference,
        referenced_message: Box<RawMessage>,
        poll: RawPoll,
    } lists {
        mentions: RawUser,
        mention_roles: Id,
        mention_channels: RawChannel,
        attachments: RawAttachment,
        sticker_items: RawSticker,
        embeds: RawEmbed,
        components: Value,
        message_snapshots: RawSnapshot,
    }

    /// An account.
    struct RawUser {
        id: Id,
        username: String,
        global_name: String,
        bot: bool,
        system: bool,
        member: Box<RawMember>,
    }

    /// An account in a server.
    struct RawMember {
        user: RawUser,
        nick: String,
    } lists {
        roles: Id,
    }

    /// What a message points at.
    struct RawReference {
        #[serde(rename = "type")]
        kind: u64,
        message_id: Id,
        channel_id: Id,
    }

    /// A copy of a message that was forwarded.
    struct RawSnapshot {
        message: RawMessage,
    }

    /// A file.
    struct RawAttachment {
        id: Id,
        filename: String,
        content_type: String,
        size: u64,
        url: String,
    }

    /// A sticker.
    struct RawSticker {
        name: String,
    }

    /// A poll.
    struct RawPoll {
        question: RawPollText,
    } lists {
        answers: RawPollAnswer,
    }

    /// The words of a poll's question or answer.
    struct RawPollText {
        text: String,
    }

    /// One answer of a poll.
    struct RawPollAnswer {
        poll_media: RawPollText,
    }

    /// A framed text, mostly of bots.
    struct RawEmbed {
        #[serde(rename = "type")]
        kind: String,
        title: String,
        description: String,
        url: String,
        author: RawEmbedAuthor,
        footer: RawEmbedFooter,
    } lists {
        fields: RawEmbedField,
    }

    /// Whom a framed text names above it.
    struct RawEmbedAuthor {
        name: String,
    }

    /// What stands below a framed text.
    struct RawEmbedFooter {
        text: String,
    }

    /// A line of a framed text.
    struct RawEmbedField {
        name: String,
        value: String,
    }

    /// A chat or a thread.
    struct RawChannel {
        id: Id,
        #[serde(rename = "type")]
        kind: u64,
        guild_id: Id,
        parent_id: Id,
        name: String,
        last_message_id: Id,
    }

    /// A server, as it comes with `GUILD_CREATE`.
    struct RawGuild {
        id: Id,
        guild_id: Id,
        unavailable: bool,
        joined_at: String,
    } lists {
        roles: RawRole,
        channels: RawChannel,
        threads: RawChannel,
        members: RawMember,
    }

    /// A role.
    struct RawRole {
        id: Id,
        name: String,
        tags: RawRoleTags,
    }

    /// What a role belongs to.
    struct RawRoleTags {
        bot_id: Id,
    }

    /// Something that a person did with a command, a menu or a button.
    struct RawInteraction {
        id: Id,
        application_id: Id,
        #[serde(rename = "type")]
        kind: u64,
        data: RawInteractionData,
        guild_id: Id,
        channel: RawChannel,
        channel_id: Id,
        member: RawMember,
        user: RawUser,
        token: String,
        message: RawMessage,
        locale: String,
        context: u64,
    }

    /// What was chosen or pressed.
    struct RawInteractionData {
        #[serde(rename = "type")]
        kind: u64,
        name: String,
        target_id: Id,
        custom_id: String,
        component_type: u64,
        resolved: RawResolved,
    } lists {
        options: RawOption,
        values: String,
    }

    /// A value of a slash command's argument.
    struct RawOption {
        value: Value,
    }

    /// What an interaction is about, by id.
    struct RawResolved {
        messages: serde_json::Map<String, Value>,
    }
}

/// When the ids of Discord begin to count, in milliseconds since 1970
/// (<https://docs.discord.com/developers/reference#snowflakes>).
const EPOCH_MS: u64 = 1_420_070_400_000;

impl Id {
    /// Returns when the id was made, in milliseconds since 1970.
    pub(crate) fn at_ms(self) -> i64 {
        ((self.0 >> 22) + EPOCH_MS) as i64
    }

    /// Returns the smallest id of a moment.
    pub(crate) fn first_at(at_ms: i64) -> Self {
        Self(u64::try_from(at_ms).map_or(0, |at| at.saturating_sub(EPOCH_MS) << 22))
    }
}

/// Reads a time of Discord's, in milliseconds since 1970.
pub(crate) fn time_ms(text: &str) -> Option<i64> {
    let time = serenity::model::Timestamp::parse(text).ok()?;
    i64::try_from(time.unix_timestamp_nanos() / 1_000_000).ok()
}
