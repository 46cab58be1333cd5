//! What gives way: by example, and for any conversation.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;
use serde_json::json;

use super::{Conversation, Cut, READ_RESULT, Room, parse_result_id, result_id};
use crate::transcript::{
    AssistantMessage, CallId, ConversationMessage, Image, ImageKind, Past, PlannedStep, Taint,
    ToolCall, ToolOutcome, TurnId, recall_heading,
};

const TURN: TurnId = TurnId(7);
const INSTRUCTING: &[&str] = &["skill"];

fn calls(ids: &[String], tool: &str) -> ConversationMessage {
    ConversationMessage::Assistant(AssistantMessage {
        calls: ids
            .iter()
            .map(|id| ToolCall {
                id: CallId(id.clone()),
                name: tool.into(),
                arguments: json!({"path": "a"}),
            })
            .collect(),
        ..AssistantMessage::default()
    })
}

fn says(text: &str) -> ConversationMessage {
    ConversationMessage::Assistant(AssistantMessage {
        text: text.into(),
        ..AssistantMessage::default()
    })
}

fn gave(id: &str, tool: &str, outcome: ToolOutcome) -> ConversationMessage {
    ConversationMessage::ToolResult {
        call: CallId(id.into()),
        name: tool.into(),
        outcome,
        outside: None,
    }
}

/// A request and its steps, each a tool with a number of calls and the length of each result in
/// letters.
fn turn(request: &str, steps: &[(&str, usize, usize)]) -> Vec<ConversationMessage> {
    let mut messages = vec![ConversationMessage::user(request)];
    for (step, (tool, results, letters)) in steps.iter().enumerate() {
        let ids: Vec<String> = (0..*results)
            .map(|nth| format!("call_{step}_{nth}"))
            .collect();
        messages.push(calls(&ids, tool));
        let output = "word ".repeat(letters / 5 + 1);
        messages.extend(ids.iter().map(|id| {
            let output = output.clone();
            gave(id, tool, ToolOutcome::Success { output })
        }));
    }
    messages
}

fn past(number: i64, mut messages: Vec<ConversationMessage>) -> Past {
    messages.push(says("done"));
    Past {
        messages,
        taint: Taint::default(),
        turns: vec![TurnId(number)],
    }
}

fn conversation<'a>(past: &'a [Past], own: &'a [ConversationMessage]) -> Conversation<'a> {
    Conversation {
        summary: None,
        past,
        turn: TURN,
        own,
        notes: BTreeMap::new(),
        instructing: INSTRUCTING,
        image_tokens: 100,
    }
}

fn room(messages: usize, tokens: usize) -> Room {
    Room {
        messages,
        tokens,
        past_tokens: tokens,
    }
}

/// Returns each message as one short line.
fn lines(conversation: &Conversation<'_>, cut: &Cut) -> Vec<String> {
    let shown = shown(conversation, cut);
    let line = |message: &ConversationMessage| match message {
        ConversationMessage::User { text, .. } => {
            text.lines().next().unwrap_or_default().to_owned()
        }
        ConversationMessage::Assistant(said) if said.calls.is_empty() => said.text.clone(),
        ConversationMessage::Assistant(said) => format!("-> {}", said.calls[0].id),
        ConversationMessage::ToolResult { call, outcome, .. } => {
            let is_short = outcome.for_model().contains("are left out");
            format!("<- {call}{}", if is_short { " short" } else { "" })
        }
    };
    shown.iter().map(line).collect()
}

fn shown(conversation: &Conversation<'_>, cut: &Cut) -> Vec<ConversationMessage> {
    let mut shown = conversation.past_shown(cut).messages;
    shown.extend(conversation.own_shown(cut));
    shown
}

#[test]
fn what_fits_is_left_alone() {
    let earlier = [past(1, turn("first", &[("list", 1, 9_000)]))];
    let own = turn("now", &[]);
    let whole = conversation(&earlier, &own);
    assert_eq!(whole.fit(Cut::default(), room(50, 9_000)), Cut::default());
}

