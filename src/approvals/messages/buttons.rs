//! What the buttons of a card say.

use sayso_channel::Language::{self, Chinese, English};

/// The button that lets a call run once.
pub fn approve(language: Language) -> &'static str {
    match language {
        English => "Approve",
        Chinese => "批准",
    }
}

/// The button that lets exactly this call run from now on.
pub fn always(language: Language) -> &'static str {
    match language {
        English => "Always this exact command",
        Chinese => "总是允许此命令",
    }
}

/// The button that lets calls run from now on that begin with these words.
pub fn always_alike(words: &str, language: Language) -> String {
    match language {
        English => format!("Always: {words} …"),
        Chinese => format!("总是允许 {words} …"),
    }
}

/// Returns the words that a stored prefix covers.
pub fn covered_words(pattern: &str) -> Option<String> {
    let pattern: serde_json::Value = serde_json::from_str(pattern).ok()?;
    Some(pattern.get("prefix")?.as_str()?.to_owned())
}

/// The button that keeps a call from running, and lets the presser say why.
pub fn deny_and_say_why(language: Language) -> &'static str {
    match language {
        English => "Deny and say why",
        Chinese => "拒绝并说明",
    }
}

/// The button that keeps a call from running.
pub fn deny(language: Language) -> &'static str {
    match language {
        English => "Deny",
        Chinese => "拒绝",
    }
}

/// The button that lets all calls of a card run.
pub fn approve_all(language: Language) -> &'static str {
    match language {
        English => "Approve all",
        Chinese => "全部批准",
    }
}

/// The button that keeps all calls of a card from running.
pub fn deny_all(language: Language) -> &'static str {
    match language {
        English => "Deny all",
        Chinese => "全部拒绝",
    }
}

/// The button that gives each of many calls buttons of its own.
pub fn one_by_one(language: Language) -> &'static str {
    match language {
        English => "One by one",
        Chinese => "逐个决定",
    }
}

/// The button that takes back what an "always" gave.
pub fn take_back(language: Language) -> &'static str {
    match language {
        English => "Take back",
        Chinese => "撤回",
    }
}

/// The button that makes the request of an expired card anew.
pub fn ask_again(language: Language) -> &'static str {
    match language {
        English => "Ask again",
        Chinese => "重新询问",
    }
}
