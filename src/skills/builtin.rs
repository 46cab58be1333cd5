//! The skills that are built in: the files of `skills/`, in the order of the catalogue.

/// A skill as it was built in.
#[derive(Debug)]
pub struct Embedded {
    /// The name of its folder.
    pub folder: &'static str,
    /// Its `SKILL.md`.
    pub content: &'static str,
    /// Its other files (L3), names and texts.
    pub files: &'static [(&'static str, &'static str)],
}

/// Takes folders of `skills/` into the program, each with its files beside `SKILL.md`.
macro_rules! embedded {
    ($($folder:literal [$($file:literal),*])*) => {
        &[$(Embedded {
            folder: $folder,
            content: include_str!(concat!("../../skills/", $folder, "/SKILL.md")),
            files: &[$((
                $file,
                include_str!(concat!("../../skills/", $folder, "/", $file)),
            )),*],
        }),*]
    };
}

/// Every skill that is built in.
pub const SKILLS: &[Embedded] = embedded! {
    "git-workflow" []
    "code-review" []
    "shell-safety" []
    "debugging" []
    "new-feature" []
    "refactoring" []
    "testing" []
    "performance" []
    "security-review" ["references/checklist.md"]
    "documentation" []
    "deployment" ["references/checklist.md"]
    "release-notes" ["assets/notes.md"]
    "incident-response" ["assets/postmortem.md"]
    "rust-dev" []
    "python-dev" []
    "web-dev" []
    "database" []
    "containers" []
    "system-admin" []
    "web-automation" []
    "web-research" []
    "data-analysis" ["scripts/profile.py"]
    "spreadsheets" []
    "file-organising" []
    "scheduling" ["references/recurrence.md"]
    "email-drafting" []
    "meeting-notes" ["assets/minutes.md"]
    "project-planning" ["assets/plan.md"]
    "writing-editing" []
    "translation" []
    "learning" ["assets/cards.md"]
};
