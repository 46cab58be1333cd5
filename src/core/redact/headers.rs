//! What an `Authorization` header holds: a scheme and a credential (RFC 9110, section 11), or a
//! scheme and parameters of which one is the proof.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use super::alphabet::{is_base64, is_secret_byte, is_token68, is_word, run};
use super::plain_words::is_plain_words;
use super::randomness::looks_random;
use super::secret_names::{Class, KIND};
use super::spans::Span;

/// Schemes that are known wherever they stand: before the value of `X-Auth-Token`, say.
const SCHEMES: [&[u8]; 6] = [
    b"bearer",
    b"basic",
    b"token",
    b"bot",
    b"apikey",
    b"api-token",
];
/// The longest scheme, in bytes.
const MAX_SCHEME: usize = 24;
/// The most of a header that is looked through for parameters, in bytes.
const MAX_HEADER: usize = 2048;
/// Parameters that prove who is asking: Digest, AWS, OAuth 1.0, Hawk.
const PROOFS: [&[u8]; 6] = [
    b"response=",
    b"signature=",
    b"oauth_token=",
    b"oauth_signature=",
    b"mac=",
    b"credential=",
];
/// The shortest user and password in base64, in bytes.
const MIN_PAIR: usize = 8;
/// The shortest proof, in bytes.
const MIN_PROOF: usize = 16;

/// Returns the scheme that begins here, if a credential follows it.
pub(super) fn scheme(bytes: &[u8], at: usize, class: Class) -> Option<Range<usize>> {
    let length = run(bytes, at, is_word);
    let word = bytes.get(at..at + length)?;
    let is_known = SCHEMES.iter().any(|it| word.eq_ignore_ascii_case(it));
    let is_any = match class {
        Class::Authorization => {
            (2..=MAX_SCHEME).contains(&length)
                && (is_plain_words(word) || word.starts_with(b"AWS4"))
        }
        Class::Password | Class::Token => false,
    };
    let next = bytes.get(at + length..at + length + 2)?;
    let follows = matches!(next, [b' ' | b'\t', next] if is_token68(*next) || *next == b' ');
    (follows && (is_known || is_any)).then_some(at..at + length)
}

/// Returns whether a value is what `Basic` carries, or random.
pub(super) fn is_basic(value: &[u8]) -> bool {
    is_pair(value) || looks_random(value, Class::Token)
}

/// Returns whether a value is a user's name and password in base64 (RFC 7617).
pub(super) fn is_pair(value: &[u8]) -> bool {
    let length = run(value, 0, is_base64);
    let padding = value.iter().rev().take_while(|byte| **byte == b'=').count();
    if length != value.len() || length < MIN_PAIR || padding >= length {
        return false;
    }
    let mut padded = value.get(..length - padding).unwrap_or_default().to_vec();
    padded.resize(padded.len().next_multiple_of(4), b'=');
    let decoded = STANDARD
        .decode(&padded)
        .or_else(|_| URL_SAFE.decode(&padded));
    decoded.is_ok_and(|decoded| {
        decoded.contains(&b':') && decoded.iter().all(|byte| (b' '..0x7f).contains(byte))
    })
}

/// Finds the parameters of a header that prove who is asking.
pub(super) fn find_parameters(bytes: &[u8], from: usize, found: &mut Vec<Span<'_>>) {
    let end = bytes.len().min(from + MAX_HEADER);
    let rest = bytes.get(from..end).unwrap_or_default();
    let line = rest.iter().take_while(|byte| !b"\n\r".contains(byte));
    let end = from + line.count();
    let mut at = from;
    while let Some(rest) = bytes.get(at..end).filter(|rest| !rest.is_empty()) {
        let is_start = at == from || !bytes.get(at - 1).is_some_and(|byte| is_word(*byte));
        let begins = |proof: &&&[u8]| {
            let begin = rest.get(..proof.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(proof))
        };
        let Some(proof) = PROOFS.iter().find(begins).filter(|_| is_start) else {
            at += 1;
            continue;
        };
        at += proof.len();
        at += run(bytes, at, |byte| matches!(byte, b'"' | b'\\' | b'\''));
        let length = run(bytes, at, is_secret_byte);
        if length >= MIN_PROOF {
            found.push(Span::new(at..at + length, KIND));
        }
        at += length.max(1);
    }
}
