//! Changes of files of a project that its person allowed for good: patches, not commands.
//!
//! A turn that works on code reads it first, and all of a project counts as text from outside. So this one
//! grant holds also while such text is in view, as long as it came from the project itself: by the tools
//! that read its files, and by commands without access to more. Any other text from outside holds it back.

use sayso_core::transcript::{TaintOrigin, TaintSource, Way};
use serde_json::Value;

use super::access::Access;
use super::binding::Binding;
use super::call::Offer;
use super::call_facts::{Action, CallFacts, Covers, GrantPattern, Reach};
use super::secret_files::is_secret_like;

/// The tool that grants for edits name, whichever of them was asked about.
const EDIT_TOOL: &str = "apply_patch";
/// The tools whose results are texts of the project.
const READERS: [&str; 10] = [
    "read_file",
    "list_dir",
    "glob_file_search",
    "grep",
    "search_semantic",
    "apply_patch",
    "write_file",
    "undo_patch",
    // The output of a check, which reaches the workspace alone.
    "run_checks",
    // What the prompt shows of the code.
    "project_map",
];
/// The tool that runs commands of a project.
const COMMANDS: &str = "run_cmd";
/// What Sayso keeps of received files and of long results can be read there too.
const KEPT_FOLDERS: [&str; 2] = [".sayso", "inbox"];

/// A change of files of a project, none of which keeps secrets by its name.
pub(super) struct ProjectEdit<'a> {
    project: &'a str,
    facts: &'a CallFacts,
}

impl<'a> ProjectEdit<'a> {
    /// Reads a call; `None` for any other one. A call that only tells what files hold is one that reads.
    pub(super) fn of(facts: &'a CallFacts) -> Option<Self> {
        let project = facts.project.as_deref()?;
        let is_write = matches!(
            facts.tool.action,
            Action::Write {
                path: Reach::Inside(_)
            }
        );
        let is_plain_edit = |binding: &Binding| match binding {
            Binding::Edit { path, .. } => !is_secret_like(path),
            Binding::File { .. } | Binding::Workspace { .. } | Binding::Recipe { .. } => false,
        };
        let edits = &facts.tool.scripts;
        (is_write && !edits.is_empty() && edits.iter().all(is_plain_edit))
            .then_some(Self { project, facts })
    }

    /// Returns whether its person allowed such changes in this project, and nothing in view came from
    /// anywhere else.
    pub(super) fn is_granted(&self) -> bool {
        let covers = |grant: &GrantPattern| matches!(&grant.covers, Covers::Project(name) if name == self.project);
        self.facts.grants.iter().any(covers) && self.sees_only_the_project()
    }

    /// Returns what an "always" would cover; nothing where it would not hold.
    pub(super) fn offer(&self) -> Offer {
        let pattern = self.sees_only_the_project().then(|| GrantPattern {
            tool: EDIT_TOOL.to_owned(),
            access: Access::Workspace,
            secrets: Vec::new(),
            files: Vec::new(),
            covers: Covers::Project(self.project.to_owned()),
        });
        Offer {
            pattern,
            prefix: None,
        }
    }

    fn sees_only_the_project(&self) -> bool {
        self.facts.taint.sources().all(is_of_the_project)
    }
}

/// Returns whether text came from the files of the project that a turn works in.
fn is_of_the_project(source: &TaintSource) -> bool {
    let TaintOrigin::Tool { name, arguments } = &source.origin else {
        return false;
    };
    // Without its arguments it is not known what was read, or how far a command reached.
    let Some(arguments) = arguments else {
        return false;
    };
    let Ok(arguments) = serde_json::from_str::<Value>(arguments) else {
        return false;
    };
    let is_local = if name == COMMANDS {
        arguments
            .get("access")
            .is_none_or(|access| access == "workspace")
    } else {
        READERS.contains(&name.as_str()) && !is_of_kept_folder(&arguments)
    };
    is_local && source.way != Way::Memory
}

fn is_of_kept_folder(arguments: &Value) -> bool {
    let path = arguments["path"].as_str().unwrap_or_default();
    let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    // A path that leads up and down again is not followed here.
    let first = names.next().unwrap_or_default();
    KEPT_FOLDERS.contains(&first) || first == ".." || names.any(|name| name == "..")
}

