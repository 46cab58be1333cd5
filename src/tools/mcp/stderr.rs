//! What a server complains of: its standard error, into the log, bounded and without secrets.

use std::io;
use std::sync::{Mutex, PoisonError};

use sayso_core::redact::Redactor;
use sayso_core::visible::visible_line;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

/// The longest line that is looked at, in bytes; the rest of it is left out. It is longer than what
/// is logged of it, so that a secret at the end of that is whole where it is looked for.
const MAX_LINE_BYTES: u64 = 16 * 1024;
/// How much of a line is logged, in characters.
const LOGGED_CHARS: usize = 1024;
/// How many lines are logged of one run of a server.
const MAX_LINES: usize = 500;

/// Listens to a server's standard error.
pub(super) struct StderrLog<'a> {
    server: &'a str,
    redactor: &'a Redactor,
    /// Used to report why the server ended. The lock is held only while the text is copied.
    last: Mutex<String>,
}

impl<'a> StderrLog<'a> {
    /// Begins to listen to a server.
    pub(super) fn new(server: &'a str, redactor: &'a Redactor) -> Self {
        Self {
            server,
            redactor,
            last: Mutex::default(),
        }
    }

    /// Returns the last line that was not empty.
    pub(super) fn last(&self) -> Option<String> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        (!last.is_empty()).then(|| last.clone())
    }

    /// Logs what is said until there is no more.
    pub(super) async fn listen(&self, output: impl AsyncRead + Unpin) {
        let mut output = BufReader::new(output);
        let mut lines = 0;
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut bounded = (&mut output).take(MAX_LINE_BYTES);
            match bounded.read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let is_cut = line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n");
            if is_cut && pass_over_line(&mut output).await.is_err() {
                return;
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end();
            if text.is_empty() {
                continue;
            }
            let whole = if is_cut {
                self.redactor.redact_unfinished(text)
            } else {
                self.redactor.redact(text)
            };
            let whole = visible_line(&whole);
            let text: String = whole.chars().take(LOGGED_CHARS).collect();
            lines += 1;
            if lines <= MAX_LINES {
                tracing::debug!(server = self.server, said = %text, "MCP server stderr");
            } else if lines == MAX_LINES + 1 {
                tracing::debug!(
                    server = self.server,
                    "MCP server stderr exceeds the log limit; the rest is dropped"
                );
            }
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}

/// Reads to the end of a line, and keeps nothing of it.
async fn pass_over_line(output: &mut (impl AsyncBufRead + Unpin)) -> io::Result<()> {
    loop {
        let piece = output.fill_buf().await?;
        let end = piece.iter().position(|byte| *byte == b'\n');
        let (passed, is_over) = match end {
            Some(end) => (end + 1, true),
            None => (piece.len(), piece.is_empty()),
        };
        output.consume(passed);
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::redact::{KnownSecret, Redactor};

    use super::StderrLog;

    /// Returns what is known as said last when a server said this.
    async fn last(text: &str) -> String {
        let secret = KnownSecret::new("post", "hush-hush-77-hush-hush-77".into());
        let redactor = Redactor::new([secret]).unwrap();
        let said = StderrLog::new("post", &redactor);
        said.listen(text.as_bytes()).await;
        said.last().unwrap_or_default()
    }

    #[tokio::test]
    async fn a_secret_is_hidden_wherever_it_lies_in_a_long_line() {
        for before in (1000..1050).chain([3000, 8190]) {
            let line = format!(
                "{}hush-hush-77-hush-hush-77 is wrong\n",
                "x ".repeat(before / 2)
            );
            let told = last(&line).await;
            assert!(!told.contains("hush-"), "{before}: {told}");
            assert!(told.chars().count() <= 1024, "{before}");
        }
        assert_eq!(
            last("key hush-hush-77-hush-hush-77\n").await,
            "key [redacted: post]"
        );
    }

    #[tokio::test]
    async fn the_rest_of_a_line_without_end_is_left_out() {
        let endless = format!("begins {}hush\nnext\n", "x".repeat(100_000));
        assert_eq!(last(&endless).await, "next");
        let told = last(&format!("begins {}", "x".repeat(100_000))).await;
        assert!(told.starts_with("begins xxx"), "{told}");
        assert_eq!(told.len(), 1024);
    }
}
