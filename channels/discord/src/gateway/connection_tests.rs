//! One connection against a scripted gateway: what is said, and how it ends.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, accept_async};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::*;

const PATIENCE: Duration = Duration::from_secs(5);
const TOKEN: &str = "very.secret.token";

/// A gateway that accepts connections and says what the test says.
struct Gateway {
    listener: TcpListener,
    url: Url,
}

/// The gateway's end of one connection.
struct Line(WebSocketStream<TcpStream>);

impl Gateway {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}/", listener.local_addr().unwrap());
        Self {
            listener,
            url: url.parse().unwrap(),
        }
    }

    async fn accept(&self) -> Line {
        let (stream, _) = self.listener.accept().await.unwrap();
        Line(accept_async(stream).await.unwrap())
    }

    /// Accepts a connection, and says hello with a long interval.
    async fn greet(&self) -> Line {
        let mut line = self.accept().await;
        line.says(json!({"op": 10, "d": {"heartbeat_interval": 60_000}}))
            .await;
        line
    }

    fn ready(&self, sequence: u64) -> Value {
        let data = json!({"session_id": "s1", "resume_gateway_url": self.url, "guilds": []});
        json!({"op": 0, "s": sequence, "t": "READY", "d": data})
    }
}

impl Line {
    async fn says(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    async fn hears(&mut self) -> Value {
        loop {
            let message = timeout(PATIENCE, self.0.next()).await.unwrap();
            if let Message::Text(text) = message.unwrap().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    async fn closes(mut self, code: u16) {
        let frame = CloseFrame {
            code: code.into(),
            reason: "".into(),
        };
        self.0.close(Some(frame)).await.unwrap();
        while let Ok(Some(Ok(_))) = timeout(PATIENCE, self.0.next()).await {}
    }

    /// Waits for the other side's farewell and returns its code.
    async fn is_left_with(&mut self) -> Option<u16> {
        loop {
            match timeout(PATIENCE, self.0.next()).await.unwrap() {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    }
}

/// What the connection under test did.
#[derive(Default)]
struct Heard {
    events: Mutex<Vec<String>>,
    signs_of_life: Mutex<usize>,
    room: Option<usize>,
}

impl Heard {
    async fn connect(&self, gateway: &Url, session: &mut Option<Session>) -> (Ending, bool) {
        let connection = Connection {
            gateway,
            token: &SecretString::from(TOKEN),
            intents: 513,
            shard: Shard { index: 0, count: 1 },
            take: &|event| self.take(event),
            alive: &|| *self.signs_of_life.lock().unwrap() += 1,
        };
        let shutdown = CancellationToken::new();
        let connecting = connection.run(session, &shutdown);
        timeout(PATIENCE, connecting).await.expect("it goes on")
    }

    fn take(&self, event: Dispatch) -> Result<(), QueueFull> {
        let mut events = self.events.lock().unwrap();
        if self.room.is_some_and(|room| events.len() >= room) {
            return Err(QueueFull);
        }
        events.push(event.name);
        Ok(())
    }
}

fn event(sequence: u64, name: &str) -> Value {
    json!({"op": 0, "s": sequence, "t": name, "d": {}})
}

fn is_broken(ending: &Ending) -> bool {
    matches!(ending, Ending::Broken(_))
}

#[tokio::test]
async fn session_begins_and_goes_on_behind_the_last_event() {
    let (gateway, heard) = (Gateway::start().await, Heard::default());
    let mut session = None;
    let first = async {
        let mut line = gateway.greet().await;
        let identify = line.hears().await;
        assert_eq!(identify["op"], 2);
        assert_eq!(identify["d"]["token"], TOKEN);
        assert_eq!(identify["d"]["intents"], 513);
        assert_eq!(identify["d"]["shard"], json!([0, 1]));
        line.says(gateway.ready(1)).await;
        line.says(event(2, "MESSAGE_CREATE")).await;
        line.says(json!({"op": 7, "d": null})).await;
        assert_eq!(line.is_left_with().await, Some(4000));
    };
    let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), first);
    assert_eq!(ended, (Ending::Moved, true));

    let second = async {
        let mut line = gateway.greet().await;
        let resume = line.hears().await;
        assert_eq!(resume["op"], 6);
        assert_eq!(
            resume["d"],
            json!({"token": TOKEN, "session_id": "s1", "seq": 2})
        );
        line.says(event(3, "RESUMED")).await;
        line.closes(1001).await;
    };
    let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), second);
    assert!(is_broken(&ended.0) && ended.1, "{ended:?}");
    assert_eq!(
        *heard.events.lock().unwrap(),
        ["READY", "MESSAGE_CREATE", "RESUMED"]
    );
    assert_eq!(*heard.signs_of_life.lock().unwrap(), 2);
    assert_eq!(session.unwrap().sequence, 3);
}

#[tokio::test]
async fn heartbeat_tells_the_last_event_and_is_given_when_asked_for() {
    let (gateway, heard) = (Gateway::start().await, Heard::default());
    let script = async {
        let mut line = gateway.greet().await;
        line.hears().await;
        line.says(json!({"op": 1, "d": null})).await;
        assert_eq!(line.hears().await, json!({"op": 1, "d": null}));
        line.says(gateway.ready(7)).await;
        line.says(json!({"op": 1, "d": null})).await;
        assert_eq!(line.hears().await, json!({"op": 1, "d": 7}));
        line.says(json!({"op": 11})).await;
        line.closes(4000).await;
    };
    let mut session = None;
    let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), script);
    assert!(is_broken(&ended.0), "{ended:?}");
    assert_eq!(*heard.signs_of_life.lock().unwrap(), 2);
}

