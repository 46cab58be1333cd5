//! Building the channels, and one supervised task for each.

use std::sync::Arc;

use futures_util::future::FusedFuture as _;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use sayso_channel::{Channel, ChannelError, ChannelName, Health, Inbox, Language};
use sayso_terminal::{TerminalChannel, TerminalConfig};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Mode;
use super::parts::TERMINAL;
use crate::config::Config;
use crate::delivery::Channels;
use crate::{demo, intake};

/// The channels of this run.
pub struct Opened {
    channels: Vec<(Arc<dyn Channel>, Health)>,
    /// The terminal, which wants to know when a turn works, and can end the run.
    terminal: Option<Arc<TerminalChannel>>,
    /// What makes the first owner, as long as there is none.
    owner_code: Option<String>,
    /// The bot accounts whose chats anybody can write to.
    #[cfg(feature = "telegram")]
    telegram: Option<sayso_telegram::TelegramConfig>,
}

/// Builds the channels of this run. Nothing is sent yet.
pub fn open(config: &Config, mode: Mode) -> anyhow::Result<Opened> {
    let mut opened = Opened {
        channels: Vec::new(),
        terminal: None,
        owner_code: None,
        #[cfg(feature = "telegram")]
        telegram: None,
    };
    if mode == Mode::Channels {
        opened.open_platforms(config)?;
    }
    if mode != Mode::Channels || config.channels.terminal.is_some() {
        opened.open_terminal(config, mode)?;
    }
    Ok(opened)
}

impl Opened {
    #[cfg(feature = "telegram")]
    fn open_platforms(&mut self, config: &Config) -> anyhow::Result<()> {
        if let Some(account) = &config.channels.telegram {
            let channel = account.to_channel();
            self.telegram = Some(channel.clone());
            self.channels.push((
                Arc::new(sayso_telegram::Telegram::new(channel)?),
                Health::new(),
            ));
        }
        Ok(())
    }

    #[cfg(not(feature = "telegram"))]
    #[expect(clippy::unused_self, reason = "a build with a platform opens it here")]
    fn open_platforms(&mut self, config: &Config) -> anyhow::Result<()> {
        anyhow::ensure!(
            config.channels.telegram.is_none(),
            "this build has no Telegram channel"
        );
        Ok(())
    }

    fn open_terminal(&mut self, config: &Config, mode: Mode) -> anyhow::Result<()> {
        let person = match config.language.unwrap_or_default() {
            Language::English => "you",
            Language::Chinese => "你",
        };
        let terminal = TerminalConfig {
            language: config.language.unwrap_or_default(),
            history_file: (mode != Mode::Demo).then(|| config.data_dir.join("terminal-history")),
            ..TerminalConfig::new(TERMINAL, person)
        };
        let terminal = match mode {
            Mode::Demo => demo::terminal(terminal),
            Mode::Chat | Mode::Channels => TerminalChannel::open(terminal)?,
        };
        let terminal = Arc::new(terminal);
        self.terminal = Some(Arc::clone(&terminal));
        self.channels.push((terminal, Health::new()));
        Ok(())
    }

    /// Returns the channels by name.
    pub fn by_name(&self) -> Channels {
        let named = |(channel, _): &(Arc<dyn Channel>, Health)| {
            (channel.profile().name.clone(), Arc::clone(channel))
        };
        self.channels.iter().map(named).collect()
    }

    /// Returns how each channel is, by name.
    pub fn health(&self) -> Vec<(String, Health)> {
        let named = |(channel, health): &(Arc<dyn Channel>, Health)| {
            (channel.profile().name.to_string(), health.clone())
        };
        self.channels.iter().map(named).collect()
    }

    /// Returns whether people can write to us whom nobody let in.
    pub fn has_strangers(&self) -> bool {
        let terminal = ChannelName::from(TERMINAL);
        self.channels
            .iter()
            .any(|(channel, _)| channel.profile().name != terminal)
    }

    /// Tells the operator the code that makes its first user the owner; its link follows once
    /// Telegram has said who we are.
    pub fn say_owner_code(&mut self, code: Option<String>) {
        if let Some(code) = &code {
            tracing::warn!("nobody owns this Sayso yet: send it `/start {code}` within an hour");
        }
        self.owner_code = code;
    }

    #[cfg(feature = "telegram")]
    async fn say_owner_link(&self) {
        let (Some(account), Some(code)) = (&self.telegram, &self.owner_code) else {
            return;
        };
        let Ok(us) = sayso_telegram::check(account).await else {
            // Why Telegram does not answer is said by its channel.
            return;
        };
        if let Some(link) = us.deep_link(code) {
            tracing::warn!("or open this link within the hour: {link}");
        }
    }

    #[cfg(not(feature = "telegram"))]
    #[expect(
        clippy::unused_async,
        reason = "there is no platform to ask in this build"
    )]
    async fn say_owner_link(&self) {}

    /// Listens on every channel until `shutdown`, until all have ended, or until the person at
    /// the terminal has left.
    pub async fn listen_all(
        self,
        inbox: &Inbox,
        activity: watch::Receiver<bool>,
        shutdown: &CancellationToken,
    ) {
        let end = shutdown.child_token();
        let mut listening = FuturesUnordered::new();
        for (channel, health) in &self.channels {
            let inbox = inbox.for_channel(health.clone());
            listening.push(listen(
                Arc::clone(channel),
                health.clone(),
                inbox,
                end.clone(),
            ));
        }
        let mut watching = std::pin::pin!(watch_terminal(self.terminal.clone(), activity));
        let mut linking = std::pin::pin!(self.say_owner_link().fuse());
        loop {
            tokio::select! {
                left = listening.next() => match left {
                    Some(()) => {}
                    None => break,
                },
                () = &mut linking, if !linking.is_terminated() => {}
                // Once is enough: the channels then end by themselves.
                () = &mut watching, if !end.is_cancelled() => end.cancel(),
            }
        }
    }
}

/// Follows one channel to its end. What ends it is said; the others go on.
async fn listen(
    channel: Arc<dyn Channel>,
    health: Health,
    inbox: Inbox,
    shutdown: CancellationToken,
) {
    let name = channel.profile().name.clone();
    let menu = intake::menu();
    let announce = async {
        if let Err(error) = channel.announce(&menu).await {
            tracing::warn!(channel = %name, %error, "the menu of commands was not updated");
        }
    };
    let (heard, ()) = tokio::join!(channel.listen(inbox, shutdown), announce);
    match heard {
        Ok(()) => tracing::debug!(channel = %name, "a channel has ended"),
        Err(error) => {
            health.stopped(error.to_string());
            let hint = match error {
                ChannelError::Unauthorized(_) => {
                    "put a valid token into the configuration and restart"
                }
                _ => "the other channels go on",
            };
            tracing::error!(channel = %name, %error, hint, "a channel cannot go on");
        }
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
