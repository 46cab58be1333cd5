//! Output of Rust's test runner, and panics of Rust programs.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Diagnostic, Findings, Tool, add};
use super::super::place::{Place, number};

#[derive(Default)]
pub(super) struct Libtest {
    /// Between "running N tests" and "test result".
    is_running: bool,
    /// Below the second "failures:", where only names stand.
    is_listing: bool,
    /// The name on a line that ends before its result, as without capture.
    unfinished: Option<String>,
    /// What a failing test wrote.
    block: Option<Block>,
    /// A panic outside of such a block; the name is the thread's.
    panic: Option<Block>,
    /// Panics whose thread may be a failing test's.
    panics: Vec<Block>,
}

/// The most panics that are kept until the names of failing tests are known.
const MAX_PANICS: usize = 100;

impl OutputParser for Libtest {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if self.block.is_some() && self.block_line(line, findings) {
            return true;
        }
        if self.panic.is_some() && self.panic_line(line) {
            return true;
        }
        if let Some(thread) = panicking_thread(line) {
            return self.open_panic(thread, line, findings);
        }
        if self.is_running {
            return self.running_line(line, findings);
        }
        let Some(rest) = line.strip_prefix("running ") else {
            return is_aftermath(line);
        };
        self.is_running = number(rest).is_some_and(|(_, rest)| matches!(rest, " test" | " tests"));
        self.is_listing = false;
        if self.is_running {
            findings.saw(Tool::Cargo);
        }
        self.is_running
    }

    fn is_open(&self) -> bool {
        self.block.is_some() || self.panic.is_some()
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close_block(findings);
        self.panics.extend(self.panic.take());
        for panic in std::mem::take(&mut self.panics) {
            report_panic(&panic, findings);
        }
    }
}

impl Libtest {
    fn running_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if let Some(result) = line.strip_prefix("test result: ") {
            self.is_running = false;
            self.unfinished = None;
            count(result, findings);
            return true;
        }
        if line == "failures:" || line == "successes:" {
            self.is_listing = line == "failures:";
            return true;
        }
        if let Some(name) = line
            .strip_prefix("---- ")
            .and_then(|rest| rest.strip_suffix(" ----"))
        {
            let name = name
                .strip_suffix(" stdout")
                .or(name.strip_suffix(" stderr"))
                .unwrap_or(name);
            self.block = Some(Block::new(name));
            return true;
        }
        if let Some(rest) = line.strip_prefix("test ")
            && let Some((name, result)) = rest.split_once(" ... ")
        {
            self.result(name, result, findings);
            return true;
        }
        if let Some(name) = line.strip_suffix(" --- FAILED") {
            let _ = findings.failure(bare(name));
            return true;
        }
        if let Some(name) = line.strip_prefix("    ").filter(|_| self.is_listing)
            && !name.starts_with(' ')
        {
            let _ = findings.failure(name);
            return true;
        }
        self.late_result(line, findings) || is_progress(line)
    }

    fn result(&mut self, name: &str, result: &str, findings: &mut Findings) {
        self.unfinished = None;
        match result {
            "FAILED" => {
                let _ = findings.failure(bare(name));
            }
            "ok" => {}
            _ if result.starts_with("ignored") || result.starts_with("bench") => {}
            _ => self.unfinished = Some(bare(name).to_owned()),
        }
    }

    /// Takes a result that stands on a line of its own, below what the test wrote.
    fn late_result(&mut self, line: &str, findings: &mut Findings) -> bool {
        if !matches!(line, "FAILED" | "ok") {
            return false;
        }
        let Some(name) = self.unfinished.take() else {
            return false;
        };
        if line == "FAILED" {
            let _ = findings.failure(&name);
        }
        true
    }

    fn block_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let is_end = line.starts_with("---- ") && line.ends_with(" ----")
            || line == "failures:"
            || line.starts_with("test result: ");
        if is_end {
            self.close_block(findings);
            return false;
        }
        if let Some(block) = &mut self.block {
            block.push(line);
        }
        true
    }

    fn close_block(&mut self, findings: &mut Findings) {
        if let Some(block) = self.block.take() {
            let places = documentation_place(&block.name)
                .map_or_else(|| panic_places(&block), |place| vec![place]);
            findings.failed(&block.name, panic_message(&block), places);
        }
    }

    /// Begins a panic's report. A thread that ran out of stack takes its test with it.
    fn open_panic(&mut self, thread: &str, line: &str, findings: &mut Findings) -> bool {
        if line.ends_with("has overflowed its stack") {
            if self.is_running && thread != "main" {
                findings.failed(thread, ["stack overflow"], Vec::new());
            } else {
                findings.diagnostic(Diagnostic::error(line));
            }
            return true;
        }
        let mut panic = Block::new(thread);
        panic.push(line);
        self.panic = Some(panic);
        true
    }

    /// Takes a line below a panic: the message, up to the note or a blank line.
    fn panic_line(&mut self, line: &str) -> bool {
        let is_note = line.starts_with("note: run with `RUST_BACKTRACE");
        let is_end = is_note
            || line.trim().is_empty()
            || matches!(line, "FAILED" | "ok")
            || line.starts_with("test ")
            || panicking_thread(line).is_some();
        if !is_end {
            if let Some(panic) = &mut self.panic {
                panic.push(line);
            }
            return true;
        }
        if let Some(panic) = self.panic.take()
            && self.panics.len() < MAX_PANICS
        {
            self.panics.push(panic);
        }
        is_note
    }
}

