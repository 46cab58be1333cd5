//! Regular expressions inside of programs: where one ends, if every program finds the same end.
//!
//! Some know brackets and classes in them and some look for the first delimiter alone, and they
//! differ in what a backslash in brackets does. What they could read differently has no end here.

/// Returns the pattern in front of its delimiter and what stands behind it. `None` where programs
/// may find another end.
pub(crate) fn split(text: &str, delimiter: char) -> Option<(&str, &str)> {
    let mut rest = text;
    loop {
        let letter = rest.chars().next()?;
        let after = rest.get(letter.len_utf8()..)?;
        rest = match letter {
            _ if letter == delimiter => {
                let pattern = text.get(..text.len() - rest.len())?;
                return Some((pattern, after));
            }
            '\n' => return None,
            '\\' => escaped(after)?,
            '[' => bracket(after, delimiter)?,
            _ => after,
        };
    }
}

fn escaped(rest: &str) -> Option<&str> {
    let letter = rest.chars().next().filter(|letter| *letter != '\n')?;
    rest.get(letter.len_utf8()..)
}

/// Skips `[...]`, whose opening was read: letters and whole classes, of which none may end it
/// earlier or later elsewhere.
fn bracket(rest: &str, delimiter: char) -> Option<&str> {
    let begun = rest.strip_prefix('^').unwrap_or(rest);
    let mut rest = begun;
    loop {
        let letter = rest.chars().next()?;
        let after = rest.get(letter.len_utf8()..)?;
        rest = match letter {
            ']' if rest.len() < begun.len() => return Some(after),
            ']' | '\n' => return None,
            _ if letter == delimiter => return None,
            '[' => class(after)?,
            '\\' => {
                let is_odd = |next: char| "[]\\\n".contains(next) || next == delimiter;
                let next = after.chars().next().filter(|next| !is_odd(*next))?;
                after.get(next.len_utf8()..)?
            }
            _ => after,
        };
    }
}

/// Skips `[:name:]`, whose first bracket was read.
fn class(rest: &str) -> Option<&str> {
    let (name, after) = rest.strip_prefix(':')?.split_once(":]")?;
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase());
    is_name.then_some(after)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn patterns_end_at_their_delimiter() {
        for (text, pattern, rest) in [
            ("a/b", "a", "b"),
            ("a\\/b/ c", "a\\/b", " c"),
            ("[^a-z]+/", "[^a-z]+", ""),
            ("[[:alpha:]_]/x", "[[:alpha:]_]", "x"),
            ("[\\t ]]/", "[\\t ]]", ""),
            ("/", "", ""),
        ] {
            assert_eq!(split(text, '/'), Some((pattern, rest)), "{text}");
        }
    }

    #[test]
    fn s6_patterns_whose_end_is_not_certain_have_none() {
        for text in [
            "a",
            "[/]/",
            "[]/]/",
            "[^]/]/",
            "[]a]/",
            "[[:alpha:]/]/",
            "[\\]/]/",
            "[\\/]/",
            "[[a]/",
            "[[.a.]]/",
            "[a/",
            "a\n/",
            "a\\\n/",
            "a\\",
            "[]/",
        ] {
            assert_eq!(split(text, '/'), None, "{text:?}");
        }
    }
}
