//! The secrets of this instance, in every form in which they are usually written.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};
use secrecy::{ExposeSecret as _, SecretString};

use super::{
    MARK_BEGIN, MARK_END, TooMuch, azure, command_line, middle, pem, secret_names, shapes,
};

/// Shorter values are not looked for: they would be found everywhere.
const MIN_BYTES: usize = 6;
/// A shorter value of letters alone is a word, such as the `ollama` that stands where a server
/// at home wants any key at all.
const MIN_WORD_BYTES: usize = 16;
/// A part of a secret, a line of it or its middle in base64, is looked for from this length on.
const MIN_PART_BYTES: usize = 16;
/// From this length on the first bytes of a secret at the end of a growing text are held back.
const MIN_BEGUN_BYTES: usize = 4;
/// The longest name of a kind, in bytes.
pub(super) const MAX_KIND_BYTES: usize = 80;

/// A secret of this instance.
#[derive(Debug, Clone)]
pub struct KnownSecret {
    kind: String,
    pub(super) value: SecretString,
}

impl KnownSecret {
    /// Takes a secret and what it is, as the mark in its place says it: `provider-key`.
    pub fn new(kind: &str, value: SecretString) -> Self {
        let kind: String = kind.bytes().map(kind_letter).take(MAX_KIND_BYTES).collect();
        Self { kind, value }
    }

    /// Returns whether the value is looked for: a shorter one would be found everywhere.
    pub fn can_be_hidden(&self) -> bool {
        let value = self.value.expose_secret();
        is_worth_hiding(value) && !value.contains('\0')
    }
}

fn kind_letter(byte: u8) -> char {
    if is_kind_byte(byte) {
        byte as char
    } else {
        '-'
    }
}

/// Returns whether a byte may stand in the name of a kind.
pub(super) fn is_kind_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b' ')
}

/// Looks for known secrets, and for the marks that stand in the place of secrets already.
pub(super) struct Known {
    finder: AhoCorasick,
    /// What each pattern of the finder is; `None` for marks.
    kinds: Vec<Option<String>>,
    /// The secrets as they are, for texts that end inside of one.
    values: Vec<SecretString>,
}

/// A known secret, or a mark, in a text.
pub(super) struct Found<'k> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Option<&'k str>,
}

impl Known {
    pub(super) fn new(secrets: impl IntoIterator<Item = KnownSecret>) -> Result<Self, TooMuch> {
        let mut secrets: Vec<KnownSecret> = secrets.into_iter().collect();
        let kinds = secrets.iter().map(|secret| secret.kind.clone());
        let marks = marks(kinds.collect());
        // A secret that is a part of a mark would be found in every mark.
        secrets.retain(|secret| {
            let value = secret.value.expose_secret();
            is_worth_hiding(value) && !marks.iter().any(|mark| mark.contains(value))
        });
        let mut patterns: BTreeMap<Vec<u8>, Option<String>> = BTreeMap::new();
        for secret in &secrets {
            for form in forms(secret.value.expose_secret()) {
                patterns.insert(form, Some(secret.kind.clone()));
            }
        }
        patterns.extend(marks.into_iter().map(|mark| (mark.into_bytes(), None)));
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(patterns.keys())?;
        Ok(Self {
            finder,
            kinds: patterns.into_values().collect(),
            values: secrets.into_iter().map(|secret| secret.value).collect(),
        })
    }

    /// Returns what stands in a text, in order, without overlaps.
    pub(super) fn find<'s>(&'s self, text: &str) -> Vec<Found<'s>> {
        let matches = self.finder.find_iter(text);
        matches
            .filter(|found| text.is_char_boundary(found.start()))
            .filter(|found| text.is_char_boundary(found.end()))
            .map(|found| Found {
                start: found.start(),
                end: found.end(),
                kind: self
                    .kinds
                    .get(found.pattern().as_usize())
                    .and_then(Option::as_deref),
            })
            .collect()
    }

    /// Returns how many bytes at the end of a text may be the beginning of a secret.
    pub(super) fn begun_at_end(&self, text: &str) -> usize {
        let begun = self.values.iter().filter_map(|value| {
            let value = value.expose_secret().as_bytes();
            let longest = value.len().saturating_sub(1).min(text.len());
            (MIN_BEGUN_BYTES..=longest)
                .rev()
                .find(|length| text.as_bytes().ends_with(&value[..*length]))
        });
        let begun = begun.max().unwrap_or_default();
        text.len() - text.floor_char_boundary(text.len() - begun)
    }
}

