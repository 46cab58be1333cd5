//! A message with buttons that its asker may press again and again: each press rewrites it where it
//! stands. Nothing is stored but the message itself; its buttons carry a number that is no secret.

use sayso_channel::Outbound;
use sayso_store::outbox::Shown;
use sayso_store::outbox::{self, OutboxRow};
use sayso_store::{StoreError, Tx, new_id};

use super::context::CommandContext;
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, Pressed, ResolvedMessage, reply_to};

/// Such a message, by the number that its buttons carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListMessage(pub i64);

impl ListMessage {
    /// Returns one that was not sent yet.
    pub fn new() -> Self {
        Self(new_id())
    }

    /// Sends it in answer to a command.
    pub async fn say(
        self,
        tx: &mut Tx,
        ctx: &CommandContext,
        heard: &ResolvedMessage<'_>,
        outbound: Outbound,
    ) -> Result<Effects, StoreError> {
        let outbound = Outbound {
            reply_to: reply_to(heard),
            ..outbound
        };
        let saying = Saying {
            to: &heard.inbound.address,
            purpose: Purpose::Notice,
            turn: None,
            subject: Some(self.0),
            outbound: &outbound,
        };
        Ok(Effects::said(ctx.outbox.say(tx, saying).await?))
    }

    /// Rewrites the message that was pressed, if it is this one: what a button carries could be
    /// forged.
    pub async fn show_again(
        self,
        tx: &mut Tx,
        ctx: &CommandContext,
        press: &Pressed<'_>,
        outbound: &Outbound,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let Some(pressed) = press.this else {
            return Ok(Vec::new());
        };
        let purpose = Purpose::Notice;
        let list = Shown {
            purpose,
            subject: self.0,
        };
        if !outbox::may_show(tx, list, pressed.at()).await? {
            return Ok(Vec::new());
        }
        ctx.outbox
            .amend(tx, purpose, self.0, press.this, outbound)
            .await
    }

    /// Rewrites the message that was pressed.
    pub async fn show_pressed(
        self,
        tx: &mut Tx,
        ctx: &CommandContext,
        press: &Pressed<'_>,
        outbound: &Outbound,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        ctx.outbox
            .amend(tx, Purpose::Notice, self.0, press.this, outbound)
            .await
    }
}
