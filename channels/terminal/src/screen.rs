//! Puts blocks of rows on the output, and changes the newest one where that is possible.
//!
//! On a terminal the rows of the newest block that changed are written over. A stream only grows:
//! the new form of a message is a new block.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::atomic::Ordering;

use sayso_channel::{Language, MessageKey, Part};

use crate::device::Size;
use crate::lines::Echoes;
use crate::messages::{self, HEADING, NAME, REMARK, UPDATED};
use crate::rows::{Paint, Row, Tone, news, rows};
use crate::wrap::wrapped;

/// Rows of the screen that stay free for the line that is being edited.
const EDITED_LINE_ROWS: usize = 3;

/// For how many messages it is known how they read, so that saying the same again shows nothing.
const REMEMBERED: usize = 64;

/// Where rows are put.
pub(crate) enum Surface {
    /// A pipe or a file.
    Stream,
    /// A terminal.
    Terminal {
        /// Asks for its size.
        size: fn() -> Size,
        /// Counts what was typed below our rows.
        echoes: Echoes,
        /// Whether it shows colours.
        paint: Paint,
    },
}

/// The output, and what is at its end.
pub(crate) struct Screen {
    output: Box<dyn Write + Send>,
    surface: Surface,
    language: Language,
    newest: Option<Block>,
    /// The parts as they read, the newest last.
    known: VecDeque<(MessageKey, Part)>,
}

/// The rows at the end of the output.
struct Block {
    message: MessageKey,
    prefix: &'static str,
    rows: Vec<Row>,
    /// What was typed before it was written.
    echoes: u64,
}

impl Screen {
    pub(crate) fn new(output: Box<dyn Write + Send>, surface: Surface, language: Language) -> Self {
        Self {
            output,
            surface,
            language,
            newest: None,
            known: VecDeque::new(),
        }
    }

    /// Shows a new message.
    pub(crate) fn show(&mut self, message: &MessageKey, part: &Part) -> io::Result<()> {
        self.know(message, part);
        self.append(message, NAME, part)
    }

    /// Shows the new form of a message.
    pub(crate) fn change(&mut self, message: &MessageKey, part: &Part) -> io::Result<()> {
        let former = self.former(message);
        if former.as_ref() == Some(part) {
            return Ok(());
        }
        self.know(message, part);
        let Some(newest) = self.newest.take_if(|newest| newest.message == *message) else {
            return self.update(message, former, part);
        };
        let rows = self.fitted(rows(newest.prefix, part, self.language, self.paint()));
        let replaced = match &self.surface {
            Surface::Stream => false,
            Surface::Terminal { size, echoes, .. } => {
                let untouched = echoes.load(Ordering::SeqCst) == newest.echoes;
                let size = size();
                untouched && self.rewrite_rows(&newest.rows, &rows, size)?
            }
        };
        if !replaced {
            return self.update(message, former, part);
        }
        self.newest = Some(Block { rows, ..newest });
        Ok(())
    }

    /// Removes a message from the screen, where it is the newest and was not scrolled away.
    pub(crate) fn remove(&mut self, message: &MessageKey) -> io::Result<()> {
        self.known.retain(|(key, _)| key != message);
        let Some(newest) = self.newest.take_if(|newest| newest.message == *message) else {
            return Ok(());
        };
        if let Surface::Terminal { size, echoes, .. } = &self.surface {
            let size = size();
            if echoes.load(Ordering::SeqCst) == newest.echoes {
                self.rewrite_rows(&newest.rows, &[], size)?;
            }
        }
        Ok(())
    }

    /// Shows a passing remark from Sayso.
    pub(crate) fn remark(&mut self, text: &str) -> io::Result<()> {
        self.pass(
            text.lines().map(|line| format!("{REMARK}{line}")),
            Tone::Dim,
        )
    }

