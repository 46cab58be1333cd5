//! What is written by people or programs and only looks like a secret: words with numbers, names of
//! variables, versions, and what examples write in the place of a secret.

use super::alphabet::run;

/// The most digits of a number that stands alone, such as a year or a port.
const MAX_NUMBER: usize = 5;
/// The most digits behind the letters of a word, as in `config2` or `utf16`.
const MAX_DIGITS: usize = 2;
/// The longest abbreviation with a number in it, as in `k8s` and `m2m`.
const MAX_ABBREVIATION: usize = 3;
/// The most digits of a number before a unit.
const MAX_COUNT: usize = 10;
/// What stands right behind numbers: units, and types of programs.
const UNITS: [&[u8]; 34] = [
    b"u8", b"u16", b"u32", b"u64", b"u128", b"usize", b"i8", b"i16", b"i32", b"i64", b"i128",
    b"isize", b"f32", b"f64", b"ns", b"us", b"ms", b"s", b"sec", b"m", b"min", b"h", b"d", b"b",
    b"k", b"kb", b"mb", b"gb", b"kib", b"mib", b"gib", b"px", b"em", b"x",
];
/// The longer numbers in names of algorithms, as in `SHA256` and `Ed25519`.
const SIZES: [&[u8]; 10] = [
    b"128", b"192", b"256", b"384", b"509", b"512", b"1024", b"2048", b"4096", b"25519",
];
/// The longest word. The longest ones of ordinary names are compounds without a sign between them.
const MAX_WORD: usize = 28;
/// The shortest letters between two numbers of one word.
const MIN_LETTERS: usize = 3;
/// The most consonants in a row: `lengths` has five.
const MAX_CONSONANTS: usize = 7;
/// Letters alone are taken for chance from this length on.
const MIN_MIXED_CASE: usize = 10;
/// Pairs of letters that hardly any word has.
const ODD_PAIRS: [&[u8; 2]; 24] = [
    b"qb", b"qg", b"qk", b"qj", b"qx", b"qz", b"qv", b"qw", b"jx", b"jq", b"jz", b"jv", b"vq",
    b"vx", b"vj", b"wx", b"wq", b"wj", b"xj", b"zx", b"zj", b"kx", b"kq", b"fq",
];
/// What placeholders contain, in any case.
const PLACEHOLDERS: [&[u8]; 12] = [
    b"xxxx",
    b"your",
    b"example",
    b"placeholder",
    b"changeme",
    b"change_me",
    b"change-me",
    b"replaceme",
    b"replace_me",
    b"replace-me",
    b"redacted",
    b"insert_",
];

/// Returns whether a text is made of words as people and programs write them: `config.token2`,
/// `v1.2.3-rc1`, `OAuth2TokenProvider`.
pub(super) fn is_plain_words(text: &[u8]) -> bool {
    text.split(|byte| !byte.is_ascii_alphanumeric())
        .all(is_plain_word)
}

/// Returns whether one word alternates between letters that can be spoken and short numbers.
fn is_plain_word(word: &[u8]) -> bool {
    let digits = run(word, 0, |byte| byte.is_ascii_digit());
    let unit = word.get(digits..).unwrap_or_default();
    if unit.is_empty() {
        return digits <= MAX_NUMBER;
    }
    let is_unit = |known: &&[u8]| unit.eq_ignore_ascii_case(known);
    if word.len() <= MAX_ABBREVIATION
        || (1..=MAX_COUNT).contains(&digits) && UNITS.iter().any(is_unit)
    {
        return true;
    }
    let (mut at, mut runs) = (0, 0);
    while at < word.len() {
        let letters = run(word, at, |byte| byte.is_ascii_alphabetic());
        let digits = run(word, at + letters, |byte| byte.is_ascii_digit());
        let is_last = at + letters + digits == word.len();
        // A single run is a word as in `v1`.
        let is_only = runs == 0 && is_last;
        let is_short = (1..MIN_LETTERS).contains(&letters) && !is_only;
        let spoken = word.get(at..at + letters).unwrap_or_default();
        let number = word
            .get(at + letters..at + letters + digits)
            .unwrap_or_default();
        let is_long = digits > MAX_DIGITS && !SIZES.contains(&number);
        if is_long || is_short || !is_spoken(spoken) {
            return false;
        }
        at += letters + digits;
        runs += 1;
    }
    runs <= 3
}

/// Returns whether letters are a word or a few of them, as in `camelCase`: with vowels, without
/// pairs that no language has, and not in pieces of a letter or two.
fn is_spoken(letters: &[u8]) -> bool {
    let is_vowel = |byte: &u8| b"aeiouyAEIOUY".contains(byte);
    let vowels = letters.iter().filter(|byte| is_vowel(byte)).count();
    let consonants = letters.split(is_vowel).map(<[u8]>::len).max();
    let is_odd = |pair: &[u8]| {
        let pair = [pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase()];
        ODD_PAIRS.contains(&&pair)
    };
    letters.len() <= MAX_WORD
        && (letters.len() < 6 || vowels * 7 >= letters.len())
        && consonants.unwrap_or_default() < MAX_CONSONANTS
        && !letters.windows(2).any(is_odd)
        && !is_in_pieces(letters)
}

