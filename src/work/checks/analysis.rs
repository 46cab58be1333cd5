//! What a check that ran says: passed, or a failure with its kind, message, place and fingerprint.

use sayso_code::feedback::{CommandOutput, Diagnostic, Failure, Summary, summarize};
use sayso_core::transcript::{
    CheckFailure, CheckReport, CheckStrategy, CheckVerdict, FailureKind, first_chars,
};

use crate::fingerprint::fingerprint;
use crate::recipes::Recipe;

/// How many names of failing tests are kept.
const MAX_TESTS: usize = 20;
/// The longest message, in characters.
const MAX_MESSAGE: usize = 240;
/// How many errors a fingerprint is made from.
const FINGERPRINT_ERRORS: usize = 20;
/// How many lines at the end stand for an output that no parser understands.
const LAST_LINES: usize = 5;
/// How much of the end of an output is searched for words, in bytes.
const SEARCHED: usize = 64 * 1024;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With this exit code.
    Exited(i32),
    /// It did not end in time and was ended, with everything that it had started.
    TimedOut,
    /// It was ended otherwise: by a signal, or because it used too much memory, disk or processes.
    Killed,
}

/// A check that ran.
#[derive(Debug, Clone, Copy)]
pub struct Ran<'a> {
    /// Its recipe.
    pub recipe: &'a Recipe,
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to both outputs.
    pub output: &'a [u8],
    /// How long it took, in milliseconds.
    pub millis: u64,
}

/// Words of outputs that say that the machine or the sandbox is the reason.
const ENVIRONMENT: [&str; 17] = [
    "command not found",
    ": not found",
    "no such command",
    "could not resolve host",
    "temporary failure in name resolution",
    "name or service not known",
    "network is unreachable",
    "failed to download",
    "failed to get `",
    "permission denied (os error 13)",
    "read-only file system",
    "no space left on device",
    "cannot allocate memory",
    "address already in use",
    "eai_again",
    "could not determine executable to run",
    "linker `cc` not found",
];

/// Words of outputs that say that a package is missing.
const MISSING: [&str; 6] = [
    "modulenotfounderror: no module named",
    "cannot find module '",
    "cannot find package '",
    "no required module provides package",
    "error: can't find crate for",
    "failed to resolve: use of unresolved module or unlinked crate",
];

/// Words of outputs that say that a file of the project cannot be parsed.
const UNPARSABLE: [&str; 4] = [
    "syntaxerror:",
    "indentationerror:",
    "taberror:",
    "syntax error:",
];

/// Returns what a check that ran says. An exit code of 0 has passed, whatever it wrote.
pub fn report(ran: &Ran<'_>) -> CheckReport {
    let recipe = ran.recipe;
    let exit = match ran.ending {
        Ending::Exited(code) => Some(code),
        Ending::TimedOut | Ending::Killed => None,
    };
    let summary = summarize(&CommandOutput {
        command: &recipe.command,
        exit,
        output: ran.output,
        keywords: &[],
    });
    let counts = summary.counts;
    let counted = counts.passed.is_some() || counts.failed.is_some();
    let tests = counted.then(|| counts.passed.unwrap_or(0) + counts.failed.unwrap_or(0));
    let verdict = if exit == Some(0) {
        CheckVerdict::Passed
    } else {
        CheckVerdict::Failed(failure(ran, &summary))
    };
    CheckReport {
        strategy: recipe.strategy,
        command: recipe.command.clone(),
        verdict,
        tests: tests.filter(|_| recipe.strategy != CheckStrategy::Lint),
        millis: ran.millis,
    }
}

fn failure(ran: &Ran<'_>, summary: &Summary) -> CheckFailure {
    let text = searched(ran.output);
    let kind = kind(ran, summary, &text.to_lowercase());
    let first = first_error(summary);
    let message = first.or_else(|| last_line(&text)).unwrap_or_default();
    let names = summary.failures.iter().map(|failure| failure.name.clone());
    let tests: Vec<String> = names.take(MAX_TESTS).collect();
    let failed = match summary.counts.failed.unwrap_or(0) {
        0 => summary.counts.errors,
        failed => failed,
    };
    CheckFailure {
        kind,
        failed,
        fingerprint: fingerprint(kind.as_str(), distinguishing(ran, summary, &text)),
        place: summary
            .first_place()
            .map(|place| format!("{}:{}", place.file, place.line)),
        message: first_chars(&message, MAX_MESSAGE)
            .unwrap_or(&message)
            .to_owned(),
        tests,
    }
}

