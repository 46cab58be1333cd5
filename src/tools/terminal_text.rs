//! What a program writes for a terminal, as the text that would stand there in the end: without
//! colours and titles, of a line that is redrawn the last state, of overstruck letters the last
//! one.
//!
//! It works on bytes, because the output of a command need not be UTF-8, and each byte from 0x80 on
//! is passed on. Movements between lines are left out: what was written stays in the order in which
//! it came.

use super::spool::{Spool, is_continuation};

/// The longest part of a line that a redraw can still replace, in bytes.
const MAX_LINE_BYTES: usize = 16 * 1024;
/// The longest command to a terminal. One that does not end must not hide everything behind it.
const MAX_COMMAND_BYTES: usize = 4 * 1024;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
const BACKSPACE: u8 = 0x08;
/// CAN and SUB, which end a command before its end.
const CANCELS: [u8; 2] = [0x18, 0x1a];

/// Turns one stream into text.
#[derive(Debug, Default)]
pub(crate) struct TerminalText {
    state: State,
    /// How long the command is so far.
    command: usize,
    /// The line that is being written, as far as it can still be redrawn.
    line: Vec<u8>,
    /// What moved to the left since a letter was last written.
    moved: Moved,
    /// Whether the beginning of the line was given out, so that a redraw begins a line of its own.
    is_begun: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// Behind an escape.
    Escape,
    /// In an escape of more than one letter.
    Intermediate,
    /// In a control sequence (CSI); holds its only number, where it has no more than that.
    Control(Option<u16>),
    /// In a command that is a text (OSC, DCS, APC, PM, SOS).
    Command,
    /// Behind an escape in such a command.
    CommandEscape,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Moved {
    #[default]
    Not,
    /// This many characters to the left.
    Back(usize),
    /// To the beginning of the line.
    ToStart,
}

impl TerminalText {
    /// Takes more of the stream, and returns the text that is certain by now.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(bytes.len());
        for byte in bytes {
            self.state = self.next(*byte, &mut text);
        }
        text
    }

    /// Returns what is held back of the last line: no more comes, or somebody looks at it now.
    pub(crate) fn flush(&mut self) -> Vec<u8> {
        self.is_begun |= !self.line.is_empty();
        std::mem::take(&mut self.line)
    }

    fn next(&mut self, byte: u8, text: &mut Vec<u8>) -> State {
        self.command = match self.state {
            State::Text => 0,
            _ => self.command + 1,
        };
        let is_over = self.command > MAX_COMMAND_BYTES || CANCELS.contains(&byte);
        match (self.state, byte) {
            (State::Text, ESCAPE) => State::Escape,
            (State::Text, _) => {
                self.write(byte, text);
                State::Text
            }
            _ if is_over => State::Text,
            (State::Command, BELL) | (State::CommandEscape, b'\\') => State::Text,
            (State::Command, ESCAPE) => State::CommandEscape,
            (State::Command, b'\n') | (_, b'\n' | b'\r') => {
                self.write(byte, text);
                State::Text
            }
            (State::Command, _) => State::Command,
            (_, ESCAPE) => State::Escape,
            (State::Escape | State::CommandEscape, _) => after_escape(byte),
            (State::Intermediate, 0x20..=0x2f) => State::Intermediate,
            (State::Intermediate, _) => State::Text,
            (State::Control(number), _) => self.control(number, byte),
        }
    }

    /// Takes a letter of a control sequence: `CSI 2 K` empties the line, `CSI G` goes to its
    /// beginning.
    fn control(&mut self, number: Option<u16>, byte: u8) -> State {
        match byte {
            b'0'..=b'9' => {
                let before = number.unwrap_or_default();
                let digit = byte - b'0';
                let number = before.saturating_mul(10).saturating_add(digit.into());
                return State::Control(Some(number));
            }
            // Of several numbers none is looked at.
            0x20..=0x3f => return State::Control(Some(u16::MAX)),
            b'K' if number == Some(2) => {
                self.line.clear();
                self.moved = Moved::Not;
            }
            b'G' if number.unwrap_or(1) <= 1 => self.moved = Moved::ToStart,
            _ => {}
        }
        State::Text
    }

    fn write(&mut self, byte: u8, text: &mut Vec<u8>) {
        match byte {
            b'\n' => {
                text.append(&mut self.line);
                text.push(b'\n');
                self.moved = Moved::Not;
                self.is_begun = false;
            }
            b'\r' => self.moved = Moved::ToStart,
            BACKSPACE => {
                self.moved = match self.moved {
                    Moved::Not => Moved::Back(1),
                    Moved::Back(letters) => Moved::Back(letters.saturating_add(1)),
                    Moved::ToStart => Moved::ToStart,
                }
            }
            0x00..=0x08 | 0x0b..=0x1f | 0x7f => {}
            _ => {
                self.overwrite(text);
                self.line.push(byte);
                if self.line.len() >= MAX_LINE_BYTES {
                    text.append(&mut self.line);
                    self.is_begun = true;
                }
            }
        }
    }

    /// Takes back what the next letter is written over.
    fn overwrite(&mut self, text: &mut Vec<u8>) {
        match std::mem::take(&mut self.moved) {
            Moved::Not => {}
            Moved::Back(letters) => (0..letters).for_each(|_| self.take_back()),
            Moved::ToStart => {
                self.line.clear();
                if std::mem::take(&mut self.is_begun) {
                    text.push(b'\n');
                }
            }
        }
    }

    /// Takes back the last letter of the line, all bytes of it.
    fn take_back(&mut self) {
        while let Some(byte) = self.line.pop() {
            if !is_continuation(byte) {
                return;
            }
        }
    }
}

