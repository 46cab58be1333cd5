//! The plan of a turn: what the model means to do, written down where it is not forgotten.

use serde::{Deserialize, Serialize};

/// How many steps a plan has at most.
pub const PLAN_STEPS: usize = 12;
/// The longest step, and the longest check of one, in characters.
pub const PLAN_STEP_CHARS: usize = 120;

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// What is to be done, on one line.
    pub text: String,
    /// Whether it is.
    pub is_done: bool,
    /// How it is seen to be done, on one line; steps that the tool `plan` writes down have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

impl PlannedStep {
    /// Returns it as a line with a box before it, and its check behind it.
    pub fn line(&self) -> String {
        let mark = if self.is_done { '☑' } else { '☐' };
        match &self.check {
            Some(check) => format!("{mark} {} → {check}", self.text),
            None => format!("{mark} {}", self.text),
        }
    }
}

/// Returns steps as they were written anew, with the checks that steps of the same words had before.
pub fn with_known_checks(steps: &[PlannedStep], before: &[PlannedStep]) -> Vec<PlannedStep> {
    let check_of = |step: &PlannedStep| {
        let known = before.iter().find(|known| known.text == step.text);
        known.and_then(|known| known.check.clone())
    };
    let steps = steps.iter();
    steps
        .map(|step| PlannedStep {
            check: step.check.clone().or_else(|| check_of(step)),
            ..step.clone()
        })
        .collect()
}

/// Whether a plan waits for its person before it is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanApproval {
    /// It is followed at once.
    #[default]
    Never,
    /// Its person is asked first.
    Ask,
}

#[cfg(test)]
mod tests {
    use super::{PlannedStep, with_known_checks};

    fn step(text: &str, is_done: bool, check: Option<&str>) -> PlannedStep {
        PlannedStep {
            text: text.to_owned(),
            is_done,
            check: check.map(str::to_owned),
        }
    }

    #[test]
    fn a_step_that_is_ticked_off_keeps_its_check() {
        let before = [step("a", false, Some("see a")), step("b", false, None)];
        let ticked = [step("a", true, None), step("c", false, None)];
        let kept = with_known_checks(&ticked, &before);
        let lines: Vec<String> = kept.iter().map(PlannedStep::line).collect();
        assert_eq!(lines, ["☑ a → see a", "☐ c"]);
    }

    #[test]
    fn steps_of_older_journals_have_no_check() {
        let read: PlannedStep = serde_json::from_str(r#"{"text":"a","is_done":true}"#).unwrap();
        assert_eq!(read, step("a", true, None));
    }
}
