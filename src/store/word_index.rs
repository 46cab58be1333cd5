//! The words of memories and lines as their indexes hold them, and how they are searched.
//!
//! Each word begins with the mark of its owner. So a search walks through the rows of one owner
//! only, as many as others may say the same word, and finds no one else's.

use std::collections::HashMap;

use sayso_core::transcript::{Owner, UserId};

use super::Connection;
use super::owners::Owners;
use super::sql::{Text, query};
use super::{StoreError, Tx};
use crate::sql;

/// The maximum number of rows of a term that are considered, the newest. A more frequent term
/// hardly distinguishes them.
pub const LOOKED_AT: usize = 1_000;
/// How many more rows are named than are read, for those that are hidden or hold no longer.
const SPARE: usize = 4;

/// The indexes.
pub const INDEXES: [&str; 2] = ["memory_words", "line_words"];
/// How many pages one step of merging writes.
const PAGES_AT_ONCE: i64 = 64;

/// What is looked for.
#[derive(Clone, Copy)]
pub struct SearchTerms<'a> {
    /// The terms; one that ends with `*` is the beginning of words, and `|` parts those of which
    /// any will do.
    pub terms: &'a [String],
    /// What it is worth to hold a term, by its place, from how many rows there are and hold it.
    pub worth: &'a (dyn Fn(usize, u64, u64) -> f64 + Sync),
}

/// Returns what each word of an owner begins with. All marks are equally long, so no word of one
/// owner is one of another; and they have no vowels, from which FTS5 would tell what is the end of
/// a word.
pub fn mark(owner: Owner) -> String {
    match owner {
        Owner::User(user) => numbered('p', user.0),
        Owner::Chat(chat) => numbered('g', chat.0),
    }
}

/// Returns the same for what a user said in groups.
pub(super) fn mark_in_groups(user: UserId) -> String {
    numbered('b', user.0)
}

fn numbered(kind: char, id: i64) -> String {
    format!("{kind}{:020}", id.cast_unsigned())
}

/// Returns words, separated by spaces, with each of these marks.
pub(super) fn marked(marks: &[String], words: &str) -> String {
    let each = |word| marks.iter().map(move |mark| format!("{mark}{word}"));
    let marked: Vec<String> = words.split_ascii_whitespace().flat_map(each).collect();
    marked.join(" ")
}

/// One owner's words in an index.
pub(super) struct Words {
    index: &'static str,
    marks: Vec<String>,
}

/// Which rows hold what is looked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Holding {
    /// The rows that most speaks for, the best first.
    pub(super) rows: Vec<i64>,
    /// How many rows hold each term. Beyond [`LOOKED_AT`] that is a guess.
    pub(super) held: Vec<u64>,
}

impl Words {
    /// Returns the words of memories.
    pub(super) fn of_memories(owners: &Owners) -> Self {
        Self {
            index: "memory_words",
            marks: owners.each().map(mark).collect(),
        }
    }

    /// Returns the words of lines; those of a person also as said in groups.
    pub(super) fn of_lines(owners: &Owners) -> Self {
        let mut marks: Vec<String> = owners.each().map(mark).collect();
        if owners.kind == "user" {
            marks.extend(owners.ids.iter().map(|id| mark_in_groups(UserId(*id))));
        }
        Self {
            index: "line_words",
            marks,
        }
    }

    /// Returns which of `all` rows hold what is looked for, enough of them to read `limit`.
    pub(super) async fn holding(
        &self,
        reading: &mut Connection,
        search: SearchTerms<'_>,
        (all, limit): (u64, usize),
    ) -> Result<Holding, StoreError> {
        let searches: Vec<_> = search.terms.iter().map(|term| self.with(term)).collect();
        let found: Vec<String> = query(Text::built(self.holders()))
            .bind(serde_json::to_string(&searches)?)
            .bind(LOOKED_AT as i64)
            .fetch_all(reading)
            .await?;
        let mut scores: HashMap<i64, f64> = HashMap::new();
        let mut held = Vec::with_capacity(found.len());
        for (term, rows) in found.iter().enumerate() {
            let rows: Vec<i64> = serde_json::from_str(rows)?;
            let holding = guessed(rows.len(), all);
            let worth = (search.worth)(term, all, holding);
            held.push(holding);
            for row in rows {
                *scores.entry(row).or_default() += worth;
            }
        }
        let mut rows: Vec<(i64, f64)> = scores.into_iter().collect();
        let order = |one: &(i64, f64), other: &(i64, f64)| {
            let better = other.1.total_cmp(&one.1);
            better.then(other.0.cmp(&one.0))
        };
        let most = limit * SPARE;
        if rows.len() > most {
            rows.select_nth_unstable_by(most, order);
            rows.truncate(most);
        }
        rows.sort_unstable_by(order);
        Ok(Holding {
            rows: rows.into_iter().map(|(row, _)| row).collect(),
            held,
        })
    }

