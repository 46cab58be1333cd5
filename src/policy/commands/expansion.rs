//! A word that a shell expands, in the forms that every shell expands alike: patterns, braces,
//! plain variables and plain substitutions. Any other form is not read, and so not certain.

use std::iter::Peekable;
use std::str::Chars;

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text, without its quotes.
    Text(String),
    /// A pattern that stands for parts of names: `*`, `?` or a set of letters.
    Pattern,
    /// The value of a variable. Without quotes it is split into words.
    Variable {
        /// Its name.
        name: String,
        /// Whether it is one word whatever the value is.
        is_quoted: bool,
        /// Whether its beginning or end is cut off, as in `${name%.txt}`.
        is_cut: bool,
    },
    /// The output of a script. Without quotes it is split into words.
    Output {
        /// The script.
        script: String,
        /// Whether it is one word whatever the output is.
        is_quoted: bool,
    },
    /// The home directory, written as a tilde.
    Home,
    /// A number that the shell makes: of a sum, or the status of the last command.
    Number,
}

/// How many words braces may make of one.
const MAX_ALTERNATIVES: usize = 16;

/// Returns the words that brace expansion makes of a word as written, in pieces. A shell without
/// brace expansion leaves the word unchanged. `None` where shells may differ.
pub(crate) fn read(raw: &str) -> Option<Vec<Vec<Piece>>> {
    let mut all = vec![Vec::new()];
    let mut letters = raw.chars().peekable();
    let mut is_first = true;
    while let Some(letter) = letters.next() {
        if letter == '{' {
            all = with_each(&all, &alternatives(&mut letters)?)?;
        } else {
            let pieces = match letter {
                '~' if is_first && matches!(letters.peek(), None | Some('/')) => vec![Piece::Home],
                '"' => double_quoted(&mut letters)?,
                _ => vec![unquoted(letter, &mut letters)?],
            };
            for word in &mut all {
                for piece in &pieces {
                    push(word, piece);
                }
            }
        }
        is_first = false;
    }
    Some(all)
}

/// Adds a piece to a word; text joins the text before it.
fn push(word: &mut Vec<Piece>, piece: &Piece) {
    match (word.last_mut(), piece) {
        (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(text),
        _ => word.push(piece.clone()),
    }
}

fn unquoted(letter: char, letters: &mut Peekable<Chars<'_>>) -> Option<Piece> {
    match letter {
        _ if is_plain(letter) => Some(Piece::Text(letter.to_string())),
        '\'' => single_quoted(letters),
        '*' | '?' => Some(Piece::Pattern),
        '[' => set(letters),
        '$' => dollar(letters, Quotes::None),
        '`' => backquoted(letters, Quotes::None),
        _ => None,
    }
}

fn single_quoted(letters: &mut Peekable<Chars<'_>>) -> Option<Piece> {
    let mut text = String::new();
    for letter in letters.by_ref() {
        match letter {
            '\'' => return Some(Piece::Text(text)),
            _ if letter.is_control() => return None,
            _ => text.push(letter),
        }
    }
    None
}

fn double_quoted(letters: &mut Peekable<Chars<'_>>) -> Option<Vec<Piece>> {
    // So that `""` makes a word.
    let mut pieces = vec![Piece::Text(String::new())];
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Some(pieces),
            '$' => pieces.push(dollar(letters, Quotes::Double)?),
            '`' => pieces.push(backquoted(letters, Quotes::Double)?),
            '\\' => return None,
            _ if letter.is_control() => return None,
            _ => push(&mut pieces, &Piece::Text(letter.to_string())),
        }
    }
    None
}

/// Reads a set of letters, whose opening was read. None of them is a `/` or a `.`.
fn set(letters: &mut Peekable<Chars<'_>>) -> Option<Piece> {
    let mut is_empty = true;
    letters.next_if(|letter| *letter == '!');
    for letter in letters.by_ref() {
        match letter {
            ']' if !is_empty => return Some(Piece::Pattern),
            _ if letter.is_ascii_alphanumeric() || "_-".contains(letter) => is_empty = false,
            _ => return None,
        }
    }
    None
}

