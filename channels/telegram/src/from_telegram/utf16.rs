//! Offsets as Telegram counts them, in UTF-16 code units, against Rust's bytes.

/// Returns the byte at which the given UTF-16 offset lies.
///
/// `None` behind the end of the text or between the two halves of a character.
pub(super) fn byte_at(text: &str, units: usize) -> Option<usize> {
    let mut passed = 0;
    for (byte, letter) in text.char_indices() {
        if passed >= units {
            return (passed == units).then_some(byte);
        }
        passed += letter.len_utf16();
    }
    (passed == units).then_some(text.len())
}

/// Returns a stretch of text by its UTF-16 offset and length, with the byte at which it begins.
pub(super) fn stretch(text: &str, offset: usize, length: usize) -> Option<(usize, &str)> {
    let start = byte_at(text, offset)?;
    let end = byte_at(text, offset.checked_add(length)?)?;
    Some((start, text.get(start..end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, offset: usize, length: usize, expected: Option<(usize, &str)>) {
        assert_eq!(
            stretch(text, offset, length),
            expected,
            "{text:?} {offset}+{length}"
        );
    }

    #[test]
    fn offsets_count_utf16_units() {
        check("ab", 1, 1, Some((1, "b")));
        check("👍 @us", 3, 3, Some((5, "@us")));
        check("你好 @us", 3, 3, Some((7, "@us")));
        check("👍", 1, 1, None);
        check("ab", 1, 5, None);
        check("ab", usize::MAX, 1, None);
        check("ab", 2, 0, Some((2, "")));
    }
}
