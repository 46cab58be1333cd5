//! The card as people see it: open with its buttons, and decided with its outcome.

use sayso_channel::{FileSource, Language, LongText, OutFile, Outbound};
use sayso_core::transcript::FILE_EDITS;
use sayso_store::cards::CardState;
use sayso_store::cards::HeldRow;

use super::card_buttons::buttons;
use super::card_view::{CardView, OwnersWhy, Reader};
use super::messages;

/// The longest calls that stand on their card itself, in UTF-16 units: with title and reasons it
/// is one message on every platform, so that its outcome can be edited into it.
const CARD_UNITS: usize = 1_500;

/// The file that holds calls which are too long for their card.
const FILE_NAME: &str = "calls.txt";

/// Writes the card. What stands on it while it is open, right above it or in its file is exactly
/// what runs: nothing is shortened. `long_text` is the platform's way with calls that are too long
/// for a card.
pub fn document(
    view: &CardView,
    reader: Reader<'_>,
    language: Language,
    long_text: LongText,
) -> Outbound {
    let markdown = if view.card.state != CardState::Open {
        messages::settled(view, reader, language)
    } else if view.card.why_by.is_some() {
        messages::waits_for_reason(view, language)
    } else {
        let page = Page::of(view, reader, language);
        let calls = match long_text {
            _ if !is_long(view) => page.in_full(),
            LongText::Above => page.heads(messages::stands_above(language)),
            LongText::Attached => page.heads(messages::stands_in_file(language)),
        };
        let title = messages::title(view, reader, language);
        [Some(title), Some(calls), Some(page.footer())]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n")
    };
    Outbound {
        markdown,
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
            let calls = Page::of(view, reader, language).calls();
            Some(Outbound::markdown(calls.join("\n\n")))
        }
        LongText::Above | LongText::Attached => None,
    }
}

/// Writes what answers a person who says yes or no in words: the calls cut short, and the buttons
/// of their card.
pub fn reminder(view: &CardView, reader: Reader<'_>, language: Language) -> Outbound {
    Outbound {
        buttons: buttons(view, reader, language),
        ..Outbound::markdown(messages::remind(view, language))
    }
}

/// Writes the file of a card that is open; once it was sent, it stays on its message.
fn attached(
    view: &CardView,
    reader: Reader<'_>,
    language: Language,
    long_text: LongText,
) -> Option<OutFile> {
    let has_file =
        long_text == LongText::Attached && is_long(view) && view.card.state == CardState::Open;
    has_file.then(|| OutFile {
        name: FILE_NAME.to_owned(),
        source: FileSource::Text(Page::of(view, reader, language).as_text()),
    })
}

/// Verdicts and titles do not count: a card stays as long as it was.
fn is_long(view: &CardView) -> bool {
    let units: usize = view
        .calls
        .iter()
        .flat_map(|call| [&call.summary, &call.why])
        .map(|text| text.encode_utf16().count())
        .sum();
    units > CARD_UNITS
}

/// The calls of an open card, as one reader sees them.
struct Page<'a> {
    view: &'a CardView,
    language: Language,
    /// Why each call is asked about.
    whys: Vec<String>,
    /// What confines each call.
    footers: Vec<Option<String>>,
}

impl<'a> Page<'a> {
    fn of(view: &'a CardView, reader: Reader<'_>, language: Language) -> Self {
        let (whys, footers) = view
            .calls
            .iter()
            .map(|call| reasons_of(call, reader, language))
            .unzip();
        Self {
            view,
            language,
            whys,
            footers,
        }
    }

