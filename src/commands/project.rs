//! `/project`: which folder the turns of a conversation work in, by its name or its button.
//!
//! A person is shown no project that does not name them. In a group any person who may use a
//! project chooses it for the conversation; the turns of others work in the group's own folder
//! meanwhile.

use std::sync::Arc;

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{Role, SessionId, UserId};
use sayso_store::{StoreError, Tx, chats, new_id};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::context::CommandContext;
use super::list_message::ListMessage;
use super::project_instructions::{Asker, InstructionState};
use super::{audit_records, messages, project_instructions};
use crate::approvals;
use crate::audit::Event;
use crate::intake::{Effects, Pressed, ResolvedMessage, tell};
use crate::prompts::{PressedButton, PromptKind};
use crate::sessions::Project;

/// What is written behind `/project` to leave it.
const NONE: [&str; 3] = ["none", "无", "不用"];
/// Buttons side by side.
const IN_A_ROW: usize = 2;

/// Lists the projects, or chooses one by its name.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
    language: Language,
) -> Result<Effects, StoreError> {
    let written = written.trim().trim_matches('`');
    let asker = Asker {
        user: heard.user,
        role: heard.role,
        session: heard.session,
        address: &heard.inbound.address,
        language,
    };
    let theirs = ctx.limits.projects.of(tx, heard.user, heard.role).await?;
    let bound = chats::session(tx, heard.session).await?.project;
    if written.is_empty() {
        let list = List {
            id: new_id(),
            asker: heard.user,
        };
        let outbound = list.rendered(&theirs, bound.as_deref(), language);
        let here = theirs.iter().find(|it| bound.as_deref() == Some(&*it.name));
        let here = here.map(|project| &**project);
        let outbound = with_state(tx, ctx, here, outbound, language).await?;
        let mut effects = ListMessage(list.id).say(tx, ctx, heard, outbound).await?;
        let asked = project_instructions::ask(tx, ctx, &asker, here);
        effects.said.extend(asked.await?);
        return Ok(effects);
    }
    let wanted = theirs.iter().find(|project| project.name == written);
    if wanted.is_none() && !NONE.contains(&written) {
        let text = messages::project_unknown(written, language);
        return tell(tx, &ctx.outbox, heard, text).await;
    }
    if !may_leave(&theirs, bound.as_deref(), heard.role) {
        let text = messages::project_of_others(language);
        return tell(tx, &ctx.outbox, heard, text).await;
    }
    let wanted = wanted.map(|project| &**project);
    bind(tx, heard.session, wanted).await?;
    audit_records::command(tx, ctx, heard, Event::Project, payload(wanted)).await?;
    let text = messages::project_chosen(wanted, language);
    let mut effects = tell(tx, &ctx.outbox, heard, text).await?;
    let asked = project_instructions::ask(tx, ctx, &asker, wanted);
    effects.said.extend(asked.await?);
    Ok(effects)
}

/// Returns the list with what becomes of the `AGENTS.md` of the project in use.
async fn with_state(
    tx: &mut Tx,
    ctx: &CommandContext,
    here: Option<&Project>,
    list: Outbound,
    language: Language,
) -> Result<Outbound, StoreError> {
    let state = match here {
        Some(project) => project_instructions::state_of(tx, ctx, project).await?,
        None => InstructionState::None,
    };
    let line = match state {
        InstructionState::None => return Ok(list),
        InstructionState::Unread => messages::unread_instructions(language),
        InstructionState::Accepted => messages::follows_instructions(language),
        InstructionState::Outside(_) => messages::reads_instructions(language),
    };
    Ok(Outbound {
        markdown: format!("{}\n\n{line}", list.markdown),
        ..list
    })
}

/// Returns whether a person may change what a conversation is bound to: where that is a project,
/// those who may use it, and owners where it is there no more.
fn may_leave(theirs: &[Arc<Project>], bound: Option<&str>, role: Role) -> bool {
    let is_theirs = |name: &str| theirs.iter().any(|project| project.name == name);
    role == Role::Owner || bound.is_none_or(is_theirs)
}

/// Binds a conversation. What was allowed in it was allowed for another folder.
async fn bind(
    tx: &mut Tx,
    session: SessionId,
    project: Option<&Project>,
) -> Result<(), StoreError> {
    chats::set_project(tx, session, project.map(|project| project.name.as_str())).await?;
    approvals::revoke_session(tx, session).await?;
    Ok(())
}

