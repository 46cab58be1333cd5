//! `sayso routines export` and `import`: routines and reminders as a file.

use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use sayso_channel::Language;
use sayso_core::transcript::RoutineId;
use sayso_store::Store;

use super::exit::Exit;
use super::messages;
use crate::app;
use crate::config::Config;
use crate::routines::exchange::{self, Outcome};
use crate::routines::{WebhookKey, Webhooks};

/// Prints what is to come, of everybody or of one person.
pub(super) async fn export(
    config: &Config,
    person: Option<&str>,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let readers = sayso_store::open_to_read(&config.store_path)
        .await
        .with_context(|| format!("cannot open `{}`", config.store_path.display()))?;
    let exported = exchange::export(&readers, person).await?;
    let Some(text) = exported else {
        let account = person.unwrap_or_default();
        writeln!(output, "{}", messages::unknown_account(language, &account))?;
        return Ok(Exit::Failed);
    };
    output.write_all(text.as_bytes())?;
    Ok(Exit::Fine)
}

/// Keeps what a file has, or says what is wrong in it.
pub(super) async fn import(
    config: &Config,
    file: &Path,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read `{}`", file.display()))?;
    let _directory = sayso_store::lock_directory(&config.data_dir)?;
    let store = Store::open(&config.store_path).await?;
    let limits = app::routine_limits(config);
    let outcome = exchange::import(&store, limits, config.http_listen.is_some(), &text).await;
    store.close().await;
    match outcome? {
        Outcome::Kept(imported) => {
            let (new, known, over) = (imported.new, imported.known, imported.over);
            let kept = messages::routines_imported(language, &new, &known, &over);
            writeln!(output, "{kept}")?;
            say_keys(config, &imported.webhooks, language, output)?;
            Ok(Exit::Fine)
        }
        Outcome::Refused(problems) => {
            for problem in &problems {
                writeln!(output, "{}", exchange::messages::problem(problem, language))?;
            }
            writeln!(output, "{}", messages::routines_not_imported(language))?;
            Ok(Exit::Failed)
        }
    }
}

/// Says how new webhooks are called: their keys are new, and shown here alone.
fn say_keys(
    config: &Config,
    webhooks: &[RoutineId],
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    if webhooks.is_empty() {
        return Ok(());
    }
    let key = WebhookKey::open(&config.data_dir).context("cannot read the key of webhooks")?;
    for id in webhooks {
        let path = Webhooks::path_of(*id);
        let said = messages::webhook_imported(language, &path, &key.of_routine(*id));
        writeln!(output, "{said}")?;
    }
    Ok(())
}
