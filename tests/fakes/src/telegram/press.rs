//! A press on a button, from the finger to the bot's answer.

use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::acting::Chat;
use crate::waiting::PATIENCE;

/// What the person sees after a press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PressOutcome {
    /// The notice, if there is one.
    pub text: Option<String>,
    /// Whether the notice stays until it is closed.
    pub alert: bool,
    /// How long the button showed that it was busy.
    pub answered_in: Duration,
}

/// A press that may not be answered yet.
#[derive(Debug)]
pub struct Press {
    chat: Chat,
    answered: oneshot::Receiver<PressOutcome>,
}

impl Press {
    pub(crate) fn new(chat: Chat, answered: oneshot::Receiver<PressOutcome>) -> Self {
        Self { chat, answered }
    }

    /// Waits for the bot's answer; panics with the transcript when none comes.
    pub async fn answered(self) -> PressOutcome {
        match tokio::time::timeout(PATIENCE, self.answered).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => panic!("the press was not answered\n{}", self.chat.transcript()),
        }
    }
}

/// A press as the server keeps it until it is answered.
#[derive(Debug)]
pub(crate) struct OpenPress {
    pub(crate) pressed_at: Instant,
    pub(crate) answer: oneshot::Sender<PressOutcome>,
}

impl OpenPress {
    pub(crate) fn new(answer: oneshot::Sender<PressOutcome>) -> Self {
        Self {
            pressed_at: Instant::now(),
            answer,
        }
    }
}
