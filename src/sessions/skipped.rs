//! Messages that came too fast: one message says to their author how many were skipped.

use sayso_channel::{Address, Language, MessageKey, Outbound};
use sayso_store::{StoreError, now_ms, skipped};

use super::{SessionContext, messages};
use crate::delivery::{Purpose, Saying};

/// Tells everybody whose messages were skipped, once no more of them come.
pub async fn tell_due(ctx: &SessionContext) -> Result<(), StoreError> {
    if !skipped::is_due(ctx.store.reader(), now_ms()).await? {
        return Ok(());
    }
    let (outbox, rate) = (ctx.outbox.clone(), ctx.limits.messages_per_minute);
    let said = ctx.store.write(move |tx| {
        Box::pin(async move {
            let mut said = Vec::new();
            for skipped in skipped::take_due(tx, now_ms()).await? {
                let address: Address = serde_json::from_str(&skipped.address)?;
                let language = Language::nearest(&skipped.language);
                let outbound = Outbound {
                    reply_to: skipped.reply_to.map(MessageKey::new),
                    ..Outbound::markdown(messages::skipped(skipped.messages, rate, language))
                };
                let saying = Saying {
                    to: &address,
                    purpose: Purpose::Notice,
                    turn: None,
                    subject: None,
                    outbound: &outbound,
                };
                said.extend(outbox.say(tx, saying).await?);
            }
            Ok(said)
        })
    });
    ctx.outbox.offer(said.await?);
    Ok(())
}
