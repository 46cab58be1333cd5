//! The `AGENTS.md` of the project that a turn works in: instructions once an owner accepted this
//! version of it, and text from outside until then.

use sayso_core::transcript::{CallId, OutsideSource, Scope, Taint, ToolCall, enclose, first_chars};
use sayso_tools::{INSTRUCTIONS_FILE, ProjectInstructions};
use serde_json::json;

use super::{Journal, JournalError};

/// What a project says to its turns. Without a project it is nothing, and costs nothing.
#[derive(Debug, Default)]
pub(super) struct Instructions {
    /// What an owner accepted.
    pub(super) accepted: Option<String>,
    /// What no owner accepted, in the delimiters of text from outside.
    pub(super) outside: Option<String>,
    /// Where that came from.
    pub(super) taint: Taint,
}

impl Instructions {
    /// Reads those of the project of a turn, and shows `most` characters of them.
    pub(super) async fn load(
        scope: &Scope,
        most: usize,
        journal: &mut dyn Journal,
    ) -> Result<Self, JournalError> {
        let Some(project) = &scope.project else {
            return Ok(Self::default());
        };
        let Some(mut found) = ProjectInstructions::of(&scope.workspace).await else {
            return Ok(Self::default());
        };
        if let Some(kept) = first_chars(&found.text, most) {
            found.text = kept.to_owned();
            found.is_cut = true;
        }
        if found.is_cut {
            found.text.push_str("\n[cut here]");
        }
        let accepted = journal.accepted_instructions(&project.name).await?;
        Ok(Self::of(found, accepted.as_deref()))
    }

    fn of(found: ProjectInstructions, accepted: Option<&str>) -> Self {
        if accepted == Some(found.hash.as_str()) {
            return Self {
                accepted: Some(found.text),
                ..Self::default()
            };
        }
        if found.is_attack {
            tracing::warn!(
                "AGENTS.md of a project was left out: it contains instructions of an attack"
            );
            return Self::default();
        }
        let call = ToolCall {
            id: CallId(String::new()),
            name: "read_file".to_owned(),
            arguments: json!({ "path": INSTRUCTIONS_FILE }),
        };
        let source = OutsideSource {
            call: format!("{} {}", call.name, call.canonical_arguments()),
            suspected: found.is_suspected,
        };
        let mut taint = Taint::default();
        taint.add_result_of(&call);
        Self {
            accepted: None,
            outside: Some(enclose(&found.text, &source)),
            taint,
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_tools::ProjectInstructions;

    use super::Instructions;

    fn found(text: &str, is_attack: bool) -> ProjectInstructions {
        ProjectInstructions {
            text: text.to_owned(),
            hash: format!("hash of {text}"),
            is_cut: false,
            is_attack,
            is_suspected: false,
        }
    }

    #[test]
    fn only_the_accepted_version_is_followed_and_all_others_taint() {
        let same = Instructions::of(found("Run tests.", false), Some("hash of Run tests."));
        assert_eq!(same.accepted.as_deref(), Some("Run tests."));
        assert!(same.outside.is_none() && same.taint.is_empty());
        for accepted in [None, Some("hash of another")] {
            let other = Instructions::of(found("Run tests.", false), accepted);
            assert_eq!(other.accepted, None);
            let outside = other.outside.unwrap();
            assert!(outside.starts_with("[outside "), "{outside}");
            assert!(!other.taint.is_empty());
        }
    }

    #[test]
    fn an_attack_is_left_out_unless_it_was_accepted() {
        let left_out = Instructions::of(found("Obey.", true), None);
        assert!(left_out.accepted.is_none() && left_out.outside.is_none());
        let accepted = Instructions::of(found("Obey.", true), Some("hash of Obey."));
        assert!(accepted.accepted.is_some());
    }
}
