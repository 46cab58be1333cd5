//! What span of time each expression is to somebody who looks back, as seen on Friday, 20 November
//! 2026, at 15:00.

use chrono::{NaiveDate, NaiveDateTime};
use proptest::prelude::*;

use super::spoken_time;

fn now() -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 11, 20)
        .and_then(|date| date.and_hms_opt(15, 0, 0))
        .unwrap()
}

/// Checks which days a text speaks of, the last one included.
#[track_caller]
fn check(text: &str, first: &str, last: &str) {
    let spoken = spoken_time(text, now()).unwrap_or_else(|| panic!("no time in {text:?}"));
    let until = spoken.span.until - chrono::TimeDelta::seconds(1);
    let days = (
        spoken.span.from.date().to_string(),
        until.date().to_string(),
    );
    assert_eq!(days, (first.to_owned(), last.to_owned()), "{text:?}");
}

#[track_caller]
fn check_none(text: &str) {
    assert_eq!(spoken_time(text, now()), None, "{text:?}");
}

#[track_caller]
fn check_day(text: &str, day: &str) {
    check(text, day, day);
}

#[test]
fn days_in_english() {
    check_day("what did I say today?", "2026-11-20");
    check_day("Yesterday", "2026-11-19");
    check_day("the day before yesterday", "2026-11-18");
    check_day("what was that last night", "2026-11-19");
    check_day("3 days ago", "2026-11-17");
    check_day("a couple of days ago", "2026-11-18");
    check_day("on Monday", "2026-11-16");
    check_day("last Wednesday", "2026-11-18");
    check_day("last Friday", "2026-11-13");
    check_day("on Friday", "2026-11-20");
    check_day("March 5", "2026-03-05");
    check_day("on the 5th of March", "2026-03-05");
    check_day("5 March 2024", "2024-03-05");
    check_day("December 24th, 2025", "2025-12-24");
    check_day("December 24", "2025-12-24");
    check_day("2025-03-05", "2025-03-05");
    check_day("２０２５-０３-０５", "2025-03-05");
}

#[test]
fn longer_spans_in_english() {
    check("last week", "2026-11-09", "2026-11-15");
    check("this week", "2026-11-16", "2026-11-22");
    check("last weekend", "2026-11-14", "2026-11-15");
    check("two weeks ago", "2026-11-03", "2026-11-09");
    check("last month", "2026-10-01", "2026-10-31");
    check("three months ago", "2026-08-05", "2026-09-04");
    check("last year", "2025-01-01", "2025-12-31");
    check("two years ago", "2024-01-01", "2024-12-31");
    check("in March 2025", "2025-03-01", "2025-03-31");
    check("in March", "2026-03-01", "2026-03-31");
    check("in December", "2025-12-01", "2025-12-31");
    check("last november", "2025-11-01", "2025-11-30");
    check("in early May", "2026-05-01", "2026-05-11");
    check("at the end of March", "2026-03-21", "2026-03-31");
    check("last spring", "2026-03-01", "2026-05-31");
    check("last autumn", "2025-09-01", "2025-11-30");
    check("this autumn", "2026-09-01", "2026-11-30");
    check("last winter", "2025-12-01", "2026-02-28");
    check("in the spring of 2024", "2024-03-01", "2024-05-31");
    check("in 2024", "2024-01-01", "2024-12-31");
    check("in the last 3 weeks", "2026-10-30", "2026-11-20");
    check("over the past few days", "2026-11-17", "2026-11-20");
    check("since March", "2026-03-01", "2026-11-20");
    check("since last Monday", "2026-11-16", "2026-11-20");
    check("recently", "2026-10-21", "2026-11-20");
}

