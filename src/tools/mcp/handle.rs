//! What tools hold of their server: whether it is there, and the line to it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::content::Given;
use super::wire::{Line, NoAnswer};
use crate::transcript::ToolOutcome;

/// Whether a server is there.
#[derive(Clone)]
pub enum Presence {
    /// It was not there yet.
    Starting,
    /// It is.
    There(Line),
    /// It is gone and will be started again.
    Gone(Arc<str>),
}

/// A server, as its tools know it. Clones know the same.
#[derive(Clone)]
pub struct Handle {
    /// Its name.
    pub name: Arc<str>,
    /// How long one call may take, waiting for the server included.
    pub call_timeout: Duration,
    /// Whether it is there; its keeper says so.
    pub presence: watch::Receiver<Presence>,
}

impl Handle {
    /// Asks the server something, and says what came of it as the model reads it. What the server
    /// said is what was *given*, also when it failed: it is text from outside.
    pub async fn ask<A: Future<Output = Result<Given, NoAnswer>>>(
        &self,
        stop: &CancellationToken,
        ask: impl FnOnce(Line) -> A,
    ) -> ToolOutcome {
        let name = &self.name;
        let deadline = tokio::time::Instant::now() + self.call_timeout;
        let line = tokio::select! {
            biased;
            () = stop.cancelled() => return failed("stopped".to_owned()),
            () = tokio::time::sleep_until(deadline) => return self.absence(),
            line = self.line() => line,
        };
        let Some(line) = line else {
            return failed(format!("the MCP server `{name}` has been ended"));
        };
        // Dropping the question tells the server to stop working on it.
        let answered = tokio::select! {
            biased;
            () = stop.cancelled() => return failed("stopped".to_owned()),
            () = tokio::time::sleep_until(deadline) => {
                let seconds = self.call_timeout.as_secs();
                return failed(format!(
                    "the MCP server `{name}` did not answer within {seconds} s and was told to \
                     stop; it may have taken effect"
                ));
            }
            answered = ask(line) => answered,
        };
        match answered {
            Ok(given) if given.is_error => ToolOutcome::Failed {
                error: format!("the MCP server `{name}` says that it failed"),
                partial: Some(given.text),
            },
            Ok(given) => ToolOutcome::Success { output: given.text },
            Err(NoAnswer::Refused(why)) => ToolOutcome::Failed {
                error: format!("the MCP server `{name}` refused it"),
                partial: Some(why),
            },
            Err(NoAnswer::Lost) => failed(format!(
                "the MCP server `{name}` ended, or could not be reached, before it answered; it \
                 may have taken effect"
            )),
            Err(NoAnswer::Garbled) => failed(format!(
                "the MCP server `{name}` answered in a way that is not understood here"
            )),
        }
    }

    /// Waits until the server is there; `None` when it never will be again.
    async fn line(&self) -> Option<Line> {
        let mut presence = self.presence.clone();
        let there = presence.wait_for(|presence| matches!(presence, Presence::There(_)));
        match &*there.await.ok()? {
            Presence::There(line) => Some(line.clone()),
            Presence::Starting | Presence::Gone(_) => None,
        }
    }

    /// Why there is no answer. What the server said of it is its own words, and checked as such.
    fn absence(&self) -> ToolOutcome {
        let name = &self.name;
        match &*self.presence.borrow() {
            Presence::Gone(why) => ToolOutcome::Failed {
                error: format!(
                    "the MCP server `{name}` is not there; it is started again. The operator finds \
                     more in the log, and with `sayso doctor`"
                ),
                partial: Some(why.to_string()),
            },
            Presence::Starting | Presence::There(_) => {
                failed(format!("the MCP server `{name}` has not answered yet"))
            }
        }
    }
}

fn failed(error: String) -> ToolOutcome {
    ToolOutcome::Failed {
        error,
        partial: None,
    }
}
