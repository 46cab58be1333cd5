//! The card as people see it: open with its buttons, and closed with its outcome.

use sayso_channel::{Button, ButtonLook, FileSource, Language, LongText, OutFile, Outbound};

use super::messages;
use super::open::OwnersWhy;
use super::token::Verb;
use crate::store::cards::{CardRow, HeldRow};

/// A card with its calls, as it reads now.
#[derive(Debug, Clone, PartialEq)]
pub struct CardView {
    /// The card.
    pub card: CardRow,
    /// Its calls, in the model's order.
    pub calls: Vec<HeldRow>,
    /// Who answered last, as people see the name.
    pub decided_by: Option<String>,
}

/// Whom a card is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader<'a> {
    /// Whoever reads the chat in which the call was asked for.
    Asker,
    /// An owner in their direct chat, who is told who asked.
    Owner(&'a AskedBy),
}

/// Who asked for a call, as owners elsewhere are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedBy {
    /// The name that people see.
    pub name: String,
    /// The account: `telegram:12345`.
    pub account: String,
    /// Whether it was asked in a group.
    pub in_group: bool,
}

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

/// Returns why a call is asked about, in the language of whoever reads it.
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
fn fence_for(text: &str) -> String {
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

/// The button by which whoever asked takes it back; only an owner approves it.
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

#[cfg(test)]
mod tests {
    use sayso_channel::LongText::{Above, Attached};
    use sayso_channel::{FileSource, Language};

    use super::{AskedBy, CardView, Reader, document, fence_for, preface};
    use crate::store::cards::{CardRow, HeldRow};
    use crate::transcript::{CardId, ChatId, SessionId, TurnId, UserId};

    fn view(commands: &[&str]) -> CardView {
        let card = CardRow {
            id: CardId(1),
            turn_id: TurnId(2),
            session_id: SessionId(3),
            user_id: UserId(4),
            chat_id: ChatId(5),
            token: "card".into(),
            expires_ms: 0,
            state: "open".into(),
            why_by: None,
            approved_in: "here".into(),
        };
        let calls = commands
            .iter()
            .map(|command| HeldRow {
                token: format!("t-{command}"),
                card_id: CardId(1),
                call_id: "call_1_0".into(),
                tool: "shell".into(),
                kind: "exec".into(),
                summary: (*command).into(),
                why: "Runs a command.".into(),
                digest: String::new(),
                pattern: (commands.len() == 1).then(|| "{}".into()),
                prefix: (commands == ["cargo test"])
                    .then(|| r#"{"tool":"shell","prefix":"cargo test"}"#.into()),
                verdict: None,
                verdict_by: None,
                verdict_why: None,
                approver: "asker".into(),
                owners_why: None,
            })
            .collect();
        CardView {
            card,
            calls,
            decided_by: None,
        }
    }

    fn labels(view: &CardView) -> Vec<Vec<String>> {
        let rows = document(view, Reader::Asker, Language::English, Above).buttons;
        rows.into_iter()
            .map(|row| row.into_iter().map(|button| button.label).collect())
            .collect()
    }

    #[test]
    fn one_call_has_its_buttons_in_two_rows() {
        assert_eq!(
            labels(&view(&["git status"])),
            [vec!["Approve", "Always", "Deny"], vec!["Deny and say why"]]
        );
        assert_eq!(
            labels(&view(&["cargo test"])),
            [
                vec!["Approve", "Always", "Deny"],
                vec!["Always: cargo test …", "Deny and say why"]
            ]
        );
    }

    #[test]
    fn a_denial_that_waits_for_words_asks_for_them_and_has_no_buttons() {
        let mut denied = view(&["git push"]);
        denied.card.why_by = Some(UserId(4));
        denied.calls[0].verdict = Some("denied".into());
        denied.decided_by = Some("Ann".into());
        assert!(labels(&denied).is_empty());
        insta::assert_snapshot!(document(&denied, Reader::Asker, Language::English, Above).markdown, @r"
        ❌ **Denied** by Ann. Why? Say it here within two minutes, or reply to this message.

        `shell` — denied
        ```
        git push
        ```
        Runs a command.
        ");
        insta::assert_snapshot!(document(&denied, Reader::Asker, Language::Chinese, Above).markdown, @r"
        ❌ **已拒绝**（Ann）。为什么？请在两分钟内在这里说明，或回复这条消息。

        `shell` — 已拒绝
        ```
        git push
        ```
        Runs a command.
        ");
        denied.card.state = "closed".into();
        denied.calls[0].verdict_why = Some("not on\n*Fridays*".into());
        insta::assert_snapshot!(document(&denied, Reader::Asker, Language::English, Above).markdown, @r"
        ❌ **Denied** by Ann: not on Fridays

        `shell` — denied
        ```
        git push
        ```
        Runs a command.
        ");
    }

    #[test]
    fn the_title_says_what_kind_of_call_it_is() {
        let title = |kinds: &[&str], language| {
            let mut card = view(&vec!["x"; kinds.len()]);
            for (call, kind) in card.calls.iter_mut().zip(kinds) {
                (*kind).clone_into(&mut call.kind);
            }
            let text = document(&card, Reader::Asker, language, Above).markdown;
            text.lines().next().unwrap_or_default().to_owned()
        };
        let page: Vec<String> = [
            &["exec"][..],
            &["write"],
            &["other"],
            &["exec", "exec"],
            &["exec", "write"],
        ]
        .iter()
        .flat_map(|kinds| {
            [Language::English, Language::Chinese].map(|language| title(kinds, language))
        })
        .collect();
        insta::assert_snapshot!(page.join("\n"), @r"
        **May I run this?**
        **可以执行吗？**
        **May I write this?**
        **可以写入吗？**
        **May I do this?**
        **可以这样做吗？**
        **May I run this?**
        **可以执行吗？**
        **May I do this?**
        **可以这样做吗？**
        ");
    }

    #[test]
    fn several_calls_have_their_own_and_common_buttons() {
        let mut several = view(&["ls", "pwd"]);
        assert_eq!(
            labels(&several),
            [["✓ 1", "✗ 1"], ["✓ 2", "✗ 2"], ["Approve all", "Deny all"]]
        );
        several.calls[0].verdict = Some("approved".into());
        assert_eq!(
            labels(&several),
            [["✓ 2", "✗ 2"], ["Approve all", "Deny all"]]
        );
        several.card.state = "closed".into();
        assert!(labels(&several).is_empty());
    }

    #[test]
    fn a_long_call_stands_above_its_card() {
        let short = view(&["ls"]);
        assert!(preface(&short, Reader::Asker, Language::English, Above).is_none());
        let command = "echo 1;".repeat(1_000);
        let mut long = view(&[&command]);
        let above = preface(&long, Reader::Asker, Language::English, Above).unwrap();
        assert!(above.markdown.contains(&command) && above.buttons.is_empty());
        insta::assert_snapshot!(document(&long, Reader::Asker, Language::English, Above).markdown, @r"
        **May I run this?**

        `shell`

        It stands above, in full.
        ");
        long.card.state = "closed".into();
        long.calls[0].verdict = Some("approved".into());
        insta::assert_snapshot!(document(&long, Reader::Asker, Language::English, Above).markdown, @r"
        ✅ **Approved**

        `shell` — approved

        It stands above, in full.
        ");
    }

    #[test]
    fn a_long_call_is_the_file_of_its_card_where_files_are_attached() {
        let command = format!("echo {};\n```", "1".repeat(3_000));
        let mut long = view(&[&command]);
        let card = document(&long, Reader::Asker, Language::English, Attached);
        assert!(preface(&long, Reader::Asker, Language::English, Attached).is_none());
        insta::assert_snapshot!(card.markdown, @r"
        **May I run this?**

        `shell`

        It is attached, in full.
        ");
        let Some(FileSource::Text(text)) = card.file.map(|file| file.source) else {
            panic!("no text is attached");
        };
        assert_eq!(text, format!("shell\n\n{command}\n\nRuns a command.\n"));

        long.card.state = "closed".into();
        assert_eq!(
            document(&long, Reader::Asker, Language::English, Attached).file,
            None
        );
        let short = document(&view(&["ls"]), Reader::Asker, Language::English, Attached);
        assert!(short.file.is_none() && short.markdown.contains("ls"));
    }

    #[test]
    fn several_long_calls_share_a_file() {
        let long = "x".repeat(1_000);
        let card = document(&view(&[&long, &long]), Language::English, Attached);
        let Some(FileSource::Text(text)) = card.file.map(|file| file.source) else {
            panic!("no text is attached");
        };
        let call = format!("shell\n\n{long}\n\nRuns a command.\n");
        assert_eq!(text, format!("1. {call}\n2. {call}"));
    }

    #[test]
    fn a_command_cannot_close_its_own_block() {
        assert_eq!(fence_for("ls"), "```");
        assert_eq!(fence_for("echo ```` x"), "`````");
    }

    fn for_an_owner(approved_in: &str) -> CardView {
        let mut waiting = view(&["cat /etc/motd"]);
        approved_in.clone_into(&mut waiting.card.approved_in);
        let call = &mut waiting.calls[0];
        call.pattern = None;
        "owner".clone_into(&mut call.approver);
        waiting
    }

    fn bob() -> AskedBy {
        AskedBy {
            name: "Bob".to_owned(),
            account: "telegram:2".to_owned(),
            in_group: false,
        }
    }

    #[test]
    fn s1_whoever_asked_reads_that_an_owner_is_waited_for_and_can_only_deny() {
        let waiting = for_an_owner("elsewhere");
        assert_eq!(labels(&waiting), [["Deny"]]);
        let page = [Language::English, Language::Chinese]
            .map(|language| document(&waiting, Reader::Asker, language, Above).markdown);
        insta::assert_snapshot!(page.join("\n\n"), @r"
        ⏳ **This waits for an owner.** It reaches past what is yours, so I asked the owners. Deny takes it back.

        `shell`
        ```
        cat /etc/motd
        ```
        Runs a command.

        ⏳ **正在等待管理者批准。** 它超出了你自己的范围，所以我去问了管理者。按“拒绝”可以撤回。

        `shell`
        ```
        cat /etc/motd
        ```
        Runs a command.
        ");
        let both = document(
            &for_an_owner("both"),
            Reader::Asker,
            Language::English,
            Above,
        );
        insta::assert_snapshot!(both.markdown.lines().next().unwrap_or_default(), @"**May I run this?** Only an owner may approve it.");
        assert_eq!(
            labels(&for_an_owner("both")),
            [vec!["Approve", "Deny"], vec!["Deny and say why"]]
        );
    }

    #[test]
    fn s1_an_owner_reads_who_asked() {
        let waiting = for_an_owner("elsewhere");
        let bob = bob();
        let card = document(&waiting, Reader::Owner(&bob), Language::English, Above);
        let row: Vec<_> = card
            .buttons
            .concat()
            .into_iter()
            .map(|it| it.label)
            .collect();
        assert_eq!(row, ["Approve", "Deny"]);
        let chinese = document(&waiting, Reader::Owner(&bob), Language::Chinese, Above);
        let mut closed = waiting;
        closed.card.state = "closed".into();
        closed.calls[0].verdict = Some("approved".into());
        closed.decided_by = Some("Ann".into());
        let closed = document(&closed, Reader::Owner(&bob), Language::English, Above);
        let page = [card.markdown, chinese.markdown, closed.markdown].join("\n\n");
        insta::assert_snapshot!(page, @r"
        **May I run this?**
        Bob (`telegram:2`) asks for this. It reaches past what is theirs, so only an owner may approve it.

        `shell`
        ```
        cat /etc/motd
        ```
        Runs a command.

        **可以执行吗？**
        Bob（`telegram:2`）提出了这个请求。它超出了对方自己的范围，只有管理者可以批准。

        `shell`
        ```
        cat /etc/motd
        ```
        Runs a command.

        ✅ **Approved** by Ann
        Bob (`telegram:2`) asks for this. It reaches past what is theirs, so only an owner may approve it.

        `shell` — approved
        ```
        cat /etc/motd
        ```
        Runs a command.
        ");
    }
}
