//! Checks `[[providers]]`: names, keys, models, and what each kind takes.

use std::time::Duration;

use reqwest::Url;
use sayso_providers::VisionSupport;
use secrecy::{ExposeSecret, SecretString};

use super::ConfigError;
use super::check::Check;
use super::check_endpoint::MODEL_ENDPOINTS;
use super::checked::{CallsInText, LlamaMode, ModelServer, ProviderConfig};
use super::error::Origin;
use super::written::{ProviderTable, WrittenKind, WrittenVision};

/// Where Anthropic's API is.
const ANTHROPIC: &str = "https://api.anthropic.com";

/// Where llama.cpp's server is, when it is started without arguments.
const LLAMA: &str = "http://127.0.0.1:8080";

/// The default model name for a llama.cpp server: it has only one.
const LLAMA_MODEL: &str = "default";

/// The default number of history messages for a local model.
const LLAMA_HISTORY: usize = 30;

/// The default time limit for the first token of a llama.cpp server: without a graphics card it
/// reads 15 to 50 tokens per second, and a first prompt has thousands.
const LLAMA_FIRST_TOKEN: Duration = Duration::from_mins(10);

/// The least that a model can be given to think there, in tokens.
const LEAST_THINKING: u32 = 1024;

impl Check<'_> {
    /// Checks all providers.
    pub(super) fn providers(
        &self,
        tables: Vec<ProviderTable>,
    ) -> Result<Vec<ProviderConfig>, ConfigError> {
        let mut providers: Vec<ProviderConfig> = Vec::new();
        for (item, table) in tables.into_iter().enumerate() {
            let key = format!("providers.{item}.name");
            if table.name.trim().is_empty() {
                return Err(self.settings.refuse(&key, "a name"));
            }
            if providers.iter().any(|earlier| earlier.name() == table.name) {
                return Err(self
                    .settings
                    .refuse(&key, "a name that no other provider has"));
            }
            providers.push(self.provider(item, table)?);
        }
        Ok(providers)
    }

    /// Returns how many history messages are shown: the default is lower where a llama.cpp server
    /// is the first provider.
    pub(super) fn history_messages(&self, written: usize, providers: &[ProviderConfig]) -> usize {
        let is_llama = matches!(providers.first(), Some(ProviderConfig::Llama { .. }));
        match self.settings.origin("agent.history_messages") {
            Origin::Default if is_llama => LLAMA_HISTORY,
            Origin::Default | Origin::File { .. } | Origin::Variable(_) | Origin::Chat => written,
        }
    }

    fn provider(&self, item: usize, table: ProviderTable) -> Result<ProviderConfig, ConfigError> {
        self.fits_its_kind(item, &table)?;
        match table.kind {
            WrittenKind::Offline => Ok(ProviderConfig::Offline { name: table.name }),
            WrittenKind::Openai => self
                .server(item, table, "openai")
                .map(ProviderConfig::OpenAi),
            WrittenKind::Anthropic => self.anthropic(item, table),
            WrittenKind::Llama => self.llama(item, table),
        }
    }

    /// Refuses what only another kind of provider takes.
    fn fits_its_kind(&self, item: usize, table: &ProviderTable) -> Result<(), ConfigError> {
        let kind = table.kind;
        let is_text = kind == WrittenKind::Llama && table.mode == LlamaMode::Completion;
        let refusals = [
            (
                "thinking_tokens",
                table.thinking_tokens > 0 && kind != WrittenKind::Anthropic,
                "0: only a provider of kind `anthropic` takes it",
            ),
            (
                "quirks",
                table.quirks != "auto" && kind != WrittenKind::Openai,
                "left out: only a provider of kind `openai` takes it",
            ),
            (
                "mode",
                // `openai_compat` was the default once, and is what other kinds do anyway.
                table.mode == LlamaMode::Completion && kind != WrittenKind::Llama,
                "left out: only a provider of kind `llama` takes it",
            ),
            (
                "template",
                table.template != "auto" && !is_text,
                "left out: only a provider of kind `llama` with `mode = \"completion\"` takes it",
            ),
            (
                "tool_calls_in_text",
                table.tool_calls_in_text != CallsInText::Auto
                    && (kind == WrittenKind::Anthropic || is_text),
                "`auto` where calls never, or always, are text",
            ),
        ];
        let refused = refusals.iter().find(|(_, is_refused, _)| *is_refused);
        match refused {
            Some((name, _, allowed)) if kind != WrittenKind::Offline => {
                let key = format!("providers.{item}.{name}");
                Err(self.settings.refuse(&key, *allowed))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Checks a llama.cpp server, which needs neither model nor key.
    fn llama(&self, item: usize, mut table: ProviderTable) -> Result<ProviderConfig, ConfigError> {
        let key = format!("providers.{item}.base_url");
        if let Origin::Default = self.settings.origin(&key) {
            LLAMA.clone_into(&mut table.base_url);
        }
        table.model.get_or_insert_with(|| LLAMA_MODEL.to_owned());
        let (mode, template) = (table.mode, table.template.clone());
        let mut server = self.server(item, table, "llama")?;
        server.base_url = without_version(server.base_url);
        let timeouts = server.timeout.max(LLAMA_FIRST_TOKEN);
        server.first_token.get_or_insert(timeouts);
        Ok(ProviderConfig::Llama {
            server,
            mode,
            template,
        })
    }

    /// Checks what Anthropic's protocol bounds otherwise than OpenAI's.
    fn anthropic(
        &self,
        item: usize,
        mut table: ProviderTable,
    ) -> Result<ProviderConfig, ConfigError> {
        let key = |name: &str| format!("providers.{item}.{name}");
        let thinking = table.thinking_tokens;
        if (1..LEAST_THINKING).contains(&thinking) {
            let allowed = format!("0, or a whole number from {LEAST_THINKING} on");
            return Err(self.settings.refuse(&key("thinking_tokens"), allowed));
        }
        if table.temperature > 1.0 {
            let allowed = "a number from 0 to 1 for a provider of kind `anthropic`";
            return Err(self.settings.refuse(&key("temperature"), allowed));
        }
        if let Origin::Default = self.settings.origin(&key("base_url")) {
            ANTHROPIC.clone_into(&mut table.base_url);
        }
        Ok(ProviderConfig::Anthropic {
            server: self.server(item, table, "anthropic")?,
            thinking_tokens: (thinking > 0).then_some(thinking),
        })
    }

    fn server(
        &self,
        item: usize,
        table: ProviderTable,
        kind: &str,
    ) -> Result<ModelServer, ConfigError> {
        let key = |name: &str| format!("providers.{item}.{name}");
        let example = match kind {
            "anthropic" => "claude-haiku-4-5",
            "llama" => LLAMA_MODEL,
            _ => "gpt-4o-mini",
        };
        let Some(model) = table.model.filter(|model| !model.trim().is_empty()) else {
            return Err(ConfigError::Missing {
                origin: self.settings.section_origin(&format!("providers.{item}")),
                key: key("model"),
                because: format!("a provider of kind `{kind}` needs a model"),
                hint: format!(
                    "write the name that the service gives it, such as `model = \"{example}\"`"
                ),
            });
        };
        Ok(ModelServer {
            base_url: self.address_before(&MODEL_ENDPOINTS, &key("base_url"), &table.base_url)?,
            api_keys: self.api_keys(item, table.api_key, table.api_keys)?,
            name: table.name,
            models: self.models(item, &model, table.models)?,
            model,
            temperature: table.temperature,
            max_tokens: table.max_tokens,
            context_tokens: Some(table.context_tokens).filter(|tokens| *tokens > 0),
            sight: match table.vision {
                WrittenVision::Auto => None,
                WrittenVision::Yes => Some(VisionSupport::Sees),
                WrittenVision::No => Some(VisionSupport::None),
            },
            quirks: table.quirks,
            calls_in_text: table.tool_calls_in_text,
            timeout: Duration::from_secs(table.timeout_secs),
            first_token: Some(table.first_token_secs)
                .filter(|seconds| *seconds > 0)
                .map(Duration::from_secs),
        })
    }

    /// Checks the further models of a server.
    fn models(
        &self,
        item: usize,
        own: &str,
        models: Vec<String>,
    ) -> Result<Vec<String>, ConfigError> {
        let is_new = |(place, model): (usize, &String)| {
            let earlier = models.get(..place).unwrap_or_default();
            !model.trim().is_empty() && model != own && !earlier.contains(model)
        };
        if models.iter().enumerate().all(is_new) {
            return Ok(models);
        }
        let allowed = "a list of models beside `model`, each of them once";
        let key = format!("providers.{item}.models");
        Err(self.settings.refuse(&key, allowed))
    }

    fn api_keys(
        &self,
        item: usize,
        one: Option<String>,
        several: Vec<String>,
    ) -> Result<Vec<SecretString>, ConfigError> {
        let key = |name: &str| format!("providers.{item}.{name}");
        let one = one.filter(|written| !written.is_empty());
        if one.is_some() && !several.is_empty() {
            let allowed = "left out beside `api_key`: write all keys in `api_keys`";
            return Err(self.settings.refuse(&key("api_keys"), allowed));
        }
        let name = if several.is_empty() {
            "api_key"
        } else {
            "api_keys"
        };
        let mut keys: Vec<SecretString> = Vec::new();
        for written in one.into_iter().chain(several) {
            let secret = self.secret(&key(name), &written)?;
            let is_known = |other: &SecretString| other.expose_secret() == secret.expose_secret();
            if keys.iter().any(is_known) {
                let allowed = "a list of keys without one that stands in it twice";
                return Err(self.settings.refuse(&key(name), allowed));
            }
            keys.push(secret);
        }
        Ok(keys)
    }
}

/// Returns the address that the endpoints of llama.cpp's own stand behind.
fn without_version(mut address: Url) -> Url {
    let segments = address.path_segments();
    let last = segments.and_then(|mut segments| segments.rfind(|it| !it.is_empty()));
    if last == Some("v1")
        && let Ok(mut segments) = address.path_segments_mut()
    {
        segments.pop_if_empty().pop();
    }
    address
}
