//! `/grants`: what a user always allows in a session, listed with buttons that take it back.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::UserId;
use sayso_policy::GrantPattern;
use sayso_store::prompts::Audience;
use sayso_store::{StoreError, Tx};
use serde_json::json;

use super::context::CommandContext;
use super::{audit_records, messages};
use crate::approvals::{self, GrantLine};
use crate::audit::Event;
use crate::delivery::Purpose;
use crate::intake::{Effects, Pressed, ResolvedMessage, say, tell};
use crate::prompts::{PressedButton, PromptKind, Refusal};

/// What the button for one grant carries; its reference is the grant.
const ONE: &str = "one";
/// What the button for all carries; its reference is the user whose they are.
const ALL: &str = "all";

/// Lists the grants, or revokes one (`revoke 2`) or all (`revoke all`).
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    arguments: &str,
    language: Language,
) -> Result<Effects, StoreError> {
    let grants = approvals::list(tx, heard.user, heard.session).await?;
    let Some(which) = arguments.strip_prefix("revoke").map(str::trim) else {
        let listed = listed(&grants, heard.user, language);
        let said = say(tx, &ctx.outbox, heard, &listed).await?;
        return Ok(Effects::said(said));
    };
    let (chosen, id) = if which == ALL {
        (grants.as_slice(), None)
    } else {
        let number: Option<usize> = which.parse().ok();
        let chosen = number.and_then(|number| grants.get(number.wrapping_sub(1)));
        let Some(chosen) = chosen else {
            let text = messages::no_such_grant(which, grants.len(), language);
            return tell(tx, &ctx.outbox, heard, text).await;
        };
        (std::slice::from_ref(chosen), Some(chosen.id))
    };
    let revoked = approvals::revoke(tx, heard.user, heard.session, id).await?;
    let payload = payload(chosen);
    audit_records::command(tx, ctx, heard, Event::Revoked, payload).await?;
    tell(tx, &ctx.outbox, heard, messages::revoked(revoked, language)).await
}

/// Judges a press on the list; `None` when the button was forged. A grant is its person's alone.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let (Some(reference), language) = (button.number(), press.language) else {
        return Ok(None);
    };
    let grants = approvals::list(tx, press.user, press.session).await?;
    let chosen: Vec<GrantLine> = match button.choice {
        ONE => grants
            .into_iter()
            .filter(|line| line.id.0 == reference)
            .collect(),
        ALL if UserId(reference) == press.user => grants,
        ALL => {
            let refusal = Refusal::NotYours(Audience::User).text(language);
            return Ok(Some(Effects::refused(refusal.to_owned())));
        }
        _ => return Ok(None),
    };
    if chosen.is_empty() {
        return Ok(Some(Effects::refused(messages::grant_is_gone(language))));
    }
    for line in &chosen {
        approvals::revoke(tx, press.user, press.session, Some(line.id)).await?;
    }
    audit_records::pressed(tx, ctx, press, Event::Revoked, payload(&chosen)).await?;
    let left = approvals::list(tx, press.user, press.session).await?;
    let outbound = listed(&left, press.user, language);
    let said = ctx
        .outbox
        .amend(tx, Purpose::Notice, reference, press.this, &outbound)
        .await?;
    let text = messages::revoked(chosen.len() as u64, language);
    Ok(Some(Effects::shown(text, said)))
}

fn listed(grants: &[GrantLine], user: UserId, language: Language) -> Outbound {
    let patterns: Vec<GrantPattern> = grants
        .iter()
        .filter_map(|line| serde_json::from_str(&line.pattern).ok())
        .collect();
    let button = |label: String, token: String| {
        vec![Button {
            label,
            token,
            key: None,
            look: ButtonLook::Plain,
        }]
    };
    let one = grants.iter().zip(1..).map(|(line, number)| {
        let token = PromptKind::GrantList.button(ONE, line.id.0);
        button(messages::take_back_one(number, language), token)
    });
    let all = (grants.len() > 1).then(|| {
        let token = PromptKind::GrantList.button(ALL, user.0);
        button(messages::take_back_all(language), token)
    });
    Outbound {
        buttons: one.chain(all).collect(),
        ..Outbound::markdown(messages::grants(&patterns, language))
    }
}

fn payload(grants: &[GrantLine]) -> serde_json::Value {
    let patterns: Vec<&str> = grants.iter().map(|line| line.pattern.as_str()).collect();
    json!({ "grants": patterns })
}