/// Returns whether letters change their case so often that many of their pieces are no words.
fn is_in_pieces(letters: &[u8]) -> bool {
    let pieces = pieces(letters);
    let Pieces { all, short, .. } = pieces;
    all >= 2 && short == all || all >= 3 && short * 3 >= all && letters.len() > 4
}

/// What letters fall into at their humps.
struct Pieces {
    all: usize,
    /// Those that are too short for words.
    short: usize,
    longest: usize,
}

fn pieces(letters: &[u8]) -> Pieces {
    let mut pieces = Pieces {
        all: 0,
        short: 0,
        longest: 0,
    };
    let mut begin = 0;
    for at in 1..=letters.len() {
        if at < letters.len() && !is_hump(letters, at) {
            continue;
        }
        pieces.all += 1;
        pieces.short += usize::from(at - begin < MIN_LETTERS);
        pieces.longest = pieces.longest.max(at - begin);
        begin = at;
    }
    pieces
}

/// Returns whether a piece of a name begins here: `apiKey`, `APIKey`.
pub(super) fn is_hump(word: &[u8], at: usize) -> bool {
    let (before, here) = (word[at - 1], word[at]);
    let next_is_small = word.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    here.is_ascii_uppercase() && (!before.is_ascii_uppercase() || next_is_small)
}

/// Returns whether letters alone are in both cases and in small pieces, as chance makes them.
pub(super) fn is_mixed_case(value: &[u8]) -> bool {
    let changes = value
        .windows(2)
        .filter(|pair| pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase());
    let is_made_by_chance = |letters: &[u8]| {
        let Pieces {
            all,
            short,
            longest,
        } = pieces(letters);
        all >= 3 && short * 3 >= all && longest < 6
    };
    value.len() >= MIN_MIXED_CASE
        && value.iter().any(u8::is_ascii_lowercase)
        && changes.count() * 10 > value.len() * 3
        && value
            .split(|byte| !byte.is_ascii_alphabetic())
            .any(is_made_by_chance)
}

/// Returns whether a text says that something is to be put in its place.
pub(super) fn has_placeholder(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let contains = |what: &&[u8]| lower.windows(what.len()).any(|window| window == *what);
    PLACEHOLDERS.iter().any(contains) || lower.ends_with(b"here")
}

/// Returns whether a whole value stands where a secret would be written: a variable, a template, a
/// row of signs, or an example.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let braced = value
        .strip_prefix(b"{")
        .and_then(|value| value.strip_suffix(b"}"));
    let is_braced = value.first() == Some(&b'{') && braced.is_none_or(is_plain_words);
    let is_variable = is_braced
        || matches!(value.first(), Some(b'$' | b'<' | b'[' | b'*'))
        || (value.len() > 2 && value.first() == Some(&b'%') && value.last() == Some(&b'%'))
        || (value.len() > 2 && value.first() == Some(&b'@') && value.last() == Some(&b'@'));
    let is_computed = [&b"${"[..], b"$(", b"{{", b"#{", b"%("]
        .iter()
        .any(|sign| value.windows(sign.len()).any(|window| window == *sign));
    let is_row = value
        .windows(2)
        .all(|pair| pair[0].eq_ignore_ascii_case(&pair[1]));
    let begins = [
        &b"1234567890"[..],
        b"0123456789",
        b"abcdefgh",
        b"abc123",
        b"test123",
    ];
    let lower = value.get(..value.len().min(10)).unwrap_or_default();
    let lower = lower.to_ascii_lowercase();
    is_variable
        || is_computed
        || is_row
        || begins.iter().any(|begin| lower.starts_with(begin))
        || has_placeholder(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_numbers_are_told_from_what_chance_made() {
        for words in [
            "config.token2",
            "v1.2.3-rc1",
            "OAuth2TokenProvider",
            "learn-pipeline-with-2-steps",
            "helper_function_name",
            "us-east-1",
            "X25519.secret_length",
            "1.2k/3.4k",
            "49699u32",
            "m2m-access-token-12345",
            "projects/2024/x9",
            "Slack_BOT_TOKEN",
        ] {
            assert!(is_plain_words(words.as_bytes()), "{words}");
        }
        for random in [
            "tR8wq7Zx2L",
            "hunter2x9",
            "qgsnai0xokrw4j1",
            "550e8400-e29b-41d4-a716-446655440000",
            "aBcXdRfTgYhUjIkLmQ",
            "P@ssw0rd$1",
            "3f9a0c7e51b2",
            "aVFOPBGOvJA3",
            "MMUr35KNO9",
        ] {
            assert!(!is_plain_words(random.as_bytes()), "{random}");
        }
    }

    #[test]
    fn what_stands_for_a_secret_is_a_placeholder() {
        for placeholder in [
            "${API_KEY1}",
            "<your-token-1>",
            "%TOKEN2%",
            "your_api_key_1",
            "xxxxxxxx",
            "AKIAIOSFODNN7EXAMPLE",
            "1234567890abc",
            "{{ secrets.token1 }}",
        ] {
            assert!(is_placeholder(placeholder.as_bytes()), "{placeholder}");
        }
        assert!(!is_placeholder(b"tR8wq7Zx2L"));
    }
}
