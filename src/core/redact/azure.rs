//! Keys of Azure, which carry a fixed signature at a fixed place: client secrets of Entra ID
//! (`xxx8Q~...`), keys of storage and its like, and access tokens of Azure DevOps.

use std::ops::{Range, RangeInclusive};

use super::alphabet::{entropy, is_mixed, is_plain_base64, run, run_before};
use super::plain_words::has_placeholder;
use super::spans::Span;

/// The kind of what is hidden here.
pub(super) const KIND: &str = "azure-key";

/// The signatures: of client secrets first, then of access tokens, and of keys by service.
pub(super) const SIGNATURES: [&str; 12] = [
    "Q~", "AZDO", "JQQJ9", "+ASt", "ACDb", "+ABa", "+ASb", "+AEh", "AIoT", "+ACR", "AzFu", "AzSe",
];
/// The shortest and longest keys with a signature, in bytes.
const KEY: RangeInclusive<usize> = 42..=90;
/// What stands before `Q~` in a client secret, and how much of it follows, in bytes.
const BEFORE: usize = 4;
const BEHIND: RangeInclusive<usize> = 31..=34;
const MIN_ENTROPY: f64 = 3.0;

/// Returns the key around the signature with this number.
pub(super) fn key_at(
    bytes: &[u8],
    signature: Range<usize>,
    number: usize,
) -> Option<Span<'static>> {
    let range = if number == 0 {
        client_secret(bytes, signature.start)?
    } else {
        service_key(bytes, &signature)?
    };
    let key = bytes.get(range.clone())?;
    let is_key = is_mixed(key, 1) && entropy(key) >= MIN_ENTROPY && !has_placeholder(key);
    is_key.then(|| Span::new(range, KIND).with_exactness(4))
}

fn service_key(bytes: &[u8], signature: &Range<usize>) -> Option<Range<usize>> {
    let most = *KEY.end() + 1;
    let before = run_before(bytes, signature.start, is_plain_base64, most);
    let limit = bytes.len().min(signature.end + most);
    let behind = run(bytes.get(..limit)?, signature.end, is_plain_base64);
    let key = signature.start - before..signature.end + behind;
    KEY.contains(&key.len()).then_some(key)
}

/// Three signs, a digit, `Q~`, and 31 to 34 signs.
fn client_secret(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let before = run_before(bytes, at, is_client_secret, BEFORE + 1);
    let is_digit = bytes.get(at.checked_sub(1)?)?.is_ascii_digit();
    let limit = bytes.len().min(at + 2 + BEHIND.end() + 1);
    let behind = run(bytes.get(..limit)?, at + 2, is_client_secret);
    let is_whole = before == BEFORE && is_digit && BEHIND.contains(&behind);
    is_whole.then(|| at - BEFORE..at + 2 + behind)
}

fn is_client_secret(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~' | b'.' | b'-')
}
