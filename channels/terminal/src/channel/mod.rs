//! The channel: lines become events, parts become rows.

mod listen;

use std::io::{self, BufReader, Write, stdin, stdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use sayso_channel::{
    Address, AttachmentRef, Channel, ChannelError, Command, Inbox, Limits, LongText, MessageKey,
    Outbound, Pace, Part, Profile, Repeats, SendKey, SentMessage, Speaker, TextUnit,
};
use tokio::fs::File;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::cards::Cards;
use crate::config::{LinePace, TerminalConfig};
use crate::device::{Ends, FormerMode, Size};
use crate::lines::{self, Echoes, Keyboard, Line};
use crate::messages;
use crate::render::{self, TEXT_LIMIT};
use crate::rows::Paint;
use crate::screen::{Screen, Surface};
use listen::Input;

/// The only chat, and the key of the only person in it.
const LOCAL: &str = "local";

/// The terminal as a channel. See the crate.
pub struct TerminalChannel {
    config: TerminalConfig,
    profile: Profile,
    /// Only one `listen` at a time reads; what it could not deliver is kept for the next.
    input: tokio::sync::Mutex<Input>,
    /// Shared by `listen` and the senders.
    screen: Mutex<Screen>,
    /// Shared by `listen`, which handles presses, and the senders.
    cards: Mutex<Cards>,
    activity: watch::Sender<Activity>,
    input_ended: CancellationToken,
    started_ms: i64,
    ids: AtomicU64,
    former_mode: Option<FormerMode>,
}

/// What goes on, as far as the terminal can see.
#[derive(Debug, Clone, Copy, Default)]
struct Activity {
    /// How often something was sent or edited.
    said: u64,
    /// Whether a turn works, where somebody tells us.
    works: Option<bool>,
    /// Whether something was asked since the last Ctrl-C.
    asked: bool,
}

impl TerminalChannel {
    /// Opens the terminal that the process was started in, or the pipes in its place.
    ///
    /// When the input is a pipe, each line waits for the answer to the one before it.
    pub fn open(config: TerminalConfig) -> io::Result<Self> {
        let ends = Ends::now();
        let echoes = Echoes::default();
        let surface = terminal_surface(ends, &echoes);
        if ends.input && ends.output {
            let former_mode = FormerMode::remember();
            let (file, filter) = (config.history_file.clone(), config.history_filter.clone());
            let mut keyboard = Keyboard::open(file, filter).map_err(io::Error::other)?;
            let output = keyboard.printer().map_err(io::Error::other)?;
            let lines = keyboard.start(messages::prompt(config.language), echoes)?;
            let mut channel = Self::assemble(config, lines, output, surface);
            channel.former_mode = Some(former_mode);
            return Ok(channel);
        }
        let pace = if ends.input {
            LinePace::AtOnce
        } else {
            LinePace::AfterAnswer
        };
        let lines = lines::stream(BufReader::new(stdin()))?;
        let config = TerminalConfig { pace, ..config };
        Ok(Self::assemble(config, lines, Box::new(stdout()), surface))
    }

    /// Returns a channel over any lines and any output, which is written to as a stream is.
    ///
    /// When the sender of the lines is dropped, the input has ended.
    pub fn over(
        config: TerminalConfig,
        lines: mpsc::Receiver<Line>,
        output: Box<dyn Write + Send>,
    ) -> Self {
        Self::assemble(config, lines, output, Surface::Stream)
    }

    /// Has a script wait at each [`Line::Pause`] until the person at the terminal presses Enter. In a
    /// pipe it does not wait.
    pub fn with_pauses(mut self) -> Self {
        let ends = Ends::now();
        if ends.input && ends.output {
            // A script that cannot wait goes on.
            self.input.get_mut().pauses = lines::stream(BufReader::new(stdin())).ok();
        }
        self
    }

    fn assemble(
        config: TerminalConfig,
        lines: mpsc::Receiver<Line>,
        output: Box<dyn Write + Send>,
        surface: Surface,
    ) -> Self {
        Self {
            profile: profile(&config, &surface),
            input: tokio::sync::Mutex::new(Input {
                lines,
                held: None,
                pauses: None,
            }),
            screen: Mutex::new(Screen::new(output, surface, config.language)),
            cards: Mutex::default(),
            activity: watch::Sender::default(),
            input_ended: CancellationToken::new(),
            started_ms: now_ms(),
            ids: AtomicU64::new(0),
            former_mode: None,
            config,
        }
    }

    /// Is cancelled when the input has ended and its last line was answered, as far as can be seen,
    /// and when the output is gone.
    ///
    /// `listen` goes on until its shutdown, which is for the application to order when all is done.
    pub fn input_ended(&self) -> CancellationToken {
        self.input_ended.clone()
    }

    /// Tells whether a turn works. While one does, Ctrl-C stops it, and a script's next line waits.
    ///
    /// Without being told, Ctrl-C stops once after each line, and silence counts as the end.
    pub fn turn_works(&self, works: bool) {
        self.activity
            .send_modify(|activity| activity.works = Some(works));
    }

    /// Returns the only address of this channel.
    pub fn address(&self) -> Address {
        Address::chat(self.config.name.clone(), LOCAL)
    }

    fn check_address(&self, address: &Address) -> Result<(), ChannelError> {
        if *address == self.address() {
            return Ok(());
        }
        let why = format!("the terminal has one chat only, {}", self.address());
        Err(ChannelError::Rejected(why))
    }

    fn note_activity(&self) {
        self.activity.send_modify(|activity| activity.said += 1);
    }

    /// Shows something that may get lost: when the output is gone, sending says so.
    fn print(&self, print: impl FnOnce(&mut Screen) -> io::Result<()>) {
        if let Err(error) = print(&mut self.screen()) {
            tracing::debug!(%error, "terminal output closed");
        }
    }

    /// The output is closed, as behind `head`. Input is ended too, since its answers could not be
    /// shown.
    fn gone(&self, error: &io::Error) -> ChannelError {
        self.input_ended.cancel();
        ChannelError::Rejected(format!("the output of the terminal is gone: {error}"))
    }

    fn next_id(&self) -> String {
        let count = self.ids.fetch_add(1, Ordering::Relaxed);
        format!("{}-{count}", self.started_ms)
    }

    fn next_message_key(&self) -> MessageKey {
        MessageKey::new(self.next_id())
    }

    fn screen(&self) -> MutexGuard<'_, Screen> {
        self.screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cards(&self) -> MutexGuard<'_, Cards> {
        self.cards.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Channel for TerminalChannel {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    async fn listen(&self, inbox: Inbox, shutdown: CancellationToken) -> Result<(), ChannelError> {
        let mut input = self.input.lock().await;
        inbox.health().connected();
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = self.hear_all(&mut input, &inbox) => {}
        }
        if let Some(mode) = &self.former_mode {
            mode.restore();
        }
        Ok(())
    }

    /// A terminal has no menu.
    async fn announce(&self, _commands: &[Command]) -> Result<(), ChannelError> {
        Ok(())
    }

    async fn fetch(
        &self,
        _attachment: &AttachmentRef,
        _into: &mut File,
    ) -> Result<(), ChannelError> {
        let why = messages::no_attachments(self.config.language);
        Err(ChannelError::Rejected(why.to_owned()))
    }
}

#[async_trait]
impl Speaker for TerminalChannel {
    fn render(&self, message: &Outbound) -> Vec<Part> {
        render::render(message)
    }

    async fn send(
        &self,
        to: &Address,
        part: &Part,
        _key: &SendKey,
    ) -> Result<SentMessage, ChannelError> {
        self.check_address(to)?;
        let message = self.next_message_key();
        self.screen()
            .show(&message, part)
            .map_err(|error| self.gone(&error))?;
        self.cards().show(&message, &part.buttons);
        self.note_activity();
        Ok(SentMessage {
            address: to.clone(),
            message,
        })
    }

    async fn edit(&self, sent: &SentMessage, part: &Part) -> Result<(), ChannelError> {
        self.check_address(&sent.address)?;
        self.screen()
            .change(&sent.message, part)
            .map_err(|error| self.gone(&error))?;
        self.cards().show(&sent.message, &part.buttons);
        self.note_activity();
        Ok(())
    }

    /// Wipes the rows of a message that is the newest. Of an older one they stay: a terminal cannot
    /// go back.
    async fn delete(&self, sent: &SentMessage) -> Result<(), ChannelError> {
        self.check_address(&sent.address)?;
        self.screen()
            .remove(&sent.message)
            .map_err(|error| self.gone(&error))?;
        self.cards().show(&sent.message, &[]);
        Ok(())
    }

    /// A terminal has no reactions.
    async fn react(&self, to: &Address, _message: &MessageKey) -> Result<(), ChannelError> {
        self.check_address(to)
    }

    /// Shows nothing: the cursor is below the question all the while.
    async fn typing(&self, to: &Address) -> Result<(), ChannelError> {
        self.check_address(to)?;
        self.activity.send_modify(|activity| activity.asked = true);
        Ok(())
    }
}

fn terminal_surface(ends: Ends, echoes: &Echoes) -> Surface {
    if !ends.output {
        return Surface::Stream;
    }
    Surface::Terminal {
        size: Size::now,
        echoes: Arc::clone(echoes),
        paint: if ends.colours {
            Paint::Ansi
        } else {
            Paint::None
        },
    }
}

fn profile(config: &TerminalConfig, surface: &Surface) -> Profile {
    let pace = Pace {
        burst: 50,
        every: Duration::from_millis(50),
    };
    Profile {
        name: config.name.clone(),
        text_limit: TEXT_LIMIT,
        text_unit: TextUnit::Scalar,
        buttons: true,
        token_bytes: 64,
        edits: matches!(surface, Surface::Terminal { .. }),
        reactions: false,
        repeats: Repeats::Arrive,
        long_text: LongText::Above,
        direct_prefix: None,
        file_bytes: u64::MAX,
        limits: Limits::Told,
        direct_pace: pace,
        group_pace: pace,
        channel_pace: pace,
    }
}

fn now_ms() -> i64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    since_epoch.map_or(0, |since| since.as_millis() as i64)
}

#[cfg(test)]
mod tests;