fn marks(kinds: Vec<String>) -> Vec<String> {
    let by_form = shapes::kinds().chain([
        secret_names::KIND,
        azure::KIND,
        command_line::KIND,
        middle::TELEGRAM,
        middle::DISCORD,
        middle::ADDRESS,
        middle::MAXMIND,
        middle::MAILCHIMP,
        middle::TERRAFORM,
        middle::FACEBOOK,
        pem::KIND,
    ]);
    let kinds = by_form.map(str::to_owned).chain(kinds);
    kinds
        .map(|kind| format!("{MARK_BEGIN}{kind}{MARK_END}"))
        .collect()
}

fn is_worth_hiding(value: &str) -> bool {
    let is_letters = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_' | b' ');
    let is_word = value.len() < MIN_WORD_BYTES && value.bytes().all(is_letters);
    value.len() >= MIN_BYTES && !is_word
}

/// Returns every form in which a secret is looked for.
fn forms(value: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![value.as_bytes().to_vec()];
    let lines = value.lines().map(str::trim);
    forms.extend(
        lines
            .filter(|line| line.len() >= MIN_PART_BYTES && !line.contains("-----"))
            .map(|line| line.as_bytes().to_vec()),
    );
    forms.extend(in_json(value));
    forms.push(in_address(value, b"0123456789ABCDEF"));
    forms.push(in_address(value, b"0123456789abcdef"));
    for digits in [b"0123456789abcdef", b"0123456789ABCDEF"] {
        forms.push(in_hex(value, digits));
    }
    for alphabet in [STANDARD, FOR_ADDRESSES] {
        for before in 0..3 {
            let middle = in_base64(value.as_bytes(), before, alphabet);
            forms.extend((middle.len() >= MIN_PART_BYTES.min(value.len())).then_some(middle));
        }
    }
    forms
}

/// The form inside a JSON string, also with the escaped slashes that some writers use.
fn in_json(value: &str) -> Vec<Vec<u8>> {
    let quoted = serde_json::Value::from(value).to_string();
    let inner = quoted.get(1..quoted.len().saturating_sub(1));
    let inner = inner.unwrap_or_default().to_owned();
    let slashes = inner.replace('/', "\\/");
    vec![inner.into_bytes(), slashes.into_bytes()]
}

/// Percent-encoding: everything but the unreserved characters of RFC 3986 is escaped.
fn in_address(value: &str, digits: &[u8; 16]) -> Vec<u8> {
    let mut escaped = Vec::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(byte);
        } else {
            escaped.push(b'%');
            escaped.extend(hex_digits(byte, digits));
        }
    }
    escaped
}

fn in_hex(value: &str, digits: &[u8; 16]) -> Vec<u8> {
    value
        .bytes()
        .flat_map(|byte| hex_digits(byte, digits))
        .collect()
}

fn hex_digits(byte: u8, digits: &[u8; 16]) -> [u8; 2] {
    [byte >> 4, byte & 15].map(|digit| digits[usize::from(digit)])
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_ADDRESSES: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Returns the base64 digits that a value alone decides when `before` other bytes (0 to 2) stand
/// before it in a group of three: these digits are there whatever it is encoded together with.
fn in_base64(value: &[u8], before: usize, alphabet: &[u8; 64]) -> Vec<u8> {
    let (first_bit, end_bit) = (before * 8, (before + value.len()) * 8);
    (first_bit.div_ceil(6)..end_bit / 6)
        .map(|digit| {
            let bits = (0..6).map(|bit| {
                let place = digit * 6 + bit - first_bit;
                (value[place / 8] >> (7 - place % 8)) & 1
            });
            let index = bits.fold(0, |index, bit| index << 1 | bit);
            alphabet[usize::from(index)]
        })
        .collect()
}
