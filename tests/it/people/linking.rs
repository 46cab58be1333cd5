//! From the code to the outcome on both cards.

use super::{BOB_AND_CAROL, asked, carol, join, part, sides};
use crate::house::House;

#[tokio::test]
async fn two_accounts_become_one_person_once_both_have_confirmed() {
    let house = House::open().await;
    let (ann, bob) = sides(&house);
    let (anns, bobs) = asked(&ann, &bob).await;
    insta::assert_snapshot!(anns.to_string(), @r"
    Sayso: Is this account yours too?
      Bob (telegram:102)

      Once you confirm in both chats, I know you as one person: what I remember from either account I use in the direct chats of both. Roles and what you always allow stay with each account. /unlink parts them again.
      Refuse if somebody else asked you for this.  [Confirm | Refuse]
    ");
    assert!(bobs.text.contains("Ann (telegram:101)"), "{bobs}");
    assert_eq!(
        bob.presses(&bobs, "Confirm").await,
        "Confirmed. Your other account is asked too."
    );
    bob.chat
        .becomes(bobs.id, |message| message.labels() == ["Refuse"])
        .await;
    assert!(ann.linked().await.is_empty(), "one yes joins nobody");
    assert_eq!(ann.presses(&anns, "Confirm").await, "Linked.");
    ann.closes(&anns, "🔗 Linked with Bob (telegram:102).")
        .await;
    bob.closes(&bobs, "🔗 Linked with Ann (telegram:101).")
        .await;
    insta::assert_snapshot!(ann.asks("/whoami").await, @r"
    You are telegram:101, and your role is owner.
    Linked with:

    • Bob (telegram:102)
    ");
    let bobs = bob.asks("/whoami").await;
    assert!(bobs.starts_with("You are telegram:102, and your role is member."));
    assert!(bobs.ends_with("Ann (telegram:101)"), "{bobs}");
    house.assert_clean();
}

#[tokio::test]
async fn a_no_on_one_side_closes_both_cards() {
    let house = House::open().await;
    let (ann, bob) = sides(&house);
    let (anns, bobs) = asked(&ann, &bob).await;
    ann.presses(&anns, "Confirm").await;
    assert_eq!(bob.presses(&bobs, "Refuse").await, "Nothing changes.");
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
    house.assert_clean();
}

#[tokio::test]
async fn a_third_account_joins_the_person_and_one_leaves_it() {
    let house = House::with(&[BOB_AND_CAROL]).await;
    let ((ann, bob), carol) = (sides(&house), carol(&house));
    join(&ann, &bob).await;
    let (bobs, carols) = asked(&bob, &carol).await;
    assert!(
        carols.text.contains("It is linked with:") && carols.text.contains("Ann (telegram:101)"),
        "the card names everybody whom the yes joins: {carols}"
    );
    assert!(!bobs.text.contains("It is linked with:"), "{bobs}");
    carol.presses(&carols, "Confirm").await;
    bob.presses(&bobs, "Confirm").await;
    bob.closes(&bobs, "Linked with").await;
    assert_eq!(
        ann.linked().await,
        ["Bob (telegram:102)", "Carol (telegram:103)"]
    );
    part(&bob).await;
    assert!(bob.linked().await.is_empty());
    assert_eq!(ann.linked().await, ["Carol (telegram:103)"]);
    house.assert_clean();
}

#[tokio::test]
async fn a_link_is_dropped_when_a_person_of_it_changes() {
    let house = House::with(&[BOB_AND_CAROL]).await;
    let ((ann, bob), carol) = (sides(&house), carol(&house));
    join(&ann, &bob).await;
    let (bobs, carols) = asked(&bob, &carol).await;
    bob.presses(&bobs, "Confirm").await;
    // Bob agreed to share with Carol what he and Ann have; Ann has left him since.
    part(&ann).await;
    carol.closes(&carols, "this was overtaken").await;
    bob.closes(&bobs, "this was overtaken").await;
    assert!(carol.linked().await.is_empty());
    house.assert_clean();
}

#[tokio::test]
async fn a_newer_link_takes_the_place_of_the_one_before() {
    let house = House::open().await;
    let (ann, bob) = sides(&house);
    let (first, _) = asked(&ann, &bob).await;
    let token = first.token("Confirm");
    let (second, bobs) = asked(&ann, &bob).await;
    ann.closes(&first, "this was overtaken").await;
    let late = ann.chat.press_token(&house.ann, first.id, &token).await;
    assert_eq!(
        late.text.as_deref(),
        Some("This was overtaken. Nothing changed.")
    );
    ann.presses(&second, "Confirm").await;
    assert_eq!(bob.presses(&bobs, "Confirm").await, "Linked.");
    house.assert_clean();
}

#[tokio::test]
async fn an_account_that_was_turned_away_after_its_yes_is_not_joined() {
    let house = House::open().await;
    let (ann, bob) = sides(&house);
    let (anns, bobs) = asked(&ann, &bob).await;
    bob.presses(&bobs, "Confirm").await;
    house
        .change("UPDATE senders SET standing = 'blocked' WHERE sender = '102'")
        .await;
    assert_eq!(
        ann.presses(&anns, "Confirm").await,
        "The other account may not talk with me any more. Nothing changed."
    );
    assert!(ann.linked().await.is_empty());
    house.assert_clean();
}

#[tokio::test]
async fn unlink_asks_first_and_says_when_there_is_nothing_to_part() {
    let house = House::open().await;
    let (ann, bob) = sides(&house);
    insta::assert_snapshot!(bob.asks("/unlink").await, @r"
    This account is linked with no other.
    /link joins one.
    ");
    join(&ann, &bob).await;
    bob.chat.says("/unlink");
    let card = bob.card().await;
    insta::assert_snapshot!(card.to_string(), @r"
    Sayso: Part this account from your others?
      Bob (telegram:102), from:

      • Ann (telegram:101)

      What I remember from this account stays with it alone, and what I remember from the others stays with them. Nothing is deleted.  [Unlink | Keep]
    ");
    bob.presses(&card, "Keep").await;
    bob.closes(&card, "stays linked").await;
    assert_eq!(bob.linked().await.len(), 1);
    part(&bob).await;
    assert!(ann.linked().await.is_empty());
    house.assert_clean();
}
