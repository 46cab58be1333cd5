//! Cutting a text to a number of characters.

/// Returns the first `max` characters of a text; `None` when that is all of it.
pub fn first_chars(text: &str, max: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(max)?;
    text.get(..end)
}

#[cfg(test)]
mod tests {
    use super::first_chars;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(first_chars("你好吗", 2), Some("你好"));
        assert_eq!(first_chars("你好", 2), None);
        assert_eq!(first_chars("", 0), None);
        assert_eq!(first_chars("a", 0), Some(""));
    }
}
