//! A llama.cpp server beside its answers: what it says of its model, once it is asked for it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::openai::{authorization, failure};
use crate::wire::Wire;
use crate::{ChatOptions, ProviderError, ServedModel};

/// How long it may take to say something of itself; a question is not held up longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server, and what it has said of itself.
#[derive(Debug)]
pub(crate) struct LlamaServer {
    name: String,
    wire: Wire,
    /// Held for no longer than one look or change.
    said: Mutex<Option<Properties>>,
}

/// What a server says of itself; what an old one does not say is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Properties {
    /// How much its context holds, in tokens.
    pub(crate) context: Option<usize>,
    /// Whether the template of its model writes tools into the prompt.
    pub(crate) shows_tools: Option<bool>,
    /// How many questions it answers side by side: `--parallel` of `llama-server`.
    pub(crate) slots: Option<u64>,
}

impl LlamaServer {
    /// Makes a client; nothing is sent yet. The address may end in the version of the other
    /// protocol.
    pub(crate) fn new(served: &ServedModel) -> anyhow::Result<Self> {
        let mut root = served.clone();
        let ends_in_version = root.base_url.path().trim_end_matches('/').ends_with("/v1");
        if ends_in_version && let Ok(mut segments) = root.base_url.path_segments_mut() {
            segments.pop_if_empty().pop();
        }
        let headers = authorization(root.api_key.as_ref())?;
        Ok(Self {
            name: root.name.clone(),
            wire: Wire::new(&root, headers, failure::refused)?,
            said: Mutex::default(),
        })
    }

    /// Returns what is known already.
    pub(crate) fn known(&self) -> Properties {
        self.said().unwrap_or_default()
    }

    /// Returns what it says of itself; it is asked until it has said so. Without an answer nothing
    /// is known.
    pub(crate) async fn properties(&self, options: &ChatOptions<'_>) -> Properties {
        if let Some(said) = *self.said() {
            return said;
        }
        let answer = match self.ask(options).await {
            Ok(answer) => answer,
            // The server has no such page, or does not allow access to it.
            Err(ProviderError::Refused { .. }) => Value::Null,
            Err(error) => {
                tracing::debug!(provider = self.name, %error, "server reports no model properties");
                return Properties::default();
            }
        };
        let properties = Properties::of(&answer);
        *self.said() = Some(properties);
        let tools = match properties.shows_tools {
            Some(true) => "its template shows tools",
            Some(false) => "its template shows no tools: they are written into the prompt",
            None => "it does not say whether its template shows tools",
        };
        tracing::info!(
            provider = self.name,
            context_tokens = properties.context,
            tools,
            "llama.cpp model properties"
        );
        properties
    }

    /// Forgets what it said: who does not answer may come back with another model.
    pub(crate) fn forget(&self) {
        *self.said() = None;
    }

    async fn ask(&self, options: &ChatOptions<'_>) -> Result<Value, ProviderError> {
        let mut deadline = Instant::now() + PATIENCE;
        let question = self.wire.get(&["props"]);
        let response = self
            .wire
            .respond_when_ready(question, &mut deadline, options)
            .await?;
        match timeout_at(deadline, response.bytes()).await {
            Ok(Ok(body)) => Ok(serde_json::from_slice(&body).unwrap_or(Value::Null)),
            Ok(Err(_)) | Err(_) => Err(ProviderError::Unreachable(
                "the answer was cut off".to_owned(),
            )),
        }
    }

    fn said(&self) -> MutexGuard<'_, Option<Properties>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Properties {
    fn of(answer: &Value) -> Self {
        let context = answer
            .pointer("/default_generation_settings/n_ctx")
            .and_then(Value::as_u64);
        let shows_tools = answer.pointer("/chat_template_caps/supports_tools");
        Self {
            context: context
                .filter(|context| *context > 0)
                .map(|context| context as usize),
            shows_tools: shows_tools.and_then(Value::as_bool),
            slots: answer.get("total_slots").and_then(Value::as_u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Properties;

    #[test]
    fn model_f4_what_a_server_does_not_say_is_not_known() {
        let said = json!({
            "default_generation_settings": {"n_ctx": 2048},
            "chat_template_caps": {"supports_tools": false},
            "total_slots": 4,
        });
        let expected = Properties {
            context: Some(2048),
            shows_tools: Some(false),
            slots: Some(4),
        };
        assert_eq!(Properties::of(&said), expected);
        let old = json!({"default_generation_settings": {"n_ctx": 0}, "chat_template": "x"});
        assert_eq!(Properties::of(&old), Properties::default());
    }
}
