//! The parsers in their order: the first that recognizes a line takes it.

use super::findings::Findings;
use super::formats;
use super::lines::{Line, TAIL_READ};

/// Reads the lines of one kind of output.
pub(super) trait OutputParser {
    /// Reads a line. Returns whether the line belongs to this parser's format: it is then not shown
    /// again, and no other parser gets it.
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool;

    /// Returns whether a report is open that owns the next line, whatever it looks like.
    fn is_open(&self) -> bool {
        false
    }

    /// Notes what is still open at the end of the output.
    fn end(&mut self, _findings: &mut Findings) {}
}

/// All parsers.
pub(super) struct Chain {
    parsers: Vec<Box<dyn OutputParser>>,
    /// How many XML reports were begun.
    reports: usize,
}

/// The most XML reports that are read of one output: each looks at what follows as a whole.
const MAX_REPORTS: usize = 16;

impl Default for Chain {
    fn default() -> Self {
        Self {
            parsers: formats::all(),
            reports: 0,
        }
    }
}

impl Chain {
    /// Passes a line to the parser with an open report, or else to each in turn. Returns whether it
    /// was recognized.
    pub(super) fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let open = self.parsers.iter().position(|parser| parser.is_open());
        if let Some(parser) = open.and_then(|at| self.parsers.get_mut(at))
            && parser.line(line, findings)
        {
            return true;
        }
        let others = self.parsers.iter_mut().enumerate();
        let mut others = others.filter(|(at, _)| Some(*at) != open);
        others.any(|(_, parser)| parser.line(line, findings))
    }

    pub(super) fn end(&mut self, findings: &mut Findings) {
        for parser in &mut self.parsers {
            parser.end(findings);
        }
    }

    /// Reads a JUnit report that begins with a line; returns the offset of its end in the output.
    pub(super) fn xml_report(
        &mut self,
        output: &[u8],
        line: &Line<'_>,
        findings: &mut Findings,
    ) -> Option<usize> {
        let text = line.text.trim_start();
        let is_report = text.starts_with("<?xml") || text.starts_with("<testsuite");
        if !is_report || self.reports >= MAX_REPORTS {
            return None;
        }
        self.reports += 1;
        let report = output.get(line.start..)?;
        let report = report.get(..TAIL_READ.min(report.len()))?;
        let length = formats::junit::read(report, findings)?;
        // The rest of the report's last line goes with it.
        let rest = report.get(length..).unwrap_or_default();
        let to_line_end = rest.iter().position(|byte| *byte == b'\n');
        Some(line.start + length + to_line_end.map_or(rest.len(), |at| at + 1))
    }
}
