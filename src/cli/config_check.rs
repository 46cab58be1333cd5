//! `sayso config check`: where the configuration comes from, and whether it can be used.

use std::io::Write;
use std::path::Path;

use sayso_channel::Language;
use sayso_store::changed_settings;
use secrecy::ExposeSecret;

use super::exit::Exit;
use super::{language, messages};
use crate::config::{Change, Config, Environment, Overlay, ProviderConfig};

/// Says where a configuration that can be used comes from, and what owners changed of it in chat.
pub(super) async fn check(
    config: Config,
    environment: &Environment,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let language = language::of(Some(&config), environment);
    writeln!(output, "{}", source(&config, language))?;
    let warnings = warnings(&config, language);
    let overlay = overlay(config).await;
    for (key, value) in &overlay.in_force {
        writeln!(
            output,
            "{}",
            messages::changed_in_chat(language, key, value)
        )?;
    }
    for ((key, value), why) in &overlay.dropped {
        let dropped = messages::dropped_from_chat(language, key, value, &why.in_words(language));
        writeln!(output, "{dropped}")?;
    }
    for warning in &warnings {
        writeln!(output, "{warning}")?;
    }
    writeln!(output, "ok")?;
    Ok(Exit::Fine)
}

/// Says where a configuration comes from.
pub(super) fn source(config: &Config, language: Language) -> String {
    match config.file.as_deref().map(Path::display) {
        Some(file) => messages::configuration_from_file(language, &file),
        None => messages::configuration_from_environment(language),
    }
}

/// Returns what can be used and is probably not what was meant.
fn warnings(config: &Config, language: Language) -> Vec<String> {
    let mut warnings = Vec::new();
    for provider in &config.providers {
        let ProviderConfig::OpenAi(server) = provider else {
            continue;
        };
        let name = &server.name;
        let mut keys = server.api_keys.iter();
        if keys.any(|key| key.expose_secret().starts_with("sk-ant-")) {
            warnings.push(messages::key_of_anthropic(language, name));
        }
        let address = server.base_url.as_str().trim_end_matches('/');
        let has_path = !server.base_url.path().trim_matches('/').is_empty();
        // DeepSeek answers at both addresses.
        let is_known = server.base_url.host_str() == Some("api.deepseek.com");
        if !has_path && !is_known {
            warnings.push(messages::address_without_version(language, name, &address));
        }
    }
    warnings
}

/// Returns what the next start makes of the changes of owners.
pub(super) async fn overlay(config: Config) -> Overlay {
    let changes = changes(&config).await;
    config.covered_with(&changes).1
}

/// Returns the changes of owners. A database that cannot be read here has none: it is new, of
/// another version, or damaged, which `doctor` says.
pub(super) async fn changes(config: &Config) -> Vec<Change> {
    if !config.store_path.exists() {
        return Vec::new();
    }
    let changes = async {
        let readers = sayso_store::open_to_read(&config.store_path).await?;
        let rows = changed_settings::standing(&readers).await;
        readers.close().await;
        rows
    };
    match changes.await {
        Ok(rows) => rows.into_iter().map(|row| (row.key, row.value)).collect(),
        Err(error) => {
            tracing::debug!(%error, "cannot read the configuration changes made in chat");
            Vec::new()
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

    #[test]
    fn u25_what_is_probably_not_meant_is_warned_of() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sayso.toml");
        let text = "[[providers]]\nkind = 'openai'\nmodel = 'x'\napi_key = 'sk-ant-1'\n\
                    base_url = 'http://127.0.0.1:8000'\n";
        std::fs::write(&path, text).unwrap();
        let environment = Environment::from_iter([("HOME", "/home/mia")]);
        let config = crate::config::load(Some(&path), &environment).unwrap();
        insta::assert_snapshot!(warnings(&config, Language::English).join("\n"), @r#"
        warning: provider `main`: a key that begins with `sk-ant-` is Anthropic's; write `kind = "anthropic"`
        warning: provider `main`: the `base_url` of kind `openai` usually ends in `/v1`: `http://127.0.0.1:8000/v1`
        "#);
        insta::assert_snapshot!(warnings(&config, Language::Chinese).join("\n"), @r#"
        注意：提供方 `main`：以 `sk-ant-` 开头的密钥属于 Anthropic；请写 `kind = "anthropic"`
        注意：提供方 `main`：`openai` 类型的 `base_url` 通常以 `/v1` 结尾：`http://127.0.0.1:8000/v1`
        "#);
    }
}
