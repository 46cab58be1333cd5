//! Whether what a person said bears a statement about them: no guess, no joke, no hearsay, and not
//! the opposite.

use std::collections::HashSet;

use super::Why;
use super::normalization::{content, denied, holds, is_negated, plain, says, words};
use super::phrases;

/// How much of a statement must have been said, as a fraction.
const SAID: (usize, usize) = (2, 3);

/// What a sentence is, as far as statements may rest on it.
struct Sentence {
    plain: String,
    words: HashSet<String>,
    clauses: Vec<Clause>,
    /// Whether it tells of the speaker, or of what belongs to them.
    is_own: bool,
    /// Why nothing may rest on it.
    flaw: Option<Why>,
    /// Whether what it tells passes by itself.
    is_passing: bool,
    /// The words for somebody else who is its subject.
    other: Vec<String>,
}

/// A part of a sentence that is so, or is not.
struct Clause {
    words: HashSet<String>,
    is_negated: bool,
}

/// A statement that somebody proposes to keep.
pub(super) struct Statement<'a> {
    /// What it says.
    pub text: &'a str,
    /// Whether it tells since or until when that is so.
    pub is_dated: bool,
    /// Whether it would be kept for a group. Then no statement about a third person is kept,
    /// regardless of who said it.
    pub is_for_a_group: bool,
}

/// What may be told from a message about who said it.
pub(super) struct Evidence {
    sentences: Vec<Sentence>,
}

impl Evidence {
    /// Reads a message in its speaker's own words.
    pub(super) fn of(own_words: &str) -> Self {
        let whole = plain(own_words);
        let is_unmeant = says(&whole, &phrases::NOT_MEANT);
        let mut sentences: Vec<Sentence> = Vec::new();
        for text in split(own_words) {
            let mut sentence = Sentence::of(text);
            if is_unmeant {
                sentence.flaw = Some(Why::NotMeant);
            }
            if let Some(before) = sentences.last()
                && says_first(&sentence.plain, &phrases::PRONOUNS)
            {
                sentence.is_own |= before.is_own;
                sentence.other.clone_from(&before.other);
                // `my PIN is new. It is 4711`: the number says nothing of what it is.
                let tells_secret = |flaw: &Why| *flaw == Why::Secret;
                sentence.flaw = before.flaw.filter(tells_secret).or(sentence.flaw);
            }
            sentences.push(sentence);
        }
        Self { sentences }
    }

    /// Returns whether the message is worth showing to a model: whether anything may rest on it.
    pub(super) fn may_tell(&self) -> bool {
        self.sentences.iter().any(Sentence::bears)
    }

    /// Returns why a statement does not follow from the message.
    pub(super) fn refuses(&self, statement: &Statement<'_>) -> Option<Why> {
        let wanted = content(statement.text);
        let found = |sentence: &Sentence| {
            wanted
                .iter()
                .filter(|term| sentence.words.contains(*term))
                .count()
        };
        let Some(best) = self
            .sentences
            .iter()
            .max_by_key(|sentence| (found(sentence), sentence.bears()))
        else {
            return Some(Why::NotSaid);
        };
        let bearing = || self.sentences.iter().filter(|sentence| sentence.bears());
        let is_borne = |term: &String| bearing().any(|sentence| sentence.words.contains(term));
        let borne = wanted.iter().filter(|term| is_borne(term)).count();
        let is_number = |term: &&String| term.bytes().any(|byte| byte.is_ascii_digit());
        let has_numbers = wanted.iter().filter(is_number).all(is_borne);
        if borne * SAID.1 < wanted.len() * SAID.0 || borne == 0 || !has_numbers {
            // It may have been said where nothing may rest on it.
            let was_said = found(best) * SAID.1 >= wanted.len() * SAID.0;
            let flaw = best.flaw.or((!best.is_own).then_some(Why::NotOwn));
            return Some(flaw.filter(|_| was_said).unwrap_or(Why::NotSaid));
        }
        let supporting: Vec<_> = bearing().filter(|sentence| found(sentence) > 0).collect();
        refuses(&supporting, statement)
    }
}

/// Returns why a statement does not follow from sentences that hold its words.
fn refuses(supporting: &[&Sentence], statement: &Statement<'_>) -> Option<Why> {
    let claimed = plain(statement.text);
    if !statement.is_dated && supporting.iter().any(|sentence| sentence.is_passing) {
        return Some(Why::Passing);
    }
    let is_shown = |words: &[&str]| {
        supporting
            .iter()
            .any(|sentence| says(&sentence.plain, words))
    };
    let mut claims = phrases::CLAIMS.iter();
    if claims.any(|(claims, shown_by)| says(&claimed, claims) && !is_shown(shown_by)) {
        return Some(Why::NotSaid);
    }
    let mut others = supporting.iter().map(|sentence| &sentence.other);
    let is_named = |names: &[String]| names.iter().any(|name| holds(&claimed, name));
    if others.any(|names| !names.is_empty() && (statement.is_for_a_group || !is_named(names))) {
        return Some(Why::NotOwn);
    }
    let about = denied(statement.text);
    let held = |clause: &&Clause| {
        about
            .iter()
            .filter(|term| clause.words.contains(*term))
            .count()
    };
    let clauses = supporting.iter().flat_map(|sentence| &sentence.clauses);
    let clause = clauses.filter(|clause| held(clause) > 0).max_by_key(held);
    let says_so = clause.is_none_or(|clause| clause.is_negated == is_negated(&claimed));
    (!says_so).then_some(Why::Opposite)
}

