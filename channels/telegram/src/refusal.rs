//! From what Telegram refused, or left unsaid, to what delivery does next.

use sayso_channel::{Address, ChannelError, ChatKey};

use crate::bot_api::{CallError, Refusal};
use crate::messages;

/// The longest stretch of Telegram's own words that is passed on, in characters.
const QUOTED_CHARACTERS: usize = 200;

/// What a failed call means when doing it twice would be seen: a message sent.
pub(crate) fn of_send(error: CallError, to: &Address) -> ChannelError {
    match error {
        CallError::NotSent(why) => ChannelError::Unreachable(why),
        CallError::AnswerLost(why) => ChannelError::Ambiguous(why),
        CallError::Refused(refusal) => of_refusal(&refusal, Some(to)),
    }
}

/// What a failed call means when doing it twice does no harm: edits, typing, questions.
pub(crate) fn of_repeatable(error: CallError, to: Option<&Address>) -> ChannelError {
    match error {
        CallError::NotSent(why) | CallError::AnswerLost(why) => ChannelError::Unreachable(why),
        CallError::Refused(refusal) => of_refusal(&refusal, to),
    }
}

fn of_refusal(refusal: &Refusal, to: Option<&Address>) -> ChannelError {
    if let Some(pause) = refusal.retry_after {
        return ChannelError::RetryAfter(pause);
    }
    if let (Some(chat), Some(from)) = (refusal.moved_to, to) {
        return ChannelError::Moved(Address {
            chat: ChatKey::new(chat.to_string()),
            ..from.clone()
        });
    }
    if refusal.is_of_token() {
        return ChannelError::Unauthorized(messages::token_refused(refusal.code));
    }
    if refusal.says("too long") || refusal.says("too_long") {
        return ChannelError::TooLong;
    }
    if to.is_some_and(|to| to.thread.is_some()) && refusal.is_of_topic() {
        return ChannelError::ThreadGone(readable(refusal));
    }
    ChannelError::Rejected(readable(refusal))
}

impl Refusal {
    /// Returns whether Telegram does not know the token: 401 when revoked, 404 when it never was
    /// one.
    pub(crate) fn is_of_token(&self) -> bool {
        self.code == 401 || (self.code == 404 && self.description.eq_ignore_ascii_case("not found"))
    }

    /// Returns whether it is the topic that Telegram does not take, and not the chat.
    fn is_of_topic(&self) -> bool {
        OF_TOPICS.iter().any(|words| self.says(words))
    }

    /// Returns whether Telegram's words hold `phrase`, which is in lower case.
    pub(crate) fn says(&self, phrase: &str) -> bool {
        self.description.to_ascii_lowercase().contains(phrase)
    }
}

/// Words by which Telegram refuses a topic: gone, closed, or none in this chat.
const OF_TOPICS: [&str; 5] = [
    "thread not found",
    "topic_closed",
    "topic_deleted",
    "topic_id_invalid",
    "message_thread_id",
];