#[tokio::test]
async fn gateway_that_answers_no_heartbeat_is_left_for_another_connection() {
    let (gateway, heard) = (Gateway::start().await, Heard::default());
    let script = async {
        let mut line = gateway.accept().await;
        line.says(json!({"op": 10, "d": {"heartbeat_interval": 30}}))
            .await;
        line.hears().await;
        line.says(gateway.ready(1)).await;
        assert_eq!(line.hears().await, json!({"op": 1, "d": 1}));
        assert_eq!(line.is_left_with().await, Some(4000));
    };
    let mut session = None;
    let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), script);
    assert_eq!(ended.0, Ending::Broken(reasons::silent()));
    assert!(session.is_some());
}

#[tokio::test]
async fn invalid_session_says_whether_it_can_be_resumed() {
    for resumable in [true, false] {
        let (gateway, heard) = (Gateway::start().await, Heard::default());
        let script = async {
            let mut line = gateway.greet().await;
            line.hears().await;
            line.says(json!({"op": 9, "d": resumable})).await;
            line.is_left_with().await
        };
        let mut session = None;
        let (ended, code) = tokio::join!(heard.connect(&gateway.url, &mut session), script);
        assert_eq!(is_broken(&ended.0), resumable, "{ended:?}");
        assert_eq!(code, Some(if resumable { 4000 } else { 1000 }));
    }
}

#[tokio::test]
async fn fatal_close_codes_end_it_for_good() {
    let (gateway, heard) = (Gateway::start().await, Heard::default());
    let mut endings = Vec::new();
    for code in [4004, 4014] {
        let script = async {
            let mut line = gateway.greet().await;
            line.hears().await;
            line.closes(code).await;
        };
        let mut session = None;
        let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), script);
        endings.push(ended.0);
    }
    let [refused, hopeless] = endings.try_into().unwrap();
    assert_eq!(refused, Ending::TokenRefused);
    let Ending::Hopeless(why) = hopeless else {
        panic!("{hopeless:?}");
    };
    assert!(why.contains("Developer Portal"), "{why}");
}

#[tokio::test]
async fn event_without_room_does_not_count() {
    let gateway = Gateway::start().await;
    let heard = Heard {
        room: Some(2),
        ..Heard::default()
    };
    let script = async {
        let mut line = gateway.greet().await;
        line.hears().await;
        line.says(gateway.ready(1)).await;
        line.says(event(2, "MESSAGE_CREATE")).await;
        line.says(event(3, "MESSAGE_CREATE")).await;
        line.is_left_with().await;
    };
    let mut session = None;
    let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), script);
    assert_eq!(ended.0, Ending::Overrun);
    assert_eq!(session.unwrap().sequence, 2);
}

#[tokio::test]
async fn what_cannot_be_read_is_a_fault_of_the_connection() {
    for frame in ["no json", "[]", r#"{"op":0,"d":{}}"#] {
        let (gateway, heard) = (Gateway::start().await, Heard::default());
        let script = async {
            let mut line = gateway.greet().await;
            line.hears().await;
            line.0.send(Message::text(frame)).await.unwrap();
            line.is_left_with().await;
        };
        let mut session = None;
        let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), script);
        assert_eq!(ended.0, Ending::Broken(reasons::no_frame()), "{frame}");
    }
}

#[tokio::test]
async fn too_large_a_payload_is_a_fault_of_the_connection() {
    let (gateway, heard) = (Gateway::start().await, Heard::default());
    let script = async {
        let mut line = gateway.greet().await;
        line.hears().await;
        let large = "x".repeat(17 * 1024 * 1024);
        // The other side leaves while this is written.
        let _ = line.0.send(Message::text(large)).await;
    };
    let mut session = None;
    let (ended, ()) = tokio::join!(heard.connect(&gateway.url, &mut session), script);
    assert_eq!(ended.0, Ending::Broken(reasons::too_large()));
}

#[tokio::test]
async fn gateway_that_is_not_there_is_a_fault_that_passes() {
    let heard = Heard::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nowhere = format!("ws://{}", listener.local_addr().unwrap());
    drop(listener);
    let ended = heard.connect(&nowhere.parse().unwrap(), &mut None).await;
    assert!(is_broken(&ended.0) && !ended.1, "{ended:?}");
    assert!(!format!("{ended:?}").contains(TOKEN));
}

#[tokio::test]
async fn shutdown_ends_the_session_in_good_order() {
    let (gateway, heard) = (Gateway::start().await, Heard::default());
    let shutdown = CancellationToken::new();
    let token = SecretString::from(TOKEN);
    let mut session = None;
    let connection = Connection {
        gateway: &gateway.url,
        token: &token,
        intents: 1,
        shard: Shard { index: 0, count: 1 },
        take: &|event| heard.take(event),
        alive: &|| {},
    };
    let script = async {
        let mut line = gateway.greet().await;
        line.hears().await;
        shutdown.cancel();
        line.is_left_with().await
    };
    let (ended, code) = tokio::join!(connection.run(&mut session, &shutdown), script);
    assert_eq!((ended.0, code), (Ending::Shutdown, Some(1000)));
}
