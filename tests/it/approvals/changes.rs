//! What may change between the card and the press, and what runs then.

use sayso_fakes::Message;

use super::{DECIDED, asks, closed, hears, is_open_card, marks, obedient};
use crate::platform::{Platform, on_both};

on_both!(
    a_yes_before_a_restart_in_read_only_runs_nothing,
    a_yes_after_the_owner_lowered_the_level_runs_nothing,
    a_script_that_changed_on_disk_is_asked_about_anew,
    a_script_that_an_approved_call_changes_is_asked_about_anew,
    an_approval_is_good_for_one_call,
    a_card_that_expires_while_nothing_runs_is_closed_at_the_next_start
);

/// What the model is told when the level no longer lets it run anything.
const READ_ONLY: &str = "result: [失败] not run: the autonomy level is `read_only`";

async fn a_yes_before_a_restart_in_read_only_runs_nothing(platform: Platform) {
    let mut house = obedient(platform, &[]).await;
    let chat = house.direct();
    let card = asks(&house, &chat, "a").await;
    house.set("AGENT__AUTONOMY", "read_only");
    house.restart().await;
    let told = chat.press(&house.ann, card.id, "Approve").await;
    assert_eq!(told.text.as_deref(), Some("Approved."));
    hears(&chat, &READ_ONLY.replace('`', "")).await;
    closed(&chat, card.id).await;
    assert!(marks(&house).is_empty());
    house.assert_clean();
}

async fn a_yes_after_the_owner_lowered_the_level_runs_nothing(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    let (once, always) = (
        asks(&house, &chat, "a").await,
        asks(&house, &chat, "b").await,
    );
    chat.says("/autonomy read_only");
    hears(&chat, "Autonomy here: read_only").await;
    chat.press(&house.ann, once.id, "Approve").await;
    chat.press(&house.ann, always.id, "Always").await;
    let refused = READ_ONLY.replace('`', "");
    let both = |messages: &[Message]| {
        messages
            .iter()
            .filter(|message| message.text.starts_with(&refused))
            .count()
            == 2
    };
    chat.sees(both).await;
    assert!(marks(&house).is_empty());
    house.assert_clean();
}

async fn a_script_that_changed_on_disk_is_asked_about_anew(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    chat.says("hello");
    hears(&chat, "ok: hello").await;
    let script = house.workspace().join("script.sh");
    let says = |word: &str| format!("echo {word} >> word");
    let word = house.workspace().join("word");
    std::fs::write(&script, says("shown")).unwrap();
    chat.says("run: sh ./script.sh");
    let first = chat.settles(is_open_card).await;
    std::fs::write(&script, says("changed")).unwrap();
    chat.press(&house.ann, first.id, "Approve").await;
    let second = chat
        .settles(|card| is_open_card(card) && card.id != first.id)
        .await;
    assert!(second.text.contains("has changed since"), "{second}");
    assert!(!word.exists(), "the first yes was for another script");
    // Nor does the first yes come back to life when the script does.
    std::fs::write(&script, says("shown")).unwrap();
    chat.press(&house.ann, second.id, "Approve").await;
    let third = chat
        .settles(|card| is_open_card(card) && ![first.id, second.id].contains(&card.id))
        .await;
    assert!(!word.exists());
    chat.press(&house.ann, third.id, "Approve").await;
    hears(&chat, "result: (no output)").await;
    assert_eq!(std::fs::read_to_string(word).unwrap(), "shown\n");
    house.assert_clean();
}

async fn a_script_that_an_approved_call_changes_is_asked_about_anew(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    chat.says("hello");
    hears(&chat, "ok: hello").await;
    std::fs::write(house.workspace().join("script.sh"), "true").unwrap();
    let evil = "echo touch mark-evil > script.sh";
    chat.says(&format!("run: {evil} ;; sh script.sh"));
    let card = chat.settles(is_open_card).await;
    chat.press(&house.ann, card.id, "Approve all").await;
    let anew = chat
        .settles(|it| is_open_card(it) && it.id != card.id)
        .await;
    assert!(anew.text.contains("sh script.sh"), "{anew}");
    assert!(
        !anew.text.contains("evil"),
        "only the changed call is asked about: {anew}"
    );
    chat.press(&house.ann, anew.id, "Deny").await;
    hears(&chat, "result: [失败] not run").await;
    assert!(marks(&house).is_empty());
    house.assert_clean();
}

async fn an_approval_is_good_for_one_call(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let chat = house.direct();
    let first = asks(&house, &chat, "a").await;
    chat.press(&house.ann, first.id, "Approve").await;
    hears(&chat, "result: ").await;
    let second = asks(&house, &chat, "a").await;
    assert_ne!(second.id, first.id);
    chat.press(&house.ann, second.id, "Deny").await;
    hears(&chat, "result: [失败] not run").await;
    assert_eq!(marks(&house), ["a"]);
    let told = chat
        .press_token(&house.ann, second.id, &first.token("Approve"))
        .await;
    assert_eq!(told.text.as_deref(), Some(DECIDED));
    assert!(!chat.messages().iter().any(is_open_card));
    house.assert_clean();
}

async fn a_card_that_expires_while_nothing_runs_is_closed_at_the_next_start(platform: Platform) {
    let mut house = obedient(platform, &[]).await;
    let chat = house.direct();
    let card = asks(&house, &chat, "a").await;
    // What is said next waits until it is known that the card arrived, and as which message.
    chat.says("/whoami");
    hears(&chat, "your role is").await;
    house.kill().await;
    house.write("UPDATE cards SET expires_ms = 1").await;
    house.start();
    house.listens().await;
    let expired = closed(&chat, card.id).await;
    assert!(expired.text.starts_with("⌛ Expired"), "{expired}");
    hears(&chat, "⌛ Nobody answered in time").await;
    assert!(marks(&house).is_empty());
    house.assert_clean();
}
