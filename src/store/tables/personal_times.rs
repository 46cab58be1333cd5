//! The zone and the quiet hours of people, in `users`. They are the person's: what one account set
//! counts for all that are linked.

use sayso_core::transcript::UserId;
use serde::Deserialize;

use crate::Connection;
use crate::of_person;
use crate::people::USERS_OF_PERSON;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// What a person set about their time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct PersonalTimes {
    /// The IANA name of their zone.
    pub zone: Option<String>,
    /// When unasked messages wait: `22:30-07:30`, or `off`.
    pub quiet: Option<String>,
}

/// Returns what a user set, or else another account of the same person.
pub async fn of(readers: &Readers, user: UserId) -> Result<PersonalTimes, StoreError> {
    let mut connection = readers.acquire().await?;
    read(&mut connection, user).await
}

/// Returns the same inside a transaction.
pub async fn of_in(tx: &mut Tx, user: UserId) -> Result<PersonalTimes, StoreError> {
    read(tx.connection(), user).await
}

async fn read(connection: &mut Connection, user: UserId) -> Result<PersonalTimes, StoreError> {
    let rows: Vec<PersonalTimes> = query(sql!(
        "SELECT zone, quiet FROM users WHERE id IN (",
        USERS_OF_PERSON,
        ") ORDER BY id <> $1, id"
    ))
    .bind(user)
    .fetch_all(connection)
    .await?;
    Ok(PersonalTimes {
        zone: rows.iter().find_map(|row| row.zone.clone()),
        quiet: rows.iter().find_map(|row| row.quiet.clone()),
    })
}

/// Sets the zone of a person.
pub async fn set_zone(tx: &mut Tx, user: UserId, zone: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE users SET zone = $2 WHERE id IN (",
        USERS_OF_PERSON,
        ")"
    ))
    .bind(user)
    .bind(zone)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Sets when unasked messages wait for a person; `None`: as the configuration says.
pub async fn set_quiet(tx: &mut Tx, user: UserId, quiet: Option<&str>) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE users SET quiet = $2 WHERE id IN (",
        USERS_OF_PERSON,
        ")"
    ))
    .bind(user)
    .bind(quiet)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Erases a person (`of_person`): what they set.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "UPDATE users SET zone = NULL, quiet = NULL
             WHERE id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
