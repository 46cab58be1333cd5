//! One spelling for characters that mean the same: lower case, no accents, no full-width forms,
//! simplified Chinese.

use std::sync::LazyLock;

use unicode_normalization::char::decompose_compatible;

/// Pairs of a traditional character and its simplified form; lines with `#` say where from.
const SIMPLIFIED: &str = include_str!("simplified.txt");
/// The first character of the block that both forms are in.
const FIRST_HAN: u32 = 0x4e00;
/// How many characters that block has.
const HAN: usize = 0x5200;

/// The simplified form of each character of the block, which for most is the character itself: it is
/// asked for each character of each text, and a place in a list is found faster than a key.
static FORMS: LazyLock<Vec<char>> = LazyLock::new(|| {
    let mut forms: Vec<char> = (FIRST_HAN..)
        .take(HAN)
        .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    for line in SIMPLIFIED.lines().filter(|line| !line.starts_with('#')) {
        let mut characters = line.chars();
        while let (Some(traditional), Some(simplified)) = (characters.next(), characters.next()) {
            if let Some(form) = place(traditional).and_then(|place| forms.get_mut(place)) {
                *form = simplified;
            }
        }
    }
    forms
});

/// Gives what stands for a character: one character, several (`㎏`), or none (an accent).
pub fn fold(character: char, mut give: impl FnMut(char)) {
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

fn simplified(character: char) -> char {
    place(character)
        .and_then(|place| FORMS.get(place).copied())
        .unwrap_or(character)
}

fn place(character: char) -> Option<usize> {
    u32::from(character)
        .checked_sub(FIRST_HAN)
        .map(|place| place as usize)
        .filter(|place| *place < HAN)
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
