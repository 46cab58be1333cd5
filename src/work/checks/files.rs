//! What is known of the files of a project when its recipes are looked for.

use std::collections::{BTreeMap, BTreeSet};

/// The files at the root of a project that may define a recipe, and whose text is read.
pub const MANIFESTS: [&str; 27] = [
    "CMakeLists.txt",
    "Cargo.toml",
    "Justfile",
    "Makefile",
    "build.gradle",
    "build.gradle.kts",
    "clippy.toml",
    "conftest.py",
    "go.mod",
    "justfile",
    "makefile",
    "mypy.ini",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "pytest.ini",
    "requirements-dev.txt",
    "requirements-test.txt",
    "requirements.txt",
    "requirements_dev.txt",
    "ruff.toml",
    "rust-toolchain.toml",
    "setup.cfg",
    "setup.py",
    "tests/conftest.py",
    "tox.ini",
    "tsconfig.json",
];

/// How many names of files are looked at, at the root and one folder below.
pub const MAX_NAMES: usize = 4_000;

/// The names of a project's files, at the root and one folder below, and the texts of those that may
/// define a recipe ([`MANIFESTS`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectFiles {
    names: BTreeSet<String>,
    texts: BTreeMap<String, String>,
}

impl ProjectFiles {
    /// Takes names, with `/` between folder and file, of which the first [`MAX_NAMES`] count.
    pub fn new(names: impl IntoIterator<Item = String>, texts: BTreeMap<String, String>) -> Self {
        let mut names: BTreeSet<String> = names.into_iter().take(MAX_NAMES).collect();
        names.extend(texts.keys().cloned());
        Self { names, texts }
    }

    /// Returns whether there is a file of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns the first of these names of which there is a file.
    pub(crate) fn first<'a>(&self, names: &[&'a str]) -> Option<&'a str> {
        names.iter().copied().find(|name| self.has(name))
    }

    /// Returns those of these names of which there is a file.
    pub(crate) fn present(&self, names: &[&str]) -> Vec<String> {
        let there = names.iter().filter(|name| self.has(name));
        there.map(|name| (*name).to_owned()).collect()
    }

    /// Returns the text of a manifest; empty where there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// Returns whether the name of a file fits.
    pub(crate) fn any(&self, fits: impl Fn(&str) -> bool) -> bool {
        self.names.iter().any(|name| fits(name))
    }
}
