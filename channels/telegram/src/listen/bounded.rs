//! Connections to the webhook that cannot be held open. Until a call on it has the webhook's
//! secret, a connection has a few seconds and no place of its own: where there are too many of that
//! kind, the oldest one is closed for the next. After that there are as many places as Telegram
//! needs, and each is kept only while something comes. A client that is cut off in the middle of a
//! call was not answered, so Telegram repeats it.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// How many connections with the secret there may be at once. Telegram makes 100 at most
/// (<https://core.telegram.org/bots/api#setwebhook>, `max_connections`).
const PROVEN_CONNECTIONS: usize = 128;
/// How many without it, before the oldest is closed.
const UNPROVEN_CONNECTIONS: usize = 256;
/// What each connection is given.
const LIMITS: Limits = Limits {
    unproven_for: Duration::from_secs(5),
    silent_for: Duration::from_mins(1),
    lifetime: Duration::from_mins(10),
};

/// How long a connection may take.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// How long until the head of a call with the secret has come.
    unproven_for: Duration,
    /// How long nothing may come on it afterwards.
    silent_for: Duration,
    /// The maximum lifetime of a connection, so that a slow trickle of bytes cannot keep it open.
    lifetime: Duration,
}

/// Takes connections.
pub(super) struct Bounded {
    listener: TcpListener,
    places: Arc<Semaphore>,
    /// Connections without the secret, oldest first.
    unproven: VecDeque<Weak<Standing>>,
}

/// What a connection has shown so far.
struct Standing {
    places: Arc<Semaphore>,
    place: OnceLock<OwnedSemaphorePermit>,
    closed: CancellationToken,
}

/// The connection that a call came on.
#[derive(Clone)]
pub(super) struct Caller(Arc<Standing>);

impl Bounded {
    /// Takes the connections of a listener.
    pub(super) fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(PROVEN_CONNECTIONS)),
            unproven: VecDeque::new(),
        }
    }

    /// Adds a connection to those without the secret, and closes the oldest ones that are too many.
    fn admit(&mut self) -> Arc<Standing> {
        let is_unproven = |standing: &Weak<Standing>| {
            standing
                .upgrade()
                .is_some_and(|standing| standing.place.get().is_none())
        };
        self.unproven.retain(is_unproven);
        while self.unproven.len() >= UNPROVEN_CONNECTIONS {
            if let Some(oldest) = self.unproven.pop_front().and_then(|it| it.upgrade()) {
                oldest.closed.cancel();
            }
        }
        let standing = Arc::new(Standing::new(&self.places));
        self.unproven.push_back(Arc::downgrade(&standing));
        standing
    }
}

impl Standing {
    fn new(places: &Arc<Semaphore>) -> Self {
        Self {
            places: Arc::clone(places),
            place: OnceLock::new(),
            closed: CancellationToken::new(),
        }
    }
}

impl Caller {
    /// Gives the connection a place, since its call has the secret. It keeps the place until it
    /// ends.
    pub(super) async fn has_proven_itself(&self) {
        if self.0.place.get().is_some() {
            return;
        }
        // No one closes the semaphore, so there is always a place in the end.
        if let Ok(place) = Arc::clone(&self.0.places).acquire_owned().await {
            // Calls come one after another on a connection; another place would go back.
            let _ = self.0.place.set(place);
        }
    }
}

impl Connected<IncomingStream<'_, Bounded>> for Caller {
    fn connect_info(stream: IncomingStream<'_, Bounded>) -> Self {
        Self(Arc::clone(&stream.io().standing))
    }
}

