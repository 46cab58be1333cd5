//! A message that says nothing but to stop, while a turn of its person runs: it stops that turn as
//! `/stop` does. In a longer sentence these words are words like any other.

use sayso_store::{StoreError, Tx, turns};

use super::context::IntakeContext;
use super::effects::Effects;
use super::resolved::ResolvedMessage;
use super::rows::settle;

/// What says nothing but to stop, in small letters.
const WORDS: [&str; 14] = [
    "stop",
    "stop it",
    "cancel",
    "cancel it",
    "abort",
    "halt",
    "停",
    "停止",
    "停下",
    "停一下",
    "取消",
    "中止",
    "终止",
    "别做了",
];
/// What may stand behind it.
const MARKS: [char; 8] = ['!', '！', '.', '。', '…', '~', '～', '，'];

/// Stops the turns of a user whose message only says to stop. Returns `None` where the message says
/// something else or answers a question, or where the user has no running turn.
pub async fn take(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Option<Effects>, StoreError> {
    let message = heard.message;
    let is_plain = message.attachments.is_empty() && message.quoted.is_none() && !message.edited;
    if !is_plain || !says_stop(&message.text) {
        return Ok(None);
    }
    let running = turns::running_of(tx, heard.session, heard.user).await?;
    if running.is_none() || !settle(tx, heard.inbound).await? {
        return Ok(None);
    }
    ctx.features.stop(tx, heard).await.map(Some)
}

fn says_stop(text: &str) -> bool {
    let text = text.trim().trim_end_matches(MARKS).trim().to_lowercase();
    WORDS.contains(&text.as_str())
}

#[cfg(test)]
mod tests {
    use super::says_stop;

    #[test]
    fn u6_only_a_message_of_that_word_alone_says_stop() {
        for text in [
            "stop",
            "Stop!",
            " STOP ",
            "cancel",
            "Cancel.",
            "abort",
            "停",
            "停止！",
            "取消。",
        ] {
            assert!(says_stop(text), "{text}");
        }
        for text in [
            "",
            "!",
            "stop the server",
            "don't stop",
            "how do I cancel a build?",
            "stop, and then write it",
            "nonstop",
            "停止服务器",
            "取消订单",
            "/stop",
        ] {
            assert!(!says_stop(text), "{text}");
        }
    }
}
