//! What parsers find in an output: failing tests, errors, counts, all bounded in number and size.

use std::collections::{HashMap, HashSet};

use super::place::{Place, Trace};

/// The most failing tests that are kept; more are counted.
pub const MAX_FAILURES: usize = 500;

/// The most errors that are kept; more are counted.
pub const MAX_ERRORS: usize = 200;

/// The most warnings that are kept; more are counted.
pub const MAX_WARNINGS: usize = 50;

/// The most lines of a message or of an excerpt.
const MAX_LINES: usize = 12;

/// The longest line of a message, in characters.
const MAX_LINE: usize = 240;

/// The longest name of a test, in characters.
const MAX_NAME: usize = 300;

/// A program whose output is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the name of a program")]
pub enum Tool {
    Cargo,
    Rustc,
    Pytest,
    Unittest,
    Python,
    Mypy,
    Ruff,
    Go,
    Jest,
    Vitest,
    Node,
    Tsc,
    Eslint,
    Gcc,
    Clang,
    Make,
    Junit,
}

impl Tool {
    /// Returns the name of the program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Rustc => "rustc",
            Self::Pytest => "pytest",
            Self::Unittest => "unittest",
            Self::Python => "python",
            Self::Mypy => "mypy",
            Self::Ruff => "ruff",
            Self::Go => "go",
            Self::Jest => "jest",
            Self::Vitest => "vitest",
            Self::Node => "node",
            Self::Tsc => "tsc",
            Self::Eslint => "eslint",
            Self::Gcc => "gcc",
            Self::Clang => "clang",
            Self::Make => "make",
            Self::Junit => "JUnit report",
        }
    }

    /// Returns the first known program of a command line.
    pub(super) fn of_command(command: &str) -> Option<Self> {
        let words =
            command.split(|letter: char| letter.is_whitespace() || ";|&()".contains(letter));
        let names = words.filter_map(|word| word.rsplit('/').next());
        let mut is_python = false;
        for name in names {
            let name = name.trim_end_matches(|letter: char| {
                letter == '.' || letter == '-' || letter.is_ascii_digit()
            });
            match name {
                "python" | "py" | "pypy" => is_python = true,
                "cargo" => return Some(Self::Cargo),
                "rustc" => return Some(Self::Rustc),
                "pytest" | "py.test" => return Some(Self::Pytest),
                "unittest" => return Some(Self::Unittest),
                "mypy" => return Some(Self::Mypy),
                "ruff" => return Some(Self::Ruff),
                "go" => return Some(Self::Go),
                "jest" => return Some(Self::Jest),
                "vitest" => return Some(Self::Vitest),
                "node" => return Some(Self::Node),
                "tsc" => return Some(Self::Tsc),
                "eslint" => return Some(Self::Eslint),
                "gcc" | "g++" | "cc" | "c++" => return Some(Self::Gcc),
                "clang" | "clang++" => return Some(Self::Clang),
                "make" | "ninja" | "cmake" => return Some(Self::Make),
                _ => {}
            }
        }
        is_python.then_some(Self::Python)
    }
}

/// How many of what there were. `None` where the output does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: Option<usize>,
    /// Tests that failed, those that could not run included.
    pub failed: Option<usize>,
    /// Tests that were skipped, ignored or are to be written.
    pub skipped: Option<usize>,
    /// Errors that are not failing tests.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
}

/// Adds to a count that may be unknown.
pub(super) fn add(count: &mut Option<usize>, more: usize) {
    *count = Some(count.unwrap_or(0).saturating_add(more));
}

/// A failing test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failure {
    /// The name as the tool writes it, at most 300 characters.
    pub name: String,
    /// The package or file that the test belongs to, where the name does not say it.
    pub group: Option<String>,
    /// The assertion's message, at most 12 lines of 240 characters.
    pub message: Vec<String>,
    /// Where it failed, and from where that was called; at most three, the deepest first.
    pub places: Vec<Place>,
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// What makes the command fail.
    Error,
    /// What does not.
    Warning,
}

/// An error or warning that is not a failing test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The tool's code or the name of its rule, such as `E0308`.
    pub code: Option<String>,
    /// What is wrong, in one line.
    pub message: String,
    /// Where, and from where that was called; the deepest first.
    pub places: Vec<Place>,
    /// The lines below the message, such as the source with its marks.
    pub excerpt: Vec<String>,
}

impl Diagnostic {
    pub(super) fn new(severity: Severity, message: &str) -> Self {
        Self {
            severity,
            code: None,
            message: cut(message.trim(), MAX_LINE),
            places: Vec::new(),
            excerpt: Vec::new(),
        }
    }

