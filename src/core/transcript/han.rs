//! Traditional Chinese characters and their simplified forms.

use std::sync::LazyLock;

/// Pairs of a traditional character and its simplified form; lines with `#` say where from.
const SIMPLIFIED: &str = include_str!("simplified.txt");
/// The first character of the block that both forms are in.
const FIRST_HAN: u32 = 0x4e00;
/// How many characters that block has.
const HAN: usize = 0x5200;

/// The simplified form of each character of the block, which for most is the character itself: it
/// is asked for each character of each text, and a place in a list is found faster than a key.
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

/// Returns the simplified form of a character, which for most is the character itself.
pub fn simplified(character: char) -> char {
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
