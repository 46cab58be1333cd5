//! The keys of `[[providers]]`.

use secrecy::ExposeSecret;

use super::{Case, read};
use crate::config::{Config, ModelServer, ProviderConfig};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "providers.0.name",
        default: Some("main"),
        good: ("'big'", "big", "big"),
        bad: ("' '", " "),
        read: |config| config.providers[0].name().to_owned(),
    },
    Case {
        key: "providers.0.kind",
        default: Some("openai"),
        good: ("'offline'", "offline", "offline"),
        bad: ("'claude'", "gpt"),
        read: |config| match &config.providers[0] {
            ProviderConfig::OpenAi(_) => "openai".to_owned(),
            ProviderConfig::Anthropic { .. } => "anthropic".to_owned(),
            ProviderConfig::Llama { .. } => "llama".to_owned(),
            ProviderConfig::Offline { .. } => "offline".to_owned(),
        },
    },
    Case {
        key: "providers.0.base_url",
        default: Some("https://api.openai.com/v1"),
        good: (
            "'http://127.0.0.1:9/v1'",
            "http://127.0.0.1:9/v1",
            "http://127.0.0.1:9/v1",
        ),
        bad: ("'unix:/tmp/x'", "https://mia:word@example.org"),
        read: |config| server(config).base_url.to_string(),
    },
    Case {
        key: "providers.0.api_key",
        default: Some("none"),
        good: ("'sk-1'", "sk-1", "sk-1"),
        bad: ("false", "file:/no/such/file"),
        read: |config| match server(config).api_keys.as_slice() {
            [] => "none".to_owned(),
            keys => keys.iter().map(ExposeSecret::expose_secret).collect(),
        },
    },
    Case {
        key: "providers.0.api_keys",
        default: Some(""),
        good: ("['sk-1', 'sk-2']", "sk-1, sk-2", "sk-1 sk-2"),
        bad: ("['sk-1', 'sk-1']", "sk-1,file:/no/such/file"),
        read: |config| {
            let keys = server(config).api_keys.iter();
            keys.map(ExposeSecret::expose_secret)
                .collect::<Vec<_>>()
                .join(" ")
        },
    },
    Case {
        key: "providers.0.model",
        default: None,
        good: ("'small'", "small", "small"),
        bad: ("''", " "),
        read: |config| server(config).model.clone(),
    },
    Case {
        key: "providers.0.models",
        default: Some(""),
        good: ("['large', 'huge']", "large, huge", "large huge"),
        bad: ("['large', 'large']", "large,tiny"),
        read: |config| server(config).models.join(" "),
    },
    Case {
        key: "providers.0.temperature",
        default: Some("0.7"),
        good: ("2", "2.0", "2"),
        bad: ("2.1", "nan"),
        read: |config| server(config).temperature.to_string(),
    },
    Case {
        key: "providers.0.max_tokens",
        default: Some("4096"),
        good: ("1", "1", "1"),
        bad: ("0", "many"),
        read: |config| server(config).max_tokens.to_string(),
    },
    Case {
        key: "providers.0.thinking_tokens",
        default: Some("0"),
        good: ("2048", "2048", "2048"),
        bad: ("1023", "-1"),
        read: |config| match &config.providers[0] {
            ProviderConfig::Anthropic {
                thinking_tokens, ..
            } => thinking_tokens.unwrap_or(0).to_string(),
            other => panic!("{other:?}"),
        },
    },
    Case {
        key: "providers.0.context_tokens",
        default: Some("0"),
        good: ("8192", "8192", "8192"),
        bad: ("-1", "much"),
        read: |config| server(config).context_tokens.unwrap_or(0).to_string(),
    },
    Case {
        key: "providers.0.vision",
        default: Some("None"),
        good: ("'no'", "no", "Some(None)"),
        bad: ("true", "maybe"),
        read: |config| format!("{:?}", server(config).sight),
    },
    Case {
        key: "providers.0.quirks",
        default: Some("auto"),
        good: ("'deepseek'", "deepseek", "deepseek"),
        bad: ("'deep'", "deep"),
        read: |config| server(config).quirks.clone(),
    },
    Case {
        key: "providers.0.mode",
        default: Some("Auto"),
        good: ("'completion'", "completion", "Completion"),
        bad: ("'chat'", "chat"),
        read: |config| match &config.providers[0] {
            ProviderConfig::Llama { mode, .. } => format!("{mode:?}"),
            other => panic!("{other:?}"),
        },
    },
    Case {
        key: "providers.0.template",
        default: Some("auto"),
        good: ("'gemma'", "gemma", "gemma"),
        bad: ("'jinja'", "jinja"),
        read: |config| match &config.providers[0] {
            ProviderConfig::Llama { template, .. } => template.clone(),
            other => panic!("{other:?}"),
        },
    },
    Case {
        key: "providers.0.tool_calls_in_text",
        default: Some("Auto"),
        good: ("'off'", "off", "Off"),
        bad: ("true", "never"),
        read: |config| format!("{:?}", server(config).calls_in_text),
    },
    Case {
        key: "providers.0.timeout_secs",
        default: Some("120"),
        good: ("3600", "3600", "3600"),
        bad: ("0", "3601"),
        read: |config| server(config).timeout.as_secs().to_string(),
    },
    Case {
        key: "providers.0.first_token_secs",
        default: Some("0"),
        good: ("900", "900", "900"),
        bad: ("-1", "3601"),
        read: |config| {
            let first_token = server(config).first_token.unwrap_or_default();
            first_token.as_secs().to_string()
        },
    },
];

