//! The way of an answer to who hears it while it arrives: what may be a call is held back.

use std::sync::{Mutex, PoisonError};

use sayso_core::transcript::ToolSpec;

use super::offered::Offered;
use super::scan::{Extent, Found, Scan};
use super::tags;
use crate::{Heard, Reply};

/// Passes on what is no call, piece by piece.
///
/// The lock is held by one stream alone; it is there because a [`Heard`] may be called from anywhere.
pub(crate) struct Held<'a> {
    heard: Heard<'a>,
    offered: Offered<'a>,
    so_far: Mutex<SoFar>,
}

#[derive(Debug, Default)]
struct SoFar {
    text: String,
    passed_on: usize,
    scan: Scan,
    /// How long the text must be before it is looked at again: while something is held back, looks
    /// become rarer, so that a long call is not read for each of its pieces.
    next_look: usize,
}

impl<'a> Held<'a> {
    /// Passes on to here what calls none of these tools; without tools that is everything.
    pub(crate) fn new(heard: Heard<'a>, tools: &'a [ToolSpec]) -> Self {
        Self {
            heard,
            offered: Offered(tools),
            so_far: Mutex::default(),
        }
    }

    /// Takes a piece of the text.
    pub(crate) fn hear(&self, piece: &str) {
        if self.offered.0.is_empty() {
            (self.heard)(piece);
            return;
        }
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        let said = so_far.take(piece, self.offered).to_owned();
        drop(so_far);
        self.say(&said);
    }

    /// Takes the whole answer, and puts the calls in it where calls belong. What was held back and is
    /// none is passed on, unless the answer begins as a call: then it says nothing.
    pub(crate) fn end(&self, mut reply: Reply) -> Reply {
        let message = &mut reply.message;
        if message.calls.is_empty() && !self.offered.0.is_empty() {
            let found = Scan::default().look(&message.text, self.offered, Extent::Whole);
            if let Found::Calls(calls) = found {
                message.text.clear();
                message.calls = calls;
                return reply;
            }
            // What begins as a call and is none is nothing that a person could read.
            if tags::begins(message.text.trim_start()) {
                message.text.clear();
                return reply;
            }
        }
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        let said = so_far.pass_on(usize::MAX).to_owned();
        drop(so_far);
        self.say(&said);
        reply
    }

    fn say(&self, said: &str) {
        if !said.is_empty() {
            (self.heard)(said);
        }
    }
}

impl SoFar {
    fn take(&mut self, piece: &str, offered: Offered<'_>) -> &str {
        self.text.push_str(piece);
        if self.text.len() < self.next_look {
            return "";
        }
        match self.scan.look(&self.text, offered, Extent::SoFar) {
            Found::Perhaps(at) => {
                let held = self.text.len().saturating_sub(at);
                self.next_look = self.text.len() + held / 8;
                self.pass_on(at)
            }
            Found::Nothing | Found::Calls(_) => self.pass_on(usize::MAX),
        }
    }

    /// Passes on up to a place what was not passed on before.
    fn pass_on(&mut self, until: usize) -> &str {
        let from = self.passed_on;
        let until = until.min(self.text.len()).max(from);
        self.passed_on = until;
        self.text.get(from..until).unwrap_or_default()
    }
}
