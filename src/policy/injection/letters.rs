//! One spelling for letters that look or mean the same.

use sayso_core::transcript::simplified;

/// How a character is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As this character.
    Letter(char),
    /// As these two, which one character stands for.
    Pair(char, char),
    /// Not at all: it is invisible.
    Invisible,
    /// As a letter that is invisible to people, but that a model reads.
    Tag(char),
}

/// Returns how a character is read, wherever it stands.
pub(crate) fn read(character: char) -> Reading {
    match character {
        '\u{0}'..='\u{7f}' => Reading::Letter(character.to_ascii_lowercase()),
        'ß' | 'ẞ' => Reading::Pair('s', 's'),
        'æ' | 'Æ' => Reading::Pair('a', 'e'),
        'œ' | 'Œ' => Reading::Pair('o', 'e'),
        '\u{e0020}'..='\u{e007e}' => tag(character),
        _ if is_invisible(character) => Reading::Invisible,
        _ => Reading::Letter(look(lower(character))),
    }
}

/// Returns whether a character has no looks of its own: zero width, direction, variation,
/// combining marks.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20f0}'
            | '\u{e0000}'..='\u{e001f}' | '\u{e007f}'..='\u{e0fff}'
    )
}

fn tag(character: char) -> Reading {
    u8::try_from(character as u32 - 0xe_0000).map_or(Reading::Invisible, |ascii| {
        Reading::Tag(char::from(ascii).to_ascii_lowercase())
    })
}

fn lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        (Some(base), Some(mark)) if is_invisible(mark) => base,
        _ => character,
    }
}

/// Returns the letter that a lower-case letter of another alphabet, width or style looks like.
fn look(character: char) -> char {
    match character {
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            ' '
        }
        '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | '`' => '\'',
        '“' | '”' | '„' | '″' | '«' | '»' | '「' | '」' | '『' | '』' => '"',
        '。' => '.',
        '、' => ',',
        '【' | '〔' | '〖' => '[',
        '】' | '〕' | '〗' => ']',
        '《' | '〈' => '<',
        '》' | '〉' => '>',
        '‐'..='―' | '−' => '-',
        '！'..='～' => shifted(character, '！', '!').to_ascii_lowercase(),
        '𝐀'..='𝚣' => alphabet(character as u32 - '𝐀' as u32),
        '𝟎'..='𝟿' => digit(character as u32 - '𝟎' as u32),
        'Ⓐ'..='ⓩ' => alphabet(character as u32 - 'Ⓐ' as u32),
        '⒜'..='⒵' => alphabet(character as u32 - '⒜' as u32),
        '\u{1f130}'..='\u{1f149}' => alphabet(character as u32 - 0x1_f130),
        '\u{1f150}'..='\u{1f169}' => alphabet(character as u32 - 0x1_f150),
        '\u{1f170}'..='\u{1f189}' => alphabet(character as u32 - 0x1_f170),
        _ => lookalike(character),
    }
}

fn shifted(character: char, from: char, to: char) -> char {
    char::from_u32(character as u32 - from as u32 + to as u32).unwrap_or(character)
}

/// The letter at a place of alphabets that follow each other.
fn alphabet(place: u32) -> char {
    char::from(b'a' + (place % 26) as u8)
}

fn digit(place: u32) -> char {
    char::from(b'0' + (place % 10) as u8)
}

/// Single letters: accents, look-alikes of other alphabets, small capitals, and the traditional
/// form of the Chinese characters that rules are written with.
fn lookalike(character: char) -> char {
    match character {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' | 'а' | 'α' | 'ɑ' | 'ᴀ' => {
            'a'
        }
        'в' | 'ʙ' | 'β' => 'b',
        'ç' | 'ć' | 'č' | 'с' | 'ϲ' | 'ᴄ' => 'c',
        'ď' | 'đ' | 'ԁ' | 'ᴅ' => 'd',
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' | 'е' | 'ё' | 'ε' | 'ҽ' | 'ᴇ' => {
            'e'
        }
        'ƒ' | 'ꜰ' => 'f',
        'ğ' | 'ɡ' | 'ɢ' => 'g',
        'һ' | 'н' | 'հ' | 'ʜ' => 'h',
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' | 'і' | 'ї' | 'ι' | 'ɪ' | 'ɩ' => 'i',
        'ј' | 'ϳ' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ᴋ' => 'k',
        'ł' | 'ľ' | 'ӏ' | 'ⅼ' | 'ʟ' | 'ǀ' => 'l',
        'м' | 'ᴍ' | 'ⅿ' => 'm',
        'ñ' | 'ń' | 'ň' | 'ո' | 'ɴ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' | 'о' | 'ο' | 'օ' | 'σ' | 'ᴏ' => {
            'o'
        }
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ԛ' => 'q',
        'ř' | 'г' | 'ʀ' => 'r',
        'ś' | 'š' | 'ş' | 'ѕ' | 'ꜱ' => 's',
        'ť' | 'ţ' | 'т' | 'τ' | 'ᴛ' => 't',
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'υ' | 'ս' | 'ᴜ' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ԝ' | 'ω' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'ý' | 'ÿ' | 'у' | 'γ' | 'ү' | 'ʏ' => 'y',
        'ź' | 'ż' | 'ž' | 'ᴢ' => 'z',
        _ => simplified(character),
    }
}

/// Spells the letters beyond ASCII as a folded text has them, and leaves the others as they are.
pub(crate) fn fold(written: &str) -> String {
    written
        .chars()
        .flat_map(|character| {
            if character.is_ascii() {
                return [Some(character), None];
            }
            match read(character) {
                Reading::Letter(letter) | Reading::Tag(letter) => [Some(letter), None],
                Reading::Pair(first, second) => [Some(first), Some(second)],
                Reading::Invisible => [None, None],
            }
        })
        .flatten()
        .collect()
}