impl Listener for Bounded {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // axum's own listener waits out what passes, such as too many open files.
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        (Connection::new(stream, self.admit(), LIMITS), peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends by itself.
pub(super) struct Connection<S = TcpStream> {
    stream: S,
    standing: Arc<Standing>,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
    /// When it has been unproven or silent for too long.
    end: Pin<Box<Sleep>>,
    /// Whether the end is that of a connection with the secret.
    is_proven: bool,
    silent_for: Duration,
    /// When it ends in any case.
    last: Instant,
}

impl<S> Connection<S> {
    fn new(stream: S, standing: Arc<Standing>, limits: Limits) -> Self {
        let now = Instant::now();
        Self {
            stream,
            closed: Box::pin(standing.closed.clone().cancelled_owned()),
            standing,
            end: Box::pin(tokio::time::sleep_until(now + limits.unproven_for)),
            is_proven: false,
            silent_for: limits.silent_for,
            last: now + limits.lifetime,
        }
    }

    /// Fails when its time is over; else has the task woken when it is.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.closed.as_mut().poll(context).is_ready() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        while self.end.as_mut().poll(context).is_ready() {
            if self.is_proven || self.standing.place.get().is_none() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.lives_on();
        }
        Ok(())
    }

    /// Something came.
    fn lives_on(&mut self) {
        self.is_proven = self.standing.place.get().is_some();
        if self.is_proven {
            let end = (Instant::now() + self.silent_for).min(self.last);
            self.end.as_mut().reset(end);
        }
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
        unproven_for: Duration::from_millis(80),
        silent_for: Duration::from_millis(40),
        lifetime: Duration::from_millis(200),
    };

    fn unproven() -> Arc<Standing> {
        Arc::new(Standing::new(&Arc::new(Semaphore::new(1))))
    }

    async fn proven() -> Arc<Standing> {
        let standing = unproven();
        Caller(Arc::clone(&standing)).has_proven_itself().await;
        standing
    }

    /// Sends a byte now and then until the connection ends; returns how long that took.
    async fn dripped(standing: Arc<Standing>) -> (io::ErrorKind, Duration) {
        let (mut far, near) = tokio::io::duplex(64);
        let dripping = tokio::spawn(async move {
            while far.write_u8(1).await.is_ok() {
                tokio::time::sleep(SHORT.silent_for / 8).await;
            }
        });
        let (mut near, began) = (Connection::new(near, standing, SHORT), Instant::now());
        let error = loop {
            if let Err(error) = near.read_u8().await {
                break error;
            }
        };
        dripping.abort();
        (error.kind(), began.elapsed())
    }

    #[tokio::test]
    async fn silent_connection_ends() {
        let (_far, near) = tokio::io::duplex(64);
        let read = Connection::new(near, proven().await, SHORT).read_u8().await;
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn connection_on_which_a_byte_comes_now_and_then_ends_too() {
        let (error, took) = dripped(proven().await).await;
        assert_eq!(error, io::ErrorKind::TimedOut);
        assert!(took >= SHORT.lifetime, "{took:?}");
    }

    #[tokio::test]
    async fn s9_a_connection_without_the_secret_ends_whatever_comes_on_it() {
        let (error, took) = dripped(unproven()).await;
        assert_eq!(error, io::ErrorKind::TimedOut);
        assert!(
            took >= SHORT.unproven_for && took < SHORT.lifetime,
            "{took:?}"
        );
    }

    #[tokio::test]
    async fn s9_the_oldest_connection_without_the_secret_makes_room() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut bounded = Bounded::new(listener);
        let first = bounded.admit();
        let second = bounded.admit();
        Caller(Arc::clone(&first)).has_proven_itself().await;
        let others: Vec<_> = (1..UNPROVEN_CONNECTIONS).map(|_| bounded.admit()).collect();
        assert!(!second.closed.is_cancelled());
        let last = bounded.admit();
        assert!(second.closed.is_cancelled());
        // One that has proved itself keeps its place; those that ended are no longer counted.
        assert!(!first.closed.is_cancelled());
        drop(others);
        for _ in 0..UNPROVEN_CONNECTIONS / 2 {
            drop(bounded.admit());
        }
        assert!(!last.closed.is_cancelled());
    }

    #[tokio::test]
    async fn s9_a_closed_connection_fails_at_once() {
        let (_far, near) = tokio::io::duplex(64);
        let standing = unproven();
        let mut near = Connection::new(near, Arc::clone(&standing), LIMITS);
        let read = tokio::spawn(async move { near.read_u8().await });
        tokio::task::yield_now().await;
        standing.closed.cancel();
        let error = read.await.unwrap().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionAborted);
    }
}
