//! Reports of pytest, in its styles `long`, `short`, `line` and `native`.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Failure, Findings, Tool, add};
use super::super::place::{Place, leading, number, python_frame};
use super::traceback;

/// A part of the output, between lines of `=`.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// None of pytest's.
    #[default]
    Outside,
    /// The header and the progress.
    Progress,
    /// "ERRORS" and "FAILURES".
    Reports,
    /// "short test summary info".
    Summary,
    /// "warnings summary", "PASSES" and others.
    Other,
}

#[derive(Default)]
pub(super) struct Pytest {
    section: Section,
    open: Option<Block>,
    /// Places of reports without a title (`--tb=line`), in the order of the failures.
    untitled: Vec<Place>,
    /// Names as the reports write them, until the summary gives their full ones.
    short_names: Vec<String>,
    /// Failing tests in the summary that no report was about.
    unreported: Vec<String>,
    /// How many reports and lines of the summary were read.
    reported: usize,
    named: usize,
}

/// The most reports that are kept until the summary names them.
const MAX_PENDING: usize = 1_000;

/// The most reports, and lines of the summary, that are looked at: each is searched for among the
/// pending ones.
const MAX_REPORTS: usize = 5_000;

impl OutputParser for Pytest {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if let Some(title) = framed(line, '=') {
            return self.section_line(title, findings);
        }
        if count_line(line, findings) {
            self.close(findings);
            self.section = Section::Outside;
            return true;
        }
        match self.section {
            Section::Outside => is_dots(line, findings),
            Section::Progress => {
                verbose(line, findings) || is_header(line) || is_dots(line, findings)
            }
            Section::Reports => {
                self.report_line(line, findings);
                true
            }
            Section::Summary => self.summary_line(line, findings),
            Section::Other => true,
        }
    }

    fn is_open(&self) -> bool {
        self.section != Section::Outside
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close(findings);
        self.place_untitled(findings);
    }
}

impl Pytest {
    /// Takes a line of `=` with a title.
    fn section_line(&mut self, title: &str, findings: &mut Findings) -> bool {
        let section = match title {
            "test session starts" => Section::Progress,
            "ERRORS" | "FAILURES" => Section::Reports,
            "short test summary info" => Section::Summary,
            "PASSES" | "XFAILURES" | "XPASSES" | "slowest durations" => Section::Other,
            _ if title.starts_with("warnings summary") || title.starts_with("tests coverage") => {
                Section::Other
            }
            _ if counts(title, findings) => Section::Outside,
            _ if self.section == Section::Outside => return false,
            _ => Section::Other,
        };
        self.close(findings);
        findings.saw(Tool::Pytest);
        self.section = section;
        true
    }

    fn report_line(&mut self, line: &str, findings: &mut Findings) {
        if let Some(title) = framed(line, '_').filter(|title| title.contains(char::is_alphanumeric))
        {
            self.close(findings);
            let starts = [
                "ERROR at setup of ",
                "ERROR at teardown of ",
                "ERROR collecting ",
            ];
            let name = starts.iter().find_map(|start| title.strip_prefix(start));
            self.open = Some(Block::new(name.unwrap_or(title)));
            return;
        }
        if let Some(block) = &mut self.open {
            block.push(line);
            // A report of one line may follow one with a title.
            let is_done = block.lines().any(|line| line.starts_with("E "));
            if !(is_done && is_one_line_report(line)) {
                return;
            }
        }
        if is_one_line_report(line)
            && self.untitled.len() < MAX_PENDING
            && let Some(found) = leading(line)
        {
            self.untitled.push(found.place);
        }
    }

    fn close(&mut self, findings: &mut Findings) {
        let Some(block) = self.open.take().filter(|_| self.reported < MAX_REPORTS) else {
            return;
        };
        self.reported += 1;
        let lines: Vec<_> = block.lines().collect();
        let places = block.places();
        let name = known_name(&block.name, findings).unwrap_or_else(|| {
            if self.short_names.len() < MAX_PENDING {
                self.short_names.push(block.name.clone());
            }
            block.name.clone()
        });
        findings.failed(&name, message(&lines), places);
    }

