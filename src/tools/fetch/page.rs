//! A page as plain text: its words, its headings, its lists and where its links lead.
//!
//! One pass over the markup, in the time of its length, whatever is left open in it. It does not
//! find out what is the main text and what is around it.

/// Elements whose content is not for reading.
const SILENT: [&str; 7] = [
    "script", "style", "template", "svg", "iframe", "object", "math",
];
/// Elements that stand on lines of their own.
const BLOCKS: [&str; 40] = [
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
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "title",
    "tr",
    "ul",
];
/// The longest address of a link that is shown, in bytes.
const MAX_LINK_BYTES: usize = 500;
/// The longest character reference, in bytes: `&CounterClockwiseContourIntegral;`.
const MAX_REFERENCE_BYTES: usize = 34;

/// Returns the text of a page.
pub fn as_text(markup: &str) -> String {
    Page::read(markup).text.finish()
}

/// Returns where the links of a page lead, in their order, as they are written there.
pub(crate) fn links(markup: &str) -> Vec<String> {
    let page = Page::read(markup);
    let written = page.links.into_iter();
    written.map(|link| References(link).collect()).collect()
}

/// A page that is being read.
struct Page<'a> {
    markup: &'a str,
    /// The same with small ASCII letters: the same places.
    lower: String,
    at: usize,
    text: Text,
    /// Where the link leads whose words are being read.
    link: Option<&'a str>,
    /// Where all links lead.
    links: Vec<&'a str>,
}

impl<'a> Page<'a> {
    /// Reads a page to its end.
    fn read(markup: &'a str) -> Self {
        let mut page = Page {
            markup,
            lower: markup.to_ascii_lowercase(),
            at: 0,
            text: Text::default(),
            link: None,
            links: Vec::new(),
        };
        while page.at < markup.len() {
            page.step();
        }
        page
    }

    /// Reads the words up to the next tag, or a tag.
    fn step(&mut self) {
        let rest = &self.markup[self.at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            self.at += 4 + comment.find("-->").map_or(comment.len(), |end| end + 3);
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            self.at += rest.find('>').map_or(rest.len(), |end| end + 1);
        } else if is_tag(rest) {
            self.read_tag(rest);
        } else {
            let begin = usize::from(rest.starts_with('<'));
            let end = rest[begin..]
                .find('<')
                .map_or(rest.len(), |end| end + begin);
            self.text.push_words(&rest[..end]);
            self.at += end;
        }
    }

    fn read_tag(&mut self, rest: &'a str) {
        let is_end = rest.starts_with("</");
        let name_at = self.at + 1 + usize::from(is_end);
        let name_end = self.lower[name_at..]
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .map_or(self.lower.len(), |end| name_at + end);
        let name = self.lower[name_at..name_end].to_owned();
        let attributes = &self.markup[name_end..];
        let end = end_of_tag(attributes);
        self.at = name_end + end;
        match (is_end, name.as_str()) {
            (false, silent) if SILENT.contains(&silent) => self.skip_to_end_of(silent),
            (false, "a") => {
                self.link = attribute(&attributes[..end], "href");
                self.links.extend(self.link);
            }
            (true, "a") => self.end_link(),
            (false, "img") => {
                if let Some(words) = attribute(&attributes[..end], "alt") {
                    self.text.push_words(words);
                }
            }
            (false, "td" | "th") => self.text.push_words(" | "),
            (_, block) if BLOCKS.contains(&block) => {
                self.text.new_line();
                if !is_end {
                    self.text.push_words(mark(block));
                }
            }
            _ => {}
        }
    }

    fn skip_to_end_of(&mut self, name: &str) {
        let closing = format!("</{name}");
        self.at = self.lower[self.at..]
            .find(&closing)
            .map_or(self.lower.len(), |end| self.at + end);
    }

    fn end_link(&mut self) {
        let is_shown = |link: &&str| {
            let is_script =
                link.len() >= 11 && link.as_bytes()[..11].eq_ignore_ascii_case(b"javascript:");
            !link.is_empty() && link.len() <= MAX_LINK_BYTES && !link.starts_with('#') && !is_script
        };
        if let Some(link) = self.link.take().filter(is_shown) {
            self.text.push_words(" <");
            self.text.push_words(link);
            self.text.push_words(">");
        }
    }
}

