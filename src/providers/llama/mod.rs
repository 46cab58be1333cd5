//! llama.cpp's own endpoint, `/completion`: one prompt in, one text out.
//!
//! The server renders the prompt with the template of its model (`/apply-template`); for a server
//! without that endpoint one of our own templates is used. A grammar lets the model say plain text,
//! or one call of an offered tool in one form. Its other endpoint, `/v1/chat/completions`, is
//! `openai`'s, which takes the grammars and the words about tools from here.

mod auto;
mod config;
mod conversation;
pub(super) mod grammar;
mod response;
mod server;
mod template;
mod turn_marks;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use reqwest::Response;
use sayso_core::transcript::ModelName;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout_at};

use self::conversation::Conversation;
use self::response::Completion;
use self::template::Template;
use super::health_check::{CheckQuestion, answers};
use super::in_text::Held;
use super::openai::{authorization, failure, may_mind_forms};
use super::visible_text::{self, VisibleText};
use super::wire::failure::garbage;
use super::wire::{Wire, error_body};
use super::{
    ChatOptions, ChatRequest, Checked, Heard, ModelCapacity, Provider, ProviderError, Reply,
    ToolsIn, exchange,
};

pub use self::auto::AutoLlama;
pub use self::config::LlamaConfig;
pub(super) use self::conversation::{MEANWHILE, said, system_prompt};
pub(super) use self::server::LlamaServer;
pub use self::template::TEMPLATES;

/// A llama.cpp server that is asked by prompts.
#[derive(Debug)]
pub struct Llama {
    config: LlamaConfig,
    wire: Wire,
    /// How much the server's context holds, once it has said so.
    context: OnceLock<usize>,
    /// How many questions it answers side by side, once it has said so.
    slots: OnceLock<u64>,
    /// How prompts are written there. Held for no longer than one look or change.
    writer: Mutex<Writer>,
    /// Whether it takes no form of an answer.
    refuses_forms: AtomicBool,
}

/// Who writes a prompt.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Writer {
    /// The server, by the template of its model.
    Server {
        /// Whether that template has a place for a system prompt.
        has_system: bool,
    },
    /// We do.
    Ourselves(Template),
}

impl Llama {
    /// Makes a client; nothing is sent yet.
    pub fn new(config: LlamaConfig) -> anyhow::Result<Self> {
        let headers = authorization(config.served.api_key.as_ref())?;
        let writer = match Template::named(&config.template) {
            Some(template) => Writer::Ourselves(template),
            None => Writer::Server { has_system: true },
        };
        Ok(Self {
            wire: Wire::new(&config.served, headers, failure::refused)?,
            config,
            context: OnceLock::new(),
            slots: OnceLock::new(),
            writer: Mutex::new(writer),
            refuses_forms: AtomicBool::new(false),
        })
    }

    /// Asks, and where the form of the answer may be what the server minds, once more without it.
    async fn ask(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let form = request.options.form;
        let form = form.filter(|_| !self.refuses_forms.load(Ordering::Relaxed));
        let in_form = |form| ChatRequest {
            options: ChatOptions {
                form,
                ..request.options
            },
            ..*request
        };
        let answer = self.ask_once(&in_form(form), heard).await;
        if form.is_none() || !answer.as_ref().is_err_and(may_mind_forms) {
            return answer;
        }
        let plain = self.ask_once(&in_form(None), heard).await;
        if plain.is_ok() {
            self.refuses_forms.store(true, Ordering::Relaxed);
        }
        plain
    }

    async fn ask_once(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut deadline = self.wire.deadline();
        let prompt = self.prompt(request, &mut deadline).await?;
        // Under the grammar of a form nothing is thought.
        let is_free = request.options.form.is_none();
        let begun = visible_text::begun_in(&prompt).filter(|_| is_free);
        let body = self.body(request, prompt);
        let question = self.wire.post(&["completion"]).json(&body);
        let answer = self
            .wire
            .respond_when_ready(question, &mut deadline, &request.options);
        let response = answer.await?;
        let held = Held::new(heard, request.tools);
        let pass_on = |piece: &str| held.hear(piece);
        let visible = VisibleText::new(&pass_on);
        visible.hear(begun.unwrap_or_default());
        let answer = self
            .wire
            .read::<Completion>(response, deadline, request, &|piece| visible.hear(piece))
            .await?;
        let answer = answer.behind(begun.unwrap_or_default());
        Ok(held.end(answer.into_reply()?))
    }

    fn body(&self, request: &ChatRequest<'_>, prompt: String) -> Map<String, Value> {
        let temperature = request
            .temperature
            .unwrap_or(self.config.served.temperature);
        let mut body = Map::new();
        body.insert("prompt".into(), prompt.into());
        let most = request.options.max_tokens.unwrap_or(u32::MAX);
        let most = self.config.served.max_tokens.min(most);
        body.insert("n_predict".into(), most.into());
        body.insert("temperature".into(), temperature.into());
        body.insert("stop".into(), json!(template::STOPS));
        body.insert("cache_prompt".into(), true.into());
        body.insert("stream".into(), request.stream.into());
        if request.stream {
            body.insert("return_progress".into(), true.into());
        }
        let form = request.options.form.map(grammar::of_form);
        let calls = (!request.tools.is_empty()).then(|| grammar::of(request.tools));
        if let Some(grammar) = calls.or(form) {
            body.insert("grammar".into(), grammar.into());
        }
        body
    }

