//! A press on a button, from the finger to the bot's answer.

use std::time::Duration;

use tokio::sync::oneshot;

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
pub struct Press {
    /// Tells what stands in the chat, for the story of a failure.
    transcript: Box<dyn Fn() -> String + Send + Sync>,
    answered: oneshot::Receiver<PressOutcome>,
}

impl Press {
    pub(crate) fn new(
        answered: oneshot::Receiver<PressOutcome>,
        transcript: impl Fn() -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            transcript: Box::new(transcript),
            answered,
        }
    }

    /// Waits for the bot's answer; panics with the transcript when none comes.
    pub async fn answered(self) -> PressOutcome {
        match tokio::time::timeout(PATIENCE, self.answered).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => panic!("the press was not answered\n{}", (self.transcript)()),
        }
    }
}

impl std::fmt::Debug for Press {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Press").finish_non_exhaustive()
    }
}
