//! One connection from its first word to its end.
//!
//! Everything that the other side may do wrong (no word, no JSON, too much, silence) is an
//! [`Ending`], never a panic. What is written here holds the token, so frames are not logged.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use tokio_util::sync::CancellationToken;
use tracing::debug;
use url::Url;

use super::close_codes::{self, Ending};
use super::frames::{self, Frame};
use super::heartbeat::{Heartbeat, Silent};
use super::{Dispatch, Session, Shard, address, reasons};

/// How long a connection may take to be made.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// How long the gateway may take to its first word.
const HELLO_WITHIN: Duration = Duration::from_secs(10);
/// How long a frame may take to be written.
const WRITE_WITHIN: Duration = Duration::from_secs(10);
/// How long a session may take to begin or to go on.
const SESSION_WITHIN: Duration = Duration::from_mins(1);
/// How long a farewell may take.
const FAREWELL_WITHIN: Duration = Duration::from_millis(200);
/// The largest payload that is taken, in bytes; the largest servers have a few million.
const LARGEST_PAYLOAD: usize = 16 * 1024 * 1024;
/// The close code after which the session can be resumed: any but 1000 and 1001.
const UNTIL_SOON: u16 = 4000;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// There was no room for an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QueueFull;

/// What a connection needs.
#[derive(Clone, Copy)]
pub(crate) struct Connection<'a> {
    /// The gateway's address.
    pub(crate) gateway: &'a Url,
    /// The account's token.
    pub(crate) token: &'a SecretString,
    /// What we want to hear, as Discord's bits.
    pub(crate) intents: u64,
    /// Which part of it.
    pub(crate) shard: Shard,
    /// Takes an event, or says that there is no room; it must not wait.
    pub(crate) take: &'a (dyn Fn(Dispatch) -> Result<(), QueueFull> + Send + Sync),
    /// Called whenever the session began, was resumed, or proved to be alive.
    pub(crate) alive: &'a (dyn Fn() + Send + Sync),
}

/// A connection while it lives.
struct Line<'a> {
    connection: Connection<'a>,
    session: &'a mut Option<Session>,
    /// The number of the last event of this connection.
    sequence: Option<u64>,
    begins_before: Instant,
    has_begun: bool,
}

impl<'a> Connection<'a> {
    /// Connects, resumes the session or begins one, and passes events on until it ends. Returns
    /// also whether the session began or went on.
    pub(crate) async fn run(
        self,
        session: &'a mut Option<Session>,
        shutdown: &CancellationToken,
    ) -> (Ending, bool) {
        let place = session
            .as_ref()
            .map_or(self.gateway, |session| &session.url);
        let Some(place) = address(place, self.gateway) else {
            *session = None;
            return (Ending::SessionOver(reasons::no_gateway()), false);
        };
        let mut socket = match shutdown.run_until_cancelled(connect(&place)).await {
            None => return (Ending::Shutdown, false),
            Some(Err(ending)) => return (ending, false),
            Some(Ok(socket)) => socket,
        };
        let sequence = session.as_ref().map(|session| session.sequence);
        let mut line = Line {
            connection: self,
            session,
            sequence,
            begins_before: Instant::now() + SESSION_WITHIN,
            has_begun: false,
        };
        let talk = shutdown.run_until_cancelled(line.talk(&mut socket));
        let ending = talk.await.unwrap_or(Ending::Shutdown);
        say_farewell(&mut socket, &ending).await;
        (ending, line.has_begun)
    }
}

async fn connect(place: &Url) -> Result<Socket, Ending> {
    let limits = WebSocketConfig::default()
        .max_message_size(Some(LARGEST_PAYLOAD))
        .max_frame_size(Some(LARGEST_PAYLOAD));
    // Its state is large, and it is over soon.
    let connecting = Box::pin(connect_async_with_config(
        place.as_str(),
        Some(limits),
        true,
    ));
    match timeout(CONNECT_WITHIN, connecting).await {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(error)) => Err(Ending::Broken(describe(&error))),
        Err(_) => Err(Ending::Broken(reasons::no_answer())),
    }
}

async fn say_farewell(socket: &mut Socket, ending: &Ending) {
    let code = match ending {
        Ending::Shutdown | Ending::SessionOver(_) | Ending::Overrun => CloseCode::Normal,
        Ending::Moved | Ending::Broken(_) | Ending::TokenRefused | Ending::Hopeless(_) => {
            CloseCode::from(UNTIL_SOON)
        }
    };
    let farewell = CloseFrame {
        code,
        reason: Utf8Bytes::default(),
    };
    // The peer may be gone already; then the close frame is not needed.
    let _ = timeout(FAREWELL_WITHIN, socket.close(Some(farewell))).await;
}

