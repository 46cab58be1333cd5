//! Whose rows a query may read: every user of a person, or one group.

use sayso_core::transcript::{ChatId, Owner, UserId};

use super::Connection;
use super::StoreError;
use super::people::USERS_OF_PERSON;
use super::sql::query;
use crate::sql;

/// Whose rows may be read: made from an [`Owner`] and from nothing else.
#[derive(Debug, Clone)]
pub(crate) struct Owners {
    pub(super) kind: &'static str,
    pub(super) ids: Vec<i64>,
}

impl Owners {
    /// Returns a group alone, and a user together with all other users of the same person.
    pub(super) async fn of(connection: &mut Connection, owner: Owner) -> Result<Self, StoreError> {
        let (kind, id) = columns(owner);
        let ids = match owner {
            Owner::Chat(_) => vec![id],
            Owner::User(user) => users_of_person(connection, user).await?,
        };
        Ok(Self { kind, ids })
    }

    /// Returns each of them.
    pub(super) fn each(&self) -> impl Iterator<Item = Owner> + '_ {
        self.ids.iter().map(|id| owner_of(self.kind, *id))
    }

    pub(super) fn as_json(&self) -> Result<String, StoreError> {
        Ok(serde_json::to_string(&self.ids)?)
    }
}

/// A user without a row is linked to no other user.
async fn users_of_person(
    connection: &mut Connection,
    user: UserId,
) -> Result<Vec<i64>, StoreError> {
    let mut ids: Vec<i64> = query(sql!(USERS_OF_PERSON))
        .bind(user)
        .fetch_all(connection)
        .await?;
    if ids.is_empty() {
        ids.push(user.0);
    }
    Ok(ids)
}

pub(super) fn columns(owner: Owner) -> (&'static str, i64) {
    match owner {
        Owner::User(user) => ("user", user.0),
        Owner::Chat(chat) => ("chat", chat.0),
    }
}

/// Reads what [`columns`] wrote.
pub(super) fn owner_of(kind: &str, id: i64) -> Owner {
    match kind {
        "chat" => Owner::Chat(ChatId(id)),
        _ => Owner::User(UserId(id)),
    }
}
