//! Why a call of the tools of this room did nothing, for the model.

use sayso_channel::Language;
use sayso_core::transcript::ToolOutcome;
use sayso_store::StoreError;

use super::keeping::{BadWords, NAME, NoTime, WORDS};
use super::triggers::{BadTrigger, NotHere};

/// Arguments that cannot be used.
pub(super) fn wrong(message: &str) -> ToolOutcome {
    ToolOutcome::invalid(message)
}

/// A number that is no routine of the user here.
pub(super) fn no_such() -> ToolOutcome {
    wrong("the user has no such routine here; take an `id` from `list`")
}

/// A text that says no time, by the name of its argument.
pub(super) fn no_time(argument: &str, text: &str, why: &NoTime) -> ToolOutcome {
    let reason = match why {
        NoTime::Missing => format!(
            "`{text}` is no schedule that is understood: write `tomorrow at 9`, `every weekday at \
             9:00`, `every 2 hours`, five fields of cron (`0 9 * * 1-5`), `at 2026-12-01 09:00`"
        ),
        NoTime::Over => "that moment is over".to_owned(),
        NoTime::TooOften(minutes) => format!("it is due at most every {minutes} minutes"),
        NoTime::Unclear(why, readings) => {
            let moments: Vec<String> = readings
                .iter()
                .map(|at| at.format("`at %Y-%m-%d %H:%M`").to_string())
                .collect();
            let readings = match moments.as_slice() {
                [] => String::new(),
                _ => format!(" ({})", moments.join(" or ")),
            };
            format!(
                "{}{readings}; ask the user",
                why.in_words(Language::English)
            )
        }
    };
    wrong(&format!("`{argument}`: {reason}"))
}

/// What cannot start a routine.
pub(super) fn bad_trigger(why: BadTrigger) -> ToolOutcome {
    wrong(match why {
        BadTrigger::Glob => {
            "`on_file` is a pattern of names in the workspace of at most 200 characters, such as \
             `reports/*.csv`, `*.md` or `notes/`"
        }
        BadTrigger::SecretFiles => "files that keep secrets start no routine",
        BadTrigger::Count => "`on_words` has 1 to 10 words or phrases",
        BadTrigger::Phrase => {
            "each of `on_words` has at least two letters or one Chinese character, and at most 80 \
             characters"
        }
    })
}

/// What cannot start a routine that is made here.
pub(super) fn not_here(why: NotHere) -> ToolOutcome {
    wrong(match why {
        NotHere::NoGroup => {
            "words are listened for in a group: the user is to ask for this in that group"
        }
        NotHere::Group => {
            "a webhook has a key that only its user may see: the user is to ask for this in the \
             direct chat"
        }
        NotHere::NoListener => {
            "webhooks need the HTTP listener, which the operator has not opened (`http.listen`)"
        }
    })
}

/// Words that are not kept, by the name of their argument.
pub(super) fn wrong_words(argument: &str, why: BadWords) -> ToolOutcome {
    let most = if argument == "name" { NAME } else { WORDS };
    match why {
        BadWords::Missing => wrong(&format!("`{argument}` is empty")),
        BadWords::TooLong(length) => wrong(&format!(
            "`{argument}` has {length} characters; 1 to {most} are allowed"
        )),
        BadWords::Orders => ToolOutcome::denied(
            "the text gives orders to get around the rules of a model, and such a text is not kept",
        ),
    }
}

/// A turn that was itself scheduled makes and changes none.
pub(super) fn not_by_routine() -> ToolOutcome {
    ToolOutcome::denied(
        "this turn was scheduled itself, and such a turn makes, changes and starts no routines and \
         reminders; say in your report what the user could have made",
    )
}

/// The store failed. The reason is for the operator.
pub(super) fn failed(error: &StoreError) -> ToolOutcome {
    tracing::error!(%error, "cannot read or write routines");
    ToolOutcome::not_run("routines cannot be reached at the moment; tell the user")
}