impl Line<'_> {
    async fn talk(&mut self, socket: &mut Socket) -> Ending {
        match self.talk_until_it_ends(socket).await {
            Ok(never) => match never {},
            Err(ending) => ending,
        }
    }

    async fn talk_until_it_ends(
        &mut self,
        socket: &mut Socket,
    ) -> Result<std::convert::Infallible, Ending> {
        let mut heartbeat = hello(socket).await?;
        write(socket, self.first_words()).await?;
        loop {
            tokio::select! {
                frame = next_frame(socket) => self.take(frame?, &mut heartbeat, socket).await?,
                () = sleep_until(heartbeat.due()) => self.beat(&mut heartbeat, socket).await?,
            }
        }
    }

    fn first_words(&self) -> String {
        let connection = self.connection;
        let token = connection.token.expose_secret();
        match &self.session {
            Some(session) => frames::resume(token, session),
            None => frames::identify(token, connection.intents, connection.shard),
        }
    }

    async fn beat(&self, heartbeat: &mut Heartbeat, socket: &mut Socket) -> Result<(), Ending> {
        let now = Instant::now();
        if !self.has_begun && now > self.begins_before {
            return Err(Ending::SessionOver(reasons::no_session()));
        }
        heartbeat
            .beat(now)
            .map_err(|Silent| Ending::Broken(reasons::silent()))?;
        write(socket, frames::heartbeat(self.sequence)).await
    }

    async fn take(
        &mut self,
        frame: Frame,
        heartbeat: &mut Heartbeat,
        socket: &mut Socket,
    ) -> Result<(), Ending> {
        match frame {
            Frame::Dispatch {
                sequence,
                name,
                data,
            } => self.take_event(sequence, Dispatch { name, data }),
            Frame::BeatNow => write(socket, frames::heartbeat(self.sequence)).await,
            Frame::Acknowledged => {
                heartbeat.answered();
                if self.has_begun {
                    (self.connection.alive)();
                }
                Ok(())
            }
            Frame::Reconnect => Err(Ending::Moved),
            Frame::InvalidSession { resumable: true } => {
                Err(Ending::Broken(reasons::invalid_session()))
            }
            Frame::InvalidSession { resumable: false } => {
                Err(Ending::SessionOver(reasons::invalid_session()))
            }
            Frame::Hello { .. } => Ok(()),
            Frame::Unknown(op) => {
                debug!(op, "the gateway sent something unknown");
                Ok(())
            }
        }
    }

    /// Passes an event on. Its number counts only when it was taken.
    fn take_event(&mut self, sequence: u64, event: Dispatch) -> Result<(), Ending> {
        let is_ready = event.name == "READY";
        let begins = is_ready || event.name == "RESUMED";
        let session = is_ready.then(|| begun(&event.data, sequence));
        (self.connection.take)(event).map_err(|QueueFull| Ending::Overrun)?;
        self.sequence = Some(sequence);
        if let Some(session) = session {
            *self.session = session;
        } else if let Some(session) = self.session {
            session.sequence = sequence;
        }
        if begins {
            self.has_begun = true;
            (self.connection.alive)();
        }
        Ok(())
    }
}

/// Reads the session that `READY` begins; one that cannot be read cannot be resumed.
fn begun(ready: &Value, sequence: u64) -> Option<Session> {
    Some(Session {
        id: ready.get("session_id")?.as_str()?.to_owned(),
        url: ready.get("resume_gateway_url")?.as_str()?.parse().ok()?,
        sequence,
    })
}

async fn hello(socket: &mut Socket) -> Result<Heartbeat, Ending> {
    let first = timeout(HELLO_WITHIN, next_frame(socket));
    match first.await {
        Ok(Ok(Frame::Hello { interval_ms })) => {
            let interval = Duration::from_millis(interval_ms);
            Ok(Heartbeat::new(interval, Instant::now()))
        }
        Ok(Ok(_)) => Err(Ending::Broken(reasons::no_frame())),
        Ok(Err(ending)) => Err(ending),
        Err(_) => Err(Ending::Broken(reasons::no_answer())),
    }
}

/// Waits for the next frame; safe to be dropped while it waits.
async fn next_frame(socket: &mut Socket) -> Result<Frame, Ending> {
    loop {
        let message = match socket.next().await {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(Ending::Broken(describe(&error))),
            None => return Err(close_codes::of_code(None)),
        };
        match message {
            Message::Text(text) => {
                let frame = frames::read(text.as_str());
                return frame.ok_or_else(|| Ending::Broken(reasons::no_frame()));
            }
            Message::Close(farewell) => {
                let code = farewell.map(|farewell| u16::from(farewell.code));
                return Err(close_codes::of_code(code));
            }
            Message::Binary(_) => return Err(Ending::Broken(reasons::no_frame())),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
    }
}

async fn write(socket: &mut Socket, text: String) -> Result<(), Ending> {
    match timeout(WRITE_WITHIN, socket.send(Message::text(text))).await {
        Ok(Ok(())) => Ok(()),
        // Discord says why it closed; reading on finds it.
        Ok(Err(Error::ConnectionClosed | Error::AlreadyClosed)) => Err(close_codes::of_code(None)),
        Ok(Err(error)) => Err(Ending::Broken(describe(&error))),
        Err(_) => Err(Ending::Broken(reasons::no_answer())),
    }
}

/// Puts a fault of the connection into words; none of them holds what was sent.
fn describe(error: &Error) -> String {
    match error {
        Error::Capacity(_) => reasons::too_large(),
        Error::Http(response) => reasons::gateway_answered(response.status().as_u16()),
        Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => reasons::cut(),
        other => other.to_string(),
    }
}
