//! Looking for the answer to a question in everything: facts, summaries of turns, and the lines of
//! the transcript, ranked as one.
//!
//! Lines come with their neighbours: an answer seldom holds the words of its question. What is in
//! view of the asker is left out, and of a summary and its own lines only one stays: the summary
//! where it shows all that the line says, else the line.

use std::collections::{BTreeMap, HashMap, HashSet};

use sayso_core::transcript::{MemoryId, Owner, TurnId};
use sayso_store::lines::{self, LineRow};
use sayso_store::memories::MemoryKind;
use sayso_store::memories::{self, MemoryRow, SaidRow};
use sayso_store::word_index::SearchTerms;
use sayso_store::{Store, StoreError, now_ms};

use super::bigrams::holds_all;
use super::excerpt::excerpt;
use super::index_repair::IndexRepair;
use super::query_time::asked;
use super::questions::{in_turn, questions};
use super::rank::{Counting, Query, Statistics, Told, rank_told, worth};
use super::rows::{entry, recalled};
use super::section::LINE_CHARS;
use super::summary::beginning;
use super::vectors::{DEPTH, Vectors};
use super::{Question, Recalled, Span};

/// How many of the best lines bring their neighbours.
const WITH_NEIGHBOURS: usize = 30;
/// How many lines of a time are read where nothing but the time is asked for.
const OF_A_TIME: usize = 50;
/// How the agent is called as a speaker.
const AGENT: &str = "Sayso";

/// What is searched: the database, and the vectors of its memories where there are some.
pub(super) struct TranscriptSearch<'a> {
    pub(super) store: &'a Store,
    pub(super) vectors: Option<&'a Vectors>,
    /// Repairs the index of lines where a search finds it damaged.
    pub(super) index_repair: &'a IndexRepair,
}

impl TranscriptSearch<'_> {
    /// Returns the best answers to a question from everything.
    pub(super) async fn answers(
        &self,
        owner: Owner,
        question: &Question<'_>,
    ) -> Result<Vec<Recalled>, StoreError> {
        let query = asked(question.text);
        let by_words = self.everything_by_words(owner, question, &query);
        let found = match self.vectors {
            None => by_words.await?,
            Some(vectors) => {
                vectors
                    .fused_with(by_words, owner, span_of(&query), question.text, DEPTH)
                    .await?
            }
        };
        let answering = found
            .into_iter()
            .filter(|row| !is_in_view(row, question.in_view) && !only_asks(row, question.text))
            .collect();
        let rows = each_once(answering).into_iter().take(question.limit);
        Ok(rows.map(|row| shown(row, &query)).collect())
    }

    /// Returns what answers by its words; of several questions the best of each in turn.
    async fn everything_by_words(
        &self,
        owner: Owner,
        question: &Question<'_>,
        whole: &Query,
    ) -> Result<Vec<MemoryRow>, StoreError> {
        let parts = questions(question.text);
        if let [one] = parts.as_slice()
            && *one == question.text
        {
            return self.answers_of_everything(owner, question, whole).await;
        }
        let mut answers = Vec::new();
        for text in parts {
            let query = asked(text);
            answers.push(self.answers_of_everything(owner, question, &query).await?);
        }
        let mut rows = in_turn(answers, |one, other| one.id == other.id);
        rows.truncate(DEPTH);
        Ok(rows)
    }

    async fn answers_of_everything(
        &self,
        owner: Owner,
        question: &Question<'_>,
        query: &Query,
    ) -> Result<Vec<MemoryRow>, StoreError> {
        let (readers, hidden) = (self.store.reader(), question.in_view);
        let worth = worth(query);
        let sought = SearchTerms {
            terms: query.searches(),
            word_of: &|term| query.word_of(term),
            worth: &worth,
        };
        let (remembered, said) = tokio::join!(
            memories::candidates(readers, owner, sought, span_of(query)),
            lines::candidates(readers, owner, sought, hidden)
        );
        // Without the index of lines, what was remembered still answers.
        let said = match said {
            Ok(said) => said,
            Err(error) => {
                tracing::error!(%error, "transcript search failed");
                self.index_repair.begins_for(&error).await;
                lines::Lines::default()
            }
        };
        let remembered = remembered?;
        let mut statistics = Statistics {
            entries: remembered.owned + said.owned,
            holding: sums(&remembered.held, &said.held),
            stretches: BTreeMap::new(),
            all_stretches: said.stretches,
        };
        let mut said = said.rows;
        let mut told = ToldRows::new(query);
        said.retain(|row| told.may_answer(row.id, &row.text));
        let mut rows = remembered.rows;
        rows.retain(|row| told.may_answer(row.id.0, &row.text));
        take_lines(&mut rows, &mut statistics, said);
        if let Some(time) = query.time_alone() {
            let (from_ms, until_ms) = (time.start, time.end);
            let then = lines::between(readers, owner, from_ms, until_ms, hidden, OF_A_TIME).await?;
            let others = not_among(then, &rows);
            take_lines(&mut rows, &mut statistics, others);
        }
        let best: Vec<i64> = told
            .in_order(&statistics, &rows)
            .filter(|row| row.said.is_some())
            .map(|row| row.id.0)
            .take(WITH_NEIGHBOURS)
            .collect();
        let near = lines::neighbours(readers, owner, &best, hidden).await?;
        let near = not_among(near, &rows);
        take_lines(&mut rows, &mut statistics, near);
        let order = told.in_order(&statistics, &rows);
        Ok(order.take(DEPTH).cloned().collect())
    }
}

