//! How a page is written down for a model: lines of words, with marks for headings and lists, and
//! the address of each link behind its words.
//!
//! The Markdown writers of `htmd` and `dom_query` were tried: they escape words (`snake\_case`), put
//! `&amp;` into addresses, and join a term with its meaning.

use dom_query::NodeRef;

/// Elements whose content is not for reading.
const SILENT: [&str; 7] = [
    "script", "style", "template", "svg", "iframe", "object", "math",
];
/// Elements that stand on lines of their own.
const BLOCKS: [&str; 42] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "legend",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "section",
    "summary",
    "table",
    "textarea",
    "title",
    "tr",
    "ul",
];
/// The longest address of a link that is shown, in bytes.
const MAX_LINK_BYTES: usize = 500;
/// The marks that a line may begin with; a line of them alone is an empty item or heading.
const MARKS: [char; 4] = ['#', '-', '|', ' '];
/// A cell of a table stays on the line of its row when it has no more than this below it.
const MAX_CELL_NODES: usize = 40;
/// Where code begins and ends.
const FENCE: &str = "```";

/// Whether a walk goes on below a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Descent {
    Into,
    Past,
}

/// Writes down a page, node after node.
#[derive(Default)]
pub(super) struct PageWriter {
    text: Text,
    /// The addresses of the links that are open.
    links: Vec<Option<String>>,
    /// The code that is being read, and how many elements of code are open.
    code: String,
    code_depth: usize,
    /// How many cells are open whose content stays on one line.
    narrow_cells: usize,
}

impl PageWriter {
    /// Begins a node. What is below it is for reading, or not.
    pub(super) fn open(&mut self, node: &NodeRef<'_>) -> Descent {
        let Some(name) = node.node_name() else {
            if node.is_text() {
                self.push(&node.text());
            }
            return Descent::Into;
        };
        match name.as_ref() {
            silent if SILENT.contains(&silent) => return Descent::Past,
            "a" => self.links.push(shown_address(node)),
            "img" => {
                if let Some(words) = node.attr("alt") {
                    self.push(&words);
                }
            }
            "pre" => self.code_depth += 1,
            "br" if self.code_depth > 0 => self.code.push('\n'),
            "td" | "th" => {
                self.text.push_words(" | ");
                self.narrow_cells += usize::from(is_narrow(node));
            }
            block if BLOCKS.contains(&block) => self.begin_block(mark(block)),
            _ => {}
        }
        Descent::Into
    }

    /// Ends a node.
    pub(super) fn close(&mut self, node: &NodeRef<'_>) {
        let Some(name) = node.node_name() else { return };
        match name.as_ref() {
            "a" => self.end_link(),
            "pre" => self.end_code(),
            "td" | "th" => self.narrow_cells -= usize::from(is_narrow(node)),
            // Nothing is in them that could end.
            "br" | "hr" => {}
            block if BLOCKS.contains(&block) => {
                if self.narrow_cells > 0 {
                    self.text.push_words(" ");
                } else {
                    self.text.end_line();
                }
            }
            _ => {}
        }
    }

    /// Returns the text.
    pub(super) fn finish(mut self) -> String {
        self.code_depth = self.code_depth.min(1);
        self.end_code();
        self.text.finish()
    }

    fn push(&mut self, words: &str) {
        if self.code_depth > 0 {
            self.code.push_str(words);
        } else {
            self.text.push_words(words);
        }
    }

    fn begin_block(&mut self, mark: &str) {
        if self.narrow_cells > 0 {
            self.text.push_words(" ");
        } else {
            self.text.begin_line(mark);
        }
    }

    fn end_link(&mut self) {
        let address = self.links.pop().flatten();
        if let Some(address) = address.filter(|_| self.code_depth == 0) {
            self.text.push_words(" <");
            self.text.push_words(&address);
            self.text.push_words(">");
        }
    }

    fn end_code(&mut self) {
        let was_open = self.code_depth > 0;
        self.code_depth = self.code_depth.saturating_sub(1);
        if self.code_depth > 0 || !was_open {
            return;
        }
        let code = std::mem::take(&mut self.code);
        let code = code.trim_end();
        let first = code.find(|letter: char| !letter.is_whitespace());
        // Spaces before its first line are part of it; lines before it are not.
        let begin = first.and_then(|first| code[..first].rfind('\n'));
        let code = &code[begin.map_or(0, |end| end + 1)..];
        if code.contains('\n') {
            self.text.push_code(code);
        } else {
            self.text.end_line();
            self.text.push_words(code);
            self.text.end_line();
        }
    }
}

/// Returns where a link leads, if that is worth showing.
fn shown_address(link: &NodeRef<'_>) -> Option<String> {
    let address = link.attr("href")?;
    let address = address.trim();
    let is_script =
        address.len() >= 11 && address.as_bytes()[..11].eq_ignore_ascii_case(b"javascript:");
    let is_shown = !address.is_empty()
        && address.len() <= MAX_LINK_BYTES
        && !address.starts_with('#')
        && !is_script;
    is_shown.then(|| address.to_owned())
}

/// Returns whether a cell is one of a table of facts, and not a frame around parts of a page.
fn is_narrow(cell: &NodeRef<'_>) -> bool {
    let wide = ["table", "ul", "ol", "dl", "pre", "h1", "h2", "h3", "hr"];
    let mut below = cell.descendants_it().take(MAX_CELL_NODES + 1).enumerate();
    below.all(|(count, node)| {
        let name = node.node_name();
        count < MAX_CELL_NODES && name.is_none_or(|name| !wide.contains(&name.as_ref()))
    })
}

/// Returns what stands before the words of a block.
fn mark(block: &str) -> &'static str {
    match block {
        "h1" | "title" => "# ",
        "h2" => "## ",
        "h3" | "h4" | "h5" | "h6" => "### ",
        "li" => "- ",
        _ => "",
    }
}

/// Words with single spaces, in lines.
#[derive(Default)]
struct Text {
    done: String,
    line: String,
}

impl Text {
    fn push_words(&mut self, words: &str) {
        for letter in words.chars() {
            if letter.is_whitespace() {
                if !self.line.is_empty() && !self.line.ends_with(' ') {
                    self.line.push(' ');
                }
            } else {
                self.line.push(letter);
            }
        }
    }

    /// Begins a line with this mark. A mark that waits for its words stays, unless there is a new one.
    fn begin_line(&mut self, mark: &str) {
        if !self.has_words() && mark.is_empty() {
            return;
        }
        self.end_line();
        self.line.push_str(mark);
    }

    fn end_line(&mut self) {
        if self.has_words() {
            self.done.push_str(self.line.trim());
            self.done.push('\n');
        }
        self.line.clear();
    }

    fn has_words(&self) -> bool {
        !self.line.trim_matches(MARKS).is_empty()
    }

    fn push_code(&mut self, code: &str) {
        self.end_line();
        for part in [FENCE, code, FENCE] {
            self.done.push_str(part);
            self.done.push('\n');
        }
    }

    fn finish(mut self) -> String {
        self.end_line();
        self.done.truncate(self.done.trim_end().len());
        self.done
    }
}
