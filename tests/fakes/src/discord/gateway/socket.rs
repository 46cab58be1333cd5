//! One connection to the gateway, from HELLO to its end.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Query, State as Shared};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::session::Closed;
use super::{Door, Line, Out};
use crate::discord::state::World;
use crate::wire::Connection;

/// The most that a connection may send in [`SENDS_WINDOW`].
const MOST_SENDS: usize = 120;
const SENDS_WINDOW: Duration = Duration::from_mins(1);
/// The largest frame that a bot may send, in bytes.
const LARGEST_FRAME: usize = 4096;
/// How long a connection whose close the bot does not answer is kept.
const FAREWELL: Duration = Duration::from_secs(2);

/// Takes a connection at the address that everybody is given.
pub(crate) async fn connect(
    shared: Shared<Arc<World>>,
    connection: ConnectInfo<Connection>,
    query: Query<HashMap<String, String>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    welcome(shared.0, connection.0, &query.0, upgrade)
}

/// Takes a connection at the address that READY gives for resuming.
pub(crate) async fn connect_to_resume(
    shared: Shared<Arc<World>>,
    connection: ConnectInfo<Connection>,
    query: Query<HashMap<String, String>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    welcome(shared.0, connection.0, &query.0, upgrade)
}

fn welcome(
    world: Arc<World>,
    connection: Connection,
    query: &HashMap<String, String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let mut state = world.state();
    state.gateway.connections += 1;
    state.gateway.changed.notify_waiters();
    let asked = |name: &str| query.get(name).map(String::as_str);
    if asked("v") != Some("10") || asked("encoding") != Some("json") {
        state.gateway_violation("connected without v=10&encoding=json");
    }
    if asked("compress").is_some() {
        state.gateway_violation("asked for compression, which this fake does not play");
    }
    let door = state.gateway.door;
    drop(state);
    match door {
        Door::Refusing => {
            connection.sever();
            StatusCode::OK.into_response()
        }
        Door::Unavailable => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Door::Open | Door::Closing(_) | Door::Mute => {
            upgrade.on_upgrade(move |socket| speak(world, connection, socket, door))
        }
    }
}

/// Speaks until either side ends it.
async fn speak(world: Arc<World>, connection: Connection, mut socket: WebSocket, door: Door) {
    if let Door::Closing(code) = door {
        close(&mut socket, code).await;
        return;
    }
    let (out, mut outgoing) = mpsc::unbounded_channel();
    let line = open_line(&world, out);
    if door != Door::Mute && hello(&world, &mut socket).await.is_err() {
        close_line(&world, line);
        return;
    }
    let mut sends = VecDeque::new();
    loop {
        tokio::select! {
            biased;
            () = world.stop.cancelled() => break,
            sent = outgoing.recv() => match sent {
                Some(Out::Frame(frame)) => {
                    if socket.send(Message::Text(frame.as_ref().into())).await.is_err() {
                        break;
                    }
                }
                Some(Out::Close(code)) => {
                    close_line(&world, line);
                    close(&mut socket, code).await;
                    return;
                }
                Some(Out::Cut) | None => {
                    connection.sever();
                    break;
                }
            },
            came = socket.recv() => match came {
                Some(Ok(message)) => {
                    if let Err(Closed(code)) = take(&world, line, &message, &mut sends) {
                        close_line(&world, line);
                        close(&mut socket, code).await;
                        return;
                    }
                }
                Some(Err(_)) | None => break,
            },
        }
    }
    close_line(&world, line);
}

fn open_line(world: &World, out: mpsc::UnboundedSender<Out>) -> u64 {
    let mut state = world.state();
    let id = state.ids.next().unsigned_abs();
    state.gateway.lines.push(Line { id, out });
    id
}

/// Takes the connection off the record; its session may be resumed.
fn close_line(world: &World, line: u64) {
    let mut state = world.state();
    state.gateway.lines.retain(|open| open.id != line);
    if let Some(session) = state.gateway.session_on(line) {
        session.line = None;
    }
    state.gateway.changed.notify_waiters();
}

async fn hello(world: &World, socket: &mut WebSocket) -> Result<(), axum::Error> {
    let interval = world.state().gateway.heartbeat.as_millis() as u64;
    let hello = json!({ "op": 10, "s": null, "t": null,
        "d": { "heartbeat_interval": interval, "_trace": ["[\"fake-gateway\"]"] } });
    socket.send(Message::Text(hello.to_string().into())).await
}

/// Judges and takes one frame of the bot.
fn take(
    world: &World,
    line: u64,
    message: &Message,
    sends: &mut VecDeque<Instant>,
) -> Result<(), Closed> {
    let Message::Text(text) = message else {
        return Ok(());
    };
    // A test may have the heart beat faster than any real one: heartbeats do not count.
    let is_heartbeat = serde_json::from_str(text).is_ok_and(|frame: Value| frame["op"] == 1);
    if !is_heartbeat {
        sends.push_back(Instant::now());
    }
    while sends
        .front()
        .is_some_and(|first| first.elapsed() > SENDS_WINDOW)
    {
        sends.pop_front();
    }
    let mut state = world.state();
    if sends.len() > MOST_SENDS {
        state.gateway_violation("sent more than 120 frames in a minute");
        return Err(Closed(4008));
    }
    if text.len() > LARGEST_FRAME {
        state.gateway_violation("sent a frame of more than 4096 bytes");
        return Err(Closed(4002));
    }
    state.take_frame(line, text)
}

/// Closes with a code and hears the bot out for a moment, as a close is a word from both sides.
async fn close(socket: &mut WebSocket, code: u16) {
    let frame = CloseFrame {
        code,
        reason: "as the test says".into(),
    };
    // The other side may be gone already, which ends it as well.
    let _ = socket.send(Message::Close(Some(frame))).await;
    let heard_out = async { while let Some(Ok(_)) = socket.recv().await {} };
    // A client that does not answer the close frame in time is dropped.
    let _ = tokio::time::timeout(FAREWELL, heard_out).await;
}
