//! The door: groups, mentions, quotations, albums, pairing, limits and commands.

/// What chats do: they move, they close, they speak a language.
mod chats;
/// Commands and their menu.
mod commands;
/// Edits, redelivery, albums, split texts and files.
mod forms;
/// Groups: what is for us, what is only heard, and what is in view.
mod groups;
/// In which language people are answered.
mod languages;
/// Too many messages.
mod limits;
/// Which model is asked, chosen in a conversation.
mod models;
/// Strangers, codes and owners' cards.
mod pairing;
/// Topics of a forum.
mod topics;
/// Webhooks, other pollers, limits, long and formatted texts, deleted messages.
mod wire;

use sayso_fakes::ModelRequest;

/// Returns what people said in a request.
fn said(request: &ModelRequest) -> Vec<String> {
    let messages = request.messages().iter();
    messages
        .filter(|message| message["role"] == "user")
        .map(|message| message["content"].as_str().unwrap_or_default().to_owned())
        .collect()
}