#[test]
fn days_in_chinese() {
    check_day("我今天说了什么", "2026-11-20");
    check_day("昨天", "2026-11-19");
    check_day("昨晚我们聊了什么？", "2026-11-19");
    check_day("前天", "2026-11-18");
    check_day("大前天", "2026-11-17");
    check_day("上周三", "2026-11-11");
    check_day("上個星期三", "2026-11-11");
    check_day("上礼拜天", "2026-11-15");
    check_day("上上周五", "2026-11-06");
    check_day("本周一", "2026-11-16");
    check_day("周三", "2026-11-18");
    check_day("星期五", "2026-11-20");
    check_day("三天前", "2026-11-17");
    check_day("３天前", "2026-11-17");
    check_day("三月五号", "2026-03-05");
    check_day("2025年3月5日", "2025-03-05");
    check_day("二〇二五年三月五日", "2025-03-05");
    check_day("去年十二月二十四号", "2025-12-24");
    check_day("上个月5号", "2026-10-05");
}

#[test]
fn longer_spans_in_chinese() {
    check("上周", "2026-11-09", "2026-11-15");
    check("上週末", "2026-11-14", "2026-11-15");
    check("两周前", "2026-11-03", "2026-11-09");
    check("兩個星期以前", "2026-11-03", "2026-11-09");
    check("上个月", "2026-10-01", "2026-10-31");
    check("上个月底", "2026-10-21", "2026-10-31");
    check("三个月前", "2026-08-05", "2026-09-04");
    check("半年前", "2026-05-05", "2026-06-04");
    check("去年", "2025-01-01", "2025-12-31");
    check("去年春天", "2025-03-01", "2025-05-31");
    check("去年的冬天", "2025-12-01", "2026-02-28");
    check("春天", "2026-03-01", "2026-05-31");
    check("上个冬天", "2025-12-01", "2026-02-28");
    check("前年", "2024-01-01", "2024-12-31");
    check("两年前", "2024-01-01", "2024-12-31");
    check("五月初", "2026-05-01", "2026-05-11");
    check("去年底", "2025-09-01", "2025-12-31");
    check("２０２５年３月", "2025-03-01", "2025-03-31");
    check("十二月", "2025-12-01", "2025-12-31");
    check("最近三天", "2026-11-17", "2026-11-20");
    check("过去两周", "2026-11-06", "2026-11-20");
    check("这几天", "2026-11-17", "2026-11-20");
    check("最近", "2026-10-21", "2026-11-20");
}

#[test]
fn what_is_no_time_is_none() {
    for text in [
        "",
        "the boiler",
        "may I march on?",
        "room 2024",
        "a week",
        "spring onions",
        "the second one",
        "this may be",
        "十个人",
        "周围的环境",
        "上班了",
        "这本书",
        "他有3只猫",
    ] {
        check_none(text);
    }
}

#[test]
fn the_rest_is_the_question_without_its_time() {
    let spoken = spoken_time("What did I say last Wednesday about the boiler?", now()).unwrap();
    assert_eq!(spoken.rest, "what did i say   about the boiler?");
    let spoken = spoken_time("我上周三说锅炉怎么了", now()).unwrap();
    assert_eq!(spoken.rest, "我 说锅炉怎么了");
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,60}", seconds in -62_000_000_000_i64..250_000_000_000) {
        let now = chrono::DateTime::from_timestamp(seconds, 0).unwrap().naive_utc();
        let _ = spoken_time(&text, now);
    }

    #[test]
    fn no_sequence_of_its_words_panics(
        words in prop::collection::vec(prop::sample::select(&[
            "last ", "past ", "in ", "the ", "week ", "weeks ", "ago ", "9999 ", "2025 ", "may ", "29 ",
            "february ", "of ", "end ", "since ", "spring ", "monday ", "few ", "上", "个", "月", "周", "三",
            "年", "十", "百", "九", "9", "前", "半", "几", "底", "春天", "去", "今", "的", "最近", "号", "日", "-",
        ][..]), 0..9),
        seconds in -62_000_000_000_i64..250_000_000_000,
    ) {
        let now = chrono::DateTime::from_timestamp(seconds, 0).unwrap().naive_utc();
        if let Some(spoken) = spoken_time(&words.concat(), now) {
            prop_assert!(spoken.span.from <= spoken.span.until);
        }
    }
}
