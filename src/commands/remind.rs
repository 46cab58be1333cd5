//! `/remind` and `/reminders`, and the buttons on reminders that were said.

use sayso_channel::Outbound;
use sayso_core::transcript::Taint;
use sayso_store::routines::{Added, Notify, RoutineKind};
use sayso_store::{StoreError, Tx, now_ms};

use super::context::CommandContext;
use super::messages;
use super::routines::say_list;
use crate::delivery::Purpose;
use crate::intake::{Effects, Pressed, ResolvedMessage, tell};
use crate::prompts::Prompt;
use crate::routines::{Asker, Read, Wanted, answer_reminder, keep_in, read_when, words_of};

/// Lists the reminders of a person.
pub async fn list(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    say_list(tx, ctx, heard, RoutineKind::Remind).await
}

/// Keeps a reminder that was written behind the command, or says how.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
) -> Result<Effects, StoreError> {
    let (written, language) = (written.trim(), ctx.language(&heard.chat.language));
    if written.is_empty() {
        return list(tx, ctx, heard).await;
    }
    let limits = &ctx.routines.limits;
    let asker = Asker {
        user: heard.user,
        role: heard.role,
        chat: heard.chat.id,
        session: heard.session,
        address: serde_json::to_string(&heard.inbound.address)?,
        at_ms: heard.inbound.happened_ms(now_ms()),
        zone: limits.zone_of(tx, heard.user).await?,
    };
    let kind = RoutineKind::Remind;
    let read = read_when(written, kind, asker.zone, limits, asker.at_ms);
    let Read { when, about } = match read {
        Ok(read) => read,
        Err(why) => {
            let text = messages::cannot_remind(&why, language);
            return tell(tx, &ctx.outbox, heard, text).await;
        }
    };
    let Ok(words) = words_of(&about) else {
        return tell(tx, &ctx.outbox, heard, messages::how_to_remind(language)).await;
    };
    let wanted = Wanted {
        kind: RoutineKind::Remind,
        when,
        words,
        taint: Taint::default(),
        name: String::new(),
        notify: Notify::Always,
        late: String::new(),
    };
    let (added, said) = keep_in(tx, &ctx.routines, &asker, &wanted).await?;
    if added == Added::Full {
        let most = limits.most_of(RoutineKind::Remind);
        let text = crate::routines::messages::too_many_reminders(most, language);
        return tell(tx, &ctx.outbox, heard, text).await;
    }
    Ok(Effects {
        wakes: vec![ctx.routines.changed.clone()],
        ..Effects::said(said)
    })
}

/// Does what a press on a reminder answers.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some(answered) = answer_reminder(tx, &ctx.routines, prompt, choice, now_ms()).await? else {
        return Ok(None);
    };
    let outbound = Outbound::markdown(answered.text);
    let said = ctx
        .outbox
        .amend(tx, Purpose::Notice, prompt.id(), pressed.this, &outbound)
        .await?;
    Ok(Some(Effects {
        wakes: vec![ctx.routines.changed.clone()],
        ..Effects::shown(answered.told, said)
    }))
}