impl Sentence {
    fn of(text: &str) -> Self {
        let plain = plain(text);
        let is_lasting = says(&plain, &phrases::LASTING);
        let is_question = text.trim_end().ends_with(['?', '？']) || plain.ends_with("吗 ");
        let asks =
            is_question || says(&plain, &phrases::REQUESTS) || says_first(&plain, &phrases::ORDERS);
        let flaw = if says(&plain, &phrases::SECRETS) {
            Some(Why::Secret)
        } else if says(&plain, &phrases::HEDGES) {
            Some(Why::Unsure)
        } else if says(&plain, &phrases::HEARSAY) {
            Some(Why::NotOwn)
        } else if asks && !is_lasting {
            Some(Why::Asked)
        } else {
            None
        };
        let is_own =
            is_lasting || says(&plain, &phrases::SELF) || says(&plain, &phrases::SELF_CHINESE);
        Self {
            words: words(text),
            clauses: clauses(text),
            is_own,
            flaw,
            is_passing: says(&plain, &phrases::PASSING),
            other: other_subject(text, &plain),
            plain,
        }
    }

    fn bears(&self) -> bool {
        self.is_own && self.flaw.is_none()
    }
}

/// Returns whether a message takes back the one before it.
pub(super) fn takes_back(own_words: &str) -> bool {
    own_words.chars().count() <= 80 && says(&plain(own_words), &phrases::TAKES_BACK)
}

/// Returns whether a statement is a guess by its own words.
pub(super) fn is_hedged(statement: &str) -> bool {
    says(&plain(statement), &phrases::HEDGES)
}

/// Returns the words for who else than the speaker a sentence is about, when its subject is one:
/// the relation, and the names in it.
fn other_subject(text: &str, plain: &str) -> Vec<String> {
    let english = phrases::OTHERS.iter().filter(|word| holds(plain, word));
    let chinese = phrases::OTHERS_CHINESE
        .iter()
        .filter(|word| holds(plain, word));
    let places = english
        .chain(chinese)
        .filter_map(|word| Some((plain.find(word)?, *word)));
    let Some((at, word)) = places.min() else {
        return Vec::new();
    };
    let before = plain.get(..at).unwrap_or_default();
    let speaker_acts = if word.is_ascii() {
        says(before, &["i", "im", "ive", "id", "we", "weve"])
            || before.split_whitespace().count() > 3
    } else {
        let bare = before.trim().trim_end_matches('的');
        !["", "我", "我们", "咱", "咱们", "俺", "我家", "我们家"].contains(&bare)
    };
    if speaker_acts {
        return Vec::new();
    }
    let mut said = text.split_whitespace();
    said.by_ref()
        .find(|other| super::normalization::plain(other).trim() == word);
    let is_name = |name: &&str| name.starts_with(|letter: char| letter.is_ascii_uppercase());
    let names = said
        .take_while(is_name)
        .map(|name| super::normalization::plain(name).trim().to_owned());
    let of_kin = [word.to_owned(), word.trim_end_matches('s').to_owned()];
    of_kin.into_iter().chain(names).collect()
}

fn says_first(plain: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        let rest = plain.trim_start().strip_prefix(word);
        rest.is_some_and(|rest| !word.is_ascii() || rest.starts_with(' '))
    })
}

/// Returns the sentences of a text with the signs that end them.
fn split(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut begin = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '\n' | '!' | '?' | '。' | '！' | '？' | '；' | ';' => true,
            '.' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            let end = at + letter.len_utf8();
            sentences.extend(text.get(begin..end));
            begin = end;
        }
    }
    sentences.extend(text.get(begin..));
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// Returns the parts of a sentence between its commas and contrasts.
fn clauses(text: &str) -> Vec<Clause> {
    let mut parts = vec![text.to_lowercase()];
    for sign in [
        ",",
        "，",
        "、",
        " but ",
        " instead of ",
        " rather than ",
        " and not ",
        "但是",
        "但",
        "而不是",
        "不过",
    ] {
        let keeps = matches!(
            sign,
            " instead of " | " rather than " | " and not " | "而不是"
        );
        parts = parts
            .iter()
            .flat_map(|part| cut(part, sign, keeps))
            .collect();
    }
    let moved = parts.into_iter().flat_map(|part| left_behind(&part));
    moved
        .map(|(part, is_left)| Clause {
            is_negated: is_left || is_negated(&plain(&part)),
            words: words(&part),
        })
        .collect()
}

/// Cuts a text at a sign; `keeps` leaves the sign at the head of what follows.
fn cut(text: &str, sign: &str, keeps: bool) -> Vec<String> {
    let mut parts = text.split(sign).map(str::to_owned);
    let first = parts.next();
    let others = parts.map(|part| if keeps { format!("{sign}{part}") } else { part });
    first.into_iter().chain(others).collect()
}

