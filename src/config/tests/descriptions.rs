//! What is written from the declarations says what is accepted. That the pages in the repository are
//! those of the declarations is for `tests/it/book`.

use sayso_channel::Language;
use serde::Deserialize as _;

use super::super::error::Origin;
use super::super::keys::{self, ConfigFile, Kind};
use super::super::settings::{Setting, Settings};
use super::super::{example, schema};

/// Returns a file as a program that checks it against the schema reads it.
fn as_json(text: &str) -> serde_json::Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

#[test]
fn schema_accepts_the_example_and_refuses_what_a_start_refuses() {
    let schema = jsonschema::validator_for(&schema()).unwrap();
    for language in [Language::English, Language::Chinese] {
        let example = as_json(&example(language));
        let errors: Vec<_> = schema
            .iter_errors(&example)
            .map(|it| it.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new());
    }
    let good = "[channels.telegram.work]\ntoken = 'env:A'\n[secrets.github]\nvalue = 'env:B'\n\
                [channels.terminal]\n[channels.discord]\nshards = 3\n[memory.embedder]\n\
                model = 'm'\n[[mcp]]\nname = 'a'\n[[mcp]]\nname = 'b'\nenv = ['A=b']";
    assert!(schema.is_valid(&as_json(good)));
    for bad in [
        "[agent]\nmax_step = 3",
        "[agent]\nmax_steps = 31",
        "[agent]\nmax_steps = '3'",
        "[agent]\nautonomy = 'reckless'",
        "[access]\nowners = 'telegram:1'",
        "[channels.telegram.work]\ntokn = 'x'",
        "[channels.discord]\nshards = 0",
        "[secrets]\nvalue = 'x'",
        "[providers]\nmodel = 'x'",
        "[bus]\nurl = 'local'",
    ] {
        assert!(!schema.is_valid(&as_json(bad)), "{bad}");
    }
}

/// Returns the ends of the range of a number, or each word of a choice.
fn extremes(kind: Kind) -> Vec<String> {
    match kind {
        Kind::Whole(least, most) | Kind::AutoOrWhole(least, most) => {
            vec![least.to_string(), most.to_string()]
        }
        Kind::Decimal(least, most) => vec![least.to_string(), most.to_string()],
        Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Kind::Text
        | Kind::Secret
        | Kind::Switch
        | Kind::Texts
        | Kind::Secrets
        | Kind::Variables => Vec::new(),
    }
}

#[test]
fn every_declared_value_fits_the_type_of_its_field() {
    let mut settings = Settings::default();
    for section in [
        "providers.0",
        "mcp.0",
        "prices.0",
        "channels.telegram",
        "channels.discord",
    ] {
        settings.set_section(section, Origin::Default);
    }
    settings.fill_defaults().unwrap();
    for key in keys::all() {
        for text in extremes(key.kind) {
            let path = key.path.replace('*', "0");
            let mut changed = settings.clone();
            let setting = Setting::of_text(key, &path, &text, Origin::Default).unwrap();
            changed.set(path.as_str(), setting);
            let file = ConfigFile::deserialize(changed.to_table());
            assert!(file.is_ok(), "{path} = {text}: {}", file.err().unwrap());
        }
    }
}
