//! The port of `intake`, implemented by what stands in this room.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_channel::{CommandCall, Event, HeardMessage, Inbound};
use sayso_store::chats::ChatRow;
use sayso_store::{Store, StoreError, Tx};
use tokio_util::sync::CancellationToken;

use super::context::CommandContext;
use super::{
    CommandKind, answers, card_words, denial_reason, erasure, expiry, pairing, run_command,
    skill_review, stop,
};
use crate::intake::{
    CommandRate, Effects, EventMaterial, Features, Listener, Overheard, Pressed, ResolvedMessage,
};
use crate::prompts::{PressedButton, PromptKind};
use crate::routines::{GroupMessage, heard_in_group};

/// The commands and the answers to buttons of one instance.
pub struct Commands {
    ctx: Arc<CommandContext>,
}

impl Commands {
    /// Returns those that work with this.
    pub fn new(ctx: Arc<CommandContext>) -> Self {
        Self { ctx }
    }
}

#[async_trait]
impl Listener for Commands {
    async fn overheard(&self, tx: &mut Tx, heard: &Overheard<'_>) -> Result<Effects, StoreError> {
        let message = GroupMessage {
            chat: heard.chat,
            message: heard.message,
            text: heard.text,
            said: heard.said,
        };
        let mut effects = Effects::default();
        if heard_in_group(tx, &message).await? {
            effects.wakes.push(Arc::clone(&self.ctx.routines.changed));
        }
        Ok(effects)
    }
}

#[async_trait]
impl EventMaterial for Commands {
    async fn read_for(&self, inbound: &Inbound) {
        if asks_for_instructions(&inbound.event) {
            self.ctx.instructions.read(&self.ctx.limits.projects).await;
        }
    }
}

/// Returns whether an event is about projects, whose `AGENTS.md` is then shown or accepted.
fn asks_for_instructions(event: &Event) -> bool {
    match event {
        Event::Message(heard) => {
            let command = heard.command.as_ref();
            let kind = command.and_then(|call| CommandKind::named(&call.name));
            kind == Some(CommandKind::Project)
        }
        Event::Press(press) => PressedButton::parse(&press.token).is_some_and(|button| {
            matches!(
                button.kind,
                PromptKind::ProjectList | PromptKind::ProjectInstructions
            )
        }),
        Event::Moved { .. } | Event::Closed | Event::Opened => false,
    }
}

#[async_trait]
impl Features for Commands {
    fn rate(&self, command: &str) -> CommandRate {
        match CommandKind::named(command) {
            Some(CommandKind::Stop) => CommandRate::Unlimited,
            Some(_) | None => CommandRate::Limited,
        }
    }

    async fn command(
        &self,
        tx: &mut Tx,
        heard: &ResolvedMessage<'_>,
        call: &CommandCall,
    ) -> Result<Effects, StoreError> {
        run_command(tx, &self.ctx, heard, call).await
    }

    async fn answer(&self, tx: &mut Tx, pressed: &Pressed<'_>) -> Result<Effects, StoreError> {
        answers::answer(tx, &self.ctx, pressed).await
    }

    async fn meet(
        &self,
        tx: &mut Tx,
        inbound: &Inbound,
        message: &HeardMessage,
        chat: &ChatRow,
    ) -> Result<Effects, StoreError> {
        pairing::meet(tx, &self.ctx, inbound, message, chat).await
    }

    async fn redeem(
        &self,
        tx: &mut Tx,
        inbound: &Inbound,
        message: &HeardMessage,
        chat: &ChatRow,
    ) -> Result<Option<Effects>, StoreError> {
        pairing::redeem(tx, &self.ctx, inbound, message, chat).await
    }

    async fn take_words(
        &self,
        tx: &mut Tx,
        heard: &ResolvedMessage<'_>,
    ) -> Result<Option<Effects>, StoreError> {
        match denial_reason::take(tx, &self.ctx, heard).await? {
            Some(effects) => Ok(Some(effects)),
            None => card_words::take(tx, &self.ctx, heard).await,
        }
    }

    async fn stop(&self, tx: &mut Tx, heard: &ResolvedMessage<'_>) -> Result<Effects, StoreError> {
        stop::run(tx, &self.ctx, heard).await
    }

    async fn run(&self, store: &Store, shutdown: &CancellationToken) {
        tokio::join!(
            expiry::run(store, &self.ctx, shutdown),
            erasure::run(store, &self.ctx, shutdown),
            skill_review::run(store, &self.ctx, shutdown),
        );
    }
}
