//! What the operator reads at the terminal while Sayso starts and when a channel cannot go on:
//! plain lines, apart from the log.
//!
//! The same is logged under [`TARGET`], which standard error leaves out where the lines stand.

use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::time::Duration;

use sayso_channel::{
    BotAccount, ChannelError, ChannelName, Health, HealthState, HealthStatus, Language,
};

use super::Mode;
use super::messages::{self, Others};
use crate::config::{Config, LogFormat};

/// How long a conflict over a token lasts until it is said again.
const SAY_AGAIN_AFTER: Duration = Duration::from_mins(10);

/// Where the operator reads of the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Console {
    /// Plain lines on standard output and standard error, and the log.
    Plain(Language),
    /// The log alone: a program collects it, or a conversation has the terminal.
    Log,
}

impl Console {
    /// Returns where the operator of this configuration reads of the start.
    pub fn of(config: &Config, mode: Mode, language: Language) -> Self {
        let is_plain = mode == Mode::Channels
            && config.channels.terminal.is_none()
            && config.log_format == LogFormat::Text;
        if is_plain {
            Self::Plain(language)
        } else {
            Self::Log
        }
    }

    /// Says once that a channel is there, with what makes its first owner, and each time that
    /// another program listens with its token. It does not end.
    pub(super) async fn follow(self, name: &ChannelName, health: &Health, code: Option<&str>) {
        let online = async {
            let is_there = |state: &HealthState| {
                state.status == HealthStatus::Connected && state.account.is_some()
            };
            if let Some(account) = health.until(is_there).await.account {
                self.say_online(name, &account, code);
            }
        };
        let contested = async {
            loop {
                health.until(|state| state.contested).await;
                self.say_contested(name);
                tokio::time::sleep(SAY_AGAIN_AFTER).await;
            }
        };
        tokio::join!(online, contested);
    }

    fn say_online(self, name: &ChannelName, account: &BotAccount, code: Option<&str>) {
        tracing::info!(target: "sayso::console", channel = %name, account = account.name, "channel connected");
        let Self::Plain(language) = self else {
            return;
        };
        let at_terminal = io::stdout().is_terminal();
        let said = messages::online(name.platform(), account, at_terminal, language);
        print(&mut io::stdout(), &said);
        if let Some(code) = code {
            print(
                &mut io::stdout(),
                &messages::unowned(account, code, language),
            );
        }
    }

    fn say_contested(self, name: &ChannelName) {
        tracing::warn!(target: "sayso::console", channel = %name, "another program listens with this token");
        if let Self::Plain(language) = self {
            print(&mut io::stderr(), &messages::contested(name, language));
        }
    }

    /// Says that a channel cannot go on, and whether others do.
    pub(super) fn say_failed(self, name: &ChannelName, error: &ChannelError, others: Others) {
        if let Self::Plain(language) = self {
            let said = messages::channel_failed(name, error, others, language);
            print(&mut io::stderr(), &said);
        }
    }
}

/// Prints a line. Where no one reads, nothing is to be done about it.
fn print(output: &mut impl io::Write, line: &impl Display) {
    let _ = writeln!(output, "{line}");
    let _ = output.flush();
}
