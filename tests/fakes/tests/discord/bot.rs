//! A bot of the plainest kind: REST by verb and path, and a gateway connection that it reads frame by frame.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::{Client, Method, Response};
use sayso_fakes::{FakeDiscord, PATIENCE};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES and MESSAGE_CONTENT.
pub const INTENTS: u64 = 1 | 1 << 9 | 1 << 12 | 1 << 15;

/// The REST half.
#[derive(Clone)]
pub struct Bot {
    client: Client,
    base: String,
    token: String,
}

impl Bot {
    pub fn of(discord: &FakeDiscord) -> Self {
        let agent = "DiscordBot (https://example.org, 1)";
        Self {
            client: Client::builder().user_agent(agent).build().unwrap(),
            base: discord.url(),
            token: format!("Bot {}", discord.token()),
        }
    }

    pub async fn send(&self, verb: &str, path: &str, body: Value) -> reqwest::Result<Response> {
        let method = Method::from_bytes(verb.as_bytes()).unwrap();
        let request = self
            .client
            .request(method, format!("{}{path}", self.base))
            .header("Authorization", &self.token);
        let request = if body.is_null() {
            request
        } else {
            request.json(&body)
        };
        request.send().await
    }

    /// Requests and returns the status with the body; nothing is null.
    pub async fn call(&self, verb: &str, path: &str, body: Value) -> (u16, Value) {
        let response = self.send(verb, path, body).await.unwrap();
        let status = response.status().as_u16();
        let text = response.text().await.unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = self.call("GET", path, Value::Null).await;
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Says something with a nonce of its own.
    pub async fn say(&self, channel: i64, text: &str) -> Value {
        let (status, body) = self.try_say(channel, json!({ "content": text })).await;
        assert_eq!(status, 200, "{body}");
        body
    }

    pub async fn try_say(&self, channel: i64, mut body: Value) -> (u16, Value) {
        if body.get("nonce").is_none() {
            let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
            body["nonce"] = format!("{:x}", since.as_nanos()).into();
            body["enforce_nonce"] = true.into();
        }
        self.call("POST", &format!("/channels/{channel}/messages"), body)
            .await
    }
}

/// The gateway half.
pub struct Ears {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub ready: Value,
    pub sequence: u64,
    token: String,
}

impl Ears {
    /// Connects and identifies with all that Sayso needs.
    pub async fn open(discord: &FakeDiscord) -> Self {
        Self::open_with(discord, INTENTS, json!([0, 1])).await
    }

    pub async fn open_with(discord: &FakeDiscord, intents: u64, shard: Value) -> Self {
        let mut ears = Self::connect(discord, "gateway").await;
        ears.send(
            json!({ "op": 2, "d": { "token": ears.token, "intents": intents, "shard": shard,
            "properties": { "os": "linux", "browser": "test", "device": "test" } } }),
        )
        .await;
        ears.ready = ears.hear("READY").await;
        ears
    }

    /// Connects and takes the HELLO.
    pub async fn connect(discord: &FakeDiscord, path: &str) -> Self {
        let base = discord.url().replace("http", "ws").replace("api/v10", path);
        let (socket, _) = tokio_tungstenite::connect_async(format!("{base}?v=10&encoding=json"))
            .await
            .unwrap();
        let mut ears = Self {
            socket,
            ready: Value::Null,
            sequence: 0,
            token: discord.token().to_owned(),
        };
        let hello = ears.frame().await;
        assert_eq!(hello["op"], 10);
        ears
    }

    /// Connects anew and resumes the session of these ears.
    pub async fn resume(&self, discord: &FakeDiscord) -> Self {
        let mut again = Self::connect(discord, "resume").await;
        again.ready.clone_from(&self.ready);
        again.sequence = self.sequence;
        again
            .send(
                json!({ "op": 6, "d": { "token": self.token, "seq": self.sequence,
                "session_id": self.ready["session_id"] } }),
            )
            .await;
        again
    }

    pub async fn send(&mut self, frame: Value) {
        let frame = Message::Text(frame.to_string().into());
        self.socket.send(frame).await.unwrap();
    }

    /// Waits for the next message of any kind; `None` when the connection has broken.
    pub async fn next(&mut self) -> Option<Message> {
        let next = tokio::time::timeout(PATIENCE, self.socket.next());
        next.await.unwrap()?.ok()
    }

    /// Waits for the next frame.
    pub async fn frame(&mut self) -> Value {
        match self.next().await {
            Some(Message::Text(text)) => serde_json::from_str(&text).unwrap(),
            other => panic!("a frame was expected, not {other:?}"),
        }
    }

    /// Waits for the next dispatch of this kind and returns its data.
    pub async fn hear(&mut self, event: &str) -> Value {
        loop {
            let mut frame = self.frame().await;
            if let Some(sequence) = frame["s"].as_u64() {
                self.sequence = sequence;
            }
            if frame["t"] == event {
                return frame["d"].take();
            }
        }
    }

    /// Waits for the close and returns its code.
    pub async fn closed(&mut self) -> u16 {
        loop {
            match self.next().await {
                Some(Message::Close(frame)) => return frame.unwrap().code.into(),
                Some(_) => {}
                None => panic!("the connection broke without a close"),
            }
        }
    }

    /// Makes sure that nothing more was sent: what the bot asks for now is answered next.
    pub async fn hears_nothing_more(&mut self) {
        self.send(json!({ "op": 1, "d": self.sequence })).await;
        let answer = tokio::time::timeout(Duration::from_secs(5), self.frame()).await;
        assert_eq!(answer.unwrap()["op"], 11);
    }
}
