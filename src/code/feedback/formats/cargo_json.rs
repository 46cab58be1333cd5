//! Messages of `cargo --message-format=json` (The Cargo Book, "JSON messages").

use serde::Deserialize;

use super::super::findings::{Diagnostic, Findings, Severity, Tool};
use super::super::place::Place;

#[derive(Deserialize)]
struct Message {
    message: Option<Compiler>,
}

/// A diagnostic of rustc (The rustc book, "JSON output").
#[derive(Deserialize)]
struct Compiler {
    #[serde(default)]
    message: String,
    #[serde(default)]
    level: String,
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Span>,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: u32,
    column_start: u32,
    is_primary: bool,
}

/// Reads a message. Those of artifacts and build scripts say nothing for a reader.
pub(super) fn message(text: &str, findings: &mut Findings) -> bool {
    let Ok(message) = serde_json::from_str::<Message>(text) else {
        return false;
    };
    findings.saw(Tool::Cargo);
    let Some(compiler) = message.message else {
        return true;
    };
    let severity = match compiler.level.as_str() {
        "warning" => Severity::Warning,
        level if level.starts_with("error") => Severity::Error,
        _ => return true,
    };
    let is_count = compiler.spans.is_empty()
        && (compiler.message.starts_with("aborting due to")
            || compiler.message.ends_with(" emitted"));
    if is_count {
        return true;
    }
    let primary = compiler.spans.iter().find(|span| span.is_primary);
    let place =
        primary.map(|span| Place::new(&span.file_name, span.line_start, Some(span.column_start)));
    let code = compiler.code.map(|code| code.code);
    let before = findings.errors.len() + findings.warnings.len();
    findings.diagnostic(
        Diagnostic::new(severity, &compiler.message)
            .code(code.as_deref())
            .at(place),
    );
    if findings.errors.len() + findings.warnings.len() > before {
        let rendered = compiler.rendered.unwrap_or_default();
        let below = rendered.lines().skip(1).filter(|line| {
            let text = line.trim();
            !text.is_empty() && text != "|" && !text.starts_with("--> ")
        });
        for line in below {
            findings.excerpt_line(severity, line);
        }
    }
    true
}
