//! A part as rows of the screen: prefix, text, file and buttons, painted or not.

use sayso_channel::{Button, ButtonLook, FileSource, Language, OutFile, Part, Style, Styled};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::messages::{self, INDENT};
use crate::render;

/// Buttons stand in one row up to this width, in columns; else each of their rows is its own.
const BUTTONS_WIDTH: usize = 72;

/// A line that begins with this needs no prefix that says the same.
const SIGN_OF_NEWS: char = '↳';

/// How wide a tab is shown.
const TAB: &str = "    ";

const PLAIN: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const ITALIC: &str = "\x1b[3m";
const UNDERLINED: &str = "\x1b[4m";
const STRUCK: &str = "\x1b[9m";
const CODE: &str = "\x1b[36m";

/// Whether rows are painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// With the codes of ANSI terminals.
    Ansi,
    /// Not at all.
    None,
}

/// One row of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// What it says.
    pub(crate) plain: String,
    /// The same with styling, in its printed form.
    pub(crate) painted: String,
    /// How it is broken where it does not fit.
    pub(crate) wrapping: Wrapping,
}

/// How a row is broken that is wider than the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapping {
    /// Between words.
    AtWords,
    /// By the terminal, so that it is copied as it was written.
    Never,
}

impl Row {
    fn new(styled: &Styled, paint: Paint) -> Self {
        let is_literal = styled
            .spans
            .iter()
            .any(|span| matches!(span.style, Style::Pre { .. }));
        Self {
            wrapping: if is_literal {
                Wrapping::Never
            } else {
                Wrapping::AtWords
            },
            plain: styled.text.clone(),
            painted: match paint {
                Paint::Ansi => painted(styled),
                Paint::None => styled.text.clone(),
            },
        }
    }

    /// Returns a row in one style.
    pub(crate) fn whole(text: String, code: Tone, paint: Paint) -> Self {
        let painted = match (paint, code) {
            (Paint::None, _) | (_, Tone::Plain) => text.clone(),
            (Paint::Ansi, Tone::Name | Tone::Dim) if text.is_empty() => String::new(),
            (Paint::Ansi, Tone::Name) => format!("{BOLD}{CODE}{text}{PLAIN}"),
            (Paint::Ansi, Tone::Dim) => format!("{DIM}{text}{PLAIN}"),
        };
        Self {
            plain: text,
            painted,
            wrapping: Wrapping::AtWords,
        }
    }

    fn join(self, other: &Self) -> Self {
        Self {
            plain: self.plain + &other.plain,
            painted: self.painted + &other.painted,
            wrapping: other.wrapping,
        }
    }

    /// Returns how many rows of a screen with this many columns it fills.
    pub(crate) fn height(&self, columns: usize) -> usize {
        let mut rows = 1;
        let mut column = 0;
        for letter in self.plain.chars() {
            let width = letter.width().unwrap_or_default();
            if column + width > columns {
                rows += 1;
                column = 0;
            }
            column += width;
        }
        rows
    }
}

/// The style of one of Sayso's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Like text.
    Plain,
    /// Our name.
    Name,
    /// Less important than text.
    Dim,
}

/// Returns the rows of a part. A literal block or nothing leaves the prefix a row of its own.
pub(crate) fn rows(prefix: &str, part: &Part, language: Language, paint: Paint) -> Vec<Row> {
    let styled = render::styled(part);
    let mut rows = text_rows(&styled, paint);
    let starts_literal = styled
        .spans
        .iter()
        .any(|span| span.start == 0 && matches!(span.style, Style::Pre { .. }));
    if starts_literal || rows.is_empty() {
        let name = prefix.trim_end().to_owned();
        rows.insert(0, Row::whole(name, Tone::Name, paint));
    } else {
        let name = Row::whole(prefix.to_owned(), Tone::Name, paint);
        let first = rows.remove(0);
        rows.insert(0, name.join(&first));
    }
    if let Some(file) = &part.file {
        rows.extend(file_rows(file, language, paint));
    }
    rows.extend(button_rows(&part.buttons, paint));
    rows
}

fn file_rows(file: &OutFile, language: Language, paint: Paint) -> Vec<Row> {
    let name = render::harmless(&file.name);
    let (title, text) = match &file.source {
        FileSource::Path(path) => (render::harmless(&messages::file(language, &name, path)), ""),
        FileSource::Text(text) => (name, text.as_str()),
    };
    let lines = text.lines().map(render::harmless);
    std::iter::once(title)
        .chain(lines)
        .map(|line| Row::whole(format!("{INDENT}{line}"), Tone::Plain, paint))
        .collect()
}