/// Returns whether facts count that hold no longer: where it is asked about a time that is over.
fn span_of(query: &Query) -> Span {
    match query.time() {
        Some(time) if time.end < now_ms() => Span::Ever,
        Some(_) | None => Span::Now,
    }
}

fn not_among(mut lines: Vec<LineRow>, rows: &[MemoryRow]) -> Vec<LineRow> {
    let known: HashSet<i64> = rows.iter().map(|row| row.id.0).collect();
    lines.retain(|line| !known.contains(&line.id));
    lines
}

fn sums(some: &[u64], others: &[u64]) -> Vec<u64> {
    let longer = some.len().max(others.len());
    let at = |held: &[u64], term| held.get(term).copied().unwrap_or_default();
    (0..longer)
        .map(|term| at(some, term) + at(others, term))
        .collect()
}

/// What a query finds in rows, by their ids: told once, also for those that are ranked twice.
struct ToldRows<'q> {
    counting: Counting<'q>,
    by_id: HashMap<i64, Told>,
}

impl<'q> ToldRows<'q> {
    fn new(query: &'q Query) -> Self {
        Self {
            counting: Counting::of(query),
            by_id: HashMap::new(),
        }
    }

    fn told(&mut self, id: i64, text: &str) -> &Told {
        let counting = &mut self.counting;
        self.by_id
            .entry(id)
            .or_insert_with(|| Told::of(counting, text))
    }

    fn may_answer(&mut self, id: i64, text: &str) -> bool {
        let query = self.counting.query();
        self.told(id, text).may_answer(query)
    }

    /// Returns the rows, best first.
    fn in_order<'a>(
        &mut self,
        statistics: &Statistics,
        rows: &'a [MemoryRow],
    ) -> impl Iterator<Item = &'a MemoryRow> + use<'a> {
        for row in rows {
            self.told(row.id.0, &row.text);
        }
        let told: Vec<&Told> = rows
            .iter()
            .filter_map(|row| self.by_id.get(&row.id.0))
            .collect();
        let entries: Vec<_> = rows.iter().map(entry).collect();
        let order = rank_told(self.counting.query(), statistics, &entries, &told);
        order.into_iter().filter_map(|place| rows.get(place))
    }
}

/// Adds lines to the rows, the newest first, and their stretches to what is known of all.
fn take_lines(rows: &mut Vec<MemoryRow>, statistics: &mut Statistics, lines: Vec<LineRow>) {
    for line in &lines {
        let length = line.stretch_lines.unsigned_abs();
        statistics.stretches.insert(line.stretch_id, length);
    }
    rows.extend(lines.into_iter().map(row_of));
    rows.sort_by_key(|row| std::cmp::Reverse((row.touched_ms, row.id)));
}

fn row_of(line: LineRow) -> MemoryRow {
    let speaker = if line.is_answer {
        AGENT.to_owned()
    } else {
        line.name.unwrap_or_default()
    };
    MemoryRow {
        id: MemoryId(line.id),
        kind: MemoryKind::Episode,
        text: line.text,
        created_ms: line.at_ms,
        touched_ms: line.at_ms,
        topic: None,
        source: None,
        confidence: 100,
        valid_from_ms: None,
        valid_until_ms: None,
        superseded_by: None,
        recalled_ms: None,
        recalls: 0,
        by: Some(line.user_id),
        taint: line.taint,
        turn: line.turn_id,
        said: Some(SaidRow {
            stretch: line.stretch_id,
            place: line.place,
            speaker,
            is_answer: line.is_answer,
            in_group: line.in_group,
            episode: line.episode_id,
        }),
    }
}

/// Returns whether it is a summary, and no line.
fn is_summary(row: &MemoryRow) -> bool {
    row.kind == MemoryKind::Episode && row.said.is_none()
}

