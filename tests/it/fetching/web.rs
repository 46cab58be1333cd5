//! A server of the web on this machine: it answers by path and notes what it was asked.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// A server; it ends with the test.
pub struct Web {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Web {
    /// Starts a server that gives what `answer` makes of a path: the raw bytes of a response. After
    /// them the connection is closed, unless they are incomplete: then it stays open.
    pub async fn start(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::start_at([127, 0, 0, 1], answer).await
    }

    /// Starts one at another address of this machine.
    pub async fn start_at(
        address: [u8; 4],
        answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(SocketAddr::from((address, 0)))
            .await
            .unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (record, answer) = (Arc::clone(&asked), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&record), Arc::clone(&answer)));
            }
        });
        Self { address, asked }
    }

    /// The host and the port, as settings name them.
    pub fn place(&self) -> String {
        self.address.to_string()
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.place())
    }

    /// What it was asked, whole, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// The first lines of what it was asked.
    pub fn lines(&self) -> Vec<String> {
        let first = |request: &String| request.lines().next().unwrap_or_default().to_owned();
        self.asked().iter().map(first).collect()
    }
}

async fn serve(
    mut stream: TcpStream,
    record: Arc<Mutex<Vec<String>>>,
    answer: Arc<impl Fn(&str) -> Vec<u8>>,
) {
    let Some(request) = read(&mut stream).await else {
        return;
    };
    let path = request.split(' ').nth(1).unwrap_or_default();
    let bytes = answer(path);
    record.lock().unwrap().push(request);
    // Who has read enough goes away.
    let _ = stream.write_all(&bytes).await;
    if bytes.ends_with(UNFINISHED) {
        std::future::pending::<()>().await;
    }
}

/// What an answer ends with that never ends.
pub const UNFINISHED: &[u8] = b"...";

async fn read(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8_lossy(&request).to_ascii_lowercase();
    let length = head.split_once("content-length: ").map_or(0, |(_, rest)| {
        rest.split("\r\n").next().unwrap().parse().unwrap()
    });
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    request.extend(body);
    Some(String::from_utf8(request).unwrap())
}

/// A whole answer of this type.
pub fn page(kind: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// An answer that sends elsewhere.
pub fn redirect(location: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
    .into_bytes()
}
