//! The buttons of a card: what decides it while it is open, and what can still be done about it
//! once it is decided.

use sayso_channel::{Button, ButtonLook, Language};
use sayso_store::cards::ApprovedIn;
use sayso_store::cards::CallVerdict;
use sayso_store::cards::CardState;
use sayso_store::cards::HeldRow;

use super::card_view::{CardView, Reader};
use super::messages;
use super::token::Verb;

/// From how many calls on a card has buttons for all of them together, and for each of them only
/// once that was asked for.
const MANY_CALLS: usize = 5;

/// Returns the rows of buttons below a card.
pub(super) fn buttons(view: &CardView, reader: Reader<'_>, language: Language) -> Vec<Vec<Button>> {
    if view.card.state != CardState::Open {
        return afterwards(view, reader, language);
    }
    if view.card.why_by.is_some() {
        return Vec::new();
    }
    let is_elsewhere = view.card.approved_in == ApprovedIn::Elsewhere;
    match (reader, view.calls.as_slice()) {
        (Reader::Asker, _) if is_elsewhere => vec![vec![deny_whole(view, language)]],
        (Reader::Owner(_), [call]) => vec![yes_or_no(call, language)],
        (Reader::Asker, [call]) => rows_of_one(call, language),
        (Reader::Asker | Reader::Owner(_), calls) => rows_of_several(view, calls, language),
    }
}

/// What can still be done about a decided card, where it was asked: an "always" is taken back, and
/// a request that expired is made anew.
fn afterwards(view: &CardView, reader: Reader<'_>, language: Language) -> Vec<Vec<Button>> {
    match reader {
        Reader::Asker => {}
        Reader::Owner(_) => return Vec::new(),
    }
    let mut given = view.calls.iter().filter(|call| call.grant_id.is_some());
    if let Some(call) = given.find(|call| !call.taken_back) {
        let token = Verb::TakeBack.button(&call.token);
        return vec![vec![aside(messages::take_back(language), token)]];
    }
    let expired = |call: &HeldRow| call.verdict == Some(CallVerdict::Expired);
    if view.calls.iter().any(expired) && !view.card.asked_again {
        let token = Verb::AskAgain.button(&view.card.token);
        return vec![vec![aside(messages::ask_again(language), token)]];
    }
    Vec::new()
}

fn yes_or_no(call: &HeldRow, language: Language) -> Vec<Button> {
    vec![
        Button::yes(
            messages::approve(language),
            Verb::Approve.button(&call.token),
        ),
        Button::no(messages::deny(language), Verb::Deny.button(&call.token)),
    ]
}

/// The answers for once come first; what lasts stands below, each with what it covers.
fn rows_of_one(call: &HeldRow, language: Language) -> Vec<Vec<Button>> {
    let why = plain(
        messages::deny_and_say_why(language),
        Verb::DenyWhy.button(&call.token),
        Some('w'),
    );
    let alike = call.prefix.as_deref().and_then(messages::covered_words);
    let alike = alike.map(|words| {
        plain(
            &messages::always_alike(&words, language),
            Verb::AlwaysAlike.button(&call.token),
            Some('p'),
        )
    });
    let exact = call.pattern.as_ref().map(|pattern| {
        let label = match messages::covered_project(pattern) {
            Some(_) => messages::always_in_project(language),
            None => messages::always(language),
        };
        plain(label, Verb::Always.button(&call.token), Some('a'))
    });
    let lasting = alike.into_iter().chain(exact).map(|button| vec![button]);
    [yes_or_no(call, language), vec![why]]
        .into_iter()
        .chain(lasting)
        .collect()
}

/// The button by which the asker takes it back; only an owner approves it.
fn deny_whole(view: &CardView, language: Language) -> Button {
    let token = Verb::DenyAll.button(&view.card.token);
    Button::no(messages::deny(language), token)
}

fn rows_of_several(view: &CardView, calls: &[HeldRow], language: Language) -> Vec<Vec<Button>> {
    let all = vec![
        Button::yes(
            messages::approve_all(language),
            Verb::ApproveAll.button(&view.card.token),
        ),
        Button::no(
            messages::deny_all(language),
            Verb::DenyAll.button(&view.card.token),
        ),
    ];
    if calls.len() >= MANY_CALLS && !view.card.one_by_one {
        let token = Verb::OneByOne.button(&view.card.token);
        let each = plain(messages::one_by_one(language), token, None);
        return vec![all, vec![each]];
    }
    let open = calls.iter().enumerate();
    let open = open.filter(|(_, call)| call.verdict.is_none());
    open.map(|(position, call)| numbered_row(call, position + 1))
        .chain([all])
        .collect()
}

fn numbered_row(call: &HeldRow, number: usize) -> Vec<Button> {
    let button = |label: String, verb: Verb, look| Button {
        label,
        token: verb.button(&call.token),
        key: None,
        look,
    };
    vec![
        button(format!("✓ {number}"), Verb::Approve, ButtonLook::Yes),
        button(format!("✗ {number}"), Verb::Deny, ButtonLook::No),
    ]
}

/// A button that asks nothing: where lines are typed, a line must not press it by chance.
fn aside(label: &str, token: String) -> Button {
    Button {
        look: ButtonLook::Stop,
        ..plain(label, token, None)
    }
}

fn plain(label: &str, token: String, key: Option<char>) -> Button {
    Button {
        label: label.to_owned(),
        token,
        key,
        look: ButtonLook::Plain,
    }
}
