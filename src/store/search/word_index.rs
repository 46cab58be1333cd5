//! The words of memories and lines as their indexes hold them, and how they are searched.
//!
//! Each word begins with the mark of its owner. So a search walks through the rows of one owner
//! only, as many as others may say the same word, and finds no one else's.

use std::collections::HashMap;

use sayso_core::transcript::{Owner, UserId};
use serde::Deserialize;

use crate::Connection;
use crate::owners::Owners;
use crate::sql;
use crate::sql::{Statement, query};
use crate::{StoreError, Tx};

/// The maximum number of rows of a term that are considered, the newest. A more frequent term
/// hardly distinguishes them.
pub const LOOKED_AT: usize = 1_000;
/// In how many rows a word is frequent: what only begins like it hardly leads to others.
const FREQUENT: usize = LOOKED_AT / 4;
/// How far stretches of talk are counted.
const COUNTED: usize = 10_000;
/// How many more rows are named than are read, for those that are hidden or hold no longer.
const SPARE: usize = 4;

/// The indexes.
pub const INDEXES: [WordIndex; 2] = [WordIndex::Memories, WordIndex::Lines];
/// How many pages one step of merging writes.
const PAGES_AT_ONCE: i64 = 64;
/// How many pages of an index one piece of an erasure rewrites.
const REWRITTEN_PAGES: i64 = 256;

/// An index of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordIndex {
    /// Of memories.
    Memories,
    /// Of lines.
    Lines,
}

impl WordIndex {
    /// The newest rows of each search, as JSON, since a row of the answer costs more than a number
    /// in it; beside them how many rows the owners have, in how many stretches of talk. That is
    /// counted once.
    fn holders(self) -> Statement {
        match self {
            Self::Memories => sql!(
                sqlite: "SELECT CASE WHEN searches.value ->> 1 IS NULL
                      OR (SELECT count(*) FROM (SELECT 1 FROM memory_words
                          WHERE memory_words MATCH searches.value ->> 1 LIMIT $5)) < $5
                    THEN (SELECT json_group_array(id) FROM
                        (SELECT rowid AS id FROM memory_words
                         WHERE memory_words MATCH searches.value ->> 0
                         ORDER BY rowid DESC LIMIT $2)) END AS holders,
                    (SELECT coalesce(sum(entries), 0) FROM memory_counts WHERE owner_kind = $3
                       AND owner_id IN (SELECT value FROM json_each($4))) AS owned,
                    0 AS stretches
                 FROM json_each($1) searches ORDER BY searches.key"
            ),
            Self::Lines => sql!(
                sqlite: "WITH counted AS MATERIALIZED (
                    SELECT count(*) AS stretches, coalesce(sum(lines), 0) AS owned FROM
                        (SELECT lines FROM stretches WHERE owner_kind = $3
                           AND owner_id IN (SELECT value FROM json_each($4)) LIMIT $6))
                 SELECT CASE WHEN searches.value ->> 1 IS NULL
                      OR (SELECT count(*) FROM (SELECT 1 FROM line_words
                          WHERE line_words MATCH searches.value ->> 1 LIMIT $5)) < $5
                    THEN (SELECT json_group_array(id) FROM
                        (SELECT rowid AS id FROM line_words
                         WHERE line_words MATCH searches.value ->> 0
                         ORDER BY rowid DESC LIMIT $2)) END AS holders,
                    (SELECT owned FROM counted) AS owned,
                    (SELECT stretches FROM counted) AS stretches
                 FROM json_each($1) searches ORDER BY searches.key"
            ),
        }
    }

    /// The rows of one search.
    fn found(self) -> Statement {
        match self {
            Self::Memories => {
                sql!(sqlite: "SELECT rowid FROM memory_words WHERE memory_words MATCH $1")
            }
            Self::Lines => sql!(sqlite: "SELECT rowid FROM line_words WHERE line_words MATCH $1"),
        }
    }

    /// Merges pieces, as many pages as it says; a negative number merges everything into one.
    fn merge(self) -> Statement {
        match self {
            Self::Memories => {
                sql!(sqlite: "INSERT INTO memory_words (memory_words, rank) VALUES ('merge', $1)")
            }
            Self::Lines => {
                sql!(sqlite: "INSERT INTO line_words (line_words, rank) VALUES ('merge', $1)")
            }
        }
    }
}

/// What is looked for.
#[derive(Clone, Copy)]
pub struct SearchTerms<'a> {
    /// The terms; one that ends with `*` is the beginning of words, and `|` parts those of which
    /// any will do.
    pub terms: &'a [String],
    /// The place of the word that a term is the beginning of, where that word is a term, too. Words
    /// that only begin so are not looked for where the word itself is frequent: FTS5 collects all
    /// rows with such words, however few are wanted, so that took longer with each message.
    pub word_of: &'a (dyn Fn(usize) -> Option<usize> + Sync),
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
pub(crate) fn mark_in_groups(user: UserId) -> String {
    numbered('b', user.0)
}

fn numbered(kind: char, id: i64) -> String {
    format!("{kind}{:020}", id.cast_unsigned())
}