    /// Reads `FAILED tests/test_x.py::test_y - AssertionError: ...`.
    fn summary_line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let starts = ["FAILED ", "ERROR ", "SUBFAIL ", "SUBFAILED "];
        let found = starts.iter().find_map(|start| line.strip_prefix(start));
        let Some(rest) = found.filter(|_| self.named < MAX_REPORTS) else {
            // A message of several lines, passed and skipped tests, notices.
            return true;
        };
        self.named += 1;
        let entry = SummaryEntry::read(rest);
        let short = short_name(entry.id);
        if let Some(at) = self.short_names.iter().position(|name| *name == short) {
            let old = self.short_names.remove(at);
            findings.rename(&old, entry.id);
        }
        let failure = findings.failure(entry.id);
        if failure.is_some_and(|failure| failure.message.is_empty()) {
            self.unreported.push(entry.id.to_owned());
        }
        let said = Some(entry.said).filter(|said| !said.is_empty());
        findings.failed(entry.id, said, Vec::new());
        true
    }

    /// Reports of one line stand in the order of the failing tests that have no other; they are
    /// matched where their numbers agree.
    fn place_untitled(&mut self, findings: &mut Findings) {
        if self.unreported.len() != self.untitled.len() {
            return;
        }
        for (name, place) in self.unreported.drain(..).zip(self.untitled.drain(..)) {
            findings.failed(&name, None, vec![place]);
        }
    }
}

/// Returns the text between two runs of a character that reach across the line.
fn framed(line: &str, frame: char) -> Option<&str> {
    let inner = line
        .trim_end()
        .strip_prefix(frame)?
        .trim_start_matches(frame);
    let title = inner.strip_suffix(frame)?.trim_end_matches(frame);
    let title = title.strip_prefix(' ')?.strip_suffix(' ')?.trim();
    (!title.is_empty()).then_some(title)
}

/// Returns the full name of a failure that a report calls by a short name and that has no message.
fn known_name(short: &str, findings: &Findings) -> Option<String> {
    let is_it =
        |failure: &&Failure| failure.message.is_empty() && short_name(&failure.name) == short;
    findings
        .failures
        .iter()
        .find(is_it)
        .map(|failure| failure.name.clone())
}

/// Returns `Class.test_x` of `tests/test_y.py::Class::test_x`.
fn short_name(id: &str) -> String {
    // A parameter may have colons too.
    let (path, parameter) = match id.find('[') {
        Some(at) => id.split_at(at),
        None => (id, ""),
    };
    match path.split_once("::") {
        Some((_, names)) => format!("{}{parameter}", names.replace("::", ".")),
        None => id.to_owned(),
    }
}

/// A line of the summary.
struct SummaryEntry<'a> {
    /// The full name of the test, or a file.
    id: &'a str,
    /// What is said of it; may be empty.
    said: &'a str,
}

impl<'a> SummaryEntry<'a> {
    /// Splits `id - message`. A parameter may hold " - ", so that its bracket's end comes first.
    fn read(rest: &'a str) -> Self {
        let end = match (rest.find('['), rest.find(" - ")) {
            (Some(open), Some(dash)) if open < dash => rest.find("] - ").map_or(dash, |at| at + 1),
            (_, Some(dash)) => dash,
            (_, None) => rest.len(),
        };
        let (id, said) = rest.split_at(end);
        Self {
            id: id.trim(),
            said: said.trim_start_matches(" - "),
        }
    }
}

/// Returns the assertion in a report: the lines marked with `E`, or the end of a native traceback.
fn message<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let marked = lines.iter().filter_map(|line| line.strip_prefix("E "));
    let marked: Vec<_> = marked
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    if marked.is_empty() && lines.iter().any(|line| python_frame(line).is_some()) {
        return traceback::message(lines);
    }
    if marked.is_empty() {
        return lines
            .iter()
            .copied()
            .filter(|line| !line.starts_with("- - "))
            .collect();
    }
    marked
}

