//! What is said of commands: to the model in English, to people in their language.

use sayso_core::text;

use super::justification::Justification;
use super::portable_syntax::Ambiguity;
use super::script::Unreadable;
use crate::access::Access;

/// How many characters of somebody's text a reason quotes.
const QUOTED_CHARACTERS: usize = 60;

/// Quotes somebody's text on one line, so that it can neither close its quotation nor hide
/// anything. A long one is cut with an ellipsis: the whole command stands elsewhere.
pub fn quoted(text: &str) -> String {
    let mut letters = text.trim().chars();
    let mut shown = String::from("`");
    for letter in letters.by_ref().take(QUOTED_CHARACTERS) {
        match letter {
            '`' => shown.push('\''),
            '\'' | '"' | '\\' => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
    }
    if letters.next().is_some() {
        shown.push('…');
    }
    shown.push('`');
    shown
}

/// The tool was called with more access than the text of the command needs.
pub(crate) fn asks_for(access: Access) -> Justification {
    match access {
        Access::Workspace => only_reads(),
        Access::Network => {
            Justification::said(|language| text!(language, "policy-reasons-asks-for-network"))
        }
        Access::System => {
            Justification::said(|language| text!(language, "policy-reasons-asks-for-system"))
        }
    }
}

/// A rule allows the command, which does not free what reaches this far.
pub(crate) fn reaches(access: Access) -> Justification {
    match access {
        Access::Workspace => only_reads(),
        Access::Network => {
            Justification::said(|language| text!(language, "policy-reasons-reaches-network"))
        }
        Access::System => {
            Justification::said(|language| text!(language, "policy-reasons-reaches-system"))
        }
    }
}

pub(crate) fn is_unconfined() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-is-unconfined"))
}

pub(crate) fn only_reads() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-only-reads"))
}

pub(crate) fn nothing_to_run() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-nothing-to-run"))
}

pub(crate) fn unreadable(why: Unreadable) -> Justification {
    match why {
        Unreadable::TooMuch => {
            Justification::said(|language| text!(language, "policy-reasons-unreadable-too-much"))
        }
        Unreadable::NotAScript => Justification::said(|language| {
            text!(language, "policy-reasons-unreadable-not-a-script")
        }),
        Unreadable::Ambiguous(what) => ambiguous(what),
    }
}

pub(crate) fn rules_are_broken() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-rules-are-broken"))
}

pub(crate) fn unknown_program(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-unknown-program", program))
}

pub(crate) fn unknown_subcommand(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-unknown-subcommand", program))
}

pub(crate) fn unknown_option(program: &str, option: &str) -> Justification {
    let option = quoted(option);
    let program = quoted(program);
    Justification::said(|language| {
        text!(language, "policy-reasons-unknown-option", option, program)
    })
}

pub(crate) fn not_literal(word: &str) -> Justification {
    let word = quoted(word);
    Justification::said(|language| text!(language, "policy-reasons-not-literal", word))
}

/// A file in the workspace tells the program what to load or run.
pub(crate) fn obeys_settings(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-obeys-settings", program))
}

/// A directory that came with a clone can be a repository of its own, whose configuration names
/// programs to run.
pub(crate) fn in_another_repository() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-in-another-repository"))
}

pub(crate) fn by_its_path(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-by-its-path", program))
}

pub(crate) fn outside(path: &str) -> Justification {
    let path = quoted(path);
    Justification::said(|language| text!(language, "policy-reasons-outside", path))
}

pub(crate) fn keeps_secrets(path: &str) -> Justification {
    let path = quoted(path);
    Justification::said(|language| text!(language, "policy-reasons-keeps-secrets", path))
}

pub(crate) fn writes(path: &str) -> Justification {
    let path = quoted(path);
    Justification::said(|language| text!(language, "policy-reasons-writes", path))
}

pub(crate) fn sends_to(host: Option<&str>) -> Justification {
    match host.map(quoted) {
        Some(host) => {
            Justification::said(|language| text!(language, "policy-reasons-sends-to", host))
        }
        None => Justification::said(|language| text!(language, "policy-reasons-sends")),
    }
}

pub(crate) fn deletes(word: &str) -> Justification {
    let word = quoted(word);
    Justification::said(|language| text!(language, "policy-reasons-deletes", word))
}

pub(crate) fn overwrites_device(path: &str) -> Justification {
    let path = quoted(path);
    Justification::said(|language| text!(language, "policy-reasons-overwrites-device", path))
}

pub(crate) fn sets_variable(name: &str) -> Justification {
    let name = quoted(name);
    Justification::said(|language| text!(language, "policy-reasons-sets-variable", name))
}

pub(crate) fn structure() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-structure"))
}

/// Shells would run different commands.
pub(crate) fn ambiguous(what: Ambiguity) -> Justification {
    match what {
        Ambiguity::HereDocument => Justification::said(|language| {
            text!(language, "policy-reasons-ambiguous-here-document")
        }),
        Ambiguity::Continuation => {
            Justification::said(|language| text!(language, "policy-reasons-ambiguous-continuation"))
        }
        Ambiguity::Quoting => {
            Justification::said(|language| text!(language, "policy-reasons-ambiguous-quoting"))
        }
        Ambiguity::Redirection => {
            Justification::said(|language| text!(language, "policy-reasons-ambiguous-redirection"))
        }
        Ambiguity::ControlCharacter => Justification::said(|language| {
            text!(language, "policy-reasons-ambiguous-control-character")
        }),
        Ambiguity::Syntax => {
            Justification::said(|language| text!(language, "policy-reasons-ambiguous-syntax"))
        }
    }
}

pub(crate) fn background() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-background"))
}

pub(crate) fn function() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-function"))
}

pub(crate) fn fork_bomb() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-fork-bomb"))
}

pub(crate) fn substitution() -> Justification {
    Justification::said(|language| text!(language, "policy-reasons-substitution"))
}

pub(crate) fn takes_input(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-takes-input", program))
}

pub(crate) fn wraps(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-wraps", program))
}

pub(crate) fn acts_in_language(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-acts-in-language", program))
}

pub(crate) fn feeds_a_shell(program: &str) -> Justification {
    let program = quoted(program);
    Justification::said(|language| text!(language, "policy-reasons-feeds-a-shell", program))
}
