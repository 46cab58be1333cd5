//! What a session says in its own words.

use std::num::NonZeroU32;

use sayso_channel::ChatKind;
use sayso_channel::Language;
use sayso_channel::text;
use sayso_core::transcript::{Condensed, KeyRefused, PlannedStep};

/// The button below the outcome of a turn that failed and may be tried again.
pub fn try_again(language: Language) -> &'static str {
    text!(language, "sessions-try-again")
}

/// The line in place of that button.
pub fn tried_again(language: Language) -> &'static str {
    text!(language, "sessions-tried-again")
}

/// The button below the live message.
pub fn stop(language: Language) -> &'static str {
    text!(language, "sessions-stop")
}

/// Messages that came too fast were skipped; `rate` is how many may come within a minute, where it
/// is one number.
pub fn skipped(count: i64, rate: Option<NonZeroU32>, language: Language) -> String {
    let why = match rate {
        Some(rate) => text!(language, "sessions-skipped-why-rate", rate = rate.get()),
        None => text!(language, "sessions-skipped-why-many").to_owned(),
    };
    text!(language, "sessions-skipped", count, why)
}

/// The outcome of a turn whose card expired without an answer.
pub fn expired(request: &str, language: Language) -> String {
    let request = quoted(request);
    text!(language, "sessions-expired", request)
}

/// What stands in the live message of such a turn where its card says the rest.
pub fn waited_in_vain(language: Language) -> &'static str {
    text!(language, "sessions-waited-in-vain")
}

/// The outcome of a turn whose card could not be delivered; `why` is the platform's reason.
pub fn unshown(request: &str, why: &str, language: Language) -> String {
    let request = quoted(request);
    text!(language, "sessions-unshown", why, request)
}

/// The outcome of a turn that could not be done; `why` is in plain words.
pub fn failed(why: &str) -> String {
    format!("⚠️ {why}")
}

/// Tells the asker that a call needs an owner's yes, and that no owner can be asked.
pub fn no_owner_to_ask(language: Language) -> String {
    text!(language, "sessions-no-owner-to-ask").to_owned()
}

/// Tells owners of a key that its service takes no longer, while something else answers.
pub fn key_refused(key: &KeyRefused, language: Language) -> String {
    let KeyRefused { server, number, of } = key;
    let is_only = *of == 1;
    {
        let which = if is_only {
            text!(language, "sessions-key-refused-only-key").to_owned()
        } else {
            text!(language, "sessions-key-refused-one-of-keys", number, of)
        };
        let meanwhile = if is_only {
            text!(language, "sessions-key-refused-other-model")
        } else {
            text!(language, "sessions-key-refused-other-keys")
        };
        text!(language, "sessions-key-refused", server, which, meanwhile)
    }
}

/// Why a turn ends for whose work there is no driver in this version.
pub fn no_driver(language: Language) -> &'static str {
    text!(language, "sessions-no-driver")
}

/// Why a turn ends whose project is not there any more, or not for its user.
pub fn project_gone(language: Language) -> &'static str {
    text!(language, "sessions-project-gone")
}

/// Why a turn is given up that was interrupted again and again.
pub fn interrupted_too_often(language: Language) -> &'static str {
    text!(language, "sessions-interrupted-too-often")
}

/// What a card says of a call with a secret in it.
pub fn secret_is_hidden(language: Language) -> &'static str {
    text!(language, "sessions-secret-is-hidden")
}

/// The live message of a turn that was interrupted.
pub fn starts_again(language: Language) -> &'static str {
    text!(language, "sessions-starts-again")
}

/// The note to a turn about processes that have ended in the background.
pub fn processes_ended(ids: &[String]) -> String {
    format!(
        "[Sayso: what ran in the background has ended: `{}`; `read_result` says how]",
        ids.join("`, `")
    )
}

/// The note to a turn about routines that have reported into its chat.
pub fn routines_reported(names: &[String]) -> String {
    format!(
        "[Sayso: these routines have reported into this chat since: {}; what they said is not \
         shown here]",
        names.join(", ")
    )
}

/// The note to a resumed turn about what happened while it waited.
pub fn happened_meanwhile(turns: i64, language: Language) -> String {
    text!(language, "sessions-happened-meanwhile", turns)
}

/// What was said in a group around a message, before the message. Further lines of a message are
/// indented, so that none of it can be mistaken for a line written by the system.
pub fn said_around(lines: &[&str], text: &str, language: Language) -> String {
    let indented = |line: &&str| line.lines().collect::<Vec<_>>().join("\n  ");
    let ctx = lines.iter().map(indented).collect::<Vec<_>>().join("\n");
    text!(language, "sessions-said-around", ctx, text)
}

/// The notice that what somebody says waits for a turn of its own.
pub fn queued_behind(language: Language) -> &'static str {
    text!(language, "sessions-queued-behind")
}

/// The button that has it join the turn that runs.
pub fn join_now(language: Language) -> &'static str {
    text!(language, "sessions-join-now")
}

/// The button that ends the turn for it.
pub fn interrupt_now(language: Language) -> &'static str {
    text!(language, "sessions-interrupt-now")
}

/// What stands in the notice when nothing of it waits any more and it cannot be deleted.
pub fn queue_is_over(language: Language) -> &'static str {
    text!(language, "sessions-queue-is-over")
}

/// What the model sees before a message that joins a turn under way.
fn joined_heading(language: Language) -> &'static str {
    text!(language, "sessions-joined-heading")
}

