//! A message that asks several things, and what stands before its real question.
//!
//! People put two questions into one message ("Where does Ann work? Also, when is the fair?").
//! Ranked as one, the question with the rarer words takes all places. Each is asked for itself, and
//! their answers take turns.

use std::borrow::Cow;

/// The most questions that a message is parted into; the last has the rest.
const QUESTIONS: usize = 4;
/// The fewest words of a question.
const FEWEST_WORDS: usize = 2;
/// The shortest question where words are not parted, in characters.
const SHORTEST: usize = 4;
/// What ends a question.
const ENDS: [char; 2] = ['?', '？'];
/// What opens another question, folded in case. English ones are words.
const ALSO: [&str; 12] = [
    "also, ",
    "another question",
    "and also ",
    "besides, ",
    "by the way, ",
    "one more thing",
    "另外",
    "此外",
    "还有一个问题",
    "还想问",
    "顺便问",
    "再问",
];
/// What says that the question comes now, and that all before it was said beside it.
const AT_LAST: [&str; 17] = [
    "i meant to ask",
    "i want to know",
    "i wanted to ask",
    "i wanted to know",
    "i'd like to know",
    "my question is",
    "question was",
    "want to ask is",
    "想了解",
    "想弄清楚",
    "想搞清楚",
    "想知道",
    "想要了解",
    "想说的是",
    "想请教",
    "想问",
    "问题是",
];

/// Returns the questions of a text, in order; a text that asks one thing is its only question.
pub(crate) fn questions(text: &str) -> Vec<&str> {
    let parts = parted(text, &marked_starts(text));
    if parts.len() > 1 {
        return parts;
    }
    // Questions before the real one are small talk.
    if at_last(text).is_some() {
        return vec![text];
    }
    let ends = text.match_indices(ENDS);
    let starts: Vec<usize> = ends.map(|(at, end)| at + end.len()).collect();
    parted(text, &starts)
}

/// Returns what stands behind the words that announce the question, if a question does.
pub(crate) fn at_last(text: &str) -> Option<&str> {
    let lower = lower(text);
    let ends = AT_LAST.iter().filter_map(|words| {
        let at = lower.rfind(words)?;
        Some(at + words.len())
    });
    let behind = text.get(ends.max()?..)?;
    is_question(behind).then_some(behind)
}

/// Returns the results of several questions as one order: the best of each, then the second of
/// each, each result once.
pub(crate) fn in_turn<T>(orders: Vec<Vec<T>>, is_same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut orders: Vec<_> = orders.into_iter().map(Vec::into_iter).collect();
    let mut merged: Vec<T> = Vec::new();
    loop {
        let mut is_over = true;
        for order in &mut orders {
            let next = order.find(|next| !merged.iter().any(|there| is_same(there, next)));
            is_over &= next.is_none();
            merged.extend(next);
        }
        if is_over {
            return merged;
        }
    }
}

fn marked_starts(text: &str) -> Vec<usize> {
    let lower = lower(text);
    let mut starts: Vec<usize> = ALSO
        .iter()
        .flat_map(|words| lower.match_indices(words))
        .map(|(at, _)| at)
        .collect();
    starts.sort_unstable();
    starts
}

/// Parts a text at these places. What is too short to ask anything stays with what stands before
/// it.
fn parted<'a>(text: &'a str, starts: &[usize]) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for start in starts {
        let (Some(part), Some(rest)) = (text.get(from..*start), text.get(*start..)) else {
            continue;
        };
        if parts.len() + 1 < QUESTIONS && is_question(part) && is_question(rest) {
            parts.push(part);
            from = *start;
        }
    }
    parts.extend(text.get(from..));
    parts
}

fn is_question(text: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|it| it.is_alphanumeric()).count();
    let words = text.split_whitespace().filter(|word| letters(word) > 0);
    words.count() >= FEWEST_WORDS || (!text.is_ascii() && letters(text) >= SHORTEST)
}

/// Returns a text in lower case, with every character at its place.
fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        text.to_ascii_lowercase().into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::{at_last, in_turn, questions};

    #[test]
    fn a_message_that_asks_two_things_is_two_questions() {
        assert_eq!(
            questions("Where does Ann work? And when is the fair?"),
            ["Where does Ann work?", " And when is the fair?"]
        );
        assert_eq!(
            questions("tell me where Ann works. Also, when is the fair"),
            ["tell me where Ann works. ", "Also, when is the fair"]
        );
        assert_eq!(
            questions("我婶婶的生日是啥时候？另外，论坛在哪儿？"),
            ["我婶婶的生日是啥时候？", "另外，论坛在哪儿？"]
        );
    }

    #[test]
    fn one_question_stays_whole() {
        for text in [
            "",
            "tea",
            "Where does Ann work?",
            "Where?? Really?",
            "Ann? Ok?",
            "另外呢",
        ] {
            assert_eq!(questions(text), [text]);
        }
    }

    #[test]
    fn small_talk_before_the_question_is_no_question() {
        let text = "今天天气真好，去哪儿玩呢？其实我真正想问的是：我表姐住哪儿？";
        assert_eq!(questions(text), [text]);
        assert_eq!(at_last(text), Some("的是：我表姐住哪儿？"));
        assert_eq!(
            at_last("Nice day, is it? What I wanted to ask: where is Ann?"),
            Some(": where is Ann?")
        );
        assert_eq!(at_last("where is Ann, I wanted to know"), None);
        assert_eq!(at_last("where is Ann?"), None);
    }

    #[test]
    fn a_message_of_many_questions_is_bounded() {
        let text = "Where is Ann? ".repeat(1_000);
        let parts = questions(&text);
        assert_eq!((parts.len(), parts.concat()), (4, text.clone()));
    }

    #[test]
    fn results_take_turns() {
        let orders = vec![vec![1, 2, 3], vec![2, 4], vec![]];
        assert_eq!(in_turn(orders, |one, other| one == other), [1, 2, 3, 4]);
        assert_eq!(in_turn(vec![vec![5, 6]], |one, other| one == other), [5, 6]);
    }
}