/// Returns whether it is the summary of a turn that is in view.
fn is_in_view(row: &MemoryRow, in_view: &[TurnId]) -> bool {
    is_summary(row) && in_view.contains(&row.turn)
}

/// Returns whether a line asks the same and tells nothing.
fn only_asks(row: &MemoryRow, question: &str) -> bool {
    let is_question = row.said.is_some() && row.text.trim_end().ends_with(['?', '？']);
    is_question && holds_all(question, &row.text)
}

/// Keeps a summary or its lines, where the best of them stands: the summary if it shows all that
/// these lines say.
fn each_once(rows: Vec<MemoryRow>) -> Vec<MemoryRow> {
    let mut kept: Vec<MemoryRow> = Vec::new();
    for row in rows {
        let alike = |other: &MemoryRow| is_line_of(&row, other) || is_line_of(other, &row);
        let Some(place) = kept.iter().position(alike) else {
            kept.push(row);
            continue;
        };
        let shows_all = match (&row.said, kept.get(place)) {
            (Some(_), Some(summary)) => shows(summary, &row),
            _ => kept
                .iter()
                .filter(|other| alike(other))
                .all(|line| shows(&row, line)),
        };
        if shows_all == row.said.is_some() {
            // The summary that is there shows the line, or the lines that are there say more.
            continue;
        }
        // The best place is kept; a summary takes the places of all its lines.
        let first = row.clone();
        if let Some(there) = kept.get_mut(place) {
            *there = row;
        }
        kept.retain(|other| !is_line_of(other, &first));
    }
    kept
}

/// Returns whether a row is a line of a turn that another row sums up.
fn is_line_of(line: &MemoryRow, summary: &MemoryRow) -> bool {
    let Some(said) = &line.said else {
        return false;
    };
    let is_summed_up = said.episode == Some(summary.id) || line.turn == summary.turn;
    is_summary(summary) && is_summed_up
}

/// Returns whether what is shown of a summary holds all of a line.
fn shows(summary: &MemoryRow, line: &MemoryRow) -> bool {
    let shown = beginning(&summary.text, LINE_CHARS);
    shown.contains(&beginning(&line.text, usize::MAX))
}

/// Returns a row in the form in which it is recalled: a long line or summary is cut to the part
/// that matches the query.
fn shown(mut row: MemoryRow, query: &Query) -> Recalled {
    if row.kind != MemoryKind::Fact {
        row.text = excerpt(&row.text, query, LINE_CHARS);
    }
    recalled(row)
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::Taint;
    use sayso_store::memories::StoredTaint;

    use super::*;

    fn line(turn: i64, text: &str) -> MemoryRow {
        let said = SaidRow {
            stretch: 1,
            place: 1,
            speaker: "Ann".to_owned(),
            is_answer: false,
            in_group: false,
            episode: None,
        };
        MemoryRow {
            said: Some(said),
            ..summary(turn, text)
        }
    }

    fn summary(turn: i64, text: &str) -> MemoryRow {
        MemoryRow {
            id: MemoryId(turn),
            kind: MemoryKind::Episode,
            text: text.to_owned(),
            created_ms: 0,
            touched_ms: 0,
            topic: None,
            source: None,
            confidence: 100,
            valid_from_ms: None,
            valid_until_ms: None,
            superseded_by: None,
            recalled_ms: None,
            recalls: 0,
            by: None,
            taint: StoredTaint(Taint::default()),
            turn: TurnId(turn),
            said: None,
        }
    }

    #[track_caller]
    fn check(rows: Vec<MemoryRow>, expected: &[&str]) {
        let kept = each_once(rows);
        let texts: Vec<&str> = kept.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_summary_stands_for_the_lines_that_it_shows() {
        let shown = "my cat is ill → Poor cat.";
        let whole = || summary(1, shown);
        let (asked, told) = (|| line(1, "my cat is ill"), || line(1, "Poor cat."));
        let other = line(2, "other");
        check(vec![asked(), other, told(), whole()], &[shown, "other"]);
        check(vec![whole(), told(), asked()], &[shown]);
        check(vec![told(), whole(), asked()], &[shown]);
    }

    #[test]
    fn a_line_that_says_more_stands_for_itself() {
        let long = format!("{} and the vet costs 80 euros", "so ".repeat(200));
        let cut = || summary(1, "my cat is ill → so so so…");
        let asked = line(1, "my cat is ill");
        check(vec![line(1, &long), cut()], &[&long]);
        check(
            vec![cut(), line(1, &long), asked],
            &[&long, "my cat is ill"],
        );
    }
}
