//! The summary of a turn, made without a model.

/// How much of the request it keeps, in characters.
const REQUEST_CHARS: usize = 200;
/// How much of the reply it keeps, in characters.
const REPLY_CHARS: usize = 300;

/// Returns what is remembered of a turn, on one line: the beginnings of request and reply.
pub fn turn_summary(request: &str, reply: &str) -> String {
    format!(
        "{} → {}",
        beginning(request, REQUEST_CHARS),
        beginning(reply, REPLY_CHARS)
    )
}

/// Returns the beginning of a text on one line; an ellipsis says that there was more.
pub(super) fn beginning(text: &str, max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match sayso_core::transcript::first_chars(&line, max) {
        Some(kept) => format!("{kept}…"),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::turn_summary;

    #[test]
    fn a_summary_is_one_line_of_two_beginnings() {
        assert_eq!(
            turn_summary("list\n\nmy files ", "Two files:\n- a\n- b"),
            "list my files → Two files: - a - b"
        );
        let long = turn_summary(&"问".repeat(500), &"答".repeat(500));
        assert_eq!(
            long,
            format!("{}… → {}…", "问".repeat(200), "答".repeat(300))
        );
    }
}
