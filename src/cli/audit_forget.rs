//! `sayso audit forget`: erases what the audit keeps in one account's words. The chain still holds.

use std::io::Write;

use sayso_channel::Language;
use sayso_store::{Store, audit, people};

use super::exit::Exit;
use super::messages;
use crate::config::Config;

/// Erases the payloads of an account (`telegram:12345`).
pub(super) async fn forget(
    config: &Config,
    account: &str,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let _directory = sayso_store::lock_directory(&config.data_dir)?;
    let store = Store::open(&config.store_path).await?;
    let (channel, sender) = account.split_once(':').unwrap_or((account, ""));
    let (channel, sender) = (channel.to_owned(), sender.to_owned());
    let erased = store.write(move |tx| {
        Box::pin(async move {
            match people::find_sender(tx, &channel, &sender).await? {
                Some(known) => audit::forget(tx, known.user_id).await.map(Some),
                None => Ok(None),
            }
        })
    });
    let erased = erased.await?;
    store.close().await;
    let (said, exit) = match erased {
        Some(count) => (
            messages::audit_forgotten(language, &count, &account),
            Exit::Fine,
        ),
        None => (messages::unknown_account(language, &account), Exit::Failed),
    };
    writeln!(output, "{said}")?;
    Ok(exit)
}
