//! Huge input: it is refused, or done in a time that grows no faster than the input.

use std::time::{Duration, Instant};

use super::super::limits::{FILE_BYTES, HUNKS, PATCH_BYTES, SECTIONS};
use super::super::{FileChange, PatchFormat, RenderLimits, parse, render, write};
use super::{applied, files};

/// Far more than the work takes in a debug build, and far less than a square of it would.
const WITHIN: Duration = Duration::from_mins(1);

fn error(patch: &str, text: &str) -> String {
    let begun = Instant::now();
    let error = applied(patch, &files(&[["a", text]])).unwrap_err();
    assert!(begun.elapsed() < WITHIN, "{:?}", begun.elapsed());
    let text = error.to_string();
    assert!(text.len() < 10_000, "{}", text.len());
    text
}

#[test]
fn what_is_beyond_a_limit_is_refused() {
    let long = "x".repeat(PATCH_BYTES);
    assert!(error(&format!("*** Update File: a\n{long}"), "").contains("bytes of the patch"));
    let big = "x".repeat(FILE_BYTES + 1);
    assert!(error("*** Update File: a\n-x\n+y", &big).contains("bytes of a file"));
    let hunks = "@@\n-x\n".repeat(HUNKS + 1);
    assert!(error(&format!("*** Update File: a\n{hunks}"), "").contains("number of hunks"));
    let many = "*** Delete File: a\n".repeat(SECTIONS + 1);
    assert!(error(&many, "").contains("number of files"));
}

#[test]
fn equal_lines_take_no_square_of_time() {
    let text = "\n".repeat(FILE_BYTES / 4);
    let blank = " \n".repeat(PATCH_BYTES / 8);
    let patch = format!("*** Update File: a\n@@\n{blank}-\n");
    assert!(error(&patch, &text).contains("its lines are in the file"));
    let patch = format!("*** Update File: a\n@@\n{blank}-x\n");
    assert!(error(&patch, &text).contains("its lines are not in the file"));
    // Empty lines without their space may be left out at both ends.
    let bare = "\n".repeat(PATCH_BYTES / 4);
    let patch = format!("*** Update File: a\n@@\n-x\n{bare}");
    assert!(error(&patch, &text).contains("its lines are not in the file"));
}

#[test]
fn many_hunks_in_a_large_file_come_to_an_end() {
    let lines: String = (0..200_000)
        .map(|at| format!("{at}\n"))
        .collect::<Vec<_>>()
        .concat();
    let hunks: String = (0..1_900)
        .map(|at| format!("@@\n-{at}\n+x{at}\n"))
        .collect::<Vec<_>>()
        .concat();
    let patch = format!("*** Update File: a\n{hunks}");
    assert!(error(&patch, &lines).contains("lines to search"));
}

#[test]
fn two_large_texts_without_a_line_in_common_are_compared() {
    let text = |sign: &str| -> String {
        (0..60_000)
            .map(|at| format!("{sign}{}\n", at % 9))
            .collect::<Vec<_>>()
            .concat()
    };
    let change = FileChange::of("a", Some(&text("a")), Some(&text("b")));
    let begun = Instant::now();
    let limits = RenderLimits {
        context: 3,
        lines: 40,
        columns: 60,
    };
    let rendered = render(&change, limits);
    assert_eq!(rendered.lines.len(), 40);
    assert_eq!(rendered.left_out, 120_000 - 40);
    assert!(write(PatchFormat::Envelope, &[change]).is_ok());
    assert!(begun.elapsed() < WITHIN, "{:?}", begun.elapsed());
}

#[test]
fn a_long_line_is_quoted_in_part() {
    let line = "长".repeat(100_000);
    let message = error(&format!("*** Update File: a\n@@\n-{line}\n+x"), "other\n");
    assert!(message.contains("长..."));
    assert!(parse(&format!("*** Begin Patch\n*** {line}:")).is_err());
}
