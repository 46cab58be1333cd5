//! How far a command is that takes longer than a second: a bar at a terminal, plain lines in a
//! pipe. Both go to the standard error, so that the output stays the answer alone.
//!
//! A bar has no colours, so `NO_COLOR` changes nothing, and is as wide as its terminal.

use std::io::{self, IsTerminal as _, Read, Write};
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::time::timeout;

/// What takes less is done without a word.
const SILENT_FOR: Duration = Duration::from_secs(1);
/// The time between two lines in a pipe.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The time between two pictures of a bar of which the end is not known.
const TICK_EVERY: Duration = Duration::from_millis(120);
/// A bar with the bytes that are done, of all, and the time that is left.
const BAR: &str = "{msg} [{wide_bar}] {bytes}/{total_bytes} {eta}";
/// Work of which the end is not known.
const SPINNER: &str = "{spinner} {msg}";

/// How far one piece of work is, in bytes.
pub(super) struct Progress {
    label: String,
    began: Instant,
    bar: ProgressBar,
    /// Where plain lines go, and when the last one went; `None` at a terminal.
    lines: Option<Mutex<Lines>>,
}

/// Plain lines of one piece of work.
struct Lines {
    output: Box<dyn Write + Send>,
    last: Option<Instant>,
}

impl Progress {
    /// Begins work of about this many bytes, called so in the language of the person.
    pub(super) fn of(label: String, bytes: u64) -> Self {
        let lines: Option<Box<dyn Write + Send>> = if io::stderr().is_terminal() {
            None
        } else {
            Some(Box::new(io::stderr()))
        };
        Self::into(label, bytes, lines)
    }

    fn into(label: String, bytes: u64, lines: Option<Box<dyn Write + Send>>) -> Self {
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(BAR);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(label.clone());
        Self {
            label,
            began: Instant::now(),
            bar,
            lines: lines.map(|output| Mutex::new(Lines { output, last: None })),
        }
    }

    /// Counts bytes that are done.
    fn add(&self, bytes: usize) {
        self.bar.inc(bytes as u64);
        if self.began.elapsed() >= SILENT_FOR {
            self.show();
        }
    }

    /// Shows how far it is.
    fn show(&self) {
        let Some(lines) = &self.lines else {
            if self.bar.is_hidden() {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            return;
        };
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.last.is_some_and(|last| last.elapsed() < LINE_EVERY) {
            return;
        }
        lines.last = Some(Instant::now());
        let all = self.bar.length().unwrap_or_default();
        let (done, all) = (HumanBytes(self.bar.position()), HumanBytes(all));
        // A reader that is gone misses nothing.
        let _ = writeln!(lines.output, "{}: {done}/{all}", self.label);
    }

    /// Counts what goes through a reader or a writer.
    pub(super) fn counts<T>(&self, inner: T) -> Counted<'_, T> {
        Counted {
            inner,
            progress: self,
        }
    }
}

impl Drop for Progress {
    /// What is over is not shown any more.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A reader or a writer of which the bytes are counted.
pub(super) struct Counted<'p, T> {
    inner: T,
    progress: &'p Progress,
}

impl<T: Read> Read for Counted<'_, T> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.inner.read(into)?;
        self.progress.add(bytes);
        Ok(bytes)
    }
}

impl<T: Write> Write for Counted<'_, T> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let bytes = self.inner.write(from)?;
        self.progress.add(bytes);
        Ok(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Waits for work of which the end is not known, and shows from the first second on that it goes on.
pub(super) async fn during<T>(label: String, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if let Ok(done) = timeout(SILENT_FOR, &mut work).await {
        return done;
    }
    if !io::stderr().is_terminal() {
        // A reader that is gone misses nothing.
        let _ = writeln!(io::stderr(), "{label}");
        return work.await;
    }
    let bar = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template(SPINNER);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(label);
    bar.enable_steady_tick(TICK_EVERY);
    let done = work.await;
    bar.finish_and_clear();
    done
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read as _, Write};
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use indicatif::ProgressStyle;

    use super::{BAR, LINE_EVERY, Progress, SILENT_FOR, SPINNER};

    /// A pipe that keeps what is written.
    #[derive(Clone, Default)]
    struct Pipe(Arc<Mutex<Vec<u8>>>);

    impl Pipe {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Pipe {
        fn write(&mut self, from: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(from)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn before(pause: Duration) -> Instant {
        Instant::now().checked_sub(pause).unwrap()
    }

    #[test]
    fn a_pipe_gets_plain_lines_after_a_second_and_then_seldom() {
        let pipe = Pipe::default();
        let lines: Box<dyn Write + Send> = Box::new(pipe.clone());
        let mut progress = Progress::into("Backup".to_owned(), 4096, Some(lines));
        let reads = |progress: &Progress| {
            let mut counted = progress.counts(io::repeat(1));
            counted.read_exact(&mut [0; 1024]).unwrap();
        };
        reads(&progress);
        assert_eq!(pipe.text(), "", "the first second is silent");
        progress.began = before(SILENT_FOR);
        reads(&progress);
        reads(&progress);
        assert_eq!(pipe.text(), "Backup: 2.00 KiB/4.00 KiB\n");
        let lines = progress.lines.as_ref().unwrap();
        lines.lock().unwrap().last = Some(before(LINE_EVERY));
        progress.counts(io::sink()).write_all(&[0; 1024]).unwrap();
        drop(progress);
        assert_eq!(
            pipe.text(),
            "Backup: 2.00 KiB/4.00 KiB\nBackup: 4.00 KiB/4.00 KiB\n"
        );
    }

    #[test]
    fn the_bars_can_be_drawn_and_have_no_colours() {
        for template in [BAR, SPINNER] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
            for colour in ["cyan", "blue", "green", "red", "bold"] {
                assert!(!template.contains(colour), "{template}");
            }
        }
    }
}
