//! `sayso when`: what expressions of time mean, one text per line.
//!
//! A line is a text, or an object `{"text", "zone", "now"}` that names its own zone and moment. Nothing
//! is stored, and no model is called.

use std::io::{BufRead, Write};

use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;
use sayso_channel::Language;
use sayso_core::when::{
    Answer, Candidate, Question, Schedule, Understood, Why, instant_of, understand, zone_named,
};
use serde::{Deserialize, Serialize};

use super::exit::Exit;
use super::messages;
use super::output_style::Form;
use super::texts;

/// How many of the next times are printed.
const NEXT: usize = 3;
/// A moment without an offset.
const WALL: [&str; 4] = [
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
];

/// From where texts are seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeenFrom {
    zone: Tz,
    now: DateTime<Tz>,
}

/// Why a text cannot be seen from there.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NotSeen {
    /// No such zone.
    Zone(String),
    /// The moment cannot be read.
    Now(String),
}

impl NotSeen {
    pub(super) fn in_words(&self, language: Language) -> String {
        match self {
            Self::Zone(name) => Why::UnknownZone(name.clone()).in_words(language),
            Self::Now(text) => messages::unreadable_moment(language, text),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Zone(_) => "unknown_zone",
            Self::Now(_) => "unreadable_now",
        }
    }
}

impl SeenFrom {
    /// Returns the place of a zone and a moment; by default those of this machine.
    pub(super) fn of(zone: Option<&str>, now: Option<&str>) -> Result<Self, NotSeen> {
        let zone = match zone {
            Some(name) => zone_named(name).map_err(|unknown| NotSeen::Zone(unknown.0))?,
            None => of_machine(),
        };
        let now = match now {
            Some(text) => moment(text, zone).ok_or_else(|| NotSeen::Now(text.to_owned()))?,
            None => Utc::now().with_timezone(&zone),
        };
        Ok(Self { zone, now })
    }

    /// Returns the place that a line names, and this one for what it leaves out.
    fn named(self, line: &Line) -> Result<Self, NotSeen> {
        let zone = match &line.zone {
            Some(name) => zone_named(name).map_err(|unknown| NotSeen::Zone(unknown.0))?,
            None => self.zone,
        };
        let now = match &line.now {
            Some(text) => moment(text, zone).ok_or_else(|| NotSeen::Now(text.clone()))?,
            None => self.now.with_timezone(&zone),
        };
        Ok(Self { zone, now })
    }
}

/// Returns the zone of this machine; UTC where its name is not known.
fn of_machine() -> Tz {
    let name = iana_time_zone::get_timezone().ok();
    name.and_then(|name| name.parse().ok()).unwrap_or(Tz::UTC)
}

/// Reads a moment with its offset, or by the clock of a zone.
fn moment(text: &str, zone: Tz) -> Option<DateTime<Tz>> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&zone));
    }
    let wall = WALL
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())?;
    instant_of(wall, &zone)
}

/// A line of the input that names more than a text.
#[derive(Debug, Deserialize)]
struct Line {
    text: String,
    zone: Option<String>,
    now: Option<String>,
}

/// What is printed of a text.
#[derive(Debug, Default, Serialize)]
struct Printed {
    kind: &'static str,
    /// The instant; of a past one when it was.
    at: Option<String>,
    /// The next times of a rule.
    next: Vec<String>,
    from: Option<String>,
    until: Option<String>,
    about: String,
    /// The rule, in the form that is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    /// Why it is asked back.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    /// What a person reads: the rule in words, or the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Words>,
    /// The readings to choose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Words {
    en: String,
    zh: String,
}

impl Words {
    fn of(say: impl Fn(Language) -> String) -> Self {
        Self {
            en: say(Language::English),
            zh: say(Language::Chinese),
        }
    }
}

/// Prints what each text means: those of the arguments, or else each line of the input.
pub(super) fn when(
    texts: &[String],
    from: SeenFrom,
    form: Form,
    language: Language,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    texts::each(texts, input, |text| {
        let printed = read(text, from);
        match form {
            Form::Plain => writeln!(output, "{}\t{text}", plain(&printed, language))?,
            Form::Json => writeln!(output, "{}", serde_json::to_string(&printed)?)?,
        }
        output.flush()?;
        Ok(())
    })?;
    Ok(Exit::Fine)
}

