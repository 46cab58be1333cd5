//! What this channel says about itself: reasons in `/status`, `doctor`, the log and errors.
//!
//! They are for the operator, in English; the texts for chats are written by the agent.

/// Another program takes the updates of this account.
pub(crate) fn another_poller() -> String {
    "another program polls with this token; stop it, or give Sayso a bot of its own".to_owned()
}

/// Telegram does not know the token.
pub(crate) fn token_refused(code: u16) -> String {
    format!(
        "Telegram answered {code}; the token or the address of the Bot API server is wrong; BotFather shows the token"
    )
}

/// What was heard could not be stored, so Telegram keeps it.
pub(crate) fn store_is_closed() -> String {
    "what was heard cannot be stored now; Telegram keeps it and is asked again".to_owned()
}

/// Telegram cannot be reached.
pub(crate) fn unreachable(why: &str) -> String {
    format!("Telegram cannot be reached: {why}")
}

/// Telegram asks for a pause.
pub(crate) fn asked_to_wait(seconds: u64) -> String {
    format!("Telegram asks to wait {seconds} s")
}

/// The address for webhooks is taken or not ours.
pub(crate) fn cannot_listen(address: std::net::SocketAddr, why: &std::io::Error) -> String {
    format!("cannot listen on {address}: {why}")
}

/// The name of a file cannot be read from disk.
pub(crate) fn cannot_read_file(name: &str, why: &std::io::Error) -> String {
    format!("cannot read the file `{name}`: {why}")
}

/// A fetched file cannot be kept.
pub(crate) fn cannot_write_file(why: &std::io::Error) -> String {
    format!("cannot write the fetched file: {why}")
}

/// The address or message was not made by this channel.
pub(crate) fn not_a_message(key: &str) -> String {
    format!("`{key}` is no message of Telegram")
}

macro_rules! situations {
    ($($(#[$doc:meta])* $name:ident: $text:literal,)*) => {
        $($(#[$doc])* pub(crate) fn $name() -> String { $text.to_owned() })*
    };
}

situations! {
    /// 403 in a direct chat.
    blocked: "the person blocked the bot",
    /// The account was deleted.
    account_gone: "the person's account is gone",
    /// Bots may not write first.
    never_started: "the person has not started the bot yet; bots cannot write first",
    /// Kicked or left.
    removed: "the bot is not in this chat any more",
    /// Wrong or unknown chat.
    chat_gone: "there is no such chat for this bot",
    /// The forum topic was deleted.
    topic_gone: "the topic is gone",
    /// The forum topic was closed.
    topic_closed: "the topic is closed",
    /// Writing is restricted.
    no_rights: "the bot has no right to do this in the chat",
    /// Deleted, or too old.
    message_gone: "the message is gone or cannot be changed any more",
    /// Telegram forgot the file, or never had it.
    file_gone: "Telegram does not have the file any more",
    /// getFile's limit (<https://core.telegram.org/bots/api#getfile>).
    file_too_big: "Telegram gives bots files of up to 20 MB only",
    /// sendDocument's limit (<https://core.telegram.org/bots/api#senddocument>).
    file_too_big_to_send: "Telegram takes files of up to 50 MB only from bots",
}
