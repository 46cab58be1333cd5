//! Selects the tools whose schemas are sent to the model: the few that are always included, and of
//! the others those that something in view calls for.
//!
//! A pure function of the turn's state, so that a resumed turn gets the same selection. Within a
//! turn tools are only added, and what earlier requests called for stays as long as they are in
//! view: services place tools before everything else in the prompt, so each change of the list
//! invalidates their cache of the conversation. A call to a tool that was not offered still runs.

use std::collections::HashSet;

use sayso_core::transcript::{
    ConversationMessage, Cut, Past, READ_RESULT, Scope, ToolCall, ToolSpec, TurnState,
};
use sayso_tools::{PLAN_TOOL, SchemaVisibility, TOOL_SEARCH, Toolbox, names_tool};

use super::message_texts::user_texts;
use crate::skills::{SKILL_TOOL, Words};

/// What the request says about the tools.
#[derive(Debug, Default)]
pub(super) struct Offer {
    /// Those whose schemas travel with the request.
    pub(super) tools: Vec<ToolSpec>,
    /// The names of the others.
    pub(super) more: Vec<String>,
}

/// What speaks for a tool.
struct InView<'a> {
    request: Words,
    /// The texts of the skills in view.
    skills: Vec<&'a str>,
    /// What searches for tools found.
    found: Vec<&'a str>,
    /// Those that were called, and that which shows what is not in view any more.
    called: HashSet<&'a str>,
    /// Whether a command was to keep running.
    keeps_running: bool,
    /// Whether the turn works in a project.
    is_in_project: bool,
}

/// Returns what the next step's request says about the tools; `scope` is where the turn works,
/// `past` are the earlier turns, and
/// `routed` the texts of the skills that Phase 1 chose.
pub(super) fn offer(
    scope: &Scope,
    past: &[Past],
    state: &TurnState,
    routed: &[(&str, &str)],
    toolbox: &Toolbox,
) -> Offer {
    let mut in_view = InView::of(past, &state.messages, routed);
    in_view.is_in_project = scope.project.is_some();
    if state.cut != Cut::default() {
        in_view.called.insert(READ_RESULT);
    }
    if state.first_plan.is_some() {
        in_view.called.insert(PLAN_TOOL);
    }
    if in_view.keeps_running {
        in_view.called.insert(READ_RESULT);
    }
    in_view.offer(toolbox)
}

/// Returns what users said in the conversation.
fn requests(past: &[Past], messages: &[ConversationMessage]) -> String {
    let past = past.iter().map(|past| user_texts(&past.messages));
    past.chain([user_texts(messages)])
        .collect::<Vec<_>>()
        .join("\n")
}

impl<'a> InView<'a> {
    fn of(
        past: &'a [Past],
        messages: &'a [ConversationMessage],
        routed: &[(&str, &'a str)],
    ) -> Self {
        let all = || past.iter().flat_map(|past| &past.messages).chain(messages);
        let called = all().filter_map(|message| match message {
            ConversationMessage::Assistant(said) => Some(&said.calls),
            ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
        });
        let called: Vec<&ToolCall> = called.flatten().collect();
        let keeps_running = |call: &&ToolCall| call.arguments["background"] == true;
        let result_of = |tool: &'static str| {
            all().filter_map(move |message| match message {
                ConversationMessage::ToolResult { name, outcome, .. } if name == tool => {
                    outcome.given()
                }
                _ => None,
            })
        };
        let loaded = result_of(SKILL_TOOL);
        Self {
            request: Words::of(&requests(past, messages)),
            skills: routed.iter().map(|(_, text)| *text).chain(loaded).collect(),
            found: result_of(TOOL_SEARCH).collect(),
            is_in_project: false,
            keeps_running: called.iter().any(keeps_running),
            called: called.iter().map(|call| call.name.as_str()).collect(),
        }
    }

    fn offer(&self, toolbox: &Toolbox) -> Offer {
        let mut offer = Offer::default();
        for tool in toolbox.all() {
            let spec = tool.spec();
            let is_wanted = match tool.schema_visibility() {
                SchemaVisibility::Always => true,
                SchemaVisibility::When(hints) => self.wants(&spec.name, &hints),
                SchemaVisibility::InProjects if self.is_in_project => true,
                SchemaVisibility::OutsideProjects if !self.is_in_project => true,
                // Its counterpart is offered.
                SchemaVisibility::InProjects | SchemaVisibility::OutsideProjects => continue,
            };
            if is_wanted {
                offer.tools.push(spec.clone());
            } else {
                offer.more.push(spec.name.clone());
            }
        }
        offer
    }

    fn wants(&self, name: &str, hints: &[&str]) -> bool {
        let quoted = format!("`{name}`");
        self.called.contains(name)
            || hints.iter().any(|hint| self.request.hold(hint))
            || self.skills.iter().any(|text| text.contains(&quoted))
            || self.found.iter().any(|found| names_tool(found, name))
    }
}