/// Returns whether a tag begins here (HTML standard, section 13.2.5.6): else `<` is a letter.
fn is_tag(rest: &str) -> bool {
    let mut letters = rest.chars();
    letters.next() == Some('<')
        && match letters.next() {
            Some('/') => letters
                .next()
                .is_some_and(|letter| letter.is_ascii_alphabetic()),
            Some(letter) => letter.is_ascii_alphabetic(),
            None => false,
        }
}

/// Returns where a tag ends, past its `>`; one in the quotes of a value does not end it.
fn end_of_tag(attributes: &str) -> usize {
    let mut quote = None;
    let mut is_value = false;
    for (at, byte) in attributes.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') if is_value => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            (None | Some(_), _) => {}
        }
        is_value = byte == b'=' || (is_value && byte.is_ascii_whitespace());
    }
    attributes.len()
}

/// Returns the value of the first attribute of this name, which is in small letters.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    loop {
        rest =
            rest.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == '/');
        let end =
            rest.find(|letter: char| letter.is_ascii_whitespace() || "=>/".contains(letter))?;
        let (found, after) = rest.split_at(end);
        if found.is_empty() && !after.starts_with('=') {
            return None;
        }
        let after = after.trim_start();
        let value = after.strip_prefix('=').map(str::trim_start);
        let (value, after) = match value {
            Some(value) => split_value(value),
            None => ("", after),
        };
        if found.eq_ignore_ascii_case(name) {
            return Some(value.trim());
        }
        rest = after;
    }
}

fn split_value(value: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(quoted) = value.strip_prefix(quote) {
            return quoted.split_once(quote).unwrap_or((quoted, ""));
        }
    }
    let end = value.find(|letter: char| letter.is_ascii_whitespace() || letter == '>');
    value.split_at(end.unwrap_or(value.len()))
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
        for letter in References(words) {
            if letter.is_whitespace() {
                if !self.line.is_empty() && !self.line.ends_with(' ') {
                    self.line.push(' ');
                }
            } else {
                self.line.push(letter);
            }
        }
    }

    fn new_line(&mut self) {
        let line = self.line.trim();
        // A mark without words is an empty item or heading.
        if !line.is_empty() && !line.bytes().all(|byte| b"#-|".contains(&byte)) {
            self.done.push_str(line);
            self.done.push('\n');
        }
        self.line.clear();
    }

    fn finish(mut self) -> String {
        self.new_line();
        self.done.truncate(self.done.trim_end().len());
        self.done
    }
}

/// The characters of a text, with `&amp;` and its like read.
struct References<'a>(&'a str);

impl Iterator for References<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let letter = self.0.chars().next()?;
        if letter == '&'
            && let Some((read, rest)) = reference(self.0)
        {
            self.0 = rest;
            return Some(read);
        }
        self.0 = &self.0[letter.len_utf8()..];
        Some(letter)
    }
}

fn reference(text: &str) -> Option<(char, &str)> {
    let window = &text.as_bytes()[..text.len().min(MAX_REFERENCE_BYTES)];
    let end = window.iter().position(|byte| *byte == b';')?;
    let name = text.get(1..end)?;
    let rest = text.get(end + 1..)?;
    let number = |digits: &str, radix| {
        let code = u32::from_str_radix(digits, radix).ok()?;
        char::from_u32(code).filter(|letter| *letter != '\0')
    };
    let letter = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "hellip" => '…',
        "mdash" => '—',
        "ndash" => '–',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "middot" => '·',
        "bull" => '•',
        "copy" => '©',
        "reg" => '®',
        "times" => '×',
        "laquo" => '«',
        "raquo" => '»',
        "euro" => '€',
        _ => match name.strip_prefix('#')? {
            hexadecimal if hexadecimal.starts_with(['x', 'X']) => number(&hexadecimal[1..], 16)?,
            decimal => number(decimal, 10)?,
        },
    };
    Some((letter, rest))
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
