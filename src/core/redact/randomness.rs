//! Whether a value looks random, as a secret does: neither words, nor a place, nor a placeholder.

use super::alphabet::{entropy, is_mixed};
use super::plain_words::{is_mixed_case, is_placeholder, is_plain_words};
use super::secret_names::Class;

/// The shortest value that is hidden, in bytes.
const MIN_VALUE: usize = 8;

/// The shortest password with a sign among its letters and digits, in bytes.
pub(super) const MIN_PASSWORD: usize = 6;

/// Random letters and digits have about 3 bits a byte already at eight bytes; words that repeat
/// themselves have less.
const MIN_ENTROPY: f64 = 2.7;

/// The same for passwords of six and seven bytes.
const MIN_SHORT_ENTROPY: f64 = 2.2;

/// What a value begins with that says where a secret is, and not what.
const PLACES: [&[u8]; 8] = [
    b"./", b"../", b"~/", b"env:", b"file:", b"http:", b"https:", b"arn:",
];

/// The length of a secret access key of AWS, which is base64 and may begin with a slash.
const AWS_SECRET: usize = 40;

/// Returns whether a value looks like chance made it: letters and digits, mixed and different,
/// and neither words with numbers nor what stands for a secret. A word with a number and a sign is
/// what people choose as a password.
pub(super) fn looks_random(value: &[u8], class: Class) -> bool {
    let is_long = value.len() >= MIN_VALUE;
    let has_sign = value.iter().any(|byte| b"!@#$%^&*?~+".contains(byte));
    let is_short_password = class == Class::Password
        && value.len() >= MIN_PASSWORD
        && has_sign
        && entropy(value) >= MIN_SHORT_ENTROPY;
    let is_chosen = class == Class::Password
        && is_mixed(value, 1)
        && value.iter().any(|byte| b"!#$%^&*".contains(byte));
    (is_long && entropy(value) >= MIN_ENTROPY || is_short_password)
        && (is_mixed(value, 1) || is_mixed_case(value))
        && !is_place(value)
        && !is_placeholder(value)
        && (is_chosen || !is_plain_words(value))
}

fn is_place(value: &[u8]) -> bool {
    let is_path = value.starts_with(b"/")
        && value.len() != AWS_SECRET
        && (value.contains(&b'.') || value.iter().skip(1).any(|byte| *byte == b'/'));
    is_path || PLACES.iter().any(|place| value.starts_with(place))
}
