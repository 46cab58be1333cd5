//! From the code to the outcome on both cards.

use super::{asked, carol, join, part, sides, with_carol};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    two_accounts_become_one_person_once_both_have_confirmed,
    a_no_on_one_side_closes_both_cards,
    a_third_account_joins_the_person_and_one_leaves_it,
    a_link_is_dropped_when_a_person_of_it_changes,
    a_newer_link_takes_the_place_of_the_one_before,
    an_account_that_was_turned_away_after_its_yes_is_not_joined,
    unlink_asks_first_and_says_when_there_is_nothing_to_part
);

async fn two_accounts_become_one_person_once_both_have_confirmed(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    insta::assert_snapshot!(bot.without_accounts(&anns.to_string()), @r"
    Sayso: Is this account yours too?
      Bob ((account of Bob))

      Once you confirm in both chats, I know you as one person: what I remember from either account I use in the direct chats of both. Roles and what you always allow stay with each account. /unlink parts them again.
      Refuse if somebody else asked you for this.  [Confirm | Refuse]
    ");
    let (ann_is, bob_is) = (platform.account(&bot.ann), platform.account(&bot.bob));
    assert!(bobs.text.contains(&format!("Ann ({ann_is})")), "{bobs}");
    bob.answers(
        &bobs,
        "Confirm",
        "Confirmed. Your other account is asked too.",
    )
    .await;
    bob.chat
        .becomes(bobs.id, |message| message.labels() == ["Refuse"])
        .await;
    assert!(ann.linked().await.is_empty(), "one yes joins nobody");
    ann.answers(&anns, "Confirm", "Linked.").await;
    ann.closes(&anns, &format!("🔗 Linked with Bob ({bob_is})."))
        .await;
    bob.closes(&bobs, &format!("🔗 Linked with Ann ({ann_is})."))
        .await;
    let anns = ann.asks("/whoami").await;
    insta::assert_snapshot!(bot.without_accounts(&anns), @r"
    You are Ann, my owner ((account of Ann)).
    Linked with:

    • Bob ((account of Bob))
    ");
    let bobs = bot.without_accounts(&bob.asks("/whoami").await);
    assert!(bobs.starts_with("You are Bob, a member ((account of Bob))."));
    assert!(bobs.ends_with("Ann ((account of Ann))"), "{bobs}");
    bot.assert_clean();
}

async fn a_no_on_one_side_closes_both_cards(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    ann.presses(&anns, "Confirm").await;
    bob.answers(&bobs, "Refuse", "Nothing changes.").await;
    ann.closes(&anns, "🚫 Not linked with Bob").await;
    bob.closes(&bobs, "🚫 Not linked with Ann").await;
    assert!(ann.linked().await.is_empty());

    let (anns, bobs) = asked(&ann, &bob).await;
    ann.presses(&anns, "Confirm").await;
    ann.chat
        .becomes(anns.id, |message| message.labels() == ["Refuse"])
        .await;
    ann.presses(&anns, "Refuse").await;
    bob.closes(&bobs, "🚫 Not linked with Ann").await;
    assert!(bob.linked().await.is_empty(), "a yes can be taken back");
    bot.assert_clean();
}

async fn a_third_account_joins_the_person_and_one_leaves_it(platform: Platform) {
    let bot = with_carol(platform).await;
    let ((ann, bob), carol) = (sides(&bot), carol(&bot));
    join(&ann, &bob).await;
    let (bobs, carols) = asked(&bob, &carol).await;
    assert!(
        carols.text.contains("It is linked with:") && carols.text.contains("• Ann"),
        "the card names everybody whom the yes joins: {carols}"
    );
    assert!(!bobs.text.contains("It is linked with:"), "{bobs}");
    carol.presses(&carols, "Confirm").await;
    bob.presses(&bobs, "Confirm").await;
    bob.closes(&bobs, "Linked with").await;
    assert_eq!(ann.linked().await, ["Bob", "Carol"]);
    part(&bob).await;
    assert!(bob.linked().await.is_empty());
    assert_eq!(ann.linked().await, ["Carol"]);
    bot.assert_clean();
}

async fn a_link_is_dropped_when_a_person_of_it_changes(platform: Platform) {
    let bot = with_carol(platform).await;
    let ((ann, bob), carol) = (sides(&bot), carol(&bot));
    join(&ann, &bob).await;
    let (bobs, carols) = asked(&bob, &carol).await;
    bob.presses(&bobs, "Confirm").await;
    // Bob agreed to share with Carol what he and Ann have; Ann has left him since.
    part(&ann).await;
    carol.closes(&carols, "this was overtaken").await;
    bob.closes(&bobs, "this was overtaken").await;
    assert!(carol.linked().await.is_empty());
    bot.assert_clean();
}

async fn a_newer_link_takes_the_place_of_the_one_before(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (first, _) = asked(&ann, &bob).await;
    let token = first.token("Confirm");
    let (second, bobs) = asked(&ann, &bob).await;
    ann.closes(&first, "this was overtaken").await;
    let late = ann.chat.press_token(&bot.ann, first.id, &token).await;
    assert_eq!(
        late.text.as_deref(),
        Some("This was overtaken. Nothing changed.")
    );
    ann.presses(&second, "Confirm").await;
    bob.answers(&bobs, "Confirm", "Linked.").await;
    bot.assert_clean();
}

async fn an_account_that_was_turned_away_after_its_yes_is_not_joined(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    let (anns, bobs) = asked(&ann, &bob).await;
    bob.presses(&bobs, "Confirm").await;
    bot.change("UPDATE senders SET standing = 'blocked' WHERE name = 'Bob'")
        .await;
    assert_eq!(
        ann.presses(&anns, "Confirm").await,
        "The other account may not talk with me any more. Nothing changed."
    );
    assert!(ann.linked().await.is_empty());
    bot.assert_clean();
}

async fn unlink_asks_first_and_says_when_there_is_nothing_to_part(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = sides(&bot);
    insta::assert_snapshot!(bob.asks("/unlink").await, @r"
    This account is linked with no other.
    /link joins one.
    ");
    join(&ann, &bob).await;
    bob.chat.says("/unlink");
    let card = bob.card().await;
    insta::assert_snapshot!(bot.without_accounts(&card.to_string()), @r"
    Sayso: Disconnect this account from your others?
      Bob ((account of Bob)), from:

      • Ann ((account of Ann))

      What I remember from this account stays with it alone, and what I remember from the others stays with them. Nothing is deleted.  [Unlink | Keep]
    ");
    bob.presses(&card, "Keep").await;
    bob.closes(&card, "stays linked").await;
    assert_eq!(bob.linked().await.len(), 1);
    part(&bob).await;
    assert!(ann.linked().await.is_empty());
    bot.assert_clean();
}
