//! The names of files that people send: safe on every system, and never what they only seem to be.

/// The longest name, in characters and in bytes: file systems take 255 bytes.
const NAME_CHARS: usize = 80;
const NAME_BYTES: usize = 200;
/// The longest ending that counts as one, in bytes.
const ENDING_BYTES: usize = 10;
/// Names that stand for devices on Windows, whatever their ending.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];

/// What files begin with, the ending of their names, and what they are called.
const MAGIC: [(usize, &[u8], &str, &str); 13] = [
    (0, b"%PDF-", "pdf", "PDF"),
    (0, b"\xff\xd8\xff", "jpg", "JPEG"),
    (0, b"\x89PNG\r\n\x1a\n", "png", "PNG"),
    (0, b"GIF8", "gif", "GIF"),
    (8, b"WEBP", "webp", "WebP"),
    (0, b"OggS", "ogg", "OGG"),
    (0, b"ID3", "mp3", "MP3"),
    (0, b"II*\0", "tif", "TIFF"),
    (0, b"MM\0*", "tif", "TIFF"),
    (4, b"JXL \r\n\x87\n", "jxl", "JPEG XL"),
    (4, b"jP  \r\n\x87\n", "jp2", "JPEG 2000"),
    (0, b"\x1f\x8b", "gz", "GZIP"),
    (8, b"WAVE", "wav", "WAV"),
];

/// What files with a box `ftyp` are by the beginning of a brand (ISO/IEC 14496-12, 4.3; the brands are
/// registered at mp4ra.org). The first that fits counts.
const BRANDS: [(&str, &str, &str); 17] = [
    ("avif", "avif", "AVIF"),
    ("avis", "avif", "AVIF"),
    ("heic", "heic", HEIC),
    ("heix", "heic", HEIC),
    ("heim", "heic", HEIC),
    ("heis", "heic", HEIC),
    ("hevc", "heic", HEIC),
    ("hevx", "heic", HEIC),
    ("M4A", "m4a", "M4A"),
    ("M4B", "m4a", "M4A"),
    ("M4P", "m4a", "M4A"),
    ("M4V", "m4v", "M4V"),
    ("qt", "mov", "QuickTime"),
    ("3g", "3gp", "3GP"),
    ("crx", "cr3", "Canon raw"),
    ("mif1", "heif", HEIF),
    ("msf1", "heif", HEIF),
];
/// What MP4 is called, and what every other brand is taken for.
const MP4: (&str, &str) = ("mp4", "MP4");
const HEIC: &str = "HEIC";
const HEIF: &str = "HEIF";
/// Pictures that no model is shown.
const UNSEEN: [&str; 7] = [
    HEIC,
    HEIF,
    "AVIF",
    "TIFF",
    "JPEG XL",
    "JPEG 2000",
    "Canon raw",
];
/// How many compatible brands are looked at.
const COMPATIBLE: usize = 10;

/// Returns whether a kind is one of pictures that no model is shown.
pub fn is_unseen_picture(kind: &str) -> bool {
    UNSEEN.contains(&kind)
}

/// Returns a name for a file that others call `wanted`, or that has no name and is usually called
/// `usual`. Letters, digits and a few marks are kept; everything else, and every path, is not.
pub(super) fn safe_name(wanted: Option<&str>, usual: &str, head: &[u8]) -> String {
    let wanted = wanted.unwrap_or_default();
    let last = wanted.rsplit(['/', '\\']).next().unwrap_or_default();
    let letters: String = last.chars().map(plain).collect();
    let plain = letters.trim_matches(|letter: char| matches!(letter, '.' | '_' | '-'));
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
    if begins(4, b"ftyp") {
        return Some(by_brand(head.get(8..).unwrap_or_default()));
    }
    let found = MAGIC
        .iter()
        .find(|(start, bytes, ..)| begins(*start, bytes));
    found.map(|(_, _, ending, kind)| (*ending, *kind))
}

/// Returns what a file is whose brands begin here: the major one, a version, and the compatible ones.
/// A general major brand (`mif1`, `isom`) is made precise by a compatible one.
fn by_brand(brands: &[u8]) -> (&'static str, &'static str) {
    let of = |brand: &[u8]| {
        let known = BRANDS
            .iter()
            .find(|(begin, ..)| brand.starts_with(begin.as_bytes()));
        known.map(|(_, ending, kind)| (*ending, *kind))
    };
    let mut brands = brands.chunks_exact(4);
    let major = brands.next().and_then(of);
    let is_general = major.is_none_or(|(_, kind)| kind == HEIF);
    let mut compatible = brands.skip(1).take(COMPATIBLE).filter_map(of);
    let precise = compatible.find(|(_, kind)| is_unseen_picture(kind) && *kind != HEIF);
    match (is_general, precise, major) {
        (true, Some(precise), _) => precise,
        (_, _, Some(major)) => major,
        (_, _, None) => MP4,
    }
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
        assert_eq!(kind_of(b"II*\0", "scan"), "TIFF");
        assert_eq!(numbered("a.tar.gz", 3), "a.tar-3.gz");
        assert_eq!(safe_name(None, "photo", b"\x89PNG\r\n\x1a\n"), "photo.png");
        assert_eq!(safe_name(None, "voice", b"?"), "voice");
    }

    #[test]
    fn chat_f19_a_brand_says_what_a_file_is() {
        let kind = |brands: &str| {
            let head = [b"\0\0\0\x20ftyp", brands.as_bytes(), b"\0\0\0\0"].concat();
            kind_of(&head, "IMG_1.png")
        };
        for (brands, expected) in [
            ("heic\0\0\0\0mif1heic", "HEIC"),
            ("heix\0\0\0\0", "HEIC"),
            ("hevc\0\0\0\0", "HEIC"),
            ("mif1\0\0\0\0mif1heic", "HEIC"),
            ("mif1\0\0\0\0mif1miafavif", "AVIF"),
            ("mif1\0\0\0\0miaf", "HEIF"),
            ("msf1\0\0\0\0msf1hevc", "HEIC"),
            ("avif\0\0\0\0mif1", "AVIF"),
            ("avis\0\0\0\0msf1", "AVIF"),
            ("M4A \0\0\0\0M4A mp42isom", "M4A"),
            ("M4B \0\0\0\0", "M4A"),
            ("M4V \0\0\0\0", "M4V"),
            ("qt  \0\0\x02\0qt  ", "QuickTime"),
            ("3gp5\0\0\0\0isom", "3GP"),
            ("isom\0\0\x02\0isomiso2avc1mp41", "MP4"),
            ("mp42\0\0\0\0mp42M4A ", "MP4"),
            ("", "MP4"),
        ] {
            assert_eq!(kind(brands), expected, "{brands:?}");
        }
        let unseen = ["HEIC", "HEIF", "AVIF"].map(is_unseen_picture);
        assert_eq!(unseen, [true; 3]);
        assert!(!is_unseen_picture("MP4") && !is_unseen_picture("JPEG"));
        let head = b"\0\0\0\x18ftypheic\0\0\0\0";
        assert_eq!(safe_name(None, "file", head), "file.heic");
    }
}
