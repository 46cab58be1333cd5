//! The rule router (`pre_select_tool` of old): what words alone would load, beside Phase 1.

use sayso_core::transcript::{ByRules, RouteResult, Skipped};

use super::gate::{Classified, classify};
use crate::skills::{MessageFeatures, SkillRecommender};

/// Returns what the rules make of a message.
///
/// `check` is what the local check says of it, and `route` what Phase 1 decided, if it did.
pub fn by_rules(
    features: &MessageFeatures,
    recommender: &SkillRecommender,
    check: Option<Skipped>,
    route: Option<&RouteResult>,
) -> ByRules {
    let skills = match check {
        Some(Skipped::SmallTalk | Skipped::NothingMatches) => Vec::new(),
        Some(Skipped::SwitchedOff | Skipped::Continued) | None => recommender.choose(features),
    };
    let Classified {
        label,
        confidence,
        reason,
    } = classify(features, check, route);
    ByRules {
        skills,
        stood_in: false,
        label,
        confidence,
        reason,
        enable_planning: label.enables_planning(),
    }
}
