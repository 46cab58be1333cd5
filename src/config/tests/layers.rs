//! Which layer wins, and what works without any file.

use secrecy::ExposeSecret;

use super::super::{Config, ModelServer, ProviderConfig, TelegramMode};
use super::read;

/// Names the configured channels and providers in one line each.
fn outline(config: &Config) -> String {
    let telegram = config.channels.telegram.iter().map(|account| {
        let mode = match account.mode {
            TelegramMode::Polling => "polling",
            TelegramMode::Webhook { .. } => "webhook",
        };
        format!(
            "{} {} at {}, {mode}",
            account.name,
            account.token.expose_secret(),
            account.api_url
        )
    });
    let discord = config.channels.discord.iter().map(|account| {
        let token = account.token.expose_secret();
        format!("{} {token} at {}", account.name, account.api_url)
    });
    let terminal = config
        .channels
        .terminal
        .iter()
        .map(|_| "terminal".to_owned());
    let providers = config.providers.iter().map(|provider| match provider {
        ProviderConfig::OpenAi(server) => outline_of(server),
        ProviderConfig::Anthropic { server, .. } => {
            format!("{}, speaks Anthropic's protocol", outline_of(server))
        }
        ProviderConfig::Llama { server, mode, .. } => {
            format!("{}, llama.cpp by {mode:?}", outline_of(server))
        }
        ProviderConfig::Offline { name } => format!("{name}: offline"),
    });
    telegram
        .chain(discord)
        .chain(terminal)
        .chain(providers)
        .collect::<Vec<_>>()
        .join("\n")
}

fn outline_of(server: &ModelServer) -> String {
    format!(
        "{}: {} at {} with {:?}",
        server.name,
        server.model,
        server.base_url,
        server.api_keys.first().map(ExposeSecret::expose_secret)
    )
}

#[track_caller]
fn check(file: &str, variables: &[(&str, &str)], expected: &str) {
    let config = read(file, variables).unwrap();
    assert_eq!(outline(&config), expected);
}

const TOKEN: (&str, &str) = ("TELEGRAM_BOT_TOKEN", "1:one");
const OPENAI: (&str, &str) = ("OPENAI_API_KEY", "sk-open");
const DEEPSEEK: (&str, &str) = ("DEEPSEEK_API_KEY", "sk-deep");

#[test]
fn nothing_at_all_is_a_valid_configuration() {
    check("", &[], "");
}

#[test]
fn well_known_variables_work_without_a_file() {
    check(
        "",
        &[TOKEN],
        "telegram 1:one at https://api.telegram.org/, polling",
    );
    check(
        "",
        &[OPENAI, DEEPSEEK],
        "openai: gpt-4o-mini at https://api.openai.com/v1 with Some(\"sk-open\")\n\
         deepseek: deepseek-chat at https://api.deepseek.com/v1 with Some(\"sk-deep\")",
    );
}

#[test]
fn well_known_servers_replace_the_usual_ones() {
    for name in [
        "TELEGRAM_BASE_URL",
        "TELEGRAM_BOT_BASE_URL",
        "TELEGRAM_BOT_API_BASE_URL",
    ] {
        let server = (name, "http://127.0.0.1:1");
        check(
            "",
            &[TOKEN, server],
            "telegram 1:one at http://127.0.0.1:1/, polling",
        );
    }
    check(
        "",
        &[DEEPSEEK, ("DEEPSEEK_BASE_URL", "http://127.0.0.1:2/v1")],
        "deepseek: deepseek-chat at http://127.0.0.1:2/v1 with Some(\"sk-deep\")",
    );
}

#[test]
fn discord_has_its_well_known_variables_too() {
    let token = ("DISCORD_BOT_TOKEN", "a.b.c");
    check("", &[token], "discord a.b.c at https://discord.com/api/v10");
    // A server that is named without a path speaks the version that we speak.
    for (name, url) in [
        ("DISCORD_BASE_URL", "http://127.0.0.1:1"),
        ("DISCORD_BOT_BASE_URL", "http://127.0.0.1:1/api/v10"),
        ("DISCORD_API_BASE_URL", "http://127.0.0.1:1/"),
    ] {
        check(
            "",
            &[token, (name, url)],
            "discord a.b.c at http://127.0.0.1:1/api/v10",
        );
    }
}

