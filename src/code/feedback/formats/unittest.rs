//! Reports of Python's unittest.

use super::super::chain::OutputParser;
use super::super::findings::{Block, Findings, Tool, add};
use super::super::place::number;
use super::traceback;

#[derive(Default)]
pub(super) struct Unittest {
    open: Option<Block>,
    /// The line before was the ruler above a title.
    is_below_ruler: bool,
    /// How many tests ran, until the result says how many did not pass.
    ran: Option<usize>,
}

impl OutputParser for Unittest {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        let is_ruler = line.len() >= 60 && line.bytes().all(|byte| byte == b'=');
        if std::mem::replace(&mut self.is_below_ruler, is_ruler)
            && let Some(name) = title(line)
        {
            findings.saw(Tool::Unittest);
            if line.starts_with("UNEXPECTED SUCCESS: ") {
                findings.failed(&name, ["unexpected success"], Vec::new());
            } else {
                self.open = Some(Block::new(&name));
            }
            return true;
        }
        if is_ruler {
            self.close(findings);
            return true;
        }
        if let Some(rest) = line.strip_prefix("Ran ")
            && let Some((ran, rest)) = number(rest)
            && rest.starts_with(" test")
        {
            self.close(findings);
            self.ran = Some(ran as usize);
            return true;
        }
        if let Some(block) = &mut self.open {
            block.push(line);
            return true;
        }
        self.result(line, findings) || verbose(line, findings) || is_dots(line)
    }

    fn is_open(&self) -> bool {
        self.open.is_some() || self.is_below_ruler
    }

    fn end(&mut self, findings: &mut Findings) {
        self.close(findings);
    }
}

impl Unittest {
    fn close(&mut self, findings: &mut Findings) {
        let Some(block) = self.open.take() else {
            return;
        };
        let lines: Vec<_> = block
            .lines()
            .filter(|line| !line.starts_with("-----"))
            .collect();
        findings.failed(&block.name, traceback::message(&lines), block.places());
    }

    /// Reads `FAILED (failures=5, errors=2, skipped=1)`.
    fn result(&mut self, line: &str, findings: &mut Findings) -> bool {
        let Some(ran) = self.ran else {
            return false;
        };
        let Some(rest) = line
            .strip_prefix("FAILED")
            .or_else(|| line.strip_prefix("OK"))
        else {
            return false;
        };
        self.ran = None;
        findings.saw(Tool::Unittest);
        let (mut failed, mut skipped) = (0, 0);
        for part in rest.trim_matches([' ', '(', ')']).split(", ") {
            let Some((what, many)) = part.split_once('=') else {
                continue;
            };
            let many = number(many).map_or(0, |(many, _)| many as usize);
            match what {
                "failures" | "errors" | "unexpected successes" => failed += many,
                "skipped" | "expected failures" => skipped += many,
                _ => {}
            }
        }
        add(
            &mut findings.counts.passed,
            ran.saturating_sub(failed + skipped),
        );
        add(&mut findings.counts.failed, failed);
        add(&mut findings.counts.skipped, skipped);
        true
    }
}

/// Returns the name in `FAIL: test_x (module.Class.test_x) (size=3)`.
fn title(line: &str) -> Option<String> {
    let starts = ["FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "];
    let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
    Some(full_name(rest))
}

/// Joins the method and the class that stand apart in reports; until Python 3.10 the method is not
/// repeated in brackets.
fn full_name(text: &str) -> String {
    let Some((method, rest)) = text.split_once(" (") else {
        return text.to_owned();
    };
    let (owner, parameters) = rest.split_once(')').unwrap_or((rest, ""));
    let is_import = owner.contains("_FailedTest");
    let name = if is_import {
        method.to_owned()
    } else if owner.ends_with(&format!(".{method}")) {
        owner.to_owned()
    } else {
        format!("{owner}.{method}")
    };
    format!("{name}{parameters}")
}

/// Takes a line of the verbose report: `test_x (module.Class.test_x) ... FAIL`.
fn verbose(line: &str, findings: &mut Findings) -> bool {
    let Some((test, result)) = line.rsplit_once(" ... ") else {
        return false;
    };
    let is_result = matches!(
        result,
        "ok" | "FAIL" | "ERROR" | "expected failure" | "unexpected success"
    ) || result.starts_with("skipped ");
    let is_test = test.contains(" (") && test.ends_with(')');
    if is_test && matches!(result, "FAIL" | "ERROR" | "unexpected success") {
        let _ = findings.failure(&full_name(test.trim_start()));
    }
    is_result
}

fn is_dots(line: &str) -> bool {
    line.len() >= 3
        && line
            .chars()
            .all(|letter| matches!(letter, '.' | 'F' | 'E' | 's' | 'x' | 'u'))
}
