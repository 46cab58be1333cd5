//! The names of files that people send: safe on every system, and never what they only seem to be.

/// The longest name, in characters and in bytes: file systems take 255 bytes.
const NAME_CHARS: usize = 80;
const NAME_BYTES: usize = 200;
/// The longest ending that counts as one, in bytes.
const ENDING_BYTES: usize = 10;
/// Names that stand for devices on Windows, whatever their ending.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];

/// What files begin with, the ending of their names, and what they are called.
const MAGIC: [(usize, &[u8], &str, &str); 10] = [
    (0, b"%PDF-", "pdf", "PDF"),
    (0, b"\xff\xd8\xff", "jpg", "JPEG"),
    (0, b"\x89PNG\r\n\x1a\n", "png", "PNG"),
    (0, b"GIF8", "gif", "GIF"),
    (8, b"WEBP", "webp", "WebP"),
    (0, b"OggS", "ogg", "OGG"),
    (0, b"ID3", "mp3", "MP3"),
    (4, b"ftyp", "mp4", "MP4"),
    (0, b"\x1f\x8b", "gz", "GZIP"),
    (8, b"WAVE", "wav", "WAV"),
];

/// Returns a name for a file that others call `wanted`, or that has no name and is usually called
/// `usual`. Letters, digits and a few marks are kept; everything else, and every path, is not.
pub(super) fn safe_name(wanted: Option<&str>, usual: &str, head: &[u8]) -> String {
    let wanted = wanted.unwrap_or_default();
    let last = wanted.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().map(plain).collect();
    let plain = plain.trim_matches(|letter: char| matches!(letter, '.' | '_' | '-'));
    if !plain.chars().any(char::is_alphanumeric) {
        return match magic(head) {
            Some((ending, _)) => format!("{usual}.{ending}"),
            None => usual.to_owned(),
        };
    }
    let (stem, ending) = split(plain);
    let stem = shortened(stem, ending.len());
    let is_device = DEVICES.iter().any(|name| stem.eq_ignore_ascii_case(name)) || is_port(&stem);
    let mark = if is_device { "_" } else { "" };
    format!("{mark}{stem}{ending}")
}

/// Returns a name with its number; the first has none.
pub(super) fn numbered(name: &str, number: usize) -> String {
    if number == 1 {
        return name.to_owned();
    }
    let (stem, ending) = split(name);
    format!("{stem}-{number}{ending}")
}

/// Returns what a file is: by its first bytes, or else by the ending of its name.
pub(super) fn kind_of(head: &[u8], name: &str) -> String {
    match magic(head) {
        Some((_, kind)) => kind.to_owned(),
        None => split(name).1.trim_start_matches('.').to_ascii_uppercase(),
    }
}

fn magic(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let begins = |start: usize, bytes: &[u8]| {
        head.get(start..)
            .is_some_and(|rest| rest.starts_with(bytes))
    };
    let found = MAGIC
        .iter()
        .find(|(start, bytes, ..)| begins(*start, bytes));
    found.map(|(_, _, ending, kind)| (*ending, *kind))
}

fn plain(letter: char) -> char {
    if letter.is_alphanumeric() || matches!(letter, '.' | '-' | '+' | '(' | ')') {
        letter
    } else {
        '_'
    }
}

/// Splits a name before its ending, which keeps its dot. One that is no plain word is none.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => {
            let (stem, ending) = name.split_at(dot);
            let is_word = ending.len() > 1
                && ending.len() <= ENDING_BYTES
                && ending
                    .bytes()
                    .skip(1)
                    .all(|byte| byte.is_ascii_alphanumeric());
            if is_word { (stem, ending) } else { (name, "") }
        }
        Some(_) | None => (name, ""),
    }
}

fn shortened(stem: &str, ending: usize) -> String {
    let mut short: String = stem.chars().take(NAME_CHARS).collect();
    short.truncate(short.floor_char_boundary(NAME_BYTES - ending));
    short
}

fn is_port(stem: &str) -> bool {
    let bytes = stem.as_bytes();
    let (name, number) = bytes.split_at(bytes.len().min(3));
    let is_named = name.eq_ignore_ascii_case(b"COM") || name.eq_ignore_ascii_case(b"LPT");
    is_named && matches!(number, [b'0'..=b'9'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, expected: &str) {
        assert_eq!(safe_name(Some(wanted), "file", b"%PDF-1.7"), expected);
    }

    #[test]
    fn a_name_is_kept_as_far_as_it_is_safe() {
        check("report.pdf", "report.pdf");
        check("年度报告 2026.xlsx", "年度报告_2026.xlsx");
        check("übersicht (1).tar.gz", "übersicht_(1).tar.gz");
        check("../../etc/passwd", "passwd");
        check("C:\\Users\\ann\\a.txt", "a.txt");
        check(".bashrc", "bashrc");
        check("-rf", "rf");
        check("a\u{202e}fdp.exe", "a_fdp.exe");
        check("a\nb`c]d.txt", "a_b_c_d.txt");
        check("nul.txt", "_nul.txt");
        check("com1", "_com1");
        check("command.txt", "command.txt");
        check("...", "file.pdf");
        check("", "file.pdf");
        check("a.not an ending", "a.not_an_ending");
    }

    #[test]
    fn a_long_name_keeps_its_ending() {
        let long = format!("{}.pdf", "a".repeat(300));
        check(&long, &format!("{}.pdf", "a".repeat(80)));
        let wide = safe_name(Some(&format!("{}.pdf", "报".repeat(300))), "file", b"");
        assert!(
            wide.len() <= NAME_BYTES && wide.ends_with("报.pdf"),
            "{wide}"
        );
    }

    #[test]
    fn a_kind_is_what_the_bytes_say() {
        assert_eq!(kind_of(b"\xff\xd8\xff\xe0", "a.png"), "JPEG");
        assert_eq!(kind_of(b"RIFF\0\0\0\0WEBPVP8 ", "a"), "WebP");
        assert_eq!(kind_of(b"PK\x03\x04", "a.docx"), "DOCX");
        assert_eq!(kind_of(b"hello", "README"), "");
        assert_eq!(numbered("a.tar.gz", 3), "a.tar-3.gz");
        assert_eq!(safe_name(None, "photo", b"\x89PNG\r\n\x1a\n"), "photo.png");
        assert_eq!(safe_name(None, "voice", b"?"), "voice");
    }
}
