//! What of a conversation a model is shown: what fits into its window beside the prompt, the
//! schemas of the tools and the answer, planned before each call.
//!
//! What gives way, and in which order, is [`Conversation`]'s affair. What gave way once is written
//! into the journal ([`Compacted`]), so a turn that is resumed says the same.

use super::images::{Shown, with_images};
use super::turn::{Turn, past_messages};
use super::{HISTORY_TOKENS, JournalError, messages};
use crate::providers::{ChatOptions, ChatRequest, ProviderError, VisionSupport, request_tokens};
use crate::skills::SKILL_TOOL;
use crate::transcript::{
    AssistantMessage, Compacted, Conversation, ConversationMessage, Entry, IMAGE_TOKENS, Past,
    Room, ToolSpec, TurnId, WhyCompacted, estimate_tokens, plans_shown_again,
};

/// How much of the window is kept for the answer at most.
const ANSWER_SHARE: usize = 4;

/// A conversation from this size on may be what a service refuses without a reason that is known.
const LARGE_TOKENS: usize = 2000;

/// How much of a model's window there is, in tokens as we estimate them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// For prompt, schemas and conversation together.
    pub(super) asked: usize,
    /// For the earlier turns.
    pub(super) past: usize,
}

impl Window {
    /// Returns the window, in estimated tokens, of a model with these limits; `factor` is the
    /// number of tokens that its service counts for each estimated one.
    pub(super) fn of(window: usize, longest_answer: usize, factor: f64) -> Self {
        let estimated = |counted: usize| (counted as f64 / factor) as usize;
        let answer = longest_answer.min(window / ANSWER_SHARE);
        Self {
            asked: estimated(window - answer),
            past: estimated((window / 8 * 3).min(HISTORY_TOKENS)),
        }
    }
}

