//! What compatible servers do otherwise than OpenAI's own, as data: found by the host of the
//! address, or named in the configuration.
//!
//! A server that is in no row is spoken to in the plain words of the protocol; what it refuses is
//! learned by `dialect`.

use reqwest::Url;
use url::Host;

/// How one kind of server wants to be spoken to.
#[expect(
    clippy::struct_excessive_bools,
    reason = "a row of a table: each says whether servers of one kind do a thing"
)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quirks {
    /// The name in the configuration.
    pub name: &'static str,
    /// The hosts that it answers at, each with everything below it.
    hosts: &'static [&'static str],
    /// The field of the longest answer.
    pub(super) limit: &'static str,
    /// The field in which reasoning goes back; `None` sends none back.
    pub(super) reasoning: Option<&'static str>,
    /// What stands there beside a call when there was no reasoning, for servers that refuse a call
    /// without.
    pub(super) reasoning_is_due: Option<&'static str>,
    /// The highest temperature it takes; a higher one is lowered to it.
    pub(super) hottest: f64,
    /// Whether an empty text beside a call is `null`, or else an empty text.
    pub(super) null_beside_calls: bool,
    /// Whether user and assistant must alternate, behind one system prompt.
    pub(super) strict_roles: bool,
    /// Whether a call comes with content of its own that goes back with it.
    pub(super) signs_calls: bool,
    /// Whether its models say calls in the text at times, wherever it is.
    says_calls: bool,
    /// Fields that are sent always.
    pub(super) always: &'static [(&'static str, bool)],
    /// Fields that are sent where the answer comes in one piece, or has a form.
    pub(super) in_one_piece: &'static [(&'static str, bool)],
    /// Fields that are sent where it comes in many.
    pub(super) in_pieces: &'static [(&'static str, bool)],
    /// How the form of an answer is said.
    pub(super) forms: FormsAs,
}

/// How the form of an answer is passed to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormsAs {
    /// Not at all: the words of the prompt must do.
    Words,
    /// As a JSON Schema (`response_format`).
    Schema,
    /// As a grammar in GBNF (`grammar`), which must not stand beside tools.
    Grammar,
}

/// The plain words of the protocol, with the field of DeepSeek that several servers share.
const PLAIN: Quirks = Quirks {
    name: "none",
    hosts: &[],
    limit: "max_tokens",
    reasoning: Some("reasoning_content"),
    reasoning_is_due: None,
    hottest: 2.0,
    null_beside_calls: true,
    strict_roles: false,
    signs_calls: false,
    says_calls: false,
    always: &[],
    in_one_piece: &[],
    in_pieces: &[],
    forms: FormsAs::Schema,
};

/// All servers that are known. Where no schema is taken, `json_object` says less than the prompt
/// does.
const TABLE: &[Quirks] = &[
    // It thinks in secret, and `max_tokens` is refused by its reasoning models.
    Quirks {
        name: "openai",
        hosts: &["api.openai.com"],
        limit: "max_completion_tokens",
        reasoning: None,
        ..PLAIN
    },
    // Thinking models refuse an earlier call without its reasoning (guide "Thinking Mode").
    Quirks {
        name: "deepseek",
        hosts: &["deepseek.com"],
        reasoning_is_due: Some(""),
        forms: FormsAs::Words,
        ..PLAIN
    },
    // Temperature is 0 to 1 there.
    Quirks {
        name: "glm",
        hosts: &["bigmodel.cn", "z.ai"],
        hottest: 1.0,
        null_beside_calls: false,
        forms: FormsAs::Words,
        ..PLAIN
    },
    // Open models refuse to think where the answer comes in one piece.
    Quirks {
        name: "qwen",
        hosts: &["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"],
        hottest: 1.99,
        null_beside_calls: false,
        in_one_piece: &[("enable_thinking", false)],
        forms: FormsAs::Words,
        ..PLAIN
    },
    // Reasoning stands in the text unless it is asked for apart.
    Quirks {
        name: "minimax",
        hosts: &["minimax.io", "minimaxi.com", "minimax.chat"],
        hottest: 1.0,
        always: &[("reasoning_split", true)],
        forms: FormsAs::Words,
        ..PLAIN
    },
    // Thinking models refuse an earlier call without reasoning, also with an empty one.
    Quirks {
        name: "moonshot",
        hosts: &["moonshot.ai", "moonshot.cn"],
        hottest: 1.0,
        reasoning_is_due: Some(" "),
        null_beside_calls: false,
        forms: FormsAs::Words,
        ..PLAIN
    },
    // One field for the reasoning of whatever model is behind it.
    Quirks {
        name: "openrouter",
        hosts: &["openrouter.ai"],
        reasoning: Some("reasoning"),
        ..PLAIN
    },
    // Known by its port, see `of`.
    Quirks {
        name: "ollama",
        says_calls: true,
        reasoning: Some("reasoning"),
        null_beside_calls: false,
        ..PLAIN
    },
    // Its templates are those of the models, of which many refuse two turns of one role.
    Quirks {
        name: "vllm",
        says_calls: true,
        reasoning: Some("reasoning"),
        strict_roles: true,
        ..PLAIN
    },
    Quirks {
        name: "llama",
        in_pieces: &[("return_progress", true)],
        forms: FormsAs::Grammar,
        says_calls: true,
        strict_roles: true,
        null_beside_calls: false,
        ..PLAIN
    },
    // A call is signed in `extra_content` and refused later without it; reasoning is refused.
    Quirks {
        name: "gemini",
        hosts: &["generativelanguage.googleapis.com"],
        reasoning: None,
        signs_calls: true,
        null_beside_calls: false,
        ..PLAIN
    },
];

