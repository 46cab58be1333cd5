//! The port through which events reach what people ask for by commands and answer by buttons.
//!
//! `intake` decides who did an event and where, and which kind of event it is. What a command does
//! and what a press answers is not known here.

use async_trait::async_trait;
use sayso_channel::{CommandCall, HeardMessage, Inbound};
use sayso_store::chats::ChatRow;
use sayso_store::{Store, StoreError, Tx};
use tokio_util::sync::CancellationToken;

use super::effects::Effects;
use super::resolved::{Pressed, ResolvedMessage};

/// Whether a command counts against the rate limit of its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandRate {
    /// It counts.
    Limited,
    /// It always runs.
    Unlimited,
}

/// What an event needs from a disk. It is read before the transaction that stores the event: in that
/// nothing waits for a disk.
#[async_trait]
pub trait EventMaterial: Send + Sync {
    /// Reads what an event needs, in bounded time; nothing for most events.
    async fn read_for(&self, inbound: &Inbound);
}

/// What people ask for by commands and answer by buttons. Every method with a transaction runs in
/// the one that stores the event.
#[async_trait]
pub trait Features: Send + Sync {
    /// Returns how a command counts.
    fn rate(&self, command: &str) -> CommandRate;

    /// Runs a command, or says that there is none of this name.
    async fn command(
        &self,
        tx: &mut Tx,
        heard: &ResolvedMessage<'_>,
        call: &CommandCall,
    ) -> Result<Effects, StoreError>;

    /// Judges a press on a button and does what it answers.
    async fn answer(&self, tx: &mut Tx, pressed: &Pressed<'_>) -> Result<Effects, StoreError>;

    /// Meets a stranger who addressed the assistant. No model is called.
    async fn meet(
        &self,
        tx: &mut Tx,
        inbound: &Inbound,
        message: &HeardMessage,
        chat: &ChatRow,
    ) -> Result<Effects, StoreError>;

    /// Uses up a pairing code that a message consists of; `None` when it is no valid code.
    async fn redeem(
        &self,
        tx: &mut Tx,
        inbound: &Inbound,
        message: &HeardMessage,
        chat: &ChatRow,
    ) -> Result<Option<Effects>, StoreError>;

    /// Takes a message that an earlier press asked for, or that says yes or no to an open card;
    /// `None` when it is neither. The event is stored by the caller.
    async fn take_words(
        &self,
        tx: &mut Tx,
        heard: &ResolvedMessage<'_>,
    ) -> Result<Option<Effects>, StoreError>;

    /// Stops what a person has running in a session, as the command does.
    async fn stop(&self, tx: &mut Tx, heard: &ResolvedMessage<'_>) -> Result<Effects, StoreError>;

    /// Does what outlives the events, until `shutdown`.
    async fn run(&self, store: &Store, shutdown: &CancellationToken);
}
