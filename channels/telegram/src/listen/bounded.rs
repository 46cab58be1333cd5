//! Connections to the webhook that cannot be held open: so many at once, and each only while something
//! comes on it. Whoever is cut off in the middle of a call was not answered, so Telegram repeats it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

/// How many connections there may be at once; the next waits in the kernel's queue. Telegram makes 100
/// at most (<https://core.telegram.org/bots/api#setwebhook>, `max_connections`).
const CONNECTIONS: usize = 128;
/// What each connection is given.
const LIMITS: Limits = Limits {
    silent_for: Duration::from_mins(1),
    lifetime: Duration::from_mins(10),
};

/// How long a connection may take.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// How long nothing may come on it.
    silent_for: Duration,
    /// How long it may live, whatever comes: nobody holds one by a byte now and then.
    lifetime: Duration,
}

/// Takes connections.
pub(super) struct Bounded {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Bounded {
    /// Takes the connections of a listener.
    pub(super) fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(CONNECTIONS)),
        }
    }
}

impl Listener for Bounded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // Nobody closes the semaphore, so there is always a place in the end.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        // axum's own listener waits out what passes, such as too many open files.
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        (Connection::new(stream, place, LIMITS), peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends by itself.
pub(super) struct Connection<S = TcpStream> {
    stream: S,
    /// When it has been silent for too long.
    end: Pin<Box<Sleep>>,
    silent_for: Duration,
    /// When it ends in any case.
    last: Instant,
    _place: Option<OwnedSemaphorePermit>,
}

impl<S> Connection<S> {
    fn new(stream: S, place: Option<OwnedSemaphorePermit>, limits: Limits) -> Self {
        let now = Instant::now();
        Self {
            stream,
            end: Box::pin(tokio::time::sleep_until(now + limits.silent_for)),
            silent_for: limits.silent_for,
            last: now + limits.lifetime,
            _place: place,
        }
    }

    /// Fails when its time is over; else has the task woken when it is.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::ErrorKind::TimedOut.into()),
            Poll::Pending => Ok(()),
        }
    }

    /// Something came.
    fn lives_on(&mut self) {
        let end = (Instant::now() + self.silent_for).min(self.last);
        self.end.as_mut().reset(end);
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.lives_on();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    const SHORT: Limits = Limits {
        silent_for: Duration::from_millis(40),
        lifetime: Duration::from_millis(200),
    };

    #[tokio::test]
    async fn silent_connection_ends() {
        let (_far, near) = tokio::io::duplex(64);
        let read = Connection::new(near, None, SHORT).read_u8().await;
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn connection_on_which_a_byte_comes_now_and_then_ends_too() {
        let (mut far, near) = tokio::io::duplex(64);
        let dripping = tokio::spawn(async move {
            while far.write_u8(1).await.is_ok() {
                tokio::time::sleep(SHORT.silent_for / 8).await;
            }
        });
        let (mut near, began) = (Connection::new(near, None, SHORT), Instant::now());
        let error = loop {
            if let Err(error) = near.read_u8().await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() > SHORT.silent_for);
        dripping.abort();
    }
}