/// Takes a line of the verbose progress: `tests/test_x.py::test_y FAILED [ 3%]`.
fn verbose(line: &str, findings: &mut Findings) -> bool {
    let trimmed = line.trim_end();
    let percent = trimmed
        .strip_suffix("%]")
        .and_then(|rest| rest.rsplit_once('['));
    let line = percent.map_or(trimmed, |(rest, _)| rest);
    // A reason may stand behind the result: `SKIPPED (...)`.
    let results = [
        " PASSED", " FAILED", " ERROR", " SKIPPED", " XFAIL", " XPASS",
    ];
    let found = results
        .iter()
        .find_map(|result| line.rfind(result).map(|at| (at, *result)));
    let Some((at, result)) = found else {
        return false;
    };
    let id = line.get(..at).unwrap_or_default().trim();
    if !id.contains("::") && !id.contains(".py") {
        return false;
    }
    if matches!(result, " FAILED" | " ERROR") {
        let _ = findings.failure(id);
    }
    true
}

fn is_header(line: &str) -> bool {
    const STARTS: [&str; 9] = [
        "platform ",
        "rootdir: ",
        "plugins: ",
        "collected ",
        "collecting ",
        "cachedir: ",
        "configfile: ",
        "hypothesis profile ",
        "asyncio: ",
    ];
    STARTS.iter().any(|start| line.starts_with(start)) || line.starts_with("!!!!")
}

/// Takes a line of progress: `tests/test_x.py ..F.s [ 12%]`.
fn is_dots(line: &str, findings: &mut Findings) -> bool {
    let Some((rest, percent)) = line
        .trim_end()
        .strip_suffix("%]")
        .and_then(|rest| rest.rsplit_once('['))
    else {
        return line.contains(".py ") && line.rsplit(' ').next().is_some_and(is_dot_run);
    };
    let is_percent = percent.trim().bytes().all(|byte| byte.is_ascii_digit());
    let dots = rest.trim_end().rsplit(' ').next().unwrap_or_default();
    let is_progress = is_percent && is_dot_run(dots);
    if is_progress {
        findings.saw(Tool::Pytest);
    }
    is_progress
}

fn is_dot_run(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| ".FEsxX".contains(letter))
}

/// Returns whether a line is a report of `--tb=line`: `/x/test_y.py:24: AssertionError: ...`.
fn is_one_line_report(line: &str) -> bool {
    leading(line).is_some_and(|found| {
        found.place.has_extension("py")
            && found.rest.starts_with(": ")
            && found.rest.contains(": ")
            && !found.rest.starts_with(": in ")
    })
}

/// Reads the last line of a quiet run, which has no frame.
fn count_line(line: &str, findings: &mut Findings) -> bool {
    line.contains(" in ")
        && line.ends_with('s')
        && line.starts_with(|letter: char| letter.is_ascii_digit())
        && counts(line, findings)
}

/// Reads `10 failed, 186 passed, 1 skipped, 1 error in 0.58s`.
fn counts(title: &str, findings: &mut Findings) -> bool {
    const KNOWN: [&str; 12] = [
        "failed",
        "passed",
        "skipped",
        "error",
        "errors",
        "xfailed",
        "xpassed",
        "warning",
        "warnings",
        "deselected",
        "rerun",
        "subtests passed",
    ];
    let Some((list, _)) = title.rsplit_once(" in ") else {
        return false;
    };
    let parts: Option<Vec<_>> = list
        .split(", ")
        .map(|part| {
            let (many, what) = number(part)?;
            Some((many as usize, what.trim()))
        })
        .collect();
    let Some(parts) = parts else {
        return false;
    };
    if !parts.iter().all(|(_, what)| KNOWN.contains(what)) {
        return false;
    }
    findings.saw(Tool::Pytest);
    for (many, what) in parts {
        match what {
            "passed" | "xpassed" => add(&mut findings.counts.passed, many),
            "failed" | "error" | "errors" => add(&mut findings.counts.failed, many),
            "skipped" | "xfailed" => add(&mut findings.counts.skipped, many),
            "warning" | "warnings" => findings.counts.warnings += many,
            _ => {}
        }
    }
    true
}
