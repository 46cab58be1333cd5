//! What the operator reads about a file of routines.

use sayso_channel::Language;
use sayso_channel::text;

use super::check::{Problem, Why};
use crate::routines::keeping::{BadWords, NAME, WORDS};
use crate::routines::triggers::BadTrigger;

/// One thing that is wrong: where, what, and what is allowed.
pub fn problem(problem: &Problem, language: Language) -> String {
    let line = problem.line as i64;
    let why = why(&problem.why, language);
    text!(language, "import-line", line, why)
}

fn why(why: &Why, language: Language) -> String {
    match why {
        // The reader of TOML speaks English.
        Why::Unreadable(said) => said.trim_end().replace('\n', "; "),
        Why::Person(account) => text!(language, "import-person", account),
        Why::Chat(chat) => text!(language, "import-chat", chat),
        Why::OthersChat(chat) => text!(language, "import-others-chat", chat),
        Why::Starts => text!(language, "import-starts").to_owned(),
        Why::Schedule(schedule) => text!(language, "import-schedule", schedule),
        Why::TooOften(minutes) => text!(language, "import-too-often", minutes = *minutes),
        Why::Zone(zone) => text!(language, "import-zone", zone),
        Why::From(from) => text!(language, "import-from", from),
        Why::Words(why) => bad_words("words", *why, WORDS, language),
        Why::Name(why) => bad_words("name", *why, NAME, language),
        Why::Late(late) => text!(language, "import-late", late),
        Why::Trigger(BadTrigger::Glob) => text!(language, "import-glob").to_owned(),
        Why::Trigger(BadTrigger::SecretFiles) => text!(language, "import-secret-files").to_owned(),
        Why::Trigger(BadTrigger::Count | BadTrigger::Phrase) => {
            text!(language, "import-phrases").to_owned()
        }
        Why::TriggeredReminder => text!(language, "import-triggered-reminder").to_owned(),
        Why::WordsOutsideGroup => text!(language, "import-words-outside-group").to_owned(),
        Why::WebhookInGroup => text!(language, "import-webhook-in-group").to_owned(),
        Why::NoListener => text!(language, "import-no-listener").to_owned(),
        Why::TooMany(most) => text!(language, "import-too-many", most = *most as i64),
    }
}

fn bad_words(key: &str, why: BadWords, most: usize, language: Language) -> String {
    let most = most as i64;
    match why {
        BadWords::Missing => text!(language, "import-no-words", key),
        BadWords::TooLong(length) => {
            text!(
                language,
                "import-long-words",
                key,
                length = length as i64,
                most
            )
        }
        BadWords::Orders => text!(language, "import-orders", key),
    }
}