fn after_escape(byte: u8) -> State {
    match byte {
        b'[' => State::Control(None),
        b']' | b'P' | b'X' | b'^' | b'_' => State::Command,
        0x20..=0x2f => State::Intermediate,
        _ => State::Text,
    }
}

/// Collects one stream as text.
#[derive(Debug)]
pub(crate) struct TextSpool {
    terminal: TerminalText,
    spool: Spool,
}

impl TextSpool {
    /// Collects the text in this spool.
    pub(crate) fn new(spool: Spool) -> Self {
        let terminal = TerminalText::default();
        Self { terminal, spool }
    }

    /// Takes more of the stream.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.spool.push(&self.terminal.take(bytes));
    }

    /// Returns all of the text.
    pub(crate) fn end(mut self) -> Spool {
        self.spool.push(&self.terminal.flush());
        self.spool
    }
}

/// Returns a text as it would stand on a terminal.
pub(crate) fn plain_text(text: &str) -> String {
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | 0x20..=0x7e | 0x80..);
    if text.as_bytes().iter().all(is_plain) {
        return text.to_owned();
    }
    let mut terminal = TerminalText::default();
    let mut plain = terminal.take(text.as_bytes());
    plain.append(&mut terminal.flush());
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MAX_LINE_BYTES, TerminalText, plain_text};

    #[test]
    fn chat_f18_colours_titles_and_redraws_are_left_out() {
        for (written, expected) in [
            ("\x1b[31mred\x1b[0m \x1b]0;title\x07 ok\n", "red  ok\n"),
            ("\x1b[1;38;2;1;2;3mx\x1b[m\x1b[?25l", "x"),
            (
                "\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\\n",
                "link\n",
            ),
            ("\x1bPq#0;2\x1b\\after", "after"),
            ("\x1b(Bplain\x1b=\x1b7", "plain"),
            (" 1%\r 2%\r100%\nend\n", "100%\nend\n"),
            ("long line\rDone\n", "Done\n"),
            ("a\r\nb\r\r\nc", "a\nb\nc"),
            ("50%\r", "50%"),
            ("50%\x1b[2K\x1b[1Gdone\n", "done\n"),
            ("50%\x1b[Gdone\n", "done\n"),
            ("N\x08NA\x08AM\x08ME\x08E _\x08x_\x08y\n", "NAME xy\n"),
            ("é\x08éa 你\x08你\n", "éa 你\n"),
            ("10%\x08\x08\x0820%\n", "20%\n"),
            ("abc\x08 \x08\n", "ab \n"),
            ("a\0b\x07c\x7fd\x0ce", "abcde"),
            ("tab\there\n", "tab\there\n"),
            ("", ""),
        ] {
            assert_eq!(plain_text(written), expected, "{written:?}");
        }
    }

    #[test]
    fn chat_f18_of_four_hundred_redraws_one_is_left() {
        let bar: Vec<String> = (1..=400).map(|it| format!("\rDownloading {it}%")).collect();
        let plain = plain_text(&format!("{}\nfinished\n", bar.concat()));
        assert_eq!(plain, "Downloading 400%\nfinished\n");
    }

    #[test]
    fn a_command_that_does_not_end_hides_its_line_at_most() {
        assert_eq!(plain_text("a\x1b]0;title\nb\n"), "a\nb\n");
        assert_eq!(plain_text("a\x1b[31\nb\n"), "a\nb\n");
        assert_eq!(plain_text("a\x1bPq\x18b"), "ab");
        let long = format!("a\x1b]0;{}", "x".repeat(10_000));
        let plain = plain_text(&long);
        assert!(plain.len() > 5_000, "{} bytes", plain.len());
    }

    #[test]
    fn what_was_seen_already_is_not_redrawn() {
        let mut terminal = TerminalText::default();
        assert_eq!(terminal.take(b"1%\r2%"), b"");
        assert_eq!(terminal.flush(), b"2%");
        assert_eq!(terminal.flush(), b"");
        assert_eq!(terminal.take(b"\r3%\r4%\n"), b"\n4%\n");
        assert_eq!(terminal.take(b"port"), b"");
        assert_eq!(terminal.flush(), b"port");
        assert_eq!(terminal.take(b" 80\n"), b" 80\n");
    }

    #[test]
    fn a_line_without_end_is_not_held_back() {
        let mut terminal = TerminalText::default();
        let mut text = terminal.take(&vec![b'x'; 3 * MAX_LINE_BYTES]);
        assert!(text.len() >= 2 * MAX_LINE_BYTES);
        text.append(&mut terminal.flush());
        assert_eq!(text.len(), 3 * MAX_LINE_BYTES);
    }

    proptest! {
        #[test]
        fn chat_f18_pieces_make_no_difference(
            bytes in proptest::collection::vec(
                prop_oneof![Just(0x1b), Just(b'\r'), Just(b'\n'), Just(0x08), Just(b'['), any::<u8>()],
                0..200,
            ),
            piece in 1_usize..9,
        ) {
            let mut whole = TerminalText::default();
            let mut at_once = whole.take(&bytes);
            at_once.append(&mut whole.flush());
            let mut pieces = TerminalText::default();
            let mut in_pieces: Vec<u8> = bytes.chunks(piece).flat_map(|it| pieces.take(it)).collect();
            in_pieces.append(&mut pieces.flush());
            prop_assert_eq!(&at_once, &in_pieces);
            let is_control = |it: &u8| it.is_ascii_control() && !b"\n\t".contains(it);
            prop_assert!(!at_once.iter().any(is_control));
        }
    }
}
