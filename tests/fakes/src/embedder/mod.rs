//! An embedding server on loopback that speaks OpenAI's `/embeddings`: a text is the sum of its
//! words, each word a direction of its own, so texts are near when they share words, or words that
//! were taught to mean the same.

mod server;
mod words;

use std::sync::Arc;

use self::server::Desk;
use crate::gate::Gate;
use crate::waiting::patiently;
use crate::wire::{self, Served};

/// What happens to a request instead of its answer.
#[derive(Clone, Debug)]
pub enum EmbedderFault {
    /// This HTTP status, with these seconds as `Retry-After` if any.
    Status(u16, Option<u32>),
    /// A body as it stands, with status 200.
    Body(String),
    /// This HTTP status with this message in the body.
    Said(u16, String),
    /// The connection is cut.
    Drop,
}

/// The fake embedding server. Dropping it cuts every connection.
#[derive(Debug)]
pub struct FakeEmbedder {
    desk: Arc<Desk>,
    served: Served,
}

impl FakeEmbedder {
    /// Starts a server on a free loopback port, whose vectors have 64 numbers.
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

    /// Has these words mean the same from now on.
    pub fn teaches(&self, words: &[&str]) {
        self.desk.state().meanings.teach(words);
    }

    /// Has vectors be so long from now on.
    pub fn answers_with(&self, dimension: usize) {
        self.desk.state().dimension = dimension;
    }

    /// Reports in each answer that it read this number of tokens per text.
    pub fn counts(&self, tokens: u64) {
        self.desk.state().counted = Some(tokens);
    }

    /// Demands this key as bearer token; others are answered 401.
    pub fn requires_key(&self, key: &str) {
        self.desk.state().required_key = Some(key.to_owned());
    }

    /// Has the next request meet this fault; several are used up in order.
    pub fn fails_next(&self, fault: EmbedderFault) {
        self.desk.state().faults.push_back(fault);
    }

    /// Has every request meet this fault, until [`FakeEmbedder::heals`].
    pub fn fails(&self, fault: EmbedderFault) {
        self.desk.state().lasting = Some(fault);
    }

    /// Answers this number of requests and fails every later one with this fault, until
    /// [`FakeEmbedder::heals`].
    pub fn succeeds_and_then_fails(&self, answers: usize, fault: EmbedderFault) {
        let mut state = self.desk.state();
        state.answers_left = answers;
        state.lasting = Some(fault);
    }

    /// Refuses (400) every request with a text that contains this.
    pub fn refuses_texts_with(&self, word: &str) {
        self.desk.state().refused = Some(word.to_owned());
    }

    /// Reads no more tokens of a text than this, as llama.cpp does: a request with a longer one is
    /// refused whole, with 500 and its words. Four ASCII characters or one other are a token.
    pub fn reads_at_most(&self, tokens: usize) {
        self.desk.state().most_tokens = Some(tokens);
    }

    /// Takes back all faults.
    pub fn heals(&self) {
        let mut state = self.desk.state();
        state.lasting = None;
        state.refused = None;
        state.most_tokens = None;
        state.faults.clear();
    }

    /// Holds every answer at this gate.
    pub fn waits_at(&self, gate: &Gate) {
        self.desk.state().gate = Some(gate.clone());
    }

    /// Returns the texts of each request so far, also of those that failed.
    pub fn requests(&self) -> Vec<Vec<String>> {
        self.desk.state().requests.clone()
    }

    /// Returns the bodies of all requests so far.
    pub fn bodies(&self) -> Vec<serde_json::Value> {
        self.desk.state().bodies.clone()
    }

    /// Waits until somebody has asked for this text.
    pub async fn waits_for_text(&self, part: &str) {
        let asked = || {
            let requests = self.requests();
            let mut texts = requests.iter().flatten();
            texts.any(|text| text.contains(part)).then_some(())
        };
        let found = patiently(&self.desk.asked, asked).await;
        assert!(found.is_some(), "{part:?} is not in {:?}", self.requests());
    }

    /// Panics with the list of violations if there is one.
    pub fn assert_clean(&self) {
        let violations = self.desk.state().violations.clone();
        assert!(
            violations.is_empty(),
            "the embedder was asked wrongly:\n{}",
            violations.join("\n")
        );
    }
}
