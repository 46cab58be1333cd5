//! Verdicts in their usual forms.

use crate::policy::commands::options::Problem;
use crate::policy::commands::reasons;
use crate::policy::commands::rules::Rule;
use crate::policy::commands::script::Structure;
use crate::policy::commands::verdict::{
    CommandDecision, Justification, Ruled, Trait, Traits, Verdict,
};
use crate::policy::commands::word::Word;

/// Variables that change how things look and nothing else.
const HARMLESS_VARIABLES: [&str; 12] = [
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "NO_COLOR",
    "COLUMNS",
    "CLICOLOR",
];
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
        Structure::Control => uncertain(reasons::structure()),
        Structure::Background => uncertain(reasons::background()),
        Structure::Function => uncertain(reasons::function()),
        Structure::ForkBomb => Verdict::new(
            CommandDecision::Deny,
            reasons::fork_bomb(),
            Traits::NONE.with(Trait::Destructive),
        ),
    }
}

pub(super) fn of_variable(name: &str, value: &Word) -> Verdict {
    let is_harmless = HARMLESS_VARIABLES.contains(&name)
        && value.as_literal().is_some_and(|text| !text.contains('/'));
    if is_harmless {
        allowed()
    } else {
        opaque(reasons::sets_variable(name))
    }
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
