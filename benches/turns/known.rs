//! People who wrote once, a month ago, and are silent now: rows of the database, copied from those
//! of one who did write. What they remember is not among them; `--bench memory` has that.

use std::path::Path;

use rusqlite::Connection;

/// How far a copied row's id lies below the row's that it is copied from: an id counts the
/// millionths (2^-20) of milliseconds, so this is thirty days.
const EARLIER: i64 = (30 * 24 * 60 * 60 * 1_000) << 20;

/// What a column of a copy has in place of what was copied.
#[derive(Clone, Copy)]
enum Other {
    /// An id of the same kind, of the copied person.
    Id,
    /// A platform name that is unique.
    Name,
    /// A day of the month before.
    Day,
    /// A number of the same kind that lies before all others: the trace goes on behind the last
    /// that it has.
    Before,
    /// No: it was done long ago.
    No,
    /// That it was sent: the one who did write may just have been answered.
    Sent,
}

impl Other {
    fn expression(self, column: &str) -> String {
        match self {
            Self::Id => format!("{column} - {EARLIER} + n"),
            Self::Name => "printf('88%08d', n)".to_owned(),
            Self::Day => format!("date({column}, '-' || (1 + n % 30) || ' days')"),
            Self::Before => format!("{column} - 100 * n"),
            Self::No => "0".to_owned(),
            Self::Sent => "'sent'".to_owned(),
        }
    }
}

/// The tables that one message and its answer leave rows in, those that are referred to first.
const TABLES: [(&str, &[(&str, Other)]); 9] = [
    ("users", &[("id", Other::Id)]),
    (
        "senders",
        &[("sender", Other::Name), ("user_id", Other::Id)],
    ),
    ("chats", &[("id", Other::Id), ("chat", Other::Name)]),
    ("sessions", &[("id", Other::Id), ("chat_id", Other::Id)]),
    (
        "turns",
        &[
            ("id", Other::Id),
            ("session_id", Other::Id),
            ("user_id", Other::Id),
            ("to_learn", Other::No),
        ],
    ),
    (
        "inbox",
        &[
            ("id", Other::Id),
            ("event", Other::Name),
            ("session_id", Other::Id),
            ("user_id", Other::Id),
            ("turn_id", Other::Id),
        ],
    ),
    ("journal", &[("row", Other::Before), ("turn_id", Other::Id)]),
    (
        "outbox",
        &[
            ("id", Other::Id),
            ("turn_id", Other::Id),
            ("state", Other::Sent),
        ],
    ),
    (
        "usage",
        &[
            ("user_id", Other::Id),
            ("session_id", Other::Id),
            ("day", Other::Day),
        ],
    ),
];

/// Adds `people` people to a database that is not open and in which one person has written one
/// message.
pub fn add(database: &Path, people: usize) -> anyhow::Result<()> {
    let mut connection = Connection::open(database)?;
    let tx = connection.transaction()?;
    for (table, others) in TABLES {
        copy(&tx, table, others, people)?;
    }
    Ok(tx.commit()?)
}

fn copy(
    connection: &Connection,
    table: &str,
    others: &[(&str, Other)],
    times: usize,
) -> anyhow::Result<()> {
    let mut columns = connection.prepare("SELECT name FROM pragma_table_info($1)")?;
    let columns = columns.query_map([table], |row| row.get(0))?;
    let columns: Vec<String> = columns.collect::<Result<_, _>>()?;
    let values = columns.iter().map(|column| {
        let other = others.iter().find(|(changed, _)| changed == column);
        other.map_or_else(|| column.clone(), |(_, other)| other.expression(column))
    });
    let values: Vec<String> = values.collect();
    let insert = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {times})
        INSERT INTO {table} ({columns}) SELECT {values} FROM numbers CROSS JOIN (SELECT * FROM {table})",
        columns = columns.join(", "),
        values = values.join(", "),
    );
    connection.execute(&insert, ())?;
    Ok(())
}
