//! The formatter "stylish" of ESLint, and of linters that write alike.

use super::super::chain::OutputParser;
use super::super::findings::{Diagnostic, Findings, Severity, Tool};
use super::super::place::{Place, number};

#[derive(Default)]
pub(super) struct Stylish {
    /// The file whose messages follow.
    file: Option<String>,
}

impl OutputParser for Stylish {
    fn line(&mut self, line: &str, findings: &mut Findings) -> bool {
        if let Some(file) = &self.file
            && let Some(diagnostic) = message(file, line)
        {
            findings.saw(Tool::Eslint);
            findings.diagnostic(diagnostic);
            return true;
        }
        if line.starts_with("✖ ") && line.contains(" problem") {
            findings.saw(Tool::Eslint);
            self.file = None;
            return true;
        }
        if line.trim().is_empty() {
            self.file = None;
            return false;
        }
        let is_fixable = line.contains("potentially fixable with the `--fix` option");
        let is_path = !line.contains(char::is_whitespace)
            && !line.contains(':')
            && line.contains('.')
            && line.contains(['/', '\\']);
        self.file = is_path.then(|| line.to_owned());
        is_fixable || is_path && findings.tools.contains(&Tool::Eslint)
    }
}

/// Reads `  7:14  error  'x' is not defined  no-undef`.
fn message(file: &str, line: &str) -> Option<Diagnostic> {
    let text = line.strip_prefix("  ")?.trim_start();
    let (at, rest) = number(text)?;
    let (column, rest) = number(rest.strip_prefix(':')?)?;
    let (severity, rest) = rest.trim_start().split_once(' ')?;
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    let rest = rest.trim();
    let (said, rule) = match rest.rsplit_once("  ") {
        Some((said, rule)) if !rule.contains(' ') => (said, Some(rule)),
        _ => (rest, None),
    };
    let place = Place::new(file, at, Some(column));
    Some(Diagnostic::new(severity, said).code(rule).at([place]))
}