/// The port of Ollama, wherever it runs.
const OLLAMA_PORT: u16 = 11434;

impl Quirks {
    /// The names in the configuration, in the order of the table; `auto` goes by the address.
    pub const NAMES: [&'static str; 13] = [
        "auto",
        "none",
        "openai",
        "deepseek",
        "glm",
        "qwen",
        "minimax",
        "moonshot",
        "openrouter",
        "ollama",
        "vllm",
        "llama",
        "gemini",
    ];

    /// Returns the quirks of this name; `auto` and names that do not exist go by the address.
    pub fn named(name: &str, address: &Url) -> Self {
        let row = std::iter::once(&PLAIN)
            .chain(TABLE)
            .find(|row| row.name == name);
        row.copied().unwrap_or_else(|| Self::of(address))
    }

    /// Returns whether calls are looked for in the text of answers from an address, where that is
    /// not configured: a server in the local network may have any model.
    pub fn says_calls_at(&self, address: &Url) -> bool {
        self.says_calls || is_near(address)
    }

    /// Returns the quirks of the server at an address.
    fn of(address: &Url) -> Self {
        let host = address.host_str().unwrap_or_default();
        let is_below = |known: &&str| {
            host == *known
                || host
                    .strip_suffix(*known)
                    .is_some_and(|before| before.ends_with('.'))
        };
        let by_host = TABLE.iter().find(|row| row.hosts.iter().any(is_below));
        let by_port = || {
            let is_ollama = address.port() == Some(OLLAMA_PORT);
            TABLE.iter().find(|row| is_ollama && row.name == "ollama")
        };
        by_host.or_else(by_port).copied().unwrap_or(PLAIN)
    }
}

/// Returns whether an address is of one's own machine or network.
fn is_near(address: &Url) -> bool {
    match address.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Some(Host::Ipv6(ip)) => {
            ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local()
        }
        Some(Host::Domain(name)) => {
            let ending = name.rsplit('.').next().unwrap_or_default();
            !name.contains('.') || matches!(ending, "local" | "localhost" | "internal" | "lan")
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::{Quirks, TABLE};

    fn found(name: &str, address: &str) -> &'static str {
        Quirks::named(name, &Url::parse(address).unwrap()).name
    }

    #[test]
    fn a_server_is_known_by_its_host_or_by_what_is_written() {
        let check = |address: &str, expected: &str| assert_eq!(found("auto", address), expected);
        check("https://api.openai.com/v1", "openai");
        check("https://api.deepseek.com", "deepseek");
        check("https://open.bigmodel.cn/api/paas/v4", "glm");
        check("https://api.z.ai/api/paas/v4", "glm");
        check(
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            "qwen",
        );
        check("https://api.minimaxi.com/v1", "minimax");
        check("https://api.moonshot.cn/v1", "moonshot");
        check("https://openrouter.ai/api/v1", "openrouter");
        check(
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "gemini",
        );
        check("http://nas.local:11434/v1", "ollama");
        check("http://127.0.0.1:8000/v1", "none");
        check("https://notdeepseek.com/v1", "none");
        check("https://deepseek.com.example.org/v1", "none");
        assert_eq!(found("vllm", "http://127.0.0.1:8000/v1"), "vllm");
        assert_eq!(found("none", "https://api.deepseek.com"), "none");
    }

    #[test]
    fn calls_are_looked_for_where_models_are_ones_own() {
        let check = |name: &str, address: &str, expected: bool| {
            let address = Url::parse(address).unwrap();
            let found = Quirks::named(name, &address).says_calls_at(&address);
            assert_eq!(found, expected, "{name} at {address}");
        };
        check("auto", "http://127.0.0.1:8000/v1", true);
        check("auto", "http://[::1]:8000/v1", true);
        check("auto", "http://192.168.0.2/v1", true);
        check("auto", "http://gpu:8000/v1", true);
        check("auto", "http://gpu.lan/v1", true);
        check("auto", "https://api.openai.com/v1", false);
        check("auto", "https://llm.example.org/v1", false);
        check("vllm", "https://llm.example.org/v1", true);
        check("auto", "https://llm.example.org:11434/v1", true);
        check("auto", "https://api.deepseek.com", false);
    }

    #[test]
    fn every_row_can_be_named() {
        let rows: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        assert_eq!(rows, Quirks::NAMES[2..]);
    }
}
