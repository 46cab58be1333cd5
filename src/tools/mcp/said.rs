//! What a server complains of: its standard error, into the log, bounded and without secrets.

use std::sync::{Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

use crate::redact::Redactor;
use crate::tools::visible::visible_line;

/// The longest line that is logged, in bytes; the rest of it is left out.
const MAX_LINE_BYTES: u64 = 1024;
/// How many lines are logged of one run of a server.
const MAX_LINES: usize = 500;

/// Listens to a server's standard error.
pub struct Said<'a> {
    server: &'a str,
    redactor: &'a Redactor,
    /// Who reads it is told why the server ended; nobody holds it for longer than a copy.
    last: Mutex<String>,
}

impl<'a> Said<'a> {
    /// Begins to listen to a server.
    pub fn new(server: &'a str, redactor: &'a Redactor) -> Self {
        Self {
            server,
            redactor,
            last: Mutex::default(),
        }
    }

    /// Returns the last line that was not empty.
    pub fn last(&self) -> Option<String> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        (!last.is_empty()).then(|| last.clone())
    }

    /// Logs what is said until there is no more.
    pub async fn listen(&self, output: impl AsyncRead + Unpin) {
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
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end();
            if text.is_empty() {
                continue;
            }
            let text = visible_line(&self.redactor.redact(text));
            lines += 1;
            if lines <= MAX_LINES {
                tracing::debug!(server = self.server, said = %text, "an MCP server said");
            } else if lines == MAX_LINES + 1 {
                tracing::debug!(
                    server = self.server,
                    "an MCP server says too much to be logged"
                );
            }
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}
