//! What tools hold of their server: whether it is there, and the line to it.

use std::sync::Arc;
use std::time::Duration;

use sayso_core::transcript::ToolOutcome;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::content::Given;
use super::wire::{Line, MAX_LINE_BYTES, NoAnswer};

/// How many scopes are named at most.
const MAX_SCOPES: usize = 8;
/// The longest scope that is named, in bytes.
const MAX_SCOPE_BYTES: usize = 100;

/// Whether a server is there.
#[derive(Clone)]
pub(super) enum Presence {
    /// It was not there yet.
    Starting,
    /// It is.
    There(Line),
    /// It is gone and will be started again.
    Gone(Arc<str>),
    /// It wants that somebody logs in.
    WaitsForLogin,
}

/// A server, as its tools know it. Clones know the same.
#[derive(Clone)]
pub(super) struct Handle {
    /// Its name.
    pub name: Arc<str>,
    /// How long one call may take, waiting for the server included.
    pub call_timeout: Duration,
    /// Whether it is there; its keeper says so.
    pub presence: watch::Receiver<Presence>,
}

impl Handle {
    /// Sends a request to the server, and returns its result in the form for the model. The
    /// server's text counts as *given*, also when it failed: it comes from outside.
    pub(super) async fn ask<A: Future<Output = Result<Given, NoAnswer>>>(
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
            return self.absence();
        };
        // Dropping the question tells the server to stop working on it.
        let answered = tokio::select! {
            biased;
            () = stop.cancelled() => return failed("stopped".to_owned()),
            () = tokio::time::sleep_until(deadline) => {
                let seconds = self.call_timeout.as_secs();
                return failed(format!(
                    "the MCP server `{name}` did not answer within {seconds} s and was asked to \
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
            Err(NoAnswer::Unauthorized) => failed(self.wants_login()),
            Err(NoAnswer::NeedsScope(scope)) => self.wants_scope(scope.as_deref()),
            Err(NoAnswer::Lost) => failed(format!(
                "the MCP server `{name}` ended, or could not be reached, before it answered; it \
                 may have taken effect"
            )),
            Err(NoAnswer::TooLarge) => failed(format!(
                "the answer of the MCP server `{name}` is larger than {} MiB and was thrown away; \
                 the call may have taken effect. Ask for less at once",
                MAX_LINE_BYTES >> 20
            )),
            Err(NoAnswer::Garbled) => failed(format!(
                "the MCP server `{name}` answered in a way that is not understood here"
            )),
        }
    }

    /// Waits until the server is there; `None` when it never will be again, or a person must do
    /// something first.
    async fn line(&self) -> Option<Line> {
        let mut presence = self.presence.clone();
        let is_settled =
            |presence: &Presence| matches!(presence, Presence::There(_) | Presence::WaitsForLogin);
        match &*presence.wait_for(is_settled).await.ok()? {
            Presence::There(line) => Some(line.clone()),
            Presence::Starting | Presence::Gone(_) | Presence::WaitsForLogin => None,
        }
    }

    fn wants_login(&self) -> String {
        let name = &self.name;
        format!(
            "the MCP server `{name}` waits for a login: the operator logs in with `sayso mcp \
             login {name}`. Nothing was done"
        )
    }

    /// What the login does not open. Which scopes would is the server's word, so only what can be
    /// one stands in the command.
    fn wants_scope(&self, scope: Option<&str>) -> ToolOutcome {
        let name = &self.name;
        let scopes: Vec<&str> = scope
            .unwrap_or_default()
            .split_ascii_whitespace()
            .filter(|scope| can_be_a_scope(scope))
            .take(MAX_SCOPES)
            .collect();
        let asked: Vec<String> = scopes
            .iter()
            .map(|scope| format!(" --scope {scope}"))
            .collect();
        let asked = asked.concat();
        tracing::warn!(server = %name, ?scopes, "MCP server requires scopes that its login lacks");
        failed(format!(
            "the MCP server `{name}` wants more rights than its login has, and did nothing; the \
             operator can log in again with `sayso mcp login {name}{asked}`"
        ))
    }

    /// Why there is no answer. What the server said of it is its own words, and checked as such.
    fn absence(&self) -> ToolOutcome {
        let name = &self.name;
        match &*self.presence.borrow() {
            Presence::WaitsForLogin => failed(self.wants_login()),
            _ if self.presence.has_changed().is_err() => {
                failed(format!("the MCP server `{name}` has been ended"))
            }
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

/// Returns whether a text has the form of a scope that can stand in a command: letters, digits and
/// what is usual between them, so that no shell reads more into it.
fn can_be_a_scope(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/-+@".contains(&byte);
    text.len() <= MAX_SCOPE_BYTES && !text.starts_with('-') && text.bytes().all(is_plain)
}

fn failed(error: String) -> ToolOutcome {
    ToolOutcome::Failed {
        error,
        partial: None,
    }
}