fn read(text: &str, from: SeenFrom) -> Printed {
    let line = serde_json::from_str::<Line>(text)
        .ok()
        .filter(|_| text.trim_start().starts_with('{'));
    let Some(line) = line else {
        return printed(understand(text, &from.now), from.now);
    };
    match from.named(&line) {
        Ok(from) => printed(understand(&line.text, &from.now), from.now),
        Err(not_seen) => Printed {
            kind: "ask",
            why: Some(not_seen.code()),
            words: Some(Words::of(|language| not_seen.in_words(language))),
            about: line.text,
            ..Printed::default()
        },
    }
}

fn printed(understood: Understood<Tz>, now: DateTime<Tz>) -> Printed {
    let Understood { answer, about } = understood;
    let printed = Printed {
        about,
        ..Printed::default()
    };
    match answer {
        Answer::At(at) => Printed {
            kind: "at",
            at: Some(at.to_rfc3339()),
            ..printed
        },
        Answer::Past(at) => Printed {
            kind: "past",
            at: Some(at.to_rfc3339()),
            ..printed
        },
        Answer::Span(span) => Printed {
            kind: "span",
            from: Some(span.from.to_rfc3339()),
            until: Some(span.until.to_rfc3339()),
            ..printed
        },
        Answer::Nothing => Printed {
            kind: "none",
            ..printed
        },
        Answer::Recurring(schedule) => Printed {
            kind: "recurring",
            next: next(&schedule, now),
            rule: Some(schedule.as_text()),
            words: Some(Words::of(|language| words_of(&schedule, language))),
            ..printed
        },
        Answer::Ask(Question { why, candidates }) => Printed {
            kind: "ask",
            why: Some(why.code()),
            words: Some(Words::of(|language| why.in_words(language))),
            candidates: candidates.into_iter().map(candidate).collect(),
            ..printed
        },
    }
}

fn candidate(candidate: Candidate<Tz>) -> String {
    match candidate {
        Candidate::At(at) => at.to_rfc3339(),
        Candidate::Recurring(schedule) => schedule.as_text(),
    }
}

fn next(schedule: &Schedule, now: DateTime<Tz>) -> Vec<String> {
    let next = schedule.occurrences(&now).take(NEXT);
    next.map(|at| at.to_rfc3339()).collect()
}

fn words_of(schedule: &Schedule, language: Language) -> String {
    schedule
        .in_words(language)
        .unwrap_or_else(|| schedule.as_text())
}

