//! A page as plain text: its words, its headings, its lists, its code and where its links lead.
//!
//! The markup is read as browsers read it (html5ever, by `dom_query`), and the main text is found
//! by `dom_smoothie`. Both can be made to take minutes and gigabytes, so this runs in a helper
//! (`page_request.rs`). What is written down is ours (`page_text.rs`).

use std::collections::HashMap;

use dom_query::{Document, NodeRef};
use dom_smoothie::{Config, Readability};

use super::page_text::{Descent, PageWriter};

/// A document deeper than this has no main text: finding it recurses, and squares the depth.
const MAX_DEPTH: usize = 400;
/// The most elements of which a main text is looked for.
const MAX_ELEMENTS: usize = 100_000;
/// The shortest paragraph that speaks for a main text, in characters. Chinese says as much in 80 as
/// English in the 140 that is usual.
const MIN_PARAGRAPH: usize = 80;
/// The shortest page of which a main text is looked for, in bytes of its text.
const MIN_PAGE: usize = 500;
/// A main text with less than this part of the page's text is none ...
const MIN_SHARE: usize = 20;
/// ... and this part where the page does not look as if it had one, as a list of goods.
const MIN_SHARE_OF_LISTS: usize = 2;
/// The longest line of who wrote a page, in bytes.
const MAX_AUTHOR_BYTES: usize = 200;
/// What a page may leave open besides [`MAY_STAY_OPEN`]. Browsers stop at a depth of 512.
const MAX_OPEN: usize = 1000;
/// Elements that have no end, that end by themselves, or that people forget to end without harm.
const MAY_STAY_OPEN: [&str; 36] = [
    "a", "area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "frame", "head",
    "hr", "html", "img", "input", "keygen", "li", "link", "meta", "optgroup", "option", "p",
    "param", "rb", "rp", "rt", "rtc", "source", "tbody", "td", "tfoot", "th", "thead", "tr",
    "track",
];

/// Elements whose content opens none, or ends what it opens by `/>`.
const UNNESTED: [&str; 4] = ["script", "style", "svg", "math"];

/// The text of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MainText {
    /// The main text, or all of it where there is none.
    pub text: String,
    /// How many bytes of the page's text are not in it.
    pub left_out: usize,
}

/// Returns the text of a whole page.
pub fn as_text(markup: &str) -> String {
    text_of(&Document::from(markup))
}

/// Returns the text of a page without what is around it: menus, advertisements, comments.
pub(crate) fn main_text(markup: &str) -> MainText {
    let document = Document::from(markup);
    let whole = text_of(&document);
    match main_of(document, whole.len()) {
        Some(main) => MainText {
            left_out: whole.len().saturating_sub(main.len()),
            text: main,
        },
        None => MainText {
            text: whole,
            left_out: 0,
        },
    }
}

/// Returns where the links of a page lead, in their order, as they are written there.
pub(crate) fn links(markup: &str) -> Vec<String> {
    let document = Document::from(markup);
    let links = document.select("a[href]");
    let written = links.iter().filter_map(|link| link.attr("href"));
    written.map(|link| link.trim().to_owned()).collect()
}

/// Returns whether a page opens more than [`MAX_OPEN`] elements without ending them: the time and the
/// size of its tree then grow with the square of its length (HTML standard, sections 13.2.4.2 and
/// 13.2.4.3).
pub fn is_too_deep(markup: &str) -> bool {
    let lower = markup.to_ascii_lowercase();
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut depth = 0;
    let mut rest = lower.as_str();
    while let Some((_, behind)) = rest.split_once('<') {
        rest = behind;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let ended = rest.strip_prefix('/');
        let name = tag_name(ended.unwrap_or(rest));
        if name.is_empty() || MAY_STAY_OPEN.contains(&name) {
            continue;
        }
        if ended.is_none() && UNNESTED.contains(&name) {
            let end = rest.find(&format!("</{name}"));
            rest = end.map_or("", |end| &rest[end + 2..]);
            continue;
        }
        let count = open.entry(name).or_default();
        if ended.is_none() {
            *count += 1;
            depth += 1;
        } else if *count > 0 {
            *count -= 1;
            depth -= 1;
        }
        if depth > MAX_OPEN {
            return true;
        }
    }
    false
}

/// Returns the name that a tag begins with; nothing where none begins.
fn tag_name(tag: &str) -> &str {
    let end = tag.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let name = &tag[..end.unwrap_or(tag.len())];
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if is_name { name } else { "" }
}

