//! The card as people see it: open with its buttons, and closed with its outcome.

use sayso_channel::{Button, ButtonLook, FileSource, Language, LongText, OutFile, Outbound};

use super::card_view::{CardView, OwnersWhy, Reader};
use super::messages;
use super::token::Verb;
use crate::store::cards::HeldRow;

/// The longest calls that stand on their card itself, in UTF-16 units: with title and reasons it
/// is one message on every platform, so that its outcome can be edited into it.
const CARD_UNITS: usize = 1_500;

/// The file that holds calls which are too long for their card.
const FILE_NAME: &str = "calls.txt";

/// Writes the card. What stands on it, right above it or in its file is exactly what runs: nothing
/// is shortened. `long_text` is the platform's way with calls that are too long for a card.
pub fn document(
    view: &CardView,
    reader: Reader<'_>,
    language: Language,
    long_text: LongText,
) -> Outbound {
    let calls = match long_text {
        _ if !is_long(view) => calls_in_full(view, reader, language),
        LongText::Above => heads(view, messages::stands_above(language), language),
        LongText::Attached => heads(view, messages::stands_in_file(language), language),
    };
    Outbound {
        markdown: format!("{}\n\n{calls}", messages::title(view, reader, language)),
        buttons: buttons(view, reader, language),
        file: attached(view, reader, language, long_text),
        ..Outbound::default()
    }
}

/// Writes what is said right above a card whose calls are too long to stand on it, where the
/// platform does not attach them.
pub fn preface(
    view: &CardView,
    reader: Reader<'_>,
    language: Language,
    long_text: LongText,
) -> Option<Outbound> {
    match long_text {
        LongText::Above if is_long(view) => {
            Some(Outbound::markdown(calls_in_full(view, reader, language)))
        }
        LongText::Above | LongText::Attached => None,
    }
}

/// Writes the file of a card that is open; once it was sent, it stays on its message.
fn attached(
    view: &CardView,
    reader: Reader<'_>,
    language: Language,
    long_text: LongText,
) -> Option<OutFile> {
    let has_file = long_text == LongText::Attached && is_long(view) && view.card.state == "open";
    has_file.then(|| OutFile {
        name: FILE_NAME.to_owned(),
        source: FileSource::Text(calls_as_text(view, reader, language)),
    })
}

fn calls_as_text(view: &CardView, reader: Reader<'_>, language: Language) -> String {
    let blocks: Vec<String> = numbered(view)
        .map(|(number, call)| {
            let number = number.map_or_else(String::new, |number| format!("{number}. "));
            let why = why_of(call, reader, language);
            format!("{number}{}\n\n{}\n\n{why}\n", call.tool, call.summary)
        })
        .collect();
    blocks.join("\n")
}

