//! What a model reads when a patch is refused.

use super::{applied, files};

fn error(patch: &str, text: &str) -> String {
    applied(patch, &files(&[["a.rs", text]]))
        .unwrap_err()
        .to_string()
}

#[test]
fn lines_that_are_not_there_are_answered_with_the_nearest() {
    let text = "one\ntwo\nthree\nfour\nfive\nsix\n";
    let patch =
        "*** Begin Patch\n*** Update File: a.rs\n@@\n-one\n+1\n@@\n three\n-for\n+4\n five\n";
    let expected =
        "`a.rs`, hunk 2 of 2 (patch line 6): its lines are not in the file below line 1, where \
                    the hunk above it ends.
Looked for:
      | three
      | for
      | five
The file has, nearest to it (`>` differs first):
     3 | three
>    4 | four
     5 | five";
    assert_eq!(error(patch, text), expected);
}

#[test]
fn places_of_ambiguous_lines_are_named() {
    let text = "x\n}\n".repeat(12);
    let patch = "*** Update File: a.rs\n@@\n-}\n+)\n";
    let expected = "`a.rs`, hunk 1 of 1 (patch line 2): its lines are in the file 12 times, at lines 2, 4, 6, \
                    8, 10, 12, 14, 16, .... Add lines above or below until they fit in one place only, or \
                    name the function or class behind `@@`
Looked for:
      | }";
    assert_eq!(error(patch, &text), expected);
}

#[test]
fn a_file_that_has_nothing_like_it_is_not_quoted() {
    let expected = "`a.rs`, hunk 1 of 1 (patch line 2): its lines are not in the file.
Looked for:
      | alpha beta";
    assert_eq!(
        error("*** Update File: a.rs\n@@\n-alpha beta\n", "x\ny\n"),
        expected
    );
}

#[test]
fn the_nearest_lines_of_a_long_hunk_are_those_around_the_first_that_differs() {
    let text: String = (1..60)
        .map(|at| format!("line number {at}\n"))
        .collect::<Vec<_>>()
        .concat();
    let hunk: String = (10..50)
        .map(|at| format!(" line number {at}\n"))
        .collect::<Vec<_>>()
        .concat();
    let hunk = hunk.replace(" line number 40\n", "-no 40\n");
    let message = error(&format!("*** Update File: a.rs\n@@\n{hunk}"), &text);
    assert!(message.contains("... 28 more lines"), "{message}");
    assert!(message.contains("\n    34 | line number 34"), "{message}");
    assert!(message.contains("\n>   40 | line number 40"), "{message}");
    assert!(!message.contains("line number 46"), "{message}");
}