/// Reads the alternatives of braces, whose opening was read: `a,b}` or `1..3}`.
fn alternatives(letters: &mut Peekable<Chars<'_>>) -> Option<Vec<Piece>> {
    let mut inside = String::new();
    loop {
        match letters.next()? {
            '}' => break,
            letter if is_plain(letter) => inside.push(letter),
            _ => return None,
        }
    }
    if let Some((from, to)) = inside.split_once("..") {
        let is_number = |text: &str| {
            (1..=4).contains(&text.len()) && text.chars().all(|letter| letter.is_ascii_digit())
        };
        return (is_number(from) && is_number(to)).then(|| vec![Piece::Number]);
    }
    let texts = inside.split(',').map(|text| Piece::Text(text.to_owned()));
    let texts: Vec<_> = texts.collect();
    (texts.len() > 1).then_some(texts)
}

fn with_each(words: &[Vec<Piece>], alternatives: &[Piece]) -> Option<Vec<Vec<Piece>>> {
    let each = words.iter().flat_map(|word| {
        alternatives.iter().map(|alternative| {
            let mut word = word.clone();
            push(&mut word, alternative);
            word
        })
    });
    let each: Vec<_> = each.collect();
    (each.len() <= MAX_ALTERNATIVES).then_some(each)
}

/// Whether an expansion stands in quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Double,
}

/// Reads `$name`, `${name}`, `$?`, `$((1 + 2))` or `$(script)`, whose dollar was read.
fn dollar(letters: &mut Peekable<Chars<'_>>, quotes: Quotes) -> Option<Piece> {
    let is_quoted = quotes == Quotes::Double;
    match letters.peek()? {
        '?' | '$' | '#' => {
            letters.next();
            Some(Piece::Number)
        }
        '{' => {
            letters.next();
            if letters.next_if(|letter| *letter == '#').is_some() {
                name(letters)?;
                return (letters.next()? == '}').then_some(Piece::Number);
            }
            let name = name(letters)?;
            let is_cut = cut(letters)?;
            Some(Piece::Variable {
                name,
                is_quoted,
                is_cut,
            })
        }
        '(' => {
            letters.next();
            if letters.next_if(|letter| *letter == '(').is_some() {
                return sum(letters);
            }
            let script = script(letters, ')')?;
            Some(Piece::Output { script, is_quoted })
        }
        _ => {
            let name = name(letters)?;
            let is_cut = false;
            Some(Piece::Variable {
                name,
                is_quoted,
                is_cut,
            })
        }
    }
}

/// Reads what stands behind the name in `${name%.txt}`, with the brace, and returns whether
/// something is cut off.
fn cut(letters: &mut Peekable<Chars<'_>>) -> Option<bool> {
    if letters.next_if(|letter| *letter == '}').is_some() {
        return Some(false);
    }
    let sign = letters.next_if(|letter| "%#".contains(*letter))?;
    letters.next_if(|letter| *letter == sign);
    loop {
        match letters.next()? {
            '}' => return Some(true),
            letter if letter.is_ascii_alphanumeric() || "_./,-*?".contains(letter) => {}
            _ => return None,
        }
    }
}

/// Reads a script up to its backquote, whose opening was read.
fn backquoted(letters: &mut Peekable<Chars<'_>>, quotes: Quotes) -> Option<Piece> {
    let script = script(letters, '`')?;
    // Inside of double quotes, shells differ in what they make of others.
    let is_quoted = quotes == Quotes::Double;
    let is_plain = !is_quoted || !script.contains(['\'', '"']);
    is_plain.then_some(Piece::Output { script, is_quoted })
}