/// Words of Telegram's, and what they mean.
type Situation = (&'static str, fn() -> String);

/// Situations that people meet, by words of Telegram's descriptions.
const SITUATIONS: &[Situation] = &[
    ("bot was blocked by the user", messages::blocked),
    ("user is deactivated", messages::account_gone),
    ("bot can't initiate conversation", messages::never_started),
    ("bot was kicked", messages::removed),
    ("bot is not a member", messages::removed),
    ("chat not found", messages::chat_gone),
    ("message thread not found", messages::topic_gone),
    ("topic_closed", messages::topic_closed),
    ("topic_deleted", messages::topic_gone),
    ("not enough rights", messages::no_rights),
    ("chat_write_forbidden", messages::no_rights),
    ("need administrator rights", messages::no_rights),
    ("message to edit not found", messages::message_gone),
    ("message can't be edited", messages::message_gone),
    ("file is too big", messages::file_too_big),
    ("request entity too large", messages::file_too_big_to_send),
];

fn readable(refusal: &Refusal) -> String {
    let known = SITUATIONS.iter().find(|(words, _)| refusal.says(words));
    match known {
        Some((_, situation)) => situation(),
        None => refusal
            .description
            .chars()
            .take(QUOTED_CHARACTERS)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn check(code: u16, description: &str, expected: &ChannelError) {
        let refusal = Refusal {
            code,
            description: description.to_owned(),
            retry_after: None,
            moved_to: None,
        };
        let to = Address::chat("telegram", "7");
        assert_eq!(
            of_send(CallError::Refused(refusal), &to),
            *expected,
            "{description}"
        );
    }

    #[test]
    fn refusals_say_what_to_do_next() {
        check(
            400,
            "Bad Request: message is too long",
            &ChannelError::TooLong,
        );
        check(400, "Bad Request: MESSAGE_TOO_LONG", &ChannelError::TooLong);
        check(
            400,
            "Bad Request: message caption is too long",
            &ChannelError::TooLong,
        );
        check(
            403,
            "Forbidden: bot was blocked by the user",
            &ChannelError::Rejected("the person blocked the bot".to_owned()),
        );
        check(
            400,
            "Bad Request: chat not found",
            &ChannelError::Rejected("there is no such chat for this bot".to_owned()),
        );
        check(
            400,
            "Bad Request: something new",
            &ChannelError::Rejected("Bad Request: something new".to_owned()),
        );
        check(
            401,
            "Unauthorized",
            &ChannelError::Unauthorized(messages::token_refused(401)),
        );
        check(
            404,
            "Not Found",
            &ChannelError::Unauthorized(messages::token_refused(404)),
        );
    }

    #[test]
    fn chat_f11_a_refused_topic_is_not_the_chat() {
        let mut to = Address::chat("telegram", "-5");
        let refused = |description: &str, to: &Address| {
            let refusal = Refusal {
                code: 400,
                description: description.to_owned(),
                retry_after: None,
                moved_to: None,
            };
            of_send(CallError::Refused(refusal), to)
        };
        let gone = "Bad Request: message thread not found";
        assert!(matches!(refused(gone, &to), ChannelError::Rejected(_)));
        to.thread = Some("77".into());
        for words in [
            gone,
            "Bad Request: TOPIC_CLOSED",
            "Bad Request: TOPIC_DELETED",
        ] {
            assert!(
                matches!(refused(words, &to), ChannelError::ThreadGone(_)),
                "{words}"
            );
        }
        let kicked = "Forbidden: bot was kicked from the supergroup chat";
        assert!(matches!(refused(kicked, &to), ChannelError::Rejected(_)));
    }

    #[test]
    fn pace_and_migration_are_values() {
        let to = Address::chat("telegram", "-5");
        let mut refusal = Refusal {
            code: 400,
            description: "Bad Request: group chat was upgraded to a supergroup chat".to_owned(),
            retry_after: None,
            moved_to: Some(-1005),
        };
        let moved = of_send(CallError::Refused(refusal.clone()), &to);
        assert_eq!(
            moved,
            ChannelError::Moved(Address::chat("telegram", "-1005"))
        );

        refusal.code = 429;
        refusal.retry_after = Some(Duration::from_secs(3));
        let paced = of_send(CallError::Refused(refusal), &to);
        assert_eq!(paced, ChannelError::RetryAfter(Duration::from_secs(3)));
    }

    #[test]
    fn lost_answer_is_ambiguous_only_where_a_repetition_would_show() {
        let to = Address::chat("telegram", "7");
        let lost = CallError::AnswerLost("cut".to_owned());
        assert_eq!(
            of_send(lost.clone(), &to),
            ChannelError::Ambiguous("cut".to_owned())
        );
        assert_eq!(
            of_repeatable(lost, Some(&to)),
            ChannelError::Unreachable("cut".to_owned())
        );
    }
}
