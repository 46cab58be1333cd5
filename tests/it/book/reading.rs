//! The reading level of the pages that most people visit: short sentences.

use super::{Page, check, pages};

/// The pages that most people visit, and read from the top.
const MOST_VISITED: [&str; 10] = [
    "README.md",
    "docs/src/getting-started/installation.md",
    "docs/src/getting-started/first-chat.md",
    "docs/src/getting-started/telegram.md",
    "docs/src/getting-started/discord.md",
    "docs/src/getting-started/deploy.md",
    "docs/src/guides/approvals.md",
    "docs/src/guides/autonomy.md",
    "docs/src/guides/memory.md",
    "docs/src/guides/models.md",
];
/// The most words that the median sentence of such a page has.
const MEDIAN_WORDS: usize = 18;
/// The most words that any sentence of it has.
const MOST_WORDS: usize = 40;

/// Returns the sentences of a page, without tables, headings and fenced blocks. An item of a list ends
/// a sentence.
fn sentences(page: &Page) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for (_, line) in page.prose() {
        let text = line.trim();
        let is_apart = text.is_empty() || text.starts_with(['#', '|', '<', '!']);
        let item = item(text);
        if is_apart || item.is_some() {
            paragraphs.push(String::new());
        }
        if !is_apart {
            let paragraph = paragraphs.last_mut().unwrap();
            paragraph.push_str(item.unwrap_or(text));
            paragraph.push(' ');
        }
    }
    let sentences = paragraphs
        .iter()
        .flat_map(|paragraph| split(&plain(paragraph)));
    sentences.filter(|sentence| !sentence.is_empty()).collect()
}

/// Returns the text of an item of a list.
fn item(line: &str) -> Option<&str> {
    let numbered = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let numbered = numbered
        .strip_prefix(". ")
        .filter(|_| numbered.len() < line.len());
    let marked = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
    numbered.or(marked)
}

/// Returns a text in which a link is its own text, and code is one word.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split('`');
    while let Some(words) = parts.next() {
        plain.push_str(words);
        if parts.next().is_some() {
            plain.push_str("code");
        }
    }
    while let Some((before, rest)) = plain.split_once("](") {
        let after = rest.split_once(')').map_or("", |(_, after)| after);
        plain = format!("{before}{after}");
    }
    plain.replace(['[', '*'], "")
}

/// Splits a paragraph behind each mark that ends a sentence.
fn split(paragraph: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let sentence = sentences.last_mut().unwrap();
        sentence.push_str(word);
        sentence.push(' ');
        if word.ends_with(['.', '!', '?', ':']) {
            sentences.push(String::new());
        }
    }
    sentences.iter().map(|it| it.trim().to_owned()).collect()
}

fn words(sentence: &str) -> usize {
    let words = sentence.split_whitespace();
    words
        .filter(|word| word.contains(char::is_alphanumeric))
        .count()
}

/// Returns the number of words of the median sentence.
fn median(sentences: &[String]) -> usize {
    let mut counts: Vec<usize> = sentences.iter().map(|it| words(it)).collect();
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or_default()
}

fn breaches(page: &Page) -> Vec<String> {
    let sentences = sentences(page);
    let median = median(&sentences);
    let mut breaches = Vec::new();
    if median > MEDIAN_WORDS {
        breaches.push(format!(
            "{}: the median sentence has {median} words",
            page.path
        ));
    }
    let long = sentences.iter().filter(|it| words(it) > MOST_WORDS);
    breaches.extend(long.map(|it| format!("{}: {} words: {it}", page.path, words(it))));
    breaches
}

#[test]
fn the_most_visited_pages_have_short_sentences() {
    let pages = pages();
    let visited: Vec<&Page> = pages
        .iter()
        .filter(|page| MOST_VISITED.contains(&&*page.path))
        .collect();
    assert_eq!(visited.len(), MOST_VISITED.len());
    check(&visited.into_iter().flat_map(breaches).collect::<Vec<_>>());
}

#[test]
fn sentences_are_counted_as_read() {
    let page = Page {
        path: "a.md".to_owned(),
        text: "# Not this\n\nOne two `three four` [five\nsix](seven.md). Seven!\n\n- eight nine\n\
               - ten\n\n| no | no |\n"
            .to_owned(),
    };
    let sentences = sentences(&page);
    assert_eq!(
        sentences,
        ["One two code five six.", "Seven!", "eight nine", "ten"]
    );
    assert_eq!(median(&sentences), 2);
    let long = Page {
        path: "b.md".to_owned(),
        text: "word ".repeat(MOST_WORDS + 1) + ".\n",
    };
    assert_eq!(breaches(&long).len(), 2);
}
