//! Every key that can be written: its place, what it takes, and its default.
//!
//! This table is the one truth for the file, for `SAYSO__SECTION__KEY` variables and for the
//! words of a refusal. What takes more than a type and a range to check is checked in `check.rs`.

use sayso_providers::{MAX_DIMENSION, Quirks, TEMPLATES};
use toml::Value;
use toml::de::DeValue;

/// One key.
#[derive(Debug)]
pub(super) struct Key {
    /// The dotted place; `*` stands for the number of a list item, and a named account of a
    /// platform has the keys of its plain section.
    pub(super) path: &'static str,
    /// What it takes.
    pub(super) kind: Kind,
    /// The default, as an environment variable would give it; `None` leaves the key unset.
    pub(super) default: Option<&'static str>,
}

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Any text.
    Text,
    /// A text that must never be shown, or `env:NAME`, or `file:PATH`.
    Secret,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in this range, ends included.
    Whole(i64, i64),
    /// `auto`, or a whole number in this range; a text either way.
    AutoOrWhole(i64, i64),
    /// A number in this range, ends included.
    Decimal(f64, f64),
    /// `true` or `false`.
    Switch,
    /// A list of texts.
    Texts,
    /// A list of texts that must never be shown, each as [`Kind::Secret`].
    Secrets,
    /// A list of `NAME=VALUE`, never shown; a value may be `env:NAME` or `file:PATH`.
    Variables,
}

const MIB: i64 = 1024 * 1024;

/// A number of tokens; 0 is no limit.
const TOKENS: Kind = Kind::Whole(0, 1_000_000_000_000);

/// A sum of money, of which a millionth is the least; 0 is no limit.
const MONEY: Kind = Kind::Decimal(0.0, 1_000_000.0);

/// A number of days; 0 is for ever.
const DAYS: Kind = Kind::Whole(0, 36_500);

