//! What a check of a project found: the evidence that a receipt is written from.

use serde::{Deserialize, Serialize};

use crate::UnknownName;

/// What is verified, the cheapest first: this is the order in which checks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStrategy {
    /// The rules of a linter.
    Lint,
    /// The types.
    Types,
    /// That it can be built.
    Build,
    /// The tests.
    Tests,
    /// A command of the operator's.
    Custom,
    /// That it starts.
    Runtime,
}

impl CheckStrategy {
    /// Every strategy, in the order in which they run.
    pub const ALL: [Self; 6] = [
        Self::Lint,
        Self::Types,
        Self::Build,
        Self::Tests,
        Self::Custom,
        Self::Runtime,
    ];

    /// Returns the name that the configuration, the tool and the journal use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Types => "types",
            Self::Build => "build",
            Self::Tests => "tests",
            Self::Custom => "custom",
            Self::Runtime => "runtime",
        }
    }

    /// Returns the strategy of this name.
    pub fn named(name: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.into_iter();
        all.find(|strategy| strategy.as_str() == name)
            .ok_or_else(|| UnknownName::of("check", name.to_owned()))
    }
}

/// The kind of a failure, which decides what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// It does not compile, or cannot be parsed.
    Compile,
    /// The types do not fit.
    Type,
    /// A test fails.
    TestAssertion,
    /// A rule of a linter is broken.
    Lint,
    /// A package that the code needs is not installed.
    MissingDependency,
    /// It did not end in time.
    TimeOut,
    /// The machine, the sandbox or the tool itself is the reason, not the code.
    Environment,
    /// It failed once and passed when it was run again.
    Flaky,
}

impl FailureKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Compile,
        Self::Type,
        Self::TestAssertion,
        Self::Lint,
        Self::MissingDependency,
        Self::TimeOut,
        Self::Environment,
        Self::Flaky,
    ];

    /// Returns the name that the journal and the model see.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compile => "compile",
            Self::Type => "type",
            Self::TestAssertion => "test_assertion",
            Self::Lint => "lint",
            Self::MissingDependency => "missing_dependency",
            Self::TimeOut => "time_out",
            Self::Environment => "environment",
            Self::Flaky => "flaky",
        }
    }
}

/// What is known of a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckFailure {
    /// Its kind.
    pub kind: FailureKind,
    /// How many tests, or else errors, there are; 0 where the output does not say.
    pub failed: usize,
    /// The names of failing tests, in the order of the output; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// The first error, in one line of at most 240 characters.
    pub message: String,
    /// Where that is, as `file:line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Equal failures have the same: 16 hexadecimal digits, made without line numbers, durations
    /// and addresses.
    pub fingerprint: String,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// It passed.
    Passed,
    /// It failed.
    Failed(CheckFailure),
}

/// A check that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReport {
    /// What was verified.
    pub strategy: CheckStrategy,
    /// By which command.
    pub command: String,
    /// The result.
    pub verdict: CheckVerdict,
    /// How many tests ran, where the output says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<usize>,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

impl CheckReport {
    /// Returns the same report with every text that a program wrote changed.
    pub fn map_texts(self, change: impl Fn(String) -> String) -> Self {
        let verdict = match self.verdict {
            CheckVerdict::Passed => CheckVerdict::Passed,
            CheckVerdict::Failed(failure) => CheckVerdict::Failed(CheckFailure {
                tests: failure.tests.into_iter().map(&change).collect(),
                message: change(failure.message),
                place: failure.place.map(&change),
                ..failure
            }),
        };
        Self { verdict, ..self }
    }

    /// Returns the failure, where it failed.
    pub fn failure(&self) -> Option<&CheckFailure> {
        match &self.verdict {
            CheckVerdict::Failed(failure) => Some(failure),
            CheckVerdict::Passed => None,
        }
    }
}

/// The result of a check that was to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckResult {
    /// It ran.
    Ran(CheckReport),
    /// It did not run: it was denied, or interrupted.
    NotRun(CheckStrategy),
}

impl CheckResult {
    /// Returns what was verified, or was to be.
    pub fn strategy(&self) -> CheckStrategy {
        match self {
            Self::Ran(report) => report.strategy,
            Self::NotRun(strategy) => *strategy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CheckStrategy, FailureKind};

    #[test]
    fn names_are_those_of_the_journal() {
        for strategy in CheckStrategy::ALL {
            let stored = serde_json::to_string(&strategy).unwrap();
            assert_eq!(stored, format!("\"{}\"", strategy.as_str()));
            assert_eq!(CheckStrategy::named(strategy.as_str()).unwrap(), strategy);
        }
        for kind in FailureKind::ALL {
            let stored = serde_json::to_string(&kind).unwrap();
            assert_eq!(stored, format!("\"{}\"", kind.as_str()));
        }
        assert!(CheckStrategy::named("sleep").is_err());
        assert!(CheckStrategy::ALL.is_sorted());
    }
}
