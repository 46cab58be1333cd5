//! The indentation of added lines where a hunk was found with another indentation than the file has.

use std::borrow::Cow;
use std::collections::HashMap;

/// A line that both the hunk and the file have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    /// In the hunk.
    pub(super) wanted: &'a str,
    /// In the file.
    pub(super) found: &'a str,
    /// Whether the hunk removes it, so that it had a sign in front.
    pub(super) is_removed: bool,
}

/// How the indentation of a hunk becomes that of its file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shift<'a> {
    /// It stays.
    None,
    /// This is put in front.
    Deeper(&'a str),
    /// This is taken away in front.
    Shallower(&'a str),
    /// Spaces become tabs, or the reverse: how many spaces are a tab.
    Tabs {
        /// How many spaces are one tab.
        width: usize,
        /// Whether the file has tabs.
        to_tabs: bool,
    },
    /// What each indentation becomes; others are not known.
    Known(HashMap<&'a str, &'a str>),
}

impl<'a> Shift<'a> {
    /// Returns the shift that holds for all pairs; `None` where there is none, because one indentation of
    /// the hunk stands for two in the file.
    pub(super) fn between(pairs: &[Pair<'a>]) -> Option<Self> {
        let pairs: Vec<Pair<'a>> = pairs
            .iter()
            .filter(|pair| !pair.wanted.trim().is_empty())
            .map(|pair| Pair {
                wanted: of(pair.wanted),
                found: of(pair.found),
                ..*pair
            })
            .collect();
        if is_missing_sign(&pairs) {
            return Some(Self::None);
        }
        let mut known = HashMap::new();
        for pair in &pairs {
            if *known.entry(pair.wanted).or_insert(pair.found) != pair.found {
                return None;
            }
        }
        let shift = uniform(&pairs).or_else(|| tabs(&pairs));
        Some(shift.unwrap_or(Self::Known(known)))
    }

    /// Returns an added line with the indentation of the file; `None` where that is not known.
    pub(super) fn shifted<'line>(&self, line: &'line str) -> Option<Cow<'line, str>> {
        let indentation = of(line);
        let rest = line.get(indentation.len()..).unwrap_or_default();
        if rest.is_empty() {
            return Some(Cow::Borrowed(line));
        }
        Some(match self {
            Self::None => Cow::Borrowed(line),
            Self::Deeper(more) => Cow::Owned(format!("{more}{line}")),
            Self::Shallower(less) => Cow::Borrowed(line.strip_prefix(less)?),
            Self::Tabs { width, to_tabs } => {
                let converted = converted(indentation, *width, *to_tabs)?;
                Cow::Owned(format!("{converted}{rest}"))
            }
            Self::Known(known) => Cow::Owned(format!("{}{rest}", known.get(indentation)?)),
        })
    }
}

/// Returns the spaces and tabs at the beginning of a line.
fn of(line: &str) -> &str {
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..length).unwrap_or_default()
}

/// Returns whether the hunk only left out the space in front of lines that stay: the first space of their
/// indentation was read as that sign, while lines with `-` and `+` are right.
fn is_missing_sign(pairs: &[Pair<'_>]) -> bool {
    pairs.iter().all(|pair| {
        let is_same = pair.wanted == pair.found;
        let lacks_one = pair.found.strip_prefix(' ') == Some(pair.wanted);
        is_same || (lacks_one && !pair.is_removed)
    })
}

/// Returns the shift if the same is put in front, or taken away, of every line.
fn uniform<'a>(pairs: &[Pair<'a>]) -> Option<Shift<'a>> {
    let first = pairs.first()?;
    let deeper = first.found.strip_suffix(first.wanted);
    let deeper = deeper.filter(|more| {
        let mut pairs = pairs.iter();
        pairs.all(|pair| pair.found.strip_prefix(*more) == Some(pair.wanted))
    });
    let shallower = first.wanted.strip_suffix(first.found);
    let shallower = shallower.filter(|less| {
        let mut pairs = pairs.iter();
        pairs.all(|pair| pair.wanted.strip_prefix(*less) == Some(pair.found))
    });
    deeper
        .map(Shift::Deeper)
        .or_else(|| shallower.map(Shift::Shallower))
}

/// Returns the shift if all indentation is of spaces in one and of tabs in the other.
fn tabs<'a>(pairs: &[Pair<'a>]) -> Option<Shift<'a>> {
    let choices = [2, 3, 4, 8]
        .into_iter()
        .flat_map(|width| [(width, true), (width, false)]);
    let mut fitting = choices.filter(|(width, to_tabs)| {
        let mut pairs = pairs.iter();
        pairs.all(|pair| converted(pair.wanted, *width, *to_tabs).as_deref() == Some(pair.found))
    });
    let (width, to_tabs) = fitting.next()?;
    Some(Shift::Tabs { width, to_tabs })
}

/// Returns an indentation in the other signs; `None` where it is not of one sign, or of no whole tabs.
fn converted(indentation: &str, width: usize, to_tabs: bool) -> Option<String> {
    let from = if to_tabs { ' ' } else { '\t' };
    let length = indentation.len();
    if indentation.chars().any(|letter| letter != from)
        || (to_tabs && !length.is_multiple_of(width))
    {
        return None;
    }
    Some(if to_tabs {
        "\t".repeat(length / width)
    } else {
        " ".repeat(length * width)
    })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{Pair, Shift};

    /// Shifts a line as the pairs of hunk and file say.
    fn shifted(pairs: &[[&str; 2]], line: &str) -> Option<String> {
        let pairs: Vec<Pair<'_>> = pairs
            .iter()
            .map(|[wanted, found]| Pair {
                wanted,
                found,
                is_removed: true,
            })
            .collect();
        Shift::between(&pairs)?.shifted(line).map(Cow::into_owned)
    }

    #[test]
    fn added_lines_follow_the_lines_of_the_file() {
        let deeper = [["a", "    a"], ["  b", "      b"]];
        assert_eq!(shifted(&deeper, "    c").as_deref(), Some("        c"));
        let shallower = [["    a", "a"], ["      b", "  b"]];
        assert_eq!(shifted(&shallower, "    c").as_deref(), Some("c"));
        assert_eq!(shifted(&shallower, "  c"), None);
        let tabs = [["    a", "\ta"], ["        b", "\t\tb"]];
        assert_eq!(shifted(&tabs, "            c").as_deref(), Some("\t\t\tc"));
        assert_eq!(shifted(&tabs, "      c"), None);
        let known = [["  a", "    a"], ["    b", "        b"]];
        assert_eq!(shifted(&known, "    c").as_deref(), Some("        c"));
        assert_eq!(shifted(&known, "      c"), None);
        assert_eq!(shifted(&known, "").as_deref(), Some(""));
    }

    #[test]
    fn one_indentation_that_stands_for_two_is_no_shift() {
        assert_eq!(
            shifted(&[["  a", "    a"], ["  b", "      b"]], "  c"),
            None
        );
    }

    #[test]
    fn a_missing_sign_is_no_indentation() {
        let pairs = [["   a", "    a"], ["b", "b"]].map(|[wanted, found]| Pair {
            wanted,
            found,
            is_removed: false,
        });
        assert_eq!(Shift::between(&pairs), Some(Shift::None));
    }
}
