//! From findings to a treatment.

use super::{Finding, Screening, Treatment};

/// From this sum on a text is reviewed.
const REVIEW: f32 = 1.0;
/// From this sum on a text is recorded.
const WARN: f32 = 0.5;
/// How far apart findings may stand that are added, in bytes of the text. What a long text says
/// here and there is no order.
const NEAR: usize = 600;

/// How many findings of one text are kept, the heaviest; more would cost time and say nothing.
pub(crate) const MAX_FINDINGS: usize = 1024;

/// Adds up findings that stand close together, each rule once.
pub(crate) fn screen(mut findings: Vec<Finding>) -> Screening {
    if findings.len() > MAX_FINDINGS {
        findings.sort_by(|one, other| {
            let blocks = other.may_block.cmp(&one.may_block);
            blocks.then(other.weight.total_cmp(&one.weight))
        });
        findings.truncate(MAX_FINDINGS);
    }
    findings.sort_by(|one, other| {
        let place = |finding: &Finding| (finding.span.start, finding.span.end);
        place(one).cmp(&place(other))
    });
    findings.dedup();
    let score = highest(&findings);
    let treatment = if findings.iter().any(|finding| finding.may_block) {
        Treatment::Block
    } else if score >= REVIEW {
        Treatment::Review
    } else if score >= WARN {
        Treatment::Warn
    } else {
        Treatment::Clean
    };
    Screening {
        treatment,
        score,
        findings,
    }
}

/// What is said of any text when the rules cannot be used.
pub(crate) fn unreadable() -> Screening {
    Screening {
        treatment: Treatment::Review,
        score: REVIEW,
        findings: Vec::new(),
    }
}

fn highest(findings: &[Finding]) -> f32 {
    let mut highest = 0.0_f32;
    for (place, first) in findings.iter().enumerate() {
        let near = findings
            .iter()
            .skip(place)
            .take_while(|finding| finding.span.start <= first.span.start + NEAR);
        highest = highest.max(sum(near));
    }
    highest
}

/// Adds the weights, of findings of one rule the highest.
fn sum<'a>(findings: impl Iterator<Item = &'a Finding>) -> f32 {
    let mut rules: Vec<(&str, f32)> = Vec::new();
    for finding in findings {
        match rules.iter_mut().find(|(rule, _)| *rule == finding.rule) {
            Some((_, weight)) => *weight = weight.max(finding.weight),
            None => rules.push((finding.rule, finding.weight)),
        }
    }
    rules.iter().map(|(_, weight)| weight).sum()
}