    /// Shows a remark of a script, apart from what is said.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        let lines = text.lines().map(|line| format!("{HEADING}{line}"));
        self.pass(std::iter::once(String::new()).chain(lines), Tone::Name)
    }

    /// Shows a line that was not typed on a keyboard.
    pub(crate) fn typed(&mut self, text: &str) -> io::Result<()> {
        let prompt = messages::prompt(self.language);
        self.pass(std::iter::once(format!("{prompt}{text}")), Tone::Plain)
    }

    /// Writes lines that belong to no message.
    fn pass(&mut self, lines: impl Iterator<Item = String>, tone: Tone) -> io::Result<()> {
        let paint = self.paint();
        let rows: Vec<Row> = lines.map(|line| Row::whole(line, tone, paint)).collect();
        self.newest = None;
        self.write_rows(&self.fitted(rows))
    }

    /// Shows the new form of a message below what came after it. A card that is closed stands
    /// above: only what it did not say before is shown.
    fn update(
        &mut self,
        message: &MessageKey,
        former: Option<Part>,
        part: &Part,
    ) -> io::Result<()> {
        let closed = former.filter(|former| !former.buttons.is_empty() && part.buttons.is_empty());
        match closed {
            None => self.append(message, UPDATED, part),
            Some(former) => {
                let rows = self.fitted(news(UPDATED, &former, part, self.paint()));
                self.write_rows(&rows)
            }
        }
    }

    fn append(
        &mut self,
        message: &MessageKey,
        prefix: &'static str,
        part: &Part,
    ) -> io::Result<()> {
        let rows = self.fitted(rows(prefix, part, self.language, self.paint()));
        let echoes = match &self.surface {
            Surface::Stream => 0,
            Surface::Terminal { echoes, .. } => echoes.load(Ordering::SeqCst),
        };
        self.write_rows(&rows)?;
        self.newest = Some(Block {
            message: message.clone(),
            prefix,
            rows,
            echoes,
        });
        Ok(())
    }

    /// Breaks rows between words where a terminal would break them anywhere.
    fn fitted(&self, rows: Vec<Row>) -> Vec<Row> {
        match &self.surface {
            Surface::Stream => rows,
            Surface::Terminal { size, .. } => {
                let columns = size().columns;
                rows.into_iter()
                    .flat_map(|row| wrapped(row, columns))
                    .collect()
            }
        }
    }

    fn write_rows(&mut self, rows: &[Row]) -> io::Result<()> {
        for row in rows {
            writeln!(self.output, "{}", row.painted)?;
        }
        self.output.flush()
    }

    /// Writes over the rows that changed; tells whether they were all still on the screen.
    fn rewrite_rows(&mut self, old: &[Row], new: &[Row], size: Size) -> io::Result<bool> {
        let same = old.iter().zip(new).take_while(|(old, new)| old == new);
        let same = same.count();
        let changed = old.get(same..).unwrap_or_default();
        let height: usize = changed.iter().map(|row| row.height(size.columns)).sum();
        if height + EDITED_LINE_ROWS > size.rows {
            return Ok(false);
        }
        let mut text = String::new();
        if height > 0 {
            text = format!("\x1b[{height}A\r\x1b[J");
        }
        for row in new.get(same..).unwrap_or_default() {
            text.push_str(&row.painted);
            text.push('\n');
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()?;
        Ok(true)
    }

    /// Returns how a message reads so far, unless that was long ago.
    fn former(&self, message: &MessageKey) -> Option<Part> {
        let mut known = self.known.iter();
        let (_, part) = known.find(|(key, _)| key == message)?;
        Some(part.clone())
    }

    fn know(&mut self, message: &MessageKey, part: &Part) {
        self.known.retain(|(key, _)| key != message);
        if self.known.len() == REMEMBERED {
            self.known.pop_front();
        }
        self.known.push_back((message.clone(), part.clone()));
    }

    fn paint(&self) -> Paint {
        match &self.surface {
            Surface::Stream => Paint::None,
            Surface::Terminal { paint, .. } => *paint,
        }
    }
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
