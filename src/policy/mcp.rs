//! What may be done at MCP servers: the operator's rules for the tools of each, by their names.
//!
//! What a server says of its own tools ("it only reads") is its word. It frees nothing unless the
//! operator said that this server is believed, and it never makes a call worse off than silence.

use std::collections::BTreeMap;

use super::autonomy_level::AutonomyLevel;
use super::judgement::Judgement;
use super::messages::{AskReason, McpRefusal, Refusal};

/// The longest pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 128;

/// Names of tools: `search_nodes`, `read_*`, `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern(String);

impl NamePattern {
    /// Reads a pattern, in which `*` stands for any letters; `None` when it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let is_plain = !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
        let is_pattern = is_plain && !text.is_empty() && text.len() <= MAX_PATTERN_BYTES;
        is_pattern.then(|| Self(text.to_owned()))
    }

    /// Returns the pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn covers(&self, name: &str) -> bool {
        let Some((first, behind)) = self.0.split_once('*') else {
            return self.0 == name;
        };
        let Some(mut rest) = name.strip_prefix(first) else {
            return false;
        };
        let (middle, last) = behind.rsplit_once('*').unwrap_or(("", behind));
        for part in middle.split('*') {
            let Some(at) = rest.find(part) else {
                return false;
            };
            rest = rest.get(at + part.len()..).unwrap_or_default();
        }
        rest.ends_with(last)
    }
}

/// The rules for the tools of one server. Of several that fit a tool the strictest counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct McpRule {
    /// Run without asking.
    pub allow: Vec<NamePattern>,
    /// Are asked about, whatever else is allowed.
    pub ask: Vec<NamePattern>,
    /// Never run.
    pub deny: Vec<NamePattern>,
    /// Whether the server is believed when it says that a tool only reads.
    pub trust_read_only: bool,
    /// Whether it acts on this machine or near it: a program that we start, or a private address.
    pub is_local: bool,
}

/// The rules for all servers, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct McpRules {
    servers: BTreeMap<String, McpRule>,
}

/// A call of a server's tool, as far as the rules care.
#[derive(Debug, Clone, Copy)]
pub(super) struct McpUse<'a> {
    /// The server.
    pub(super) server: &'a str,
    /// The tool, by the server's name for it.
    pub(super) tool: &'a str,
    /// Whether the server says that it changes nothing.
    pub(super) says_it_reads: bool,
    /// The level that holds.
    pub(super) level: AutonomyLevel,
}

/// What the rules say of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Denied,
    Asked,
    Allowed,
    Unlisted,
}

impl McpRules {
    /// Sets the rule of a server.
    pub fn add(&mut self, server: String, rule: McpRule) {
        self.servers.insert(server, rule);
    }

    /// Returns the rule of a server.
    pub fn of(&self, server: &str) -> Option<&McpRule> {
        self.servers.get(server)
    }

    /// Returns whether a server acts on this machine or near it, as one does that is not known.
    pub(super) fn is_local(&self, server: &str) -> bool {
        self.servers.get(server).is_none_or(|rule| rule.is_local)
    }

    /// Judges a call. What no rule names is asked about.
    pub(super) fn judge(&self, wanted: McpUse<'_>) -> Judgement {
        let standing = self.standing(wanted);
        let (server, tool) = (wanted.server.to_owned(), wanted.tool.to_owned());
        if standing == Standing::Denied {
            return Judgement::Deny(Refusal::Mcp(McpRefusal::Denied { server, tool }));
        }
        match wanted.level {
            AutonomyLevel::ReadOnly if !wanted.says_it_reads => {
                return Judgement::Deny(Refusal::ChangesNothingAt(wanted.level));
            }
            AutonomyLevel::Full if standing == Standing::Unlisted => {
                return Judgement::Deny(Refusal::Mcp(McpRefusal::NotListed { server, tool }));
            }
            AutonomyLevel::ReadOnly | AutonomyLevel::Supervised | AutonomyLevel::Full => {}
        }
        match standing {
            Standing::Allowed => Judgement::Allow,
            Standing::Denied | Standing::Asked | Standing::Unlisted => {
                Judgement::Ask(AskReason::UsesMcp(server))
            }
        }
    }

