//! What a failure means, whatever its status: a conversation that is too long, and an account that is
//! used up.
//!
//! Services answer both with 200, 400, 403, 413, 422, 429 or 500, and say which it is in a code, a type
//! or a sentence. Sources: the error pages of OpenAI, Anthropic, Gemini, Moonshot, Zhipu, DashScope,
//! Volcengine Ark, MiniMax, SiliconFlow, Groq, Cerebras, xAI and Mistral, and the messages in the
//! sources of llama.cpp, vLLM, SGLang, TGI, LiteLLM, LM Studio and Ollama.

use std::sync::LazyLock;

use regex::RegexSet;

/// What a failure means beyond its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The conversation does not fit into the model: 413 in HTTP.
    TooLong,
    /// The account has no money left: 402 in HTTP.
    UsedUp,
}

impl Meaning {
    /// Returns the status that HTTP has for it.
    pub(crate) fn status(self) -> u16 {
        match self {
            Self::TooLong => 413,
            Self::UsedUp => 402,
        }
    }
}

/// Codes and types by which services say that a conversation is too long.
const TOO_LONG_CODES: [&str; 9] = [
    "context_length_exceeded",
    "context_window_exceeded",
    "context_window_limit",
    "contextwindowexceeded",
    "exceed_context_size",
    "max_prompt_tokens_exceeded",
    "prompt_too_long",
    "input_too_long",
    "tokens_limit_reached",
];

/// Codes and types by which they say that the account is used up.
const USED_UP_CODES: [&str; 9] = [
    "insufficient_quota",
    "insufficient_balance",
    "insufficient_credit",
    "insufficient_funds",
    "exceeded_current_quota",
    "billing_error",
    "billing_hard_limit_reached",
    "payment_required",
    "arrearage",
];

/// Numbers that one service gives to one of the two: Zhipu (1261, 1113), SiliconFlow (30001) and MiniMax
/// (1008).
const NUMBERS: [(u64, Meaning); 4] = [
    (1261, Meaning::TooLong),
    (1113, Meaning::UsedUp),
    (30_001, Meaning::UsedUp),
    (1008, Meaning::UsedUp),
];

/// Sentences about a conversation that is too long.
const TOO_LONG: [&str; 9] = [
    r"context[ _](?:length|size|window|limit)|maximum context|contextwindow",
    r"(?:prompt|input|request|conversation|messages?)\b[^.]{0,60}\b(?:too long|too large|too many tokens|longer than)",
    r"(?:prompt|input|request|conversation|messages?|tokens?)\b[^.]{0,80}\bexceed(?:s|ed|ing)?\b[^.]{0,60}\b(?:length|tokens?|limit|context|size|window)",
    r"exceed(?:s|ed|ing)?\b[^.]{0,40}\b(?:token limit|(?:max|maximum)(?: allowed)? (?:length|tokens?|input|prompt))",
    r"tokens?\b[^.]{0,60}must be (?:<=?|less|at most|smaller|no more)",
    r"too many (?:input |prompt )?tokens",
    r"(?:reduce|shorten) (?:the |your )?(?:length|size|prompt|input|messages|conversation)",
    r"(?:maximum|max) (?:prompt|input)(?: length| tokens?| size)?\b|range of input length",
    r"(?:上下文|输入|提示词|长度|tokens?)[^。]{0,30}(?:超过|超出|过长|超长|上限)",
];

/// What such a sentence is about instead: a name or another argument that is too long, the length of the
/// answer that was asked for, a rate, a picture.
const ABOUT_SOMETHING_ELSE: [&str; 5] = [
    r"string too long|tools?\[|function\.name|tool_calls?\[",
    r"max_(?:completion_|output_)?tokens[`'\x22]?:? (?:is too large|must be|cannot|exceeds|>|\d+ ?>)",
    r"output tokens|completion tokens",
    r"per (?:min|minute|hour|day|second)|rate.?limit|\btpm\b|\brpm\b",
    r"image|picture|audio|file size",
];

/// Sentences about an account that is used up. That a quota is exceeded is not among them: Gemini says
/// so of its rate limits, which pass.
const USED_UP: [&str; 5] = [
    r"insufficient (?:account )?(?:balance|credits?|funds?|quota)|(?:balance|credits?|funds?) (?:is|are) (?:insufficient|too low|exhausted|used up|not enough)",
    r"not enough (?:balance|credits?|funds?)|out of credits?|no credits? (?:left|remaining)|run out of (?:credits?|funds?|balance)",
    r"(?:please )?(?:recharge|top.?up) (?:your|the|account)|please recharge|negative balance|payment required",
    r"account is (?:in arrears|overdue)|overdue[- ]payment|in arrears|billing (?:hard )?limit",
    r"余额不足|余额已用完|欠费|请充值|账户已(?:停用|欠费)|额度(?:不足|已用完)",
];

/// Compiled once. A set that cannot be compiled holds nothing; a test holds that both can.
struct Sentences {
    too_long: RegexSet,
    something_else: RegexSet,
    used_up: RegexSet,
}

static SENTENCES: LazyLock<Sentences> = LazyLock::new(|| Sentences {
    too_long: RegexSet::new(TOO_LONG).unwrap_or_default(),
    something_else: RegexSet::new(ABOUT_SOMETHING_ELSE).unwrap_or_default(),
    used_up: RegexSet::new(USED_UP).unwrap_or_default(),
});

/// Returns what a code or a type means.
pub(crate) fn of_code(code: &str) -> Option<Meaning> {
    let code = code.to_ascii_lowercase();
    let names = |codes: &[&str]| codes.iter().any(|known| code.contains(known));
    if names(&TOO_LONG_CODES) {
        Some(Meaning::TooLong)
    } else if names(&USED_UP_CODES) {
        Some(Meaning::UsedUp)
    } else {
        of_number(code.parse().ok()?)
    }
}

/// Returns what the number of an error means.
pub(crate) fn of_number(number: u64) -> Option<Meaning> {
    let known = NUMBERS.iter().find(|(known, _)| *known == number);
    known.map(|(_, meaning)| *meaning)
}

/// Returns what a sentence means. With a status by which services speak of keys, names and rates it is
/// not about the length.
pub(crate) fn of_message(status: u16, message: &str) -> Option<Meaning> {
    let message = message.to_lowercase();
    let may_be_length = !matches!(status, 401..=404 | 429);
    if SENTENCES.used_up.is_match(&message) {
        return Some(Meaning::UsedUp);
    }
    let is_too_long = may_be_length
        && SENTENCES.too_long.is_match(&message)
        && !SENTENCES.something_else.is_match(&message);
    is_too_long.then_some(Meaning::TooLong)
}

#[cfg(test)]
#[path = "error_kinds_tests.rs"]
mod tests;