/// A message that joins a turn under way, for the model.
pub fn joined(text: &str, language: Language) -> String {
    format!("{}{text}", joined_heading(language))
}

/// Returns the words of a message that joined a turn, without what is added for the model.
pub fn joined_words(text: &str) -> String {
    let headings = Language::ALL.map(joined_heading);
    let words = headings.iter().find_map(|it| text.strip_prefix(it));
    words.unwrap_or(text).to_owned()
}

/// The model is being loaded.
pub fn starting(language: Language) -> &'static str {
    text!(language, "sessions-starting")
}

/// The model reads the prompt; `percent` is the percentage read.
pub fn reading(percent: u8, language: Language) -> String {
    text!(language, "sessions-reading", percent)
}

/// The model has given no sign for a while.
pub fn still_waiting(language: Language) -> &'static str {
    text!(language, "sessions-still-waiting")
}

/// The line of the live message that repeats the first words of what joined.
pub fn got_it(words: &str, language: Language) -> String {
    let words = literal(&beginning(words, QUOTED_CHARS));
    text!(language, "sessions-got-it", words)
}

/// The line of the live message in place of the oldest steps.
pub fn earlier_steps(count: usize, language: Language) -> String {
    text!(language, "sessions-earlier-steps", count)
}

/// The button for an answer that is none of the choices.
pub fn something_else(language: Language) -> &'static str {
    text!(language, "sessions-something-else")
}

/// The button that ends the asking.
pub fn never_mind(language: Language) -> &'static str {
    text!(language, "sessions-never-mind")
}

/// Below a question whose answer will be written.
pub fn just_write(chat: ChatKind, language: Language) -> &'static str {
    match chat {
        ChatKind::Direct => text!(language, "sessions-just-write-direct"),
        ChatKind::Group => text!(language, "sessions-just-write-group"),
    }
}

/// Below a question that needs no answer any more.
pub fn left_it(language: Language) -> &'static str {
    text!(language, "sessions-left-it")
}

/// A plan whose person is asked about it.
pub fn plan(steps: &[PlannedStep], language: Language) -> String {
    let lines: Vec<String> = steps.iter().map(PlannedStep::line).collect();
    let lines = lines.join("\n");
    text!(language, "sessions-plan", lines)
}

/// What is asked about a plan.
pub fn asks_about_plan(language: Language) -> &'static str {
    text!(language, "sessions-asks-about-plan")
}

/// The button that has a plan followed.
pub fn follow_plan(language: Language) -> &'static str {
    text!(language, "sessions-follow-plan")
}

/// The button that has it not followed.
pub fn stop_plan(language: Language) -> &'static str {
    text!(language, "sessions-stop-plan")
}

/// Below a plan that is not followed.
pub fn plan_stopped(language: Language) -> &'static str {
    text!(language, "sessions-plan-stopped")
}

/// A question with its answer in place of its buttons.
pub fn answered(question: &str, answer: &str) -> String {
    let answer: String = answer.chars().take(200).collect();
    format!("{question}\n\n↳ {answer}")
}

/// The note about what was learned. It is a message of its own, since it answers no request.
pub fn noted(facts: &[&str], language: Language) -> String {
    let literals: Vec<String> = facts.iter().map(|fact| literal(fact)).collect();
    let facts = match literals.as_slice() {
        [one] => one.clone(),
        several => format!("\n- {}", several.join("\n- ")),
    };
    text!(language, "sessions-noted", facts)
}

/// The button of that note.
pub fn undo(language: Language) -> &'static str {
    text!(language, "sessions-undo")
}

/// The note when it was undone.
pub fn undone(language: Language) -> &'static str {
    text!(language, "sessions-undone")
}

/// Returns words of somebody as they are, whatever signs are in them.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        if letter.is_ascii_punctuation() && "\\*_[]<>#~|!&".contains(letter) {
            literal.push('\\');
        }
        literal.push(letter);
    }
    literal
}

/// The receipt of `/compact`. How much shorter it became stands in the trace.
pub fn compacted(condensed: &Condensed, language: Language) -> &'static str {
    if condensed.by_model {
        text!(language, "sessions-compacted-by-model")
    } else {
        not_summed_up(language)
    }
}

/// What is said when the older part of a conversation went out of view without a summary.
pub fn not_summed_up(language: Language) -> &'static str {
    text!(language, "sessions-not-summed-up")
}

/// The answer to `/compact` where no model can be asked, or none answers.
pub fn cannot_compact_now(language: Language) -> &'static str {
    text!(language, "sessions-cannot-compact-now")
}

/// The answer to `/compact` in a conversation that is short.
pub fn nothing_to_compact(language: Language) -> &'static str {
    text!(language, "sessions-nothing-to-compact")
}

/// The answer to `/compact` until its receipt comes.
pub fn compacting(language: Language) -> &'static str {
    text!(language, "sessions-compacting")
}

/// How much of a request its outcome quotes, in characters.
const QUOTED_CHARS: usize = 80;

fn quoted(request: &str) -> String {
    format!("“{}”", beginning(request, QUOTED_CHARS))
}

/// Returns the text on one line, cut with a sign that it is.
fn beginning(text: &str, chars: usize) -> String {
    let line = one_line(text);
    let mut shown: String = line.chars().take(chars).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

fn one_line(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('`', "'")
}
