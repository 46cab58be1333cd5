//! Promises about what is said, and about the buttons below it.

use super::scene::Scene;
use crate::{
    Button, ButtonLook, Event, Notice, NoticeKind, Outbound, RESENT_MARK_ROOM, Receipt,
    markdown::to_styled,
};

pub(super) async fn a_message_is_shown(scene: &mut Scene<'_>) {
    let first = scene.send(&Outbound::markdown("**Hello** 你好 😀")).await;
    let seen = scene.stage.newest().await;
    assert_eq!(seen.text, "Hello 你好 😀");
    assert_eq!(seen.buttons, [] as [String; 0]);
    let second = scene.send(&Outbound::markdown("a_b *c* <d> & [e")).await;
    assert_eq!(scene.stage.newest().await.text, "a_b c <d> & [e");
    assert_ne!(first, second);
    assert_eq!(first.address, scene.stage.address());
}

pub(super) async fn a_long_answer_arrives_whole(scene: &mut Scene<'_>) {
    let message = Outbound {
        buttons: card("Done?").buttons,
        ..Outbound::markdown(long_answer())
    };
    let parts = scene.channel.render(&message);
    let mut seen_texts = String::new();
    for (index, part) in parts.iter().enumerate() {
        let profile = scene.channel.profile();
        let length = profile.text_unit.measure(&part.text);
        assert!(length + RESENT_MARK_ROOM <= profile.text_limit, "{length}");
        let is_last = index + 1 == parts.len();
        assert_eq!(part.buttons.is_empty(), !is_last);
        let (to, key) = (scene.stage.address(), scene.next_key());
        let sent = scene.channel.send(&to, part, &key).await;
        sent.expect("the platform takes each part");
        seen_texts.push_str(&scene.stage.newest().await.text);
    }
    let expected = to_styled(&message.markdown).text;
    assert_eq!(visible(&seen_texts), visible(&expected));

    let mut longest = parts.into_iter().next().expect("there is a part");
    longest.mark_resent();
    let (to, key) = (scene.stage.address(), scene.next_key());
    let sent = scene.channel.send(&to, &longest, &key).await;
    sent.expect("the mark of a repetition has room");
}

/// Many fences, Chinese, emoji, lists and tables, over 10,000 characters.
fn long_answer() -> String {
    let section = "## 结果 Results\n\n这是一个很长的回答，包含代码。😀👨‍👩‍👧 **Bold** text, `code`.\n\n\
        - one\n  - two\n\n```rust\nfn main() {\n    println!(\"你好\");\n}\n```\n\n\
        | a | 名字 |\n|---|---|\n| 1 | 北京 |\n\n";
    let mut answer = section.repeat(40);
    answer.push_str("```text\n");
    answer.push_str(&"a long dump of words 和中文 in one fence\n".repeat(150));
    answer.push_str("```\n");
    answer.push_str(&"没有空格的长句子".repeat(600));
    answer
}

fn visible(text: &str) -> String {
    text.split_whitespace().collect()
}

pub(super) fn rendering_is_pure(scene: &Scene<'_>) {
    let message = card("The **same** card");
    assert_eq!(
        scene.channel.render(&message),
        scene.channel.render(&message)
    );
}

pub(super) async fn a_press_brings_the_token_back_and_is_answered(scene: &mut Scene<'_>) {
    let buttons = card("").buttons;
    for button in buttons.iter().flatten() {
        let sent = scene.send(&card("May I?")).await;
        let seen = scene.stage.newest().await;
        assert_eq!(seen.text, "May I?");
        assert_eq!(seen.buttons, ["Approve", "Always", "Deny"]);

        scene.stage.person_presses(&sent, button).await;
        let notice = format!("{} it is.", button.label);
        let receipt = Receipt::with_notice(Some(Notice {
            text: notice.clone(),
            kind: NoticeKind::Passing,
        }));
        let inbound = scene.store_next(receipt).await;
        assert_eq!(inbound.address, scene.stage.address());
        assert_eq!(inbound.sender.key, scene.stage.sender());
        let Event::Press(press) = inbound.event else {
            panic!("not a press: {:?}", inbound.event);
        };
        assert_eq!(press.token, button.token);
        assert_eq!(press.message, Some(sent.message));
        assert_eq!(scene.stage.answer_to_press().await, notice);
    }
}

/// A card with tokens of the shortest and the longest form.
fn card(text: &str) -> Outbound {
    let button = |label: &str, key, token: String, look| Button {
        label: label.to_owned(),
        token,
        key: Some(key),
        look,
    };
    Outbound {
        buttons: vec![
            vec![
                button("Approve", 'y', "x".repeat(64), ButtonLook::Yes),
                button("Always", 'a', "1".to_owned(), ButtonLook::Plain),
            ],
            vec![button("Deny", 'n', "a:b_c-d/e=".to_owned(), ButtonLook::No)],
        ],
        ..Outbound::markdown(text)
    }
}

pub(super) async fn an_edit_replaces_text_and_buttons(scene: &mut Scene<'_>) {
    let sent = scene.send(&card("May I?")).await;
    let outcome = Outbound::markdown("Approved: `ls`");
    let part = scene.channel.render(&outcome).remove(0);
    for attempt in ["for the first time", "to the same again"] {
        let edited = scene.channel.edit(&sent, &part).await;
        assert_eq!(edited, Ok(()), "{attempt}");
        let seen = scene.stage.newest().await;
        assert_eq!(seen.text, "Approved: ls");
        assert_eq!(seen.buttons, [] as [String; 0]);
    }
}

/// Where messages stand in a place, one can be taken away.
pub(super) async fn a_deleted_message_is_gone(scene: &mut Scene<'_>) {
    if !scene.channel.profile().edits {
        return;
    }
    scene.send(&Outbound::markdown("This stays.")).await;
    let sent = scene.send(&card("This goes.")).await;
    assert_eq!(scene.stage.newest().await.text, "This goes.");
    for attempt in ["for the first time", "although it is gone"] {
        assert_eq!(scene.channel.delete(&sent).await, Ok(()), "{attempt}");
        assert_eq!(scene.stage.newest().await.text, "This stays.");
    }
}

/// Where there are reactions, one is put once.
pub(super) async fn a_receipt_stands_below_a_message(scene: &mut Scene<'_>) {
    if !scene.channel.profile().reactions {
        return;
    }
    scene.stage.person_says("And this?").await;
    let inbound = scene.store_next(Receipt::default()).await;
    let Event::Message(heard) = inbound.event else {
        panic!("not a message: {:?}", inbound.event);
    };
    for attempt in ["for the first time", "again"] {
        let reacted = scene.channel.react(&inbound.address, &heard.message).await;
        assert_eq!(reacted, Ok(()), "{attempt}");
        assert_eq!(scene.stage.reactions(), 1, "{attempt}");
    }
}

pub(super) async fn the_small_calls_work(scene: &Scene<'_>) {
    let commands = [crate::Command {
        name: "help",
        english: "Show what I can do",
        chinese: "显示我能做什么",
        argument: None,
    }];
    assert_eq!(scene.channel.announce(&commands).await, Ok(()));
    assert_eq!(scene.channel.typing(&scene.stage.address()).await, Ok(()));
}
