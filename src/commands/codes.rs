//! Codes that people can type: the one that makes the first owner, and those that link accounts.

use sayso_store::people::AccountStanding;
use sayso_store::{Store, StoreError, now_ms, pairing, people};

/// How long the owner's code holds, in milliseconds.
const HOLDS_MS: i64 = 60 * 60 * 1000;
/// How many characters a code has: 40 bits, for an hour, with every wrong try answered slowly.
const CODE_CHARS: usize = 8;
/// Without those that look alike.
const CODE_ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Returns the code that makes its first user the owner, or `None` when there is an owner.
///
/// The code of an earlier start is kept as long as it holds.
pub async fn owner_code(
    store: &Store,
    has_configured_owner: bool,
) -> Result<Option<String>, StoreError> {
    if has_configured_owner {
        return Ok(None);
    }
    store
        .write(|tx| {
            Box::pin(async move {
                if !people::senders_with_standing(tx, AccountStanding::Owner)
                    .await?
                    .is_empty()
                {
                    return Ok(None);
                }
                if let Some(code) =
                    pairing::valid_code(tx, AccountStanding::Owner, now_ms()).await?
                {
                    return Ok(Some(code));
                }
                let code = new_code()?;
                pairing::put_code(tx, &code, AccountStanding::Owner, now_ms() + HOLDS_MS).await?;
                Ok(Some(code))
            })
        })
        .await
}

/// Reads a code as people type it; `None` when it can be none.
pub fn read_code(written: &str) -> Option<String> {
    let code = written.trim().to_ascii_uppercase();
    let well_formed =
        code.len() == CODE_CHARS && code.bytes().all(|byte| CODE_ALPHABET.contains(&byte));
    well_formed.then_some(code)
}

/// Returns a random code that people can type.
pub fn new_code() -> Result<String, StoreError> {
    let mut bytes = [0; CODE_CHARS];
    getrandom::fill(&mut bytes)
        .map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let letter = |byte: u8| {
        CODE_ALPHABET
            .get(usize::from(byte) % 32)
            .copied()
            .map(char::from)
    };
    Ok(bytes.into_iter().filter_map(letter).collect())
}
