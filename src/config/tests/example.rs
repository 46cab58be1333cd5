//! The example file: it is read as it stands, and every key stands in it with its default.

use std::path::Path;

use super::super::Origin;
use super::super::keys;
use super::super::read_file::read_text;
use super::super::settings::Setting;
use super::super::several;
use super::read;

const EXAMPLE: &str = include_str!("../../../deploy/sayso.example.toml");

#[test]
fn example_is_read_as_it_stands() {
    let variables = [("TELEGRAM_BOT_TOKEN", "1:one"), ("OPENAI_API_KEY", "sk-1")];
    let config = read(EXAMPLE, &variables).unwrap();
    assert_eq!(config.channels.telegram.len(), 1);
    assert_eq!(config.providers.len(), 1);
}

#[test]
fn every_key_stands_in_the_example_with_its_default() {
    let settings = read_text(Path::new("example"), &with_optional_keys()).unwrap();
    let table = settings.to_table();
    for key in keys::all() {
        let path = key.path.replace('*', "0");
        let (section, name) = path.rsplit_once('.').unwrap_or(("", &path));
        // There is no plain section of secrets, and none of projects.
        let section = match section {
            several::SECRETS => "secrets.github",
            several::PROJECTS => "projects.site",
            section => section,
        };
        let place = format!("{}.{name}", several::in_tables(section));
        let written = place
            .trim_start_matches('.')
            .split('.')
            .try_fold(
                &toml::Value::Table(table.clone()),
                |value, step| match step.parse::<usize>() {
                    Ok(item) => value.get(item),
                    Err(_) => value.get(step),
                },
            )
            .cloned();
        let written = written.unwrap_or_else(|| panic!("`{path}` is not in the example"));
        if let Some(default) = key.default {
            let setting = Setting::of_text(key, &path, default, Origin::Default).unwrap();
            assert_eq!(written, setting.value, "{path}");
        }
    }
}

#[test]
fn every_key_of_the_example_is_explained_on_its_line() {
    for line in with_optional_keys().lines() {
        if line.contains(" = ") {
            assert!(line.contains(" # "), "{line}");
        }
    }
}

/// Returns the example with its optional keys and sections (`# key = value`, `# [section]`)
/// switched on.
fn with_optional_keys() -> String {
    EXAMPLE
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.contains(" = ") || rest.starts_with('[') => rest,
            _ => line,
        })
        .collect::<Vec<_>>()
        .join("\n")
}
