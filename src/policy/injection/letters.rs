//! One spelling for letters that look or mean the same.

/// How a character is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// As this character.
    Letter(char),
    /// As these two, which one character stands for.
    Pair(char, char),
    /// Not at all: nobody sees it.
    Invisible,
    /// As a letter that nobody sees, but that a model reads.
    Tag(char),
}

/// Returns how a character is read, wherever it stands.
pub fn read(character: char) -> Reading {
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

/// Traditional characters and their simplified form, pair by pair.
const TRADITIONAL: &str = "沒没誰谁誤误毀毁購购買买賣卖無无視视記记請请這这個个們们從从現现開开來来後后說说話话問问題题應应該该會会對对發发轉转\
    給给將将與与為为於于錄录錢钱賬账帳账號号戶户碼码證证書书權权規规則则設设統统係系繫系詞词\
    輸输執执運运動动刪删洩泄祕秘訴诉聽听當当員员級级關关閉闭過过濾滤護护許许備备複复據据傳传\
    遞递資资訊讯網网頁页郵邮銀银終终認认讓让須须絕绝隱隐瞞瞒變变換换歷历實实際际驟骤檔档夾夹\
    電电腦脑進进啟启擊击鏈链載载麼么寫写讀读盡尽體体標标類类導导還还義义務务責责機机險险點点\
    擬拟態态報报聯联絡络裝装鎖锁銷销棄弃拋抛違违範范準准廢废覺觉壓压縮缩創创臺台匯汇幣币節节\
    約约滿满樣样處处內内條条東东總总結结譯译語语顯显";

fn simplified(character: char) -> char {
    if !('\u{4e00}'..='\u{9fff}').contains(&character) {
        return character;
    }
    let mut pairs = TRADITIONAL.chars();
    while let (Some(traditional), Some(simple)) = (pairs.next(), pairs.next()) {
        if traditional == character {
            return simple;
        }
    }
    character
}
