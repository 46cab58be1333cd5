//! Reports in JUnit's XML, as pytest, `node --test`, Maven, Gradle and others write them.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::super::findings::{Findings, Tool, add};
use super::super::place::Trace;

/// How much text of one failure is read, in bytes.
const MAX_TEXT: usize = 32 << 10;

/// What is known of the test case that is being read.
#[derive(Default)]
struct Case {
    name: String,
    is_failing: bool,
    is_skipped: bool,
    message: String,
    text: String,
    /// Inside of a `failure` or `error`.
    is_inside: bool,
}

/// Reads a report at the beginning of some bytes; returns its length, or `None` where it is no such
/// report. Elements may be nested to any depth: only their number is kept.
pub(in super::super) fn read(report: &[u8], findings: &mut Findings) -> Option<usize> {
    let text = String::from_utf8_lossy(report);
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    let mut depth = 0_usize;
    let mut case = None;
    let mut is_report = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(element) => {
                depth += 1;
                is_report |= is_root(&element);
                start(&element, &mut case);
            }
            Event::Empty(element) => {
                is_report |= is_root(&element);
                start(&element, &mut case);
                end(element.name().as_ref(), &mut case, findings);
            }
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                end(element.name().as_ref(), &mut case, findings);
            }
            Event::Text(text) => append(&mut case, &text),
            Event::CData(text) => append(&mut case, &text),
            Event::GeneralRef(reference) => append_reference(&mut case, &reference),
            Event::Eof => break,
            _ => continue,
        }
        if depth == 0 && is_report {
            break;
        }
        if depth > 0 && !is_report {
            // The root is another document's.
            return None;
        }
    }
    is_report.then(|| {
        findings.saw(Tool::Junit);
        usize::try_from(reader.buffer_position())
            .unwrap_or(report.len())
            .min(report.len())
    })
}

fn is_root(element: &BytesStart<'_>) -> bool {
    matches!(element.name().as_ref(), "testsuites" | "testsuite")
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    let value = attribute.value.into_owned();
    Some(quick_xml::escape::unescape(&value).map_or(value.clone(), std::borrow::Cow::into_owned))
}

fn start(element: &BytesStart<'_>, case: &mut Option<Case>) {
    match element.name().as_ref() {
        "testcase" => {
            let name = attribute(element, "name").unwrap_or_default();
            let owner = attribute(element, "classname")
                .filter(|owner| !owner.is_empty() && owner != "test");
            let name = owner.map_or(name.clone(), |owner| format!("{owner}::{name}"));
            *case = Some(Case {
                name,
                ..Case::default()
            });
        }
        "failure" | "error" => {
            if let Some(case) = case {
                case.is_failing = true;
                case.is_inside = true;
                if case.message.is_empty() {
                    case.message = attribute(element, "message").unwrap_or_default();
                }
            }
        }
        "skipped" => {
            if let Some(case) = case {
                case.is_skipped = true;
            }
        }
        _ => {}
    }
}

fn append(case: &mut Option<Case>, text: &str) {
    if let Some(case) = case.as_mut().filter(|case| case.is_inside)
        && case.text.len() + text.len() <= MAX_TEXT
    {
        case.text.push_str(text);
    }
}

fn append_reference(case: &mut Option<Case>, reference: &BytesRef<'_>) {
    let name: &str = reference;
    let written = format!("&{name};");
    if let Ok(text) = quick_xml::escape::unescape(&written) {
        append(case, &text);
    }
}

fn end(name: &str, case: &mut Option<Case>, findings: &mut Findings) {
    match name {
        "failure" | "error" => {
            if let Some(case) = case {
                case.is_inside = false;
            }
        }
        "testcase" => {
            if let Some(case) = case.take() {
                close(&case, findings);
            }
        }
        _ => {}
    }
}

fn close(case: &Case, findings: &mut Findings) {
    let count = if case.is_failing {
        &mut findings.counts.failed
    } else if case.is_skipped {
        &mut findings.counts.skipped
    } else {
        &mut findings.counts.passed
    };
    add(count, 1);
    if case.is_failing {
        let places = Trace::of(case.text.lines()).places();
        let message = if case.message.trim().is_empty() {
            &case.text
        } else {
            &case.message
        };
        findings.failed(&case.name, message.lines(), places);
    }
}
