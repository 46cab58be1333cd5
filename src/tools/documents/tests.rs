//! Documents of every kind as text, and what is made of hostile ones.

use super::samples::{file, package, pdf, stream, word};
use super::{Problem, Wanted, read};

fn wanted() -> Wanted {
    Wanted {
        pages: None,
        sheet: None,
        offset: 0,
        limit: 10_000,
    }
}

fn text(bytes: &[u8]) -> String {
    read(bytes, &wanted()).unwrap()
}

fn problem(bytes: &[u8]) -> String {
    read(bytes, &wanted()).unwrap_err().to_string()
}

fn pages(bytes: &[u8], pages: &str) -> Result<String, Problem> {
    let pages = Some(pages.to_owned());
    read(bytes, &Wanted { pages, ..wanted() })
}

const LATIN: &str = "BT /F1 12 Tf 72 720 Td (Annual report) Tj 0 -20 Td (Profit: 42) Tj ET";
const CHINESE: &str = "BT /F2 12 Tf 72 720 Td <00010002> Tj ET";

#[test]
fn a_pdf_is_read_page_by_page_in_any_script() {
    let report = pdf(&[LATIN, CHINESE]);
    insta::assert_snapshot!(text(&report), @r"
    [PDF, 2 pages]
    ## page 1
    Annual report
    Profit: 42

    ## page 2
    年报
    ");
    insta::assert_snapshot!(pages(&report, "2").unwrap(), @r"
    [PDF, 2 pages]
    ## page 2
    年报
    ");
    insta::assert_snapshot!(pages(&report, "3-4").unwrap_err(), @"`pages`: there are only 2");
    insta::assert_snapshot!(pages(&report, "two").unwrap_err(), @"`pages`: `two` is not allowed; write 3, 3-5 or 1,4-6");
}

#[test]
fn a_scan_says_that_it_has_no_text() {
    let scan = pdf(&["q 595 0 0 842 0 0 cm /Im1 Do Q"]);
    insta::assert_snapshot!(text(&scan), @r"
    [PDF, 1 pages]
    [these pages have no text: they are pictures, as of a scan, and pictures of text are not read here]
    ");
}

#[test]
fn a_document_of_word_is_its_words_without_what_was_deleted() {
    let body = "<w:p><w:r><w:t>Dear &amp; honoured</w:t><w:tab/><w:t>Ann</w:t></w:r>\
        <w:del><w:r><w:delText>no</w:delText><w:t>gone</w:t></w:r></w:del></w:p>\
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>\
        <w:tc><w:p><w:r><w:t>b&#x4E2D;</w:t></w:r></w:p></w:tc></w:tr></w:tbl>\
        <w:p><w:r><w:instrText>PAGE</w:instrText><w:t>end</w:t></w:r></w:p>";
    insta::assert_snapshot!(text(&word(body)).replace('\t', "|"), @r"
    [DOCX]
    Dear & honoured|Ann
    a|b中
    end
    ");
}

fn workbook() -> Vec<u8> {
    package(&[
        ROOT,
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name=\"Sales &amp; more\" r:id=\"r1\"/>\
             <sheet name=\"Empty\" r:id=\"r2\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\" Type=\"t/worksheet\"/>\
             <Relationship Id=\"r2\" Target=\"/xl/worksheets/sheet2.xml\" Type=\"t/worksheet\"/></Relationships>",
        ),
        (
            "xl/sharedStrings.xml",
            "<sst><si><t>day</t></si><si><r><t>pro</t></r><r><t>fit</t></r>\
             <rPh><t>x</t></rPh></si></sst>",
        ),
        (
            "xl/styles.xml",
            "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\"dd/mm/yy\"/></numFmts>\
             <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"170\"/></cellXfs></styleSheet>",
        ),
        (
            "xl/worksheets/sheet1.xml",
            "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c>\
             <c r=\"C1\" t=\"s\"><v>1</v></c></row><row r=\"2\"><c r=\"A2\" s=\"1\"><v>46348</v></c>\
             <c r=\"C2\"><f>1+1</f><v>2.5</v></c><c r=\"D2\" t=\"b\"><v>1</v></c>\
             <c r=\"E2\" t=\"inlineStr\"><is><t>in\nline</t></is></c></row></sheetData></worksheet>",
        ),
        (
            "xl/worksheets/sheet2.xml",
            "<worksheet><sheetData/></worksheet>",
        ),
    ])
}

#[test]
fn a_workbook_is_its_sheets_as_rows_of_cells() {
    insta::assert_snapshot!(text(&workbook()).replace('\t', "|"), @r"
    [XLSX, sheets: Sales & more, Empty]
    ## sheet Sales & more
    day||profit
    2026-11-22||2.5|TRUE|in line
    ");
    let sheet = |sheet: &str| {
        let sheet = Some(sheet.to_owned());
        read(&workbook(), &Wanted { sheet, ..wanted() })
    };
    insta::assert_snapshot!(sheet("2").unwrap(), @r"
    [XLSX, sheets: Sales & more, Empty]
    [there is nothing in these cells]
    ");
    assert!(sheet("Sales & more").unwrap().contains("2026-11-22"));
    insta::assert_snapshot!(sheet("Costs").unwrap_err(), @"`sheet`: there is no `Costs`; there are Sales & more, Empty");
}

/// Says where the workbook of a package is.
const ROOT: (&str, &str) = (
    "_rels/.rels",
    "<Relationships><Relationship Id=\"r0\" Target=\"xl/workbook.xml\" \
     Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\"/>\
     </Relationships>",
);

/// Returns a workbook with one sheet of this markup, and these texts that cells share.
fn one_sheet(sheet: &str, shared: &str) -> Vec<u8> {
    package(&[
        ROOT,
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\" Type=\"t/worksheet\"/></Relationships>",
        ),
        ("xl/sharedStrings.xml", shared),
        ("xl/worksheets/sheet1.xml", sheet),
    ])
}

#[test]
fn a_sheet_that_claims_to_be_huge_costs_what_is_in_it() {
    let sheet = "<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData>\
        <row r=\"1\"><c r=\"A1\" t=\"str\"><v>near</v></c></row>\
        <row r=\"1048576\"><c r=\"XFD1048576\" t=\"str\"><v>far</v></c></row>\
        </sheetData></worksheet>";
    let begun = std::time::Instant::now();
    let text = text(&one_sheet(sheet, "<sst></sst>"));
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    let far = format!("{}far", "\t".repeat(256));
    assert_eq!(text, format!("[XLSX, sheets: S]\n## sheet S\nnear\n{far}"));
}

#[test]
fn a_workbook_that_unpacks_to_too_much_is_refused() {
    let zeros = format!(
        "<sst><si><t>{}</t></si></sst>",
        " ".repeat(70 * 1024 * 1024)
    );
    let bomb = one_sheet("<worksheet><sheetData/></worksheet>", &zeros);
    assert!(bomb.len() < 1024 * 1024);
    insta::assert_snapshot!(problem(&bomb), @"it unpacks to more than a document may, as a bomb does");
}

#[test]
fn slides_and_open_documents_are_read() {
    let slide = |text: &str| format!("<p:sld><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sld>");
    let slides = package(&[
        ("ppt/presentation.xml", "<p/>"),
        ("ppt/slides/slide1.xml", &slide("first")),
        ("ppt/slides/slide2.xml", &slide("second")),
    ]);
    insta::assert_snapshot!(pages(&slides, "2").unwrap(), @r"
    [PPTX, 2 slides]
    ## slide 2
    second
    ");
    let letter = package(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            "<o><text:h>Title</text:h><text:p>one<text:s text:c=\"2\"/>two<text:line-break/>\
             three</text:p></o>",
        ),
    ]);
    insta::assert_snapshot!(text(&letter), @r"
    [ODT]
    Title
    one  two
    three
    ");
    let table = package(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        (
            "content.xml",
            "<o><table:table table:name=\"T\"><table:table-row><table:table-cell><text:p>a</text:p>\
             </table:table-cell><table:table-cell table:number-columns-repeated=\"2\"/>\
             <table:table-cell><text:p>d</text:p></table:table-cell></table:table-row>\
             </table:table></o>",
        ),
    ]);
    insta::assert_snapshot!(text(&table).replace('\t', "|"), @r"
    [ODS, sheets: T]
    ## sheet T
    a|||d
    ");
}

#[test]
fn a_long_document_is_read_on_where_it_was_cut() {
    let body = "<w:p><w:r><w:t>报告报告</w:t></w:r></w:p>".repeat(100);
    let long = word(&body);
    let mut offset = 0;
    let mut gathered = String::new();
    loop {
        let wanted = Wanted {
            offset,
            limit: 100,
            ..wanted()
        };
        let shown = read(&long, &wanted).unwrap();
        let part = shown.strip_prefix("[DOCX]\n").unwrap();
        let Some((text, note)) = part.split_once("\n[there is more: read on with offset ") else {
            gathered.push_str(part);
            break;
        };
        gathered.push_str(text);
        offset = note.strip_suffix(']').unwrap().parse().unwrap();
    }
    assert_eq!(gathered.matches('报').count(), 200);
    assert_eq!(gathered.matches('告').count(), 200);
    let past = Wanted {
        offset: 1_000_000,
        ..wanted()
    };
    insta::assert_snapshot!(read(&long, &past).unwrap_err(), @"offset 1000000 is past the end, which is at 1299");
}

#[test]
fn pages_of_the_web_and_plain_text_are_text() {
    insta::assert_snapshot!(text(b"<!DOCTYPE html><html><body><h1>Hi</h1><script>x</script></body></html>"), @r"
    [HTML]
    # Hi
    ");
    insta::assert_snapshot!(text("a,b\n1,2".as_bytes()), @r"
    [text]
    a,b
    1,2
    ");
}

#[test]
fn a_bomb_is_not_unpacked() {
    let zeros = " ".repeat(70 * 1024 * 1024);
    let bomb = word(&zeros);
    assert!(bomb.len() < 1024 * 1024);
    insta::assert_snapshot!(problem(&bomb), @"it unpacks to more than a document may, as a bomb does");
    let bomb = pdf(&[&zeros]);
    insta::assert_snapshot!(problem(&bomb), @"it unpacks to more than a document may, as a bomb does");
}

#[test]
fn deep_markup_is_refused_and_entities_are_not_unfolded() {
    let deep = format!("{}{}", "<w:p>".repeat(1_000), "</w:p>".repeat(1_000));
    insta::assert_snapshot!(problem(&word(&deep)), @"it is nested too deeply to be read");
    let laughs = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>\
        <w:document><w:p><w:t>x&b;y</w:t></w:p></w:document>";
    let laughs = package(&[("word/document.xml", laughs)]);
    insta::assert_snapshot!(text(&laughs), @r"
    [DOCX]
    xy
    ");
}

#[test]
fn what_is_damaged_or_locked_says_so() {
    let whole = word("<w:p><w:r><w:t>hello</w:t></w:r></w:p>");
    let cut = &whole[..whole.len() / 2];
    assert!(
        problem(cut).starts_with("it is damaged or cut off"),
        "{}",
        problem(cut)
    );
    let unclosed = package(&[("word/document.xml", "<w:document><w:p>")]);
    assert!(
        problem(&unclosed).starts_with("it is damaged"),
        "{}",
        problem(&unclosed)
    );
    let report = pdf(&[LATIN]);
    for end in (10..report.len()).step_by(7) {
        // Whatever is left of it: an answer, and no panic.
        let _ = read(&report[..end], &wanted());
    }
    insta::assert_snapshot!(problem(b"\x7fELF\x00"), @"it is no document that can be read here: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, HTML or text");
    insta::assert_snapshot!(problem(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest"), @"it is in a format of Office of before 2007; ask the person for DOCX, XLSX or PDF");
    let locked = file(
        &[
            (1, b"<< /Type /Catalog /Pages 2 0 R >>".to_vec()),
            (2, b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec()),
            (
                3,
                b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>".to_vec(),
            ),
            (4, stream(b"secret")),
            (
                7,
                format!(
                    "<< /Filter /Standard /V 1 /R 2 /P -4 /O <{0}> /U <{0}> >>",
                    "41".repeat(32)
                )
                .into_bytes(),
            ),
        ],
        "/Encrypt 7 0 R /ID [<41> <41>]",
    );
    insta::assert_snapshot!(problem(&locked), @"it is encrypted and wants a password; ask the person for a copy without one");
}

#[test]
fn a_pdf_that_leads_in_circles_ends() {
    let circle = file(
        &[
            (1, b"<< /Type /Catalog /Pages 2 0 R >>".to_vec()),
            (
                2,
                b"<< /Type /Pages /Count 1 /Kids [2 0 R 3 0 R] >>".to_vec(),
            ),
            (
                3,
                b"<< /Type /Page /Parent 3 0 R /Contents 4 0 R >>".to_vec(),
            ),
            (4, b"4 0 R".to_vec()),
        ],
        "",
    );
    // Whatever is made of it, it ends.
    let _ = read(&circle, &wanted());
}

#[test]
fn chat_f15_texts_and_pages_in_other_encodings_are_read() {
    let gbk = b"\xc4\xe3\xba\xc3\xa3\xac\xd5\xe2\xca\xc7\xd2\xbb\xb7\xdd\xbb\xe1\xd2\xe9\xbc\xc7\xc2\xbc\xa1\xa3";
    insta::assert_snapshot!(text(gbk), @r"
    [text, in GB18030 (GBK), by guess]
    你好，这是一份会议记录。
    ");
    let page = b"<html><head><meta charset=windows-1251></head><body><p>\xc4\xe0</p></body></html>";
    insta::assert_snapshot!(text(page), @r"
    [HTML, in windows-1251]
    Да
    ");
}
