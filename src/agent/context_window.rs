//! What of a conversation a model is shown: what fits into its window beside the prompt, the
//! schemas of the tools and the answer, planned before each call.
//!
//! What gives way, and in which order, is [`Conversation`]'s affair. What gave way once is written
//! into the journal ([`Compacted`]), so a turn that is resumed says the same.

use sayso_core::transcript::{
    AssistantMessage, Compacted, Conversation, ConversationMessage, Entry, IMAGE_TOKENS, Past,
    Room, TurnId, TurnState, WhyCompacted, estimate_tokens, plans_shown_again,
};
use sayso_providers::{ChatRequest, ProviderError, VisionSupport, request_tokens};

use super::images::{Shown, with_images};
use super::model_call::StepRequest;
use super::recall::Recall;
use super::turn_setup::{TurnRecord, TurnSetup};
use super::window_limits::WindowLimits;
use super::{Earlier, JournalError, messages};
use crate::skills::SKILL_TOOL;

/// A conversation from this size on may be what a service refuses without a reason that is known.
const LARGE_TOKENS: usize = 2000;

/// What a turn shows its model of the conversation.
pub(super) struct ContextWindow {
    /// The earlier turns, without old reasoning.
    earlier: Earlier,
    /// What is shown of them, once it is known.
    past: Option<Past>,
    /// How much the model can read.
    limits: WindowLimits,
    /// The note of the turn, once a prompt was written.
    note: String,
}

impl ContextWindow {
    /// Returns the window of a turn; nothing has given way yet.
    pub(super) fn new(earlier: Earlier, limits: WindowLimits) -> Self {
        Self {
            earlier,
            past: None,
            limits,
            note: String::new(),
        }
    }

    /// Takes the note that the newest prompt has for the turn.
    pub(super) fn set_note(&mut self, note: String) {
        self.note = note;
    }

    /// Returns the earlier turns, whatever is shown of them.
    pub(super) fn earlier(&self) -> &[Past] {
        &self.earlier.turns
    }

    /// Returns what is shown of the earlier turns, once it is known.
    pub(super) fn past(&self) -> Option<&Past> {
        self.past.as_ref()
    }

    /// Returns the messages of earlier turns that are shown.
    pub(super) fn past_messages(&self) -> &[ConversationMessage] {
        let past = self.past.as_ref();
        past.map(|past| past.messages.as_slice())
            .unwrap_or_default()
    }

    /// Returns the earlier turns that the model is shown.
    pub(super) fn in_view(&self) -> &[TurnId] {
        let past = self.past.as_ref();
        past.map(|past| past.turns.as_slice()).unwrap_or_default()
    }

    /// Shortens what is shown of the earlier turns to what later steps may have, unless that is
    /// done.
    pub(super) async fn shorten_past(
        &mut self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        record: &mut TurnRecord<'_>,
    ) -> Result<(), JournalError> {
        if self.past.is_some() {
            return Ok(());
        }
        self.past = Some(Past::default());
        // How long prompt and schemas are is known before each call.
        let room = self.room(setup, record.state, 0);
        self.make_room(setup, recall, record, room, None).await
    }

    /// Returns the conversation as far as it fits beside this request; `last` is said at its end.
    pub(super) async fn conversation(
        &mut self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        record: &mut TurnRecord<'_>,
        request: StepRequest<'_>,
        last: Option<&str>,
    ) -> Result<Shown, JournalError> {
        self.shorten_past(setup, recall, record).await?;
        let room = self.room(setup, record.state, tokens_of(request));
        self.make_room(setup, recall, record, room, last).await?;
        Ok(self.shown(setup, recall, record.state, last).await)
    }

    async fn shown(
        &self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        state: &TurnState,
        last: Option<&str>,
    ) -> Shown {
        let mut messages = self.past_messages().to_vec();
        let whole = self.whole(setup, recall, state, last);
        messages.extend(whole.own_shown(&state.cut));
        match setup.sight() {
            VisionSupport::Sees => {
                let workspace = &setup.scope().home;
                with_images(workspace, messages, setup.stop).await
            }
            VisionSupport::None => messages.into(),
        }
    }

    /// Returns the conversation as [`Self::conversation`] does, if it fits without a cut: nothing
    /// is written into the journal.
    pub(super) async fn conversation_uncut(
        &self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        state: &TurnState,
        request: StepRequest<'_>,
    ) -> Option<Shown> {
        let room = self.room(setup, state, tokens_of(request));
        let fits = self.whole(setup, recall, state, None).fit(state.cut, room) == state.cut;
        if !fits {
            return None;
        }
        Some(self.shown(setup, recall, state, None).await)
    }

