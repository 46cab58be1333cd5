//! Documents made by hand, for tests.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A font that maps two-byte codes to Chinese by its own table alone.
const TO_UNICODE: &str = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n\
    /CMapName /Own def /CMapType 2 def\n\
    1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
    2 beginbfchar <0001> <5E74> <0002> <62A5> endbfchar\n\
    endcmap end end";

/// Returns a ZIP file of these files.
pub(super) fn package(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Returns a document of Word with this body.
pub(super) fn word(body: &str) -> Vec<u8> {
    let document =
        format!("<?xml version=\"1.0\"?><w:document><w:body>{body}</w:body></w:document>");
    package(&[("word/document.xml", &document)])
}

/// Returns a PDF with one page for each of these contents, in a Latin font `F1` and a Chinese `F2`.
pub(super) fn pdf(pages: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len())
        .map(|page| format!("{} 0 R", 10 + 2 * page))
        .collect();
    let mut objects: Vec<(usize, Vec<u8>)> = vec![
        (1, b"<< /Type /Catalog /Pages 2 0 R >>".to_vec()),
        (
            2,
            format!(
                "<< /Type /Pages /Count {} /Kids [{}] >>",
                pages.len(),
                kids.join(" ")
            )
            .into_bytes(),
        ),
        (
            3,
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
                .to_vec(),
        ),
        (
            4,
            b"<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H \
              /DescendantFonts [5 0 R] /ToUnicode 6 0 R >>"
                .to_vec(),
        ),
        (
            5,
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo \
              << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
                .to_vec(),
        ),
        (6, stream(TO_UNICODE.as_bytes())),
    ];
    for (page, content) in pages.iter().enumerate() {
        let number = 10 + 2 * page;
        let dictionary = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R \
             /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>",
            number + 1
        );
        objects.push((number, dictionary.into_bytes()));
        objects.push((number + 1, stream(content.as_bytes())));
    }
    file(&objects, "")
}

/// Returns a packed stream.
pub(super) fn stream(content: &[u8]) -> Vec<u8> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(content).unwrap();
    let packed = packed.finish().unwrap();
    let mut stream = format!(
        "<< /Filter /FlateDecode /Length {} >>\nstream\n",
        packed.len()
    )
    .into_bytes();
    stream.extend(packed);
    stream.extend(b"\nendstream");
    stream
}

/// Writes objects as a file with its table of places.
pub(super) fn file(objects: &[(usize, Vec<u8>)], trailer: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = String::new();
    for (number, body) in objects {
        writeln!(table, "{number} 1\n{:010} 00000 n ", file.len()).unwrap();
        file.extend(format!("{number} 0 obj\n").into_bytes());
        file.extend(body);
        file.extend(b"\nendobj\n");
    }
    let begin = file.len();
    let size = objects.iter().map(|(number, _)| number + 1).max().unwrap();
    let end = format!(
        "xref\n0 1\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n\
         startxref\n{begin}\n%%EOF\n"
    );
    file.extend(end.into_bytes());
    file
}
