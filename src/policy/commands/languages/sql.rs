//! SQL as SQLite's shell takes it: a statement that selects, or a command of the shell that prints.

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

/// What `pragma` only tells; the first ones take a table or a number.
const TELLING: [&str; 21] = [
    "table_info",
    "table_xinfo",
    "index_list",
    "index_info",
    "index_xinfo",
    "foreign_key_list",
    "foreign_key_check",
    "integrity_check",
    "quick_check",
    "table_list",
    "database_list",
    "collation_list",
    "function_list",
    "module_list",
    "pragma_list",
    "compile_options",
    "user_version",
    "schema_version",
    "encoding",
    "page_count",
    "freelist_count",
];
/// How many of them take something.
const ASKED: usize = 10;
/// Commands of the shell that print, or change how it prints.
const SHOWING: [&str; 17] = [
    ".tables",
    ".schema",
    ".fullschema",
    ".databases",
    ".indexes",
    ".indices",
    ".dbinfo",
    ".show",
    ".help",
    ".headers",
    ".header",
    ".mode",
    ".width",
    ".nullvalue",
    ".timer",
    ".changes",
    ".eqp",
];

/// Returns whether a text only selects: one statement, or one command of the shell that prints.
pub(crate) fn only_selects(text: &str) -> bool {
    if text.starts_with('.') {
        return only_shows(text);
    }
    let Some(bare) = without_texts(text) else {
        return false;
    };
    let statement = bare.trim().trim_end_matches(';').to_lowercase();
    if statement.contains(';') {
        return false;
    }
    match statement.strip_prefix("pragma ") {
        Some(pragma) => only_tells(pragma),
        None => is_selection(&statement),
    }
}

/// Words with which DuckDB reads or writes files, loads code or asks the system, wherever they
/// stand.
const REACHING_OUT: [&str; 14] = [
    "copy",
    "install",
    "load",
    "export",
    "import",
    "call",
    "set",
    "reset",
    "use",
    "checkpoint",
    "glob",
    "getenv",
    "query",
    "query_table",
];

/// Returns whether a text only selects from what the database of DuckDB holds: no statement and no
/// function of it names a file.
pub(crate) fn only_selects_in_duckdb(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let reaches_out = words.any(|word| {
        REACHING_OUT.contains(&word)
            || ["read_", "sniff_", "parquet_", "load_", "pragma_"]
                .iter()
                .any(|beginning| word.starts_with(beginning))
            || word.ends_with("_scan")
    });
    !reaches_out && !names_a_file(text) && !lower.contains(['/', '$']) && only_selects(text)
}

/// Returns whether something in quotes has an ending: DuckDB takes it for a file, also as a table.
fn names_a_file(text: &str) -> bool {
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            None if "'\"".contains(letter) => quote = Some(letter),
            Some(open) if letter == open => quote = None,
            Some(_) if ".:*".contains(letter) => return true,
            None | Some(_) => {}
        }
    }
    false
}

fn only_shows(command: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_%- ".contains(letter);
    command
        .strip_prefix('.')
        .is_some_and(|rest| rest.chars().all(is_plain))
        && command
            .split(' ')
            .next()
            .is_some_and(|name| SHOWING.contains(&name))
}

fn is_selection(statement: &str) -> bool {
    let mut words = statement
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty());
    let begins = statement.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && words.next().is_some_and(|first| SELECTING.contains(&first));
    begins && words.all(|word| !ACTING.contains(&word))
}

fn only_tells(pragma: &str) -> bool {
    let (name, asked) = match pragma.split_once('(') {
        Some((name, asked)) => (name, asked.strip_suffix(')')),
        None => (pragma, None),
    };
    let known = TELLING.iter().position(|known| *known == name.trim());
    let is_name = |text: &str| {
        text.chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    match asked {
        Some(asked) => known.is_some_and(|at| at < ASKED) && is_name(asked),
        None => known.is_some() && !pragma.contains('('),
    }
}

/// Drops quoted texts; names in quotes stay. `None` for comments, which differ between databases,
/// and when something does not end.
fn without_texts(text: &str) -> Option<String> {
    let mut bare = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                letters.by_ref().find(|next| *next == '\'')?;
                bare.push('0');
            }
            '"' | '`' | '[' => {
                let end = if letter == '[' { ']' } else { letter };
                bare.push(letter);
                loop {
                    let next = letters.next()?;
                    bare.push(next);
                    if next == end {
                        break;
                    }
                }
            }
            '-' if letters.peek() == Some(&'-') => return None,
            '/' if letters.peek() == Some(&'*') => return None,
            _ => bare.push(letter),
        }
    }
    Some(bare)
}

#[cfg(test)]
mod tests {
    use super::{only_selects, only_selects_in_duckdb};

    #[test]
    fn duckdb_reads_its_database_and_no_file() {
        for text in [
            "select count(*) from events",
            "SELECT name FROM users WHERE city = 'Bern'",
            "explain select 1",
            ".tables",
        ] {
            assert!(only_selects_in_duckdb(text), "{text}");
        }
        for text in [
            "select * from 'a.csv'",
            "select * from  'a.csv'",
            "select * from\n'a.csv'",
            "select * from \"a.csv\"",
            "select * from a, 'b.csv'",
            "select * from read_text('a')",
            "select * from read_csv_auto('a')",
            "select * from parquet_scan('a')",
            "select * from glob('*')",
            "select getenv('HOME')",
            "copy a to 'b'",
            "install httpfs",
            "load 'x'",
            "attach 'b.db'",
            "select 1; copy a to 'b'",
            ".shell id",
            ".read a.sql",
        ] {
            assert!(!only_selects_in_duckdb(text), "{text}");
        }
    }

    #[test]
    fn what_selects_is_read() {
        for text in [
            "SELECT * FROM users",
            "select 'it''s; drop' ;",
            "WITH a AS (SELECT 1) SELECT * FROM a",
            "EXPLAIN SELECT 1",
            "SELECT \"a'b\", [c'd] FROM e",
            "PRAGMA table_info(users)",
            "pragma user_version;",
            ".tables",
            ".schema users",
            ".mode csv",
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
            ".output out.txt",
            ".once |id",
            ".schema |id",
            ".read x.sql",
            ".tables\n.shell id",
            ".sh id",
            "SELECT 1;; DROP TABLE a",
            "SELECT \"a'b\"; DELETE FROM c; SELECT \"d'e\"",
            "SELECT [a'b]; DELETE FROM c; SELECT [d'e]",
            "SELECT \"open",
            "PRAGMA user_version(3)",
            "PRAGMA journal_mode",
            "PRAGMA table_info(a); PRAGMA writable_schema=1",
            "SELECT 1; DROP TABLE a",
            "WITH a AS (SELECT 1) DELETE FROM b",
            "SELECT load_extension('x')",
            "select writefile('a', 'b')",
            "PRAGMA user_version = 3",
            "SELECT 'open",
            "SELECT 1 -- '",
            "\n.shell id",
            "EXPLAIN DELETE FROM a",
        ] {
            assert!(!only_selects(text), "{text}");
        }
    }
}
