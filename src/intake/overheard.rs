//! The port through which what is said in a group, and not to Sayso, reaches what listens for it.

use async_trait::async_trait;
use sayso_core::transcript::ChatId;
use sayso_store::{StoreError, Tx};

use super::effects::Effects;

/// Something that was said in a group, and not to Sayso.
#[derive(Debug, Clone, Copy)]
pub struct Overheard<'a> {
    /// The group.
    pub chat: ChatId,
    /// The platform's name of the message; a later form of it has the same.
    pub message: &'a str,
    /// Its words.
    pub text: &'a str,
    /// The same as a model is shown it, with who said it.
    pub said: &'a str,
}

/// What listens.
#[async_trait]
pub trait Listener: Send + Sync {
    /// Is called once for each form of a message, in the transaction that keeps it.
    async fn overheard(&self, tx: &mut Tx, heard: &Overheard<'_>) -> Result<Effects, StoreError>;
}
