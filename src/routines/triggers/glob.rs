//! Patterns of file names: `*` and `?` within a name, `**` over any number of folders. A pattern without
//! a slash names files in any folder, one that ends in a slash everything below a folder.

/// A pattern of paths in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    parts: Vec<Vec<char>>,
}

impl Glob {
    /// Reads a pattern.
    pub fn new(pattern: &str) -> Self {
        let is_anywhere = !pattern.contains('/');
        let below = pattern.ends_with('/');
        let written = pattern.split('/').filter(|part| !part.is_empty());
        let mut parts: Vec<Vec<char>> = Vec::new();
        let any = || vec!['*', '*'];
        if is_anywhere {
            parts.push(any());
        }
        for part in written {
            let part: Vec<char> = part.chars().collect();
            // Two in a row say no more than one, and would be tried again and again.
            if part != any() || parts.last() != Some(&part) {
                parts.push(part);
            }
        }
        if below {
            parts.push(any());
        }
        Self { parts }
    }

    /// Returns whether a path is named, its parts apart by `/`.
    pub fn is_match(&self, path: &str) -> bool {
        let path: Vec<Vec<char>> = path.split('/').map(|part| part.chars().collect()).collect();
        let is_any = |part: &Vec<char>| *part == ['*', '*'];
        matches(&self.parts, &path, is_any, |part, name| {
            matches(
                part,
                name,
                |letter| *letter == '*',
                |one, other| *one == '?' || one == other,
            )
        })
    }
}

/// Matches a row of things with another one, in which some stand for any number. It goes back to the
/// last such one only, so its time is at most the product of the lengths.
fn matches<T>(
    pattern: &[T],
    row: &[T],
    is_any: impl Fn(&T) -> bool,
    is_same: impl Fn(&T, &T) -> bool,
) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut last_any: Option<(usize, usize)> = None;
    while let Some(thing) = row.get(place) {
        match pattern.get(at) {
            Some(it) if is_any(it) => {
                last_any = Some((at, place));
                at += 1;
            }
            Some(it) if is_same(it, thing) => {
                at += 1;
                place += 1;
            }
            Some(_) | None => {
                let Some((any, from)) = last_any else {
                    return false;
                };
                last_any = Some((any, from + 1));
                at = any + 1;
                place = from + 1;
            }
        }
    }
    pattern.iter().skip(at).all(is_any)
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[track_caller]
    fn check(pattern: &str, path: &str, is_named: bool) {
        assert_eq!(
            Glob::new(pattern).is_match(path),
            is_named,
            "{pattern} {path}"
        );
    }

    #[test]
    fn patterns_name_files() {
        check("*.csv", "a.csv", true);
        check("*.csv", "reports/2026/a.csv", true);
        check("*.csv", "a.csv.txt", false);
        check("reports/*.csv", "reports/a.csv", true);
        check("reports/*.csv", "reports/2026/a.csv", false);
        check("reports/*.csv", "other/reports/a.csv", false);
        check("reports/**/*.csv", "reports/2026/11/a.csv", true);
        check("reports/**/*.csv", "reports/a.csv", true);
        check("reports/", "reports/2026/a.csv", true);
        check("reports/", "reports", true);
        check("reports/**", "other/a", false);
        check("todo.md", "notes/todo.md", true);
        check("a?c", "abc", true);
        check("a?c", "ac", false);
        check("**/a/**/b", "x/a/y/z/b", true);
        check("*a*b*c*", "xxaxxbxxcxx", true);
        check("*a*b*c*", "xxaxxcxxbxx", false);
        check("报告/*", "报告/一.md", true);
    }

    #[test]
    fn a_pattern_of_many_stars_is_answered_at_once() {
        let pattern = "*a".repeat(60) + "b";
        check(&pattern, &"a".repeat(10_000), false);
        let folders = "**/a/".repeat(30) + "b";
        check(&folders, &"a/".repeat(5000), false);
    }
}