    /// The newest rows of each search, as JSON: a row of the answer costs more than a number in it.
    fn holders(&self) -> String {
        let index = self.index;
        format!(
            "SELECT (SELECT json_group_array(id) FROM
                        (SELECT rowid AS id FROM {index} WHERE {index} MATCH searches.value
                         ORDER BY rowid DESC LIMIT $2))
             FROM json_each($1) searches ORDER BY searches.key"
        )
    }

    /// Returns the rows that hold all of `terms`; without terms none.
    pub(super) async fn holding_all(
        &self,
        reading: &mut Connection,
        terms: &[String],
    ) -> Result<Vec<i64>, StoreError> {
        if terms.is_empty() {
            return Ok(vec![]);
        }
        let index = self.index;
        let find = format!("SELECT rowid FROM {index} WHERE {index} MATCH $1");
        let each: Vec<_> = terms.iter().map(|term| self.with(term)).collect();
        query(Text::built(find))
            .bind(each.join(" AND "))
            .fetch_all(reading)
            .await
    }

    /// Returns the search for a term, or for any of several.
    fn with(&self, term: &str) -> String {
        let each: Vec<String> = term.split('|').map(|term| self.with_one(term)).collect();
        format!("({})", each.join(" OR "))
    }

    /// Returns the search for a term, which is never read as an operator.
    fn with_one(&self, term: &str) -> String {
        let searches: Vec<String> = self
            .marks
            .iter()
            .map(|mark| quoted(&format!("{mark}{term}")))
            .collect();
        format!("({})", searches.join(" OR "))
    }
}

/// Makes one of the [`INDEXES`] a step simpler; returns whether there was something to do.
///
/// FTS5 writes what is new into pieces of their own, and merges them by itself only as many pages
/// come: a turn writes one, and each piece is looked through by each search
/// (<https://www.sqlite.org/fts5.html#the_merge_command>).
pub async fn merge_some(tx: &mut Tx, index: &'static str) -> Result<bool, StoreError> {
    const CHANGES: &str = "SELECT total_changes()";
    let before: i64 = query(sql!(CHANGES)).fetch_one(tx.connection()).await?;
    let merge = format!("INSERT INTO {index} ({index}, rank) VALUES ('merge', $1)");
    query(Text::built(merge))
        .bind(PAGES_AT_ONCE)
        .execute(tx.connection())
        .await?;
    let after: i64 = query(sql!(CHANGES)).fetch_one(tx.connection()).await?;
    // The command itself counts as one.
    Ok(after - before > 1)
}

/// Where counting ended, the number is taken to lie in the middle, by the factor, of where it may.
fn guessed(counted: usize, all: u64) -> u64 {
    let counted = counted as u64;
    if counted < LOOKED_AT as u64 {
        return counted;
    }
    counted.saturating_mul(all).isqrt().max(counted)
}

fn quoted(term: &str) -> String {
    let (letters, ending) = match term.strip_suffix('*') {
        Some(beginning) => (beginning, " *"),
        None => (term, ""),
    };
    format!("\"{}\"{ending}", letters.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{ChatId, Owner, UserId};

    use super::{LOOKED_AT, guessed, mark, mark_in_groups, marked};

    #[test]
    fn no_two_owners_have_a_word_in_common() {
        let marks = [
            mark(Owner::User(UserId(1))),
            mark(Owner::User(UserId(12))),
            mark(Owner::User(UserId(-1))),
            mark(Owner::Chat(ChatId(1))),
            mark_in_groups(UserId(1)),
        ];
        let words = ["tea", "2tea", "茶"].map(|word| marked(&marks, word));
        let mut words: Vec<&str> = words.iter().flat_map(|words| words.split(' ')).collect();
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!((all, words.len()), (15, 15));
    }

    #[test]
    fn what_is_not_counted_out_is_guessed_between_what_was_and_all() {
        let bound = LOOKED_AT as u64;
        assert_eq!(guessed(LOOKED_AT - 1, 100 * bound), bound - 1);
        assert_eq!(guessed(LOOKED_AT, 100 * bound), 10 * bound);
        assert_eq!(guessed(LOOKED_AT, bound / 2), bound);
    }
}
