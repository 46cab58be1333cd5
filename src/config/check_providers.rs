//! Checks `[[providers]]`: names, keys, models, and what each kind takes.

use std::time::Duration;

use reqwest::Url;
use sayso_providers::VisionSupport;
use secrecy::{ExposeSecret, SecretString};

use super::ConfigError;
use super::check::Check;
use super::check_endpoint::MODEL_ENDPOINTS;
use super::checked::{ModelServer, ProviderConfig};
use super::choices::{CallsInText, LlamaMode};
use super::keys::{ProviderTable, WrittenKind, WrittenVision};
use super::kind_defaults::LLAMA_MODEL;
use super::messages::{Hint, Reason, Rule};

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
                return Err(self.settings.refuse(&key, Rule::Name));
            }
            if providers.iter().any(|earlier| earlier.name() == table.name) {
                return Err(self.settings.refuse(&key, Rule::OtherName));
            }
            providers.push(self.provider(item, table)?);
        }
        Ok(providers)
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
                Rule::ZeroOfKind { kind: "anthropic" },
            ),
            (
                "quirks",
                table.quirks != "auto" && kind != WrittenKind::Openai,
                Rule::LeftOutOfKind { kind: "openai" },
            ),
            (
                "mode",
                // `openai_compat` was the default once, and is what other kinds do anyway.
                table.mode == LlamaMode::Completion && kind != WrittenKind::Llama,
                Rule::LeftOutOfKind { kind: "llama" },
            ),
            (
                "template",
                table.template != "auto" && !is_text,
                Rule::LeftOutUnlessCompletion,
            ),
            (
                "tool_calls_in_text",
                table.tool_calls_in_text != CallsInText::Auto
                    && (kind == WrittenKind::Anthropic || is_text),
                Rule::AutoCalls,
            ),
        ];
        let refused = refusals.into_iter().find(|(_, is_refused, _)| *is_refused);
        match refused {
            Some((name, _, allowed)) if kind != WrittenKind::Offline => {
                let key = format!("providers.{item}.{name}");
                Err(self.settings.refuse(&key, allowed))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Checks a llama.cpp server.
    fn llama(&self, item: usize, table: ProviderTable) -> Result<ProviderConfig, ConfigError> {
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
    fn anthropic(&self, item: usize, table: ProviderTable) -> Result<ProviderConfig, ConfigError> {
        let key = |name: &str| format!("providers.{item}.{name}");
        let thinking = table.thinking_tokens;
        if (1..LEAST_THINKING).contains(&thinking) {
            let allowed = Rule::ZeroOrFrom {
                least: LEAST_THINKING,
            };
            return Err(self.settings.refuse(&key("thinking_tokens"), allowed));
        }
        if table.temperature > 1.0 {
            let allowed = Rule::LowTemperature;
            return Err(self.settings.refuse(&key("temperature"), allowed));
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
        kind: &'static str,
    ) -> Result<ModelServer, ConfigError> {
        let key = |name: &str| format!("providers.{item}.{name}");
        let example = match kind {
            "anthropic" => "claude-haiku-4-5",
            "llama" => LLAMA_MODEL,
            _ => "gpt-4o-mini",
        };
        let Some(model) = table.model.filter(|model| !model.trim().is_empty()) else {
            let section = format!("providers.{item}");
            let because = Reason::NeedsModel { kind };
            let hint = Hint::Model { example };
            return Err(self.settings.missing(&section, "model", because, hint));
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
        let key = format!("providers.{item}.models");
        Err(self.settings.refuse(&key, Rule::OtherModels))
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
            let allowed = Rule::LeftOutBesideKey;
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
                return Err(self.settings.refuse(&key(name), Rule::DifferentKeys));
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