/// Returns words, separated by spaces, with each of these marks.
pub(crate) fn marked(marks: &[String], words: &str) -> String {
    let each = |word| marks.iter().map(move |mark| format!("{mark}{word}"));
    let marked: Vec<String> = words.split_ascii_whitespace().flat_map(each).collect();
    marked.join(" ")
}

/// One owner's words in an index.
pub(crate) struct Words<'o> {
    index: WordIndex,
    owners: &'o Owners,
    marks: Vec<String>,
}

/// The rows that hold one search.
#[derive(Deserialize)]
struct HolderRow {
    /// `None` where it was not looked for.
    holders: Option<String>,
    owned: i64,
    stretches: i64,
}

/// Which rows hold what is looked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Holding {
    /// The rows that most speaks for, the best first.
    pub(crate) rows: Vec<i64>,
    /// How many rows hold each term. Beyond [`LOOKED_AT`] that is a guess.
    pub(crate) held: Vec<u64>,
    /// How many rows the owners have.
    pub(crate) owned: u64,
    /// In how many stretches of talk, if they are lines; as far as these are counted.
    pub(crate) stretches: u64,
}

impl<'o> Words<'o> {
    /// Returns the words of memories.
    pub(crate) fn of_memories(owners: &'o Owners) -> Self {
        Self {
            index: WordIndex::Memories,
            owners,
            marks: owners.each().map(mark).collect(),
        }
    }

    /// Returns the words of lines; those of a person also as said in groups.
    pub(crate) fn of_lines(owners: &'o Owners) -> Self {
        let mut marks: Vec<String> = owners.each().map(mark).collect();
        if owners.kind == "user" {
            marks.extend(owners.ids.iter().map(|id| mark_in_groups(UserId(*id))));
        }
        Self {
            index: WordIndex::Lines,
            owners,
            marks,
        }
    }

    /// Returns which rows hold what is looked for, enough of them to read `limit`.
    pub(crate) async fn holding(
        &self,
        reading: &mut Connection,
        search: SearchTerms<'_>,
        limit: usize,
    ) -> Result<Holding, StoreError> {
        let word_of = |place: usize| {
            let word = (search.word_of)(place).and_then(|place| search.terms.get(place));
            word.map(|word| self.with(word))
        };
        let searches = search.terms.iter().enumerate();
        let searches: Vec<_> = searches
            .map(|(place, term)| (self.with(term), word_of(place)))
            .collect();
        let found: Vec<HolderRow> = query(self.index.holders())
            .bind(serde_json::to_string(&searches)?)
            .bind(LOOKED_AT as i64)
            .bind(self.owners.kind)
            .bind(self.owners.as_json()?)
            .bind(FREQUENT as i64)
            .bind(COUNTED as i64)
            .fetch_all(reading)
            .await?;
        let first = found.first();
        let all = first.map_or(0, |row| row.owned.unsigned_abs());
        let stretches = first.map_or(0, |row| row.stretches.unsigned_abs());
        let mut scores: HashMap<i64, f64> = HashMap::new();
        let mut held = Vec::with_capacity(found.len());
        for (term, row) in found.iter().enumerate() {
            let rows = row.holders.as_deref().map(serde_json::from_str);
            let rows: Option<Vec<i64>> = rows.transpose()?;
            let holding = match &rows {
                Some(rows) => guessed(rows.len(), all),
                None => guessed(LOOKED_AT, all).min(all),
            };
            let worth = (search.worth)(term, all, holding);
            held.push(holding);
            for row in rows.unwrap_or_default() {
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
            owned: all,
            stretches,
        })
    }

    /// Returns the rows that hold all of `terms`; without terms none.
    pub(crate) async fn holding_all(
        &self,
        reading: &mut Connection,
        terms: &[String],
    ) -> Result<Vec<i64>, StoreError> {
        if terms.is_empty() {
            return Ok(vec![]);
        }
        let each: Vec<_> = terms.iter().map(|term| self.with(term)).collect();
        query(self.index.found())
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
pub async fn merge_some(tx: &mut Tx, index: WordIndex) -> Result<bool, StoreError> {
    merge(tx, index, PAGES_AT_ONCE).await
}

/// Rewrites a piece of the indexes, which keep the words of deleted rows until all of them is
/// rewritten; returns whether something was left to do.
pub async fn rewrite_some(tx: &mut Tx) -> Result<bool, StoreError> {
    let mut is_left = false;
    for index in INDEXES {
        is_left |= merge(tx, index, -REWRITTEN_PAGES).await?;
    }
    Ok(is_left)
}

/// Returns whether there was something to merge.
async fn merge(tx: &mut Tx, index: WordIndex, pages: i64) -> Result<bool, StoreError> {
    let before = total_changes(tx).await?;
    query(index.merge())
        .bind(pages)
        .execute(tx.connection())
        .await?;
    // The command itself counts as one.
    Ok(total_changes(tx).await? - before > 1)
}

async fn total_changes(tx: &mut Tx) -> Result<i64, StoreError> {
    query(sql!(sqlite: "SELECT total_changes()"))
        .fetch_one(tx.connection())
        .await
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
