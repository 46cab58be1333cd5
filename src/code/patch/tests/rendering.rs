//! What people see of a change.

use super::super::{FileChange, RenderLimits, RenderedDiff, render};

fn rendered(old: &str, new: &str, lines: usize) -> RenderedDiff {
    let limits = RenderLimits {
        context: 1,
        lines,
        columns: 24,
    };
    render(&FileChange::of("a", Some(old), Some(new)), limits)
}

#[track_caller]
fn check(old: &str, new: &str, expected: &str) {
    assert_eq!(rendered(old, new, 40).to_string(), expected);
}

#[test]
fn lines_that_change_are_shown_with_those_around() {
    let old = "a\nb\nc\nd\ne\nf\ng\nh\n";
    let new = "a\nB\nc\nd\ne\nf\ng\nh\ni\n";
    check(old, new, " a\n-b\n+B\n c\n@@ 8\n h\n+i\n");
    let new = "a\nB\nc\nD\ne\nf\ng\nh\n";
    check(old, new, " a\n-b\n+B\n c\n-d\n+D\n e\n");
}

#[test]
fn a_difference_beyond_the_width_is_shown() {
    let old = "let value = some_function(first_argument, second);\n";
    let new = "let value = some_function(first_argument, third);\n";
    check(old, new, "-…, second);\n+…, third);\n");
    let old = "这是一个很长的句子，里面有很多字，最后是三十秒。\n";
    let new = "这是一个很长的句子，里面有很多字，最后是四十秒。\n";
    check(old, new, "-…，最后是三十秒。\n+…，最后是四十秒。\n");
    assert!(!rendered(old, new, 40).is_whole());
}

#[test]
fn differences_in_spaces_are_made_visible() {
    check("\tx = 1\n", "    x = 1\n", "-→   x·=·1\n+····x·=·1\n");
    check("x\n", "x  \n", "-x\n+x··\n");
    check("x\ny", "x\ny\n", " x\n-y\n+y↵\n");
    check("\tx\n", "\ty\n", "-    x\n+    y\n");
}

#[test]
fn nothing_hides_in_a_line() {
    let new = "if a\u{202e} {\u{200b}\n";
    check("if a {\n", new, "-if a {\n+if a\\u{202e} {\\u{200b}\n");
}

#[test]
fn what_is_left_out_is_counted() {
    let old: String = (0..9)
        .map(|at| format!("{at}\n"))
        .collect::<Vec<_>>()
        .concat();
    let new: String = (10..30)
        .map(|at| format!("{at}\n"))
        .collect::<Vec<_>>()
        .concat();
    let diff = rendered(&old, &new, 12);
    assert_eq!(diff.lines.len(), 12);
    assert_eq!(diff.left_out, 17);
    assert!(!diff.is_whole());
    assert!(rendered(&old, &new, 29).is_whole());
}

#[test]
fn line_ends_that_change_are_said() {
    let diff = rendered("a\r\nb\r\n", "a\nb\n", 9);
    assert!(diff.changes_line_ends && diff.lines.is_empty() && !diff.is_whole());
    assert!(!rendered("a\r\nb\r\n", "a\r\nc\r\n", 9).changes_line_ends);
    assert!(rendered("a\r\nb\r\n", "a\r\nc\n", 9).changes_line_ends);
}
