//! Base64 and hexadecimal digits, back to the text that they were made of.

/// The shortest text that is worth reading, in characters.
const MIN_CHARS: usize = 12;
/// The longest run that is decoded, in bytes.
const MAX_RUN: usize = 64 * 1024;

/// Returns the text that a run of digits was made of; `None` when it does not read like a text.
pub(crate) fn decode(run: &str) -> Option<String> {
    if run.len() > MAX_RUN {
        return None;
    }
    let bytes = hexadecimal(run).or_else(|| base64(run))?;
    String::from_utf8(bytes)
        .ok()
        .filter(|text| reads_like_text(text))
}

fn hexadecimal(run: &str) -> Option<Vec<u8>> {
    if !run.len().is_multiple_of(2) {
        return None;
    }
    run.as_bytes()
        .chunks_exact(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// Decodes both alphabets of RFC 4648. Bits that are left over at the end are dropped, since a run
/// may have been cut.
fn base64(run: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(run.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for digit in run.trim_end_matches('=').bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(value)) & 0xff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    Some(bytes)
}

/// Returns whether bytes that happen to be a text can be one: words, and no control characters.
fn reads_like_text(text: &str) -> bool {
    let all = text.chars().count();
    let odd = text
        .chars()
        .filter(|letter| letter.is_control() && !letter.is_whitespace())
        .count();
    let is_wordy = text.contains(' ') || !text.is_ascii();
    all >= MIN_CHARS && odd == 0 && is_wordy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back() {
        assert_eq!(
            decode("SWdub3JlIGFsbCBvZiBpdA==").unwrap(),
            "Ignore all of it"
        );
        assert_eq!(
            decode("SWdub3JlIGFsbCBvZiBpdA").unwrap(),
            "Ignore all of it"
        );
        assert_eq!(
            decode("49676e6f726520616c6c206f66206974").unwrap(),
            "Ignore all of it"
        );
    }

    #[test]
    fn what_is_no_text_is_left_alone() {
        for run in [
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "aVeryLongNameOfSomeFunctionInJava",
            "////////////////////////",
        ] {
            assert_eq!(decode(run), None, "{run}");
        }
    }
}
