//! Parsing within bounds.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::language::CodeLanguage;

/// How often a parser may report progress before it is stopped. It reports about every hundred
/// operations, and needs a few for each token of a file without errors: this is some three times what
/// a file of [`crate::MAX_FILE_BYTES`] takes. A count instead of a time keeps results the same
/// everywhere.
const MAX_REPORTS: usize = 20_000;

/// Parses a text; `None` where that takes too long.
pub fn parse(language: CodeLanguage, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()).ok()?;
    let mut reports = 0;
    let mut progress = |_: &ParseState| {
        reports += 1;
        if reports > MAX_REPORTS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    parser.parse_with_options(&mut rest, None, Some(options))
}
