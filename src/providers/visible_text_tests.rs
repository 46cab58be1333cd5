//! What is taken for thoughts, and what is heard while a text arrives.

use std::sync::Mutex;

use proptest::prelude::*;

use super::{MARKS, VisibleText, part};

#[track_caller]
fn check(text: &str, thought: &str, said: &str) {
    let parted = part(text);
    assert_eq!(
        (parted.thought.as_str(), parted.said.as_str()),
        (thought, said),
        "{text:?}"
    );
}

/// Returns what is heard of a text that arrives in pieces of `piece` characters.
fn heard(text: &str, piece: usize) -> String {
    let heard = Mutex::new(String::new());
    let keep = |piece: &str| heard.lock().unwrap().push_str(piece);
    let visible = VisibleText::new(&keep);
    let letters: Vec<char> = text.chars().collect();
    for piece in letters.chunks(piece) {
        visible.hear(&piece.iter().collect::<String>());
    }
    drop(visible);
    heard.into_inner().unwrap()
}

#[test]
fn chat_f3_thoughts_of_every_family_are_parted_from_what_is_said() {
    for (begin, end) in MARKS {
        let thought = "The user greets me.\nI should say hello.";
        check(
            &format!("{begin}{thought}{end}Hello there."),
            thought,
            "Hello there.",
        );
        check(
            &format!("\n{begin}\n{thought}\n{end}\n\nHello there."),
            thought,
            "Hello there.",
        );
        // In the middle, and more than once.
        let text = format!("Hello.\n{begin}{thought}{end}\nBye.\n{begin}hm{end}\nNow.");
        check(&text, &format!("{thought}\nhm"), "Hello.\nBye.\nNow.");
        // Without an end they are all there is.
        check(&format!("{begin}\n{thought}"), thought, "");
        for piece in [1, 2, 3, 7, 1000] {
            let heard = heard(&text, piece);
            assert_eq!(heard, "Hello.\nBye.\nNow.", "{begin} in pieces of {piece}");
        }
    }
}

#[test]
fn chat_f3_an_end_alone_ends_thoughts_that_began_in_the_prompt() {
    check(
        "The user greets me. I should say hello.\nLet me keep it short.\n</think>\n\nHello there.",
        "The user greets me. I should say hello.\nLet me keep it short.",
        "Hello there.",
    );
    check("Short.</think>\nHello.", "Short.", "Hello.");
    check("Let me see.[/THINK]\nHello.", "Let me see.", "Hello.");
}

#[test]
fn chat_f3_harmony_says_its_final_channel() {
    let text = "<|channel|>analysis<|message|>They greet.<|end|><|start|>assistant<|channel|>final<|message|>Hello there.<|return|>";
    check(text, "They greet.", "Hello there.");
    for piece in [1, 5, 1000] {
        assert!(!heard(text, piece).contains("They"), "{piece}");
        assert!(heard(text, piece).starts_with("Hello there."), "{piece}");
    }
}

#[test]
fn marks_that_are_spoken_about_stay() {
    for text in [
        "Say <think>.",
        "`<think>` begins the thoughts, `</think>` ends them.",
        "The mark </think> ends thoughts.",
        "Look:\n```\n<think>hm</think>\n```\nThat is it.",
        "```xml\n</think>\n```",
        "A <thinking> person",
        "<thin",
        "[Think] about it",
        "",
    ] {
        check(text, "", text);
    }
}

#[test]
fn chat_f9_marks_that_end_an_answer_are_not_shown() {
    for end in super::ENDS {
        check(
            &format!("The folder is empty.{end}"),
            "",
            "The folder is empty.",
        );
        check(
            &format!("The folder is empty.{end}\n{end}\n"),
            "",
            "The folder is empty.",
        );
    }
    check("HTML ends with </s> here", "", "HTML ends with </s> here");
}

proptest! {
    /// However it is cut, what was heard is what is said in the end.
    #[test]
    fn what_is_heard_is_what_is_said(
        thoughts in prop::option::of("[a-z <>/]{0,12}"),
        said in "[a-z<>/think\n ]{0,30}",
        cut in 1_usize..6,
    ) {
        let text = match thoughts {
            Some(thoughts) => format!("<think>{thoughts}</think>{said}."),
            None => format!("x{said}."),
        };
        let parted = part(&text);
        // An end without a beginning is only known once it is there.
        prop_assume!(!said.contains("</think>"));
        prop_assert_eq!(heard(&text, cut), parted.said);
    }
}