    /// Returns whether a refusal may be about the length: it says so, or gives no known reason and
    /// the conversation is large. What was shortened once for such a refusal is not shortened
    /// again.
    pub(super) fn may_be_too_long(
        &self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        state: &TurnState,
        error: &ProviderError,
    ) -> bool {
        let whole = || self.whole(setup, recall, state, None);
        let is_large = || whole().size(&state.cut).tokens >= LARGE_TOKENS;
        let is_first = state.room_tokens.is_none();
        error.is_too_long() || (is_first && error.is_unexplained_refusal() && is_large())
    }

    /// Plans against a smaller window, because the model says that the conversation is too long:
    /// half of it, and then all that can go. Returns whether anything gave way.
    pub(super) async fn give_way(
        &mut self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        record: &mut TurnRecord<'_>,
    ) -> Result<bool, JournalError> {
        let state = &*record.state;
        let whole = self.whole(setup, recall, state, None);
        let before = whole.size(&state.cut);
        // The note of the turn stays whatever gives way.
        let note = estimate_tokens(&self.note);
        let room_tokens = match state.room_tokens {
            None => note + before.tokens.saturating_sub(note) / 2,
            Some(_) => 0,
        };
        let room = Room {
            tokens: room_tokens,
            ..self.room(setup, state, 0)
        };
        let cut = whole.fit(state.cut, room);
        if cut == state.cut {
            return Ok(false);
        }
        let turn = setup.scope().turn;
        tracing::warn!(%turn, tokens = before.tokens, "conversation exceeds the model's context window and was shortened");
        let compacted = Compacted {
            why: WhyCompacted::Refused,
            cut,
            room_tokens: Some(room_tokens),
            before,
            after: whole.size(&cut),
        };
        self.compact(setup, recall, record, compacted).await?;
        Ok(true)
    }

    fn room(&self, setup: &TurnSetup<'_>, state: &TurnState, told: usize) -> Room {
        let most = state.room_tokens.unwrap_or(usize::MAX);
        let messages = setup.agent.limits.history_messages;
        Room {
            // The note of the turn is the system's, and counts as none.
            messages: messages + usize::from(!self.note.is_empty()),
            tokens: self.limits.asked.saturating_sub(told).min(most),
            past_tokens: self.limits.past,
        }
    }

    async fn make_room(
        &mut self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        record: &mut TurnRecord<'_>,
        room: Room,
        last: Option<&str>,
    ) -> Result<(), JournalError> {
        let whole = self.whole(setup, recall, record.state, last);
        let (before, cut) = (record.state.cut, whole.fit(record.state.cut, room));
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
        self.compact(setup, recall, record, compacted).await
    }

    async fn compact(
        &mut self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        record: &mut TurnRecord<'_>,
        compacted: Compacted,
    ) -> Result<(), JournalError> {
        record.record(Entry::Compacted(compacted)).await?;
        let whole = self.whole(setup, recall, record.state, None);
        self.past = Some(whole.past_shown(&record.state.cut));
        Ok(())
    }

    /// Returns the conversation before anything of it gives way.
    fn whole<'w>(
        &'w self,
        setup: &TurnSetup<'_>,
        recall: &Recall,
        state: &'w TurnState,
        last: Option<&str>,
    ) -> Conversation<'w> {
        let (own, language) = (state.messages.as_slice(), setup.language());
        let first_plan = state.first_plan.as_ref();
        let plans = plans_shown_again(own, first_plan);
        let mut whole = Conversation {
            summary: self.earlier.summary.as_ref(),
            past: &self.earlier.turns,
            turn: setup.scope().turn,
            own,
            notes: std::collections::BTreeMap::new(),
            instructing: &[SKILL_TOOL],
            image_tokens: match setup.sight() {
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
            if let Some(answering) = state.answering.as_ref().filter(|_| place == 1) {
                notes.push(ConversationMessage::Assistant(AssistantMessage {
                    text: answering.question.clone(),
                    ..AssistantMessage::default()
                }));
            }
            notes.extend(recall.notes(place, language));
            if let Some(steps) = plans.get(&place) {
                let is_first = first_plan.is_some_and(|first| first.behind == place);
                let note = if is_first {
                    messages::first_plan(steps, language)
                } else {
                    messages::plan(steps, language)
                };
                notes.push(ConversationMessage::user(note));
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

/// Returns how long a request is without its conversation, estimated, in tokens.
fn tokens_of(request: StepRequest<'_>) -> usize {
    request_tokens(&ChatRequest {
        system: request.system,
        tools: request.tools,
        ..ChatRequest::default()
    })
}
