//! The rule router (`pre_select_tool` of old): what words alone would load, beside Phase 1.

use super::gate::{Classified, classify};
use crate::skills::{IntentAnalyzer, SkillMeta, SkillRecommender, Words};
use crate::transcript::{ByRules, RouteResult, Skipped};

/// Returns what the rules make of a message.
///
/// `skills` is the catalogue in every language, `check` what the local check says of the message,
/// `route` what Phase 1 decided, if it did.
pub fn by_rules(
    text: &str,
    skills: &[SkillMeta],
    check: Option<Skipped>,
    route: Option<&RouteResult>,
) -> ByRules {
    let chosen = match check {
        Some(Skipped::SmallTalk | Skipped::NothingMatches) => Vec::new(),
        Some(Skipped::SwitchedOff) | None => SkillRecommender::new(skills).choose(text),
    };
    let intents = IntentAnalyzer::analyze(text);
    let Classified {
        label,
        confidence,
        reason,
    } = classify(&Words::of(text), check, route, &intents);
    ByRules {
        skills: chosen,
        stood_in: false,
        label,
        confidence,
        reason,
        enable_planning: label.enables_planning(),
    }
}