/// All keys, in the order of the example file.
pub(super) const KEYS: &[Key] = &[
    key("data_dir", Kind::Text, Some("~/.local/share/sayso")),
    key(
        "language",
        Kind::Choice(&["auto", "en", "zh-CN"]),
        Some("auto"),
    ),
    key("channels.telegram.token", Kind::Secret, None),
    key(
        "channels.telegram.api_url",
        Kind::Text,
        Some("https://api.telegram.org"),
    ),
    key(
        "channels.telegram.mode",
        Kind::Choice(&["polling", "webhook"]),
        Some("polling"),
    ),
    key("channels.telegram.webhook_url", Kind::Text, None),
    key("channels.telegram.listen", Kind::Text, None),
    key("channels.telegram.secret", Kind::Secret, None),
    key("channels.discord.token", Kind::Secret, None),
    key(
        "channels.discord.api_url",
        Kind::Text,
        Some("https://discord.com/api/v10"),
    ),
    key(
        "channels.discord.shards",
        Kind::AutoOrWhole(1, 1024),
        Some("auto"),
    ),
    key(
        "channels.discord.long_answers",
        Kind::Choice(&["messages", "thread"]),
        Some("messages"),
    ),
    key("access.owners", Kind::Texts, Some("")),
    key("access.allow", Kind::Texts, Some("")),
    key("access.pairing", Kind::Switch, Some("true")),
    key("access.autonomy", Kind::Texts, Some("")),
    key("providers.*.name", Kind::Text, Some("main")),
    key(
        "providers.*.kind",
        Kind::Choice(&["openai", "anthropic", "llama", "offline"]),
        Some("openai"),
    ),
    key(
        "providers.*.base_url",
        Kind::Text,
        Some("https://api.openai.com/v1"),
    ),
    key("providers.*.api_key", Kind::Secret, None),
    key("providers.*.api_keys", Kind::Secrets, Some("")),
    key("providers.*.model", Kind::Text, None),
    key("providers.*.models", Kind::Texts, Some("")),
    key(
        "providers.*.temperature",
        Kind::Decimal(0.0, 2.0),
        Some("0.7"),
    ),
    key(
        "providers.*.max_tokens",
        Kind::Whole(1, 1_000_000),
        Some("4096"),
    ),
    key(
        "providers.*.thinking_tokens",
        Kind::Whole(0, 1_000_000),
        Some("0"),
    ),
    key(
        "providers.*.context_tokens",
        Kind::Whole(0, 100_000_000),
        Some("0"),
    ),
    key(
        "providers.*.vision",
        Kind::Choice(&["auto", "yes", "no"]),
        Some("auto"),
    ),
    key(
        "providers.*.quirks",
        Kind::Choice(&Quirks::NAMES),
        Some("auto"),
    ),
    key(
        "providers.*.mode",
        Kind::Choice(&["auto", "openai_compat", "completion"]),
        Some("auto"),
    ),
    key(
        "providers.*.template",
        Kind::Choice(&TEMPLATES),
        Some("auto"),
    ),
    key(
        "providers.*.tool_calls_in_text",
        Kind::Choice(&["auto", "on", "off"]),
        Some("auto"),
    ),
    key(
        "providers.*.timeout_secs",
        Kind::Whole(1, 3600),
        Some("120"),
    ),
    key(
        "providers.*.first_token_secs",
        Kind::Whole(0, 3600),
        Some("0"),
    ),
    key(
        "agent.autonomy",
        Kind::Choice(&["read_only", "supervised", "full"]),
        Some("supervised"),
    ),
    key(
        "agent.routing",
        Kind::Choice(&["two_phase", "auto", "off"]),
        Some("two_phase"),
    ),
    key("agent.routing_messages", Kind::Whole(0, 50), Some("6")),
    key("agent.max_steps", Kind::Whole(1, 30), Some("10")),
    key(
        "agent.turn_timeout_secs",
        Kind::Whole(1, 86_400),
        Some("1800"),
    ),
    key(
        "agent.while_busy",
        Kind::Choice(&["steer", "queue", "interrupt"]),
        Some("steer"),
    ),
    key("agent.history_messages", Kind::Whole(2, 1000), Some("50")),
    key("agent.concurrent_turns", Kind::Whole(1, 4096), Some("64")),
    key("policy.allow_commands", Kind::Texts, Some("")),
    key("policy.allow_hosts", Kind::Texts, Some("")),
    key("policy.ask_hosts", Kind::Texts, Some("")),
    key("policy.deny_hosts", Kind::Texts, Some("")),
    key("policy.allow_network", Kind::Switch, Some("false")),
    key("policy.confirm_write", Kind::Switch, Some("true")),
    key("policy.confirm_exec", Kind::Switch, Some("true")),
    key(
        "policy.sandbox",
        Kind::Choice(&["require", "prefer", "off"]),
        Some("require"),
    ),
    key(
        "policy.sandboxed_commands",
        Kind::Choice(&["ask", "allow"]),
        Some("ask"),
    ),
    key(
        "policy.members_system",
        Kind::Choice(&["owner", "deny"]),
        Some("owner"),
    ),
    key(
        "policy.members_network",
        Kind::Choice(&["asker", "owner", "deny"]),
        Some("owner"),
    ),
    key("policy.rules", Kind::Text, None),
    key(
        "policy.approval_expires_secs",
        Kind::Whole(10, 604_800),
        Some("1800"),
    ),
    key("budget.turn_tokens", TOKENS, Some("1000000")),
    key("budget.turn_money", MONEY, Some("0")),
    key("budget.user_day_tokens", TOKENS, Some("10000000")),
    key("budget.user_day_money", MONEY, Some("0")),
    key("budget.instance_day_tokens", TOKENS, Some("50000000")),
    key("budget.instance_day_money", MONEY, Some("0")),
    key("budget.instance_month_tokens", TOKENS, Some("0")),
    key("budget.instance_month_money", MONEY, Some("0")),
    key("budget.currency", Kind::Text, Some("USD")),
    key("prices.*.model", Kind::Text, None),
    key("prices.*.input", MONEY, None),
    key("prices.*.cached_input", MONEY, None),
    key("prices.*.output", MONEY, None),
    key(
        "tools.shell_timeout_secs",
        Kind::Whole(1, 3600),
        Some("120"),
    ),
    key(
        "tools.background_timeout_secs",
        Kind::Whole(0, 86_400),
        Some("3600"),
    ),
    key(
        "tools.max_file_read_bytes",
        Kind::Whole(1024, 16 * MIB),
        Some("262144"),
    ),
    key(
        "tools.max_output_bytes",
        Kind::Whole(1024, MIB),
        Some("32768"),
    ),
    key("tools.fetch_timeout_secs", Kind::Whole(1, 600), Some("30")),
    key(
        "tools.max_fetch_bytes",
        Kind::Whole(1024, 64 * MIB),
        Some("2097152"),
    ),
    key(
        "tools.max_inbox_files",
        Kind::Whole(0, 100_000),
        Some("500"),
    ),
    key(
        "tools.max_inbox_bytes",
        Kind::Whole(0, 1024 * 1024 * MIB),
        Some("536870912"),
    ),
    key("tools.allow_private_hosts", Kind::Texts, Some("")),
    key(
        "tools.web_search.kind",
        Kind::Choice(&["searxng", "brave"]),
        Some("searxng"),
    ),
    key("tools.web_search.base_url", Kind::Text, None),
    key("tools.web_search.api_key", Kind::Secret, None),
    key("tools.web_search.results", Kind::Whole(1, 20), Some("5")),
    key("secrets.value", Kind::Secret, None),
    key("secrets.purpose", Kind::Text, None),
    key("secrets.hosts", Kind::Texts, None),
    key("secrets.commands", Kind::Texts, None),
    key("mcp.*.name", Kind::Text, None),
    key("mcp.*.enabled", Kind::Switch, Some("true")),
    key("mcp.*.command", Kind::Text, None),
    key("mcp.*.args", Kind::Texts, Some("")),
    key("mcp.*.env", Kind::Variables, Some("")),
    key("mcp.*.url", Kind::Text, None),
    key("mcp.*.token", Kind::Secret, None),
    key("mcp.*.client_id", Kind::Text, None),
    key("mcp.*.client_secret", Kind::Secret, None),
    key("mcp.*.redirect_port", Kind::Whole(1024, 65535), None),
    key("mcp.*.allow", Kind::Texts, Some("")),
    key("mcp.*.ask", Kind::Texts, Some("")),
    key("mcp.*.deny", Kind::Texts, Some("")),
    key("mcp.*.trust_read_only", Kind::Switch, Some("false")),
    key("mcp.*.start_timeout_secs", Kind::Whole(1, 600), Some("60")),
    key("mcp.*.call_timeout_secs", Kind::Whole(1, 3600), Some("120")),
    key("memory.keep_episodes_days", DAYS, Some("365")),
    key("memory.keep_learned_days", DAYS, Some("0")),
    key("memory.keep_told_days", DAYS, Some("0")),
    key("memory.keep_lines_days", DAYS, Some("365")),
    key("memory.fade_after_days", DAYS, Some("90")),
    key(
        "memory.fade_below_confidence",
        Kind::Whole(0, 100),
        Some("85"),
    ),
    key(
        "memory.embedder.base_url",
        Kind::Text,
        Some("https://api.openai.com/v1"),
    ),
    key("memory.embedder.api_key", Kind::Secret, None),
    key("memory.embedder.model", Kind::Text, None),
    key("memory.embedder.directory", Kind::Text, None),
    key(
        "memory.embedder.dimensions",
        Kind::Whole(1, MAX_DIMENSION as i64),
        None,
    ),
    key(
        "memory.embedder.min_similarity",
        Kind::Decimal(0.0, 1.0),
        Some("0.25"),
    ),
    key(
        "memory.embedder.timeout_secs",
        Kind::Whole(1, 600),
        Some("30"),
    ),
    key("memory.learning.enabled", Kind::Switch, Some("true")),
    key(
        "memory.learning.idle_secs",
        Kind::Whole(1, 86_400),
        Some("600"),
    ),
    key(
        "memory.learning.note",
        Kind::Choice(&["quiet", "off"]),
        Some("quiet"),
    ),
    key("retention.turns_days", DAYS, Some("365")),
    // Platforms tell again what they told within the last days.
    key(
        "retention.messages_days",
        Kind::Whole(7, 36_500),
        Some("90"),
    ),
    key("store.url", Kind::Text, Some("sqlite:sayso.db")),
    key("http.listen", Kind::Text, None),
    key(
        "log.level",
        Kind::Choice(&["error", "warn", "info", "debug"]),
        Some("debug"),
    ),
    key("log.format", Kind::Choice(&["text", "json"]), Some("text")),
    key("log.traces", Kind::Text, None),
];

