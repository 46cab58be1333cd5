//! Mentions as people type them: Discord's client turns the name they pick into the id on the wire.

use std::collections::BTreeSet;

use super::state::State;
use crate::people::{BOT_ID, BOT_NAME, BOT_USERNAME};

/// Returns what a typed text becomes on the wire, and whom it mentions.
pub(crate) fn written(state: &State, room: i64, text: &str) -> (String, BTreeSet<i64>) {
    let mut mentioned = BTreeSet::new();
    let words = text.split_inclusive(char::is_whitespace);
    let content = words
        .map(|word| match mention(state, room, word) {
            Some((before, id, after)) => {
                mentioned.insert(id);
                format!("{before}<@{id}>{after}")
            }
            None => word.to_owned(),
        })
        .collect();
    (content, mentioned)
}

/// Splits a word that mentions somebody of this chat: what is before, who it is, what is after.
fn mention<'a>(state: &State, room: i64, word: &'a str) -> Option<(&'a str, i64, &'a str)> {
    let start = word.find('@')?;
    let (before, rest) = (&word[..start], &word[start + 1..]);
    if !before.chars().all(|c| c == '(' || c == '"') {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let is_bot = name == BOT_USERNAME || name.eq_ignore_ascii_case(BOT_NAME);
    if is_bot {
        return Some((before, BOT_ID, after));
    }
    let members = state.guild_of(room)?.members.values();
    let mut people = members.map(|member| &member.person);
    let person = people.find(|it| it.username.as_deref() == Some(name) || it.name == name)?;
    Some((before, person.id, after))
}
