//! The lines that both formats have: `@@ -1,2 +1,3 @@` and `\ No newline at end of file`.

use super::syntax::Hunk;

/// What `@@ -old_start,old_count +new_start,new_count @@` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    /// The first line in the old file, from 1; before an insertion without context the line above it.
    pub(super) old_start: usize,
    /// How many lines the old file has there.
    pub(super) old_count: usize,
    /// How many lines the new file has there.
    pub(super) new_count: usize,
}

/// Reads such a line; `None` for another one. What follows the second `@@` is not read: it names what
/// the hunk stands in, often cut, and nothing depends on it.
pub(super) fn read_numbers(line: &str) -> Option<Numbers> {
    let rest = line.strip_prefix("@@")?.trim_start().strip_prefix('-')?;
    let (old, rest) = rest.split_once([' ', '\t'])?;
    let new = rest.trim_start().strip_prefix('+')?;
    let new = new.split([' ', '\t', '@']).next()?;
    let (old_start, old_count) = range(old)?;
    let (_, new_count) = range(new)?;
    Some(Numbers {
        old_start,
        old_count,
        new_count,
    })
}

fn range(text: &str) -> Option<(usize, usize)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, count.parse().ok()?))
}

/// Returns whether a line says that the one before it has no line end. GNU diff translates the words.
pub(super) fn is_no_newline(line: &str) -> bool {
    line.starts_with("\\ ") || line == "\\"
}

impl Numbers {
    /// Returns whether the counts agree with the lines of a hunk. Lines without anything at its end that
    /// are beyond the counts are taken out of it: they stand between two parts of the patch.
    pub(super) fn fit(self, hunk: &mut Hunk) -> bool {
        let (old, new) = (hunk.old_lines().count(), hunk.new_lines().count());
        let beyond = old.checked_sub(self.old_count);
        let Some(beyond) = beyond.filter(|it| new.checked_sub(self.new_count) == Some(*it)) else {
            return false;
        };
        let at_end = hunk.lines.iter().rev();
        let doubtful = at_end.take_while(|line| line.is_doubtful()).count();
        if beyond > doubtful {
            return false;
        }
        hunk.lines.truncate(hunk.lines.len() - beyond);
        // What the counts confirm is part of the file.
        for line in hunk.lines.iter_mut().filter(|line| line.is_doubtful()) {
            line.is_bare = false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::read_numbers;

    fn read(line: &str) -> Option<[usize; 3]> {
        read_numbers(line).map(|it| [it.old_start, it.old_count, it.new_count])
    }

    #[test]
    fn a_header_with_numbers_is_read() {
        assert_eq!(read("@@ -12,7 +12,8 @@ fn main() {"), Some([12, 7, 8]));
        assert_eq!(read("@@ -3 +3 @@"), Some([3, 1, 1]));
        assert_eq!(read("@@ -0,0 +1,3 @@"), Some([0, 0, 3]));
        assert_eq!(read("@@-1,2 +1,2@@"), Some([1, 2, 2]));
        for other in [
            "@@",
            "@@ fn main() {",
            "@@ ... @@",
            "@@ -x,1 +1,1 @@",
            "@@ -1,2 @@",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
        assert_eq!(read("@@ -99999999999999999999999 +1 @@"), None);
    }
}
