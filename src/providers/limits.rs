//! How much a model can read, where its service says so as it refuses a question that is too long.

use super::ProviderError;

/// What stands before the limit, in the words of services.
const BEFORE_THE_LIMIT: [&str; 13] = [
    "maximum context length is",
    "maximum context length of",
    "context size",
    "context window of",
    "context window is",
    "context length of",
    "tokens allowed",
    "token limit",
    "maximum length",
    "maximum allowed length",
    "limit of",
    "limit is",
    "tokens >",
];

/// The least that is believed to be a limit of tokens.
const LEAST_LIMIT: u64 = 128;
/// The most that is.
const MOST_LIMIT: u64 = 100_000_000;

/// What a question was refused for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong {
    /// How long the question was, in tokens, where that is said.
    pub(super) asked: Option<u64>,
    /// How long it may be.
    pub(super) limit: u64,
}

impl TooLong {
    /// Returns what a refusal says of the limit, if it is one because of the length.
    pub(super) fn of(error: &ProviderError) -> Option<Self> {
        let ProviderError::Refused { message, .. } = error else {
            return None;
        };
        if !error.is_too_long() {
            return None;
        }
        read(message)
    }

    /// Returns how long the question was, as people say it: `6,400`.
    pub(super) fn asked_words(self) -> Option<String> {
        self.asked.map(|asked| grouped(rounded(asked)))
    }

    /// Returns the limit with its thousands apart.
    pub(super) fn limit_words(self) -> String {
        grouped(self.limit)
    }
}

fn read(message: &str) -> Option<TooLong> {
    let message = message.to_lowercase();
    let limit = BEFORE_THE_LIMIT.iter().find_map(|words| {
        let (_, behind) = message.split_once(words)?;
        first_number(behind).filter(|it| (LEAST_LIMIT..MOST_LIMIT).contains(it))
    })?;
    let asked = numbers(&message).find(|number| *number > limit && *number < MOST_LIMIT);
    Some(TooLong { asked, limit })
}

/// Returns the number that follows at once, besides words between and a bracket.
fn first_number(text: &str) -> Option<u64> {
    let near: String = text.chars().take(40).collect();
    numbers(&near).next()
}

/// Returns the whole numbers in a text; commas in them part thousands.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let parts = text.split(|letter: char| !(letter.is_ascii_digit() || letter == ','));
    parts.filter_map(|part| part.replace(',', "").parse().ok())
}

/// Returns a number with two digits that count.
fn rounded(number: u64) -> u64 {
    let digits = number.checked_ilog10().unwrap_or_default();
    let step = 10_u64.pow(digits.saturating_sub(1));
    (number + step / 2) / step * step
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::{TooLong, grouped, read, rounded};

    #[test]
    fn model_f10_the_limit_is_read_from_the_words_of_services() {
        let check = |message: &str, limit: u64, asked: Option<u64>| {
            assert_eq!(read(message), Some(TooLong { asked, limit }), "{message}");
        };
        check(
            "request (6393 tokens) exceeds the available context size (2048 tokens), try increasing it",
            2048,
            Some(6393),
        );
        check(
            "This model's maximum context length is 4,096 tokens. However, you requested 5000 tokens \
             (1000 in the messages, 4000 in the completion).",
            4096,
            Some(5000),
        );
        check(
            "prompt is too long: 210000 tokens > 200000 maximum",
            200_000,
            Some(210_000),
        );
        check(
            "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
            8192,
            Some(9000),
        );
        check(
            "exceeded model token limit: 8192 (requested: 9134)",
            8192,
            Some(9134),
        );
        check("the context window of this model is 8000", 8000, None);
        assert_eq!(read("the context is too long"), None);
        assert_eq!(read("the context size is 7"), None);
    }

    #[test]
    fn numbers_are_said_as_people_say_them() {
        assert_eq!(grouped(rounded(6393)), "6,400");
        assert_eq!(grouped(rounded(7)), "7");
        assert_eq!(grouped(1_048_576), "1,048,576");
    }
}
