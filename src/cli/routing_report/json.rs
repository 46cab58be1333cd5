//! The report on routing as scripts read it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tally::{Cost, Tally};

/// What the routes of the last days come to. Counts are messages where nothing else is said.
#[derive(Debug, Serialize)]
pub(super) struct JsonReport {
    /// How many days are counted.
    days: u32,
    /// Messages that were routed.
    messages: u64,
    /// Those that no skill was loaded for.
    direct: u64,
    /// Those that skills were loaded for.
    with_skills: u64,
    /// Those that were answered by a question.
    asked_back: u64,
    /// Those that Phase 1 was not asked about, by the reason.
    phase1_skipped: BTreeMap<&'static str, u64>,
    /// Those where Phase 1 failed, so that the rules decided.
    phase1_failed: u64,
    /// What an answer of Phase 1 costs; `null` where there was none.
    phase1_cost: Option<Cost>,
    /// Where both Phase 1 and the rules chose skills or none.
    comparable: u64,
    /// How often they chose alike.
    rules_agreed: u64,
    /// By the kind that the rules say.
    kinds: BTreeMap<&'static str, u64>,
    /// Those that the rules would plan.
    worth_a_plan: u64,
    /// Answers that were asked for beside Phase 1.
    guesses: Guesses,
}

/// Answers that were asked for beside Phase 1.
#[derive(Debug, Serialize)]
struct Guesses {
    /// Those that Phase 1 agreed with.
    agreed: u64,
    /// Those that it did not agree with.
    dropped: u64,
    /// Prompt tokens of those that were dropped.
    dropped_prompt_tokens: u64,
    /// Completion tokens of those that were dropped.
    dropped_completion_tokens: u64,
}

impl JsonReport {
    /// Returns what was counted in this many days.
    pub(super) fn of(mut tally: Tally, days: u32) -> Self {
        let phase1_cost = tally.cost();
        let kinds = tally.labels.iter();
        Self {
            days,
            messages: tally.messages,
            direct: tally.direct,
            with_skills: tally.skills,
            asked_back: tally.questions,
            phase1_failed: tally.failed,
            phase1_cost,
            comparable: tally.comparable,
            rules_agreed: tally.agreed,
            kinds: kinds.map(|(kind, count)| (kind.as_str(), *count)).collect(),
            worth_a_plan: tally.planned,
            guesses: Guesses {
                agreed: tally.guesses.agreed,
                dropped: tally.guesses.dropped,
                dropped_prompt_tokens: tally.guesses.lost.prompt_tokens,
                dropped_completion_tokens: tally.guesses.lost.completion_tokens,
            },
            phase1_skipped: tally.skipped,
        }
    }
}