/// Returns the kind of a failure: first what is not the code's fault, then by what was found.
fn kind(ran: &Ran<'_>, summary: &Summary, text: &str) -> FailureKind {
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    match ran.ending {
        Ending::TimedOut => return FailureKind::TimeOut,
        Ending::Killed | Ending::Exited(126 | 127) => return FailureKind::Environment,
        Ending::Exited(_) => {}
    }
    // Where tests fail, their outputs may hold any words.
    let has_failing_tests = !summary.failures.is_empty();
    if lacks_its_own_tool(&ran.recipe.command, text) || (!has_failing_tests && says(&ENVIRONMENT)) {
        return FailureKind::Environment;
    }
    if says(&MISSING) && !misses_own_file(text) {
        return FailureKind::MissingDependency;
    }
    match ran.recipe.strategy {
        CheckStrategy::Lint => FailureKind::Lint,
        CheckStrategy::Types => FailureKind::Type,
        CheckStrategy::Build => FailureKind::Compile,
        CheckStrategy::Tests | CheckStrategy::Custom | CheckStrategy::Runtime => {
            let is_compile = !has_failing_tests && !summary.errors.is_empty();
            if is_compile || says(&UNPARSABLE) {
                FailureKind::Compile
            } else {
                FailureKind::TestAssertion
            }
        }
    }
}

/// Returns whether `python3 -m NAME` found no module of that name: its tool is not installed.
fn lacks_its_own_tool(command: &str, text: &str) -> bool {
    let mut words = command.split_whitespace();
    let module = words.find(|word| *word == "-m").and_then(|_| words.next());
    module.is_some_and(|module| {
        let says = format!("no module named {module}");
        text.lines().any(|line| line.trim_end().ends_with(&says))
    })
}

/// A path that begins with a dot is one of the project's own files.
fn misses_own_file(text: &str) -> bool {
    text.contains("cannot find module './") || text.contains("cannot find module '../")
}

fn first_error(summary: &Summary) -> Option<String> {
    let error = summary.errors.first().map(told);
    error.or_else(|| {
        let failure = summary.failures.first()?;
        let said = failure.message.last().map_or("", String::as_str).trim();
        Some(
            format!("{}: {said}", failure.name)
                .trim_end_matches(": ")
                .to_owned(),
        )
    })
}

fn told(error: &Diagnostic) -> String {
    match &error.code {
        Some(code) => format!("{} [{code}]", error.message),
        None => error.message.clone(),
    }
}

/// Returns what distinguishes a failure from others.
fn distinguishing(ran: &Ran<'_>, summary: &Summary, text: &str) -> Vec<String> {
    if ran.ending == Ending::TimedOut {
        return vec![ran.recipe.strategy.as_str().to_owned()];
    }
    let of_test = |failure: &Failure| {
        let said = failure.message.last().map_or("", String::as_str);
        format!("{} {said}", failure.name)
    };
    let of_error = |error: &Diagnostic| {
        let file = error.places.first().map_or("", |place| place.file.as_str());
        format!("{file} {}", told(error))
    };
    let tests = summary.failures.iter().map(of_test);
    let errors = summary.errors.iter().map(of_error);
    let found: Vec<String> = tests.chain(errors).take(FINGERPRINT_ERRORS).collect();
    if !found.is_empty() {
        return found;
    }
    let said = text.lines().rev().filter(|line| !line.trim().is_empty());
    said.take(LAST_LINES).map(str::to_owned).collect()
}

fn last_line(text: &str) -> Option<String> {
    let mut lines = text.lines().rev();
    let last = lines.find(|line| !line.trim().is_empty())?;
    Some(last.trim().to_owned())
}

