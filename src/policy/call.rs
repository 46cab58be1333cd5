//! A call before and after a yes: types that cannot be forged.

use sayso_channel::Language;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::access::Access;
use super::facts::{Facts, GrantPattern, ToolFacts};
use super::messages::{AskReason, in_view};
use crate::transcript::{Taint, ToolCall};

/// What binds an approval: tool, arguments and what was looked up about them, hashed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Digest(String);

impl Digest {
    /// Hashes a call together with what its tool found out about it.
    pub fn of(call: &ToolCall, facts: &ToolFacts) -> Self {
        let mut hasher = Sha256::new();
        for field in [
            call.name.as_str(),
            &call.canonical_arguments(),
            &facts_text(facts),
        ] {
            hasher.update((field.len() as u64).to_le_bytes());
            hasher.update(field.as_bytes());
        }
        Self(format!("{:x}", hasher.finalize()))
    }

    /// Takes a digest that the database kept.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Returns the 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn facts_text(facts: &impl Serialize) -> String {
    serde_json::to_string(facts).unwrap_or_default()
}

/// A call that a person must decide on.
#[derive(Debug, PartialEq)]
pub struct HeldCall {
    call: ToolCall,
    facts: ToolFacts,
    why: AskReason,
    /// Apart, so that a decision stays small.
    offer: Box<Offer>,
    taint: Taint,
}

/// What an "always" may cover; `None` where nothing narrow exists.
#[derive(Debug, PartialEq)]
pub(super) struct Offer {
    /// The exact command.
    pub(super) pattern: Option<GrantPattern>,
    /// Commands that begin like it.
    pub(super) prefix: Option<GrantPattern>,
}

impl HeldCall {
    pub(super) fn new(call: ToolCall, facts: &Facts, why: AskReason, offer: Offer) -> Self {
        Self {
            call,
            facts: facts.tool.clone(),
            why,
            offer: Box::new(offer),
            taint: facts.taint.clone(),
        }
    }

    /// Returns the call that is held.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns what was looked up about it.
    pub fn facts(&self) -> &ToolFacts {
        &self.facts
    }

    /// Returns why it is asked about.
    pub fn why(&self) -> AskReason {
        self.why
    }

    /// Returns why it is asked about in words for people, with where the untrusted text in view
    /// came from.
    pub fn why_for_people(&self, language: Language) -> String {
        let why = self.why.for_people(language);
        match in_view(&self.taint, language) {
            Some(in_view) => format!("{why}\n{in_view}"),
            None => why.to_owned(),
        }
    }

    /// Returns what an "always" would cover; `None` where no narrow pattern exists.
    pub fn pattern(&self) -> Option<&GrantPattern> {
        self.offer.pattern.as_ref()
    }

    /// Returns what an "always" for calls that begin like it would cover; `None` where there is
    /// no safe prefix.
    pub fn prefix(&self) -> Option<&GrantPattern> {
        self.offer.prefix.as_ref()
    }

    /// Returns what an approval of this call is bound to.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.call, &self.facts)
    }

    pub(super) fn into_call(self) -> ToolCall {
        self.call
    }
}

/// A call that may run, once. The executor takes it by value.
#[derive(Debug)]
pub struct ClearedCall {
    call: ToolCall,
    approved: bool,
    access: Access,
}

impl ClearedCall {
    pub(super) fn allowed(call: ToolCall) -> Self {
        Self {
            call,
            approved: false,
            access: Access::System,
        }
    }

    pub(super) fn approved(call: ToolCall) -> Self {
        Self {
            call,
            approved: true,
            access: Access::System,
        }
    }

    /// Returns the call that was judged.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns how far it may reach; whoever runs it gives it no more.
    pub fn access(&self) -> Access {
        self.access
    }

    /// Returns whether a person approved it, so that its approval must be used up when it is called.
    pub fn was_approved(&self) -> bool {
        self.approved
    }
}
