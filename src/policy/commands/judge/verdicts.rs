//! Verdicts in their usual forms.

use crate::commands::justification::Justification;
use crate::commands::options::Problem;
use crate::commands::reasons;
use crate::commands::rules::Rule;
use crate::commands::script::Structure;
use crate::commands::traits::{Trait, Traits};
use crate::commands::verdict::{CommandDecision, Ruled, Verdict};
use crate::commands::word::Word;

/// Variables that change how things look and nothing else.
const HARMLESS_VARIABLES: [&str; 22] = [
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TIME",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "TERM",
    "COLUMNS",
    "LINES",
    "BLOCKSIZE",
    "POSIXLY_CORRECT",
];

/// Returns whether a time zone is named by its area and city, and not as a file.
fn is_time_zone(text: &str) -> bool {
    let is_name = |name: &str| {
        name.chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "_+-".contains(letter))
    };
    !text.starts_with('/') && text.split('/').count() <= 3 && text.split('/').all(is_name)
}

pub(super) fn allowed() -> Verdict {
    Verdict::new(CommandDecision::Allow, reasons::only_reads(), Traits::NONE)
}

pub(super) fn ask(why: Justification, traits: &[Trait]) -> Verdict {
    let traits = traits.iter().copied().collect();
    Verdict::new(CommandDecision::Ask, why, traits)
}

/// What it runs is not in its text.
pub(super) fn opaque(why: Justification) -> Verdict {
    ask(why, &[Trait::Opaque])
}

/// What its text means is not certain.
pub(super) fn uncertain(why: Justification) -> Verdict {
    ask(why, &[Trait::Opaque, Trait::Uncertain])
}

pub(super) fn of_rule(rule: &Rule) -> Verdict {
    Verdict::new(rule.decision, rule.justification.clone(), rule.traits())
}

pub(super) fn of_problem(program: &str, problem: Problem) -> Verdict {
    match problem {
        Problem::NotLiteral(word) => uncertain(reasons::not_literal(&word)),
        Problem::Unknown(option) => ask(reasons::unknown_option(program, &option), &[]),
    }
}

pub(super) fn of_structure(structure: Structure) -> Verdict {
    match structure {
        Structure::Steps => allowed(),
        Structure::Control => uncertain(reasons::structure()),
        Structure::Background => uncertain(reasons::background()),
        Structure::Function => uncertain(reasons::function()),
        Structure::Ambiguous(ambiguity) => uncertain(reasons::ambiguous(ambiguity)),
        Structure::ForkBomb => Verdict::new(
            CommandDecision::Deny,
            reasons::fork_bomb(),
            Traits::NONE.with(Trait::Destructive),
        ),
    }
}

pub(super) fn of_variable(name: &str, value: &Word) -> Verdict {
    let is_harmless = value.as_literal().is_some_and(|text| match name {
        "TZ" => is_time_zone(text),
        _ if !HARMLESS_VARIABLES.contains(&name) || text.contains('/') => false,
        _ => !(name == "LANG" || name.starts_with("LC_")) || has_plain_letters(text),
    });
    if is_harmless {
        allowed()
    } else {
        opaque(reasons::sets_variable(name))
    }
}

/// Returns whether no letter of a locale is written with the bytes of others. In some a letter may
/// end in that of a quote or a backslash, so that a program is split elsewhere than it is read here.
fn has_plain_letters(locale: &str) -> bool {
    let encoding = locale.rsplit('.').next().unwrap_or(locale);
    matches!(
        encoding.to_ascii_lowercase().as_str(),
        "" | "c" | "posix" | "utf-8" | "utf8"
    )
}

/// What becomes of a judgement by a rule of the operator, which loosens neither what is forbidden
/// nor what cannot be read for certain or keeps secrets.
pub(super) fn ruled(mut judged: Verdict, rule: &Rule) -> Verdict {
    let traits = judged.traits.and(rule.traits());
    let is_loosened = judged.decision == CommandDecision::Ask
        && !traits.has(Trait::Uncertain)
        && !traits.has(Trait::Secrets);
    let by_rule = |ruled| Verdict {
        ruled,
        ..Verdict::new(rule.decision, rule.justification.clone(), traits)
    };
    match (rule.decision, judged.decision) {
        (_, CommandDecision::Deny) => judged,
        (CommandDecision::Deny, _) => by_rule(Ruled::default()),
        (CommandDecision::Ask, _) => {
            let own = std::mem::take(&mut judged.reasons);
            let mut verdict = by_rule(Ruled {
                asks: true,
                ..Ruled::default()
            });
            verdict.reasons.merge(own);
            verdict
        }
        (CommandDecision::Allow, _) if is_loosened => by_rule(Ruled {
            allows: true,
            ..judged.ruled
        }),
        (CommandDecision::Allow, _) => judged,
    }
}
