//! The skills that are built in: the files of `skills/`, in the order of the catalogue.

/// Each `SKILL.md` with its path in the repository.
pub const FILES: [(&str, &str); 4] = [
    (
        "skills/git-workflow/SKILL.md",
        include_str!("../../skills/git-workflow/SKILL.md"),
    ),
    (
        "skills/code-review/SKILL.md",
        include_str!("../../skills/code-review/SKILL.md"),
    ),
    (
        "skills/rust-dev/SKILL.md",
        include_str!("../../skills/rust-dev/SKILL.md"),
    ),
    (
        "skills/shell-safety/SKILL.md",
        include_str!("../../skills/shell-safety/SKILL.md"),
    ),
];