    /// Writes a conversation as a prompt, or has it written. A server that cannot is not asked
    /// again, nor one for a system prompt that has no place for it.
    async fn prompt(
        &self,
        request: &ChatRequest<'_>,
        deadline: &mut Instant,
    ) -> Result<String, ProviderError> {
        let conversation = Conversation::of(request);
        loop {
            let writer = *self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            let has_system = match writer {
                Writer::Ourselves(template) => return Ok(template.prompt(conversation)),
                Writer::Server { has_system } => has_system,
            };
            let messages = conversation.clone().messages(has_system);
            let written = self.apply_template(&messages, deadline, &request.options);
            let error = match written.await {
                Ok(prompt) => return Ok(prompt),
                Err(error) => error,
            };
            let next = if has_system && failure::is_no_system_role(&error) {
                Writer::Server { has_system: false }
            } else if let ProviderError::Refused {
                status: 404 | 405 | 501,
                ..
            } = error
            {
                Writer::Ourselves(self.template(*deadline).await?)
            } else {
                return Err(error);
            };
            *self.writer.lock().unwrap_or_else(PoisonError::into_inner) = next;
        }
    }

    async fn apply_template(
        &self,
        messages: &Value,
        deadline: &mut Instant,
        options: &ChatOptions<'_>,
    ) -> Result<String, ProviderError> {
        let body = json!({"messages": messages});
        let question = self.wire.post(&["apply-template"]).json(&body);
        let response = self.wire.respond_when_ready(question, deadline, options);
        let answer = read_json(response.await?, *deadline).await?;
        let prompt = answer.get("prompt").and_then(Value::as_str);
        let prompt = prompt.ok_or_else(|| garbage("`/apply-template` gave no prompt"))?;
        if self.context.get().is_none() {
            // It only says how much of the past fits.
            self.properties(*deadline).await.ok();
        }
        Ok(prompt.to_owned())
    }

    /// Returns our template that matches the server's, judging by its marks.
    async fn template(&self, deadline: Instant) -> Result<Template, ProviderError> {
        let properties = self.properties(deadline).await?;
        let written = properties.get("chat_template").and_then(Value::as_str);
        Ok(Template::of(written.unwrap_or_default()))
    }

    async fn properties(&self, deadline: Instant) -> Result<Value, ProviderError> {
        let response = self.wire.respond(self.wire.get(&["props"]), deadline);
        let answer = read_json(response.await?, deadline).await?;
        let context = answer.pointer("/default_generation_settings/n_ctx");
        if let Some(context) = context.and_then(Value::as_u64).filter(|it| *it > 0) {
            self.context.get_or_init(|| context as usize);
        }
        if let Some(slots) = answer.get("total_slots").and_then(Value::as_u64) {
            self.slots.get_or_init(|| slots);
        }
        Ok(answer)
    }

    async fn look(&self) -> Result<Checked, ProviderError> {
        self.see_properties().await?;
        let question = CheckQuestion::new();
        answers(self.ask(&question.request(), &|_| {}).await)?;
        Ok(Checked {
            tools: ToolsIn::Prompt,
        })
    }

    async fn see_properties(&self) -> Result<(), ProviderError> {
        let deadline = self.wire.deadline();
        let response = self.wire.respond(self.wire.get(&["props"]), deadline);
        let body = error_body(response.await?).await;
        match body.trim_ascii().first() {
            Some(b'<') => Err(ProviderError::Garbage(failure::WEB_PAGE.to_owned())),
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl Provider for Llama {
    fn name(&self) -> &str {
        &self.config.served.name
    }

    fn model(&self) -> &str {
        &self.config.served.model
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let heard = request.listener(heard);
        exchange::log_request(&self.config.served, "completion", &request);
        self.wire.within_the_whole(self.ask(&request, heard)).await
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        self.wire.within_the_whole(self.look()).await
    }
}

impl ModelCapacity for Llama {
    fn longest_answer(&self, _wanted: Option<&ModelName>) -> usize {
        self.config.served.max_tokens as usize
    }

    /// Returns what the server has said, where nothing is configured.
    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        let served = &self.config.served;
        match (served.context_tokens, self.context.get()) {
            (None, Some(said)) => *said,
            (Some(_), _) | (None, None) => served.window(),
        }
    }

    /// Returns whether the server has said that it has two slots.
    fn answers_two_at_once(&self, _wanted: Option<&ModelName>) -> bool {
        self.slots.get().is_some_and(|slots| *slots >= 2)
    }
}

async fn read_json(response: Response, deadline: Instant) -> Result<Value, ProviderError> {
    let body = timeout_at(deadline, response.bytes()).await;
    let Ok(Ok(body)) = body else {
        return Err(ProviderError::Unreachable(
            "the answer was cut off".to_owned(),
        ));
    };
    serde_json::from_slice(&body).map_err(|_| garbage("the answer is no JSON"))
}
