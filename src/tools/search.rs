//! `tool_search`: finds the tools whose schemas do not travel with each request.
//!
//! A model that receives the schema of every tool reads more about tools than about the request. So
//! for most tools it receives only the name ([`Told::When`]), and this tool describes what a name
//! is for; the code that builds the next request reads from its result which schemas to add.

use std::cmp::Reverse;
use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{Action, ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::{parse_arguments, spec_of};
use super::dynamic_tools::DynamicTools;
use super::{SchemaVisibility, Tool, ToolContext};

/// The name of the tool.
pub const TOOL_SEARCH: &str = "tool_search";
/// How many tools one search gives.
const MOST: usize = 5;
/// From how many letters on a word tells tools apart.
const WORD_LETTERS: usize = 3;

/// Finds tools by name, or by what they are for.
pub(super) struct ToolSearch {
    spec: ToolSpec,
    /// Of the tools that are always there.
    cards: Vec<ToolSummary>,
    dynamic_tools: DynamicTools,
}

/// What is looked through of a tool, in lower case.
#[derive(Clone)]
struct ToolSummary {
    name: String,
    description: String,
    hints: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Names, or words for what it should do.
    query: String,
}

impl ToolSearch {
    /// Returns the tool that finds those of `tools` that are not always told, and those of `guests`;
    /// none when all of `tools` are.
    pub(super) fn over(tools: &[Arc<dyn Tool>], dynamic_tools: &DynamicTools) -> Option<Self> {
        let cards: Vec<ToolSummary> = tools
            .iter()
            .filter_map(|tool| ToolSummary::of(&**tool))
            .collect();
        (!cards.is_empty()).then(|| Self {
            spec: spec_of::<Arguments>(
                TOOL_SEARCH,
                "Makes further tools callable that the prompt names without a schema.",
            ),
            cards,
            dynamic_tools: dynamic_tools.clone(),
        })
    }

    fn answer(&self, query: &str) -> ToolOutcome {
        let dynamic_tools = self.dynamic_tools.all();
        let dynamic_tools = dynamic_tools
            .iter()
            .filter_map(|tool| ToolSummary::of(&**tool));
        let cards: Vec<ToolSummary> = self.cards.iter().cloned().chain(dynamic_tools).collect();
        let found = search(&cards, query);
        if found.is_empty() {
            let names: Vec<_> = cards.iter().map(|card| card.name.as_str()).collect();
            let names = names.join(", ");
            return ToolOutcome::invalid(format!("no tool fits `{query}`; there are {names}"));
        }
        let lines: Vec<_> = found.into_iter().map(ToolSummary::line).collect();
        ToolOutcome::Success {
            output: lines.join("\n"),
        }
    }
}

/// Returns what fits best, the best first.
fn search<'c>(cards: &'c [ToolSummary], query: &str) -> Vec<&'c ToolSummary> {
    let query = query.to_lowercase();
    let points = |card: &'_ ToolSummary| card.points(&query);
    let mut found: Vec<_> = cards.iter().map(|card| (points(card), card)).collect();
    found.retain(|(points, _)| *points > 0);
    // Stable: of equal ones the first in the toolbox.
    found.sort_by_key(|(points, _)| Reverse(*points));
    found.truncate(MOST);
    found.into_iter().map(|(_, card)| card).collect()
}

impl ToolSummary {
    fn of(tool: &dyn Tool) -> Option<Self> {
        let SchemaVisibility::When(hints) = tool.schema_visibility() else {
            return None;
        };
        Some(Self {
            name: tool.spec().name.clone(),
            description: tool.spec().description.clone(),
            hints: hints.iter().map(|hint| hint.to_lowercase()).collect(),
        })
    }

    /// Returns how much speaks for it: its name most, then what it is for.
    fn points(&self, query: &str) -> usize {
        let name = self.name.to_lowercase();
        let description = self.description.to_lowercase();
        let named = words(query).filter(|word| *word == name).count();
        let hinted = self.hints.iter().filter(|hint| query.contains(*hint));
        let in_words = words(query)
            .filter(|word| word.chars().count() >= WORD_LETTERS)
            .filter(|word| name.contains(word) || description.contains(word));
        named * 100 + hinted.count() * 3 + in_words.count()
    }

    fn line(&self) -> String {
        let description = self.description.split_whitespace().collect::<Vec<_>>();
        format!("{}: {}", self.name, description.join(" "))
    }
}

/// Returns the words of a search, in which names keep their `_`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    text.split(move |letter| !is_inside(letter))
        .filter(|word| !word.is_empty())
}

/// Returns whether the result of a search names a tool.
pub fn names_tool(found: &str, name: &str) -> bool {
    let names = found.lines().filter_map(|line| line.split_once(": "));
    names.into_iter().any(|(found, _)| found == name)
}

#[async_trait]
impl Tool for ToolSearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        Ok(ToolFacts {
            summary: format!("{TOOL_SEARCH}: {}", arguments.query).into(),
            detail: None,
            action: Action::Internal,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        match parse_arguments::<Arguments>(call.call(), &self.spec) {
            Ok(arguments) => self.answer(&arguments.query),
            Err(outcome) => outcome,
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{ToolSearch, ToolSummary, names_tool, spec_of};

    fn search(query: &str) -> String {
        let card = |name: &str, description: &str, hints: &[&str]| ToolSummary {
            name: name.to_owned(),
            description: description.to_owned(),
            hints: hints.iter().map(|hint| (*hint).to_owned()).collect(),
        };
        let tool = ToolSearch {
            spec: spec_of::<super::Arguments>("tool_search", "Finds."),
            dynamic_tools: super::DynamicTools::default(),
            cards: vec![
                card(
                    "http_request",
                    "Sends one HTTP request\nto a server.",
                    &["url", "网页"],
                ),
                card("web_search", "Searches the web.", &["news", "网上"]),
                card("git", "Runs git in the workspace.", &["commit"]),
            ],
        };
        tool.answer(query).for_model()
    }

    #[test]
    fn tools_are_found_by_name_and_by_what_they_are_for() {
        insta::assert_snapshot!(search("git, web_search"), @r"
        web_search: Searches the web.
        git: Runs git in the workspace.
        ");
        insta::assert_snapshot!(search("open a 网页"), @"http_request: Sends one HTTP request to a server.");
        insta::assert_snapshot!(search("send something to a server"), @"http_request: Sends one HTTP request to a server.");
        insta::assert_snapshot!(search("paint"), @"[error] E_INVALID_ARGS: no tool fits `paint`; there are http_request, web_search, git");
    }

    #[test]
    fn only_whole_names_count_as_found() {
        let found = search("git, web_search");
        assert!(names_tool(&found, "git") && names_tool(&found, "web_search"));
        assert!(!names_tool(&found, "web") && !names_tool(&found, "http_request"));
    }
}
