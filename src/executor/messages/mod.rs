//! The results of calls in our own words, where no tool speaks: for the model, and beside it the
//! line for people.

mod acts;

pub use acts::{PeopleLine, doing, folded, report_line, result_line, running_line, withheld_line};

use sayso_channel::{Language, text};
use sayso_core::transcript::{FileToSend, Repetition, ToolOutcome};
use sayso_policy::Refusal;

/// The result of a call that a person refused; `by` names them where others read along.
pub fn refused(why: Option<&str>, by: Option<&str>, language: Language) -> ToolOutcome {
    let shown = match by {
        None => text!(language, "executor-refused-shown").to_owned(),
        Some(by) => text!(language, "executor-refused-shown-by", by),
    };
    ToolOutcome::Denied {
        why: refused_for_model(why, language),
        shown,
    }
}

fn refused_for_model(why: Option<&str>, language: Language) -> String {
    match why {
        None => text!(language, "executor-refused-for-model").to_owned(),
        Some(why) => text!(language, "executor-refused-for-model-why", why),
    }
}

/// The result of a call whose file the chat does not take.
pub fn file_too_large(file: &FileToSend, most: u64) -> ToolOutcome {
    let (name, bytes) = (&file.name, file.bytes);
    let error = format!(
        "not sent: this chat takes files of at most {most} bytes, and {name} has {bytes}. Pack it, \
         split it, or send the part that matters"
    );
    ToolOutcome::Failed {
        error,
        partial: None,
    }
}

/// The result of a call that would only repeat others.
pub fn repeated(tool: &str, repetition: Repetition, language: Language) -> ToolOutcome {
    let why = match repetition {
        Repetition::ThirdTime => text!(language, "executor-repeated-why-third-time", tool),
        Repetition::GoesRound => text!(language, "executor-repeated-why-goes-round", tool),
        Repetition::Blocked => text!(language, "executor-repeated-why-blocked", tool),
    };
    let what_now = text!(language, "executor-repeated-what-now");
    ToolOutcome::repeated(format!("{why}\n{what_now}"))
}

/// The result of a call that only an owner may approve, where no owner can be asked.
pub fn no_owner_to_ask(language: Language) -> ToolOutcome {
    let why = text!(language, "executor-no-owner-to-ask-why");
    ToolOutcome::Denied {
        why: why.to_owned(),
        shown: text!(language, "executor-no-owner-to-ask").to_owned(),
    }
}

/// Why a turn ends whose call cannot be written down in the audit.
pub fn unaudited(language: Language) -> &'static str {
    text!(language, "executor-unaudited")
}

/// The result of a call that the policy refused.
pub fn denied(refusal: &Refusal, language: Language) -> ToolOutcome {
    let for_model = refusal.for_model();
    let why = if language == Language::English {
        for_model
    } else {
        format!("{}\n{for_model}", refusal.in_language(language))
    };
    let shown = shown_of(refusal, language);
    ToolOutcome::Denied { why, shown }
}

/// Returns why a call was refused, in a line for people.
fn shown_of(refusal: &Refusal, language: Language) -> String {
    match refusal {
        Refusal::Forbidden(reason) => {
            let reason = reason.in_language(language);
            return text!(language, "executor-shown-forbidden", reason);
        }
        Refusal::ChangesNothingAt(_) | Refusal::OnlyReadsAt(..) => {
            text!(language, "executor-shown-only-read")
        }
        Refusal::ChatOnly => text!(language, "executor-shown-only-chat"),
        Refusal::OwnersAlone => text!(language, "executor-shown-only-owners"),
        Refusal::OutsideTheWorkspace(_) | Refusal::ReachesTheSystem(_) => {
            text!(language, "executor-shown-outside-folder")
        }
        Refusal::NotConfined(_) => text!(language, "executor-shown-not-confined"),
        Refusal::NetworkIsOff(_) => text!(language, "executor-shown-no-internet"),
        Refusal::NotPlainCommands | Refusal::NotOnTheList { .. } | Refusal::HidesWhatItRuns(_) => {
            text!(language, "executor-shown-not-on-list")
        }
        Refusal::Host(_) => text!(language, "executor-shown-site"),
        Refusal::Secret(_) => text!(language, "executor-shown-secret"),
        Refusal::Mcp(_) => text!(language, "executor-shown-service"),
        Refusal::Member(_) => text!(language, "executor-shown-members"),
    }
    .to_owned()
}

/// Says to a model that not all that a command changed can be put back.
pub fn say_not_undoable(outcome: &mut ToolOutcome) {
    const NOTE: &str = "[not all files that this command changed can be taken back: there are too \
                        many, or too large ones]";
    let shown = match outcome {
        ToolOutcome::Success { output } => output,
        ToolOutcome::Failed { partial, .. } => partial.get_or_insert_default(),
        _ => return,
    };
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown.push_str(NOTE);
}

/// The result of a call that would require approval, where no one can be asked.
pub fn no_one_to_ask(language: Language) -> ToolOutcome {
    let why = text!(language, "executor-no-one-to-ask-why");
    ToolOutcome::Denied {
        why: why.to_owned(),
        shown: text!(language, "executor-no-one-to-ask").to_owned(),
    }
}

/// The result of a question to the person, where they do not read along.
pub fn no_one_answers(language: Language) -> ToolOutcome {
    let why = text!(language, "executor-no-one-answers-why");
    ToolOutcome::Denied {
        why: why.to_owned(),
        shown: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;
    use sayso_core::transcript::ToolOutcome;

    use super::refused;

    #[test]
    fn u9_a_refusal_has_a_line_for_people_beside_the_text_for_the_model() {
        let shown = |by, language| match refused(Some("not today"), by, language) {
            ToolOutcome::Denied { why, shown } => {
                assert!(why.ends_with("not today"), "{why}");
                shown
            }
            other => panic!("{other:?}"),
        };
        insta::assert_snapshot!(
            [
                shown(None, Language::English),
                shown(None, Language::Chinese),
                shown(Some("Ann"), Language::English),
                shown(Some("小安"), Language::Chinese),
            ]
            .join("\n"),
            @r"
        Not run: you said no
        未执行（你已拒绝）
        Not run: Ann said no
        未执行（小安 已拒绝）
        "
        );
    }
}
