//! What can be wrong outside: the account at Telegram, the model services, the embedder and
//! the MCP servers.

use sayso_channel::Language;

#[cfg(feature = "telegram")]
use super::label;
use sayso_memory::TEXT_CHARS;
use sayso_providers::{
    Anthropic, AutoLlama, EmbedderSource, Llama, OpenAi, OpenAiConfig, Provider, ProviderError,
    ToolsIn,
};

use super::{Finding, causes, messages};
use crate::app::McpTrouble;
use crate::config::{
    Config, EmbedderConfig, LlamaMode, McpConfig, McpWayConfig, ModelServer, ProviderConfig,
    TelegramAccount,
};

/// Asks Telegram who we are.
#[cfg(feature = "telegram")]
pub(in crate::cli) async fn telegram(
    account: &TelegramAccount,
    language: Language,
) -> Vec<Finding> {
    let who = label("Telegram", &account.name);
    match sayso_telegram::check(&account.to_channel()).await {
        Ok(identity) => {
            let name = identity.username.unwrap_or(identity.name);
            let privacy = if identity.can_read_all_group_messages {
                messages::privacy_is_off(language, &who)
            } else {
                messages::privacy_is_on(language, &who)
            };
            vec![
                Finding::Fine(messages::telegram_answers(language, &who, &name)),
                Finding::Fine(privacy),
            ]
        }
        Err(error) => vec![Finding::Problem {
            fix: telegram_fix(&error, account, language),
            what: messages::platform_fails(language, &who, &causes::channel(&error, language)),
        }],
    }
}

/// Returns the link of the bot; `None` when Telegram does not say who it is.
#[cfg(feature = "telegram")]
pub(in crate::cli) async fn telegram_link(account: &TelegramAccount) -> Option<String> {
    let identity = sayso_telegram::check(&account.to_channel()).await.ok()?;
    Some(format!("https://t.me/{}", identity.username?))
}

/// Without Telegram in this build no account can be configured.
#[cfg(not(feature = "telegram"))]
pub(in crate::cli) async fn telegram_link(_account: &TelegramAccount) -> Option<String> {
    None
}

/// Returns the link that sends a code; `None` when Telegram does not say who the bot is.
#[cfg(feature = "telegram")]
pub(super) async fn pairing_link(account: &TelegramAccount, code: &str) -> Option<String> {
    let identity = sayso_telegram::check(&account.to_channel()).await.ok()?;
    identity.deep_link(code)
}

/// Without Telegram in this build no account can be configured.
#[cfg(not(feature = "telegram"))]
pub(super) async fn pairing_link(_account: &TelegramAccount, _code: &str) -> Option<String> {
    None
}

#[cfg(feature = "telegram")]
fn telegram_fix(
    error: &sayso_channel::ChannelError,
    account: &TelegramAccount,
    language: Language,
) -> String {
    use sayso_channel::ChannelError;
    match error {
        ChannelError::Unauthorized(_) => messages::take_the_token(language, &account.name),
        ChannelError::RetryAfter(_) => messages::wait_and_retry(language),
        ChannelError::Unreachable(_)
        | ChannelError::Ambiguous(_)
        | ChannelError::TooLong
        | ChannelError::Moved(_)
        | ChannelError::ThreadGone(_)
        | ChannelError::Rejected(_) => {
            messages::check_api_url(language, &account.name, &account.api_url)
        }
    }
}

/// Without Telegram in this build no account can be configured.
#[cfg(not(feature = "telegram"))]
pub(in crate::cli) async fn telegram(
    _account: &TelegramAccount,
    _language: Language,
) -> Vec<Finding> {
    Vec::new()
}

/// Asks a model service whether it answers and takes each of its keys.
pub(in crate::cli) async fn provider(configured: &ProviderConfig, language: Language) -> Finding {
    let (server, clients) = match configured {
        ProviderConfig::Offline { name } => {
            return Finding::Fine(messages::offline_model(language, name));
        }
        ProviderConfig::OpenAi(server) => (server, openai(server.to_openai())),
        ProviderConfig::Llama {
            server,
            mode: LlamaMode::Auto,
            template,
        } => (server, auto_llama(server, template)),
        ProviderConfig::Llama {
            server,
            mode: LlamaMode::OpenaiCompat,
            ..
        } => (server, openai(server.to_openai_of_llama())),
        ProviderConfig::Llama {
            server,
            mode: LlamaMode::Completion,
            template,
        } => (server, llama(server, template)),
        ProviderConfig::Anthropic {
            server,
            thinking_tokens,
        } => (server, anthropic(server, *thinking_tokens)),
    };
    let count = clients.len();
    let mut tools_in = ToolsIn::default();
    for (place, client) in clients.into_iter().enumerate() {
        let checked = match client {
            Ok(client) => client.check().await,
            Err(error) => Err(ProviderError::Unreachable(format!("{error:#}"))),
        };
        let error = match checked {
            Ok(checked) => {
                tools_in = checked.tools;
                continue;
            }
            Err(error) => error,
        };
        let why = causes::provider(&error, language);
        let what = if count == 1 {
            messages::provider_fails(language, &server.name, &why)
        } else {
            let number = place + 1;
            messages::provider_key_fails(language, &server.name, &number, &count, &why)
        };
        return Finding::Problem {
            what,
            fix: provider_fix(&error, &server.base_url, language),
        };
    }
    let (name, model) = (&server.name, &server.model);
    Finding::Fine(match tools_in {
        ToolsIn::Field => messages::provider_answers(language, name, model),
        ToolsIn::Prompt => messages::provider_answers_by_prompt(language, name, model),
    })
}

