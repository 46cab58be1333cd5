//! Sentences and codes of services.

use regex::RegexSet;

use super::{ABOUT_SOMETHING_ELSE, Meaning, TOO_LONG, USED_UP, of_code, of_message, of_number};

#[track_caller]
fn check(status: u16, message: &str, meaning: Option<Meaning>) {
    assert_eq!(of_message(status, message), meaning, "{message}");
}

#[test]
fn the_sentences_can_be_compiled() {
    for set in [&TOO_LONG[..], &ABOUT_SOMETHING_ELSE, &USED_UP] {
        assert!(RegexSet::new(set).is_ok(), "{set:?}");
    }
}

#[test]
fn chat_f4_every_service_says_too_long_in_its_own_words() {
    for message in [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "the request exceeds the available context size, try increasing it",
        "request (9000 tokens) exceeds the available context size (8192 tokens)",
        "Invalid request: Your request exceeded model token limit: 8192 (requested: 9134)",
        "Prompt exceeds max length",
        "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
        "Range of input length should be [1, 30720]",
        "Please reduce the length of the messages or completion.",
        "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        "Input length 9001 exceeds the maximum length 8192",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1000 `max_new_tokens`",
        "prompt token count of 9001 exceeds the limit of 8192",
        "Input length (9001 tokens) exceeds the maximum allowed length (8192 tokens). Use a shorter input.",
        "litellm.ContextWindowExceededError: prompt is longer",
        "prompt is too long: 200001 tokens > 200000 maximum",
        "Requested tokens (4100) exceed context window of 4096",
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
        "The prompt is too long: 9000, model maximum context length: 8192",
        "Too many tokens in prompt",
        "The total number of tokens in the input exceeds the model's limit.",
        "输入内容的长度超过了模型的上限",
        "上下文长度超出限制",
    ] {
        check(400, message, Some(Meaning::TooLong));
        check(500, message, Some(Meaning::TooLong));
        check(200, message, Some(Meaning::TooLong));
    }
}

#[test]
fn other_limits_are_no_long_conversation() {
    for message in [
        "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 90 instead.",
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
        "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude",
        "Request too large for gpt on tokens per min (TPM): Limit 30000, Requested 40000",
        "image exceeds 5 MB maximum",
        "temperature must be at most 2",
        "no such model",
        "messages: roles must alternate",
        "Unsupported value: 'stream'",
    ] {
        check(400, message, None);
    }
    // About keys, names and rates.
    for status in [401, 402, 403, 404, 429] {
        check(status, "the prompt is too long", None);
    }
}

#[test]
fn chat_f8_every_service_says_in_its_own_words_that_the_account_is_used_up() {
    for (status, message) in [
        (
            429,
            "Your account is suspended due to insufficient balance, please recharge",
        ),
        (403, "Sorry, your account balance is insufficient"),
        (429, "余额不足或无可用资源包,请充值。"),
        (200, "insufficient balance"),
        (
            400,
            "Your credit balance is too low to access the Anthropic API.",
        ),
        (402, "Insufficient credits. Add more using the credits page"),
        (402, "Insufficient Balance"),
        (
            403,
            "Access denied, please make sure your account is in good standing: account is overdue",
        ),
        (400, "You have run out of credits"),
        (400, "账户已欠费，请充值后再试"),
    ] {
        check(status, message, Some(Meaning::UsedUp));
    }
    // Gemini's rate limits pass.
    check(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        None,
    );
}

#[test]
fn codes_speak_for_themselves() {
    assert_eq!(of_code("context_length_exceeded"), Some(Meaning::TooLong));
    assert_eq!(
        of_code("model_max_prompt_tokens_exceeded"),
        Some(Meaning::TooLong)
    );
    assert_eq!(of_code("exceed_context_size_error"), Some(Meaning::TooLong));
    assert_eq!(of_code("1261"), Some(Meaning::TooLong));
    assert_eq!(of_code("insufficient_quota"), Some(Meaning::UsedUp));
    assert_eq!(
        of_code("exceeded_current_quota_error"),
        Some(Meaning::UsedUp)
    );
    assert_eq!(of_code("Arrearage"), Some(Meaning::UsedUp));
    assert_eq!(of_code("1113"), Some(Meaning::UsedUp));
    assert_eq!(of_number(30_001), Some(Meaning::UsedUp));
    assert_eq!(of_code("rate_limit_exceeded"), None);
    assert_eq!(of_code("invalid_request_error"), None);
    assert_eq!(of_code("400"), None);
}