/// Returns the end of an output as text.
fn searched(output: &[u8]) -> String {
    let from = output.len().saturating_sub(SEARCHED);
    let text = String::from_utf8_lossy(output.get(from..).unwrap_or_default());
    text.chars()
        .filter(|letter| matches!(letter, '\n' | '\t') || !letter.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{CheckReport, CheckStrategy, FailureKind};

    use super::{Ending, Ran, report};
    use crate::files::ProjectFiles;
    use crate::recipes::{ConfiguredChecks, Recipe, recipes};

    fn recipe(strategy: CheckStrategy, command: &str) -> Recipe {
        let configured = ConfiguredChecks {
            none: true,
            commands: [(strategy, command.to_owned())].into(),
        };
        recipes(&ProjectFiles::default(), &configured).remove(0)
    }

    fn ran(strategy: CheckStrategy, command: &str, ending: Ending, output: &str) -> CheckReport {
        report(&Ran {
            recipe: &recipe(strategy, command),
            ending,
            output: output.as_bytes(),
            millis: 1200,
        })
    }

    #[track_caller]
    fn check(strategy: CheckStrategy, command: &str, output: &str, expected: FailureKind) {
        let report = ran(strategy, command, Ending::Exited(1), output);
        assert_eq!(report.failure().unwrap().kind, expected, "{output}");
    }

    const UNITTEST: &str = "\
F.
======================================================================
FAIL: test_total (test_sums.Sums.test_total)
----------------------------------------------------------------------
Traceback (most recent call last):
  File \"/srv/test_sums.py\", line 6, in test_total
    self.assertEqual(total([1, 2, 3]), 6)
AssertionError: 5 != 6

----------------------------------------------------------------------
Ran 2 tests in 0.000s

FAILED (failures=1)
";

    #[test]
    fn a_failing_test_is_named_counted_and_placed() {
        let command = "python3 -B -m unittest";
        let report = ran(CheckStrategy::Tests, command, Ending::Exited(1), UNITTEST);
        let failure = report.failure().unwrap();
        assert_eq!(failure.kind, FailureKind::TestAssertion);
        assert_eq!((failure.failed, report.tests), (1, Some(2)));
        assert_eq!(failure.tests, ["test_sums.Sums.test_total"]);
        assert!(failure.message.contains("5 != 6"), "{}", failure.message);
        assert_eq!(failure.place.as_deref(), Some("/srv/test_sums.py:6"));
        let slower = UNITTEST
            .replace("0.000s", "1.250s")
            .replace("line 6", "line 9");
        let again = ran(CheckStrategy::Tests, command, Ending::Exited(1), &slower);
        assert_eq!(again.failure().unwrap().fingerprint, failure.fingerprint);
        let other = UNITTEST.replace("5 != 6", "4 != 6");
        let other = ran(CheckStrategy::Tests, command, Ending::Exited(1), &other);
        assert_ne!(other.failure().unwrap().fingerprint, failure.fingerprint);
    }

    #[test]
    fn an_exit_code_of_zero_has_passed() {
        let output = "..\nRan 41 tests in 0.1s\n\nOK\n";
        let command = "python3 -m unittest";
        let report = ran(CheckStrategy::Tests, command, Ending::Exited(0), output);
        assert_eq!(report.failure(), None);
        assert_eq!(report.tests, Some(41));
    }

    #[test]
    fn each_kind_is_recognized() {
        let tests = CheckStrategy::Tests;
        check(
            tests,
            "python3 -B -m pytest -q",
            "/usr/bin/python3: No module named pytest\n",
            FailureKind::Environment,
        );
        check(
            tests,
            "python3 -B -m unittest",
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import \
             requests\nModuleNotFoundError: No module named 'requests'\n",
            FailureKind::MissingDependency,
        );
        check(
            tests,
            "cargo test",
            "error[E0308]: mismatched types\n --> src/lib.rs:2:5\n  |\n\nerror: could not compile `a` \
             (lib) due to 1 previous error\n",
            FailureKind::Compile,
        );
        check(
            CheckStrategy::Types,
            "python3 -m mypy .",
            "a.py:3: error: Incompatible return value type  [return-value]\nFound 1 error in 1 file\n",
            FailureKind::Type,
        );
        check(
            CheckStrategy::Lint,
            "ruff check .",
            "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n",
            FailureKind::Lint,
        );
        check(
            tests,
            "npm run test",
            "sh: 1: vitest: not found\n",
            FailureKind::Environment,
        );
        check(
            CheckStrategy::Build,
            "cargo build",
            "error: failed to get `serde` as a dependency of package `a`\nCould not resolve host: \
             index.crates.io\n",
            FailureKind::Environment,
        );
        let report = ran(tests, "make test", Ending::TimedOut, "still here\n");
        assert_eq!(report.failure().unwrap().kind, FailureKind::TimeOut);
    }

    #[test]
    fn an_output_without_a_format_has_its_last_line() {
        let output = "starting\nthe shelf is empty\n\n";
        let report = ran(CheckStrategy::Custom, "./x", Ending::Exited(3), output);
        let failure = report.failure().unwrap();
        assert_eq!(failure.message, "the shelf is empty");
        assert_eq!((failure.failed, failure.tests.len()), (0, 0));
    }
}
