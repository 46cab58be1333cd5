//! What a person may do when something that they scheduled is due: by the access lists and what pairing
//! stored, without an event of theirs.

use async_trait::async_trait;
use sayso_core::transcript::{Role, UserId};
use sayso_store::{StoreError, Tx, people};

use crate::intake::{Access, Account, Standing};
use crate::routines::Permissions;

/// Permissions by the access lists.
pub struct ListedPermissions {
    access: Access,
}

impl ListedPermissions {
    /// Judges by these lists.
    pub fn new(access: Access) -> Self {
        Self { access }
    }
}

#[async_trait]
impl Permissions for ListedPermissions {
    async fn role(
        &self,
        tx: &mut Tx,
        user: UserId,
        before: Role,
    ) -> Result<Option<Role>, StoreError> {
        let Some((channel, sender)) = people::account_of(tx, user).await? else {
            return Ok(None);
        };
        let stored = people::find_sender(tx, &channel, &sender).await?;
        let (channel, key) = (channel.as_str().into(), sender.as_str().into());
        let account = Account {
            channel: &channel,
            key: &key,
            roles: &[],
        };
        let stored = stored.map(|row| row.standing);
        Ok(match self.access.standing(account, stored) {
            Standing::Admitted(role) => Some(role),
            // Roles of a platform come with events only: what they gave is what they gave last.
            Standing::Stranger if self.access.admits_by_role(&channel) => {
                Some(before.min(Role::Member))
            }
            Standing::Blocked | Standing::Stranger => None,
        })
    }
}
