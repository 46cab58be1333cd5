//! A model server on loopback that speaks the OpenAI-compatible wire, Anthropic's and llama.cpp's:
//! it answers by a script and keeps every request, checked against the published contract of its
//! wire.

mod answer;
mod check;
mod llama;
mod messages;
mod request;
mod script;
mod server;
mod stream;

use std::sync::Arc;

use serde_json::Value;

pub use answer::Answer;
pub use request::{ModelRequest, is_system_note};

use self::llama::Lack;
use self::server::Served as Desk;
use crate::waiting::patiently;
use crate::wire::{self, Served};

/// The fake model server. Dropping it cuts every connection.
///
/// A request is answered by the first of: a rule ([`FakeModel::when`]) that speaks, the queue of
/// routing answers or of other answers, a default (`{"skills":[],"direct":true}` for routing, else
/// `ok: ` and the user's last text).
#[derive(Debug)]
pub struct FakeModel {
    desk: Arc<Desk>,
    served: Served,
}

impl FakeModel {
    /// Starts a server on a free loopback port.
    pub async fn start() -> Self {
        let (listener, served) = wire::bind().await;
        let desk = Arc::new(Desk::default());
        wire::serve(
            listener,
            server::router(Arc::clone(&desk)),
            served.stop.clone(),
        );
        Self { desk, served }
    }

