//! Tests of cutting files into chunks.

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use super::{Lines, MAX_CHUNK_LINES, chunks, scope};
use crate::language::CodeLanguage;
use crate::outline::Outline;
use crate::syntax::parse;

fn rust(text: &str) -> Vec<[u32; 2]> {
    let tree = parse(CodeLanguage::Rust, text);
    let chunks = chunks(text, tree.as_ref());
    chunks.iter().map(|it| [it.first, it.last]).collect()
}

fn function(name: &str, lines: usize) -> String {
    format!(
        "/// Does it.\nfn {name}() {{\n{}}}\n\n",
        "    x();\n".repeat(lines)
    )
}

#[test]
fn functions_are_chunks_with_their_comments() {
    let text = format!("{}{}", function("a", 40), function("b", 30));
    assert_eq!(rust(&text), [[1, 44], [45, 78]]);
}

#[test]
fn small_items_share_a_chunk() {
    let text = "const A: u8 = 1;\n\nconst B: u8 = 2;\n\nconst C: u8 = 3;\n";
    assert_eq!(rust(text), [[1, 5]]);
}

#[test]
fn a_long_implementation_is_cut_between_its_methods() {
    let methods = [function("a", 30), function("b", 30), function("c", 30)].concat();
    let text = format!("impl X {{\n{methods}}}\n");
    assert_eq!(rust(&text), [[1, 35], [36, 69], [70, 104]]);
}

#[test]
fn a_text_without_syntax_is_cut_at_blank_lines() {
    let text = "word\n".repeat(15) + "\n" + &"other\n".repeat(50) + "\n\n" + &"more\n".repeat(130);
    let found = chunks(&text, None);
    let found: Vec<[u32; 2]> = found.iter().map(|it| [it.first, it.last]).collect();
    assert_eq!(
        found,
        [[1, 16], [17, 68], [69, 128], [129, 188], [189, 198]]
    );
}

#[test]
fn a_chunk_says_where_it_stands() {
    let text = format!(
        "impl Bag {{\n{}{}}}\n",
        function("put", 30),
        function("take", 30)
    );
    let tree = parse(CodeLanguage::Rust, &text).unwrap();
    let outline = Outline::of(CodeLanguage::Rust, &tree, &text);
    let chunk = Lines {
        first: 40,
        last: 60,
    };
    assert_eq!(scope(chunk, &outline.definitions), ["take"]);
    let chunk = Lines { first: 3, last: 34 };
    assert_eq!(scope(chunk, &outline.definitions), ["put"]);
}

proptest! {
    #[test]
    fn chunks_cover_what_is_not_blank_and_are_bounded(text in "([a-z{}();\"' \n]|fn [a-z]+\\(\\) \\{\n){0,400}", parsed in any::<bool>()) {
        let tree = parsed.then(|| parse(CodeLanguage::Rust, &text)).flatten();
        let found = chunks(&text, tree.as_ref());
        let mut next = 1;
        for chunk in &found {
            prop_assert!(chunk.first >= next && chunk.last >= chunk.first);
            prop_assert!(chunk.count() <= MAX_CHUNK_LINES);
            next = chunk.last + 1;
        }
        for (number, line) in (1..).zip(text.lines()) {
            let holding = found.iter().filter(|it| it.first <= number && it.last >= number);
            let wanted = if line.trim().is_empty() { holding.clone().count() } else { 1 };
            prop_assert_eq!(holding.count(), wanted, "line {}", number);
        }
    }
}