/// The client of one key, or why there is none.
type Client = anyhow::Result<Box<dyn Provider>>;

fn openai(configs: Vec<OpenAiConfig>) -> Vec<Client> {
    configs
        .into_iter()
        .map(|config| Ok(Box::new(OpenAi::new(config)?) as Box<dyn Provider>))
        .collect()
}

fn llama(server: &ModelServer, template: &str) -> Vec<Client> {
    let configs = server.to_llama(template).into_iter();
    configs
        .map(|config| Ok(Box::new(Llama::new(config)?) as Box<dyn Provider>))
        .collect()
}

fn auto_llama(server: &ModelServer, template: &str) -> Vec<Client> {
    let configs = server.to_auto_llama(template).into_iter();
    configs
        .map(|(chat, prompts)| Ok(Box::new(AutoLlama::new(chat, prompts)?) as Box<dyn Provider>))
        .collect()
}

fn anthropic(server: &ModelServer, thinking_tokens: Option<u32>) -> Vec<Client> {
    let configs = server.to_anthropic(thinking_tokens).into_iter();
    configs
        .map(|config| Ok(Box::new(Anthropic::new(config)?) as Box<dyn Provider>))
        .collect()
}

/// Has a word embedded, if there is an embedder.
pub(super) async fn embedder(configured: Option<&EmbedderConfig>, language: Language) -> Finding {
    let Some(embedder) = configured else {
        return Finding::Fine(messages::found_by_words(language));
    };
    let name = embedder.source.name();
    let client = match embedder.source.open().await {
        Ok(client) => client,
        Err(error) => {
            return Finding::Problem {
                what: messages::embedder_is_unusable(
                    language,
                    &name,
                    &causes::text(&format!("{error:#}"), language),
                ),
                fix: messages::correct_embedder(language),
            };
        }
    };
    match client.embed(&["tea".to_owned()]).await {
        Ok(embedding) => {
            let dimension = embedding.vectors.first().map_or(0, Vec::len);
            // Of the longest memory; a character that is at least one token wherever it is counted.
            let longest = "茶".repeat(TEXT_CHARS);
            Finding::Fine(match client.embed(&[longest]).await {
                Ok(_) => messages::found_by_meaning(language, &name, &dimension),
                Err(error) => {
                    let why = causes::provider(&error, language);
                    messages::embedded_in_parts(language, &name, &dimension, &why)
                }
            })
        }
        Err(error) => Finding::Problem {
            what: messages::embedder_fails(language, &name, &causes::provider(&error, language)),
            fix: match &embedder.source {
                EmbedderSource::Server(server) => provider_fix(&error, &server.base_url, language),
                EmbedderSource::Directory { .. } => messages::correct_embedder(language),
            },
        },
    }
}

/// Starts an MCP server once, and ends it.
pub(super) async fn mcp(config: &Config, server: &McpConfig, language: Language) -> Finding {
    let name = &server.name;
    match crate::app::try_mcp_server(config, server).await {
        Ok(tools) => Finding::Fine(messages::mcp_answers(language, name, &tools)),
        Err(McpTrouble::NeedsLogin) => Finding::Problem {
            what: messages::mcp_waits_for_login(language, name),
            fix: messages::log_in_to_mcp(language, name),
        },
        Err(error) => Finding::Problem {
            what: messages::mcp_fails(language, name, &causes::mcp(&error, language)),
            fix: match (&error, &server.way) {
                (McpTrouble::BadList(_), _) => messages::mend_mcp_list(language, name),
                (_, McpWayConfig::Program { .. }) => messages::check_mcp_command(language, name),
                (_, McpWayConfig::Url { .. }) => messages::check_mcp_url(language, name),
            },
        },
    }
}

fn provider_fix(error: &ProviderError, url: &reqwest::Url, language: Language) -> String {
    match error {
        ProviderError::Refused {
            status: 401 | 403, ..
        } => messages::check_api_key(language),
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::Refused { .. }
        | ProviderError::Garbage(_)
        | ProviderError::Repeating(_)
        | ProviderError::Missing => messages::check_base_url(language, url),
        ProviderError::RateLimited { .. } | ProviderError::Broken { .. } => {
            messages::wait_and_retry(language)
        }
    }
}
