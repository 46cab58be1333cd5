//! What Sayso asks of its platform, as the points of a storm look at it: alike on every platform.

use sayso_fakes::{discord, telegram};
use serde_json::Value;

use crate::platform::{Platform, Trouble};
use crate::test_bot::TestBot;

/// `SUPPRESS_NOTIFICATIONS`
/// (<https://docs.discord.com/developers/resources/message#message-object-message-flags>).
const SILENT: i64 = 1 << 12;

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Says a new message.
    Says,
    /// Edits a message.
    Edits,
    /// Answers a press; on Discord, any interaction.
    AnswersPress,
    /// Asks for what people have said; on Discord that comes unasked.
    Polls,
    /// Anything else.
    Other,
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// What it is for.
    pub does: Does,
    /// The text of the message.
    pub text: &'a str,
    /// Whether it asks something: whether there are other buttons below it than one that stops a turn.
    pub asks: bool,
    /// Whether it comes without a sound.
    pub is_silent: bool,
}

impl<'a> From<&'a telegram::Call> for Call<'a> {
    fn from(call: &'a telegram::Call) -> Self {
        let silent = call.params.get("disable_notification");
        Self {
            does: match call.method.as_str() {
                "sendMessage" => Does::Says,
                "editMessageText" => Does::Edits,
                "answerCallbackQuery" => Does::AnswersPress,
                "getUpdates" => Does::Polls,
                _ => Does::Other,
            },
            text: call.text("text"),
            asks: call.params.get("reply_markup").is_some_and(asks),
            is_silent: silent.is_some_and(|silent| silent == true),
        }
    }
}

impl<'a> From<&'a discord::Call> for Call<'a> {
    fn from(call: &'a discord::Call) -> Self {
        let rows = call.params.get("components").and_then(Value::as_array);
        Self {
            does: match call.method.as_str() {
                "create_message" => Does::Says,
                "update_message" => Does::Edits,
                "create_interaction_response" => Does::AnswersPress,
                _ => Does::Other,
            },
            text: call.text("content"),
            asks: rows.is_some_and(|rows| !rows.is_empty())
                && call.params.get("components").is_some_and(asks),
            is_silent: call.integer("flags").unwrap_or_default() & SILENT != 0,
        }
    }
}

/// Tells whether these buttons are more than the one that stops a turn.
fn asks(buttons: &Value) -> bool {
    !buttons.to_string().contains("st.stop:")
}

/// Has every call meet the trouble that the rule gives for it.
pub fn fails_when(bot: &TestBot, rule: impl Fn(&Call<'_>) -> Option<Trouble> + Send + 'static) {
    match bot.platform {
        Platform::Telegram => bot
            .telegram
            .fail_when(move |call| rule(&call.into()).map(Into::into)),
        Platform::Discord => bot
            .discord
            .fail_when(move |call| rule(&call.into()).map(Into::into)),
    }
}
