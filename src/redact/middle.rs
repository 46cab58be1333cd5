//! Secrets that are known by a sign in their middle: bot tokens of Telegram and Discord, and the
//! password in an address.

use super::alphabet::{is_digit, is_mixed, is_word, run, run_before};
use super::spans::Span;

/// The kind of a Telegram bot's token.
pub(super) const TELEGRAM: &str = "telegram-token";
/// The kind of a Discord bot's token.
pub(super) const DISCORD: &str = "discord-token";
/// The kind of a password in an address.
pub(super) const ADDRESS: &str = "password-in-address";

/// The longest user name and password in an address that are looked at, in bytes.
const MAX_USER_INFO: usize = 512;
/// What examples write where a password would stand.
const EXAMPLES: [&[u8]; 8] = [
    b"password",
    b"passwd",
    b"pass",
    b"pwd",
    b"secret",
    b"token",
    b"xxx",
    b"...",
];

/// Finds them all in one pass over the stops and colons.
pub(super) fn find(bytes: &[u8], found: &mut Vec<Span<'_>>) {
    for (at, byte) in bytes.iter().enumerate() {
        let span = match byte {
            b'.' => discord(bytes, at),
            b':' => telegram(bytes, at).or_else(|| in_address(bytes, at)),
            _ => None,
        };
        found.extend(span);
    }
}

/// `123456789:AA` and 33 more letters: the bot's id, a colon and 35 letters.
fn telegram(bytes: &[u8], colon: usize) -> Option<Span<'static>> {
    let id = run_before(bytes, colon, is_digit, 12);
    let is_token = (8..=11).contains(&id)
        && bytes.get(colon + 1..colon + 3) == Some(b"AA")
        && run_of(bytes, colon + 1, 36) == 35;
    is_token.then(|| Span::new(colon - id..colon + 36, TELEGRAM).with_exactness(8))
}

/// Three parts of base64: the bot's id in decimal digits (so it begins with `M`, `N` or `O`), a
/// time of 6 letters, and a signature of at least 27.
fn discord(bytes: &[u8], stop: usize) -> Option<Span<'static>> {
    let id = run_before(bytes, stop, is_word, 32);
    let start = stop - id;
    let begins = bytes.get(start).is_some_and(|byte| b"MNO".contains(byte));
    if !(23..=30).contains(&id) || !begins || run_of(bytes, stop + 1, 8) != 6 {
        return None;
    }
    let second_stop = stop + 7;
    let signature = run_of(bytes, second_stop + 1, 64);
    let is_token = bytes.get(second_stop) == Some(&b'.') && (27..=45).contains(&signature);
    is_token.then(|| Span::new(start..second_stop + 1 + signature, DISCORD).with_exactness(8))
}

fn run_of(bytes: &[u8], from: usize, most: usize) -> usize {
    let end = bytes.len().min(from + most);
    run(bytes.get(..end).unwrap_or_default(), from, is_word)
}

/// What stands between `://` and `@` (RFC 3986): the password behind its colon, or a token that
/// stands alone there.
fn in_address(bytes: &[u8], colon: usize) -> Option<Span<'static>> {
    if bytes.get(colon..colon + 3) != Some(b"://") {
        return None;
    }
    let start = colon + 3;
    let rest = bytes.get(start..bytes.len().min(start + MAX_USER_INFO))?;
    let length = rest.iter().take_while(|byte| is_user_info(**byte)).count();
    if rest.get(length) != Some(&b'@') {
        return None;
    }
    let user_info = rest.get(..length)?;
    let (from, secret) = match user_info.iter().position(|byte| *byte == b':') {
        Some(colon) => (colon + 1, user_info.get(colon + 1..)?),
        None if is_mixed(user_info, 3) && length >= 20 => (0, user_info),
        None => return None,
    };
    let is_example = EXAMPLES.iter().any(|it| secret.eq_ignore_ascii_case(it));
    (secret.len() >= 3 && !is_example)
        .then(|| Span::new(start + from..start + length, ADDRESS).with_exactness(1))
}

/// What RFC 3986 lets stand there without escapes, but for what a shell would read.
fn is_user_info(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!+,=:".contains(&byte)
}
