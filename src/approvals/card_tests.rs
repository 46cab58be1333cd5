//! How cards read, open and settled, to each of their readers.

use sayso_channel::LongText::{Above, Attached};
use sayso_channel::{FileSource, Language};
use sayso_core::approval::Approver;
use sayso_core::texts::pseudo::spoken;
use sayso_core::transcript::{CardId, ChatId, SessionId, TurnId, UserId};
use sayso_store::cards::{ApprovedIn, CallKind, CallVerdict, CardRow, CardState, HeldRow};

use super::card::{document, fence_for, preface};
use super::card_view::{AskedBy, CardView, Reader};

fn view(commands: &[&str]) -> CardView {
    let card = CardRow {
        id: CardId(1),
        turn_id: TurnId(2),
        session_id: SessionId(3),
        user_id: UserId(4),
        chat_id: ChatId(5),
        token: "card".into(),
        expires_ms: 0,
        state: CardState::Open,
        why_by: None,
        approved_in: ApprovedIn::Here,
        claim: None,
        timeout_ms: 30 * 60 * 1_000,
        one_by_one: false,
        asked_again: false,
    };
    let calls = commands
        .iter()
        .map(|command| HeldRow {
            token: format!("t-{command}"),
            card_id: CardId(1),
            call_id: "call_1_0".into(),
            tool: "shell".into(),
            kind: CallKind::Exec,
            summary: (*command).into(),
            why: "• changes files".into(),
            digest: String::new(),
            pattern: (commands.len() == 1).then(|| "{}".into()),
            prefix: (commands == ["cargo test"])
                .then(|| r#"{"tool":"shell","prefix":"cargo test"}"#.into()),
            verdict: None,
            verdict_by: None,
            verdict_why: None,
            approver: Approver::Asker,
            owners_why: None,
            footer: Some("Only in your folder, no internet".into()),
            grant_id: None,
            granted_alike: false,
            taken_back: false,
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
fn u14_what_is_for_once_comes_first_and_each_always_says_what_it_covers() {
    assert_eq!(
        labels(&view(&["git status"])),
        [
            vec!["Approve", "Deny"],
            vec!["Deny and say why"],
            vec!["Always this exact command"],
        ]
    );
    assert_eq!(
        labels(&view(&["cargo test"])),
        [
            vec!["Approve", "Deny"],
            vec!["Deny and say why"],
            vec!["Always: cargo test …"],
            vec!["Always this exact command"],
        ]
    );
}

#[test]
fn a_denial_that_waits_for_words_asks_for_them_and_has_no_buttons() {
    let mut denied = view(&["git push"]);
    denied.card.why_by = Some(UserId(4));
    denied.calls[0].verdict = Some(CallVerdict::Denied);
    denied.decided_by = Some("Ann".into());
    assert!(labels(&denied).is_empty());
    insta::assert_snapshot!(document(&denied, Reader::Asker, Language::English, Above).markdown, @r"
    ❌ **Denied** by Ann: `git push`
    What should I do instead? Reply to this, or in a direct chat just write (2 min).
    ");
    insta::assert_snapshot!(document(&denied, Reader::Asker, Language::Chinese, Above).markdown, @r"
    ❌ Ann **已拒绝**：`git push`
    那该怎么做？两分钟内回复这条消息，私聊里直接写也行。
    ");
    denied.card.state = CardState::Closed;
    denied.calls[0].verdict_why = Some("not on\n*Fridays*".into());
    insta::assert_snapshot!(document(&denied, Reader::Asker, Language::English, Above).markdown, @r"
    ❌ **Denied** by Ann: `git push`
    “not on Fridays”
    ");
}

#[test]
fn the_title_says_what_kind_of_call_it_is() {
    let title = |kinds: &[CallKind], language| {
        let mut card = view(&vec!["x"; kinds.len()]);
        for (call, kind) in card.calls.iter_mut().zip(kinds) {
            call.kind = *kind;
        }
        let text = document(&card, Reader::Asker, language, Above).markdown;
        text.lines().next().unwrap_or_default().to_owned()
    };
    let page: Vec<String> = [
        &[CallKind::Exec][..],
        &[CallKind::Write],
        &[CallKind::Other],
        &[CallKind::Exec, CallKind::Exec],
        &[CallKind::Exec, CallKind::Write],
    ]
    .iter()
    .flat_map(|kinds| [Language::English, Language::Chinese].map(|language| title(kinds, language)))
    .collect();
    insta::assert_snapshot!(page.join("\n"), @r"
    **May I run this?**
    **可以执行吗？**
    **May I write this?**
    **可以写入吗？**
    **May I do this?**
    **可以这样做吗？**
    **May I run these 2?**
    **可以执行这 2 项吗？**
    **May I do these 2 things?**
    **可以做这 2 件事吗？**
    ");
}

#[test]
fn several_calls_have_their_own_and_common_buttons() {
    let mut several = view(&["ls", "pwd"]);
    assert_eq!(
        labels(&several),
        [["✓ 1", "✗ 1"], ["✓ 2", "✗ 2"], ["Approve all", "Deny all"]]
    );
    several.calls[0].verdict = Some(CallVerdict::Approved);
    assert_eq!(
        labels(&several),
        [["✓ 2", "✗ 2"], ["Approve all", "Deny all"]]
    );
    several.card.state = CardState::Closed;
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
    It stands above, in full.

    • changes files
    Only in your folder, no internet · expires in 30 min
    ");
    long.card.state = CardState::Closed;
    long.calls[0].verdict = Some(CallVerdict::Approved);
    insta::assert_snapshot!(document(&long, Reader::Asker, Language::English, Above).markdown, @"✅ **Approved**: `echo 1;echo 1;echo 1;echo 1;echo 1;echo 1;echo 1;echo 1;echo 1;echo 1;echo 1;ech…`");
}

#[test]
fn a_long_call_is_the_file_of_its_card_where_files_are_attached() {
    let command = format!("echo {};\n```", "1".repeat(3_000));
    let mut long = view(&[&command]);
    let card = document(&long, Reader::Asker, Language::English, Attached);
    assert!(preface(&long, Reader::Asker, Language::English, Attached).is_none());
    insta::assert_snapshot!(card.markdown, @r"
    **May I run this?**
    It is attached, in full.

    • changes files
    Only in your folder, no internet · expires in 30 min
    ");
    let Some(FileSource::Text(text)) = card.file.map(|file| file.source) else {
        panic!("no text is attached");
    };
    assert_eq!(text, format!("{command}\n"));

    long.card.state = CardState::Closed;
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
    let card = document(
        &view(&[&long, &long]),
        Reader::Asker,
        Language::English,
        Attached,
    );
    let Some(FileSource::Text(text)) = card.file.map(|file| file.source) else {
        panic!("no text is attached");
    };
    let call = format!("{long}\n");
    assert_eq!(text, format!("1. {call}\n2. {call}"));
}

#[test]
fn a_command_cannot_close_its_own_block() {
    assert_eq!(fence_for("ls"), "```");
    assert_eq!(fence_for("echo ```` x"), "`````");
}

fn for_an_owner(approved_in: ApprovedIn) -> CardView {
    let mut waiting = view(&["cat /etc/motd"]);
    waiting.card.approved_in = approved_in;
    let call = &mut waiting.calls[0];
    call.pattern = None;
    call.approver = Approver::Owner;
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
fn s1_the_one_who_asked_reads_that_an_owner_is_waited_for_and_can_only_deny() {
    let waiting = for_an_owner(ApprovedIn::Elsewhere);
    assert_eq!(labels(&waiting), [["Deny"]]);
    let page = [Language::English, Language::Chinese]
        .map(|language| document(&waiting, Reader::Asker, language, Above).markdown);
    insta::assert_snapshot!(page.join("\n\n"), @r"
    ⏳ **This waits for an owner.** It reaches past what is yours, so I asked the owners. Deny takes it back.
    ```
    cat /etc/motd
    ```
    • changes files
    Only in your folder, no internet · expires in 30 min

    ⏳ **正在等待管理者批准。** 它超出了你自己的范围，所以我去问了管理者。按“拒绝”可以撤回。
    ```
    cat /etc/motd
    ```
    • changes files
    Only in your folder, no internet · 30 分钟后失效
    ");
    let both = document(
        &for_an_owner(ApprovedIn::Both),
        Reader::Asker,
        Language::English,
        Above,
    );
    insta::assert_snapshot!(both.markdown.lines().next().unwrap_or_default(), @"**May I run this?** Only an owner may approve it.");
    assert_eq!(
        labels(&for_an_owner(ApprovedIn::Both)),
        [vec!["Approve", "Deny"], vec!["Deny and say why"]]
    );
}

#[test]
fn s1_an_owner_reads_who_asked() {
    let waiting = for_an_owner(ApprovedIn::Elsewhere);
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
    closed.card.state = CardState::Closed;
    closed.calls[0].verdict = Some(CallVerdict::Approved);
    closed.decided_by = Some("Ann".into());
    let closed = document(&closed, Reader::Owner(&bob), Language::English, Above);
    let page = [card.markdown, chinese.markdown, closed.markdown].join("\n\n");
    insta::assert_snapshot!(page, @r"
    **May I run this?**
    Bob (`telegram:2`) asks for this. It reaches past what is theirs, so only an owner may approve it.
    ```
    cat /etc/motd
    ```
    • changes files
    Only in your folder, no internet · expires in 30 min

    **可以执行吗？**
    Bob（`telegram:2`）提出了这个请求。它超出了对方自己的范围，只有管理者可以批准。
    ```
    cat /etc/motd
    ```
    • changes files
    Only in your folder, no internet · 30 分钟后失效

    ✅ **Approved** by Ann: `cat /etc/motd`
    Asked by Bob
    ");
}

/// Discord's limits, the narrowest of all platforms: a label of 80 characters, a message of 2 000.
#[test]
fn cards_keep_the_limits_in_a_language_that_takes_more_room() {
    let commands = ["git status", "cargo test", "rm -r photos"].map(str::to_owned);
    let [first, second, third] = commands.each_ref().map(String::as_str);
    for calls in [vec![first], vec![second], vec![first, second, third]] {
        let mut view = view(&calls);
        for state in [CardState::Open, CardState::Closed] {
            view.card.state = state;
            let said = || document(&view, Reader::Asker, Language::English, Above);
            let [english, card] = [said(), spoken(said)];
            assert_ne!(card.markdown, english.markdown);
            assert!(card.markdown.chars().count() <= 2_000, "{}", card.markdown);
            assert_eq!(card.buttons.len(), english.buttons.len());
            for button in card.buttons.iter().flatten() {
                assert!(button.label.chars().count() <= 80, "{}", button.label);
            }
        }
    }
}
