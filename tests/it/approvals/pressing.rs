//! Who may press, where, how often and until when.

use sayso_fakes::Person;

use super::{
    DECIDED, DOES_NOTHING, Dice, asks, card_of, closed, group, hears, mark, marks, obedient,
};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_stranger_changes_nothing,
    a_member_cannot_answer_for_the_owner_but_the_owner_can_for_a_member,
    a_second_press_changes_nothing,
    row61_a_press_that_the_card_shows_leaves_no_note_to_dismiss,
    a_press_from_another_chat_changes_nothing,
    a_forged_token_changes_nothing,
    many_cards_answered_in_any_order_run_exactly_what_was_approved
);

const NOT_YOURS: &str = "Only the person who asked, or an owner, can answer this.";
const NOT_FOR_YOU: &str = "This button is not for you.";

async fn a_stranger_changes_nothing(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let carol = bot.person(103, "Carol");
    let card = asks(&bot, &chat, "a").await;
    for label in ["Approve", "Always this exact command", "Deny"] {
        let told = chat.press(&carol, card.id, label).await;
        assert_eq!(told.text.as_deref(), Some(NOT_FOR_YOU), "{label}");
        assert!(told.alert || platform == Platform::Discord);
    }
    assert_eq!(
        chat.message(card.id).labels(),
        [
            "Approve",
            "Deny",
            "Deny and say why",
            "Always this exact command"
        ]
    );
    chat.press(&bot.ann, card.id, "Deny").await;
    hears(&chat, "result: [failed] not run").await;
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn a_member_cannot_answer_for_the_owner_but_the_owner_can_for_a_member(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    let (for_ann, for_bob) = (mark(&bot, "ann"), mark(&bot, "bob"));
    chat.says(&format!("@sayso_bot run: {for_ann}"));
    let anns = card_of(&chat, "ann").await;
    chat.says_as(&bot.bob, &format!("@sayso_bot run: {for_bob}"));
    let bobs = card_of(&chat, "bob").await;
    let told = chat.press(&bot.bob, anns.id, "Approve").await;
    assert_eq!(told.text.as_deref(), Some(NOT_YOURS));
    chat.press(&bot.ann, bobs.id, "Approve").await;
    hears(&chat, "./mark-bob.").await;
    assert_eq!(marks(&bot), ["bob"]);
    assert!(chat.message(anns.id).asks());
    assert!(chat.message(bobs.id).text.contains("Approved by Ann"));
    bot.assert_clean();
}

async fn a_second_press_changes_nothing(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    let (yes, no) = (card.token("Approve"), card.token("Deny"));
    let first = chat.presses_token(&bot.ann, card.id, &yes);
    let second = chat.presses_token(&bot.ann, card.id, &no);
    let third = chat.presses_token(&bot.ann, card.id, &yes);
    let taken = first.answered().await;
    assert_eq!(taken.text.as_deref(), platform.echo("Approved."));
    assert_eq!(second.answered().await.text.as_deref(), Some(DECIDED));
    assert_eq!(third.answered().await.text.as_deref(), Some(DECIDED));
    hears(&chat, "result: ").await;
    let late = chat.press_token(&bot.ann, card.id, &yes).await;
    assert_eq!(late.text.as_deref(), Some(DECIDED));
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn row61_a_press_that_the_card_shows_leaves_no_note_to_dismiss(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let carol = bot.person(103, "Carol");
    for (name, label, toast, line) in [
        ("a", "Approve", "Approved.", "✅ Approved by Ann: "),
        ("b", "Deny", "Denied.", "❌ Denied by Ann: "),
    ] {
        let card = asks(&bot, &chat, name).await;
        let token = card.token(label);
        let refused = chat.press_token(&carol, card.id, &token).await;
        assert_eq!(refused.text.as_deref(), Some(NOT_FOR_YOU));
        let taken = chat.press_token(&bot.ann, card.id, &token).await;
        assert_eq!(taken.text.as_deref(), platform.echo(toast));
        let card = closed(&chat, card.id).await;
        assert!(card.text.starts_with(line), "{card}");
        let again = chat.press_token(&bot.ann, card.id, &token).await;
        assert_eq!(again.text.as_deref(), Some(DECIDED));
        hears(&chat, "result: ").await;
    }
    bot.assert_clean();
}

async fn a_press_from_another_chat_changes_nothing(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let (chat, elsewhere) = (bot.direct(), group(&bot));
    let card = asks(&bot, &chat, "a").await;
    let anchor = elsewhere.says("just talking");
    for label in ["Approve", "Always this exact command", "Deny"] {
        let told = elsewhere
            .press_token(&bot.ann, anchor, &card.token(label))
            .await;
        assert_eq!(told.text.as_deref(), Some(DOES_NOTHING));
    }
    let told = bot.direct_with(&bot.bob);
    let told = told.press_token(&bot.bob, 1, &card.token("Approve")).await;
    assert_eq!(told.text.as_deref(), Some(DOES_NOTHING));
    assert!(chat.message(card.id).asks());
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn a_forged_token_changes_nothing(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    let token = card.token("Approve");
    let call = token.strip_prefix("y:").unwrap();
    let zeros = "0".repeat(32);
    let forged = [
        format!("y:{zeros}"),
        format!("Y:{zeros}"),
        // One call's token stands for no whole card.
        format!("Y:{call}"),
        format!("y:{}", &call[..31]),
        format!("y:{}", call.to_uppercase()),
        format!("y: {call}"),
        format!("q.0-0:{call}"),
        "y:%".to_owned(),
        "y:' OR 1=1 --".to_owned(),
        "y".to_owned(),
        ":".to_owned(),
    ];
    for token in forged.iter().filter(|forged| **forged != token) {
        let told = chat.press_token(&bot.ann, card.id, token).await;
        assert_eq!(told.text.as_deref(), Some(DOES_NOTHING), "{token}");
    }
    assert!(chat.message(card.id).asks());
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

#[tokio::test]
async fn an_anonymous_admin_cannot_approve() {
    let bot = obedient(
        Platform::Telegram,
        &[("ACCESS__ALLOW", r#"["telegram:*"]"#)],
    )
    .await;
    let chat = group(&bot);
    let anonymous = bot.person(1_087_968_824, "Group");
    chat.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let card = card_of(&chat, "a").await;
    let told = chat.press(&anonymous, card.id, "Approve").await;
    assert!(told.alert, "{told:?}");
    assert_ne!(told.text.as_deref(), Some("Approved."));
    assert!(chat.message(card.id).asks());
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn many_cards_answered_in_any_order_run_exactly_what_was_approved(platform: Platform) {
    for seed in [0x5A15_0001, 0x5A15_0002, 0x5A15_0003] {
        answer_in_any_order(platform, Dice(seed)).await;
    }
}

/// One of the cards: where it stands, who asked, and what the answer will be.
struct Asked {
    name: String,
    chat: Chat,
    asker: Person,
    card: i64,
    approved: bool,
}

async fn answer_in_any_order(platform: Platform, mut dice: Dice) {
    let mut bot = obedient(platform, &[]).await;
    let mut asked = twelve_cards(&bot, &mut dice).await;
    dice.shuffle(&mut asked);
    for (position, asked_for) in asked.iter().enumerate() {
        match position {
            4 | 8 => {
                // A command that is killed, or cut off, while it runs is another tale.
                let since = position - 4;
                for answered in &asked[since..position] {
                    has_run(answered).await;
                }
                match position {
                    4 => bot.crash().await,
                    _ => bot.restart().await,
                }
            }
            _ => disturb(&bot, asked_for, &mut dice).await,
        }
        answer(&bot, asked_for, &mut dice).await;
    }
    let mut expected = Vec::new();
    for asked_for in &asked {
        let closed = closed(&asked_for.chat, asked_for.card).await;
        let title = if asked_for.approved {
            "✅ Approved by"
        } else {
            "❌ Denied by"
        };
        assert!(closed.text.starts_with(title), "{closed}");
        has_run(asked_for).await;
        if asked_for.approved {
            expected.push(asked_for.name.clone());
        }
    }
    expected.sort();
    assert_eq!(marks(&bot), expected);
    bot.assert_clean();
}

/// Waits until the command has run and that was said, if it was approved.
async fn has_run(asked: &Asked) {
    if asked.approved {
        hears(&asked.chat, &format!("result: ./mark-{}.", asked.name)).await;
    }
}

async fn twelve_cards(bot: &TestBot, dice: &mut Dice) -> Vec<Asked> {
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let group = group(bot);
    let places = [
        (ann, &bot.ann, ""),
        (bob, &bot.bob, ""),
        (group.clone(), &bot.ann, "@sayso_bot "),
        (group.with(&bot.bob), &bot.bob, "@sayso_bot "),
    ];
    let mut asked = Vec::new();
    for number in 0..12 {
        let (chat, asker, mention) = &places[number % places.len()];
        let name = format!("m{number}");
        chat.says(&format!("{mention}run: {}", mark(bot, &name)));
        let card = card_of(chat, &name).await.id;
        let approved = dice.below(2) == 0;
        asked.push(Asked {
            name,
            chat: chat.clone(),
            asker: (*asker).clone(),
            card,
            approved,
        });
    }
    asked
}

/// Presses that must not count, before the one that does.
async fn disturb(bot: &TestBot, asked: &Asked, dice: &mut Dice) {
    let carol = bot.person(103, "Carol");
    let card = asked.chat.message(asked.card);
    let labels = card.labels();
    let label = labels[dice.below(labels.len())];
    match dice.below(3) {
        0 => drop(asked.chat.press(&carol, asked.card, label).await),
        1 if asked.asker == bot.ann => {
            drop(asked.chat.press(&bot.bob, asked.card, label).await);
        }
        _ => {
            let elsewhere = bot.group("Elsewhere");
            let anchor = elsewhere.says_as(&bot.ann, "hm");
            elsewhere
                .press_token(&bot.ann, anchor, &card.token(label))
                .await;
        }
    }
    assert_eq!(asked.chat.message(asked.card).labels(), card.labels());
}

/// The asker or the owner answers, and perhaps once more the other way round.
async fn answer(bot: &TestBot, asked: &Asked, dice: &mut Dice) {
    let in_group = asked.chat.id() == group(bot).id();
    let presser = if in_group && dice.below(2) == 0 {
        &bot.ann
    } else {
        &asked.asker
    };
    let card = asked.chat.message(asked.card);
    let (label, other, yes_or_no) = if asked.approved {
        ("Approve", "Deny", "Approved.")
    } else {
        ("Deny", "Approve", "Denied.")
    };
    let told = asked
        .chat
        .press_token(presser, asked.card, &card.token(label))
        .await;
    assert_eq!(told.text.as_deref(), bot.platform.echo(yes_or_no));
    if dice.below(2) == 0 {
        let told = asked
            .chat
            .press_token(presser, asked.card, &card.token(other))
            .await;
        assert_eq!(told.text.as_deref(), Some(DECIDED));
    }
}
