//! Turns that wait while the configuration changes: they go on at the level that they began at, or
//! at a stricter one.

use crate::approvals::{is_open_card, mark, marks, obedient};
use crate::house::{BOB, House};
use crate::platform::{Chat, Platform, on_both};

on_both!(
    a_person_whose_level_was_lowered_gets_nothing_by_an_earlier_card,
    a_turn_that_waited_gains_nothing_by_a_raised_level
);

/// Opens a house in which Bob waits for an answer to a card.
async fn waiting(platform: Platform) -> (House, Chat, i64) {
    let house = obedient(platform, &[]).await;
    let bob = house.direct_with(&house.bob);
    bob.says(&format!("run: {}", mark(&house, "a")));
    let card = bob.settles(is_open_card).await;
    (house, bob, card.id)
}

async fn a_person_whose_level_was_lowered_gets_nothing_by_an_earlier_card(platform: Platform) {
    let (mut house, bob, card) = waiting(platform).await;
    let levels = super::levels(platform, &[(BOB, "read_only")]);
    house.set("ACCESS__AUTONOMY", &levels);
    house.restart().await;
    bob.press(&house.bob, card, "Approve").await;
    let told = bob
        .settles(|message| message.text.starts_with("result: "))
        .await;
    let refused = "not run: the autonomy level is read_only";
    assert!(told.text.contains(refused), "{told}");
    assert!(marks(&house).is_empty());
    house.assert_clean();
}

/// At the level `full` the command would be refused, since nothing is listed: that it runs shows the
/// level that the turn began at.
async fn a_turn_that_waited_gains_nothing_by_a_raised_level(platform: Platform) {
    let (mut house, bob, card) = waiting(platform).await;
    let levels = super::levels(platform, &[(BOB, "full")]);
    house.set("ACCESS__AUTONOMY", &levels);
    house.restart().await;
    assert_eq!(
        super::tries(&house, &bob, "new").await,
        super::Became::Refused
    );
    bob.press(&house.bob, card, "Approve").await;
    bob.settles(|message| message.text.starts_with("result: ./mark-a"))
        .await;
    assert_eq!(marks(&house), ["a"]);
    house.assert_clean();
}
