//! What expressions mean: our own cases in `tests/data/when.tsv`, the labelled set of the material
//! where it is there, and texts of every kind, which must not panic.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta};
use chrono_tz::Tz;
use proptest::prelude::*;

use super::*;

/// Moments from which cases are seen: their letter, the moment and the zone.
const SEEN_FROM: [(&str, &str, &str); 4] = [
    ("S", "2026-11-18T10:30:00+08:00", "Asia/Shanghai"),
    ("B", "2026-10-23T20:15:00+02:00", "Europe/Berlin"),
    ("N", "2027-03-12T23:40:00-05:00", "America/New_York"),
    ("Y", "2026-12-31T18:00:00+08:00", "Asia/Shanghai"),
];

fn seen_from(at: &str, zone: &str) -> DateTime<Tz> {
    let at = DateTime::parse_from_rfc3339(at).unwrap();
    at.with_timezone(&zone.parse::<Tz>().unwrap())
}

fn now(letter: &str) -> DateTime<Tz> {
    let (_, at, zone) = SEEN_FROM
        .into_iter()
        .find(|(it, ..)| *it == letter)
        .unwrap();
    seen_from(at, zone)
}

/// An answer as the cases write it.
fn written(understood: &Understood<Tz>) -> String {
    match &understood.answer {
        Answer::At(at) => format!("at {}", at.to_rfc3339()),
        Answer::Past(at) => format!("past {}", at.to_rfc3339()),
        Answer::Span(span) => {
            format!(
                "span {} {}",
                span.from.to_rfc3339(),
                span.until.to_rfc3339()
            )
        }
        Answer::Nothing => "none".to_owned(),
        Answer::Ask(question) => format!("ask {}", question.why.code()),
        Answer::Recurring(schedule) => format!("recurring {schedule}"),
    }
}

#[test]
fn our_own_cases_are_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/when.tsv");
    let cases = std::fs::read_to_string(path).unwrap();
    let mut wrong = String::new();
    let mut count = 0;
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[from, text, answer, about] = cells.as_slice() else {
            panic!("a line of four cells: {line:?}");
        };
        let understood = understand(text, &now(from));
        let found = written(&understood);
        if found != answer || understood.about != about {
            writeln!(wrong, "{line}\n    but: {found}\t{}", understood.about).unwrap();
        }
        count += 1;
    }
    assert!(count > 300, "{count} cases");
    assert!(wrong.is_empty(), "{wrong}");
}

/// What the labelled set says of a phrase.
struct Labelled {
    say: String,
    kind: String,
    instants: Vec<DateTime<Tz>>,
    all: Vec<DateTime<Tz>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Score {
    Right,
    Asked,
    Wrong,
    /// Wrong by more than a day, and nothing was asked.
    FarOff,
}

impl Labelled {
    fn score(&self, answer: &Answer<Tz>, now: &DateTime<Tz>) -> Score {
        let is_right = |is_right: bool| if is_right { Score::Right } else { Score::Wrong };
        match (self.kind.as_str(), answer) {
            ("none" | "past" | "ask", Answer::Nothing | Answer::Past(_) | Answer::Ask(_)) => {
                Score::Right
            }
            ("none" | "past" | "ask", _) => Score::FarOff,
            ("at", Answer::At(at)) => {
                let near = |it: &DateTime<Tz>| (*it - *at).abs() <= TimeDelta::days(1);
                match (self.instants.contains(at), self.instants.iter().any(near)) {
                    (true, _) => Score::Right,
                    (false, true) => Score::Wrong,
                    (false, false) => Score::FarOff,
                }
            }
            ("span", Answer::Span(span)) => is_right(self.all == [span.from, span.until]),
            ("recurring", Answer::Recurring(schedule)) => {
                let next = schedule.occurrences(now).take(self.all.len());
                is_right(next.collect::<Vec<_>>() == self.all)
            }
            (_, Answer::Ask(_) | Answer::Nothing) => Score::Asked,
            _ => Score::FarOff,
        }
    }
}

/// Returns the labelled set, and from where each phrase is seen; `None` where it is not there.
fn labelled() -> Option<Vec<(DateTime<Tz>, Labelled)>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/material");
    let folder = std::env::var_os("SAYSO_MATERIAL").map_or(beside, PathBuf::from);
    let text = std::fs::read_to_string(folder.join("dates/dates.toml")).ok()?;
    let set: toml::Table = text.parse().unwrap();
    let phrases = set["phrase"].as_array().unwrap().iter().map(|phrase| {
        let from = &set["now"][phrase["now"].as_str().unwrap()];
        let now = seen_from(from["at"].as_str().unwrap(), from["zone"].as_str().unwrap());
        let instant = |value: &toml::Value| {
            let at = DateTime::parse_from_rfc3339(value.as_str().unwrap()).unwrap();
            at.with_timezone(&now.timezone())
        };
        let list = |key: &str| match phrase.get(key) {
            Some(toml::Value::Array(list)) => list.iter().map(instant).collect(),
            Some(one) => vec![instant(one)],
            None => vec![],
        };
        let labelled = Labelled {
            say: phrase["say"].as_str().unwrap().to_owned(),
            kind: phrase["kind"].as_str().unwrap().to_owned(),
            instants: [list("at"), list("also")].concat(),
            all: [list("next"), list("from"), list("until")].concat(),
        };
        (now, labelled)
    });
    Some(phrases.collect())
}