/// A panic belongs to the failing test whose name its thread has; else it is an error.
fn report_panic(panic: &Block, findings: &mut Findings) {
    let is_test = findings
        .failures
        .iter()
        .any(|failure| failure.name == panic.name);
    if is_test {
        return findings.failed(&panic.name, panic_message(panic), panic_places(panic));
    }
    let mut message = panic_message(panic).into_iter();
    let first = message.next().unwrap_or("panicked");
    let text = format!("thread '{}' panicked: {first}", panic.name);
    findings.diagnostic(Diagnostic::error(&text).at(panic_places(panic)));
    for line in message {
        findings.excerpt_line(super::super::Severity::Error, line);
    }
}

/// Returns the thread of `thread 'main' (123) panicked at src/main.rs:1:2:`.
fn panicking_thread(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("thread '")?;
    let (thread, rest) = rest
        .rsplit_once('\'')
        .filter(|(thread, _)| !thread.contains("panicked at"))
        .or_else(|| rest.split_once('\''))?;
    let is_panic = rest.contains(" panicked at ") || rest.ends_with(" has overflowed its stack");
    is_panic.then_some(thread)
}

/// Returns the lines that say what failed.
fn panic_message(block: &Block) -> Vec<&str> {
    let lines: Vec<_> = block.lines().collect();
    let at = lines
        .iter()
        .position(|line| panicking_thread(line).is_some());
    let Some(at) = at else {
        return lines;
    };
    let mut message = Vec::new();
    // Until Rust 1.72: `panicked at 'message', src/x.rs:1:2`.
    let first = lines.get(at).copied().unwrap_or_default();
    if let Some((_, rest)) = first.split_once(" panicked at '") {
        message.push(rest.rsplit_once("', ").map_or(rest, |(text, _)| text));
    }
    let below = lines.iter().skip(at + 1).copied();
    message.extend(
        below.take_while(|line| !line.starts_with("note: ") && *line != "stack backtrace:"),
    );
    message
}

fn panic_places(block: &Block) -> Vec<Place> {
    // The frames of a backtrace repeat the place and lead through the runner.
    let lines: Vec<_> = block.lines().collect();
    let known = lines.iter().find(|line| {
        panicking_thread(line).is_some() || line.contains("did not panic as expected at")
    });
    let old = known
        .and_then(|line| line.rsplit_once("', "))
        .map(|(_, place)| place);
    let trace = super::super::place::Trace::of(known.copied());
    let places = trace.places();
    match old.and_then(super::super::place::leading) {
        Some(found) if places.is_empty() => vec![found.place],
        _ => places,
    }
}

/// Returns the place that the name of a documentation test says: `src/lib.rs - sum (line 5)`.
fn documentation_place(name: &str) -> Option<Place> {
    let (file, rest) = name.split_once(" - ")?;
    let (_, line) = rest.rsplit_once("(line ")?;
    let (line, _) = number(line)?;
    Some(Place::new(file, line, None)).filter(|place| place.has_extension("rs"))
}

/// Returns the name of a test without what the runner adds.
fn bare(name: &str) -> &str {
    name.strip_suffix(" - should panic").unwrap_or(name)
}

/// Reads `FAILED. 140 passed; 6 failed; 1 ignored; 0 measured; 0 filtered out`.
fn count(result: &str, findings: &mut Findings) {
    for part in result.split([';', '.']) {
        let Some((many, what)) = number(part.trim()) else {
            continue;
        };
        let many = many as usize;
        match what.trim() {
            "passed" => add(&mut findings.counts.passed, many),
            "failed" => add(&mut findings.counts.failed, many),
            "ignored" => add(&mut findings.counts.skipped, many),
            _ => {}
        }
    }
}

/// Returns whether a line is one of dots, as with `--quiet`.
fn is_progress(line: &str) -> bool {
    let dots = line.split(' ').next().unwrap_or_default();
    !dots.is_empty() && dots.chars().all(|letter| matches!(letter, '.' | 'i' | 'F'))
}

/// Returns whether a line says again that tests failed.
fn is_aftermath(line: &str) -> bool {
    line.starts_with("note: run with `RUST_BACKTRACE")
        || line.starts_with("all doctests ran in ")
        || line.starts_with("    `--") && line.ends_with('`')
}
