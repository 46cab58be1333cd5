//! What the model answers to whom: rules, queues and defaults, and the record of who asked.

use std::collections::VecDeque;
use std::sync::Arc;

use super::answer::Answer;
use super::llama::Llama;
use super::request::ModelRequest;

/// The answer to a routing call when nothing is scripted.
const DEFAULT_ROUTE: &str = r#"{"skills":[],"direct":true}"#;
/// The answer to a request for a plan when nothing is scripted: none is needed.
const DEFAULT_PLAN: &str = r#"{"steps":[]}"#;
/// What older turns are summed up as when nothing is scripted.
const DEFAULT_SUMMARY: &str = "They spoke of this and that.";

type Rule = Box<dyn Fn(&ModelRequest) -> Option<Answer> + Send>;

#[derive(Default)]
pub(crate) struct Script {
    rules: Vec<Rule>,
    routing: VecDeque<Answer>,
    summing: VecDeque<Answer>,
    planning: VecDeque<Answer>,
    turns: VecDeque<Answer>,
    /// How many tool calls were given an id.
    calls: u64,
    pub(crate) required_key: Option<String>,
    pub(crate) llama: Llama,
    pub(crate) refuses_forms: bool,
    pub(crate) prompts_written: usize,
    pub(crate) requests: Vec<Arc<ModelRequest>>,
    pub(crate) violations: Vec<String>,
    /// The texts and the arguments of calls that were answered.
    pub(crate) spoken: Vec<String>,
}

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Script")
            .field("requests", &self.requests.len())
            .finish_non_exhaustive()
    }
}

impl Script {
    pub(crate) fn add_rule(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    pub(crate) fn queue(&mut self, answer: Answer) {
        self.turns.push_back(answer);
    }

    pub(crate) fn queue_summing(&mut self, answer: Answer) {
        self.summing.push_back(answer);
    }

    pub(crate) fn queue_planning(&mut self, answer: Answer) {
        self.planning.push_back(answer);
    }

    pub(crate) fn queue_routing(&mut self, answer: Answer) {
        self.routing.push_back(answer);
    }

    pub(crate) fn unused(&self) -> usize {
        self.routing.len() + self.planning.len() + self.turns.len()
    }

    /// Returns the answer to a request: by rule, by queue, by default. Its calls have ids of their
    /// own.
    pub(crate) fn answer(&mut self, request: &ModelRequest) -> Answer {
        let mut answer = self.choose(request);
        for call in answer.calls.iter_mut().filter(|call| call.id.is_none()) {
            self.calls += 1;
            call.id = Some(format!("call_{}", self.calls));
        }
        self.spoken.push(answer.text.clone());
        let calls = answer.calls.iter();
        self.spoken.extend(calls.map(|call| call.arguments.clone()));
        answer
    }

    fn choose(&mut self, request: &ModelRequest) -> Answer {
        // Summaries run in the background at any time: they must not take an answer scripted for a
        // turn.
        if request.is_summing_up() {
            let queued = self.summing.pop_front();
            return queued.unwrap_or_else(|| Answer::text(DEFAULT_SUMMARY));
        }
        if request.is_planning() {
            let queued = self.planning.pop_front();
            return queued.unwrap_or_else(|| Answer::text(DEFAULT_PLAN));
        }
        if let Some(answer) = self.rules.iter().find_map(|rule| rule(request)) {
            return answer;
        }
        if request.is_routing() {
            return self
                .routing
                .pop_front()
                .unwrap_or_else(|| Answer::text(DEFAULT_ROUTE));
        }
        let queued = self.turns.pop_front();
        queued.unwrap_or_else(|| Answer::text(format!("ok: {}", request.last_user())))
    }
}