/// Returns the main text of a page whose whole text is this long.
fn main_of(document: Document, whole: usize) -> Option<String> {
    if whole < MIN_PAGE || depth(&document) > MAX_DEPTH {
        return None;
    }
    // By its classes a heading is often taken for decoration, and left out.
    document
        .select("h1, h2, h3, h4, h5, h6")
        .remove_attrs(&["class", "id"]);
    let config = Config {
        max_elements_to_parse: MAX_ELEMENTS,
        readable_min_content_length: MIN_PARAGRAPH,
        ..Config::default()
    };
    let written = document.select_single("title").text();
    let mut reader = Readability::with_document(document, None, Some(config)).ok()?;
    let share = if reader.is_probably_readable() {
        MIN_SHARE
    } else {
        MIN_SHARE_OF_LISTS
    };
    let article = reader.parse().ok()?;
    let content = without_lone_cells(&article.content);
    let text = text_of(&Document::from(content));
    if text.len() * share <= whole {
        return None;
    }
    let title = title(written.trim(), article.title.trim());
    let heading = format!("# {title}\n");
    if title.is_empty() {
        return Some(text);
    }
    let rest = text.strip_prefix(&heading).unwrap_or(&text);
    let author = author(&article.byline.unwrap_or_default());
    Some(
        match author.filter(|author| !rest.contains(author.as_str())) {
            Some(author) => format!("{heading}{author}\n{rest}"),
            None => format!("{heading}{rest}"),
        },
    )
}

/// Returns the title of a page. The reader takes what is behind a colon for it, also where that is
/// half a sentence: then the whole of what is written is given.
fn title<'a>(written: &'a str, found: &'a str) -> &'a str {
    if written.ends_with(found) {
        written
    } else {
        found
    }
}

/// Returns the line that says who wrote a page and when, which the reader takes out of its text.
fn author(byline: &str) -> Option<String> {
    let words: Vec<&str> = byline.split_whitespace().collect();
    let line = words.join(" ");
    let is_line = !line.is_empty() && line.len() <= MAX_AUTHOR_BYTES;
    // Some pages name an address of their author in place of a name.
    (is_line && !line.starts_with("http")).then_some(line)
}

/// Returns markup in which cells outside of a table are blocks: of a table that frames a page the
/// reader takes single cells, and a parser drops a cell without its table, so that its words join
/// those of the next.
fn without_lone_cells(markup: &str) -> String {
    let mut tables = 0_usize;
    let mut replaced = String::with_capacity(markup.len());
    for (number, tag) in markup.split('<').enumerate() {
        if number > 0 {
            replaced.push('<');
        }
        let (slash, name) = match tag.strip_prefix('/') {
            Some(name) => ("/", name),
            None => ("", tag),
        };
        if name.starts_with("table") {
            tables = if slash.is_empty() {
                tables + 1
            } else {
                tables.saturating_sub(1)
            };
        }
        match name.strip_prefix("td").filter(|_| tables == 0) {
            Some(rest) => {
                for part in [slash, "div", rest] {
                    replaced.push_str(part);
                }
            }
            None => replaced.push_str(tag),
        }
    }
    replaced
}

fn text_of(document: &Document) -> String {
    let mut writer = PageWriter::default();
    visit(document.root(), |step| match step {
        Step::Open(node) => writer.open(&node),
        Step::Close(node) => {
            writer.close(&node);
            Descent::Into
        }
    });
    writer.finish()
}

fn depth(document: &Document) -> usize {
    let (mut depth, mut deepest) = (0, 0);
    visit(document.root(), |step| {
        match step {
            Step::Open(_) => depth += 1,
            Step::Close(_) => depth -= 1,
        }
        deepest = deepest.max(depth);
        Descent::Into
    });
    deepest
}

/// A step of a walk through a tree.
enum Step<'a> {
    Open(NodeRef<'a>),
    Close(NodeRef<'a>),
}

/// Walks through what is below a node, in the order of the page and without recursion. What is
/// passed is not closed.
fn visit<'a>(root: NodeRef<'a>, mut step: impl FnMut(Step<'a>) -> Descent) {
    let mut next = root.first_child();
    while let Some(mut node) = next {
        if step(Step::Open(node)) == Descent::Into {
            next = node.first_child();
            if next.is_some() {
                continue;
            }
            step(Step::Close(node));
        }
        next = node.next_sibling();
        while next.is_none() {
            match node.parent() {
                Some(parent) if parent.id != root.id => node = parent,
                Some(_) | None => return,
            }
            step(Step::Close(node));
            next = node.next_sibling();
        }
    }
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
