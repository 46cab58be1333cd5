//! An HTTP server on a loopback port of its own, whose connections can be cut: the one thing a handler cannot
//! do by answering. What is served is the business of the two fakes.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// A running server; dropping it cuts every connection and frees the port.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The connection a request came on, as its handler knows it.
#[derive(Clone, Debug)]
pub(crate) struct Connection(CancellationToken);

impl Connection {
    /// Cuts the connection: whatever is answered after this never leaves.
    pub(crate) fn sever(&self) {
        self.0.cancel();
    }
}

/// Takes a free loopback port; [`serve`] then answers on it.
pub(crate) async fn bind() -> (TcpListener, Served) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .await
        .expect("a loopback port is free");
    let address = listener.local_addr().expect("a bound port has an address");
    (
        listener,
        Served {
            address,
            stop: CancellationToken::new(),
        },
    )
}

/// Serves `router` in the background until `stop` is cancelled.
pub(crate) fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    let listener = SeverableListener {
        listener,
        stop: stop.clone(),
    };
    let service = router.into_make_service_with_connect_info::<Connection>();
    tokio::spawn(async move {
        tokio::select! {
            _ = axum::serve(listener, service) => {}
            () = stop.cancelled() => {}
        }
    });
}

struct SeverableListener {
    listener: TcpListener,
    stop: CancellationToken,
}

impl Listener for SeverableListener {
    type Io = Severable;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Severable, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Small answers must not wait for an acknowledgement; where it fails the answers are only slower.
        let _ = stream.set_nodelay(true);
        (Severable::new(stream, self.stop.child_token()), address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, SeverableListener>> for Connection {
    fn connect_info(stream: IncomingStream<'_, SeverableListener>) -> Self {
        Self(stream.io().cut.clone())
    }
}

/// A stream that fails at both ends once it is cut, also while it waits.
struct Severable {
    stream: TcpStream,
    cut: CancellationToken,
    severed: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Severable {
    fn new(stream: TcpStream, cut: CancellationToken) -> Self {
        Self {
            stream,
            severed: Box::pin(cut.clone().cancelled_owned()),
            cut,
        }
    }

    fn poll_whole(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.cut.is_cancelled() || self.severed.as_mut().poll(context).is_ready() {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl AsyncRead for Severable {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.poll_whole(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Severable {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_whole(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_whole(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
