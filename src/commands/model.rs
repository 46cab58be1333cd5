//! `/model`: which model is asked first in a session, within what the operator offers, by its name,
//! its number or its button. In a group owners choose, for everybody in it.
//!
//! Of a list nothing is kept but its number: a button says who asked for it and has a print of the
//! model, which counts as long as the model is offered.

use sayso_channel::{Button, ButtonLook, ChatKind, Language, Outbound};
use sayso_core::transcript::{Role, UserId, first_chars};
use sayso_store::{StoreError, Tx, chats, new_id};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::audit_records;
use super::context::CommandContext;
use super::list_message::ListMessage;
use super::messages::{self, ShownModels};
use crate::audit::Event;
use crate::intake::{Effects, Pressed, ResolvedMessage, tell, tell_aside};
use crate::prompts::{PressedButton, PromptKind};

/// What is written behind `/model` to follow the configuration again.
const AUTO: [&str; 2] = ["auto", "自动"];
/// The most models that one list shows; the others are found by a word of their names.
const SHOWN: usize = 18;
/// Buttons side by side.
const IN_A_ROW: usize = 2;
/// The longest name on a button, in characters.
const LABEL_CHARS: usize = 40;

/// Lists the models, or chooses one by its name or its number in the list.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
    language: Language,
) -> Result<Effects, StoreError> {
    let written = written.trim().trim_matches('`');
    let may_choose = may_choose(heard.inbound.chat_kind, heard.role);
    let list = List {
        id: new_id(),
        asker: heard.user,
    };
    if written.is_empty() {
        let session = chats::session(tx, heard.session).await?;
        let listed = shown(ctx, session.model.as_deref(), "");
        return list.say(tx, ctx, heard, &listed, may_choose).await;
    }
    if !may_choose {
        return tell_aside(
            tx,
            &ctx.outbox,
            heard,
            messages::model_owners_only(language),
        )
        .await;
    }
    let wanted = named(&ctx.models.offered, written);
    if wanted.is_none() && !AUTO.contains(&written) {
        let session = chats::session(tx, heard.session).await?;
        let alike = shown(ctx, session.model.as_deref(), written);
        if alike.models.is_empty() {
            return tell(
                tx,
                &ctx.outbox,
                heard,
                messages::model_unknown(written, language),
            )
            .await;
        }
        return list.say(tx, ctx, heard, &alike, may_choose).await;
    }
    chats::set_model(tx, heard.session, wanted).await?;
    let payload = json!({ "model": wanted.unwrap_or(AUTO[0]) });
    audit_records::command(tx, ctx, heard, Event::Model, payload).await?;
    tell(
        tx,
        &ctx.outbox,
        heard,
        messages::model_chosen(wanted, language),
    )
    .await
}

fn may_choose(kind: ChatKind, role: Role) -> bool {
    kind != ChatKind::Group || role == Role::Owner
}

/// Handles a press on a list; `None` when the button was forged. The user who requested the list
/// may press it repeatedly, where they may write `/model NAME`.
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
        return refused(messages::model_list_of_others(language));
    }
    if !may_choose(press.chat_kind, press.role) {
        return refused(messages::model_owners_only(language));
    }
    let wanted = ctx
        .models
        .offered
        .iter()
        .find(|model| print_of(model) == print);
    if wanted.is_none() && print != print_of(AUTO[0]) {
        return refused(messages::model_gone(language));
    }
    let wanted = wanted.map(String::as_str);
    chats::set_model(tx, press.session, wanted).await?;
    let payload = json!({ "model": wanted.unwrap_or(AUTO[0]) });
    audit_records::pressed(tx, ctx, press, Event::Model, payload).await?;
    let listed = shown(ctx, wanted, "");
    let outbound = list.rendered(&listed, true, language);
    let message = ListMessage(list.id);
    let said = message.show_again(tx, ctx, press, &outbound).await?;
    // What pops up shows no markup.
    let told = messages::model_chosen(wanted, language).replace('`', "");
    Ok(Some(Effects::shown(told, said)))
}

/// Returns the models whose names have a word in them, whatever its case.
fn shown<'a>(ctx: &'a CommandContext, stored: Option<&'a str>, word: &str) -> ShownModels<'a> {
    let chosen = chosen(ctx, stored);
    let word = word.to_lowercase();
    let all = (1..).zip(ctx.models.offered.iter().map(String::as_str));
    let alike = all.filter(|(_, model)| model.to_lowercase().contains(&word));
    let (mut models, mut rest): (Vec<_>, Vec<_>) = (alike.collect(), Vec::new());
    if models.len() > SHOWN {
        rest = models.split_off(SHOWN);
    }
    let hidden = rest.iter().position(|(_, model)| Some(*model) == chosen);
    models.extend(hidden.map(|place| rest.remove(place)));
    ShownModels {
        models,
        more: rest.len(),
        chosen,
        offered: ctx.models.offered.len(),
    }
}

