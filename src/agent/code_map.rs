//! The map of the project that a turn works in: for requests about code, the files that they seem to be
//! about, and the definitions that matter there.
//!
//! It is made once for a turn, before the first step, so that later steps have the same prompt. Which
//! turns get one is decided by free rules on the words, before Phase 1: a guessed first step has it,
//! too. A turn that cannot have it soon goes on without one.

use std::time::Duration;

use sayso_core::transcript::{
    CallId, ConversationMessage, IntentLabel, OutsideSource, Role, Taint, ToolCall, TurnState,
    enclose,
};
use sayso_tools::{CodeMap, CodeMapRequest};
use serde_json::json;

use super::message_texts::user_texts;
use super::route;
use super::turn_setup::TurnSetup;
use crate::skills::MessageFeatures;

/// How long a turn waits for the map. One of 1,500 files takes a tenth of that.
const PATIENCE: Duration = Duration::from_millis(500);
/// How much larger the map is while no file of the project is in the conversation.
const FIRST_SIGHT: usize = 4;
/// The map takes at most one of this many parts of what the model can read.
const WINDOW_PARTS: usize = 16;
/// How many files in the conversation point at their surroundings.
const IN_VIEW: usize = 20;
/// What the map is called where its text says where it came from.
const NAME: &str = "project_map";

/// The map of a turn.
#[derive(Debug, Default)]
pub(super) struct TurnMap {
    is_made: bool,
    /// In the delimiters of text from outside.
    text: Option<String>,
    taint: Taint,
}

impl TurnMap {
    /// Makes the map, unless that is done; `past` are the earlier messages that the model is shown.
    pub(super) async fn prepare(
        &mut self,
        setup: &TurnSetup<'_>,
        state: &TurnState,
        past: &[ConversationMessage],
    ) {
        if self.is_made {
            return;
        }
        self.is_made = true;
        let (Some(code), Some(project)) = (&setup.agent.code, &setup.scope().project) else {
            return;
        };
        let message = request(state);
        if setup.agent.limits.map_tokens == 0 || !is_wanted(setup, &message) {
            return;
        }
        let in_view = paths_in_view(past);
        let tokens = budget(setup, in_view.is_empty());
        let wanted = CodeMapRequest {
            message,
            in_view,
            tokens,
        };
        let making = code.map(&project.name, wanted);
        match tokio::time::timeout(PATIENCE, making).await {
            Ok(Some(map)) => self.show(&map, &project.name),
            Ok(None) => {}
            Err(_) => {
                let turn = setup.scope().turn;
                tracing::info!(%turn, "the map of the project was not made in time; continuing without it");
            }
        }
    }

    fn show(&mut self, map: &CodeMap, project: &str) {
        let call = ToolCall {
            id: CallId(String::new()),
            name: NAME.to_owned(),
            arguments: json!({ "project": project }),
        };
        let source = OutsideSource {
            call: format!("{} {}", call.name, call.canonical_arguments()),
            suspected: map.is_suspected,
        };
        self.text = Some(enclose(&map.text, &source));
        self.taint.add_result_of(&call);
    }

    /// Returns the map in the delimiters of text from outside, if there is one.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns where its text came from.
    pub(super) fn taint(&self) -> &Taint {
        &self.taint
    }
}

/// Returns what the turn was asked for; with an answer, what that answers as well.
fn request(state: &TurnState) -> String {
    let said = user_texts(&state.messages);
    match &state.answering {
        Some(answering) => format!("{said}\n{}", answering.request),
        None => said,
    }
}

/// Returns whether a request is about code. Guests have no tools to look at it.
fn is_wanted(setup: &TurnSetup<'_>, message: &str) -> bool {
    if setup.scope().role == Role::Guest {
        return false;
    }
    let features = MessageFeatures::of(message);
    let label = route::by_rules(&features, setup.skills.recommender(), None, None).label;
    match label {
        IntentLabel::CodingTask | IntentLabel::RepoAnalysis => true,
        IntentLabel::CapabilityQuery | IntentLabel::GeneralChat | IntentLabel::Uncertain => false,
    }
}

/// Returns how many tokens the map may have.
fn budget(setup: &TurnSetup<'_>, is_first_sight: bool) -> usize {
    let tokens = setup.agent.limits.map_tokens;
    let tokens = if is_first_sight {
        tokens * FIRST_SIGHT
    } else {
        tokens
    };
    tokens.min(setup.window().asked / WINDOW_PARTS)
}

/// Returns the files that the model has asked for by name, the latest first.
fn paths_in_view(past: &[ConversationMessage]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let calls = past.iter().rev().filter_map(|message| match message {
        ConversationMessage::Assistant(said) => Some(&said.calls),
        ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
    });
    for path in calls
        .flatten()
        .filter_map(|call| call.arguments["path"].as_str())
    {
        let path = path.trim_start_matches("./");
        if paths.len() < IN_VIEW && !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    }
    paths
}
