//! What only Discord has: slash commands and menus, threads and forums, roles, mentions, the intent
//! for content.

/// Slash commands, their arguments, and "Ask Sayso" on a message.
mod commands;
/// What is heard, and what is not.
mod inbound;
/// The replies to button presses.
mod presses;
/// How things are said: whom they alert, long answers, files, looks.
mod saying;
/// Threads and forum posts are conversations of their own.
mod threads;

use sayso_fakes::discord::Chat;

use crate::test_bot::TestBot;

/// The server in which Ann and Bob meet.
const SERVER: i64 = 1_400_000_000_000_000_000;

/// Its workshop, spoken in by Ann.
fn workshop(bot: &TestBot) -> Chat {
    let workshop = bot.discord.group_in(SERVER, SERVER + 100, "Workshop");
    workshop.with(&bot.bob).with(&bot.ann)
}
