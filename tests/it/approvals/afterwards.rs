//! What can be done about a card once it is decided: an "always" is taken back, and a request that
//! expired is made anew.

use sayso_fakes::Message;

use super::{asks, card_of, closed, group, hears, is_open_card, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    u14_a_decided_card_keeps_what_always_gave_and_takes_it_back,
    u14_taking_back_works_after_a_restart_and_counts_once,
    u14_what_grants_took_back_is_gone_on_the_card_too,
    u14_a_stranger_to_the_grant_cannot_take_it_back,
    u14_the_list_of_grants_has_buttons,
    u20_an_expired_request_is_made_anew_once
);

const TAKE_BACK: &str = "Take back";

/// Has a command always allowed by this button; returns its decided card.
async fn always(bot: &TestBot, chat: &Chat, command: &str, label: &str) -> Message {
    chat.says(&format!("run: {command}"));
    let card = chat
        .settles(|message| is_open_card(message) && message.text.contains(command))
        .await;
    chat.press(&bot.ann, card.id, label).await;
    chat.becomes(card.id, |card| card.button(TAKE_BACK).is_some())
        .await
}

async fn u14_a_decided_card_keeps_what_always_gave_and_takes_it_back(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    chat.says("run: mkdir first");
    let card = chat.settles(is_open_card).await;
    let told = chat.press(&bot.ann, card.id, "Always: mkdir …").await;
    assert_eq!(
        told.text.as_deref(),
        platform.echo("Approved. I won't ask again for mkdir … in this conversation.")
    );
    let card = chat
        .becomes(card.id, |card| card.button(TAKE_BACK).is_some())
        .await;
    insta::assert_snapshot!(card, @r"
    Sayso: ✅ Approved by Ann: mkdir first
      From now on without asking: mkdir …  [Take back]
    ");
    hears(&chat, "result: ").await;
    let told = chat.press(&bot.ann, card.id, TAKE_BACK).await;
    assert_eq!(
        told.text.as_deref(),
        platform.echo("Taken back. I ask again from now on.")
    );
    let card = chat
        .becomes(card.id, |card| card.button(TAKE_BACK).is_none())
        .await;
    insta::assert_snapshot!(card, @r"
    Sayso: ✅ Approved by Ann: mkdir first
      Taken back: I ask again each time.
    ");
    chat.says("run: mkdir second");
    let again = chat.settles(is_open_card).await;
    assert!(again.text.contains("mkdir second"), "{again}");
    bot.assert_clean();
}

async fn u14_taking_back_works_after_a_restart_and_counts_once(platform: Platform) {
    let mut bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = always(&bot, &chat, "touch kept", "Always this exact command").await;
    assert!(card.text.contains("exactly this command"), "{card}");
    let other = always(&bot, &chat, "touch other", "Always this exact command").await;
    let token = card.token(TAKE_BACK);
    bot.restart().await;
    let told = chat.press(&bot.ann, card.id, TAKE_BACK).await;
    assert_eq!(
        told.text.as_deref(),
        platform.echo("Taken back. I ask again from now on.")
    );
    chat.becomes(card.id, |card| card.button(TAKE_BACK).is_none())
        .await;
    let told = chat.press_token(&bot.ann, card.id, &token).await;
    assert_eq!(
        told.text.as_deref(),
        Some("This was taken back before. Nothing changed.")
    );
    chat.says("/grants");
    let listed = hears(&chat, "Allowed without asking").await;
    assert!(listed.text.contains("1. touch other"), "{listed}");
    assert!(!listed.text.contains("touch kept"), "{listed}");
    assert!(chat.message(other.id).button(TAKE_BACK).is_some());
    bot.assert_clean();
}

async fn u14_what_grants_took_back_is_gone_on_the_card_too(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = always(&bot, &chat, "touch kept", "Always this exact command").await;
    chat.says("/grants revoke 1");
    hears(&chat, "Taken back.").await;
    let told = chat.press(&bot.ann, card.id, TAKE_BACK).await;
    assert_eq!(
        told.text.as_deref(),
        Some("It did not hold any more. I ask each time.")
    );
    chat.becomes(card.id, |card| card.button(TAKE_BACK).is_none())
        .await;
    bot.assert_clean();
}

async fn u14_a_stranger_to_the_grant_cannot_take_it_back(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    chat.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let card = card_of(&chat, "a").await;
    chat.press(&bot.ann, card.id, "Always this exact command")
        .await;
    let card = chat
        .becomes(card.id, |card| card.button(TAKE_BACK).is_some())
        .await;
    let told = chat.press(&bot.bob, card.id, TAKE_BACK).await;
    assert_eq!(
        told.text.as_deref(),
        Some("Only the person who asked, or an owner, can answer this.")
    );
    let direct = bot.direct();
    let note = asks(&bot, &direct, "b").await;
    let told = direct
        .press_token(&bot.ann, note.id, &card.token(TAKE_BACK))
        .await;
    assert_eq!(told.text.as_deref(), Some(super::DOES_NOTHING));
    chat.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    chat.sees(|_| marks(&bot).len() == 2).await;
    bot.assert_clean();
}

async fn u14_the_list_of_grants_has_buttons(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    for (command, label) in [
        ("mkdir first", "Always: mkdir …"),
        ("touch second", "Always this exact command"),
        ("touch third", "Always this exact command"),
    ] {
        chat.says(&format!("@sayso_bot run: {command}"));
        let card = chat
            .settles(|message| is_open_card(message) && message.text.contains(command))
            .await;
        chat.press(&bot.ann, card.id, label).await;
        closed(&chat, card.id).await;
    }
    chat.says("/grants");
    let list = hears(&chat, "Allowed without asking").await;
    insta::allow_duplicates! { insta::assert_snapshot!(list, @r"
    Sayso: Allowed without asking in this conversation:

      1. mkdir … with any safe names
      2. touch second
      3. touch third  [Take back 1]  [Take back 2]  [Take back 3]  [Take back all]
    "); }
    // The list of one person takes nothing of another back.
    for label in ["Take back 1", "Take back all"] {
        let told = chat.press(&bot.bob, list.id, label).await;
        assert_ne!(
            told.text.as_deref(),
            Some("Taken back. I ask again from now on.")
        );
    }
    let told = chat.press(&bot.ann, list.id, "Take back 2").await;
    let taken_back = platform.echo("Taken back. I ask again from now on.");
    assert_eq!(told.text.as_deref(), taken_back);
    let list = chat
        .becomes(list.id, |list| !list.text.contains("touch second"))
        .await;
    assert_eq!(
        list.labels(),
        ["Take back 1", "Take back 2", "Take back all"]
    );
    chat.press(&bot.ann, list.id, "Take back all").await;
    let list = chat.becomes(list.id, |list| list.buttons.is_empty()).await;
    assert!(
        list.text
            .ends_with("No standing permissions here: I ask each time."),
        "{list}"
    );
    bot.assert_clean();
}

async fn u20_an_expired_request_is_made_anew_once(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    bot.change("UPDATE cards SET expires_ms = 1 WHERE state = 'open'")
        .await;
    let expired = chat
        .becomes(card.id, |card| card.button("Ask again").is_some())
        .await;
    assert!(
        expired
            .text
            .starts_with("⌛ Not run: no answer in 30 min. "),
        "{expired}"
    );
    bot.has_noted("SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE state <> 'ended')")
        .await;
    let token = expired.token("Ask again");
    let told = chat.press(&bot.ann, card.id, "Ask again").await;
    assert_eq!(told.text.as_deref(), platform.echo("I start on it again."));
    let anew = card_of(&chat, "a").await;
    assert_ne!(anew.id, card.id);
    assert!(chat.message(card.id).buttons.is_empty());
    let told = chat.press_token(&bot.ann, card.id, &token).await;
    assert_eq!(
        told.text.as_deref(),
        Some("I have started on it again already. Nothing changed.")
    );
    chat.press(&bot.ann, anew.id, "Approve").await;
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}
