//! Who decides: the configured owners, a paired person, or the holder of the pairing code.

use std::path::Path;

use sayso_channel::Language;
use sayso_store::{FileCheck, Store, StoreError};

use super::outside::pairing_link;
use super::{Finding, messages};
use crate::commands;
use crate::config::{AccessConfig, Config};

/// Who the owner is where none is configured.
enum FirstOwner {
    /// Somebody was paired.
    Paired,
    /// The first person who sends this code.
    ByCode(String),
    /// Unknown until the next start has migrated the database.
    AfterStart,
}

/// Says who the owners are, or how the first one comes to be.
pub(super) async fn owner(config: &Config, language: Language) -> Finding {
    let AccessConfig {
        owners, pairing, ..
    } = &config.access;
    if let [first, ..] = owners.as_slice() {
        return Finding::Fine(match owners.len() - 1 {
            0 => messages::owner(language, first),
            more => messages::owners(language, first, &more),
        });
    }
    if !*pairing {
        return Finding::Problem {
            what: messages::no_owner_possible(language),
            fix: messages::name_an_owner(language),
        };
    }
    let channels = &config.channels;
    if channels.telegram.is_empty() && channels.discord.is_empty() {
        return Finding::Fine(messages::first_pairing_makes_owner(language));
    }
    Finding::Fine(match first_owner(&config.store_path).await {
        Ok(FirstOwner::Paired) => messages::owner_was_paired(language),
        Ok(FirstOwner::ByCode(code)) => {
            let link = match channels.telegram.first() {
                Some(account) => pairing_link(account, &code).await,
                None => None,
            };
            match link {
                Some(link) => messages::open_the_link(language, &link),
                None => messages::send_the_code(language, &code),
            }
        }
        // What is wrong with the database was said already.
        Ok(FirstOwner::AfterStart) | Err(_) => messages::first_pairing_makes_owner(language),
    })
}

/// Looks into the database, and makes the code where there is none that holds.
async fn first_owner(path: &Path) -> Result<FirstOwner, StoreError> {
    if path.exists() {
        let FileCheck {
            schema,
            known,
            damage,
        } = sayso_store::check_file(path).await?;
        if schema != known || damage.is_some() {
            return Ok(FirstOwner::AfterStart);
        }
    }
    let store = Store::open(path).await?;
    let code = commands::owner_code(&store, false).await;
    store.close().await;
    Ok(code?.map_or(FirstOwner::Paired, FirstOwner::ByCode))
}
