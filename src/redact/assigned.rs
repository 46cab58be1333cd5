//! Values behind words such as `password`: hidden when they look random, because what stands
//! there is more often a type, a variable or the word itself.

use aho_corasick::AhoCorasick;

use super::alphabet::{entropy, is_mixed, is_secret_byte, is_word, run};
use super::spans::Span;
use super::{Reading, TooMuch};

/// The kind of what is hidden here.
pub(super) const KIND: &str = "secret-value";

/// What a secret is called, in any case; the name may go on before and behind it.
const WORDS: [&str; 22] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "access-key",
    "accesskey",
    "account_key",
    "accountkey",
    "private_key",
    "privatekey",
    "auth_key",
    "credential",
    "authorization",
    "密码",
    "密钥",
    "令牌",
];
/// How names end whose value is about a secret and is none.
const HARMLESS: [&[u8]; 20] = [
    b"_name",
    b"_names",
    b"_type",
    b"_count",
    b"_url",
    b"_uri",
    b"_path",
    b"_file",
    b"_id",
    b"_ids",
    b"_length",
    b"_limit",
    b"_size",
    b"_expires",
    b"_expiry",
    b"_ttl",
    b"_field",
    b"_policy",
    b"_env",
    b"_version",
];
/// The longest rest of a name behind its word, in bytes.
const MAX_NAME: usize = 40;
/// The shortest value that is hidden, in bytes.
const MIN_VALUE: usize = 8;
/// The longest value in quotes that is looked at, in bytes.
const MAX_QUOTED: usize = 400;
/// Random letters and digits have about 3 bits a byte already at eight bytes; words that repeat
/// themselves have less.
const MIN_ENTROPY: f64 = 2.7;
/// What a value begins with that says where a secret is, and not what.
const PLACES: [&[u8]; 8] = [
    b"/", b"./", b"../", b"~/", b"env:", b"file:", b"http:", b"https:",
];
/// How a header says what its value is.
const SCHEMES: [&[u8]; 4] = [b"bearer ", b"basic ", b"token ", b"bot "];

/// Looks for the words.
pub(super) struct Words(AhoCorasick);

impl Words {
    pub(super) fn new() -> Result<Self, TooMuch> {
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(WORDS)?;
        Ok(Self(finder))
    }

    /// Finds every value that looks random.
    pub(super) fn find(&self, bytes: &[u8], reading: Reading, found: &mut Vec<Span<'_>>) {
        let mut tried = 0;
        for word in self.0.find_iter(bytes) {
            if word.start() < tried {
                continue;
            }
            let Some(value) = value_behind(bytes, word.start(), word.end()) else {
                continue;
            };
            let length = value.length(bytes, reading);
            let text = bytes
                .get(value.start..value.start + length)
                .unwrap_or_default();
            // A long value is not looked through again for each word in it.
            tried = value.start + length;
            let is_call = bytes.get(tried) == Some(&b'(');
            if !is_call && looks_random(text) {
                found.push(Span::new(value.start..tried, KIND));
            }
        }
    }
}

/// A value behind a word.
struct Value {
    start: usize,
    /// The quote that it stands in.
    quote: Option<u8>,
}

impl Value {
    fn length(&self, bytes: &[u8], reading: Reading) -> usize {
        let plain = run(bytes, self.start, is_secret_byte);
        let (Some(quote), Reading::Text) = (self.quote, reading) else {
            return plain;
        };
        let rest = bytes.get(self.start..).unwrap_or_default();
        let inner = rest.iter().take(MAX_QUOTED);
        let inner = inner.take_while(|byte| **byte != quote && byte.is_ascii_graphic());
        let inner = inner.count();
        if rest.get(inner) == Some(&quote) {
            inner.max(plain)
        } else {
            plain
        }
    }
}

/// Returns where the value of a name begins, if the word is a name's and a value follows.
fn value_behind(bytes: &[u8], start: usize, word_end: usize) -> Option<Value> {
    let name_end = name_end(bytes, word_end)?;
    let mut at = name_end;
    at += run(bytes, at, is_closer).min(3);
    let spaces = run(bytes, at, is_space).min(8);
    let is_option = start.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'-');
    at += match separator(bytes.get(at + spaces..)?) {
        0 if is_option && spaces > 0 => spaces,
        0 => return None,
        separator => spaces + separator,
    };
    at += run(bytes, at, is_space).min(8);
    let opener = run(bytes, at, is_closer).min(2);
    let quote = opener.checked_sub(1).and_then(|last| bytes.get(at + last));
    let quote = quote.copied();
    at += opener;
    at += scheme(bytes.get(at..)?);
    Some(Value { start: at, quote })
}

/// Returns where the name ends that a word is in; `None` when the word is a part of another one,
/// as in `tokenizer`, or the name is about something harmless, as `token_count`.
fn name_end(bytes: &[u8], word_end: usize) -> Option<usize> {
    let plural = usize::from(matches!(bytes.get(word_end), Some(b's' | b'S')));
    let behind = word_end + plural;
    let last = bytes.get(word_end.checked_sub(1)?)?;
    let goes_on = match bytes.get(behind) {
        Some(next) if next.is_ascii_lowercase() => return None,
        Some(next) if next.is_ascii_uppercase() => last.is_ascii_lowercase(),
        _ => true,
    };
    if !goes_on {
        return None;
    }
    let rest = run(bytes, behind, is_word);
    let name = bytes.get(word_end..behind + rest)?.to_ascii_lowercase();
    let name: Vec<u8> = name
        .iter()
        .map(|byte| if *byte == b'-' { b'_' } else { *byte })
        .collect();
    let is_harmless = HARMLESS.iter().any(|end| name.ends_with(end));
    (rest <= MAX_NAME && !is_harmless).then_some(behind + rest)
}

/// What may stand around a name or a value: quotes, and the backslash of quotes inside a string.
fn is_closer(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b']')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns how long the sign between name and value is; 0 when there is none.
fn separator(rest: &[u8]) -> usize {
    let signs = ["=>", ":=", "==", "=", ":", ">", "：", "是"];
    let found = signs.iter().find(|sign| rest.starts_with(sign.as_bytes()));
    found.map_or(0, |sign| sign.len())
}

fn scheme(rest: &[u8]) -> usize {
    let is_it = |scheme: &&&[u8]| {
        let begin = rest.get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    };
    SCHEMES.iter().find(is_it).map_or(0, |scheme| scheme.len())
}

/// Returns whether a value looks like chance made it: letters and digits, mixed and different,
/// and not names with a number behind them.
fn looks_random(value: &[u8]) -> bool {
    value.len() >= MIN_VALUE
        && is_mixed(value, 1)
        && !PLACES.iter().any(|place| value.starts_with(place))
        && !is_names(value)
        && entropy(value) >= MIN_ENTROPY
}

/// Returns whether a value is made of words as programs have them: `config.token2`, `v1.2.3-rc1`.
fn is_names(value: &[u8]) -> bool {
    value
        .split(|byte| !byte.is_ascii_alphanumeric())
        .all(|part| {
            let letters = run(part, 0, |byte| byte.is_ascii_alphabetic());
            let digits = part.get(letters..).unwrap_or_default();
            let most = if letters == 0 { 4 } else { 2 };
            digits.len() <= most && digits.iter().all(u8::is_ascii_digit)
        })
}
