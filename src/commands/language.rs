//! `/language`: in which language a person is answered, chosen by its name or a button, or followed
//! from what they write. It is theirs in every chat, also in a group.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::UserId;
use sayso_store::languages;
use sayso_store::outbox;
use sayso_store::outbox::Shown;
use sayso_store::prompts::Audience;
use sayso_store::{StoreError, Tx, new_id};

use super::context::CommandContext;
use super::messages::{self, LanguageChoice};
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, Pressed, ResolvedMessage, reply_to, tell};
use crate::prompts::{PressedButton, PromptKind, Refusal};

/// Shows the language, or chooses one.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
) -> Result<Effects, StoreError> {
    if let Some(choice) = LanguageChoice::named(written) {
        languages::choose(tx, heard.user, choice.stored()).await?;
        let language = language_of(tx, ctx, heard.user, &heard.chat.language).await?;
        let text = messages::language_now(choice, language);
        return tell(tx, &ctx.outbox, heard, text).await;
    }
    let id = new_id();
    let outbound = Outbound {
        reply_to: reply_to(heard),
        ..rendered(tx, ctx, id, heard.user, &heard.chat.language).await?
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: Some(id),
        outbound: &outbound,
    };
    Ok(Effects::said(ctx.outbox.say(tx, saying).await?))
}

/// Handles a press on the list; `None` when the button was forged.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((choice, asker, id)) = parse(button) else {
        return Ok(None);
    };
    if asker != press.user {
        let refused = Refusal::NotYours(Audience::User).text(press.language);
        return Ok(Some(Effects::refused(refused.to_owned())));
    }
    languages::choose(tx, press.user, choice.stored()).await?;
    let before = press.language.code();
    let language = language_of(tx, ctx, press.user, before).await?;
    let outbound = rendered(tx, ctx, id, asker, before).await?;
    let mut said = Vec::new();
    if let Some(pressed) = press.this {
        let list = Shown {
            purpose: Purpose::Notice,
            subject: id,
        };
        if outbox::may_show(tx, list, pressed.at()).await? {
            let shown = ctx
                .outbox
                .amend(tx, Purpose::Notice, id, press.this, &outbound);
            said = shown.await?;
        }
    }
    let text = messages::language_now(choice, language);
    Ok(Some(Effects::shown(text, said)))
}

/// Returns the language that a person has now; `before` is the one where none is known.
async fn language_of(
    tx: &mut Tx,
    ctx: &CommandContext,
    user: UserId,
    before: &str,
) -> Result<Language, StoreError> {
    let known = languages::of_user(tx, user).await?;
    Ok(ctx.language(known.language().unwrap_or(before)))
}

async fn rendered(
    tx: &mut Tx,
    ctx: &CommandContext,
    id: i64,
    user: UserId,
    before: &str,
) -> Result<Outbound, StoreError> {
    let known = languages::of_user(tx, user).await?;
    let language = ctx.language(known.language().unwrap_or(before));
    let chosen = known.chosen.as_deref();
    let buttons = LanguageChoice::ALL.map(|choice| {
        let is_chosen = choice.stored() == chosen;
        Button {
            label: messages::language_button(choice, is_chosen, language),
            token: PromptKind::LanguageList
                .button(format_args!("{}_{}", choice.code(), user.0), id),
            key: None,
            look: ButtonLook::Plain,
        }
    });
    Ok(Outbound {
        buttons: vec![buttons.to_vec()],
        ..Outbound::markdown(messages::language(chosen.is_some(), language))
    })
}

fn parse(button: &PressedButton<'_>) -> Option<(LanguageChoice, UserId, i64)> {
    let (code, user) = button.choice.split_once('_')?;
    let choice = LanguageChoice::ALL
        .into_iter()
        .find(|choice| choice.code() == code)?;
    Some((choice, UserId(user.parse().ok()?), button.number()?))
}

#[cfg(test)]
mod tests {
    use super::{LanguageChoice, PressedButton, PromptKind, UserId, parse};

    #[test]
    fn a_button_is_read_back_and_fits() {
        for choice in LanguageChoice::ALL {
            let written = format!("{}_{}", choice.code(), i64::MAX);
            let token = PromptKind::LanguageList.button(written, i64::MAX);
            assert!(token.len() <= 64, "{token}");
            let button = PressedButton::parse(&token).unwrap();
            assert_eq!(parse(&button), Some((choice, UserId(i64::MAX), i64::MAX)));
            assert_eq!(LanguageChoice::named(choice.code()), Some(choice));
        }
    }
}
