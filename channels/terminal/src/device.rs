//! The terminal as a device: how large it is, and how it was before we changed its mode.

use std::io::{IsTerminal, Write, stdin, stdout};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

/// Ends the mode in which pasted text is marked, in case the line editor was cut off in it.
const PLAIN_PASTE: &str = "\x1b[?2004l";

/// How large a terminal is taken to be that does not say it.
const USUAL: Size = Size {
    columns: 80,
    rows: 24,
};

/// The size of a terminal in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

impl Size {
    /// Asks the terminal that we write to.
    pub(crate) fn now() -> Self {
        match tcgetwinsize(stdout()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Self {
                columns: size.ws_col.into(),
                rows: size.ws_row.into(),
            },
            Ok(_) | Err(_) => USUAL,
        }
    }
}

/// What is at the other ends of our standard streams.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    /// A person types.
    pub(crate) input: bool,
    /// A terminal shows what we write, and understands where to put it.
    pub(crate) output: bool,
    /// Colours are welcome.
    pub(crate) colours: bool,
}

impl Ends {
    /// Looks at the standard streams. `TERM=dumb` and `NO_COLOR` are obeyed as everywhere.
    pub(crate) fn now() -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let output = stdout().is_terminal() && !is_dumb;
        Self {
            input: stdin().is_terminal(),
            output,
            colours: output && !is_set("NO_COLOR"),
        }
    }
}

/// The mode of the terminal before a line editor changed it.
///
/// The editor waits in its own thread and cannot be asked to end, so its mode is undone from
/// outside.
pub(crate) struct FormerMode(Option<Termios>);

impl FormerMode {
    /// Remembers the current mode.
    pub(crate) fn remember() -> Self {
        Self(tcgetattr(stdin()).ok())
    }

    /// Puts the mode back.
    pub(crate) fn restore(&self) {
        let Some(mode) = &self.0 else {
            return;
        };
        let written = stdout().lock().write_all(PLAIN_PASTE.as_bytes());
        let restored = tcsetattr(stdin(), OptionalActions::Drain, mode);
        if written.is_err() || restored.is_err() {
            tracing::debug!("terminal closed; its mode cannot be restored");
        }
    }
}