    /// Returns the calls with their numbers; one that is alone needs none.
    fn numbered(&self) -> impl Iterator<Item = (Option<usize>, &'a HeldRow)> + use<'a> {
        let alone = self.view.calls.len() == 1;
        let calls = self.view.calls.iter().enumerate();
        calls.map(move |(position, call)| ((!alone).then_some(position + 1), call))
    }

    /// Returns the reasons that all of several calls share, which are said once.
    fn common_why(&self) -> Option<&str> {
        let first = self.whys.first()?;
        let is_common = self.whys.len() > 1 && self.whys.iter().all(|why| why == first);
        is_common.then_some(first.as_str())
    }

    /// Returns what confines all calls; `None` where it differs.
    fn common_footer(&self) -> Option<&str> {
        let first = self.footers.first()?.as_deref()?;
        let is_common = self
            .footers
            .iter()
            .all(|footer| footer.as_deref() == Some(first));
        is_common.then_some(first)
    }

    fn footer(&self) -> String {
        messages::footer(self.common_footer(), self.view, self.language)
    }

    /// Returns what is said of one call: its reasons, and what confines it where it differs.
    fn notes(&self, position: usize) -> Option<String> {
        let why = self.whys.get(position).map(String::as_str);
        let footer = self.footers.get(position).and_then(Option::as_deref);
        let lines: Vec<&str> = [
            why.filter(|why| self.common_why().is_none() && !why.is_empty()),
            footer.filter(|_| self.common_footer().is_none()),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Returns what is said of all calls.
    fn common_notes(&self) -> Option<String> {
        let all = messages::all_of_these(self.language);
        self.common_why().map(|why| format!("{all}\n{why}"))
    }

    fn head(&self, number: Option<usize>, call: &HeldRow) -> Option<String> {
        let mark = messages::verdict_mark(call.verdict, self.language);
        number.map(|number| format!("**{number}.**{mark}"))
    }

    /// Returns each call in full, in a fence of its own, with what is said of it.
    fn calls(&self) -> Vec<String> {
        let calls = self.numbered().enumerate();
        let blocks = calls.map(|(position, (number, call))| {
            let fence = fence_for(&call.summary);
            let language = if FILE_EDITS.contains(&call.tool.as_str()) {
                "diff"
            } else {
                ""
            };
            let fenced = format!("{fence}{language}\n{}\n{fence}", call.summary);
            let parts = [self.head(number, call), Some(fenced), self.notes(position)];
            parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
        });
        blocks.collect()
    }

    fn in_full(&self) -> String {
        let calls = self.calls().into_iter();
        let blocks: Vec<String> = calls.chain(self.common_notes()).collect();
        blocks.join("\n\n")
    }

    /// Returns what stands on a card whose calls stand elsewhere: the reasons stay.
    fn heads(&self, place: &str) -> String {
        let calls = self.numbered().enumerate();
        let heads = calls.filter_map(|(position, (number, call))| {
            let parts = [self.head(number, call), self.notes(position)];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            (!parts.is_empty()).then(|| parts.join("\n"))
        });
        let blocks: Vec<String> = std::iter::once(place.to_owned())
            .chain(heads)
            .chain(self.common_notes())
            .collect();
        blocks.join("\n\n")
    }

    fn as_text(&self) -> String {
        let blocks: Vec<String> = self
            .numbered()
            .map(|(number, call)| {
                let number = number.map_or_else(String::new, |number| format!("{number}. "));
                format!("{number}{}\n", call.summary)
            })
            .collect();
        blocks.join("\n")
    }
}

/// Returns why a call is asked about and what confines it, in the language of its reader.
fn reasons_of(call: &HeldRow, reader: Reader<'_>, language: Language) -> (String, Option<String>) {
    let stored = match reader {
        Reader::Asker => None,
        Reader::Owner(_) => call.owners_why.as_deref(),
    };
    let owners: Option<OwnersWhy> = stored.and_then(|why| serde_json::from_str(why).ok());
    match (owners, language) {
        (Some(why), Language::English) => (why.en, why.footer_en),
        (Some(why), Language::Chinese) => (why.zh, why.footer_zh),
        (None, _) => (call.why.clone(), call.footer.clone()),
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