    fn standing(&self, wanted: McpUse<'_>) -> Standing {
        let Some(rule) = self.servers.get(wanted.server) else {
            return Standing::Unlisted;
        };
        let covers = |patterns: &[NamePattern]| patterns.iter().any(|it| it.covers(wanted.tool));
        if covers(&rule.deny) {
            Standing::Denied
        } else if covers(&rule.ask) {
            Standing::Asked
        } else if covers(&rule.allow) || (rule.trust_read_only && wanted.says_it_reads) {
            Standing::Allowed
        } else {
            Standing::Unlisted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{McpRule, McpRules, McpUse, NamePattern};
    use crate::AutonomyLevel::{Full, ReadOnly, Supervised};
    use crate::judgement::Judgement;

    fn patterns(texts: &[&str]) -> Vec<NamePattern> {
        let read = texts.iter().map(|text| NamePattern::parse(text).unwrap());
        read.collect()
    }

    fn rules(trust_read_only: bool) -> McpRules {
        let mut rules = McpRules::default();
        let rule = McpRule {
            allow: patterns(&["read_*", "search", "delete_draft"]),
            ask: patterns(&["read_mail"]),
            deny: patterns(&["delete_*"]),
            trust_read_only,
            is_local: false,
        };
        rules.add("post".to_owned(), rule);
        rules
    }

    fn judged(rules: &McpRules, tool: &str, says_it_reads: bool) -> String {
        [ReadOnly, Supervised, Full]
            .map(|level| {
                let judgement = rules.judge(McpUse {
                    server: "post",
                    tool,
                    says_it_reads,
                    level,
                });
                match judgement {
                    Judgement::Allow => "allow",
                    Judgement::Ask(_) => "ask",
                    Judgement::Deny(_) => "deny",
                }
            })
            .join(" ")
    }

    #[test]
    fn the_strictest_rule_counts_and_what_has_none_is_asked_about() {
        let rules = rules(false);
        // At the levels `read_only`, `supervised`, `full`.
        for (tool, says_it_reads, expected) in [
            ("read_list", true, "allow allow allow"),
            ("read_list", false, "deny allow allow"),
            ("read_mail", true, "ask ask ask"),
            ("delete_draft", true, "deny deny deny"),
            ("send", false, "deny ask deny"),
            ("send", true, "ask ask deny"),
            ("searches", false, "deny ask deny"),
        ] {
            assert_eq!(judged(&rules, tool, says_it_reads), expected, "{tool}");
        }
    }

    #[test]
    fn a_server_is_believed_only_where_the_operator_says_so() {
        assert_eq!(judged(&rules(false), "send", true), "ask ask deny");
        assert_eq!(judged(&rules(true), "send", true), "allow allow allow");
        assert_eq!(judged(&rules(true), "send", false), "deny ask deny");
        assert_eq!(judged(&rules(true), "delete_all", true), "deny deny deny");
        assert_eq!(judged(&rules(true), "read_mail", true), "ask ask ask");
    }

    #[test]
    fn a_server_without_rules_is_asked_about() {
        assert_eq!(
            judged(&McpRules::default(), "read_list", true),
            "ask ask deny"
        );
    }

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, covered, others) in [
            ("*", &["", "a", "read"][..], &[][..]),
            ("read", &["read"], &["read_", "rea", "READ"]),
            ("read_*", &["read_", "read_x"], &["read", "xread_"]),
            ("*_file", &["read_file"], &["file", "read_files"]),
            ("a*b*c", &["abc", "axbxc", "abbcc"], &["ab", "acb", "abcd"]),
            ("a*a", &["aa", "aba"], &["a"]),
        ] {
            let pattern = NamePattern::parse(pattern).unwrap();
            for name in covered {
                assert!(pattern.covers(name), "{pattern:?} {name}");
            }
            for name in others {
                assert!(!pattern.covers(name), "{pattern:?} {name}");
            }
        }
        assert_eq!(NamePattern::parse(""), None);
        assert_eq!(NamePattern::parse("two words"), None);
    }
}