impl Turn<'_> {
    /// Shortens what is shown of the earlier turns to what later steps may have, unless that is
    /// done.
    pub(super) async fn shorten_past(&mut self) -> Result<(), JournalError> {
        if self.past.is_some() {
            return Ok(());
        }
        self.past = Some(Past::default());
        // How long prompt and schemas are is known before each call.
        let room = self.room(0);
        self.make_room(room, None).await
    }

    /// Returns the conversation as far as it fits beside a prompt and these tools; `last` is said
    /// at its end.
    pub(super) async fn conversation(
        &mut self,
        (system, tools): (&str, &[ToolSpec]),
        last: Option<&str>,
    ) -> Result<Shown, JournalError> {
        self.shorten_past().await?;
        let told = request_tokens(&ChatRequest {
            system,
            messages: &[],
            tools,
            temperature: None,
            stream: false,
            attempts: None,
            wanted: None,
            options: ChatOptions::default(),
        });
        self.make_room(self.room(told), last).await?;
        let mut messages = past_messages(self.past.as_ref()).to_vec();
        messages.extend(self.whole(last).own_shown(&self.state.cut));
        match self.sight() {
            VisionSupport::Sees => {
                let workspace = &self.context.scope.workspace;
                Ok(with_images(workspace, messages, self.stop).await)
            }
            VisionSupport::None => Ok(messages.into()),
        }
    }

    /// Returns whether a refusal may be about the length: it says so, or gives no known reason and
    /// the conversation is large. What was shortened once for such a refusal is not shortened
    /// again.
    pub(super) fn may_be_too_long(&self, error: &ProviderError) -> bool {
        let is_large = || self.whole(None).size(&self.state.cut).tokens >= LARGE_TOKENS;
        let is_first = self.state.room_tokens.is_none();
        error.is_too_long() || (is_first && error.is_unexplained_refusal() && is_large())
    }

    /// Plans against a smaller window, because the model says that the conversation is too long:
    /// half of it, and then all that can go. Returns whether anything gave way.
    pub(super) async fn give_way(&mut self) -> Result<bool, JournalError> {
        let whole = self.whole(None);
        let before = whole.size(&self.state.cut);
        // The note of the turn stays whatever gives way.
        let note = estimate_tokens(&self.note);
        let room_tokens = match self.state.room_tokens {
            None => note + before.tokens.saturating_sub(note) / 2,
            Some(_) => 0,
        };
        let room = Room {
            tokens: room_tokens,
            ..self.room(0)
        };
        let cut = whole.fit(self.state.cut, room);
        if cut == self.state.cut {
            return Ok(false);
        }
        let turn = self.context.scope.turn;
        tracing::warn!(%turn, tokens = before.tokens, "conversation exceeds the model's context window and was shortened");
        let compacted = Compacted {
            why: WhyCompacted::Refused,
            cut,
            room_tokens: Some(room_tokens),
            before,
            after: whole.size(&cut),
        };
        self.compact(compacted).await?;
        Ok(true)
    }

    /// Returns the earlier turns that the model is shown.
    pub(super) fn in_view(&self) -> &[TurnId] {
        let past = self.past.as_ref();
        past.map(|past| past.turns.as_slice()).unwrap_or_default()
    }

    /// Returns whether a model that may answer sees pictures.
    pub(super) fn sight(&self) -> VisionSupport {
        let wanted = self.context.model.as_ref();
        self.agent.provider.sight(wanted)
    }

    fn room(&self, told: usize) -> Room {
        let most = self.state.room_tokens.unwrap_or(usize::MAX);
        Room {
            // The note of the turn is the system's, and counts as none.
            messages: self.agent.limits.history_messages + usize::from(!self.note.is_empty()),
            tokens: self.window.asked.saturating_sub(told).min(most),
            past_tokens: self.window.past,
        }
    }

    async fn make_room(&mut self, room: Room, last: Option<&str>) -> Result<(), JournalError> {
        let whole = self.whole(last);
        let (before, cut) = (self.state.cut, whole.fit(self.state.cut, room));
        if cut == before {
            self.past = Some(whole.past_shown(&cut));
            return Ok(());
        }
        let compacted = Compacted {
            why: WhyCompacted::NoRoom,
            cut,
            room_tokens: None,
            before: whole.size(&before),
            after: whole.size(&cut),
        };
        self.compact(compacted).await
    }

    async fn compact(&mut self, compacted: Compacted) -> Result<(), JournalError> {
        self.record(Entry::Compacted(compacted)).await?;
        self.past = Some(self.whole(None).past_shown(&self.state.cut));
        Ok(())
    }

    /// Returns the conversation before anything of it gives way.
    fn whole(&self, last: Option<&str>) -> Conversation<'_> {
        let (own, language) = (self.state.messages.as_slice(), self.context.language);
        let plans = plans_shown_again(own);
        let mut whole = Conversation {
            summary: self.earlier.summary.as_ref(),
            past: &self.earlier.turns,
            turn: self.context.scope.turn,
            own,
            notes: std::collections::BTreeMap::new(),
            instructing: &[SKILL_TOOL],
            image_tokens: match self.sight() {
                VisionSupport::Sees => IMAGE_TOKENS,
                VisionSupport::None => 0,
            },
        };
        for place in 0..=own.len() {
            let mut notes = Vec::new();
            if place == 0 && !self.note.is_empty() {
                notes.push(ConversationMessage::user(self.note.as_str()));
            }
            // Behind the request, which the fold put first: only this turn sees the question.
            if let Some(answering) = self.state.answering.as_ref().filter(|_| place == 1) {
                notes.push(ConversationMessage::Assistant(AssistantMessage {
                    text: answering.question.clone(),
                    ..AssistantMessage::default()
                }));
            }
            if let Some(recalled) = &self.recalled {
                notes.extend(recalled.notes(place, language));
            }
            if let Some(steps) = plans.get(&place) {
                notes.push(ConversationMessage::user(messages::plan(steps, language)));
            }
            if place == own.len() {
                notes.extend(last.map(ConversationMessage::user));
            }
            if !notes.is_empty() {
                whole.notes.insert(place, notes);
            }
        }
        whole
    }
}
