//! Compound files (MS-CFB): what Office keeps encrypted documents in, and its formats of before 2007.
//! Nothing of them is read but the names of what is in them, which tell the two apart.

use super::Problem;

/// What such a file begins with.
const MAGIC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// The length of an entry of the directory, in bytes. Sectors begin at multiples of it.
const ENTRY_BYTES: usize = 128;
/// How much of an entry its name may take, in bytes.
const NAME_BYTES: usize = 64;
/// What an encrypted document has: the package itself, and how it is encrypted (MS-OFFCRYPTO, 2.3).
const ENCRYPTED: [&str; 2] = ["EncryptedPackage", "EncryptionInfo"];
/// What the formats of before 2007 have, and what they are called.
const FORMATS: [(&str, &str); 5] = [
    ("WordDocument", "in Word's format of before 2007 (.doc)"),
    ("Workbook", "in Excel's format of before 2007 (.xls)"),
    ("Book", "in Excel's format of before 1997 (.xls)"),
    (
        "PowerPoint Document",
        "in PowerPoint's format of before 2007 (.ppt)",
    ),
    ("__properties_version1.0", "a message of Outlook (.msg)"),
];

/// Returns whether a file is a compound file.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Says why a compound file cannot be read.
pub(super) fn problem(bytes: &[u8]) -> Problem {
    let names: Vec<String> = bytes.chunks_exact(ENTRY_BYTES).filter_map(name).collect();
    let has = |name: &str| names.iter().any(|it| it == name);
    if ENCRYPTED.into_iter().any(has) {
        return Problem::Encrypted;
    }
    let known = FORMATS.into_iter().find(|(name, _)| has(name));
    let what = known.map_or("in a format of Office of before 2007", |(_, what)| what);
    Problem::OldFormat(what.to_owned())
}

/// Returns the name of an entry of the directory; `None` for what is none (MS-CFB, 2.6.1).
fn name(entry: &[u8]) -> Option<String> {
    let length = u16::from_le_bytes([*entry.get(NAME_BYTES)?, *entry.get(NAME_BYTES + 1)?]);
    let length = usize::from(length);
    let is_entry = matches!(entry.get(NAME_BYTES + 2)?, 1 | 2 | 5);
    // The zero at its end is counted.
    if !is_entry || !(4..=NAME_BYTES).contains(&length) || length % 2 == 1 {
        return None;
    }
    let (units, _) = entry.get(..length - 2)?.as_chunks::<2>();
    String::from_utf16(
        &units
            .iter()
            .map(|it| u16::from_le_bytes(*it))
            .collect::<Vec<_>>(),
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use super::{ENTRY_BYTES, MAGIC, NAME_BYTES, is_one, problem};

    /// Returns a compound file whose directory has these names, somewhere behind its header.
    fn compound(names: &[&str]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.resize(1024, 0);
        for name in ["Root Entry"].iter().chain(names) {
            let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let mut entry = units.clone();
            entry.resize(ENTRY_BYTES, 0);
            entry[NAME_BYTES] = u8::try_from(units.len() + 2).unwrap();
            entry[NAME_BYTES + 2] = 2;
            file.extend(entry);
        }
        file
    }

    #[test]
    fn chat_f16_only_what_is_encrypted_is_called_so() {
        let said = |names: &[&str]| {
            let file = compound(names);
            assert!(is_one(&file));
            problem(&file).to_string()
        };
        insta::assert_snapshot!(said(&["Workbook"]), @"it is in Excel's format of before 2007 (.xls); ask the person for DOCX, XLSX or PDF");
        insta::assert_snapshot!(said(&["1Table", "WordDocument"]), @"it is in Word's format of before 2007 (.doc); ask the person for DOCX, XLSX or PDF");
        insta::assert_snapshot!(said(&["PowerPoint Document"]), @"it is in PowerPoint's format of before 2007 (.ppt); ask the person for DOCX, XLSX or PDF");
        insta::assert_snapshot!(said(&["__properties_version1.0"]), @"it is a message of Outlook (.msg); ask the person for DOCX, XLSX or PDF");
        insta::assert_snapshot!(said(&[]), @"it is in a format of Office of before 2007; ask the person for DOCX, XLSX or PDF");
        for names in [
            &["EncryptedPackage"][..],
            &["EncryptionInfo", "EncryptedPackage"],
        ] {
            insta::allow_duplicates! {
                insta::assert_snapshot!(said(names), @"it is encrypted and wants a password; ask the person for a copy without one");
            }
        }
        // What only speaks of encryption is not encrypted.
        let mut plain = compound(&["WordDocument"]);
        plain.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
        assert!(problem(&plain).to_string().contains("before 2007"));
    }
}
