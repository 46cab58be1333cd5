//! What an entry of a journal says for the audit.

use sayso_core::transcript::{CallId, Entry, Screened, ToolOutcome, Treated, TurnOutcome, Verdict};
use serde_json::json;

use super::calls::{CallsSeen, Seen};
use super::record::{By, Decision, Event, Place, Record};

/// The longest reason that a payload keeps, in characters.
const REASON_CHARS: usize = 1000;

/// Returns what is written down of an entry, given the calls of its turn before it.
pub fn record_of(entry: &Entry, calls: &CallsSeen, place: Place) -> Option<Record> {
    match entry {
        Entry::Called { call } => Some(called(call, calls.get(call)?, place)),
        Entry::Returned(returned) => {
            let seen = calls.get(&returned.call)?;
            let record = returned_record(&returned.call, seen, &returned.outcome, place)?;
            Some(match &returned.screened {
                Some(screened) => with_screening(record, screened),
                None => record,
            })
        }
        Entry::Decided(decided) => {
            let seen = calls.get(&decided.call)?;
            let (decision, by) = ruling(&decided.verdict);
            Some(Record {
                decision: Some(decision),
                by: Some(by),
                ..of_call(Event::Decided, place, &decided.call, seen)
            })
        }
        Entry::Ended {
            outcome: TurnOutcome::Stopped { by, .. },
        } => Some(Record {
            by: Some(By::User(*by)),
            ..Record::of(Event::Stopped, place)
        }),
        Entry::Started(_)
        | Entry::Heard(_)
        | Entry::Fetched(_)
        | Entry::Routed(_)
        | Entry::Planned(_)
        | Entry::Replied(_)
        | Entry::Issued(_)
        | Entry::Consulted(_)
        | Entry::Held { .. }
        | Entry::Noted { .. }
        | Entry::Compacted(_)
        | Entry::Condensed(_)
        | Entry::Undone(_)
        | Entry::Redone(_)
        | Entry::Ended { .. } => None,
    }
}

fn called(call: &CallId, seen: &Seen, place: Place) -> Record {
    let (decision, by) = match &seen.verdict {
        Some(Verdict::Approved { by }) => (Decision::Approved, By::User(*by)),
        Some(Verdict::Denied { .. } | Verdict::Expired) | None => (Decision::Allowed, By::Policy),
    };
    Record {
        decision: Some(decision),
        by: Some(by),
        ..of_call(Event::Called, place, call, seen)
    }
}

/// A call that ran, or that the policy refused; what a person denied is written down already, and
/// what could not be understood did nothing.
fn returned_record(
    call: &CallId,
    seen: &Seen,
    outcome: &ToolOutcome,
    place: Place,
) -> Option<Record> {
    if seen.called_ms.is_some() {
        return Some(Record {
            call: Some((call.clone(), seen.tool.clone())),
            outcome: Some(outcome.name()),
            ..Record::of(Event::Returned, place)
        });
    }
    match (outcome, &seen.verdict) {
        (ToolOutcome::Denied { why, .. }, Some(Verdict::Approved { .. }) | None) => {
            let why: String = why.chars().take(REASON_CHARS).collect();
            Some(Record {
                decision: Some(Decision::Denied),
                by: Some(By::Policy),
                payload: Some(json!({ "arguments": seen.arguments, "why": why })),
                ..of_call(Event::Refused, place, call, seen)
            })
        }
        (ToolOutcome::Denied { .. }, Some(Verdict::Denied { .. } | Verdict::Expired))
        | (
            ToolOutcome::Success { .. }
            | ToolOutcome::Failed { .. }
            | ToolOutcome::Error { .. }
            | ToolOutcome::Asks { .. }
            | ToolOutcome::Plans { .. }
            | ToolOutcome::Checked { .. }
            | ToolOutcome::Sends { .. }
            | ToolOutcome::Unknown { .. },
            _,
        ) => None,
    }
}

/// Adds what the injection check made of a result, if more than a note.
fn with_screening(record: Record, screened: &Screened) -> Record {
    let decision = match screened.treatment {
        Treated::Noted => return record,
        Treated::Suspected => Decision::Suspected,
        Treated::Withheld => Decision::Withheld,
    };
    let rules: Vec<&str> = screened
        .findings
        .iter()
        .map(|found| found.rule.as_str())
        .collect();
    Record {
        decision: Some(decision),
        by: Some(By::Policy),
        payload: Some(json!({ "score_thousandths": screened.score, "rules": rules })),
        ..record
    }
}

/// Returns a record of a call and of what it was to do.
fn of_call(event: Event, place: Place, call: &CallId, seen: &Seen) -> Record {
    Record {
        call: Some((call.clone(), seen.tool.clone())),
        payload: Some(json!({ "arguments": seen.arguments })),
        ..Record::of(event, place)
    }
}

fn ruling(verdict: &Verdict) -> (Decision, By) {
    match verdict {
        Verdict::Approved { by } => (Decision::Approved, By::User(*by)),
        Verdict::Denied { by, .. } => (Decision::Denied, By::User(*by)),
        Verdict::Expired => (Decision::Expired, By::Time),
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{AssistantMessage, Found, Replied, Returned, ToolCall, Usage};

    use super::*;

    fn calls() -> CallsSeen {
        let call = ToolCall {
            id: CallId("call_1_0".into()),
            name: "shell".into(),
            arguments: json!({ "command": "cat letter" }),
        };
        let replied = Replied {
            message: AssistantMessage {
                calls: vec![call.clone()],
                ..AssistantMessage::default()
            },
            usage: Usage::default(),
            memory_hits: vec![],
            knowledge_hits: vec![],
            asking: None,
            taint: sayso_core::transcript::Taint::default(),
        };
        CallsSeen::of(&[Entry::Replied(replied), Entry::Called { call: call.id }])
    }

    #[track_caller]
    fn check(treatment: Treated, expected: Option<Decision>) {
        let entry = Entry::Returned(Returned {
            call: CallId("call_1_0".into()),
            outcome: ToolOutcome::Success {
                output: "a letter".into(),
            },
            tainted: true,
            own: false,
            screened: Some(Screened {
                treatment,
                score: 900,
                findings: vec![Found {
                    rule: "override".into(),
                    start: 0,
                    end: 1,
                }],
            }),
        });
        let record = record_of(&entry, &calls(), Place::default()).unwrap();
        assert_eq!(
            (record.decision, record.outcome),
            (expected, Some("success"))
        );
    }

    #[test]
    fn a_result_that_gives_orders_is_written_down_as_what_became_of_it() {
        check(Treated::Noted, None);
        check(Treated::Suspected, Some(Decision::Suspected));
        check(Treated::Withheld, Some(Decision::Withheld));
    }
}