fn heads(view: &CardView, place: &str, language: Language) -> String {
    numbered(view)
        .map(|(number, call)| head(call, number, language))
        .chain([place.to_owned()])
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// Verdicts and titles do not count: a card stays as long as it was.
fn is_long(view: &CardView) -> bool {
    let units: usize = view
        .calls
        .iter()
        .flat_map(|call| [&call.tool, &call.summary, &call.why])
        .map(|text| text.encode_utf16().count())
        .sum();
    units > CARD_UNITS
}

fn calls_in_full(view: &CardView, reader: Reader<'_>, language: Language) -> String {
    let blocks: Vec<String> = numbered(view)
        .map(|(number, call)| {
            let head = head(call, number, language);
            let fence = fence_for(&call.summary);
            let why = why_of(call, reader, language);
            format!("{head}\n{fence}\n{}\n{fence}\n{why}", call.summary)
        })
        .collect();
    blocks.join("\n\n")
}

/// Returns why a call is asked about, in the language of its reader.
fn why_of(call: &HeldRow, reader: Reader<'_>, language: Language) -> String {
    let stored = match reader {
        Reader::Asker => None,
        Reader::Owner(_) => call.owners_why.as_deref(),
    };
    let owners: Option<OwnersWhy> = stored.and_then(|why| serde_json::from_str(why).ok());
    match (owners, language) {
        (Some(why), Language::English) => why.en,
        (Some(why), Language::Chinese) => why.zh,
        (None, _) => call.why.clone(),
    }
}

/// Returns the calls with their numbers; one that is alone needs none.
fn numbered(view: &CardView) -> impl Iterator<Item = (Option<usize>, &HeldRow)> {
    let alone = view.calls.len() == 1;
    let calls = view.calls.iter().enumerate();
    calls.map(move |(position, call)| ((!alone).then_some(position + 1), call))
}

fn head(call: &HeldRow, number: Option<usize>, language: Language) -> String {
    let mark = messages::verdict_mark(call.verdict.as_deref(), language);
    match number {
        Some(number) => format!("**{number}.** `{}`{mark}", call.tool),
        None => format!("`{}`{mark}", call.tool),
    }
}

/// Returns a fence that the text cannot close.
pub(super) fn fence_for(text: &str) -> String {
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

fn buttons(view: &CardView, reader: Reader<'_>, language: Language) -> Vec<Vec<Button>> {
    if view.card.state != "open" || view.card.why_by.is_some() {
        return Vec::new();
    }
    let is_elsewhere = view.card.approved_in == "elsewhere";
    match (reader, view.calls.as_slice()) {
        (Reader::Asker, _) if is_elsewhere => vec![vec![deny_whole(view, language)]],
        (Reader::Owner(_), [call]) => vec![single_row(call, language)],
        (Reader::Asker, [call]) => {
            vec![single_row(call, language), further_row(call, language)]
        }
        (Reader::Asker | Reader::Owner(_), calls) => rows_of_several(view, calls, language),
    }
}

/// The button by which the asker takes it back; only an owner approves it.
fn deny_whole(view: &CardView, language: Language) -> Button {
    button(
        messages::deny(language),
        Verb::DenyAll.button(&view.card.token),
        Some('n'),
        ButtonLook::No,
    )
}

fn rows_of_several(view: &CardView, calls: &[HeldRow], language: Language) -> Vec<Vec<Button>> {
    let mut rows: Vec<Vec<Button>> = calls
        .iter()
        .enumerate()
        .filter(|(_, call)| call.verdict.is_none())
        .map(|(position, call)| numbered_row(call, position + 1))
        .collect();
    rows.push(vec![
        button(
            messages::approve_all(language),
            Verb::ApproveAll.button(&view.card.token),
            Some('y'),
            ButtonLook::Yes,
        ),
        button(
            messages::deny_all(language),
            Verb::DenyAll.button(&view.card.token),
            Some('n'),
            ButtonLook::No,
        ),
    ]);
    rows
}

fn single_row(call: &HeldRow, language: Language) -> Vec<Button> {
    let mut row = vec![button(
        messages::approve(language),
        Verb::Approve.button(&call.token),
        Some('y'),
        ButtonLook::Yes,
    )];
    if call.pattern.is_some() {
        row.push(button(
            messages::always(language),
            Verb::Always.button(&call.token),
            Some('a'),
            ButtonLook::Plain,
        ));
    }
    row.push(button(
        messages::deny(language),
        Verb::Deny.button(&call.token),
        Some('n'),
        ButtonLook::No,
    ));
    row
}

fn further_row(call: &HeldRow, language: Language) -> Vec<Button> {
    let alike = call.prefix.as_deref().and_then(messages::covered_words);
    let alike = alike.map(|words| {
        button(
            &messages::always_alike(&words, language),
            Verb::AlwaysAlike.button(&call.token),
            Some('p'),
            ButtonLook::Plain,
        )
    });
    let why = button(
        messages::deny_and_say_why(language),
        Verb::DenyWhy.button(&call.token),
        Some('w'),
        ButtonLook::Plain,
    );
    alike.into_iter().chain([why]).collect()
}

fn numbered_row(call: &HeldRow, number: usize) -> Vec<Button> {
    vec![
        button(
            &format!("✓ {number}"),
            Verb::Approve.button(&call.token),
            None,
            ButtonLook::Yes,
        ),
        button(
            &format!("✗ {number}"),
            Verb::Deny.button(&call.token),
            None,
            ButtonLook::No,
        ),
    ]
}

fn button(label: &str, token: String, key: Option<char>, look: ButtonLook) -> Button {
    Button {
        label: label.to_owned(),
        token,
        key,
        look,
    }
}
