//! What an analysis returns.

use serde::Serialize;

/// The part of quality that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// A function that is hard to follow.
    Complexity,
    /// Code that an attacker could use.
    Security,
    /// Code that is hard to change.
    Smell,
}

/// How much a finding counts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a look.
    Low,
    /// To be mended in time.
    Medium,
    /// To be mended before it is used.
    High,
}

/// Why a file was not analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// It has more bytes than [`sayso_codebase::MAX_FILE_BYTES`].
    TooLarge,
    /// It has a line of more than [`sayso_codebase::MAX_LINE_BYTES`] bytes.
    LongLine,
    /// A program made it.
    Generated,
    /// It is a copy of someone else's code.
    Vendored,
    /// Reading its syntax takes too long.
    TooSlow,
}

/// A function and its measures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionReport {
    /// Its name; `(anonymous)` where it has none.
    pub name: String,
    /// Its first line; lines count from 1.
    pub line: usize,
    /// Its last line.
    #[serde(skip)]
    pub last_line: usize,
    /// The cyclomatic complexity, as `lizard` counts it.
    pub complexity: usize,
    /// How many control structures are inside of each other at most.
    pub nesting: usize,
    /// From its first to its last line.
    pub length: usize,
    /// How many parameters it declares, the receiver of a method included where it is one.
    pub parameters: usize,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The id of the rule.
    pub rule: &'static str,
    /// The number in the Common Weakness Enumeration.
    pub cwe: Option<u32>,
    /// What it is about.
    pub dimension: Dimension,
    /// How much it counts.
    pub severity: Severity,
    /// The file.
    pub file: String,
    /// The line; lines count from 1.
    pub line: usize,
    /// What is wrong, in English.
    pub message: String,
    /// What tells whether two findings are the same one: it holds neither line nor file.
    #[serde(skip)]
    pub fingerprint: u64,
    /// What has been measured, where the rule is a limit: more is worse.
    #[serde(skip)]
    pub measure: usize,
}

/// What was found in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// The path, as the caller gave it.
    pub path: String,
    /// 0 to 100; 100 where nothing was found.
    pub score: u8,
    /// Its functions, in their order.
    pub functions: Vec<FunctionReport>,
    /// What was found, by line.
    pub findings: Vec<Finding>,
    /// Why it was not analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<SkipReason>,
    /// How many findings a comment suppressed, with a reason.
    pub suppressed: usize,
    /// How many names and literals it has: its size without its layout.
    #[serde(skip)]
    pub size: usize,
    /// Whether it holds tests, by its path.
    #[serde(skip)]
    pub is_test: bool,
}

impl FileReport {
    /// Returns the report of a file in which nothing was found.
    pub(crate) fn empty(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            score: 100,
            functions: Vec::new(),
            findings: Vec::new(),
            skipped: None,
            suppressed: 0,
            size: 0,
            is_test: false,
        }
    }
}
