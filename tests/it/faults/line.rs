//! The connection to a platform, which can be cut: the port then refuses connections, and open ones
//! are closed. A request that is refused this way has certainly not arrived.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// A line; dropping it cuts it.
pub struct Line {
    here: SocketAddr,
    there: String,
    carrying: Option<JoinHandle<()>>,
}

impl Line {
    /// Lays a line to a server, named as in `http://127.0.0.1:1234/path`, and returns it with the
    /// name of the server at its near end.
    pub async fn to(server: &str) -> (Self, String) {
        let address = server.trim_start_matches("http://");
        let there = address.split('/').next().unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = listener.local_addr().unwrap();
        let named = server.replace(&there, &here.to_string());
        let carrying = Some(tokio::spawn(carry(listener, there.clone())));
        let line = Self {
            here,
            there,
            carrying,
        };
        (line, named)
    }

    /// Cuts the line.
    pub async fn is_cut(&mut self) {
        let carrying = self.carrying.take().unwrap();
        carrying.abort();
        // Its end closes the listener and every connection.
        let _ = carrying.await;
    }

    /// Mends the line.
    pub async fn is_mended(&mut self) {
        let listener = TcpListener::bind(self.here).await.unwrap();
        self.carrying = Some(tokio::spawn(carry(listener, self.there.clone())));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(carrying) = &self.carrying {
            carrying.abort();
        }
    }
}

async fn carry(listener: TcpListener, there: String) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((mut near, _)) = listener.accept().await else {
            return;
        };
        let there = there.clone();
        connections.spawn(async move {
            if let Ok(mut far) = TcpStream::connect(there).await {
                // Either end may go away at any time.
                let _ = copy_bidirectional(&mut near, &mut far).await;
            }
        });
    }
}
