//! Removing a person's words from journal entries that belong to someone else's turn.

use serde_json::Value;

/// Stands where words were.
pub(super) const ERASED: &str = "[erased]";
/// The fields of an entry that hold words of people, models and tools. What else is a string names
/// something, and the entry could not be read without it.
const WORDS: [&str; 11] = [
    "text",
    "reasoning_content",
    "output",
    "error",
    "partial",
    "message",
    "why",
    "question",
    "choices",
    "request",
    "done",
];
/// The fields that hold whatever a model or another driver wrote.
const ARGUMENTS: [&str; 2] = ["arguments", "payload"];

/// Returns the entry without the words, and `None` where they are not in it.
///
/// Words inside of longer words stay: who said "n" did not say every n.
pub(super) fn without(body: &str, words: &str) -> Result<Option<String>, serde_json::Error> {
    let mut entry: Value = serde_json::from_str(body)?;
    let changed = erase(&mut entry, words, false);
    changed.then(|| serde_json::to_string(&entry)).transpose()
}

/// Returns whether something changed. `are_words` is whether strings here are words.
fn erase(value: &mut Value, words: &str, are_words: bool) -> bool {
    match value {
        Value::String(text) if are_words => match erased(text, words) {
            Some(rest) => {
                *text = rest;
                true
            }
            None => false,
        },
        Value::Array(values) => values.iter_mut().fold(false, |changed, value| {
            erase(value, words, are_words) | changed
        }),
        Value::Object(fields) => fields.iter_mut().fold(false, |changed, (name, value)| {
            let inner = if ARGUMENTS.contains(&name.as_str()) {
                erase_all(value, words)
            } else {
                erase(value, words, WORDS.contains(&name.as_str()))
            };
            inner | changed
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn erase_all(value: &mut Value, words: &str) -> bool {
    match value {
        Value::Object(fields) => fields
            .values_mut()
            .fold(false, |changed, value| erase_all(value, words) | changed),
        Value::Array(values) => values
            .iter_mut()
            .fold(false, |changed, value| erase_all(value, words) | changed),
        other => erase(other, words, true),
    }
}

/// Returns the text without the words wherever they stand by themselves, if they do.
fn erased(text: &str, words: &str) -> Option<String> {
    let mut rest = String::with_capacity(text.len());
    let mut kept = 0;
    for (start, found) in text.match_indices(words) {
        let end = start + found.len();
        if !is_inside_a_word(text, start) && !is_inside_a_word(text, end) {
            rest.push_str(text.get(kept..start)?);
            rest.push_str(ERASED);
            kept = end;
        }
    }
    rest.push_str(text.get(kept..)?);
    (kept > 0).then_some(rest)
}

/// Returns whether a word in Latin letters goes on over this place.
fn is_inside_a_word(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    before.ends_with(|last: char| last.is_ascii_alphanumeric())
        && after.starts_with(|next: char| next.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{
        AssistantMessage, CallId, Decided, Entry, Heard, HeardText, InboxId, Returned, ToolCall,
        ToolOutcome, TurnOutcome, UserId, Verdict,
    };
    use serde_json::json;

    use super::without;

    fn left(entry: &Entry, words: &str) -> Option<Entry> {
        let body = serde_json::to_string(entry).unwrap();
        let rest = without(&body, words).unwrap()?;
        Some(serde_json::from_str(&rest).unwrap())
    }

    fn decided(why: &str) -> Entry {
        Entry::Decided(Decided {
            call: CallId("a1".to_owned()),
            verdict: Verdict::Denied {
                by: UserId(1),
                why: Some(why.to_owned()),
            },
        })
    }

    #[test]
    fn entry_stays_readable_whatever_the_words_are() {
        let outcome = ToolOutcome::denied("Denied by another: n");
        let returned = Entry::Returned(Returned {
            call: CallId("a1".to_owned()),
            outcome,
            tainted: false,
            own: false,
            screened: None,
        });
        for words in [
            "n", "entry", "returned", "outcome", "kind", "call", "1", "\"",
        ] {
            left(&decided(words), words).unwrap();
            left(&returned, words);
        }
        let Some(Entry::Returned(rest)) = left(&returned, "n") else {
            panic!("the words are in it");
        };
        let why = "Denied by another: [erased]";
        assert_eq!(rest.outcome, ToolOutcome::denied(why));
    }

    #[test]
    fn what_a_stopped_turn_had_done_is_words() {
        let stopped = |done: &str| Entry::Ended {
            outcome: TurnOutcome::Stopped {
                by: UserId(1),
                said: None,
                done: Some(done.to_owned()),
            },
        };
        assert_eq!(
            left(&stopped("I had written: tulip."), "tulip"),
            Some(stopped("I had written: [erased]."))
        );
    }

    #[test]
    fn words_are_found_wherever_people_or_models_wrote_them() {
        let heard = Entry::Heard(Heard {
            messages: vec![HeardText {
                inbox: InboxId(1),
                text: "Around it:\n  Bob: my \"cat\"\n  is ill\nAnn: go".to_owned(),
                untrusted: true,
                files: Vec::new(),
            }],
        });
        let Some(Entry::Heard(rest)) = left(&heard, "Bob: my \"cat\"\n  is ill") else {
            panic!("the words are in it");
        };
        assert_eq!(rest.messages[0].text, "Around it:\n  [erased]\nAnn: go");
        let called = json!({
            "entry": "replied",
            "message": AssistantMessage {
                calls: vec![ToolCall {
                    id: CallId("a1".to_owned()),
                    name: "note".to_owned(),
                    arguments: json!({ "name": ["tulip"], "deep": { "er": "a tulip." } }),
                }],
                ..AssistantMessage::default()
            },
        });
        let rest = without(&called.to_string(), "tulip").unwrap().unwrap();
        assert!(!rest.contains("tulip"), "{rest}");
        assert_eq!(without(&called.to_string(), "note").unwrap(), None);
    }
}
