//! Promises about received messages.

use super::scene::Scene;
use crate::{Addressed, ChatKind, Receipt};

pub(super) async fn what_is_said_arrives_once_in_order(scene: &mut Scene<'_>) {
    let said = ["first", "second 你好 😀", "third"];
    for text in said {
        scene.stage.person_says(text).await;
    }
    for text in said {
        let message = scene.store_message().await;
        assert_eq!(message.text, text);
        assert_eq!(message.addressed, Addressed::Direct);
        assert_eq!(message.command, None);
        assert!(!message.edited);
    }
}

/// As long as the door refuses, nothing may be forgotten or overtaken.
pub(super) async fn a_refused_event_comes_again(scene: &mut Scene<'_>) {
    scene.stage.person_says("keep me").await;
    scene.stage.person_says("me too").await;
    let refused = scene.next_delivery().await.inbound;
    let again = loop {
        let delivery = scene.next_delivery().await;
        if delivery.inbound.key == refused.key {
            break delivery;
        }
    };
    assert_eq!(again.inbound.event, refused.event);
    assert_eq!(again.inbound.chat_kind, ChatKind::Direct);
    drop(again);
    assert_eq!(scene.store_message().await.text, "keep me");
    assert_eq!(scene.store_message().await.text, "me too");
}

pub(super) async fn a_command_is_read(scene: &mut Scene<'_>) {
    scene.stage.person_says("/Start  code ").await;
    let message = scene.store_message().await;
    let command = message.command.expect("it is a command");
    assert_eq!(command.name, "start");
    assert_eq!(command.arguments, "code");
}

pub(super) async fn unknown_things_do_not_stop_listening(scene: &mut Scene<'_>) {
    scene.stage.something_unknown_happens().await;
    scene.stage.person_says("still here?").await;
    let mut heard = scene.store_next(Receipt::default()).await;
    while !format!("{heard:?}").contains("still here?") {
        heard = scene.store_next(Receipt::default()).await;
    }
}

/// Messages that are sent while the channel does not listen wait on the platform.
pub(super) async fn listening_ends_and_begins_again(scene: Scene<'_>) -> Scene<'_> {
    let mut scene = scene.reopen().await;
    scene.stage.person_says("are you back?").await;
    assert_eq!(scene.store_message().await.text, "are you back?");
    scene
}
