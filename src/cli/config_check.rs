//! `sayso config check`: where the configuration comes from, and whether it can be used.

use std::io::Write;
use std::path::Path;

use super::exit::Exit;
use super::{language, messages};
use crate::config::{Config, Environment, Overlay};
use crate::store::{self, changed_settings};

/// Says where a configuration that can be used comes from, and what owners changed of it in chat.
pub(super) async fn check(
    config: Config,
    environment: &Environment,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let language = language::of(Some(&config), environment);
    let source = match config.file.as_deref().map(Path::display) {
        Some(file) => messages::configuration_from_file(language, &file),
        None => messages::configuration_from_environment(language),
    };
    writeln!(output, "{source}")?;
    let overlay = overlay(config).await;
    for (key, value) in &overlay.in_force {
        writeln!(
            output,
            "{}",
            messages::changed_in_chat(language, key, value)
        )?;
    }
    for ((key, value), why) in &overlay.dropped {
        let dropped = messages::dropped_from_chat(language, key, value, why);
        writeln!(output, "{dropped}")?;
    }
    writeln!(output, "ok")?;
    Ok(Exit::Fine)
}

/// Returns what the next start makes of the changes of owners. A database that cannot be read here has
/// none: it is new, of another version, or damaged, which `doctor` says.
pub(super) async fn overlay(config: Config) -> Overlay {
    if !config.store_path.exists() {
        return Overlay::default();
    }
    let changes = async {
        let readers = store::open_to_read(&config.store_path).await?;
        let rows = changed_settings::standing(&readers).await;
        readers.close().await;
        rows
    };
    match changes.await {
        Ok(rows) => {
            let changes: Vec<_> = rows.into_iter().map(|row| (row.key, row.value)).collect();
            config.covered_with(&changes).1
        }
        Err(error) => {
            tracing::debug!(%error, "cannot read the configuration changes made in chat");
            Overlay::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn good_configuration_says_where_it_comes_from() {
        let environment = Environment::from_iter([("HOME", "/home/mia")]);
        let config = crate::config::load(None, &environment).unwrap();
        let mut output = Vec::new();
        let exit = check(config, &environment, &mut output).await.unwrap();
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(String::from_utf8(output).unwrap(), @r"
        configuration: no file, only the environment and the defaults
        ok
        ");
    }
}
