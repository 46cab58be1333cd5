//! The port of `intake`, implemented by what stands in this room.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_channel::{CommandCall, HeardMessage, Inbound};
use sayso_store::chats::ChatRow;
use sayso_store::{Store, StoreError, Tx};
use tokio_util::sync::CancellationToken;

use super::context::CommandContext;
use super::{
    CommandKind, answers, card_words, denial_reason, erasure, expiry, pairing, run_command,
    skill_review, stop,
};
use crate::intake::{
    CommandRate, Effects, Features, Listener, Overheard, Pressed, ResolvedMessage,
};
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