/// A list with buttons, and who asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct List {
    id: i64,
    asker: UserId,
}

impl List {
    /// Reads a button: the list, and the print of a model.
    fn parse<'a>(button: &PressedButton<'a>) -> Option<(Self, &'a str)> {
        let (print, asker) = button.choice.split_once('-')?;
        let list = Self {
            id: button.number()?,
            asker: UserId(asker.parse().ok()?),
        };
        Some((list, print))
    }

    /// Returns a button (its data has at most 51 bytes).
    fn button(self, label: &str, model: &str, is_chosen: bool) -> Button {
        let mark = if is_chosen { "✓ " } else { "" };
        let label = first_chars(label, LABEL_CHARS).unwrap_or(label);
        let choice = format!("{}-{}", print_of(model), self.asker.0);
        Button {
            label: format!("{mark}{label}"),
            token: PromptKind::ModelList.button(choice, self.id),
            key: None,
            look: ButtonLook::Plain,
        }
    }

    fn rendered(self, shown: &ShownModels<'_>, may_choose: bool, language: Language) -> Outbound {
        let models = shown.models.iter().map(|(number, model)| {
            let label = format!("{number}. {model}");
            self.button(&label, model, shown.chosen == Some(model))
        });
        let auto = messages::model_auto(language);
        let auto = self.button(auto, AUTO[0], shown.chosen.is_none());
        let buttons: Vec<Button> = models.chain([auto]).collect();
        let buttons = if may_choose && shown.offered > 1 {
            buttons.chunks(IN_A_ROW).map(<[Button]>::to_vec).collect()
        } else {
            Vec::new()
        };
        Outbound {
            buttons,
            ..Outbound::markdown(messages::models(shown, language))
        }
    }

    async fn say(
        self,
        tx: &mut Tx,
        ctx: &CommandContext,
        heard: &ResolvedMessage<'_>,
        shown: &ShownModels<'_>,
        may_choose: bool,
    ) -> Result<Effects, StoreError> {
        let language = ctx.language(&heard.chat.language);
        let outbound = self.rendered(shown, may_choose, language);
        ListMessage(self.id).say(tx, ctx, heard, outbound).await
    }
}

/// Returns a short print of a model's name, for the few bytes that a button carries.
fn print_of(model: &str) -> String {
    let mut print = format!("{:x}", Sha256::digest(model.as_bytes()));
    print.truncate(8);
    print
}

/// Returns the model that a session chose, while it is still offered.
pub fn chosen<'a>(ctx: &CommandContext, stored: Option<&'a str>) -> Option<&'a str> {
    stored.filter(|name| ctx.models.offered.iter().any(|offered| offered == name))
}

/// Returns the model that is meant: by its number, by its whole name, or by the name that it has at
/// its server, where that names one.
fn named<'a>(models: &'a [String], written: &str) -> Option<&'a str> {
    let by_number = written.parse::<usize>().ok();
    let by_number = by_number.and_then(|number| models.get(number.checked_sub(1)?));
    let by_name = || models.iter().find(|model| *model == written);
    if let Some(model) = by_number.or_else(by_name) {
        return Some(model);
    }
    let mut alike = models.iter().filter(|model| {
        model
            .split_once('/')
            .is_some_and(|(_, name)| name == written)
    });
    let model = alike.next()?;
    alike.next().is_none().then_some(model)
}

#[cfg(test)]
mod tests {
    use super::{List, PressedButton, UserId, named};

    #[test]
    fn a_button_is_read_back_and_fits() {
        let list = List {
            id: i64::MAX,
            asker: UserId(i64::MAX),
        };
        let token = list.button("1. main/small", "main/small", false).token;
        assert!(token.len() <= 64, "{token}");
        let parse = |data| List::parse(&PressedButton::parse(data).unwrap());
        assert_eq!(parse(&token), Some((list, "a616e7c6")));
        assert_eq!(parse("mo.x:1"), None);
    }

    #[test]
    fn a_model_is_named_by_number_or_by_a_name_that_only_it_has() {
        let models = ["main/small", "main/org/large", "spare/small"].map(str::to_owned);
        let check = |written: &str, expected: Option<&str>| {
            assert_eq!(named(&models, written), expected, "{written}");
        };
        check("1", Some("main/small"));
        check("spare/small", Some("spare/small"));
        check("org/large", Some("main/org/large"));
        check("small", None);
        check("0", None);
        check("4", None);
        check("huge", None);
    }
}
