//! Where lines come from: a line editor in a thread of its own, or a plain stream.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor, ExternalPrinter};
use tokio::sync::mpsc;

use crate::config::HistoryFilter;

/// How many lines wait until they are heard; more wait where they come from.
const WAITING_LINES: usize = 64;

/// The longest line of a stream, in bytes; the rest is the next line.
const LONGEST_LINE: u64 = 8 * 1024 * 1024;

/// How many typed lines are remembered.
const HISTORY_LINES: usize = 1_000;

/// Something that the person did at the keyboard, or that a script does in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line was entered.
    Text(String),
    /// A comment of the script's author: it is shown, but not passed to the agent.
    Remark(String),
    /// The script waits until the person presses Enter, where one sits at the terminal.
    Pause(String),
    /// Ctrl-C was pressed.
    Interrupt,
    /// The person leaves: Ctrl-D, or Ctrl-C twice. A stream that ends just ends.
    Leave,
}

/// A line editor on the terminal, and the way to write above the line that is being edited.
pub(crate) struct Keyboard {
    editor: Editor<(), FileHistory>,
    history_file: Option<PathBuf>,
    history_filter: HistoryFilter,
}

/// Counts the lines that the editor left on the screen.
pub(crate) type Echoes = Arc<AtomicU64>;

impl Keyboard {
    /// Opens the editor; a history that cannot be read is an empty one.
    pub(crate) fn open(
        history_file: Option<PathBuf>,
        history_filter: HistoryFilter,
    ) -> rustyline::Result<Self> {
        let config = Config::builder()
            .max_history_size(HISTORY_LINES)?
            .history_ignore_space(true)
            .build();
        let mut editor = Editor::with_config(config)?;
        if let Some(file) = &history_file
            && file.exists()
            && let Err(error) = editor.load_history(file)
        {
            tracing::warn!(%error, "cannot read the history of the terminal");
        }
        Ok(Self {
            editor,
            history_file,
            history_filter,
        })
    }

    /// Returns where to write while a line is being edited. Each flush writes whole lines.
    pub(crate) fn printer(&mut self) -> rustyline::Result<Box<dyn Write + Send>> {
        let printer = self.editor.create_external_printer()?;
        Ok(Box::new(AboveTheLine {
            printer,
            waiting: Vec::new(),
        }))
    }

    /// Reads until the person leaves.
    pub(crate) fn start(
        mut self,
        prompt: &'static str,
        echoes: Echoes,
    ) -> io::Result<mpsc::Receiver<Line>> {
        let (lines, heard) = mpsc::channel(WAITING_LINES);
        let thread = thread::Builder::new().name("keyboard".to_owned());
        thread.spawn(move || {
            let mut before = None;
            loop {
                let line = self.read(prompt, before.as_ref());
                echoes.fetch_add(1, Ordering::SeqCst);
                let leaves = line == Line::Leave;
                if lines.blocking_send(line.clone()).is_err() || leaves {
                    return;
                }
                before = Some(line);
            }
        })?;
        Ok(heard)
    }

    fn read(&mut self, prompt: &str, before: Option<&Line>) -> Line {
        match self.editor.readline(prompt) {
            Ok(text) => {
                self.remember(&text);
                Line::Text(text)
            }
            Err(ReadlineError::Interrupted) if before != Some(&Line::Interrupt) => Line::Interrupt,
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => Line::Leave,
            Err(error) => {
                tracing::warn!(%error, "cannot read from the terminal");
                Line::Leave
            }
        }
    }

    /// Keeps a line without its secrets, in memory as well: what is recalled by a key is shown.
    fn remember(&mut self, text: &str) {
        let added = self
            .editor
            .add_history_entry(self.history_filter.apply(text));
        let Some(file) = self.history_file.as_ref().filter(|_| added.is_ok()) else {
            return;
        };
        if let Err(error) = self.editor.append_history(file) {
            tracing::warn!(%error, "cannot write the history of the terminal");
            self.history_file = None;
        }
    }
}

/// Collects what is written and hands it to the editor, which keeps the edited line below it.
struct AboveTheLine<P> {
    printer: P,
    waiting: Vec<u8>,
}

impl<P: ExternalPrinter> Write for AboveTheLine<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.waiting).into_owned();
        self.waiting.clear();
        if text.is_empty() {
            return Ok(());
        }
        self.printer.print(text).map_err(io::Error::other)
    }
}

/// Reads a stream line by line until it ends. What is no UTF-8 is replaced.
pub(crate) fn stream(
    mut stream: impl BufRead + Send + 'static,
) -> io::Result<mpsc::Receiver<Line>> {
    let (lines, heard) = mpsc::channel(WAITING_LINES);
    let thread = thread::Builder::new().name("input".to_owned());
    thread.spawn(move || {
        while let Some(line) = next_line(&mut stream) {
            if lines.blocking_send(Line::Text(line)).is_err() {
                return;
            }
        }
    })?;
    Ok(heard)
}

fn next_line(stream: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match stream.take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
        Ok(0) => None,
        Ok(_) => {
            let line = String::from_utf8_lossy(&bytes);
            Some(line.trim_end_matches(['\n', '\r']).to_owned())
        }
        Err(error) => {
            tracing::warn!(%error, "cannot read the input");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, stream};

    #[tokio::test]
    async fn a_stream_is_heard_line_by_line_until_it_ends() {
        let mut lines = stream(&b"one\r\n\n\xffx\nlast"[..]).unwrap();
        for expected in ["one", "", "\u{fffd}x", "last"] {
            assert_eq!(lines.recv().await, Some(Line::Text(expected.to_owned())));
        }
        assert_eq!(lines.recv().await, None);
    }
}
