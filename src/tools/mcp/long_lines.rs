//! Reports answers that are too long to the caller that waits for them.
//!
//! The library silently drops a line of more than 16 MiB, and the caller would wait until its
//! timeout. So lines are measured on their way to the library, and a dropped line is followed by an
//! error in its place, with the id of that line.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

/// The longest line that the library takes, its end included.
pub(super) const MAX_LINE_BYTES: usize = rmcp::transport::async_rw::DEFAULT_MAX_LINE_LENGTH;
/// The code of the error that stands in for a longer one. JSON-RPC 2.0, section 5.1, leaves -32000
/// to -32099 to implementations.
pub(super) const TOO_LONG: i32 = -32_077;
/// So much of a line's beginning and of its end is kept to find its id in: a result stands between.
const KEPT_BYTES: usize = 256;

/// A reader that adds an error after each line that is too long.
pub(super) struct LongLines<R> {
    inner: R,
    line: Line,
    /// What comes before anything else is read.
    ahead: Vec<u8>,
    /// Whether `ahead` was measured before.
    is_measured: bool,
    /// What was read behind a line that was too long.
    behind: Vec<u8>,
}

/// The line that is being read.
#[derive(Default)]
struct Line {
    length: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl<R> LongLines<R> {
    /// Reads from `inner`.
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            line: Line::default(),
            ahead: Vec::new(),
            is_measured: false,
            behind: Vec::new(),
        }
    }

    /// Moves as much of the buffered data as fits into `buf`. Returns the bytes moved.
    fn hand_over(&mut self, buf: &mut ReadBuf<'_>) {
        let count = self.ahead.len().min(buf.remaining());
        buf.put_slice(&self.ahead[..count]);
        self.ahead.drain(..count);
    }

    /// Measures what was read, and holds back what stands behind a line that is too long.
    fn measure(&mut self, buf: &mut ReadBuf<'_>, begun: usize) {
        let read = buf.filled()[begun..].to_vec();
        let mut at = 0;
        while let Some(length) = read[at..].iter().position(|byte| *byte == b'\n') {
            let end = at + length + 1;
            self.line.add(&read[at..end]);
            let line = std::mem::take(&mut self.line);
            if line.length > MAX_LINE_BYTES
                && let Some(error) = line.error()
            {
                buf.set_filled(begun + end);
                let mut behind = read[end..].to_vec();
                behind.append(&mut self.ahead);
                self.behind = behind;
                self.ahead = error.into_bytes();
                self.is_measured = true;
                return;
            }
            at = end;
        }
        self.line.add(&read[at..]);
    }
}

impl Line {
    fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        let room = KEPT_BYTES - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let from = bytes.len().saturating_sub(KEPT_BYTES);
        self.tail.extend_from_slice(&bytes[from..]);
        let surplus = self.tail.len().saturating_sub(KEPT_BYTES);
        self.tail.drain(..surplus);
    }

    /// Returns the error that stands in for this line; `None` where its id is not found.
    fn error(&self) -> Option<String> {
        let head = String::from_utf8_lossy(&self.head);
        let tail = String::from_utf8_lossy(&self.tail);
        // A notification or a question of the server is no answer, whatever ids stand in it.
        let place = |word: &str| head.find(word).unwrap_or(usize::MAX);
        let answer = place("\"result\"").min(place("\"error\""));
        if place("\"method\"") < answer {
            return None;
        }
        // Some write the id before the result, some behind it.
        let before = head.split("\"result\"").next().and_then(id_in);
        let id = before.or_else(|| id_in(&tail))?;
        Some(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":{TOO_LONG},\"message\":\"too long\"}}}}\n"
        ))
    }
}

/// Returns the last id in a part of a message: a number, for that is what we number our requests
/// with.
fn id_in(text: &str) -> Option<u64> {
    let (_, after) = text.rsplit_once("\"id\"")?;
    let after = after.trim_start().strip_prefix(':')?.trim_start();
    let digits = after.find(|letter: char| !letter.is_ascii_digit());
    after[..digits.unwrap_or(after.len())].parse().ok()
}

impl<R: AsyncRead + Unpin> AsyncRead for LongLines<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let begun = buf.filled().len();
        if this.ahead.is_empty() && !this.behind.is_empty() {
            this.ahead = std::mem::take(&mut this.behind);
            this.is_measured = false;
        }
        if this.ahead.is_empty() {
            ready!(Pin::new(&mut this.inner).poll_read(context, buf))?;
        } else {
            this.hand_over(buf);
            if this.is_measured {
                return Poll::Ready(Ok(()));
            }
        }
        this.measure(buf, begun);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::{LongLines, MAX_LINE_BYTES, TOO_LONG};

    /// Returns what comes out for these lines, each in short, read in pieces of this size.
    async fn read(lines: &[String], piece: usize) -> Vec<String> {
        let text = lines.concat();
        let mut reader = LongLines::new(text.as_bytes());
        let mut all = Vec::new();
        let mut buffer = vec![0; piece];
        loop {
            let count = reader.read(&mut buffer).await.unwrap();
            if count == 0 {
                break;
            }
            all.extend_from_slice(&buffer[..count]);
        }
        let all = String::from_utf8(all).unwrap();
        all.lines()
            .map(|line| line.chars().take(90).collect())
            .collect()
    }

    fn long(before: &str, behind: &str) -> String {
        format!("{before}\"{}\"{behind}\n", "x".repeat(MAX_LINE_BYTES))
    }

    #[tokio::test]
    async fn review_r9_an_error_follows_a_line_that_is_too_long() {
        let error = |id: u32| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":{TOO_LONG},\"message\":\"too long\"}}}}"
            )
        };
        for piece in [97, 8_192, 1 << 20] {
            let lines = [
                "{\"id\":1}\n".to_owned(),
                long("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":", "}"),
                "{\"id\":2}\n".to_owned(),
                long(
                    "{\"result\":{\"id\":5,\"text\":",
                    "},\"jsonrpc\":\"2.0\",\"id\": 8}",
                ),
                "{\"id\":3}\n{\"id\":4}\n".to_owned(),
            ];
            let came = read(&lines, piece).await;
            let short = ["{\"id\":1}", "{\"id\":2}", "{\"id\":3}", "{\"id\":4}"];
            assert_eq!(came.len(), 8, "{piece}");
            assert_eq!([&came[0], &came[3], &came[6], &came[7]], short);
            assert_eq!([&came[2], &came[5]], [&error(7), &error(8)]);
        }
    }

    #[tokio::test]
    async fn review_r9_a_long_notification_is_no_answer() {
        let lines = [
            long(
                "{\"method\":\"notifications/message\",\"params\":",
                ",\"id\":5}",
            ),
            long(
                "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\",\"params\":",
                "}",
            ),
        ];
        assert_eq!(read(&lines, 65_536).await.len(), 2);
        // The word may stand in an answer, too.
        let answer = [long("{\"result\":{\"method\":", "},\"id\":5}")];
        assert_eq!(read(&answer, 65_536).await.len(), 2);
    }

    #[tokio::test]
    async fn review_r9_the_longest_line_that_is_taken_is_left_as_it_is() {
        let taken = format!("{}\n", "x".repeat(MAX_LINE_BYTES - 1));
        assert_eq!(read(&[taken], 65_536).await.len(), 1);
    }
}
