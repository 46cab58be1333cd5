//! `[[providers]]`: the models.

use sayso_providers::{Quirks, TEMPLATES};
use serde::Deserialize;

use super::key::{Bound, choice, decimal, secret, secrets, text, texts, whole};
use super::section::Section;
use crate::config::choices::{CallsInText, LlamaMode};

/// How it stands in the example.
pub(super) const SECTION: Section = Section::of("providers.*", ProviderTable::KEYS)
    .written()
    .above(
        "Models, asked in this order until one answers.",
        "模型，按此顺序依次询问，直到有一个回答。",
    );

declare! {
    /// One of `[[providers]]`
    ProviderTable in "providers.*" {
        name: String = text()
            .default("main")
            .doc("how /status and doctor call it", "/status 和 doctor 中显示的名称"),
        kind: WrittenKind = choice(&["openai", "anthropic", "llama", "offline"])
            .default("openai")
            .doc(
                "openai (any compatible server), anthropic, llama (llama.cpp), or offline (built in, no network)",
                "openai（任何兼容的服务器）、anthropic、llama（llama.cpp）或 offline（内置，不联网）",
            ),
        base_url: String = text()
            .default("https://api.openai.com/v1")
            .doc(
                "what stands before /chat/completions; of kind anthropic https://api.anthropic.com, of kind llama http://127.0.0.1:8080",
                "/chat/completions 之前的地址；anthropic 为 https://api.anthropic.com，llama 为 http://127.0.0.1:8080",
            ),
        api_key: Option<String> = secret()
            .example(r#""env:OPENAI_API_KEY""#)
            .doc("leave it out when the server needs none", "服务器不需要密钥时省略"),
        api_keys: Vec<String> = secrets()
            .default("")
            .doc(
                r#"or several, which take turns: ["env:FIRST_KEY", "file:/run/keys/second"]"#,
                r#"或多个轮流使用的密钥：["env:FIRST_KEY", "file:/run/keys/second"]"#,
            ),
        model: Option<String> = text()
            .example(r#""gpt-4o-mini""#)
            .in_chat(Bound::Offered)
            .doc("the name that the service gives it", "服务方使用的模型名称"),
        models: Vec<String> = texts()
            .default("")
            .doc(
                "further ones there, which /model may choose for a conversation",
                "该处的其他模型，可用 /model 为一个对话选择",
            ),
        temperature: f64 = decimal(0.0, 2.0)
            .default("0.7")
            .doc(
                "how freely it words; of kind anthropic at most 1",
                "措辞的自由程度；anthropic 最大为 1",
            ),
        max_tokens: u32 = whole(1, 1_000_000)
            .default("4096")
            .doc("the longest answer, in tokens", "最长的回答，以 token 计"),
        thinking_tokens: u32 = whole(0, 1_000_000)
            .default("0")
            .doc(
                "how much a model of kind anthropic may think besides, from 1024 on; 0: not at all",
                "anthropic 模型另外可用于思考的 token 数，至少 1024；0 表示不思考",
            ),
        context_tokens: usize = whole(0, 100_000_000)
            .default("0")
            .doc(
                "how much the model can read at once; 0 goes by its name",
                "模型一次能读多少 token；0 表示按名称判断",
            ),
        vision: WrittenVision = choice(&["auto", "yes", "no"])
            .default("auto")
            .doc(
                "whether its models see pictures: auto goes by their names, yes, no",
                "模型能否看图：auto（按名称判断）、yes、no",
            ),
        quirks: String = choice(&Quirks::NAMES)
            .default("auto")
            .doc(
                "how the server is spoken to: auto (by its address), none, openai, deepseek, glm, qwen, minimax, moonshot, openrouter, ollama, vllm, llama, gemini",
                "与服务器的通信方式：auto（按地址判断）、none、openai、deepseek、glm、qwen、minimax、moonshot、openrouter、ollama、vllm、llama、gemini",
            ),
        mode: LlamaMode = choice(&["auto", "openai_compat", "completion"])
            .default("auto")
            .doc(
                "of kind llama: which endpoint is asked; auto (whichever it has), openai_compat, completion",
                "仅 llama：使用哪个端点；auto（有哪个用哪个）、openai_compat、completion",
            ),
        template: String = choice(&TEMPLATES)
            .default("auto")
            .doc(
                "of that: who writes prompts; auto (the server), chatml, llama3, mistral, gemma",
                "仅 completion：由谁编写提示；auto（服务器）、chatml、llama3、mistral、gemma",
            ),
        tool_calls_in_text: CallsInText = choice(&["auto", "on", "off"])
            .default("auto")
            .doc(
                "whether a tool call counts that the model says as text: auto (of local servers), on, off",
                "模型以文本写出的工具调用是否有效：auto（仅本地服务器）、on、off",
            ),
        timeout_secs: u64 = whole(1, 3600)
            .default("120")
            .doc("how long one request may take", "一次请求的最长时间"),
        first_token_secs: u64 = whole(0, 3600)
            .default("0")
            .doc(
                "how long until its first word; 0 is timeout_secs, and 600 of kind llama",
                "等待第一个词的最长时间；0 表示与 timeout_secs 相同，llama 为 600",
            ),
    }
}

/// `[[providers]] vision`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::config) enum WrittenVision {
    Auto,
    Yes,
    No,
}

/// `[[providers]] kind`.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::config) enum WrittenKind {
    Openai,
    Anthropic,
    Llama,
    Offline,
}
