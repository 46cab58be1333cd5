//! What is cut as a loop, and what only looks like one.

use super::{DegenerateOutput, Repetition};

/// Watches a text that arrives in pieces of `piece` characters, then ends.
fn watch(text: &str, piece: usize) -> Result<(), DegenerateOutput> {
    let mut repetition = Repetition::default();
    let letters: Vec<char> = text.chars().collect();
    let mut so_far = String::new();
    for piece in letters.chunks(piece) {
        so_far.extend(piece);
        repetition.watch(&so_far)?;
    }
    repetition.finish()
}

/// The same, also behind other words; the pieces never matter.
#[track_caller]
fn verdict(text: &str) -> Result<(), DegenerateOutput> {
    let whole = watch(text, usize::MAX);
    for piece in [1, 3, 17, 1000] {
        assert_eq!(watch(text, piece), whole, "in pieces of {piece}");
    }
    let behind = format!("Here is what you asked for:\n\n{text}");
    assert_eq!(watch(&behind, 5).is_ok(), whole.is_ok(), "behind words");
    whole
}

#[track_caller]
fn passes(text: &str) {
    let shown: String = text.chars().take(40).collect();
    assert_eq!(verdict(text), Ok(()), "{shown}");
}

#[track_caller]
fn is_cut(text: &str) {
    let shown: String = text.chars().take(40).collect();
    assert!(verdict(text).is_err(), "{shown}");
}

#[test]
fn more_than_fifty_brackets_in_a_row_are_cut() {
    for bracket in ["[", "{"] {
        passes(&bracket.repeat(50));
        is_cut(&bracket.repeat(51));
        is_cut(&format!("{} and so on", bracket.repeat(51)));
        is_cut(&bracket.repeat(5000));
    }
    is_cut(&"[ ".repeat(51));
    is_cut(&"[\n".repeat(51));
    is_cut(&"[{".repeat(26));
}

#[test]
fn brackets_are_cut_at_the_first_that_is_too_many() {
    let mut repetition = Repetition::default();
    let mut text = "{".repeat(50);
    assert_eq!(repetition.watch(&text), Ok(()));
    text.push('{');
    assert_eq!(repetition.watch(&text), Err(DegenerateOutput::Openers(51)));
}

#[test]
fn nested_json_passes() {
    for depth in [51, 60, 100, 128] {
        passes(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        passes(&format!("{}1{}", "[".repeat(depth), "]".repeat(depth)));
        for name in ["a", "child", &"a_rather_long_name_".repeat(5)] {
            let open = format!("{{\"{name}\":").repeat(depth);
            passes(&format!("{open}null{}", "}".repeat(depth)));
            let open = format!("{{\"{name}\":[").repeat(depth / 2);
            passes(&format!("{open}{}", "]}".repeat(depth / 2)));
        }
        passes(&indented(depth.min(60)));
    }
    let wide: Vec<String> = (0..400).map(|id| format!("{{\"id\":{id}}}")).collect();
    passes(&format!("[{}]", wide.join(",")));
}

fn indented(depth: usize) -> String {
    let lines = (0..depth).map(|level| format!("{}{{\n{0}\"next\": ", "  ".repeat(level)));
    let closing = (0..depth)
        .rev()
        .map(|level| format!("\n{}}}", "  ".repeat(level)));
    lines.chain(["null".to_owned()]).chain(closing).collect()
}

#[test]
fn nesting_without_end_is_cut() {
    is_cut(&"[".repeat(129));
    is_cut(&"{\"a\":".repeat(2000));
    is_cut(&"{\"child\":[".repeat(1000));
    is_cut(&"]}".repeat(5000));
}

#[test]
fn the_same_words_again_and_again_are_cut() {
    for piece in [
        "ha ",
        "I will look at it again. ",
        "Let me check the file.\n",
        "\\n",
        "0",
        "\n",
        " \n",
        "哈",
        "我再看一下。",
        "好的，我来检查。\n",
        "<td></td>",
        "🙂",
    ] {
        is_cut(&piece.repeat(9000));
    }
    let paragraph = "First I read the file, then I change the line, then I run the tests again. ";
    is_cut(&paragraph.repeat(120));
    let long = paragraph.repeat(6) + "And that was that.\n";
    is_cut(&long.repeat(19));
}

#[test]
fn a_loop_ends_soon() {
    let piece = "I will look at it again. ";
    let mut repetition = Repetition::default();
    let mut text = String::new();
    let mut said = 0;
    while repetition.watch(&text).is_ok() {
        text.push_str(piece);
        said += 1;
    }
    assert!((320..=332).contains(&said), "{said}");
}

#[test]
fn code_tables_and_figures_pass() {
    let separators = format!(
        "// {}\nfn main() {{}}\n// {}\n# {}\n",
        "-".repeat(120),
        "=".repeat(200),
        "#".repeat(400)
    );
    passes(&separators.repeat(9));
    passes(&format!("{}\n{}", "─".repeat(160), "═".repeat(160)));
    passes(&"- ".repeat(100));
    passes(&format!("let zeros = [{}];", "0, ".repeat(200)));
    passes(&format!("{}\n", "0,".repeat(27)).repeat(28));
    let row = "| name       | size | date       |\n";
    let line = "+------------+------+------------+\n";
    passes(&[row, line].concat().repeat(40));
    passes(&". . . . . . . .\n".repeat(8));
    passes(&"Around the world, around the world\n".repeat(20));
    let lines: Vec<String> = (0..500).map(|n| format!("line {n}")).collect();
    passes(&lines.join("\n"));
    passes(&"\n".repeat(60));
    passes(&" ".repeat(400));
    passes(&"哈".repeat(600));
    passes(&"All work and no play. ".repeat(200));
    passes(&"x".repeat(5000));
}

#[test]
fn encoded_bytes_pass() {
    // What follows from a linear congruential generator looks like the inside of an archive.
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 1_u64;
    let encoded: String = (0..20_000)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(alphabet[(state >> 58) as usize])
        })
        .collect();
    passes(&encoded);
    // A few hundred zero bytes in between.
    passes(&format!("{encoded}{}{encoded}", "A".repeat(3000)));
}

#[test]
fn what_is_replaced_is_watched_from_its_beginning() {
    let mut repetition = Repetition::default();
    assert_eq!(repetition.watch(&"x".repeat(700)), Ok(()));
    assert_eq!(repetition.watch("short"), Ok(()));
    assert_eq!(
        repetition.watch(&format!("short{}", "x".repeat(700))),
        Ok(())
    );
}
