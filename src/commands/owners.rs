//! Where owners are reached: the direct chats in which they are asked.

use async_trait::async_trait;
use sayso_channel::Address;
use sayso_core::transcript::Role;
use sayso_store::people::AccountStanding;
use sayso_store::{StoreError, Tx, people};

use crate::delivery::OutboxWriter;
use crate::intake::{Access, Account, Standing};
use crate::sessions::Owners;

/// The direct chats of the owners, by the access lists.
pub struct OwnerChats {
    access: Access,
    outbox: OutboxWriter,
}

impl OwnerChats {
    /// Knows owners by these lists, and what can be reached by this outbox.
    pub fn new(access: Access, outbox: OutboxWriter) -> Self {
        Self { access, outbox }
    }
}

#[async_trait]
impl Owners for OwnerChats {
    async fn direct_chats(&self, tx: &mut Tx) -> Result<Vec<Address>, StoreError> {
        owner_addresses(tx, &self.access, &self.outbox).await
    }
}

/// Returns every direct chat of an owner: everyone who may approve is asked in each of them. Chats
/// on a channel that is no longer configured are left out, because no card can be sent there.
pub async fn owner_addresses(
    tx: &mut Tx,
    access: &Access,
    outbox: &OutboxWriter,
) -> Result<Vec<Address>, StoreError> {
    let mut addresses = Vec::new();
    for standing in [
        AccountStanding::Owner,
        AccountStanding::Listed,
        AccountStanding::Member,
        AccountStanding::Guest,
    ] {
        for (channel, sender, direct) in people::senders_with_standing(tx, standing).await? {
            let account = Account {
                channel: &channel.as_str().into(),
                key: &sender.as_str().into(),
                roles: &[],
            };
            let judged = access.standing(account, Some(standing));
            let Some(direct) = direct.filter(|_| judged == Standing::Admitted(Role::Owner)) else {
                continue;
            };
            let address: Address = serde_json::from_str(&direct)?;
            if outbox.channel(&address).is_some() {
                addresses.push(address);
            }
        }
    }
    Ok(addresses)
}