    pub(super) fn error(message: &str) -> Self {
        Self::new(Severity::Error, message)
    }

    pub(super) fn at(mut self, place: impl IntoIterator<Item = Place>) -> Self {
        self.places = place.into_iter().collect();
        self
    }

    pub(super) fn code(mut self, code: Option<&str>) -> Self {
        self.code = code.map(|code| cut(code, 60));
        self
    }
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) tools: Vec<Tool>,
    pub(super) counts: Counts,
    pub(super) failures: Vec<Failure>,
    pub(super) more_failures: usize,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
    names: HashMap<String, usize>,
    seen: HashSet<u64>,
}

impl Findings {
    /// Notes that a tool's output was recognized.
    pub(super) fn saw(&mut self, tool: Tool) {
        if !self.tools.contains(&tool) {
            self.tools.push(tool);
        }
    }

    /// Returns the failure of a name, which is made where there is none yet. `None` where there are
    /// too many to keep.
    pub(super) fn failure(&mut self, name: &str) -> Option<&mut Failure> {
        let name = cut(name.trim(), MAX_NAME);
        if let Some(at) = self.names.get(&name) {
            return self.failures.get_mut(*at);
        }
        if self.failures.len() >= MAX_FAILURES {
            self.more_failures += 1;
            return None;
        }
        self.names.insert(name.clone(), self.failures.len());
        self.failures.push(Failure {
            name,
            ..Failure::default()
        });
        self.failures.last_mut()
    }

    /// Gives a failure another name, unless another failure has it.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        let new = cut(new.trim(), MAX_NAME);
        if self.names.contains_key(&new) {
            return;
        }
        let Some(at) = self.names.remove(old) else {
            return;
        };
        if let Some(failure) = self.failures.get_mut(at) {
            failure.name.clone_from(&new);
        }
        self.names.insert(new, at);
    }

    /// Notes what a report says of a failing test; what is known already stays.
    pub(super) fn failed<'a>(
        &mut self,
        name: &str,
        message: impl IntoIterator<Item = &'a str>,
        places: Vec<Place>,
    ) {
        let Some(failure) = self.failure(name) else {
            return;
        };
        if failure.message.is_empty() {
            failure.message = excerpt(message);
        }
        if failure.places.is_empty() {
            failure.places = places;
        }
    }

    /// Notes an error or warning, once.
    pub(super) fn diagnostic(&mut self, diagnostic: Diagnostic) {
        if !self.seen.insert(fingerprint(&diagnostic)) {
            return;
        }
        // The set is bounded too: beyond this, equal diagnostics count twice.
        if self.seen.len() > 100_000 {
            self.seen.clear();
        }
        let (list, count, most) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, &mut self.counts.errors, MAX_ERRORS),
            Severity::Warning => (&mut self.warnings, &mut self.counts.warnings, MAX_WARNINGS),
        };
        *count += 1;
        if list.len() < most {
            list.push(diagnostic);
        }
    }

    /// Adds a line below the latest diagnostic of a severity.
    pub(super) fn excerpt_line(&mut self, severity: Severity, line: &str) {
        let list = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if let Some(last) = list.last_mut()
            && last.excerpt.len() < MAX_LINES
        {
            last.excerpt.push(cut(line.trim_end(), MAX_LINE));
        }
    }
}

/// Returns a number that equal diagnostics share.
fn fingerprint(diagnostic: &Diagnostic) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    diagnostic.message.hash(&mut hasher);
    diagnostic.code.hash(&mut hasher);
    for place in &diagnostic.places {
        (&place.file, place.line, place.column).hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns the first lines of a message, without blank ones, each bounded.
pub(super) fn excerpt<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let said = lines.into_iter().filter(|line| !line.trim().is_empty());
    said.map(|line| cut(line.trim_end(), MAX_LINE))
        .take(MAX_LINES)
        .collect()
}

/// Returns the beginning of a text, marked where something is missing.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Lines between the beginning and the end of a report; the first and last of them are kept.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) name: String,
    head: Vec<String>,
    tail: std::collections::VecDeque<String>,
}

impl Block {
    const HEAD: usize = 200;
    const TAIL: usize = 100;

    pub(super) fn new(name: &str) -> Self {
        let name = cut(name.trim(), MAX_NAME);
        Self {
            name,
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, line: &str) {
        if self.head.len() < Self::HEAD {
            self.head.push(line.to_owned());
            return;
        }
        if self.tail.len() == Self::TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back(line.to_owned());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.head.iter().chain(&self.tail).map(String::as_str)
    }

    pub(super) fn places(&self) -> Vec<Place> {
        Trace::of(self.lines()).places()
    }
}
