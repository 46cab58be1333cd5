//! Why a connection ended, as `/status`, `doctor` and the log say it, in English.

/// The close codes and faults of the gateway, as `/status` and the log name them.
pub(crate) fn closed(code: u16) -> String {
    format!("Discord closed the connection ({code})")
}

/// The gateway's HTTP answer instead of a connection.
pub(crate) fn gateway_answered(status: u16) -> String {
    format!("Discord's gateway answered {status}")
}

macro_rules! situations {
    ($($(#[$doc:meta])* $name:ident: $text:literal,)*) => {
        $($(#[$doc])* pub(crate) fn $name() -> String { $text.to_owned() })*
    };
}

situations! {
    /// 4010.
    bad_shard: "Discord refuses the number of this shard (4010); set `shards = \"auto\"`",
    /// 4011.
    too_few_shards: "the bot is in too many servers for its number of shards (4011); set `shards = \"auto\"`",
    /// 4012.
    old_protocol: "Discord does not speak this version of the gateway any more (4012); update Sayso",
    /// 4013.
    bad_intents: "Discord does not know an intent that we asked for (4013); update Sayso",
    /// 4014.
    intents_not_allowed: "Discord does not allow an intent that we asked for (4014); switch on the Message Content intent on the page `Bot` of the Developer Portal, and restart",
    /// The connection ended without a word.
    cut: "the connection to Discord broke",
    /// A time-out.
    no_answer: "Discord did not answer in time",
    /// No JSON, or not Discord's.
    no_frame: "what Discord sent cannot be read",
    /// Over our bound.
    too_large: "what Discord sent is larger than 16 MB",
    /// A heartbeat without an answer.
    silent: "Discord did not answer a heartbeat",
    /// Neither READY nor RESUMED.
    no_session: "Discord did not begin a session in time",
    /// Op 9.
    invalid_session: "Discord ended the session",
    /// The address of GET /gateway/bot cannot be used.
    no_gateway: "the address of Discord's gateway must begin with `wss://`, or with `ws://` like the API's own",
}