    /// Returns the base URL, which ends in `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.served.address)
    }

    /// Answers by this rule whenever it gives an answer; earlier rules go first. The rule must not
    /// touch the fake itself.
    pub fn when(&self, rule: impl Fn(&ModelRequest) -> Option<Answer> + Send + 'static) {
        self.desk.script().add_rule(Box::new(rule));
    }

    /// Queues an answer to the next request that is no routing call.
    pub fn answers(&self, answer: Answer) {
        self.desk.script().queue(answer);
    }

    /// Queues a plain text.
    pub fn says(&self, text: &str) {
        self.answers(Answer::text(text));
    }

    /// Queues a text with the reasoning that led to it.
    pub fn says_with_reasoning(&self, reasoning: &str, text: &str) {
        self.answers(Answer::text(text).reasoning(reasoning));
    }

    /// Queues tool calls, by name and arguments.
    pub fn calls(&self, calls: Vec<(&str, Value)>) {
        self.answers(Answer::calls(calls));
    }

    /// Queues the text that answers the next routing call.
    pub fn routes(&self, json_text: &str) {
        self.routes_with(Answer::text(json_text));
    }

    /// Queues any answer to the next routing call.
    pub fn routes_with(&self, answer: Answer) {
        self.desk.script().queue_routing(answer);
    }

    /// Queues any answer to the next request for a plan, which no rule answers.
    pub fn plans_with(&self, answer: Answer) {
        self.desk.script().queue_planning(answer);
    }

    /// Returns the requests for a plan.
    pub fn planning_requests(&self) -> Vec<Arc<ModelRequest>> {
        let requests = self.requests().into_iter();
        requests.filter(|request| request.is_planning()).collect()
    }

    /// Queues the answer to the next request to sum up older turns, which no rule answers.
    pub fn sums_up_with(&self, answer: Answer) {
        self.desk.script().queue_summing(answer);
    }

    /// Returns the requests to sum up older turns.
    pub fn summing_requests(&self) -> Vec<Arc<ModelRequest>> {
        let requests = self.requests().into_iter();
        requests.filter(|request| request.is_summing_up()).collect()
    }

    /// Is a llama.cpp server: it has that server's own endpoints, and a model whose template takes
    /// nothing but turns that alternate.
    pub fn is_llama(&self) {
        self.desk.script().llama.is_served = true;
    }

    /// Is a llama.cpp server that is too old to write prompts.
    pub fn is_llama_without_templates(&self) {
        self.is_llama();
        self.desk.script().llama.lacks.push(Lack::Prompts);
    }

    /// Is a llama.cpp server whose model knows no system prompt.
    pub fn is_llama_without_system_role(&self) {
        self.is_llama();
        self.desk.script().llama.lacks.push(Lack::SystemRole);
    }

    /// Is a llama.cpp server whose model has a template without a place for tools.
    pub fn is_llama_that_shows_no_tools(&self) {
        self.is_llama();
        self.desk.script().llama.lacks.push(Lack::Tools);
    }

    /// Is a llama.cpp server whose model has a template that begins its thoughts in the prompt.
    pub fn is_llama_that_begins_thoughts(&self) {
        self.is_llama();
        self.desk.script().llama.begins_thoughts = true;
    }

    /// Is a llama.cpp server that was started without `--jinja`.
    pub fn is_llama_without_jinja(&self) {
        self.is_llama();
        self.desk.script().llama.lacks.push(Lack::Jinja);
    }

    /// Is a llama.cpp server that has no endpoint for chats.
    pub fn is_llama_without_chats(&self) {
        self.is_llama();
        self.desk.script().llama.lacks.push(Lack::Chat);
    }

    /// Is a llama.cpp server that loads its model, until it has.
    pub fn is_loading(&self, is_loading: bool) {
        self.is_llama();
        self.desk.script().llama.is_loading = is_loading;
    }

    /// Returns how often it was asked whether it has loaded its model.
    pub fn looks(&self) -> usize {
        self.desk.script().llama.looks
    }

    /// Acts as a llama.cpp server with a context of this number of tokens.
    pub fn is_llama_that_reads(&self, tokens: u64) {
        self.is_llama();
        self.desk.script().llama.context = Some(tokens);
    }

    /// Acts as a llama.cpp server that answers this number of questions side by side.
    pub fn is_llama_with_slots(&self, slots: u64) {
        self.is_llama();
        self.desk.script().llama.slots = Some(slots);
    }

    /// Refuses forms of answers, as models do that know none.
    pub fn refuses_forms(&self) {
        self.desk.script().refuses_forms = true;
    }

    /// Returns how many prompts it has written for others.
    pub fn prompts_written(&self) -> usize {
        self.desk.script().prompts_written
    }

    /// Demands this key as bearer token; others are answered 401.
    pub fn requires_key(&self, key: &str) {
        self.desk.script().required_key = Some(key.to_owned());
    }

    /// Returns how many queued answers no request has taken.
    pub fn unused(&self) -> usize {
        self.desk.script().unused()
    }

    /// Returns all requests so far, also refused ones.
    pub fn requests(&self) -> Vec<Arc<ModelRequest>> {
        self.desk.script().requests.clone()
    }

    /// Returns the requests of steps: no routing calls, none for a plan, and none that sum up older
    /// turns.
    pub fn turn_requests(&self) -> Vec<Arc<ModelRequest>> {
        self.requests()
            .into_iter()
            .filter(|request| {
                let is_other = request.is_routing() || request.is_planning();
                !is_other && !request.is_summing_up()
            })
            .collect()
    }

    /// Waits until `count` requests have come in total, and returns the last of these.
    pub async fn waits_for_request(&self, count: usize) -> Arc<ModelRequest> {
        let nth = || {
            self.desk
                .script()
                .requests
                .get(count.saturating_sub(1))
                .cloned()
        };
        let found = patiently(&self.desk.asked, nth).await;
        found.unwrap_or_else(|| panic!("{} of {count} requests came", self.requests().len()))
    }

    /// Waits for a request that the test is for, also one that has come before.
    pub async fn waits_for(&self, is_it: impl Fn(&ModelRequest) -> bool) -> Arc<ModelRequest> {
        let find = || {
            self.desk
                .script()
                .requests
                .iter()
                .find(|request| is_it(request))
                .cloned()
        };
        let found = patiently(&self.desk.asked, find).await;
        found.unwrap_or_else(|| panic!("no such request among {}", self.requests().len()))
    }

    /// Forgets the requests so far; a long measurement would otherwise keep them all.
    pub fn forget_requests(&self) {
        self.desk.script().requests.clear();
    }

    /// Returns every text that the model said, and the arguments of every call.
    pub fn spoken(&self) -> Vec<String> {
        self.desk.script().spoken.clone()
    }

    /// Returns what the caller has done that the contract forbids.
    pub fn violations(&self) -> Vec<String> {
        self.desk.script().violations.clone()
    }

    /// Returns the violations and forgets them, for a test that provokes them.
    pub fn take_violations(&self) -> Vec<String> {
        std::mem::take(&mut self.desk.script().violations)
    }

    /// Panics with the list of violations if there is one.
    pub fn assert_clean(&self) {
        let violations = self.violations();
        assert!(
            violations.is_empty(),
            "the model was asked wrongly:\n{}",
            violations.join("\n")
        );
    }
}