#[test]
fn empty_variable_counts_as_not_set() {
    check(
        "",
        &[("TELEGRAM_BOT_TOKEN", ""), ("SAYSO__AGENT__MAX_STEPS", "")],
        "",
    );
}

#[test]
fn file_comes_before_well_known_variables() {
    check(
        "[channels.telegram]\ntoken = '2:two'\n[[providers]]\nkind = 'offline'",
        &[TOKEN, OPENAI],
        "telegram 2:two at https://api.telegram.org/, polling\nmain: offline",
    );
}

#[test]
fn section_without_a_token_takes_the_well_known_one() {
    check(
        "[channels.telegram]\napi_url = 'http://127.0.0.1:1'",
        &[TOKEN],
        "telegram 1:one at http://127.0.0.1:1/, polling",
    );
}

#[test]
fn terminal_is_configured_by_an_empty_section() {
    check("[channels.terminal]", &[], "terminal");
}

#[test]
fn variables_make_a_provider_of_their_own() {
    check(
        "",
        &[
            ("SAYSO__PROVIDERS__0__KIND", "openai"),
            ("SAYSO__PROVIDERS__0__MODEL", "tiny"),
            ("SAYSO__PROVIDERS__0__BASE_URL", "http://127.0.0.1:1/v1"),
            OPENAI,
        ],
        "main: tiny at http://127.0.0.1:1/v1 with None",
    );
}

#[test]
fn variable_changes_one_key_of_a_listed_provider() {
    let file = "[[providers]]\nname = 'a'\nmodel = 'x'\n[[providers]]\nname = 'b'\nmodel = 'y'";
    check(
        file,
        &[("SAYSO__PROVIDERS__1__MODEL", "z")],
        "a: x at https://api.openai.com/v1 with None\nb: z at https://api.openai.com/v1 with None",
    );
    check(
        "",
        &[OPENAI, ("SAYSO__PROVIDERS__0__MODEL", "big")],
        "openai: big at https://api.openai.com/v1 with Some(\"sk-open\")",
    );
}

#[test]
fn secrets_are_read_from_variables_and_files() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("token");
    std::fs::write(&path, "3:three\n").unwrap();
    let file = format!("[channels.telegram]\ntoken = 'file:{}'", path.display());
    check(
        &file,
        &[],
        "telegram 3:three at https://api.telegram.org/, polling",
    );
    let file = "[channels.telegram]\ntoken = 'env:MINE'";
    check(
        file,
        &[("MINE", "4:four")],
        "telegram 4:four at https://api.telegram.org/, polling",
    );
}

#[test]
fn three_keys_are_three_providers_in_their_order() {
    check(
        "",
        &[OPENAI, ("ANTHROPIC_API_KEY", "sk-ant"), DEEPSEEK],
        "openai: gpt-4o-mini at https://api.openai.com/v1 with Some(\"sk-open\")\n\
         anthropic: claude-haiku-4-5 at https://api.anthropic.com/ with Some(\"sk-ant\"), \
         speaks Anthropic's protocol\n\
         deepseek: deepseek-chat at https://api.deepseek.com/v1 with Some(\"sk-deep\")",
    );
}

#[test]
fn debug_shows_no_secret() {
    let file = "[channels.telegram]\ntoken = '1:hush'\nmode = 'webhook'\n\
        webhook_url = 'https://a.example'\nlisten = '127.0.0.1:1'\nsecret = 'hush'\n\
        [[providers]]\nmodel = 'm'\napi_key = 'hush'";
    let config = read(file, &[]).unwrap();
    assert!(!format!("{config:?}").contains("hush"));
}
