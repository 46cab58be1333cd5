//! SQL as SQLite's shell takes it: one statement that selects.

/// Words that begin a statement that selects.
const SELECTING: [&str; 4] = ["select", "explain", "values", "with"];
/// Words that change something or reach out of the database, wherever they stand.
const ACTING: [&str; 24] = [
    "insert",
    "update",
    "delete",
    "replace",
    "create",
    "drop",
    "alter",
    "attach",
    "detach",
    "pragma",
    "vacuum",
    "reindex",
    "analyze",
    "begin",
    "commit",
    "into",
    "returning",
    "load_extension",
    "writefile",
    "readfile",
    "edit",
    "fts3_tokenizer",
    "zipfile",
    "fsdir",
];

/// Returns whether a text is one statement that only selects.
pub fn only_selects(text: &str) -> bool {
    let Some(bare) = without_texts(text) else {
        return false;
    };
    let statement = bare.trim().trim_end_matches(';').to_lowercase();
    if statement.contains(';') {
        return false;
    }
    let mut words = statement
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty());
    let begins = statement.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && words.next().is_some_and(|first| SELECTING.contains(&first));
    begins && words.all(|word| !ACTING.contains(&word))
}

/// Drops quoted texts and comments; names in quotes stay. `None` when something does not end.
fn without_texts(text: &str) -> Option<String> {
    let mut bare = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                letters.by_ref().find(|next| *next == '\'')?;
                bare.push('0');
            }
            // Comments differ between databases.
            '-' if letters.peek() == Some(&'-') => return None,
            '/' if letters.peek() == Some(&'*') => return None,
            _ => bare.push(letter),
        }
    }
    Some(bare)
}

#[cfg(test)]
mod tests {
    use super::only_selects;

    #[test]
    fn one_selection_is_read() {
        for text in [
            "SELECT * FROM users",
            "select 'it''s; drop' ;",
            "WITH a AS (SELECT 1) SELECT * FROM a",
            "EXPLAIN SELECT 1",
        ] {
            assert!(only_selects(text), "{text}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for text in [
            "",
            ".shell id",
            "SELECT 1; SELECT 2",
            "SELECT 1; DROP TABLE a",
            "WITH a AS (SELECT 1) DELETE FROM b",
            "SELECT load_extension('x')",
            "select writefile('a', 'b')",
            "PRAGMA user_version",
            "SELECT 'open",
            "SELECT 1 -- '",
            "\n.shell id",
            "EXPLAIN DELETE FROM a",
        ] {
            assert!(!only_selects(text), "{text}");
        }
    }
}
