//! Texts in every encoding that is read, and files that are none.

use encoding_rs::{BIG5, Encoding, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

use super::{Mark, Order, TextEncoding, decode};

const RUSSIAN: &str = "Привет, это список покупок: молоко, хлеб и сыр.\n";
const CHINESE: &str = "你好，这是一份会议记录。下次会议在星期三。\n";
const JAPANESE: &str = "こんにちは。これは会議の記録です。よろしくお願いします。\n";
const GERMAN: &str = "Müller;Köln;Straße 5\nJäger;Lübeck;Grüner Weg 1\n";

#[track_caller]
fn check(bytes: &[u8], text: &str, encoding: &str) {
    let decoded = decode(bytes).unwrap_or_else(|| panic!("{bytes:x?} is no text"));
    assert_eq!(
        (&*decoded.text, decoded.encoding.to_string()),
        (text, encoding.to_owned())
    );
    if !decoded.encoding.is_plain() {
        let again = decoded.encoding.encode(text);
        assert_eq!(again.as_deref(), Some(bytes), "{encoding}");
    }
}

fn in_units(text: &str, encoding: TextEncoding) -> Vec<u8> {
    encoding.encode(text).unwrap()
}

fn in_bytes(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    encoding.encode(text).0.into_owned()
}

#[test]
fn chat_f15_marks_are_obeyed_and_taken_off() {
    for text in [
        "Hello — budget: 100 €\r\nLine two\r\n",
        CHINESE,
        RUSSIAN,
        "",
    ] {
        let marked = |encoding| in_units(text, encoding);
        check(
            &marked(TextEncoding::Utf8(Mark::Present)),
            text,
            "UTF-8 with a byte order mark",
        );
        for (order, name) in [(Order::Little, "LE"), (Order::Big, "BE")] {
            let bytes = marked(TextEncoding::Utf16(order, Mark::Present));
            check(&bytes, text, &format!("UTF-16{name}"));
            let bytes = marked(TextEncoding::Utf32(order, Mark::Present));
            check(&bytes, text, &format!("UTF-32{name}"));
        }
    }
}

#[test]
fn chat_f15_units_without_a_mark_are_seen_by_their_zero_bytes() {
    for text in [
        "Hello plain text here\r\n",
        "Id,Name,City\r\n1,Müller,Köln\r\n",
        "名称 数量\r\n苹果 12\r\n",
        "Привет, мир\r\n",
        "ok",
    ] {
        for (order, name) in [(Order::Little, "LE"), (Order::Big, "BE")] {
            let bytes = in_units(text, TextEncoding::Utf16(order, Mark::Absent));
            check(&bytes, text, &format!("UTF-16{name}"));
            let bytes = in_units(text, TextEncoding::Utf32(order, Mark::Absent));
            check(&bytes, text, &format!("UTF-32{name}"));
        }
    }
}

#[test]
fn chat_f15_other_encodings_are_guessed() {
    check(
        &in_bytes(RUSSIAN, WINDOWS_1251),
        RUSSIAN,
        "windows-1251, by guess",
    );
    check(&in_bytes(CHINESE, GBK), CHINESE, "GB18030 (GBK), by guess");
    check(
        &in_bytes(JAPANESE, SHIFT_JIS),
        JAPANESE,
        "Shift_JIS, by guess",
    );
    check(
        &in_bytes(GERMAN, WINDOWS_1252),
        GERMAN,
        "windows-1252, by guess",
    );
    let traditional = "您好，這是一份會議紀錄。下次會議在星期三舉行。\n";
    check(&in_bytes(traditional, BIG5), traditional, "Big5, by guess");
}

#[test]
fn chat_f15_short_texts_are_guessed_as_well() {
    for (text, encoding) in [
        ("caf\u{e9}!", WINDOWS_1252),
        ("M\u{fc}ller;K\u{f6}ln\n", WINDOWS_1252),
        ("Привет, мир", WINDOWS_1251),
        ("会议记录", GBK),
        ("名称,数量\n苹果,12\n", GBK),
        ("会議の記録です", SHIFT_JIS),
    ] {
        let bytes = in_bytes(text, encoding);
        let decoded = decode(&bytes).map(|decoded| decoded.text.into_owned());
        assert_eq!(decoded.as_deref(), Some(text), "{}", encoding.name());
    }
}

#[test]
fn chat_f15_markup_is_in_what_it_declares() {
    let page = "<html><head><meta charset=\"windows-1251\"></head><body>Да</body></html>";
    check(&in_bytes(page, WINDOWS_1251), page, "windows-1251");
    let xml = "<?xml version=\"1.0\" encoding=\"GBK\"?><a>好</a>";
    check(&in_bytes(xml, GBK), xml, "GBK");
}

#[test]
fn chat_f15_utf8_stays_what_it_is_and_damage_is_not_guessed_away() {
    check("café 你好".as_bytes(), "café 你好", "UTF-8");
    check(b"a \x01 b \x1b[0m", "a \x01 b \x1b[0m", "UTF-8");
    for damaged in [
        &b"caf\xc3\xa9, \xe4\xbd\xa0\xe5\xa5\xbd, \xe4\xbd\xa0 and \xff one"[..],
        b"\xe4\xbd\xa0\xe5\xa5",
    ] {
        assert_eq!(decode(damaged), None, "{damaged:x?}");
    }
}

#[test]
fn chat_f15_what_is_no_text_stays_binary() {
    let samples: Vec<u8> = (0..400_u16).flat_map(|it| (it * 3).to_le_bytes()).collect();
    let noise: Vec<u8> = (0..4000_u32)
        .map(|it| (it.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for binary in [
        &b"\x7fELF\0\0\x01"[..],
        b"\x7f\0\xff",
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\0\x10JFIF\0",
        b"caf\xe9\0 network",
        b"\0\0\0\0\0\0\0\0",
        &samples,
        &noise,
    ] {
        assert_eq!(decode(binary), None, "{binary:x?}");
    }
}

#[test]
fn chat_f15_a_letter_that_an_encoding_has_not_is_not_lost() {
    assert_eq!(TextEncoding::Guessed(WINDOWS_1251).encode("Да 😀"), None);
}
