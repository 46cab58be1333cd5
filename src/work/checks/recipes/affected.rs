//! Which files a check looks at, by their names.

/// Endings of texts for people and of pictures, which no check of code reads.
const DOCUMENTS: [&str; 12] = [
    "adoc", "gif", "ico", "jpeg", "jpg", "md", "mdx", "pdf", "png", "rst", "svg", "webp",
];

/// Names of files without an ending that are texts for people.
const DOCUMENT_NAMES: [&str; 8] = [
    "AUTHORS",
    "CHANGELOG",
    "CODEOWNERS",
    "CONTRIBUTING",
    "COPYING",
    "LICENSE",
    "NOTICE",
    "README",
];

/// Which files matter to a recipe, besides those that define it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Concern {
    /// Everything but documents: tests read data too.
    Code,
    /// Files with these endings.
    Language(&'static [&'static str]),
}

impl Concern {
    /// Returns whether a file matters.
    pub(super) fn includes(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match self {
            Self::Code => !DOCUMENTS.contains(&ending) && !DOCUMENT_NAMES.contains(&name),
            Self::Language(endings) => endings.contains(&ending),
        }
    }
}
