//! Building the channels, and one supervised task for each.

use std::sync::Arc;

use sayso_channel::{Channel, ChannelError, ChannelName, Health, Inbox, Language};
use sayso_store::Store;
use sayso_terminal::{HistoryFilter, TerminalChannel, TerminalConfig};
use secrecy::SecretString;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::console::Console;
use super::lease::Lease;
use super::messages::Others;
use super::parts::TERMINAL;
use super::supervise::Supervised;
use super::{Mode, RunEnd};
use crate::config::{ChannelConfigs, Config};
use crate::delivery::Channels;
use crate::demo;

/// The channels of this run.
pub struct Opened {
    channels: Vec<Supervised>,
    /// The terminal, which wants to know when a turn works, and can end the run.
    terminal: Option<Arc<TerminalChannel>>,
    /// What makes the first owner, as long as there is none.
    owner_code: Option<String>,
    /// Where the operator reads of the start.
    console: Console,
}

/// What leases are made of: where they are kept, and who holds them.
#[derive(Clone, Copy)]
pub struct Leases<'a> {
    /// The database.
    pub store: &'a Store,
    /// This process.
    pub worker: &'a str,
}

/// Builds the channels of this run. Nothing is sent yet.
pub fn open(
    config: &Config,
    mode: Mode,
    console: Console,
    leases: Leases<'_>,
) -> anyhow::Result<Opened> {
    let mut opened = Opened {
        channels: Vec::new(),
        terminal: None,
        owner_code: None,
        console,
    };
    if mode == Mode::Channels {
        opened.open_telegram(&config.channels, leases)?;
        opened.open_discord(&config.channels, leases)?;
    }
    if mode != Mode::Channels || config.channels.terminal.is_some() {
        opened.open_terminal(config, mode)?;
    }
    Ok(opened)
}

impl Opened {
    #[cfg(feature = "telegram")]
    fn open_telegram(
        &mut self,
        channels: &ChannelConfigs,
        leases: Leases<'_>,
    ) -> anyhow::Result<()> {
        for account in &channels.telegram {
            let mut channel = account.to_channel();
            channel.introduction = Some(introduction());
            let channel = sayso_telegram::Telegram::new(channel)?;
            self.add_account(Arc::new(channel), &account.token, leases);
        }
        Ok(())
    }

    #[cfg(not(feature = "telegram"))]
    #[expect(clippy::unused_self, reason = "a build with Telegram opens it here")]
    fn open_telegram(
        &mut self,
        channels: &ChannelConfigs,
        _leases: Leases<'_>,
    ) -> anyhow::Result<()> {
        anyhow::ensure!(channels.telegram.is_empty(), "this build has no Telegram");
        Ok(())
    }

    #[cfg(feature = "discord")]
    fn open_discord(
        &mut self,
        channels: &ChannelConfigs,
        leases: Leases<'_>,
    ) -> anyhow::Result<()> {
        for account in &channels.discord {
            let channel = sayso_discord::Discord::new(account.to_channel())?;
            self.add_account(Arc::new(channel), &account.token, leases);
        }
        Ok(())
    }

    #[cfg(not(feature = "discord"))]
    #[expect(clippy::unused_self, reason = "a build with Discord opens it here")]
    fn open_discord(
        &mut self,
        channels: &ChannelConfigs,
        _leases: Leases<'_>,
    ) -> anyhow::Result<()> {
        anyhow::ensure!(channels.discord.is_empty(), "this build has no Discord");
        Ok(())
    }

