//! Peers that connect and do not read, or do not write: they hold a place for a while and nothing
//! else.

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::health::{get, window_of};
use crate::test_bot::TestBot;

/// More than may be connected at once.
const PEERS: usize = 40;

#[tokio::test]
async fn clients_that_never_read_the_figures_hold_nothing_for_long() {
    let bot = TestBot::with(&[("HTTP__LISTEN", "127.0.0.1:0")]).await;
    let window = window_of(&bot).await;
    let before = resident_bytes(&window).await;
    let request = b"GET /metrics HTTP/1.1\r\nHost: sayso\r\n\r\n".repeat(2_000);
    let mut peers = Vec::new();
    for _ in 0..PEERS {
        let mut peer = TcpStream::connect(&window).await.unwrap();
        // Data that is never read eventually fills the socket buffer.
        let write = peer.write_all(&request);
        let _ = tokio::time::timeout(std::time::Duration::from_millis(50), write).await;
        peers.push(peer);
    }
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    // Their places become free by themselves.
    let (status, _) = get(&window, "/health").await;
    assert_eq!(status, 200);
    let grown = resident_bytes(&window).await.saturating_sub(before);
    assert!(grown < 64 * 1024 * 1024, "{grown} bytes more");
    drop(peers);
    bot.assert_clean();
}

async fn resident_bytes(window: &str) -> u64 {
    let (_, metrics) = get(window, "/metrics").await;
    let mut lines = metrics.lines();
    let figure = lines.find_map(|line| line.strip_prefix("sayso_process_resident_bytes "));
    figure.unwrap().parse().unwrap()
}
