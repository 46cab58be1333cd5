//! Environment variables into settings: `SAYSO__SECTION__KEY`, and the names that everybody knows.

use super::Environment;
use super::error::{ConfigError, Fault, Origin};
use super::key_paths;
use super::keys::Kind;
use super::messages::Rule;
use super::settings::{self, Setting, Settings};
use super::several;

/// What the variables of our keys begin with.
const PREFIX: &str = "SAYSO__";

/// The platforms whose tokens everybody keeps in the same variables.
const PLATFORMS: &[Platform] = &[
    Platform {
        section: "channels.telegram",
        token: "TELEGRAM_BOT_TOKEN",
        servers: &[
            "TELEGRAM_BASE_URL",
            "TELEGRAM_BOT_BASE_URL",
            "TELEGRAM_BOT_API_BASE_URL",
        ],
    },
    Platform {
        section: "channels.discord",
        token: "DISCORD_BOT_TOKEN",
        servers: &[
            "DISCORD_BASE_URL",
            "DISCORD_BOT_BASE_URL",
            "DISCORD_API_BASE_URL",
        ],
    },
];

/// The model services with well-known variables for their API keys, in the order in which they are
/// tried.
const SERVICES: &[Service] = &[
    Service {
        name: "openai",
        kind: "openai",
        api_key: "OPENAI_API_KEY",
        base_url: "OPENAI_BASE_URL",
        usual_base_url: "https://api.openai.com/v1",
        model: "gpt-4o-mini",
    },
    Service {
        name: "anthropic",
        kind: "anthropic",
        api_key: "ANTHROPIC_API_KEY",
        base_url: "ANTHROPIC_BASE_URL",
        usual_base_url: "https://api.anthropic.com",
        model: "claude-haiku-4-5",
    },
    Service {
        name: "deepseek",
        kind: "openai",
        api_key: "DEEPSEEK_API_KEY",
        base_url: "DEEPSEEK_BASE_URL",
        usual_base_url: "https://api.deepseek.com/v1",
        model: "deepseek-chat",
    },
];

struct Platform {
    section: &'static str,
    token: &'static str,
    /// What names its server beside the token; the first that is set counts.
    servers: &'static [&'static str],
}

struct Service {
    name: &'static str,
    kind: &'static str,
    api_key: &'static str,
    base_url: &'static str,
    usual_base_url: &'static str,
    model: &'static str,
}

/// Reads `SAYSO__SECTION__KEY`; the number of a list item is a step: `SAYSO__PROVIDERS__0__MODEL`.
pub(super) fn read_environment(environment: &Environment) -> Result<Settings, ConfigError> {
    let mut settings = Settings::default();
    for (variable, text) in environment.beginning_with(PREFIX) {
        let path = path_of(variable);
        let origin = Origin::Variable(variable.to_owned());
        let Some(key) = key_paths::find(&path) else {
            return Err(refuse(&path, origin));
        };
        let setting = Setting::of_text(key, &path, text, origin)?;
        settings.set(path, setting);
    }
    Ok(settings)
}

/// Returns the kind of value that a Sayso variable takes; `None` for other variables.
pub(super) fn kind_of(variable: &str) -> Option<Kind> {
    variable.strip_prefix(PREFIX)?;
    key_paths::find(&path_of(variable)).map(|key| key.kind)
}

fn path_of(variable: &str) -> String {
    let name = variable.strip_prefix(PREFIX).unwrap_or(variable);
    name.replace("__", ".").to_ascii_lowercase()
}

fn refuse(path: &str, origin: Origin) -> ConfigError {
    if !key_paths::is_section(path) || several::is_account(path) {
        return settings::unknown_key(path, origin);
    }
    let fault = Fault::Refused {
        value: None,
        allowed: Rule::SectionOfFile,
        hint: None,
    };
    ConfigError::of_key(origin, path, fault)
}

/// Reads the well-known variables: the plain account of a platform, and the providers where none
/// is written.
///
/// A token is not taken where only named accounts are written: one of them may use that variable.
/// `SAYSO__PROVIDERS__0__MODEL` alone changes the model of a provider from here; with a `kind` the
/// variables describe a provider of their own.
pub(super) fn read_well_known(
    environment: &Environment,
    file: &Settings,
    variables: &Settings,
) -> Settings {
    let mut settings = Settings::default();
    for platform in PLATFORMS {
        let section = platform.section;
        let is_named = [file, variables]
            .iter()
            .any(|written| written.has_accounts(section));
        let is_plain = [file, variables]
            .iter()
            .any(|written| written.has_section(section));
        if is_plain || !is_named {
            read_platform(platform, environment, &mut settings);
        }
    }
    let has_provider = file.items_of("providers") > 0
        || (0..variables.items_of("providers"))
            .any(|item| variables.has(&format!("providers.{item}.kind")));
    if !has_provider {
        read_services(environment, &mut settings);
    }
    settings
}

fn read_platform(platform: &Platform, environment: &Environment, settings: &mut Settings) {
    let Platform { section, token, .. } = platform;
    if environment.get(token).is_none() {
        return;
    }
    let place = format!("env:{token}");
    set(settings, &format!("{section}.token"), place, token);
    let server = platform
        .servers
        .iter()
        .find_map(|name| environment.get(name).map(|url| (*name, url)));
    if let Some((name, url)) = server {
        let key = format!("{section}.api_url");
        set(settings, &key, url.to_owned(), name);
    }
}

fn read_services(environment: &Environment, settings: &mut Settings) {
    let present = SERVICES
        .iter()
        .filter(|service| environment.get(service.api_key).is_some());
    for (item, service) in present.enumerate() {
        let url = environment.get(service.base_url);
        let values = [
            ("name", service.name.to_owned(), service.api_key),
            ("kind", service.kind.to_owned(), service.api_key),
            (
                "api_key",
                format!("env:{}", service.api_key),
                service.api_key,
            ),
            ("model", service.model.to_owned(), service.api_key),
            (
                "base_url",
                url.unwrap_or(service.usual_base_url).to_owned(),
                service.base_url,
            ),
        ];
        for (name, value, variable) in values {
            set(
                settings,
                &format!("providers.{item}.{name}"),
                value,
                variable,
            );
        }
    }
}

fn set(settings: &mut Settings, path: &str, value: String, variable: &str) {
    let kind = key_paths::find(path).map(|key| key.kind);
    settings.set(
        path,
        Setting {
            shown: kind.and_then(|kind| settings::shown(kind, &value)),
            value: toml::Value::String(value),
            origin: Origin::Variable(variable.to_owned()),
        },
    );
}
