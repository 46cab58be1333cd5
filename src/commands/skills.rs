//! `/skills`: which skills there are and are used here, which may help with something, and
//! switching them on and off: for a person in their direct chat, for everybody in a group, where
//! owners do it.

use std::collections::HashSet;
use std::sync::Arc;

use sayso_channel::{ChatKind, Language};
use sayso_core::transcript::{Owner, Role};
use sayso_store::skill_reviews::ReviewWish;
use sayso_store::{StoreError, Tx, skills_off};
use serde_json::json;

use super::context::CommandContext;
use super::messages::{self, Listed};
use super::viewer::Viewer;
use super::{audit_records, skill_review};
use crate::audit::Event;
use crate::intake::{Effects, ResolvedMessage, tell};
use crate::skills::{LeftOut, MessageFeatures, Skills};

/// What is written behind `/skills`, in front of words or a name.
const SUGGEST: [&str; 2] = ["suggest", "推荐"];
const ON: [&str; 2] = ["on", "启用"];
const OFF: [&str; 2] = ["off", "停用"];
const INSTALL: [&str; 2] = ["install", "安装"];
const APPROVE: [&str; 2] = ["approve", "批准"];
const REMOVE: [&str; 2] = ["remove", "移除"];
/// How many skills are suggested at most.
const SUGGESTED: usize = 3;

/// Suggests skills, switches one on or off, or takes up what an owner wants of one.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
    language: Language,
) -> Result<Effects, StoreError> {
    let (verb, rest) = written
        .split_once(char::is_whitespace)
        .unwrap_or((written, ""));
    let rest = rest.trim();
    let wishes = [
        (INSTALL, ReviewWish::Install),
        (APPROVE, ReviewWish::Pin),
        (REMOVE, ReviewWish::Remove),
    ];
    let wish = wishes.into_iter().find(|(verbs, _)| verbs.contains(&verb));
    if let Some((_, wish)) = wish.filter(|_| !rest.is_empty()) {
        return skill_review::want(tx, ctx, heard, wish, rest).await;
    }
    let text = match (verb, rest) {
        (verb, words) if SUGGEST.contains(&verb) && !words.is_empty() => {
            suggest(tx, ctx, heard, words, language).await?
        }
        (verb, name) if ON.contains(&verb) && !name.is_empty() => {
            switch(tx, ctx, heard, name, true).await?
        }
        (verb, name) if OFF.contains(&verb) && !name.is_empty() => {
            switch(tx, ctx, heard, name, false).await?
        }
        _ => messages::skills_usage(language),
    };
    tell(tx, &ctx.outbox, heard, text).await
}

/// Writes what the skills are good for, by their topics.
pub(super) async fn brief(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<String, StoreError> {
    let (listed, left_out) = list(tx, ctx, viewer).await?;
    Ok(messages::brief_skills(
        &listed,
        left_out.len(),
        viewer.language,
    ))
}

/// Writes each skill with its name and description, and what is not loaded.
pub(super) async fn details(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<String, StoreError> {
    let (listed, left_out) = list(tx, ctx, viewer).await?;
    let chat = viewer.inbound.chat_kind;
    Ok(messages::skills(&listed, &left_out, chat, viewer.language))
}

async fn list(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
) -> Result<(Vec<Listed>, Vec<LeftOut>), StoreError> {
    let owner = viewer.owner();
    let off = skills_off::of_in(tx, owner).await?;
    let off: HashSet<String> = off.into_iter().map(|off| off.name).collect();
    let (skills, left_out) = everything(tx, ctx, owner).await?;
    let skills = skills.catalogue(viewer.language).into_iter();
    let listed = skills.map(|skill| Listed {
        is_off: off.contains(&skill.name),
        skill,
    });
    Ok((listed.collect(), left_out))
}

/// Returns all skills that there are here, and what is not loaded.
async fn everything(
    tx: &mut Tx,
    ctx: &CommandContext,
    owner: Owner,
) -> Result<(Arc<Skills>, Vec<LeftOut>), StoreError> {
    let workspace = ctx.limits.workspace(owner);
    ctx.library.everything(tx, owner, &workspace).await
}

async fn suggest(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    words: &str,
    language: Language,
) -> Result<String, StoreError> {
    let owner = heard.owner();
    let workspace = ctx.limits.workspace(owner);
    let skills = ctx.library.of_in(tx, owner, &workspace).await?;
    let mut found = skills.recommender().recommend(&MessageFeatures::of(words));
    found.truncate(SUGGESTED);
    Ok(messages::skills_suggested(&found, language))
}

async fn switch(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    name: &str,
    is_on: bool,
) -> Result<String, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let chat = heard.inbound.chat_kind;
    if chat == ChatKind::Group && heard.role != Role::Owner {
        return Ok(messages::skills_owners_only(language));
    }
    let name = name.trim_matches('`').to_lowercase();
    let owner = heard.owner();
    let (skills, _) = everything(tx, ctx, owner).await?;
    let is_known = skills.names().any(|known| known == name);
    // What is gone since it was switched off may be switched on: the choice is then forgotten.
    if !is_on && !is_known {
        return Ok(messages::skill_unknown(&name, language));
    }
    let is_changed = if is_on {
        skills_off::switch_on(tx, owner, &name).await?
    } else {
        skills_off::switch_off(tx, owner, &name).await?
    };
    if is_on && !is_changed && !is_known {
        return Ok(messages::skill_unknown(&name, language));
    }
    if is_changed {
        let payload = json!({ "skill": name, "is": if is_on { "on" } else { "off" } });
        audit_records::command(tx, ctx, heard, Event::Skill, payload).await?;
    }
    Ok(messages::skill_switched(&name, is_on, chat, language))
}
