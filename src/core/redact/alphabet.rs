//! What secrets are made of, byte by byte. All of it is ASCII, so a run never ends inside a
//! character.

/// A set of bytes.
pub(super) type Alphabet = fn(u8) -> bool;

/// `A-Z a-z 0-9`.
pub(super) fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// `A-Z 0-9`.
pub(super) fn is_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

/// `0-9 a-f`.
pub(super) fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// `0-9 a-f A-F`.
pub(super) fn is_any_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

/// `0-9`.
pub(super) fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// What a name is made of, and base64 in its form for addresses: `A-Z a-z 0-9 _ -`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// [`is_word`] and the full stop.
pub(super) fn is_dotted(byte: u8) -> bool {
    is_word(byte) || byte == b'.'
}

/// Both forms of base64, with its padding.
pub(super) fn is_base64(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'+' | b'/' | b'=')
}

/// Base64 as files have it, without padding.
pub(super) fn is_plain_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// What a token is written in inside an address: [`is_word`] and percent signs.
pub(super) fn is_escaped(byte: u8) -> bool {
    is_word(byte) || byte == b'%'
}

/// Base64, either plain or percent-encoded.
pub(super) fn is_escaped_base64(byte: u8) -> bool {
    is_base64(byte) || byte == b'%'
}

/// What a credential behind `Bearer` is made of (`token68` of RFC 9110).
pub(super) fn is_token68(byte: u8) -> bool {
    is_base64(byte) || matches!(byte, b'.' | b'~')
}

/// What a secret without quotes is made of. A shell reads nothing of it as more than a letter.
pub(super) fn is_secret_byte(byte: u8) -> bool {
    is_word(byte)
        || matches!(
            byte,
            b'+' | b'/' | b'=' | b'.' | b'~' | b'%' | b':' | b'@' | b'!' | b'#' | b'^'
        )
}

/// [`is_secret_byte`] and the signs that passwords in files of settings have besides.
pub(super) fn is_password_byte(byte: u8) -> bool {
    is_secret_byte(byte) || matches!(byte, b'$' | b'*' | b'?')
}

/// Returns how many bytes from `from` on are in the alphabet.
pub(super) fn run(bytes: &[u8], from: usize, alphabet: Alphabet) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().take_while(|byte| alphabet(**byte)).count()
}

/// Returns how many bytes right before `to` are in the alphabet, at most `most`.
pub(super) fn run_before(bytes: &[u8], to: usize, alphabet: Alphabet, most: usize) -> usize {
    let rest = bytes.get(..to).unwrap_or_default();
    let run = rest.iter().rev().take_while(|byte| alphabet(**byte));
    run.take(most).count()
}

/// Returns whether letters and at least `digits` digits are mixed.
pub(super) fn is_mixed(bytes: &[u8], digits: usize) -> bool {
    let found = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    found >= digits && bytes.iter().any(u8::is_ascii_alphabetic)
}

/// Returns Shannon's entropy in bits per byte, from how often each byte stands there.
pub(super) fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let total = bytes.len() as f64;
    let used = counts.iter().filter(|count| **count > 0);
    used.map(|count| f64::from(*count) / total)
        .map(|share| -share * share.log2())
        .sum()
}