#[test]
fn the_labelled_set_is_understood() {
    let Some(set) = labelled() else {
        eprintln!("no dates/dates.toml at SAYSO_MATERIAL: the labelled set is skipped");
        return;
    };
    let scores: Vec<_> = set
        .iter()
        .map(|(now, labelled)| {
            let answer = understand(&labelled.say, now).answer;
            (labelled.score(&answer, now), labelled.say.as_str())
        })
        .collect();
    let of = |score: Score| {
        let found = scores.iter().filter(|(it, _)| *it == score);
        found.map(|(_, say)| *say).collect::<Vec<_>>()
    };
    let right = of(Score::Right).len();
    assert!(
        right * 100 >= scores.len() * 95,
        "{right} of {}: {:?}",
        scores.len(),
        of(Score::Wrong)
    );
    assert_eq!(of(Score::FarOff), Vec::<&str>::new());
    assert!(
        of(Score::Asked).len() * 10 <= scores.len(),
        "{:?}",
        of(Score::Asked)
    );
}

#[test]
fn a_question_offers_its_readings() {
    let of = |text: &str| match understand(text, &now("S")).answer {
        Answer::Ask(question) => question.candidates.len(),
        answer => panic!("{text}: {answer:?}"),
    };
    assert_eq!(of("on 3/4 at 9"), 2);
    assert_eq!(of("tomorrow at 9 and at 5"), 2);
    assert_eq!(of("remind me about tomorrow's meeting"), 1);
    assert_eq!(of("remind me next week to call"), 1);
    assert_eq!(of("remind me later"), 0);
}

#[test]
fn a_long_text_is_bounded() {
    for text in [
        "tomorrow at 9 ",
        "明天早上九点",
        "every ",
        "1",
        "one and a half ",
        "一",
        "周",
        "- 1 : ",
    ] {
        let long = text.repeat(100_000 / text.len());
        let start = std::time::Instant::now();
        let _ = understand(&long, &now("S"));
        let _ = spoken_time(&long, now("S").naive_local());
        assert!(
            start.elapsed().as_secs() < 5,
            "{text:?}: {:?}",
            start.elapsed()
        );
    }
}

/// Words of both languages, which make more expressions than random letters do.
const WORDS: [&str; 84] = [
    "every ",
    "second ",
    "next ",
    "last ",
    "this ",
    "in ",
    "at ",
    "on ",
    "the ",
    "of ",
    "month ",
    "week ",
    "friday ",
    "may ",
    "29 ",
    "31 ",
    "february ",
    "9999 ",
    "2025 ",
    "half ",
    "past ",
    "to ",
    "quarter ",
    "an ",
    "hour ",
    "and ",
    "a ",
    "until ",
    "from ",
    "between ",
    "noon ",
    "midnight ",
    "tonight ",
    "am ",
    "pm ",
    ":",
    "-",
    "/",
    ".",
    "12",
    "0",
    "25 ",
    "first ",
    "days ",
    "years ",
    "ago ",
    "before ",
    "after ",
    "christmas ",
    "remind me ",
    "?",
    "每",
    "隔",
    "个",
    "月",
    "周",
    "天",
    "日",
    "号",
    "年",
    "点",
    "半",
    "刻",
    "分",
    "后",
    "前",
    "下",
    "上",
    "最后一",
    "第",
    "一",
    "三",
    "十",
    "九",
    "到",
    "晚上",
    "早",
    "今",
    "明",
    "除夕",
    "农历",
    "初",
    "底",
    "小时",
];

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,60}", seconds in -62_000_000_000_i64..250_000_000_000) {
        let now = DateTime::from_timestamp(seconds, 0).unwrap();
        let _ = understand(&text, &now.with_timezone(&Tz::Europe__Berlin));
    }

    #[test]
    fn no_row_of_words_panics_and_what_is_ahead_is_ahead(
        words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..9),
        seconds in prop_oneof![-62_000_000_000_i64..250_000_000_000, 1_700_000_000_i64..1_900_000_000],
    ) {
        let now = DateTime::from_timestamp(seconds, 0).unwrap().with_timezone(&Tz::America__New_York);
        match understand(&words.concat(), &now).answer {
            Answer::At(at) => prop_assert!(at > now),
            Answer::Past(at) => prop_assert!(at <= now),
            Answer::Span(span) => prop_assert!(span.from <= span.until),
            Answer::Recurring(schedule) => {
                let next = schedule.next_after(&now).unwrap();
                prop_assert!(next > now);
                let text = schedule.as_text();
                prop_assert_eq!(Schedule::stored(&text), Some(schedule), "{}", text);
            }
            Answer::Nothing | Answer::Ask(_) => {}
        }
    }
}

#[test]
fn a_year_of_five_figures_is_asked_about_and_not_left_out() {
    let now = DateTime::parse_from_rfc3339("2026-11-28T09:00:00Z").unwrap();
    for text in [
        "at 99999-12-31 09:00",
        "12345/1/2 at 9",
        "12345年1月2日早上8点",
    ] {
        let answer = understand(text, &now).answer;
        let Answer::Ask(question) = answer else {
            panic!("{text}: {answer:?}");
        };
        assert_eq!(question.why, Why::TooFar, "{text}");
    }
    // Other long numbers are what it is about.
    for text in [
        "tomorrow at 9 call 0301234567",
        "tomorrow at 9 call 12345-678-99",
        "tomorrow at 9 ship order 12345-20-10",
    ] {
        let answer = understand(text, &now).answer;
        assert!(matches!(answer, Answer::At(_)), "{text}: {answer:?}");
    }
}