    #[cfg_attr(
        not(any(feature = "telegram", feature = "discord")),
        expect(dead_code, reason = "this build has no platform")
    )]
    fn add_account(&mut self, channel: Arc<dyn Channel>, token: &SecretString, leases: Leases<'_>) {
        let owner = format!("{} {}", leases.worker, channel.profile().name);
        self.channels.push(Supervised {
            channel,
            health: Health::new(),
            lease: Some(Lease::new(leases.store.clone(), token, owner)),
        });
    }

    fn open_terminal(&mut self, config: &Config, mode: Mode) -> anyhow::Result<()> {
        let person = match config.language.unwrap_or_default() {
            Language::English => "you",
            Language::Chinese => "你",
        };
        let redactor = config.redactor()?;
        let opened_with = TerminalConfig {
            language: config.language.unwrap_or_default(),
            history_filter: HistoryFilter::new(move |line| redactor.redact(line).into_owned()),
            history_file: (mode != Mode::Demo).then(|| config.data_dir.join("terminal-history")),
            ..TerminalConfig::new(TERMINAL, person)
        };
        let terminal = match mode {
            Mode::Demo => demo::terminal(opened_with),
            Mode::Chat | Mode::Channels => TerminalChannel::open(opened_with)?,
        };
        let terminal = Arc::new(terminal);
        self.terminal = Some(Arc::clone(&terminal));
        self.channels.push(Supervised {
            channel: terminal,
            health: Health::new(),
            lease: None,
        });
        Ok(())
    }

    /// Returns the channels by name.
    pub fn by_name(&self) -> Channels {
        let named = |one: &Supervised| {
            let name = one.channel.profile().name.clone();
            (name, Arc::clone(&one.channel))
        };
        self.channels.iter().map(named).collect()
    }

    /// Returns how each channel is, by name.
    pub fn health(&self) -> Vec<(String, Health)> {
        let named = |one: &Supervised| {
            let name = one.channel.profile().name.to_string();
            (name, one.health.clone())
        };
        self.channels.iter().map(named).collect()
    }

    /// Returns whether people who were not admitted can write to the bot.
    pub fn has_strangers(&self) -> bool {
        let terminal = ChannelName::from(TERMINAL);
        self.channels
            .iter()
            .any(|one| one.channel.profile().name != terminal)
    }

    /// Notes the code that makes its first user the owner.
    pub fn with_owner_code(&mut self, code: Option<String>) {
        if let Some(code) = &code {
            tracing::warn!(target: "sayso::console", "this Sayso has no owner yet: send it `/start {code}` within an hour");
        }
        self.owner_code = code;
    }

    /// Listens on every channel until `shutdown`, until all have ended for good, or until the
    /// person at the terminal has left.
    pub async fn listen_all(
        mut self,
        inbox: &Inbox,
        activity: watch::Receiver<bool>,
        shutdown: &CancellationToken,
    ) -> RunEnd {
        let end = shutdown.child_token();
        let (console, mut failed) = (self.console, false);
        let mut listening = JoinSet::new();
        for one in std::mem::take(&mut self.channels) {
            let inbox = inbox.for_channel(one.health.clone());
            let code = self.owner_code.clone();
            listening.spawn(listen(one, inbox, end.clone(), console, code));
        }
        let mut watching = std::pin::pin!(watch_terminal(self.terminal.clone(), activity));
        loop {
            tokio::select! {
                left = listening.join_next() => match left {
                    Some(Ok(None)) => {}
                    Some(Ok(Some(ended))) => {
                        let alone = listening.is_empty();
                        let others = if alone { Others::None } else { Others::GoOn };
                        console.say_failed(&ended.channel, &ended.error, others);
                        failed = true;
                    }
                    Some(Err(error)) => tracing::error!(%error, "channel task panicked"),
                    None => break,
                },
                // Once is enough: the channels then end by themselves.
                () = &mut watching, if !end.is_cancelled() => end.cancel(),
            }
        }
        if failed && !end.is_cancelled() {
            RunEnd::NoChannelLeft
        } else {
            RunEnd::Asked
        }
    }
}

/// A channel that cannot go on, and why.
struct Failed {
    channel: ChannelName,
    error: ChannelError,
}

/// Listens on one channel, and says what the operator should know of it.
async fn listen(
    one: Supervised,
    inbox: Inbox,
    shutdown: CancellationToken,
    console: Console,
    code: Option<String>,
) -> Option<Failed> {
    let error = tokio::select! {
        error = one.run(inbox, shutdown) => error,
        () = console.follow(one.name(), &one.health, code.as_deref()) => None,
    };
    let channel = one.name().clone();
    error.map(|error| Failed { channel, error })
}

/// Returns what a bot says of itself before a chat with it begins.
#[cfg(feature = "telegram")]
fn introduction() -> sayso_telegram::Introduction {
    let bilingual =
        |[english, chinese]: [&'static str; 2]| sayso_telegram::Bilingual { english, chinese };
    sayso_telegram::Introduction {
        description: bilingual(super::messages::DESCRIPTION),
        short: bilingual(super::messages::SHORT_DESCRIPTION),
    }
}

/// Tells the terminal when turns work, and returns when the person there has left.
async fn watch_terminal(
    terminal: Option<Arc<TerminalChannel>>,
    mut activity: watch::Receiver<bool>,
) {
    let Some(terminal) = terminal else {
        return std::future::pending().await;
    };
    let ended = terminal.input_ended();
    loop {
        let works = *activity.borrow_and_update();
        terminal.turn_works(works);
        tokio::select! {
            () = ended.cancelled() => return,
            changed = activity.changed() => if changed.is_err() {
                return std::future::pending().await;
            },
        }
    }
}
