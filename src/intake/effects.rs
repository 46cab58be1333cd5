//! What follows from an event beside the rows that its transaction writes.

use std::sync::Arc;

use sayso_channel::{Address, MessageKey, Notice, NoticeKind, Receipt};
use sayso_core::transcript::{AnnouncedFile, QuestionId};
use sayso_store::outbox::OutboxRow;
use tokio::sync::Notify;

use crate::bus::Signal;

/// What followed from an event.
#[derive(Debug, Default)]
pub struct Effects {
    /// What a press is answered with.
    pub receipt: Receipt,
    /// Rows to offer after the commit.
    pub said: Vec<OutboxRow>,
    /// Signals to send after the commit.
    pub signals: Vec<Signal>,
    /// The background work that has something to do after the commit.
    pub wakes: Vec<Arc<Notify>>,
    /// The message that gets a thumbs-up: it joins work under way.
    pub noticed: Option<(Address, MessageKey)>,
    /// The words that a press stands for: it becomes a job.
    pub job: Option<PressedJob>,
}

/// Words that a press stands for: the answer to a question, or a request that is made anew.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PressedJob {
    /// The question that it answers, if it answers one.
    pub question: Option<QuestionId>,
    /// The words.
    pub words: String,
    /// Whether words of others are in them.
    pub untrusted: bool,
    /// The files that they came with.
    pub files: Vec<AnnouncedFile>,
}

impl Effects {
    /// Returns what followed from a press that is answered with these words.
    pub fn told(text: String, alert: bool) -> Self {
        let kind = if alert {
            NoticeKind::Alert
        } else {
            NoticeKind::Passing
        };
        Self {
            receipt: Receipt::with_notice(Some(Notice { text, kind })),
            ..Self::default()
        }
    }

    /// Returns what followed from a press whose outcome a message shows: these rows rewrite or
    /// remove it. Where there are none, the words alone say it.
    pub fn shown(text: String, said: Vec<OutboxRow>) -> Self {
        if said.is_empty() {
            return Self::told(text, false);
        }
        Self {
            said,
            ..Self::echo(text)
        }
    }

    /// Returns what followed from a press when a message shows what these words say.
    pub fn echo(text: String) -> Self {
        let kind = NoticeKind::Echo;
        Self {
            receipt: Receipt::with_notice(Some(Notice { text, kind })),
            ..Self::default()
        }
    }

    /// Returns what followed from a press that was refused with these words.
    pub fn refused(text: String) -> Self {
        Self::told(text, true)
    }

    /// Returns what followed from an event that only had something said.
    pub fn said(said: Vec<OutboxRow>) -> Self {
        Self {
            said,
            ..Self::default()
        }
    }

    /// Returns what followed from an event to which nothing is said.
    pub fn unanswered() -> Self {
        Self {
            receipt: Receipt {
                unanswered: true,
                ..Receipt::default()
            },
            ..Self::default()
        }
    }
}
