//! What the output of build tools and test runners says, for a model that reads little of it.
//!
//! [`summarize`] reads an output once and finds the tool, counts, failing tests with message and
//! place, and errors; [`Summary::render`] writes them within a budget, with windows around keywords,
//! then the beginning and the end. The whole output is kept by the caller, who can say where.
//!
//! Bounds: of an output over 32 MiB the first 8 and the last 24 are read ([`HEAD_READ`],
//! [`TAIL_READ`]); a line is cut at [`LINE_LIMIT`] characters, JSON at [`JSON_LIMIT`] bytes; at most
//! [`MAX_FAILURES`] failing tests, [`MAX_ERRORS`] errors and [`MAX_WARNINGS`] warnings are kept, each
//! with at most 12 lines of 240 characters. Time grows with the bytes that are read, memory does not,
//! but for one line of JSON or one XML report at a time.

mod chain;
mod findings;
mod formats;
mod lines;
mod place;
mod render;
mod view;

#[cfg(test)]
mod recorded_tests;

pub use findings::{
    Counts, Diagnostic, Failure, MAX_ERRORS, MAX_FAILURES, MAX_WARNINGS, Severity, Tool,
};
pub use lines::{HEAD_READ, JSON_LIMIT, LINE_LIMIT, TAIL_READ};
pub use place::Place;

use chain::Chain;
use findings::Findings;
use view::View;

/// A command that ended, and what it wrote.
#[derive(Debug, Clone, Copy)]
pub struct CommandOutput<'a> {
    /// The command line, as the shell got it.
    pub command: &'a str,
    /// The exit code, where the command ended by itself.
    pub exit: Option<i32>,
    /// What it wrote to its outputs, of any size and encoding.
    pub output: &'a [u8],
    /// What matters to the reader: words of the request, of the step, of an error. At most 32 of 2 to
    /// 64 bytes are used, without regard to the case of ASCII letters.
    pub keywords: &'a [&'a str],
}

/// What an output says.
#[derive(Debug)]
pub struct Summary {
    /// The program whose output it is, by the command line or else by its shape.
    pub tool: Option<Tool>,
    /// The exit code.
    pub exit: Option<i32>,
    /// How many of what there were.
    pub counts: Counts,
    /// Failing tests, in the order of the output.
    pub failures: Vec<Failure>,
    /// How many failing tests there were beyond those.
    pub more_failures: usize,
    /// Errors that are not failing tests, in the order of the output.
    pub errors: Vec<Diagnostic>,
    /// Warnings, in the order of the output.
    pub warnings: Vec<Diagnostic>,
    /// How many bytes in the middle of the output were not read.
    pub skipped: usize,
    view: View,
}

impl Summary {
    /// Returns the place of the first error, or else of the first failing test.
    pub fn first_place(&self) -> Option<&Place> {
        let errors = self.errors.iter().flat_map(|error| &error.places);
        let failures = self.failures.iter().flat_map(|failure| &failure.places);
        errors.chain(failures).next()
    }
}

/// Reads an output.
pub fn summarize(command: &CommandOutput<'_>) -> Summary {
    let mut chain = Chain::default();
    let mut findings = Findings::default();
    let mut view = View::new(command.keywords);
    let mut lines = lines::Lines::new(command.output);
    let skipped = lines.skipped();
    while let Some(line) = lines.next() {
        let report = chain.xml_report(command.output, &line, &mut findings);
        if let Some(end) = report {
            lines.seek(end);
            view.omit();
            continue;
        }
        let is_claimed = chain.line(&line.text, &mut findings);
        view.line(line.number, &line.text, is_claimed);
    }
    chain.end(&mut findings);
    view.end();
    let known = Tool::of_command(command.command);
    let mut counts = findings.counts;
    if counts.failed.is_none() && !findings.failures.is_empty() {
        counts.failed = Some(findings.failures.len() + findings.more_failures);
    }
    Summary {
        tool: known.or(findings.tools.first().copied()),
        exit: command.exit,
        counts,
        failures: findings.failures,
        more_failures: findings.more_failures,
        errors: findings.errors,
        warnings: findings.warnings,
        skipped,
        view,
    }
}
