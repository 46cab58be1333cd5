//! Statements about everything of a person.
//!
//! A person is all accounts that are linked now, as a JSON array of their numbers: the parameter `$1` of
//! each statement, and `users` of the functions `erase` in the files of the tables.

use crate::sql::{Statement, query};
use crate::{StoreError, Tx};

/// Runs statements one after the other.
pub(crate) async fn run<const N: usize>(
    tx: &mut Tx,
    users: &str,
    statements: [Statement; N],
) -> Result<(), StoreError> {
    for statement in statements {
        query(statement)
            .bind(users)
            .execute(tx.connection())
            .await?;
    }
    Ok(())
}
