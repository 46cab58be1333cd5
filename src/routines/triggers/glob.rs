//! Patterns of file names: `*` and `?` within a name, `**` over any number of folders. A pattern without
//! a slash names files in any folder, one that ends in a slash everything below a folder.

use globset::{GlobBuilder, GlobMatcher};

/// Reads a pattern of paths in a workspace, whose parts are apart by `/`; `None` where it is none, as
/// with a bracket that is not closed.
pub fn read(pattern: &str) -> Option<GlobMatcher> {
    let anywhere = if pattern.contains('/') { "" } else { "**/" };
    let below = if pattern.ends_with('/') { "**" } else { "" };
    let glob = GlobBuilder::new(&format!("{anywhere}{pattern}{below}"))
        .literal_separator(true)
        .build();
    Some(glob.ok()?.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[track_caller]
    fn check(pattern: &str, path: &str, is_named: bool) {
        assert_eq!(
            read(pattern).unwrap().is_match(path),
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
        check("reports/", "reports", false);
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
    fn what_is_no_pattern_is_refused() {
        assert!(read("reports/[0-9").is_none());
        assert!(read("{a,b").is_none());
    }

    #[test]
    fn a_pattern_of_many_stars_is_answered_at_once() {
        let pattern = "*a".repeat(60) + "b";
        check(&pattern, &"a".repeat(10_000), false);
        let folders = "**/a/".repeat(30) + "b";
        check(&folders, &"a/".repeat(5000), false);
    }
}
