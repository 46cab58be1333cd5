//! What `/project` says.

use sayso_channel::{Language, text};
use sayso_core::transcript::first_chars;

use super::plain;
use crate::code_index::IndexState;
use crate::sessions::{INSTRUCTIONS_FILE, Project, ProjectInstructions};

/// The most of a name that is said back, in characters.
const NAME_CHARS: usize = 60;

/// `/project`: what there is, and what is in use here.
pub fn projects<'a>(
    shown: impl Iterator<Item = &'a Project>,
    chosen: Option<&str>,
    language: Language,
) -> String {
    let lines: Vec<String> = shown.map(|it| line(it, chosen, language)).collect();
    if lines.is_empty() {
        return text!(language, "commands-projects-none").to_owned();
    }
    text!(language, "commands-projects", lines = lines.join("\n"))
}

fn line(project: &Project, chosen: Option<&str>, language: Language) -> String {
    let name = project.name.as_str();
    let rights = if project.may_write {
        text!(language, "commands-project-writes")
    } else {
        text!(language, "commands-project-reads")
    };
    let here = if chosen == Some(name) {
        text!(language, "commands-project-chosen-here")
    } else {
        ""
    };
    match &project.description {
        Some(about) => format!("`{name}`: {} ({rights}){here}", plain(about)),
        None => format!("`{name}` ({rights}){here}"),
    }
}

/// `/status`: how far the index of the project here is.
pub fn code_index(name: &str, state: &IndexState, language: Language) -> String {
    let files = state.files;
    match (state.is_gone, state.is_read, state.of) {
        (true, ..) => text!(language, "commands-project-index-gone", name),
        (false, false, Some(of)) => {
            text!(language, "commands-project-index-reading", name, files, of)
        }
        (false, false, None) => text!(language, "commands-project-index-listing", name, files),
        (false, true, _) if state.is_cut => {
            text!(language, "commands-project-index-cut", name, files)
        }
        (false, true, _) => text!(language, "commands-project-index-whole", name, files),
    }
}

/// An owner is asked about the `AGENTS.md` of a project, or about several.
pub fn asks_about_instructions(
    project: &str,
    found: &[ProjectInstructions],
    language: Language,
) -> String {
    let bytes: usize = found.iter().map(|one| one.text.len()).sum();
    let mut text = match found {
        [one] if one.path == INSTRUCTIONS_FILE => {
            text!(language, "commands-instructions-ask", project, bytes)
        }
        several => {
            let paths = several.iter().map(|one| format!("`{}`", plain(&one.path)));
            let paths = paths.collect::<Vec<_>>().join(", ");
            text!(
                language,
                "commands-instructions-ask-several",
                project,
                bytes,
                paths
            )
        }
    };
    if found.iter().any(|one| one.is_cut) {
        text.push(' ');
        text.push_str(text!(language, "commands-instructions-cut"));
    }
    if found.iter().any(|one| one.is_attack || one.is_suspected) {
        text.push(' ');
        text.push_str(text!(language, "commands-instructions-suspected"));
    }
    text
}

/// The buttons below it.
pub fn instruction_labels(language: Language) -> (&'static str, &'static str) {
    (
        text!(language, "commands-instructions-yes"),
        text!(language, "commands-instructions-no"),
    )
}

/// The file is followed from now on.
pub fn instructions_accepted(project: &str, language: Language) -> String {
    text!(language, "commands-instructions-accepted", project)
}

/// The file stays text.
pub fn instructions_left(project: &str, language: Language) -> String {
    text!(language, "commands-instructions-left", project)
}

/// The file is not what was shown any more.
pub fn instructions_changed(project: &str, language: Language) -> String {
    text!(language, "commands-instructions-changed", project)
}

/// Below the list: the file of the project in use is followed.
pub fn follows_instructions(language: Language) -> &'static str {
    text!(language, "commands-instructions-follows")
}

/// Below the list, or for a press: it is not read yet.
pub fn unread_instructions(language: Language) -> &'static str {
    text!(language, "commands-instructions-unread")
}

/// Below the list: it is read as text.
pub fn reads_instructions(language: Language) -> &'static str {
    text!(language, "commands-instructions-reads")
}

/// The button that leaves the project.
pub fn project_none(language: Language) -> &'static str {
    text!(language, "commands-project-none")
}

/// A press on a list that somebody else asked for.
pub fn project_list_of_others(language: Language) -> String {
    text!(language, "commands-project-list-of-others").to_owned()
}

/// A press on a project that is there no more, or not for the one who pressed.
pub fn project_gone(language: Language) -> String {
    text!(language, "commands-project-gone").to_owned()
}

/// `/project NAME`, or `/project none`.
pub fn project_chosen(project: Option<&Project>, language: Language) -> String {
    match project {
        Some(project) if project.may_write => {
            text!(
                language,
                "commands-project-chosen",
                name = project.name.as_str()
            )
        }
        Some(project) => text!(
            language,
            "commands-project-chosen-read-only",
            name = project.name.as_str()
        ),
        None => text!(language, "commands-project-left").to_owned(),
    }
}

/// `/check` in a conversation that works in no project.
pub fn check_without_project(language: Language) -> String {
    text!(language, "checks-no-project").to_owned()
}

/// Returns how the turn of `/check` is named, like a request of the person.
pub fn check_request(language: Language) -> String {
    text!(language, "checks-request").to_owned()
}

/// `/project` with a name that is none of theirs.
pub fn project_unknown(written: &str, language: Language) -> String {
    let written = plain(first_chars(written, NAME_CHARS).unwrap_or(written));
    text!(language, "commands-project-unknown", written)
}

/// `/project none` by somebody who may not use the project of a group.
pub fn project_of_others(language: Language) -> String {
    text!(language, "commands-project-of-others").to_owned()
}
