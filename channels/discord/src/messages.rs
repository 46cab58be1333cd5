//! What this channel says about itself: reasons in `/status`, `doctor`, the log and errors.
//!
//! They are for the operator, in English; the texts for chats are written by the agent, except for
//! one line.

use sayso_channel::ChatKey;

/// Discord does not know the token.
pub(crate) fn token_refused() -> String {
    "Discord does not know it; it is wrong or was reset; the page `Bot` of the Developer Portal gives a new one".to_owned()
}

/// Returns what a refusal means, by Discord's code where it has one, else by the status
/// (<https://docs.discord.com/developers/topics/opcodes-and-status-codes#json>).
pub(crate) fn situation(code: u32, status: u16) -> Option<&'static str> {
    Some(match (code, status) {
        (10003, _) => "there is no such channel for this bot any more",
        (10004, _) => "the bot is not in this server any more",
        (10008, _) => "the message is gone",
        (10062 | 50027, _) => "the slash command was not answered in time",
        (20028 | 30046, _) => "Discord does not let this message be edited any more for now",
        (40005, _) | (_, 413) => "the file is larger than Discord takes here",
        (50001, _) => "the bot cannot see this channel",
        (50005, _) => "the message is not the bot's own",
        (50006, _) => "there is nothing to say in this message",
        (50007, _) => "this person takes no direct messages from the bot",
        (50008 | 50024, _) => "nothing can be said in a channel of this kind",
        (50013, _) => "the bot has no permission to do this in the channel",
        (50083, _) => "the thread is archived",
        (160_004, _) => "the message has a thread already",
        (160_005, _) => "the thread is locked",
        (160_006, _) => "the server has no room for another active thread",
        (240_000, _) => "the server's own filter refuses this message",
        (0, 403) => "the bot is not in this server any more, or may not do this there",
        (0, 404) => {
            "Discord does not know this place; it is gone, or the address of the API is wrong"
        }
        _ => return None,
    })
}

/// The name of a file cannot be read from disk.
pub(crate) fn cannot_read_file(name: &str, why: &std::io::Error) -> String {
    format!("cannot read the file `{name}`: {why}")
}

/// A fetched file cannot be kept.
pub(crate) fn cannot_write_file(why: &std::io::Error) -> String {
    format!("cannot write the fetched file: {why}")
}

/// The address was not made by this channel.
pub(crate) fn not_a_chat(key: &ChatKey) -> String {
    format!("`{key}` is no channel of Discord")
}

/// The message was not made by this channel.
pub(crate) fn not_a_message(key: &str) -> String {
    format!("`{key}` is no message of Discord")
}

/// A long answer is not put in place of another message.
pub(crate) fn belongs_into_a_thread() -> String {
    "a long answer belongs into a thread".to_owned()
}

/// Discord forgot the file, or never had it.
pub(crate) fn file_gone() -> String {
    "Discord does not have the file any more".to_owned()
}

/// More than we fetch.
pub(crate) fn file_too_big() -> String {
    "files of up to 20 MB are fetched only".to_owned()
}

/// The address of an attachment is not one of Discord's.
pub(crate) fn strange_address() -> String {
    "the file is not on Discord's servers".to_owned()
}

/// Said in chats, above a message whose file may not be attached there: what it holds was said as
/// messages.
pub(crate) fn stands_above() -> &'static str {
    "⬆ files may not be attached here, so it stands above / 此处不能附加文件，内容见上方"
}

/// The command below a message that asks us about it.
pub(crate) fn ask() -> &'static str {
    "Ask Sayso"
}

/// Its name in Chinese.
pub(crate) fn ask_in_chinese() -> &'static str {
    "问 Sayso"
}
