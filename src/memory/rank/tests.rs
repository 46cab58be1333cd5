//! What ranks before what, each told by two or three entries.

use super::{Entry, Query, Said, Statistics, rank};
use crate::MemoryKind;

fn alone(text: &str) -> Entry<'_> {
    Entry {
        text,
        at_ms: 0,
        kind: MemoryKind::Episode,
        said: None,
        importance: 1.0,
        holds: None,
    }
}

/// Makes the lines of one stretch: `(speaker, text)`.
fn stretch<'a>(stretch: i64, lines: &[(&'a str, &'a str)]) -> Vec<Entry<'a>> {
    let line = |(place, (speaker, text)): (i64, &(&'a str, &'a str))| Entry {
        said: Some(Said {
            stretch,
            place,
            speaker,
        }),
        ..alone(text)
    };
    (0..).zip(lines).map(line).collect()
}

fn ranked<'a>(query: &str, entries: &[Entry<'a>]) -> Vec<&'a str> {
    let query = Query::new(query);
    let statistics = Statistics::of(&query, entries);
    let order = rank(&query, &statistics, entries);
    order.into_iter().map(|place| entries[place].text).collect()
}

#[track_caller]
fn check_first(query: &str, entries: &[Entry<'_>], expected: &str) {
    assert_eq!(ranked(query, entries)[0], expected, "{query:?}");
}

#[test]
fn a_rare_word_counts_more_than_common_ones() {
    let entries = ["tea and cake", "cake and tea", "tea or cake", "a glacier"].map(alone);
    check_first("tea, cake, glacier", &entries, "a glacier");
}

#[test]
fn forms_of_an_english_word_are_one() {
    let entries = ["she sings", "they painted a house"].map(alone);
    check_first("painting houses", &entries, "they painted a house");
    assert_eq!(Query::words("paint painted painting").terms(), ["paint"]);
}

#[test]
fn scripts_and_spellings_meet() {
    let entries = ["他买了一台 ＭａｃＢｏｏｋ", "他買了紅茶", "咖啡"].map(alone);
    check_first("macbook", &entries, "他买了一台 ＭａｃＢｏｏｋ");
    check_first("红茶", &entries, "他買了紅茶");
}

#[test]
fn a_shared_character_is_a_hint_and_a_word_is_more() {
    let entries = ["他喜欢散步", "她喝红茶", "她喝绿茶"].map(alone);
    let found = ranked("绿茶", &entries);
    assert_eq!(found, ["她喝绿茶", "她喝红茶", "他喜欢散步"]);
    assert!(Query::new("你是我的").terms().is_empty());
}

#[test]
fn what_is_equally_good_stays_in_the_order_given() {
    let entries = ["tea one", "tea two", "tea three"].map(alone);
    assert_eq!(ranked("tea", &entries), ["tea one", "tea two", "tea three"]);
    assert_eq!(ranked("", &entries), ["tea one", "tea two", "tea three"]);
}

#[test]
fn age_and_kind_decide_between_equals_only() {
    let day = 24 * 3600 * 1000;
    let old = Entry {
        at_ms: 0,
        ..alone("old tea")
    };
    let new = Entry {
        at_ms: 90 * day,
        ..alone("new tea")
    };
    let fact = Entry {
        kind: MemoryKind::Fact,
        ..alone("fact tea")
    };
    assert_eq!(
        ranked("tea", &[old, new, fact]),
        ["fact tea", "new tea", "old tea"]
    );
    check_first("old tea", &[old, new, fact], "old tea");
}

#[test]
fn an_answer_comes_with_its_question() {
    let lines = [
        ("Ada", "Hello there"),
        ("Lin", "What did you see in the zoo?"),
        ("Ada", "A lion!"),
        ("Lin", "Bye"),
    ];
    let found = ranked("zoo", &stretch(1, &lines));
    assert_eq!(found[..2], ["What did you see in the zoo?", "A lion!"]);
}

#[test]
fn a_stretch_that_speaks_of_it_lifts_its_lines() {
    let mut entries = stretch(1, &[("Ada", "a boat for all of us"), ("Lin", "fine")]);
    entries.extend(stretch(
        2,
        &[
            ("Ada", "sailing is fun"),
            ("Lin", "oh"),
            ("Ada", "our boat has sails"),
            ("Lin", "nice"),
            ("Bo", "hello"),
            ("Ada", "a boat for five of us"),
        ],
    ));
    let found = ranked("sailing boat", &entries);
    let place = |text| found.iter().position(|found| *found == text);
    assert!(place("a boat for five of us") < place("a boat for all of us"));
}

#[test]
fn who_is_named_is_who_said_it() {
    let lines = [
        ("Ada", "I play chess"),
        ("Bo", "oh"),
        ("Lin", "I play chess a lot"),
    ];
    check_first("Does Ada play chess?", &stretch(1, &lines), "I play chess");
    let turned = [
        ("Bo", "I play chess"),
        ("Bo", "oh"),
        ("Ada", "I play chess a lot"),
    ];
    check_first(
        "Does Ada play chess?",
        &stretch(1, &turned),
        "I play chess a lot",
    );
}

#[test]
fn a_question_counts_less_than_what_is_told() {
    let entries = ["Is the tea green?", "The tea is green"].map(alone);
    check_first("green tea", &entries, "The tea is green");
    let entries = ["茶是绿的？", "茶是绿的"].map(alone);
    check_first("绿的茶", &entries, "茶是绿的");
}

#[test]
fn a_question_for_a_time_prefers_what_tells_one() {
    let entries = ["We got a dog", "We got a dog yesterday"].map(alone);
    check_first(
        "When did you get a dog?",
        &entries,
        "We got a dog yesterday",
    );
    let entries = ["小明养狗了", "小明昨天养狗"].map(alone);
    check_first("小明什么时候养狗", &entries, "小明昨天养狗");
    check_first("小明养狗了", &entries, "小明养狗了");
}

#[test]
fn what_is_counted_beyond_the_entries_in_view_weighs_too() {
    let entries = ["tea", "glacier"].map(alone);
    let query = Query::new("glacier tea");
    let of = |glaciers, teas| Statistics {
        entries: 100,
        holding: vec![glaciers, teas],
        ..Statistics::default()
    };
    assert_eq!(rank(&query, &of(90, 1), &entries), [0, 1]);
    assert_eq!(rank(&query, &of(1, 90), &entries), [1, 0]);
}

#[test]
fn the_time_that_is_asked_about_decides_between_near_equals() {
    let at = |at_ms, text| Entry {
        at_ms,
        ..alone(text)
    };
    let entries = [
        at(50, "the boiler is loud again"),
        at(10, "the boiler broke and leaked"),
        at(12, "cats"),
    ];
    let ranked = |text: &str, rest: &str| {
        let query = Query::new(text).about(10..20, rest);
        let statistics = Statistics::of(&query, &entries);
        let order = rank(&query, &statistics, &entries);
        order
            .into_iter()
            .map(|place| entries[place].text)
            .collect::<Vec<_>>()
    };
    assert_eq!(ranked("boiler", "boiler")[0], "the boiler broke and leaked");
    // A much better match stays the first, and nothing is hidden.
    assert_eq!(
        ranked("loud boiler again", "loud boiler again"),
        [
            "the boiler is loud again",
            "the boiler broke and leaked",
            "cats"
        ]
    );
    let then = ranked("what did we say then", "what did we say");
    assert_eq!(then[2], "the boiler is loud again");
}

#[test]
fn a_fact_is_of_every_time_at_which_it_holds() {
    let fact = Entry {
        at_ms: 5,
        holds: Some((0, 100)),
        ..alone("works at a bakery")
    };
    let entries = [alone("works at a school"), fact];
    let query = Query::new("works").about(50..60, "works");
    let statistics = Statistics::of(&query, &entries);
    assert_eq!(rank(&query, &statistics, &entries), [1, 0]);
}

#[test]
fn who_is_meant_is_found_by_what_the_best_entry_says_of_them() {
    let entries = [
        "my colleague lives in Shanghai",
        "my uncle lives in Nanjing",
        "my uncle is called Zhang Wei",
    ]
    .map(alone);
    let found = ranked("Where does Zhang Wei live?", &entries);
    assert_eq!(
        found[..2],
        ["my uncle is called Zhang Wei", "my uncle lives in Nanjing"]
    );
    let entries = ["我同事的邮箱是abc", "我舅舅的邮箱是xyz", "我舅舅叫张伟"].map(alone);
    let found = ranked("张伟的邮箱是什么", &entries);
    assert_eq!(found[1], "我舅舅的邮箱是xyz");
}
