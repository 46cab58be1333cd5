//! The services that `sayso init` knows, and which of them has a model.

use reqwest::Url;

use crate::config::service_address;

/// A service that is known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preset {
    OpenAi,
    Anthropic,
    DeepSeek,
    OpenRouter,
    Ollama,
    LlamaCpp,
    Offline,
}

/// All of them, in the order of their numbers.
const PRESETS: [Preset; 7] = [
    Preset::OpenAi,
    Preset::Anthropic,
    Preset::DeepSeek,
    Preset::OpenRouter,
    Preset::Ollama,
    Preset::LlamaCpp,
    Preset::Offline,
];

/// How the names of models begin, and the service that has them.
const MODELS: [(&str, Preset); 14] = [
    ("gpt-", Preset::OpenAi),
    ("chatgpt", Preset::OpenAi),
    ("o1", Preset::OpenAi),
    ("o3", Preset::OpenAi),
    ("o4", Preset::OpenAi),
    ("claude", Preset::Anthropic),
    ("deepseek-", Preset::DeepSeek),
    ("llama2", Preset::Ollama),
    ("llama3", Preset::Ollama),
    ("llama4", Preset::Ollama),
    ("qwen", Preset::Ollama),
    ("mistral", Preset::Ollama),
    ("gemma", Preset::Ollama),
    ("phi", Preset::Ollama),
];

/// What was typed where a service is asked for.
pub(super) enum Service {
    Preset(Preset),
    /// The name of a model, which this service has.
    OfModel(Preset, String),
}

impl Service {
    /// Reads a number, the name of a service or that of a model.
    pub(super) fn read(answer: &str) -> Option<Self> {
        let name = answer.to_lowercase();
        let by_number = || {
            let number: usize = name.parse().ok()?;
            PRESETS.get(number.checked_sub(1)?).copied()
        };
        let mut presets = PRESETS.into_iter();
        let preset = presets
            .find(|preset| preset.name() == name)
            .or_else(by_number)
            .or_else(|| (name == "llama").then_some(Preset::LlamaCpp));
        if let Some(preset) = preset {
            return Some(Self::Preset(preset));
        }
        let of_model = |preset| Some(Self::OfModel(preset, answer.to_owned()));
        // Names such as `openai/gpt-4o` are those of OpenRouter, with `:` those of Ollama.
        if name.contains('/') && !name.contains("://") {
            return of_model(Preset::OpenRouter);
        }
        if name.contains(':') && !name.contains("://") {
            return of_model(Preset::Ollama);
        }
        let (_, preset) = MODELS.iter().find(|(start, _)| name.starts_with(start))?;
        of_model(*preset)
    }
}

impl Preset {
    /// What is typed for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::DeepSeek => "deepseek",
            Self::OpenRouter => "openrouter",
            Self::Ollama => "ollama",
            Self::LlamaCpp => "llama.cpp",
            Self::Offline => "offline",
        }
    }

    /// The `kind` of its section in the file.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::OpenAi | Self::DeepSeek | Self::OpenRouter | Self::Ollama => "openai",
            Self::Anthropic => "anthropic",
            Self::LlamaCpp => "llama",
            Self::Offline => "offline",
        }
    }

    /// Its usual address.
    pub(super) fn address(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
            Self::DeepSeek | Self::OpenRouter | Self::Ollama => {
                service_address(self.name()).unwrap_or_default()
            }
            Self::LlamaCpp => "http://127.0.0.1:8080",
            Self::Offline => "",
        }
    }

    /// A model of it to begin with.
    pub(super) fn model(self) -> &'static str {
        match self {
            Self::OpenAi => "gpt-4o-mini",
            Self::Anthropic => "claude-haiku-4-5",
            Self::DeepSeek => "deepseek-chat",
            Self::OpenRouter => "openai/gpt-4o-mini",
            Self::Ollama => "llama3.2",
            Self::LlamaCpp | Self::Offline => "default",
        }
    }

    /// Returns an address with the version that OpenAI's protocol has in it, where it has no path.
    pub(super) fn with_version(self, address: &str) -> Option<String> {
        let url = Url::parse(address).ok()?;
        let lacks_version = self.kind() == "openai" && url.path().trim_matches('/').is_empty();
        lacks_version.then(|| format!("{}/v1", address.trim_end_matches('/')))
    }
}
