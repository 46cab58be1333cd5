//! Defaults that depend on the kind of a provider, in the places of the plain ones.

use toml::Value;

use super::error::Origin;
use super::keys::Kind;
use super::settings::{self, Setting, Settings};

/// Where Anthropic's API is.
const ANTHROPIC: &str = "https://api.anthropic.com";
/// Where llama.cpp's server is, when it is started without arguments.
const LLAMA: &str = "http://127.0.0.1:8080";
/// The model name for a llama.cpp server: it has only one.
pub(super) const LLAMA_MODEL: &str = "default";
/// The number of history messages for a local model.
const LLAMA_HISTORY: i64 = 30;

/// Sets them where nothing was written.
pub(super) fn fill(settings: &mut Settings) {
    for item in 0..settings.items_of("providers") {
        let key = |name: &str| format!("providers.{item}.{name}");
        let kind = settings.value(&key("kind")).and_then(Value::as_str);
        let kind = kind.map(str::to_owned);
        match kind.as_deref() {
            Some("anthropic") => set(settings, &key("base_url"), ANTHROPIC.into()),
            Some("llama") => {
                set(settings, &key("base_url"), LLAMA.into());
                set(settings, &key("model"), LLAMA_MODEL.into());
                if item == 0 {
                    set(settings, "agent.history_messages", LLAMA_HISTORY.into());
                }
            }
            _ => {}
        }
    }
}

fn set(settings: &mut Settings, path: &str, value: Value) {
    if settings.origin(path) != Origin::Default {
        return;
    }
    let text = match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    };
    let setting = Setting {
        value,
        shown: settings::shown(Kind::Text, &text),
        origin: Origin::Default,
    };
    settings.set(path, setting);
}
