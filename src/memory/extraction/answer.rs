//! Reading what a model answered when it was asked what is to be learned, however it wrapped it.

use chrono::{NaiveDate, NaiveTime};
use sayso_core::transcript::first_chars;
use serde_json::{Deserializer, Map, Value};

use crate::Topic;
use crate::query_time::moment;

/// The most of an answer that is read, in characters.
const ANSWER_CHARS: usize = 20_000;
/// How many opening brackets are tried.
const ATTEMPTS: usize = 50;
/// The most candidates of one answer.
const CANDIDATES: usize = 12;

/// A statement that a model proposes to remember.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What it is about.
    pub topic: Option<Topic>,
    /// The statement.
    pub text: String,
    /// How sure the model is, in percent.
    pub confidence: u8,
    /// The number of the message that it rests on.
    pub message: usize,
    /// Since when it is so.
    pub valid_from_ms: Option<i64>,
    /// Until when it is so.
    pub valid_until_ms: Option<i64>,
    /// Whether an end was given that cannot be read.
    pub has_unreadable_end: bool,
    /// The number of the known fact that it changes.
    pub replaces: Option<usize>,
}

/// Returns what an answer proposes; `None` when it is no answer to the question.
///
/// Thoughts, fences and words around it do no harm: the first list of objects counts, or an empty
/// one. Of an object without a text, or without the number of a message, nothing is made.
pub fn read(answer: &str) -> Option<Vec<Candidate>> {
    let bounded = first_chars(answer, ANSWER_CHARS).unwrap_or(answer);
    let answer = bounded
        .rsplit_once("</think>")
        .map_or(bounded, |(_, behind)| behind);
    let lists = answer
        .match_indices('[')
        .take(ATTEMPTS)
        .filter_map(|(at, _)| {
            let mut values = Deserializer::from_str(answer.get(at..)?).into_iter::<Vec<Value>>();
            values.next()?.ok()
        });
    let mut lists = lists.filter(|list| list.iter().all(Value::is_object));
    let list = lists.next()?;
    let objects = list.iter().filter_map(Value::as_object);
    Some(objects.filter_map(candidate).take(CANDIDATES).collect())
}

fn candidate(object: &Map<String, Value>) -> Option<Candidate> {
    let text = object.get("text")?.as_str()?.trim();
    let until = object.get("valid_until").filter(|value| !is_nothing(value));
    let valid_until_ms = until.and_then(|value| date(value, Edge::End));
    Some(Candidate {
        topic: object
            .get("topic")
            .and_then(Value::as_str)
            .and_then(Topic::named),
        text: text.to_owned(),
        confidence: object.get("confidence").map_or(0, percent),
        message: number(object.get("message")?)?,
        valid_from_ms: object
            .get("valid_from")
            .and_then(|value| date(value, Edge::Begin)),
        valid_until_ms,
        has_unreadable_end: until.is_some() && valid_until_ms.is_none(),
        replaces: object.get("replaces").and_then(number),
    })
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// Reads a number, also one that is written as a text: `2`, `"2"`, `"#2"`.
fn number(value: &Value) -> Option<usize> {
    let written = value.as_str().map(|text| {
        text.trim_matches(|letter: char| !letter.is_ascii_digit())
            .parse()
    });
    match written {
        Some(read) => read.ok(),
        None => value.as_u64().map(|number| number as usize),
    }
}

/// Reads a confidence: a fraction, percent, or nothing that is worth anything.
fn percent(value: &Value) -> u8 {
    let Some(number) = value.as_f64() else {
        return 0;
    };
    let percent = if number <= 1.0 {
        number * 100.0
    } else {
        number
    };
    percent.clamp(0.0, 100.0).round() as u8
}

/// Which end of a day, month or year is meant.
#[derive(Clone, Copy)]
enum Edge {
    Begin,
    End,
}

/// Reads `2026-11-22`, `2026-11` or `2026`, as milliseconds since 1970 by the local clock, as days
/// are shown.
fn date(value: &Value, edge: Edge) -> Option<i64> {
    let text = value.as_str()?.trim();
    let mut parts = text
        .get(..10)
        .unwrap_or(text)
        .split('-')
        .map(str::parse::<u32>);
    let year = i32::try_from(parts.next()?.ok()?)
        .ok()
        .filter(|year| (1900..2200).contains(year))?;
    let month = parts.next().transpose().ok()?;
    let day = parts.next().transpose().ok()?;
    let first = NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1))?;
    let begin = match (edge, month, day) {
        (Edge::Begin, ..) => first,
        (Edge::End, _, Some(_)) => first.succ_opt()?,
        (Edge::End, Some(_), None) => first.checked_add_months(chrono::Months::new(1))?,
        (Edge::End, None, _) => first.checked_add_months(chrono::Months::new(12))?,
    };
    Some(moment(begin.and_time(NaiveTime::MIN)))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::section::day;

    fn texts(answer: &str) -> Option<Vec<String>> {
        Some(
            read(answer)?
                .into_iter()
                .map(|candidate| candidate.text)
                .collect(),
        )
    }

    #[test]
    fn an_answer_is_found_in_what_stands_around_it() {
        let list = r#"[{"text": "likes tea", "message": 1, "confidence": 0.9}]"#;
        for answer in [
            list.to_owned(),
            format!("```json\n{list}\n```"),
            format!("<think>[maybe]</think>Here: {list} Done."),
            format!(r#"{{"facts": {list}}}"#),
        ] {
            assert_eq!(
                texts(&answer),
                Some(vec!["likes tea".to_owned()]),
                "{answer}"
            );
        }
        assert_eq!(texts("[]"), Some(vec![]));
        assert_eq!(texts("Nothing to remember: []"), Some(vec![]));
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for answer in [
            "",
            "ok: I like tea",
            "[1, 2]",
            r#"[{"text": "#,
            "{}",
            "[[[[[[",
        ] {
            assert_eq!(texts(answer), None, "{answer}");
        }
        assert_eq!(
            texts(r#"[{"text": 5, "message": 1}, {"text": "x"}]"#),
            Some(vec![])
        );
    }

    #[test]
    fn numbers_and_dates_are_read_as_they_are_written() {
        let answer = r##"[{"text": "x", "message": "#3", "confidence": 85, "replaces": "#2",
            "valid_from": "2026-02", "valid_until": "2026-02-28", "topic": "profile"},
            {"text": "y", "message": 1, "confidence": "high", "valid_until": "next summer"}]"##;
        let read = read(answer).unwrap();
        assert_eq!(
            (read[0].message, read[0].confidence, read[0].replaces),
            (3, 85, Some(2))
        );
        assert_eq!(read[0].valid_from_ms.map(day).unwrap(), "2026-02-01");
        let last_day = |until: Option<i64>| day(until.unwrap() - 1);
        assert_eq!(last_day(read[0].valid_until_ms), "2026-02-28");
        assert_eq!((read[1].confidence, read[1].has_unreadable_end), (0, true));
    }
}