fn server(config: &Config) -> &ModelServer {
    config.providers[0].server().unwrap()
}

#[test]
fn anthropic_has_an_address_and_bounds_of_its_own() {
    let anthropic = "[[providers]]\nkind = 'anthropic'\nmodel = 'm'\n";
    let config = read(anthropic, &[]).unwrap();
    assert_eq!(
        server(&config).base_url.as_str(),
        "https://api.anthropic.com/"
    );
    let refused = |file: String| read(&file, &[]).unwrap_err().to_string();
    let too_hot = refused(format!("{anthropic}temperature = 1.1"));
    assert!(
        too_hot.contains("from 0 to 1 for a provider of kind `anthropic`"),
        "{too_hot}"
    );
    let elsewhere = refused("[[providers]]\nmodel = 'm'\nthinking_tokens = 2048".to_owned());
    assert!(
        elsewhere.contains("only a provider of kind `anthropic`"),
        "{elsewhere}"
    );
}

#[test]
fn llama_needs_an_address_a_model_and_a_key_of_no_one() {
    let llama = "[[providers]]\nkind = 'llama'\n";
    let config = read(llama, &[]).unwrap();
    let server = server(&config);
    assert_eq!(server.base_url.as_str(), "http://127.0.0.1:8080/");
    assert_eq!(
        (server.model.as_str(), server.api_keys.len()),
        ("default", 0)
    );
    assert_eq!(config.agent.history_messages, 30);
    let written = read(&format!("{llama}[agent]\nhistory_messages = 40"), &[]).unwrap();
    assert_eq!(written.agent.history_messages, 40);

    let address = format!("{llama}base_url = 'http://gpu:8080/v1/'");
    let config = read(&address, &[]).unwrap();
    assert_eq!(config.providers[0].server().unwrap().base_url.path(), "/");

    let refused = |file: String| read(&file, &[]).unwrap_err().to_string();
    let template = refused(format!("{llama}template = 'gemma'"));
    assert!(template.contains("`mode = \"completion\"`"), "{template}");
    let mode = refused("[[providers]]\nmodel = 'm'\nmode = 'completion'".to_owned());
    assert!(mode.contains("only a provider of kind `llama`"), "{mode}");
}

#[test]
fn keys_are_read_from_where_they_are_kept_and_named_by_no_refusal() {
    let file = "[[providers]]\nmodel = 'm'\napi_keys = ['env:FIRST', 'sk-second']";
    let config = read(file, &[("FIRST", "sk-first")]).unwrap();
    let keys = server(&config).api_keys.iter();
    let keys: Vec<_> = keys.map(ExposeSecret::expose_secret).collect();
    assert_eq!(keys, ["sk-first", "sk-second"]);
    let both = format!("{file}\napi_key = 'sk-third'");
    let refused = read(&both, &[("FIRST", "sk-first")]).unwrap_err();
    insta::assert_snapshot!(refused, @"sayso.toml:3: `providers.0.api_keys` must be left out beside `api_key`: write all keys in `api_keys`");
    let missing = read(file, &[]).unwrap_err();
    insta::assert_snapshot!(missing, @"sayso.toml:3: `providers.0.api_keys` is kept in `env:FIRST`, but that variable is not set");
}