#[test]
fn long_results_give_way_before_anything_that_was_said() {
    let earlier = [past(1, turn("first", &[("list", 1, 9_000)]))];
    let own = turn("now", &[("list", 1, 9_000), ("list", 1, 2_000)]);
    let whole = conversation(&earlier, &own);
    let cut = whole.fit(Cut::default(), room(50, 2_000));
    insta::assert_snapshot!(lines(&whole, &cut).join("\n"), @"
    first
    -> call_0_0
    <- call_0_0 short
    done
    now
    -> call_0_0
    <- call_0_0 short
    -> call_1_0
    <- call_1_0
    ");
    let text = shown(&whole, &cut)[2].result_text().unwrap();
    assert!(
        text.contains("`read_result` shows them by the id `1:call_0_0`"),
        "{text}"
    );
    assert!(text.starts_with("word ") && text.ends_with("word "));
}

#[test]
fn earlier_turns_lose_what_their_tools_did_and_then_go_whole() {
    let earlier = [1, 2, 3].map(|number| past(number, turn("before", &[("list", 1, 10)])));
    let own = turn("now", &[]);
    let whole = conversation(&earlier, &own);
    let cut = whole.fit(Cut::default(), room(10, 9_000));
    assert_eq!(
        lines(&whole, &cut),
        ["before", "done", "before", "done", "before", "done", "now"]
    );
    let cut = whole.fit(Cut::default(), room(5, 9_000));
    assert_eq!(lines(&whole, &cut), ["before", "done", "now"]);
}

#[test]
fn a_long_turn_is_trimmed_inside_and_keeps_request_skills_and_plan() {
    let mut own = turn("now", &[("skill", 1, 3_000)]);
    own.push(calls(&["p".into()], "plan"));
    let steps = vec![PlannedStep {
        text: "look".into(),
        is_done: false,
        check: None,
    }];
    own.push(gave("p", "plan", ToolOutcome::Plans { steps }));
    let steps = turn("", &[("list", 1, 10); 20]);
    own.extend(steps.into_iter().skip(1));
    own.insert(7, ConversationMessage::user("and quick"));
    let whole = conversation(&[], &own);
    let cut = whole.fit(Cut::default(), room(16, 9_000));
    let lines = lines(&whole, &cut);
    assert_eq!(lines.len(), 11, "{lines:#?}");
    insta::assert_snapshot!(lines[..6].join("\n"), @"
    now
    -> call_0_0
    <- call_0_0
    [18 earlier steps of this request are left out to save room (plan, list). `read_result` shows what they gave, by the ids `7:p` to `7:call_16_0`; do not do them again.]
    and quick
    -> call_17_0
    ");
    let line = &shown(&whole, &cut)[3];
    let ConversationMessage::User { text, .. } = line else {
        panic!("{line:?}")
    };
    assert!(text.ends_with("\n☐ look"), "{text}");
}

/// Eleven messages may be shown, and yet the beginning stays the same for several steps.
#[test]
fn what_is_shown_changes_at_its_beginning_only_now_and_then() {
    let own = turn("now", &[("list", 1, 10); 30]);
    let mut cut = Cut::default();
    let mut changes = 0;
    for step in 1..=30 {
        let so_far = &own[..=2 * step];
        let next = conversation(&[], so_far).fit(cut, room(24, 9_000));
        changes += usize::from(next != cut);
        cut = next;
    }
    assert!((5..=9).contains(&changes), "{changes}");
}

#[test]
fn a_note_of_the_plan_goes_with_its_step_and_what_was_recalled_stays() {
    let own = turn("now", &[("list", 1, 10); 6]);
    let mut whole = conversation(&[], &own);
    let recalled = format!("{} tea", recall_heading(crate::Language::English));
    whole.notes.insert(
        5,
        vec![
            ConversationMessage::user(recalled.clone()),
            ConversationMessage::user("[plan]"),
        ],
    );
    let cut = whole.fit(Cut::default(), room(10, 9_000));
    let lines = lines(&whole, &cut);
    assert!(
        lines.contains(&recalled) && !lines.contains(&"[plan]".to_owned()),
        "{lines:#?}"
    );
}

#[test]
fn a_result_is_named_across_turns() {
    let id = result_id(TURN, &CallId("call_1_0".into()));
    assert_eq!(id, "7:call_1_0");
    assert_eq!(
        parse_result_id(" `7:call_1_0` "),
        Some((TURN, CallId("call_1_0".into())))
    );
    assert_eq!(parse_result_id("call_1_0"), None);
    assert_eq!(READ_RESULT, "read_result");
}

fn some_steps(most: usize) -> impl Strategy<Value = Vec<(&'static str, usize, usize)>> {
    let tool = prop_oneof![4 => Just("list"), 1 => Just("skill")];
    prop::collection::vec((tool, 1..4_usize, 0..4_000_usize), 0..most)
}

proptest! {
    /// Whatever was said: pairs stay whole, a user speaks first, what is protected is there, it
    /// fits where that can be, and to plan again changes nothing.
    #[test]
    fn any_conversation_gives_way_in_good_order(
        earlier in prop::collection::vec(some_steps(4), 0..12),
        steps in some_steps(20),
        has_summary in any::<bool>(),
        messages in 4..60_usize,
        tokens in 0..6_000_usize,
    ) {
        let earlier: Vec<Past> = earlier
            .iter()
            .enumerate()
            .map(|(number, steps)| past(number as i64, turn("before", steps)))
            .collect();
        let summary = past(0, vec![ConversationMessage::user("summed up")]);
        let own = turn("now", &steps);
        let mut whole = conversation(&earlier, &own);
        whole.summary = has_summary.then_some(&summary);
        let room = room(messages, tokens);
        let cut = whole.fit(Cut::default(), room);
        prop_assert_eq!(whole.fit(cut, room), cut);
        let shown = shown(&whole, &cut);
        let is_user = |message: &ConversationMessage| {
            matches!(message, ConversationMessage::User { .. })
        };
        prop_assert!(is_user(&shown[0]));
        prop_assert!(shown.contains(&own[0]));
        check_pairs(&shown)?;
        let is_skill = |message: &&ConversationMessage| {
            matches!(message, ConversationMessage::ToolResult { name, .. } if name == "skill")
        };
        let skills = own.iter().filter(is_skill);
        prop_assert!(skills.clone().all(|skill| shown.contains(skill)));
        // Of the turn, what cannot go: the request, skills, the newest step, and the line for the
        // rest.
        let newest = steps.last().map_or(0, |step| 1 + step.1);
        let kept: usize = steps.iter().filter(|step| step.0 == "skill").map(|step| 1 + step.1).sum();
        let size = whole.size(&cut);
        prop_assert_eq!(size.messages, shown.len());
        if messages >= 2 + newest + kept {
            prop_assert!(size.messages <= messages, "{} > {messages}", size.messages);
        }
        if size.tokens > tokens {
            let least = whole.fit(Cut::default(), Room { tokens: 0, ..room });
            prop_assert_eq!(size.tokens, whole.size(&least).tokens, "more could go");
        }
    }
}

/// Every result has its call before it, and every call its results right behind it.
fn check_pairs(shown: &[ConversationMessage]) -> Result<(), TestCaseError> {
    let mut open: HashSet<&CallId> = HashSet::new();
    for message in shown {
        match message {
            ConversationMessage::ToolResult { call, .. } => prop_assert!(open.remove(call)),
            ConversationMessage::Assistant(said) => {
                prop_assert!(open.is_empty());
                open.extend(said.calls.iter().map(|call| &call.id));
            }
            ConversationMessage::User { .. } => prop_assert!(open.is_empty()),
        }
    }
    prop_assert!(open.is_empty());
    Ok(())
}

#[test]
fn pictures_count_as_many_as_are_shown() {
    let image = || Image {
        path: "inbox/photo.jpg".to_owned(),
        kind: ImageKind::Jpeg,
        digest: String::new(),
        data: None,
    };
    let album = |pictures: usize| {
        vec![ConversationMessage::User {
            text: String::new(),
            images: (0..pictures).map(|_| image()).collect(),
        }]
    };
    let past = [Past {
        messages: album(4),
        ..Past::default()
    }];
    let size = |own: usize| {
        let own = album(own);
        let size = conversation(&past, &own).size(&Cut::default());
        (size.past_tokens, size.tokens)
    };
    assert_eq!(size(0), (400, 400));
    assert_eq!(size(3), (300, 600));
    assert_eq!(size(9), (0, 600));
}
