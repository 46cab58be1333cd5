//! Templates of cases: `{rand:36:base62}` is this many random letters, `{uuid}` a random UUID,
//! `{basic:12}` a user and a random password in base64, `{pem:5}` this many lines of a key.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const SEED: u64 = 0x5a17_50fe_ed00_2026;

const DIGITS: &[u8] = b"0123456789";
const LOWER: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const UPPER: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BECH32: &[u8] = b"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";

/// Random numbers that are the same in every run (xorshift64*).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Self {
        Self(SEED)
    }

    /// Replaces each template of a text; what is none stays.
    pub(super) fn expand(&mut self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(begin) = rest.find('{') {
            result.push_str(&rest[..begin]);
            rest = &rest[begin..];
            let filled = rest.find('}').and_then(|end| {
                let filled = self.fill(&rest[1..end])?;
                Some((filled, end + 1))
            });
            let (filled, length) = filled.unwrap_or_else(|| ("{".to_owned(), 1));
            result.push_str(&filled);
            rest = &rest[length..];
        }
        result.push_str(rest);
        result
    }

    fn fill(&mut self, template: &str) -> Option<String> {
        let mut parts = template.split(':');
        let what = parts.next()?;
        let number: Option<usize> = parts.next().and_then(|number| number.parse().ok());
        match what {
            "rand" => Some(self.letters(number?, alphabet(parts.next()?)?)),
            "uuid" => {
                let part = [8, 4, 4, 4, 12].map(|length| self.letters(length, &LOWER[..16]));
                Some(part.join("-"))
            }
            "basic" => {
                let pair = format!("user:{}", self.letters(number?, BASE62));
                Some(STANDARD.encode(pair))
            }
            "pem" => {
                let lines = (0..number?).map(|_| self.letters(64, BASE64));
                Some(lines.collect::<Vec<_>>().join("\n"))
            }
            _ => None,
        }
    }

    fn letters(&mut self, length: usize, alphabet: &[u8]) -> String {
        (0..length)
            .map(|_| char::from(alphabet[self.next() as usize % alphabet.len()]))
            .collect()
    }

    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }
}

fn alphabet(name: &str) -> Option<&'static [u8]> {
    Some(match name {
        "digits" => DIGITS,
        "digits1" => &DIGITS[1..],
        "hex" => &LOWER[..16],
        "lower" => LOWER,
        "upper" => UPPER,
        "base62" => BASE62,
        "base64" => BASE64,
        "base64url" => BASE64_URL,
        "base32" => BASE32,
        "bech32" => BECH32,
        _ => return None,
    })
}
