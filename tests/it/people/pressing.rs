//! Presses that must not count.

use super::{asked, carol, join, sides};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    no_one_confirms_for_another_account,
    a_forged_token_joins_no_one,
    a_second_press_and_one_after_the_end_change_nothing,
    a_yes_after_ten_minutes_is_too_late,
    a_card_of_unlink_works_once_and_for_its_account_only
);

const NOT_FOR_YOU: &str = "This button is not for you.";
const DOES_NOTHING: &str = "This button does nothing here.";
const ANSWERED: &str = "This was already answered. Nothing changed.";

async fn no_one_confirms_for_another_account(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let ((ann, bob), carol) = (sides(&bot), carol(&bot));
    let (anns, bobs) = asked(&ann, &bob).await;
    // A stranger, the owner in the other's chat, and the other side's token in one's own chat.
    let by_stranger = bob.chat.press(&carol.person, bobs.id, "Confirm").await;
    assert_eq!(by_stranger.text.as_deref(), Some(NOT_FOR_YOU));
    let by_owner = bob.chat.press(&bot.ann, bobs.id, "Confirm").await;
    assert_eq!(
        by_owner.text.as_deref(),
        Some("This question was for somebody else.")
    );
    for label in ["Confirm", "Refuse"] {
        let token = bobs.token(label);
        let elsewhere = ann.chat.press_token(&bot.ann, anns.id, &token).await;
        assert_eq!(elsewhere.text.as_deref(), Some(DOES_NOTHING));
    }
    let confirmed = "Confirmed. Your other account is asked too.";
    ann.answers(&anns, "Confirm", confirmed).await;
    assert!(ann.linked().await.is_empty());
    bot.assert_clean();
}

async fn a_forged_token_joins_no_one(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    bob.presses(&bobs, "Confirm").await;
    let token = anns.token("Confirm");
    let bare = token.strip_prefix("li.yes:").unwrap();
    let forged = [
        format!("li.yes:{}", "0".repeat(32)),
        format!("li.yes:{}", &bare[..31]),
        format!("li.yes:{}", bare.to_uppercase()),
        format!("y:{bare}"),
        format!("ad.in:{bare}"),
        format!("LI.yes:{bare}"),
        "li.yes:".to_owned(),
        "li.yes:%".to_owned(),
        format!("li.maybe:{bare}"),
    ];
    for token in forged {
        let told = ann.chat.press_token(&bot.ann, anns.id, &token).await;
        let told = told.text.unwrap_or_default();
        assert!(told == DOES_NOTHING, "{token}: {told}");
    }
    assert!(ann.linked().await.is_empty());
    bot.assert_clean();
}

async fn a_second_press_and_one_after_the_end_change_nothing(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    let (yes, no) = (anns.token("Confirm"), anns.token("Refuse"));
    let first = ann.chat.presses_token(&bot.ann, anns.id, &yes);
    let second = ann.chat.presses_token(&bot.ann, anns.id, &yes);
    let confirmed = platform.echo("Confirmed. Your other account is asked too.");
    assert_eq!(first.answered().await.text.as_deref(), confirmed);
    assert_eq!(
        second.answered().await.text.as_deref(),
        Some("You have confirmed already. The other account has not.")
    );
    bob.presses(&bobs, "Confirm").await;
    for token in [&yes, &no] {
        let late = ann.chat.press_token(&bot.ann, anns.id, token).await;
        assert_eq!(late.text.as_deref(), Some(ANSWERED));
    }
    assert_eq!(
        ann.linked().await.len(),
        1,
        "a no after the end parts nobody"
    );
    bot.assert_clean();
}

async fn a_yes_after_ten_minutes_is_too_late(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    bob.presses(&bobs, "Confirm").await;
    bot.change("UPDATE prompts SET expires_ms = expires_ms - 600000")
        .await;
    let late = "Too late: this has expired.";
    assert_eq!(ann.presses(&anns, "Confirm").await, late);
    ann.closes(&anns, "⌛ Not linked with Bob").await;
    bob.closes(&bobs, "⌛ Not linked with Ann").await;
    assert!(ann.linked().await.is_empty());
    bot.assert_clean();
}

async fn a_card_of_unlink_works_once_and_for_its_account_only(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    join(&ann, &bob).await;
    bob.chat.says("/unlink");
    let card = bob.card().await;
    let token = card.token("Unlink");
    let by_owner = bob.chat.press_token(&bot.ann, card.id, &token).await;
    assert_eq!(
        by_owner.text.as_deref(),
        Some("This question was for somebody else.")
    );
    assert_eq!(ann.linked().await.len(), 1);
    bob.answers(&card, "Unlink", "Unlinked.").await;
    join(&ann, &bob).await;
    let again = bob.chat.press_token(&bot.bob, card.id, &token).await;
    assert_eq!(again.text.as_deref(), Some(ANSWERED));
    assert_eq!(bob.linked().await.len(), 1, "the old yes is used up");
    bot.assert_clean();
}