const fn key(path: &'static str, kind: Kind, default: Option<&'static str>) -> Key {
    Key {
        path,
        kind,
        default,
    }
}

impl Kind {
    /// Returns whether what is written must never be shown.
    pub(super) fn is_secret(self) -> bool {
        matches!(self, Self::Secret | Self::Secrets | Self::Variables)
    }

    /// Says what is allowed: "must be ...".
    pub(super) fn allowed(self) -> String {
        match self {
            Self::Text => "text in quotes".to_owned(),
            Self::Secret => "text in quotes, `env:NAME` or `file:PATH`".to_owned(),
            Self::Choice(words) => match words.split_last() {
                Some((last, rest)) => format!("`{}` or `{last}`", rest.join("`, `")),
                None => String::new(),
            },
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::AutoOrWhole(least, most) => {
                format!("`auto` or a whole number from {least} to {most}")
            }
            Self::Decimal(least, most) => format!("a number from {least} to {most}"),
            Self::Switch => "`true` or `false`".to_owned(),
            Self::Texts => "a list of texts, such as `[\"one\", \"two\"]`".to_owned(),
            Self::Secrets => {
                "a list of keys, such as `[\"env:FIRST_KEY\", \"file:/run/keys/second\"]`"
                    .to_owned()
            }
            Self::Variables => "a list of variables, such as `[\"LOG=quiet\", \
                                \"API_TOKEN=env:API_TOKEN\"]`; a value may be `env:NAME` or \
                                `file:PATH`"
                .to_owned(),
        }
    }

