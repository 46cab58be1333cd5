//! The tour: a chat on this terminal whose lines are written already.
//!
//! Nothing is played back. The lines go through the same door, the same turns and the same cards
//! as everybody's; only the typing is scripted.
//!
//! # Files
//!
//! `demo` is the script of the tour; its lines are typed into the same terminal channel that a
//! person uses, which waits for Enter at its pauses (`Line::Pause`), but not in a pipe.
//!
//! # Invariants
//!
//! - The demo plays nothing back: routing, cards and tools are the real ones.

mod script;

use std::io;

use sayso_terminal::{Echo, LinePace, TerminalChannel, TerminalConfig};
use tokio::sync::mpsc;

/// Returns a terminal at which the script is typed, each line when the one before is answered.
/// At a terminal the next scene waits for Enter.
pub fn terminal(config: TerminalConfig) -> TerminalChannel {
    let script = script::lines(config.language);
    let (typing, lines) = mpsc::channel(script.len().max(1));
    for line in script {
        // The channel holds the whole script.
        let _ = typing.try_send(line);
    }
    let config = TerminalConfig {
        pace: LinePace::AfterAnswer,
        echo: Echo::Ours,
        ..config
    };
    TerminalChannel::over(config, lines, Box::new(io::stdout())).with_pauses()
}