fn name(letters: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut name = String::new();
    while let Some(letter) =
        letters.next_if(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
    {
        name.push(letter);
    }
    let is_name = name.starts_with(|letter: char| !letter.is_ascii_digit());
    is_name.then_some(name)
}

/// Reads a sum of plain numbers: a name in it could be an array, whose index a shell may run.
fn sum(letters: &mut Peekable<Chars<'_>>) -> Option<Piece> {
    while let Some(letter) = letters.next() {
        match letter {
            ')' => return (letters.next()? == ')').then_some(Piece::Number),
            _ if letter.is_ascii_digit() || " +-*/%".contains(letter) => {}
            _ => return None,
        }
    }
    None
}

/// Reads a script up to its end: a pipeline without anything that could hide where it ends, such as
/// a comment, a bracket, an escape or a here-document.
fn script(letters: &mut Peekable<Chars<'_>>, end: char) -> Option<String> {
    let mut script = String::new();
    let mut quote = None;
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, _) if letter == end => return Some(script),
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if letter == open => quote = None,
            (None, '<') if !matches!(letters.peek(), Some(' ' | 'a'..='z' | 'A'..='Z')) => {
                return None;
            }
            (None, _) if is_plain(letter) || " |*?~<".contains(letter) => {}
            (Some('\''), _) if !letter.is_control() && !"`\\".contains(letter) => {}
            (Some(_), _) if !letter.is_control() && !"$`\\".contains(letter) => {}
            _ => return None,
        }
        script.push(letter);
    }
    None
}

/// Returns whether a letter means nothing to a shell, wherever it stands.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_./,:@%+=-".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::{Piece, read};

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    fn variable(name: &str, is_quoted: bool) -> Piece {
        Piece::Variable {
            name: name.to_owned(),
            is_quoted,
            is_cut: false,
        }
    }

    #[track_caller]
    fn check(raw: &str, expected: &[&[Piece]]) {
        let read = read(raw).unwrap_or_else(|| panic!("{raw}"));
        assert_eq!(read, expected, "{raw}");
    }

    #[test]
    fn what_every_shell_expands_alike_is_read() {
        check("src/*.rs", &[&[text("src/"), Piece::Pattern, text(".rs")]]);
        check("[!a-c]?", &[&[Piece::Pattern, Piece::Pattern]]);
        check("~", &[&[Piece::Home]]);
        check("~/a", &[&[Piece::Home, text("/a")]]);
        check("$f", &[&[variable("f", false)]]);
        check("\"$f\"", &[&[text(""), variable("f", true)]]);
        check(
            "\"a ${f}b\"",
            &[&[text("a "), variable("f", true), text("b")]],
        );
        check("$((1 + 2))", &[&[Piece::Number]]);
        check("${#f}", &[&[Piece::Number]]);
        for raw in ["${f%.txt}", "${f##*/}", "${f%%.*}", "${f#a}"] {
            let cut = Piece::Variable {
                name: "f".to_owned(),
                is_quoted: false,
                is_cut: true,
            };
            check(raw, &[&[cut]]);
        }
        check("a{b,c}d", &[&[text("abd")], &[text("acd")]]);
        check("{1..3}", &[&[Piece::Number]]);
        let script = "ls 'a b' | head".to_owned();
        let is_quoted = false;
        check(
            "$(ls 'a b' | head)",
            &[&[Piece::Output { script, is_quoted }]],
        );
    }

    #[test]
    fn anything_else_is_not() {
        for raw in [
            "${f%$x}",
            "${f/a/b}",
            "${f:=x}",
            "${!f}",
            "${#}",
            "${f@P}",
            "$1",
            "$@",
            "$'a'",
            "`ls \\`id\\``",
            "\"`ls \"a\"`\"",
            "a~",
            "~root",
            "a=~",
            "[.]*",
            "[a/b]",
            "{a}",
            "{a,{b,c}}",
            "{a..c}",
            "$((a))",
            "$((a[1]))",
            "$(ls # )",
            "$(ls\nid)",
            "$(ls \\))",
            "$(ls; id)",
            "$(ls > a)",
            "$(cat <<a)",
            "$(cat <(ls))",
            "$(echo $(id))",
            "$(echo \"$(id)\")",
            "\"a\\\"$f\"",
            "\"$f",
            "{a,b}{a,b}{a,b}{a,b}{a,b}",
        ] {
            assert_eq!(read(raw), None, "{raw}");
        }
    }
}
