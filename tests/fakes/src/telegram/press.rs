//! A press as the server keeps it until it is answered.

use std::time::Instant;

use tokio::sync::oneshot;

use crate::press::PressOutcome;

/// A press that the bot has not answered.
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
