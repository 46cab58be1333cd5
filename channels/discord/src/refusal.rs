//! From what Discord refused, or left unsaid, to what delivery does next.

use sayso_channel::ChannelError;

use crate::messages;
use crate::rest::{CallError, Refusal};

/// The longest stretch of Discord's own words that is passed on, in characters.
const QUOTED_CHARACTERS: usize = 200;

/// What a failed call means when doing it twice would be seen: a message sent.
pub(crate) fn of_send(error: CallError) -> ChannelError {
    match error {
        CallError::AnswerLost(why) => ChannelError::Ambiguous(why),
        other => of_repeatable(other),
    }
}

/// What a failed call means when doing it twice does no harm: edits, typing, questions.
pub(crate) fn of_repeatable(error: CallError) -> ChannelError {
    match error {
        CallError::NotSent(why) | CallError::AnswerLost(why) => ChannelError::Unreachable(why),
        CallError::Limited(pause) => ChannelError::RetryAfter(pause),
        CallError::Refused(refusal) => of_refusal(&refusal),
    }
}

fn of_refusal(refusal: &Refusal) -> ChannelError {
    match (refusal.status, refusal.code) {
        (401, _) => ChannelError::Unauthorized(messages::token_refused()),
        _ if refusal.is_too_long() => ChannelError::TooLong,
        _ => ChannelError::Rejected(readable(refusal)),
    }
}

impl Refusal {
    /// Returns whether the text, and not a label or a name, is over Discord's limit.
    fn is_too_long(&self) -> bool {
        self.complaints.iter().any(|complaint| {
            complaint.field == "content" && complaint.code == "BASE_TYPE_MAX_LENGTH"
        })
    }
}

fn readable(refusal: &Refusal) -> String {
    match messages::situation(refusal.code, refusal.status) {
        Some(situation) => situation.to_owned(),
        None => in_its_own_words(refusal),
    }
}

/// Quotes Discord, with the field that it complains about.
fn in_its_own_words(refusal: &Refusal) -> String {
    let said = match refusal.complaints.first() {
        Some(complaint) => format!(
            "{} ({}: {})",
            refusal.message, complaint.field, complaint.code
        ),
        None => format!("{} ({})", refusal.message, refusal.status),
    };
    said.chars().take(QUOTED_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rest::Complaint;

    fn refusal(status: u16, code: u32) -> Refusal {
        Refusal {
            status,
            code,
            message: "No".to_owned(),
            complaints: Vec::new(),
        }
    }

    #[track_caller]
    fn check(status: u16, code: u32, expected: &str) {
        assert_eq!(
            of_send(CallError::Refused(refusal(status, code))),
            ChannelError::Rejected(expected.to_owned())
        );
    }

    #[test]
    fn refusals_are_said_as_people_meet_them() {
        check(403, 50001, "the bot cannot see this channel");
        check(
            403,
            50013,
            "the bot has no permission to do this in the channel",
        );
        check(
            403,
            50007,
            "this person takes no direct messages from the bot",
        );
        check(404, 10003, "there is no such channel for this bot any more");
        check(404, 10008, "the message is gone");
        check(413, 0, "the file is larger than Discord takes here");
        check(
            403,
            0,
            "the bot is not in this server any more, or may not do this there",
        );
        check(400, 99999, "No (400)");
    }

    #[test]
    fn text_over_the_limit_is_cut_anew_and_a_label_is_not() {
        let mut long = refusal(400, 50035);
        let complain = |field: &str| Complaint {
            field: field.to_owned(),
            code: "BASE_TYPE_MAX_LENGTH".to_owned(),
        };
        long.complaints = vec![complain("content")];
        assert_eq!(
            of_send(CallError::Refused(long.clone())),
            ChannelError::TooLong
        );
        long.complaints = vec![complain("components.0.components.0.label")];
        assert_eq!(
            of_send(CallError::Refused(long)),
            ChannelError::Rejected(
                "No (components.0.components.0.label: BASE_TYPE_MAX_LENGTH)".to_owned()
            )
        );
    }

    #[test]
    fn refused_token_is_one_whatever_was_asked() {
        let refused = CallError::Refused(refusal(401, 0));
        assert!(matches!(
            of_repeatable(refused),
            ChannelError::Unauthorized(_)
        ));
    }

    #[test]
    fn lost_answer_is_ambiguous_only_where_a_repetition_would_show() {
        let lost = CallError::AnswerLost("cut".to_owned());
        assert_eq!(
            of_send(lost.clone()),
            ChannelError::Ambiguous("cut".to_owned())
        );
        assert_eq!(
            of_repeatable(lost),
            ChannelError::Unreachable("cut".to_owned())
        );
    }

    #[test]
    fn limit_is_pacing() {
        let pause = Duration::from_secs(2);
        assert_eq!(
            of_send(CallError::Limited(pause)),
            ChannelError::RetryAfter(pause)
        );
    }
}
