//! What a finding is called, for people.

use sayso_core::{Language, text};

/// Says what a rule finds; a rule that has no words is said by its name.
pub fn name(rule: &'static str, language: Language) -> &'static str {
    match rule {
        "override" => text!(language, "injection-override"),
        "override-loose" => text!(language, "injection-override-loose"),
        "new-orders" => text!(language, "injection-new-orders"),
        "role-hijack" => text!(language, "injection-role-hijack"),
        "role-play" => text!(language, "injection-role-play"),
        "jailbreak" => text!(language, "injection-jailbreak"),
        "prompt-theft" => text!(language, "injection-prompt-theft"),
        "chat-template" => text!(language, "injection-chat-template"),
        "forged-role" => text!(language, "injection-forged-role"),
        "forged-heading" => text!(language, "injection-forged-heading"),
        "addresses-model" => text!(language, "injection-addresses-model"),
        "secrecy" => text!(language, "injection-secrecy"),
        "task-first" => text!(language, "injection-task-first"),
        "dictated-answer" => text!(language, "injection-dictated-answer"),
        "task-switch" => text!(language, "injection-task-switch"),
        "exfiltration" => text!(language, "injection-exfiltration"),
        "secret-upload" => text!(language, "injection-secret-upload"),
        "image-leak" => text!(language, "injection-image-leak"),
        "urgent-order" => text!(language, "injection-urgent-order"),
        "claimed-approval" => text!(language, "injection-claimed-approval"),
        "tool-order" => text!(language, "injection-tool-order"),
        "outbound" => text!(language, "injection-outbound"),
        "risky-order" => text!(language, "injection-risky-order"),
        "code-insertion" => text!(language, "injection-code-insertion"),
        "request" => text!(language, "injection-request"),
        "speaks-to-reader" => text!(language, "injection-speaks-to-reader"),
        "persistence" => text!(language, "injection-persistence"),
        "hidden-text" => text!(language, "injection-hidden-text"),
        "encoded-text" => text!(language, "injection-encoded-text"),
        _ => rule,
    }
}
