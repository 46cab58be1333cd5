//! One spelling for characters that mean the same: lower case, no accents, no full-width forms,
//! simplified Chinese.

use sayso_core::transcript::simplified;
use unicode_normalization::char::decompose_compatible;

/// Gives what stands for a character: one character, several (`㎏`), or none (an accent).
pub(crate) fn fold(character: char, mut give: impl FnMut(char)) {
    match character {
        '\0'..='\x7f' => give(character.to_ascii_lowercase()),
        '\u{4e00}'..='\u{9fff}' => give(simplified(character)),
        // Kana and Hangul: taken apart they would be other letters.
        '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}' => give(character),
        _ => decompose_compatible(character, |part| {
            if !is_accent(part) {
                simplified(part).to_lowercase().for_each(&mut give);
            }
        }),
    }
}

/// Returns whether it is an accent that follows its letter.
fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[track_caller]
    fn check(written: &str, expected: &str) {
        let mut folded = String::new();
        for character in written.chars() {
            fold(character, |character| folded.push(character));
        }
        assert_eq!(folded, expected, "{written:?}");
    }

    #[test]
    fn spellings_that_mean_the_same_are_one() {
        check("Café CAFE\u{301}", "cafe cafe");
        check("ＲＥＸ－２", "rex-2");
        check("綠茶 臺灣 喜歡", "绿茶 台湾 喜欢");
        check("绿茶", "绿茶");
        check("한국어 ガム が", "한국어 ガム が");
        check("㎏ ﬁn", "kg fin");
    }
}