/// Returns the line for people.
fn plain(printed: &Printed, language: Language) -> String {
    let words = printed.words.as_ref().map(|words| match language {
        Language::English => words.en.as_str(),
        Language::Chinese => words.zh.as_str(),
    });
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    match printed.kind {
        "at" => text(&printed.at),
        "past" => messages::time_is_over(language, &text(&printed.at)),
        "span" => messages::time_span(language, &text(&printed.from), &text(&printed.until)),
        "recurring" => {
            let next = printed.next.join(", ");
            messages::time_rule(language, &words.unwrap_or_default(), &next)
        }
        "ask" if printed.candidates.is_empty() => words.unwrap_or_default().to_owned(),
        "ask" => format!(
            "{} {}",
            words.unwrap_or_default(),
            printed.candidates.join(", ")
        ),
        _ => messages::no_time(language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(texts: &[&str], form: Form, language: Language, input: &str) -> String {
        let texts: Vec<_> = texts.iter().map(ToString::to_string).collect();
        let from = SeenFrom::of(Some("Asia/Shanghai"), Some("2026-11-18T10:30:00+08:00")).unwrap();
        let mut output = Vec::new();
        let exit = when(
            &texts,
            from,
            form,
            language,
            &mut input.as_bytes(),
            &mut output,
        );
        assert_eq!(exit.unwrap(), Exit::Fine);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn times_are_printed_for_people() {
        let texts = [
            "tomorrow at 9",
            "every second Friday at 10",
            "next week",
            "at 2026-11-17 10:00",
            "on February 30",
            "hello",
        ];
        insta::assert_snapshot!(shown(&texts, Form::Plain, Language::English, "unread"), @r"
        2026-11-19T09:00:00+08:00	tomorrow at 9
        every 2 weeks on Friday at 10:00; next: 2026-11-20T10:00:00+08:00, 2026-12-04T10:00:00+08:00, 2026-12-18T10:00:00+08:00	every second Friday at 10
        from 2026-11-23T00:00:00+08:00 until 2026-11-30T00:00:00+08:00	next week
        over: 2026-11-17T10:00:00+08:00	at 2026-11-17 10:00
        There is no such day	on February 30
        no time	hello
        ");
        insta::assert_snapshot!(shown(&texts, Form::Plain, Language::Chinese, "unread"), @r"
        2026-11-19T09:00:00+08:00	tomorrow at 9
        每 2 周的周五 10:00；接下来：2026-11-20T10:00:00+08:00, 2026-12-04T10:00:00+08:00, 2026-12-18T10:00:00+08:00	every second Friday at 10
        从 2026-11-23T00:00:00+08:00 到 2026-11-30T00:00:00+08:00	next week
        已过：2026-11-17T10:00:00+08:00	at 2026-11-17 10:00
        没有这一天	on February 30
        没有时间	hello
        ");
    }

    #[test]
    fn without_arguments_each_line_of_the_input_is_one() {
        let input = "remind me tomorrow at 9 to call mum\n\
            {\"text\": \"每天早晚九点吃药\", \"zone\": \"Europe/Berlin\", \"now\": \"2026-10-23T20:15:00+02:00\"}\n\
            {\"text\": \"tomorrow\", \"zone\": \"Mars/Olympus\"}\n\
            {\"text\": \"tomorrow\", \"now\": \"soon\"}\n\
            {no object\n\
            0 0 9 * * *\n\
            on 3/4 at 9\n\
            am I free on Friday between 2 and 4pm\n\
            \n";
        insta::assert_snapshot!(shown(&[], Form::Json, Language::English, input), @r#"
        {"kind":"at","at":"2026-11-19T09:00:00+08:00","next":[],"from":null,"until":null,"about":"call mum"}
        {"kind":"recurring","at":null,"next":["2026-10-23T21:00:00+02:00","2026-10-24T09:00:00+02:00","2026-10-24T21:00:00+02:00"],"from":null,"until":null,"about":"吃药","rule":"0 9,21 * * *","words":{"en":"every day at 09:00 and 21:00","zh":"每天 09:00、21:00"}}
        {"kind":"ask","at":null,"next":[],"from":null,"until":null,"about":"tomorrow","why":"unknown_zone","words":{"en":"There is no time zone `Mars/Olympus`; write one as `Europe/Berlin`","zh":"没有时区 `Mars/Olympus`；请写成 `Asia/Shanghai` 的形式"}}
        {"kind":"ask","at":null,"next":[],"from":null,"until":null,"about":"tomorrow","why":"unreadable_now","words":{"en":"`soon` is no moment; write one as `2026-11-18T10:30:00+08:00`","zh":"`soon` 不是有效的时刻；请写成 `2026-11-18T10:30:00+08:00` 的形式"}}
        {"kind":"none","at":null,"next":[],"from":null,"until":null,"about":"{no object"}
        {"kind":"ask","at":null,"next":[],"from":null,"until":null,"about":"","why":"six_fields","words":{"en":"Cron has five fields here: minute, hour, day, month, weekday; no seconds and no year","zh":"cron 表达式只能有五段：分、时、日、月、星期；不含秒和年"}}
        {"kind":"ask","at":null,"next":[],"from":null,"until":null,"about":"","why":"several_readings","words":{"en":"Which of these is meant?","zh":"是指哪一个时间？"},"candidates":["2027-03-04T09:00:00+08:00","2027-04-03T09:00:00+08:00"]}
        {"kind":"span","at":null,"next":[],"from":"2026-11-20T14:00:00+08:00","until":"2026-11-20T16:00:00+08:00","about":"am I free"}
        {"kind":"none","at":null,"next":[],"from":null,"until":null,"about":""}
        "#);
    }

    #[test]
    fn places_that_do_not_exist_are_refused() {
        let zone = SeenFrom::of(Some("Mars/Olympus"), None).unwrap_err();
        assert_eq!(zone, NotSeen::Zone("Mars/Olympus".into()));
        let now = SeenFrom::of(None, Some("soon")).unwrap_err();
        insta::assert_snapshot!(now.in_words(Language::English), @"`soon` is no moment; write one as `2026-11-18T10:30:00+08:00`");
        insta::assert_snapshot!(now.in_words(Language::Chinese), @"`soon` 不是有效的时刻；请写成 `2026-11-18T10:30:00+08:00` 的形式");
    }
}