    /// Reads a value of the file; `None` when it is not allowed.
    pub(super) fn read_toml(self, value: &DeValue<'_>) -> Option<Value> {
        match self {
            Self::Text | Self::Secret | Self::Choice(_) => self.read_text(value.as_str()?),
            Self::Whole(..) => {
                let number = value.as_integer()?;
                self.whole(i64::from_str_radix(number.as_str(), number.radix()).ok()?)
            }
            Self::AutoOrWhole(..) => match value.as_integer() {
                Some(number) => self.read_text(number.as_str()),
                None => self.read_text(value.as_str()?),
            },
            Self::Decimal(..) => {
                let whole = value.as_integer().map(toml::de::DeInteger::as_str);
                let number = value.as_float().map(toml::de::DeFloat::as_str).or(whole)?;
                self.read_text(number)
            }
            Self::Switch => value.as_bool().map(Value::Boolean),
            Self::Texts | Self::Secrets | Self::Variables => value
                .as_array()?
                .iter()
                .map(|item| {
                    item.get_ref()
                        .as_str()
                        .map(|text| Value::String(text.to_owned()))
                })
                .collect::<Option<_>>()
                .map(Value::Array),
        }
    }

    /// Reads an environment variable or a default; `None` when it is not allowed.
    pub(super) fn read_text(self, text: &str) -> Option<Value> {
        match self {
            Self::Text | Self::Secret => Some(Value::String(text.to_owned())),
            Self::Choice(words) => words
                .contains(&text)
                .then(|| Value::String(text.to_owned())),
            Self::Whole(..) => self.whole(text.trim().parse().ok()?),
            Self::AutoOrWhole(least, most) => {
                let text = text.trim();
                let number = text.parse::<i64>().ok();
                let allowed =
                    text == "auto" || number.is_some_and(|it| (least..=most).contains(&it));
                allowed.then(|| Value::String(text.to_owned()))
            }
            Self::Decimal(least, most) => {
                let number: f64 = text.trim().parse().ok()?;
                (least..=most)
                    .contains(&number)
                    .then_some(Value::Float(number))
            }
            Self::Switch => text.trim().parse().ok().map(Value::Boolean),
            Self::Texts | Self::Secrets | Self::Variables if text.trim_start().starts_with('[') => {
                let list = DeValue::parse(text.trim()).ok()?;
                self.read_toml(list.get_ref())
            }
            Self::Texts | Self::Secrets | Self::Variables => Some(Value::Array(
                text.split(',')
                    .map(str::trim)
                    .filter(|item| !item.is_empty())
                    .map(|item| Value::String(item.to_owned()))
                    .collect(),
            )),
        }
    }

    fn whole(self, number: i64) -> Option<Value> {
        let Self::Whole(least, most) = self else {
            return None;
        };
        (least..=most)
            .contains(&number)
            .then_some(Value::Integer(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_allowed() {
        for key in KEYS {
            let allowed = key
                .default
                .is_none_or(|text| key.kind.read_text(text).is_some());
            assert!(allowed, "{}", key.path);
        }
    }
}
