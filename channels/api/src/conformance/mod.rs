//! What every channel must do, as one suite that each adapter runs against a fake of its platform.
//!
//! An adapter's test implements [`Stage`] and calls [`run`], which panics at the first promise
//! that is broken. What only one platform has is tested beside its adapter.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a suite fails by panicking"
)]

mod inbound;
mod outbound;
mod scene;

use std::sync::Arc;

use async_trait::async_trait;

use crate::{Address, Button, Channel, SenderKey, SentMessage};
use scene::Scene;

/// One person in one chat, and the channel under test before it.
#[async_trait]
pub trait Stage: StagePerson {
    /// Returns the channel under test, connected to the fake of its platform.
    fn channel(&self) -> Arc<dyn Channel>;

    /// Returns where the person speaks: a direct chat.
    fn address(&self) -> Address;

    /// Returns the newest message as the person sees it now.
    async fn newest(&mut self) -> Seen;

    /// Returns how many reactions of the bot stand below messages of the person.
    fn reactions(&self) -> usize;

    /// Lets things happen that the adapter cannot know: new kinds of events, broken ones.
    async fn something_unknown_happens(&mut self);
}

/// Who speaks with the bot, on the far side of the platform.
#[async_trait]
pub trait StagePerson: Send {
    /// Returns who the person is.
    fn sender(&self) -> SenderKey;

    /// Lets the person say something.
    async fn person_says(&mut self, text: &str);

    /// Lets the person press a button of a message that carries it.
    async fn person_presses(&mut self, message: &SentMessage, button: &Button);

    /// Returns the notice that answered the last press, once it was answered;
    /// an empty text for a plain acknowledgement. Waits at most a few seconds.
    async fn answer_to_press(&mut self) -> String;
}

/// A message as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its text, without markup.
    pub text: String,
    /// The labels of its buttons, in reading order.
    pub buttons: Vec<String>,
}

/// Checks every promise, in order, on one stage.
pub async fn run(stage: &mut dyn Stage) {
    let mut scene = Scene::open(stage);
    inbound::what_is_said_arrives_once_in_order(&mut scene).await;
    inbound::a_refused_event_comes_again(&mut scene).await;
    inbound::a_command_is_read(&mut scene).await;
    inbound::unknown_things_do_not_stop_listening(&mut scene).await;
    outbound::a_message_is_shown(&mut scene).await;
    outbound::a_long_answer_arrives_whole(&mut scene).await;
    outbound::rendering_is_pure(&scene);
    outbound::a_press_brings_the_token_back_and_is_answered(&mut scene).await;
    outbound::an_edit_replaces_text_and_buttons(&mut scene).await;
    outbound::a_deleted_message_is_gone(&mut scene).await;
    outbound::the_small_calls_work(&scene).await;
    outbound::a_receipt_stands_below_a_message(&mut scene).await;
    let mut scene = inbound::listening_ends_and_begins_again(scene).await;
    inbound::what_is_said_arrives_once_in_order(&mut scene).await;
    scene.close().await;
}