fn payload(project: Option<&Project>) -> serde_json::Value {
    json!({ "project": project.map_or(NONE[0], |project| project.name.as_str()) })
}

/// Handles a press on a list; `None` when the button was forged.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((list, print)) = List::parse(button) else {
        return Ok(None);
    };
    let language = press.language;
    let refused = |text: String| Ok(Some(Effects::told(text, true)));
    if list.asker != press.user {
        return refused(messages::project_list_of_others(language));
    }
    let theirs = ctx.limits.projects.of(tx, press.user, press.role).await?;
    let wanted = theirs
        .iter()
        .find(|project| print_of(&project.name) == print);
    if wanted.is_none() && print != print_of(NONE[0]) {
        return refused(messages::project_gone(language));
    }
    let bound = chats::session(tx, press.session).await?.project;
    if !may_leave(&theirs, bound.as_deref(), press.role) {
        return refused(messages::project_of_others(language));
    }
    let wanted = wanted.map(|project| &**project);
    bind(tx, press.session, wanted).await?;
    audit_records::pressed(tx, ctx, press, Event::Project, payload(wanted)).await?;
    let chosen = wanted.map(|project| project.name.as_str());
    let outbound = list.rendered(&theirs, chosen, language);
    let mut said = ListMessage(list.id)
        .show_again(tx, ctx, press, &outbound)
        .await?;
    let asker = Asker {
        user: press.user,
        role: press.role,
        session: press.session,
        address: &press.inbound.address,
        language,
    };
    said.extend(project_instructions::ask(tx, ctx, &asker, wanted).await?);
    // What pops up shows no markup.
    let told = messages::project_chosen(wanted, language).replace('`', "");
    let told = Effects::told(told, false);
    Ok(Some(Effects { said, ..told }))
}

/// A list with buttons, and who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct List {
    id: i64,
    asker: UserId,
}

impl List {
    /// Reads a button: the list, and the print of a project's name.
    fn parse<'a>(button: &PressedButton<'a>) -> Option<(Self, &'a str)> {
        let (print, asker) = button.choice.split_once('-')?;
        let list = Self {
            id: button.number()?,
            asker: UserId(asker.parse().ok()?),
        };
        Some((list, print))
    }

    fn button(self, label: &str, name: &str, is_chosen: bool) -> Button {
        let mark = if is_chosen { "✓ " } else { "" };
        let choice = format!("{}-{}", print_of(name), self.asker.0);
        Button {
            label: format!("{mark}{label}"),
            token: PromptKind::ProjectList.button(choice, self.id),
            key: None,
            look: ButtonLook::Plain,
        }
    }

    fn rendered(
        self,
        theirs: &[Arc<Project>],
        chosen: Option<&str>,
        language: Language,
    ) -> Outbound {
        let projects = theirs.iter().map(|project| {
            let name = &project.name;
            self.button(name, name, chosen == Some(name.as_str()))
        });
        let none = messages::project_none(language);
        let none = self.button(none, NONE[0], chosen.is_none());
        let buttons: Vec<Button> = projects.chain([none]).collect();
        let buttons = if theirs.is_empty() {
            Vec::new()
        } else {
            buttons.chunks(IN_A_ROW).map(<[Button]>::to_vec).collect()
        };
        let shown = theirs.iter().map(|project| &**project);
        Outbound {
            buttons,
            ..Outbound::markdown(messages::projects(shown, chosen, language))
        }
    }
}

/// Returns a short print of a name, for the few bytes that a button carries.
fn print_of(name: &str) -> String {
    let mut print = format!("{:x}", Sha256::digest(name.as_bytes()));
    print.truncate(8);
    print
}

#[cfg(test)]
mod tests {
    use super::{List, PressedButton, UserId};

    #[test]
    fn a_button_is_read_back_and_fits() {
        let list = List {
            id: i64::MAX,
            asker: UserId(i64::MAX),
        };
        let token = list.button("site", "site", false).token;
        assert!(token.len() <= 64, "{token}");
        let parse = |data| List::parse(&PressedButton::parse(data).unwrap());
        assert_eq!(
            parse(&token),
            Some((list, super::print_of("site").as_str()))
        );
        assert_eq!(parse("pr.x:1"), None);
    }
}
