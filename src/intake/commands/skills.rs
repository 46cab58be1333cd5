//! `/skills`: which skills there are and are used here, which may help with something, and switching
//! them on and off: for a person in their direct chat, for everybody in a group, where owners do it.

use std::collections::HashSet;

use sayso_channel::{ChatKind, Language};
use serde_json::json;

use super::messages::{self, Listed};
use crate::audit::Event;
use crate::intake::message::Heard;
use crate::intake::{Door, auditing};
use crate::skills::Gist;
use crate::store::{StoreError, Tx, skills_off};
use crate::transcript::{Owner, Role};

/// What is written behind `/skills`, in front of words or a name.
const SUGGEST: [&str; 2] = ["suggest", "推荐"];
const ON: [&str; 2] = ["on", "启用"];
const OFF: [&str; 2] = ["off", "停用"];
/// How many skills are suggested at most.
const SUGGESTED: usize = 3;

/// Lists the skills, suggests some, or switches one on or off.
pub async fn run(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    written: &str,
    language: Language,
) -> Result<String, StoreError> {
    let (verb, rest) = written
        .split_once(char::is_whitespace)
        .unwrap_or((written, ""));
    let rest = rest.trim();
    match (verb, rest) {
        ("", _) => list(tx, door, heard, language).await,
        (verb, words) if SUGGEST.contains(&verb) && !words.is_empty() => {
            suggest(tx, door, heard, words, language).await
        }
        (verb, name) if ON.contains(&verb) && !name.is_empty() => {
            switch(tx, door, heard, (name, true), language).await
        }
        (verb, name) if OFF.contains(&verb) && !name.is_empty() => {
            switch(tx, door, heard, (name, false), language).await
        }
        _ => Ok(messages::skills_usage(language)),
    }
}

/// Returns whose choices hold here: a turn in a group has the group's, whoever it is for.
pub fn owner(heard: &Heard<'_>) -> Owner {
    match heard.inbound.chat_kind {
        ChatKind::Direct => Owner::User(heard.user),
        ChatKind::Group => Owner::Chat(heard.chat.id),
    }
}

async fn list(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    language: Language,
) -> Result<String, StoreError> {
    let off = skills_off::of_in(tx, owner(heard)).await?;
    let off: HashSet<String> = off.into_iter().map(|off| off.name).collect();
    let skills = door.library.all().catalogue(language).into_iter();
    let listed: Vec<Listed> = skills
        .map(|skill| Listed {
            is_off: off.contains(&skill.name),
            skill,
        })
        .collect();
    Ok(messages::skills(&listed, heard.inbound.chat_kind, language))
}

async fn suggest(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    words: &str,
    language: Language,
) -> Result<String, StoreError> {
    let skills = door.library.of_in(tx, owner(heard)).await?;
    let mut found = skills.recommender().recommend(&Gist::of(words));
    found.truncate(SUGGESTED);
    Ok(messages::skills_suggested(&found, language))
}

async fn switch(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    (name, is_on): (&str, bool),
    language: Language,
) -> Result<String, StoreError> {
    let chat = heard.inbound.chat_kind;
    if chat == ChatKind::Group && heard.role != Role::Owner {
        return Ok(messages::skills_owners_only(language));
    }
    let name = name.trim_matches('`').to_lowercase();
    let mut known = door.library.all().names();
    // What is gone since it was switched off may be switched on: the choice is then forgotten.
    if !is_on && !known.any(|known| known == name) {
        return Ok(messages::skill_unknown(&name, language));
    }
    let is_changed = if is_on {
        skills_off::switch_on(tx, owner(heard), &name).await?
    } else {
        skills_off::switch_off(tx, owner(heard), &name).await?
    };
    if is_on && !is_changed && !known.any(|known| known == name) {
        return Ok(messages::skill_unknown(&name, language));
    }
    if is_changed {
        let payload = json!({ "skill": name, "is": if is_on { "on" } else { "off" } });
        auditing::command(tx, door, heard, Event::Skill, payload).await?;
    }
    Ok(messages::skill_switched(&name, is_on, chat, language))
}