/// Returns the lines of a part that its former form did not have, moved right below each other.
///
/// A line that only gained a mark is left out where it is the only one: the outcome says the same.
pub(crate) fn news(prefix: &str, former: &Part, part: &Part, paint: Paint) -> Vec<Row> {
    let before = text_rows(&render::styled(former), Paint::None);
    let known: Vec<&str> = before
        .iter()
        .map(|row| row.plain.as_str())
        .filter(|line| !line.trim().is_empty())
        .collect();
    let is_new = |row: &Row| !row.plain.trim().is_empty() && !known.contains(&row.plain.as_str());
    let gained_a_mark = |row: &Row| known.iter().any(|line| row.plain.starts_with(line));
    let new = text_rows(&render::styled(part), paint);
    let new: Vec<Row> = new.into_iter().filter(is_new).collect();
    let marks = new.iter().filter(|row| gained_a_mark(row)).count();
    let says_more = |row: &Row| marks != 1 || new.len() == 1 || !gained_a_mark(row);
    let shown = new.iter().filter(|row| says_more(row));
    shown
        .enumerate()
        .map(|(at, row)| {
            let has_sign = row.plain.starts_with(SIGN_OF_NEWS);
            let prefix = if at == 0 && !has_sign { prefix } else { INDENT };
            Row::whole(prefix.to_owned(), Tone::Plain, paint).join(row)
        })
        .collect()
}

fn text_rows(styled: &Styled, paint: Paint) -> Vec<Row> {
    if styled.is_blank() {
        return Vec::new();
    }
    let mut start = 0;
    let lines = styled.text.split('\n').map(|line| {
        let range = start..start + line.len();
        start = range.end + 1;
        let mut row = Row::new(&styled.slice(range), paint);
        row.plain = row.plain.replace('\t', TAB);
        row.painted = row.painted.replace('\t', TAB);
        row
    });
    lines.collect()
}

/// Shows buttons with what to type for them: a key, in capitals where an empty line means it too,
/// or else their number.
fn button_rows(rows: &[Vec<Button>], paint: Paint) -> Vec<Row> {
    let mut number = 0;
    let shown: Vec<String> = rows
        .iter()
        .map(|row| {
            let buttons = row.iter().map(|button| {
                number += 1;
                button_text(button, number)
            });
            buttons.collect::<Vec<String>>().join("  ")
        })
        .filter(|row| !row.is_empty())
        .collect();
    let together = shown.join("  ");
    let lines = if together.is_empty() {
        Vec::new()
    } else if together.width() <= BUTTONS_WIDTH {
        vec![together]
    } else {
        shown
    };
    lines
        .into_iter()
        .map(|line| Row::whole(format!("{INDENT}{line}"), Tone::Plain, paint))
        .collect()
}

fn button_text(button: &Button, number: usize) -> String {
    let key = match (button.key, button.look) {
        (Some(key), ButtonLook::No) => key.to_uppercase().to_string(),
        (Some(key), ButtonLook::Plain | ButtonLook::Yes | ButtonLook::Stop) => key.to_string(),
        (None, _) => number.to_string(),
    };
    format!(
        "[{key}] {}",
        render::harmless(&button.label).replace('\n', " ")
    )
}

/// Paints one line: at the end of a style the ones around it are put on again.
fn painted(styled: &Styled) -> String {
    let mut painted = String::new();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut copied = 0;
    let text = |from: usize, to: usize| styled.text.get(from..to).unwrap_or_default();
    for span in &styled.spans {
        close_until(&mut painted, &mut open, &mut copied, span.start, styled);
        painted.push_str(text(copied, span.start));
        copied = copied.max(span.start);
        let code = code_of(&span.style);
        painted.push_str(code);
        open.push((span.end, code));
    }
    close_until(&mut painted, &mut open, &mut copied, usize::MAX, styled);
    painted.push_str(text(copied, styled.text.len()));
    painted
}

fn close_until(
    painted: &mut String,
    open: &mut Vec<(usize, &str)>,
    copied: &mut usize,
    place: usize,
    styled: &Styled,
) {
    while let Some((end, _)) = open.pop_if(|(end, _)| *end <= place) {
        painted.push_str(styled.text.get(*copied..end).unwrap_or_default());
        *copied = end;
        painted.push_str(PLAIN);
        painted.extend(open.iter().map(|(_, code)| *code));
    }
}

fn code_of(style: &Style) -> &'static str {
    match style {
        Style::Bold => BOLD,
        Style::Italic => ITALIC,
        Style::Strikethrough => STRUCK,
        Style::Code | Style::Pre { .. } => CODE,
        Style::Quote => DIM,
        Style::Link { .. } => UNDERLINED,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use sayso_channel::{Language, Outbound};

    use super::{Paint, Row, Tone, rows};
    use crate::render::render;

    #[test]
    fn styles_are_painted_and_put_on_again_after_an_inner_one() {
        let part = render(&Outbound::markdown(
            "**bold *both* on** `x`\n```\nlet\n  x\n```",
        ))
        .remove(0);
        let rows = rows("", &part, Language::English, Paint::Ansi);
        let shown: Vec<String> = rows
            .iter()
            .map(|row| row.painted.replace('\x1b', "^"))
            .collect();
        assert_snapshot!(shown.join("\n"), @r"
        ^[1mbold ^[3mboth^[0m^[1m on^[0m ^[36mx^[0m

        ^[36mlet^[0m
        ^[36m  x^[0m
        ");
    }

    #[test]
    fn a_row_knows_how_much_of_the_screen_it_fills() {
        let height = |text: &str, columns| {
            Row::whole(text.to_owned(), Tone::Plain, Paint::None).height(columns)
        };
        assert_eq!(height("", 10), 1);
        assert_eq!(height("0123456789", 10), 1);
        assert_eq!(height("01234567890", 10), 2);
        assert_eq!(
            height("中文中文中文", 5),
            3,
            "a wide character is not torn apart"
        );
    }
}
