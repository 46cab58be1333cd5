//! Secrets that are known by a sign in their middle: bot tokens of Telegram and Discord, tokens of
//! a few services that write their name behind it, and the password in an address.

use super::Reading;
use super::alphabet::{
    Alphabet, is_alphanumeric, is_digit, is_hex, is_mixed, is_word, run, run_before,
};
use super::plain_words::is_placeholder;
use super::spans::Span;

/// The kind of a Telegram bot's token.
pub(super) const TELEGRAM: &str = "telegram-token";
/// The kind of a Discord bot's token.
pub(super) const DISCORD: &str = "discord-token";
/// The kind of a password in an address.
pub(super) const ADDRESS: &str = "password-in-address";
/// The kind of a license key of MaxMind.
pub(super) const MAXMIND: &str = "maxmind-key";
/// The kind of a key of Mailchimp.
pub(super) const MAILCHIMP: &str = "mailchimp-key";
/// The kind of a signing key of Mailgun.
pub(super) const MAILGUN: &str = "mailgun-key";
/// The kind of a token of Terraform Cloud.
pub(super) const TERRAFORM: &str = "terraform-token";
/// The kind of a token that an app of Facebook has for itself.
pub(super) const FACEBOOK: &str = "facebook-app-token";

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

/// Finds them all in one pass over the signs.
pub(super) fn find(bytes: &[u8], reading: Reading, found: &mut Vec<Span<'_>>) {
    for (at, byte) in bytes.iter().enumerate() {
        let span = match byte {
            b'.' => discord(bytes, at).or_else(|| terraform(bytes, at)),
            b':' => telegram(bytes, at).or_else(|| in_address(bytes, at, reading)),
            b'-' => mailchimp(bytes, at).or_else(|| mailgun(bytes, at)),
            b'_' => maxmind(bytes, at),
            b'|' if reading == Reading::Text => facebook(bytes, at),
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

/// 14 letters, `.atlasv1.`, and at least 60 more.
fn terraform(bytes: &[u8], stop: usize) -> Option<Span<'static>> {
    const SIGN: &[u8] = b".atlasv1.";
    let rest = bytes.get(stop..)?.strip_prefix(SIGN)?;
    let id = run_before(bytes, stop, is_alphanumeric, 15);
    let token = run_of(rest, 0, 128);
    let end = stop + SIGN.len() + token;
    (id == 14 && token >= 60).then(|| Span::new(stop - id..end, TERRAFORM).with_exactness(9))
}

/// 32 hexadecimal digits, `-us`, and the number of a data centre.
fn mailchimp(bytes: &[u8], dash: usize) -> Option<Span<'static>> {
    let rest = bytes.get(dash..)?.strip_prefix(b"-us")?;
    let number = run_short(rest, 0, 3, is_alphanumeric);
    let is_number = (1..=2).contains(&number) && rest.iter().take(number).all(u8::is_ascii_digit);
    let key = run_before(bytes, dash, is_hex, 33);
    let end = dash + 3 + number;
    (key == 32 && is_number).then(|| Span::new(dash - key..end, MAILCHIMP).with_exactness(4))
}

/// 32 hexadecimal digits, and twice a dash and 8 more: what Mailgun signs with.
fn mailgun(bytes: &[u8], dash: usize) -> Option<Span<'static>> {
    if bytes.get(dash + 9) != Some(&b'-') || run_short(bytes, dash + 1, 9, is_hex) != 8 {
        return None;
    }
    let is_key =
        run_before(bytes, dash, is_hex, 33) == 32 && run_short(bytes, dash + 10, 9, is_hex) == 8;
    is_key.then(|| Span::new(dash - 32..dash + 18, MAILGUN).with_exactness(4))
}

/// 6 letters, a line, 29 letters, and `_mmk`.
fn maxmind(bytes: &[u8], line: usize) -> Option<Span<'static>> {
    if !bytes.get(line..)?.starts_with(b"_mmk") || run_of(bytes, line, 5) != 4 {
        return None;
    }
    let key = run_before(bytes, line, is_alphanumeric, 30);
    let first = line.checked_sub(key + 1)?;
    let id = run_before(bytes, first, is_alphanumeric, 7);
    (key == 29 && bytes.get(first) == Some(&b'_') && id == 6)
        .then(|| Span::new(first - id..line + 4, MAXMIND).with_exactness(8))
}

/// The app's number, a bar, and its proof.
fn facebook(bytes: &[u8], bar: usize) -> Option<Span<'static>> {
    let id = run_before(bytes, bar, is_digit, 17);
    let proof = run_of(bytes, bar + 1, 41);
    let text = bytes.get(bar + 1..bar + 1 + proof)?;
    ((15..=16).contains(&id) && (27..=40).contains(&proof) && is_mixed(text, 2))
        .then(|| Span::new(bar - id..bar + 1 + proof, FACEBOOK).with_exactness(4))
}

fn run_of(bytes: &[u8], from: usize, most: usize) -> usize {
    run_short(bytes, from, most, is_word)
}

fn run_short(bytes: &[u8], from: usize, most: usize, alphabet: Alphabet) -> usize {
    let end = bytes.len().min(from + most);
    run(bytes.get(..end).unwrap_or_default(), from, alphabet)
}

/// What stands between `://` and `@` (RFC 3986): the password behind its colon, or a token that
/// stands alone there.
fn in_address(bytes: &[u8], colon: usize, reading: Reading) -> Option<Span<'static>> {
    if bytes.get(colon..colon + 3) != Some(b"://") {
        return None;
    }
    let start = colon + 3;
    let rest = bytes.get(start..bytes.len().min(start + MAX_USER_INFO))?;
    let length = user_info(rest, reading)?;
    let user_info = rest.get(..length)?;
    let (from, secret) = match user_info.iter().position(|byte| *byte == b':') {
        Some(colon) => (colon + 1, user_info.get(colon + 1..)?),
        None if is_mixed(user_info, 3) && length >= 20 => (0, user_info),
        None => return None,
    };
    let is_example =
        EXAMPLES.iter().any(|it| secret.eq_ignore_ascii_case(it)) || is_placeholder(secret);
    (secret.len() >= 3 && !is_example)
        .then(|| Span::new(start + from..start + length, ADDRESS).with_exactness(1))
}

/// Returns how long the user and the password are before the `@` of an address. People write
/// passwords without the escapes that RFC 3986 asks for.
fn user_info(rest: &[u8], reading: Reading) -> Option<usize> {
    let length = match reading {
        Reading::Text => {
            let is_part = |byte: u8| is_user_info(byte) || b"$&*();^@".contains(&byte);
            let part = run(rest, 0, is_part);
            let part = rest.get(..part)?;
            return part.iter().rposition(|byte| *byte == b'@');
        }
        Reading::Call => run(rest, 0, is_user_info),
    };
    (rest.get(length) == Some(&b'@')).then_some(length)
}

/// What RFC 3986 lets stand there without escapes, but for what a shell would read.
fn is_user_info(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!+,=:".contains(&byte)
}