/// Cuts out from where somebody moved or changed: that is over.
fn left_behind(part: &str) -> Vec<(String, bool)> {
    let spaced = plain(part);
    let changes = [
        "moved", "moving", "move", "switched", "switch", "changed", "migrated", "went",
    ];
    let ways = [
        (says(&spaced, &changes), " from ", " to "),
        (says(&spaced, &["搬", "换", "转"]), "从", "搬"),
        (spaced.contains('换'), "从", "换"),
    ];
    for (is_move, from, to) in ways {
        let Some((head, rest)) = part.split_once(from).filter(|_| is_move) else {
            continue;
        };
        let (left, tail) = rest.split_at(rest.find(to).unwrap_or(rest.len()));
        return vec![(format!("{head} {tail}"), false), (left.to_owned(), true)];
    }
    vec![(part.to_owned(), false)]
}

#[cfg(test)]
mod tests {
    use super::{Evidence, Statement, Why, takes_back};

    #[track_caller]
    fn check(said: &str, statement: &str, expected: Option<Why>) {
        let text = statement;
        let statement = Statement {
            text,
            is_dated: false,
            is_for_a_group: false,
        };
        let refused = Evidence::of(said).refuses(&statement);
        assert_eq!(refused, expected, "{said:?}: {text:?}");
    }

    #[test]
    fn what_was_said_bears_what_says_the_same() {
        check("I really like jasmine tea", "Likes jasmine tea", None);
        check(
            "I'm a nurse at St Mary hospital",
            "Works as a nurse at St Mary hospital",
            None,
        );
        check("我住在上海，养了一只猫", "住在上海", None);
        check("记住：以后请用中文回答", "希望用中文回答", None);
        check(
            "I stopped drinking coffee last year",
            "No longer drinks coffee",
            None,
        );
        check(
            "My sister Anna lives in Oslo",
            "Sister Anna lives in Oslo",
            None,
        );
        check(
            "My sister is Anna. She lives in Oslo.",
            "Sister Anna lives in Oslo",
            None,
        );
        check("I moved from Berlin to Oslo", "Lives in Oslo", None);
        check(
            "from now on answer in German",
            "Wants answers in German",
            None,
        );
        check("I live with my sister in Bergen", "Lives in Bergen", None);
    }

    #[test]
    fn what_was_not_said_bears_nothing() {
        check("I like tea", "Likes coffee", Some(Why::NotSaid));
        check("I visited Acme", "Works at Acme", Some(Why::NotSaid));
        check("I have 2 cats", "Has 3 cats", Some(Why::NotSaid));
        check("", "Likes tea", Some(Why::NotSaid));
    }

    #[test]
    fn what_is_not_so_is_not_kept_as_if_it_were() {
        check("I don't eat meat", "Eats meat", Some(Why::Opposite));
        check(
            "I like tea, not coffee",
            "Likes coffee",
            Some(Why::Opposite),
        );
        check(
            "I moved from Berlin to Oslo",
            "Lives in Berlin",
            Some(Why::Opposite),
        );
        check("我不喝咖啡", "喝咖啡", Some(Why::Opposite));
        check("我从北京搬到上海了", "住在北京", Some(Why::Opposite));
        check(
            "I used to smoke a pipe",
            "Smokes a pipe",
            Some(Why::Opposite),
        );
    }

    #[test]
    fn guesses_questions_jokes_and_hearsay_bear_nothing() {
        check(
            "maybe I will move to Spain",
            "Moved to Spain",
            Some(Why::Unsure),
        );
        check("我可能会搬去成都", "住在成都", Some(Why::Unsure));
        check("do I like tea?", "Likes tea", Some(Why::Asked));
        check(
            "I am the king of Spain, haha",
            "Is the king of Spain",
            Some(Why::NotMeant),
        );
        check(
            "I heard Tom works at Acme",
            "Works at Acme",
            Some(Why::NotOwn),
        );
        check("Tom hates cilantro", "Hates cilantro", Some(Why::NotOwn));
        check(
            "my sister hates cilantro",
            "Hates cilantro",
            Some(Why::NotOwn),
        );
        check("我妈妈住在苏州", "住在苏州", Some(Why::NotOwn));
        check(
            "I'm at the airport right now",
            "Is at the airport",
            Some(Why::Passing),
        );
    }

    #[test]
    fn what_a_secret_was_said_in_bears_nothing() {
        for (said, statement) in [
            (
                "my wifi password is tulip-sunday",
                "Wifi at home: tulip-sunday",
            ),
            ("My PIN is new. It is 4711.", "4711"),
            ("我家的密码是郁金香", "我家：郁金香"),
        ] {
            check(said, statement, Some(Why::Secret));
        }
        check("I lost my password. I live in Lyon.", "Lives in Lyon", None);
    }

    #[test]
    fn a_message_may_take_back_the_one_before() {
        assert!(takes_back("just kidding!"));
        assert!(takes_back("我开玩笑的"));
        assert!(!takes_back("I like tea"));
    }
}
