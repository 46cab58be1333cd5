//! `/grants`: what a user always allows in a session, listed and revoked.

use sayso_channel::Language;
use serde_json::json;

use super::context::CommandContext;
use super::{audit_records, messages};
use crate::approvals::{self, GrantLine};
use crate::audit::Event;
use crate::intake::ResolvedMessage;
use crate::policy::{Covers, GrantPattern};
use crate::store::{StoreError, Tx};

/// Lists the grants, or revokes one (`revoke 2`) or all (`revoke all`).
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    arguments: &str,
    language: Language,
) -> Result<String, StoreError> {
    let grants = approvals::list(tx, heard.user, heard.session).await?;
    let Some(which) = arguments.strip_prefix("revoke").map(str::trim) else {
        let commands: Vec<String> = grants
            .iter()
            .filter_map(|line| serde_json::from_str::<GrantPattern>(&line.pattern).ok())
            .map(
                |pattern| match (pattern.covers, pattern.secrets.as_slice()) {
                    (Covers::Command(command), []) => command,
                    (Covers::Command(command), secrets) => {
                        format!("{command} + {}", secrets.join(", "))
                    }
                    (Covers::Prefix(words), _) => format!("{words} …"),
                },
            )
            .collect();
        return Ok(messages::grants(&commands, language));
    };
    if which == "all" {
        let revoked = approvals::revoke(tx, heard.user, heard.session, None).await?;
        audit_revoked(tx, ctx, heard, &grants).await?;
        return Ok(messages::revoked(revoked, language));
    }
    let number: Option<usize> = which.parse().ok();
    let chosen = number.and_then(|number| grants.get(number.wrapping_sub(1)));
    let Some(chosen) = chosen else {
        return Ok(messages::no_such_grant(which, grants.len(), language));
    };
    let revoked = approvals::revoke(tx, heard.user, heard.session, Some(chosen.id)).await?;
    audit_revoked(tx, ctx, heard, std::slice::from_ref(chosen)).await?;
    Ok(messages::revoked(revoked, language))
}

async fn audit_revoked(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    grants: &[GrantLine],
) -> Result<(), StoreError> {
    let patterns: Vec<&str> = grants.iter().map(|line| line.pattern.as_str()).collect();
    let payload = json!({ "grants": patterns });
    audit_records::command(tx, ctx, heard, Event::Revoked, payload).await
}
