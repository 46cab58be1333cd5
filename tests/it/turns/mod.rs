//! Turns: routing, clarifications, steps, tools, memory, history, stop.

/// A model that speaks Anthropic's messages.
mod anthropic;
/// What is said while Sayso is busy, and whose turn comes when.
mod busy;
/// Presses on a question while something else is under way.
mod choosing;
/// Questions that are asked back before anything is done.
mod clarifying;
/// A conversation that becomes too long.
mod compaction;
/// A model that does not answer, and what the user reads then.
mod failing;
/// Two models, of which the first fails in every way.
mod failover;
/// What of the past is in a prompt, and what is not.
mod history;
/// A model that says its tool calls in the text.
mod in_text;
/// Several keys of one service: who is asked with which, and which are put aside.
mod keys;
/// What it knows of itself: persona, skills and settings.
mod knowing;
/// The live message and the streamed text.
mod live_message;
/// A llama.cpp server, by chat completions and by prompts.
mod llama;
/// The transcript as memory.
mod looking_back;
mod looping;
/// Memory by meaning, with an embedder and without.
mod meaning;
/// Answers that are cut, withheld, thoughts alone or refused in words of a service's own.
mod odd_answers;
/// Phase 2 asked beside Phase 1.
pub mod parallel;
mod planning;
/// The plan that is made before work on code.
pub mod plans;
/// What two turns begin with alike, for prefix caches.
mod prefix_cache;
mod prompt_size;
/// The button that reverses an undo.
mod redo;
/// Memory: stored, recalled, and kept apart by person and group.
pub mod remembering;
/// Phase 1, and what it loads for Phase 2.
mod routing;
/// Slips of a model in the name of a tool and in its arguments.
mod slips;
/// Words said while a turn runs: joining it, waiting for it, or ending it.
mod steering;
/// Steps of a turn: their limit, and tools that fail.
mod steps;
/// `/stop`.
mod stop;
/// The button that stops a turn.
mod stop_button;
/// A stop in each state of a turn.
mod stop_states;
/// For how long a turn may work.
mod time_limit;
mod tool_selection;
/// `/undo`.
mod undo;

use sayso_fakes::ModelRequest;

/// Returns who said what in a request, below the system prompt, one text each.
fn conversation(request: &ModelRequest) -> Vec<String> {
    let messages = request.messages().iter();
    messages
        .filter(|message| message["role"] != "system")
        .map(|message| {
            let role = message["role"].as_str().unwrap_or_default();
            let text = message["content"].as_str().unwrap_or_default();
            format!("{role}: {text}")
        })
        .collect()
}