/// Returns whether a call is such a change, and allowed.
pub(super) fn is_granted(facts: &CallFacts) -> bool {
    ProjectEdit::of(facts).is_some_and(|edit| edit.is_granted())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use sayso_core::transcript::{CallId, Role, Taint, ToolCall, Way};
    use serde_json::{Value, json};

    use crate::call_facts::{Action, CallFacts, Covers, GrantPattern, Reach, ToolFacts};
    use crate::{Access, AutonomyLevel, Binding, Decision, SecurityPolicy};

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall {
            id: CallId("1".to_owned()),
            name: name.to_owned(),
            arguments,
        }
    }

    fn patch() -> ToolCall {
        call("apply_patch", json!({"patch": "..."}))
    }

    fn taint_of(calls: &[(&str, Value)]) -> Taint {
        let mut taint = Taint::default();
        for (name, arguments) in calls {
            taint.add_result_of(&call(name, arguments.clone()));
        }
        taint
    }

    fn grant(project: &str) -> GrantPattern {
        GrantPattern {
            tool: "apply_patch".to_owned(),
            access: Access::Workspace,
            secrets: Vec::new(),
            files: Vec::new(),
            covers: Covers::Project(project.to_owned()),
        }
    }

    /// A patch of these files in the project `site`.
    fn facts(files: &[&str], grants: Vec<GrantPattern>, taint: Taint) -> CallFacts {
        let path = |file: &&str| PathBuf::from(format!("/srv/site/{file}"));
        let edit = |file: &&str| Binding::Edit {
            path: path(file),
            was: None,
            becomes: Some("1".to_owned()),
        };
        let mut paths = files.iter().map(path);
        let secret = paths.clone().find(|path| crate::is_secret_like(path));
        CallFacts {
            tool: ToolFacts {
                summary: "a".into(),
                detail: None,
                action: Action::Write {
                    path: Reach::Inside(secret.or_else(|| paths.next_back()).unwrap()),
                },
                scripts: files.iter().map(edit).collect(),
                secrets: Vec::new(),
            },
            autonomy: AutonomyLevel::Supervised,
            role: Role::Member,
            project: Some("site".to_owned()),
            grants,
            taint,
            said: Vec::new(),
            person: String::new(),
            repeats_unknown: false,
        }
    }

    fn policy() -> SecurityPolicy {
        SecurityPolicy {
            confirm_write: true,
            autonomy: AutonomyLevel::Full,
            ..SecurityPolicy::default()
        }
    }

    fn is_allowed(facts: &CallFacts) -> bool {
        matches!(policy().decide(patch(), facts), Decision::Allow(_))
    }

    fn offers(facts: &CallFacts) -> Option<GrantPattern> {
        match policy().decide(patch(), facts) {
            Decision::Ask(held) => held.pattern().cloned(),
            Decision::Allow(_) | Decision::Deny { .. } => None,
        }
    }

    fn of_project() -> Taint {
        taint_of(&[
            ("read_file", json!({"path": "src/a.rs"})),
            ("grep", json!({"pattern": "total"})),
            ("run_cmd", json!({"command": "cargo test"})),
        ])
    }

    #[test]
    fn it_is_asked_about_offers_the_project_and_is_allowed_then() {
        for taint in [
            Taint::default(),
            of_project(),
            of_project().by(Way::Earlier),
        ] {
            let asked = facts(&["a", "b"], Vec::new(), taint.clone());
            assert!(!is_allowed(&asked));
            assert_eq!(offers(&asked), Some(grant("site")));
            assert!(is_allowed(&facts(&["a", "b"], vec![grant("site")], taint)));
        }
    }

    #[test]
    fn text_from_anywhere_else_holds_it_back() {
        let mut of_others = of_project();
        of_others.add_others();
        let elsewhere = [
            of_others,
            of_project().by(Way::Memory),
            taint_of(&[("http_request", json!({"url": "http://a.example"}))]),
            taint_of(&[("run_cmd", json!({"command": "curl x", "access": "network"}))]),
            taint_of(&[("run_cmd", json!({"command": "x".repeat(600)}))]),
            taint_of(&[("read_file", json!({"path": "./inbox/letter.txt"}))]),
            taint_of(&[("read_file", json!({"path": "src/../.sayso/output/1.txt"}))]),
        ];
        for taint in elsewhere {
            let asked = facts(&["a"], vec![grant("site")], taint.clone());
            assert!(!is_allowed(&asked), "{taint:?}");
            assert_eq!(offers(&asked), None, "{taint:?}");
        }
    }

    #[test]
    fn it_covers_no_other_project_no_secrets_and_no_other_act() {
        let granted = || vec![grant("site")];
        let of_other = vec![grant("shop")];
        assert!(!is_allowed(&facts(&["a"], of_other, Taint::default())));
        assert!(!is_allowed(&facts(
            &["a", ".env"],
            granted(),
            Taint::default()
        )));
        let mut outside = facts(&["a"], granted(), Taint::default());
        outside.project = None;
        assert!(!is_allowed(&outside));
        let mut write = facts(&["a"], granted(), Taint::default());
        write.tool.scripts.clear();
        assert!(!is_allowed(&write), "a write of no project tool");
        let mut again = facts(&["a"], granted(), Taint::default());
        again.repeats_unknown = true;
        assert!(!is_allowed(&again));
        let mut read_only = facts(&["a"], granted(), Taint::default());
        read_only.autonomy = AutonomyLevel::ReadOnly;
        assert!(!is_allowed(&read_only));
    }
}
