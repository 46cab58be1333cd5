//! Connections that cannot be held open: this many at once, and each for so long. Where all places
//! are taken, the oldest connection that is not being answered is closed for the next one.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// How many connections there may be at once.
const CONNECTIONS: usize = 32;
/// How long the head of the first request may take, and the body of a call with it.
const HEAD_WITHIN: Duration = Duration::from_secs(5);
/// How long one connection may live, whatever happens on it. A scrape takes milliseconds.
const LIFETIME: Duration = Duration::from_secs(10);
/// Where every connection is being answered, how long until the next look.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// Takes connections.
pub(super) struct Door {
    listener: TcpListener,
    /// Oldest first.
    connections: VecDeque<Weak<Standing>>,
}

/// What is known of a connection.
struct Standing {
    stage: AtomicU8,
    closed: CancellationToken,
}

/// No request has come whole yet.
const NO_HEAD: u8 = 0;
/// A request is being answered.
const ANSWERING: u8 = 1;
/// All that was asked is answered.
const ANSWERED: u8 = 2;

impl Standing {
    fn new() -> Self {
        Self {
            stage: AtomicU8::new(NO_HEAD),
            closed: CancellationToken::new(),
        }
    }

    fn is(&self, stage: u8) -> bool {
        self.stage.load(Ordering::Relaxed) == stage
    }
}

/// The connection that a request came on.
#[derive(Clone)]
pub(super) struct Caller(Arc<Standing>);

impl Caller {
    /// Keeps the connection open while a request is answered.
    pub(super) fn answering(&self) -> Answering {
        self.0.stage.store(ANSWERING, Ordering::Relaxed);
        Answering(Arc::clone(&self.0))
    }
}

impl Connected<IncomingStream<'_, Door>> for Caller {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        Self(Arc::clone(&stream.io().standing))
    }
}

/// Until it is dropped, a request is being answered.
pub(super) struct Answering(Arc<Standing>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.stage.store(ANSWERED, Ordering::Relaxed);
    }
}

impl Door {
    /// Takes the connections of a listener.
    pub(super) fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            connections: VecDeque::new(),
        }
    }

    /// Returns whether there is a place, after one was made if it had to be and could be.
    fn has_room(&mut self) -> bool {
        self.connections.retain(|it| it.strong_count() > 0);
        if self.connections.len() < CONNECTIONS {
            return true;
        }
        let oldest = |stage| {
            let is = |it: &Weak<Standing>| it.upgrade().is_none_or(|it| it.is(stage));
            self.connections.iter().position(is)
        };
        let Some(position) = oldest(NO_HEAD).or_else(|| oldest(ANSWERED)) else {
            return false;
        };
        let removed = self.connections.remove(position);
        if let Some(standing) = removed.and_then(|it| it.upgrade()) {
            standing.closed.cancel();
        }
        true
    }
}

impl Listener for Door {
    type Io = Bounded;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Bounded, SocketAddr) {
        // axum's own listener waits out what passes, such as too many open files.
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        while !self.has_room() {
            tokio::time::sleep(LOOK_AGAIN_AFTER).await;
        }
        let connection = Bounded::new(stream);
        let standing = Arc::downgrade(&connection.standing);
        self.connections.push_back(standing);
        (connection, peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends by itself.
pub(super) struct Bounded {
    stream: TcpStream,
    standing: Arc<Standing>,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
    end: Pin<Box<Sleep>>,
    /// When it ends in any case.
    last: Instant,
}

impl Bounded {
    fn new(stream: TcpStream) -> Self {
        let now = Instant::now();
        let standing = Arc::new(Standing::new());
        Self {
            stream,
            closed: Box::pin(standing.closed.clone().cancelled_owned()),
            standing,
            end: Box::pin(tokio::time::sleep_until(now + HEAD_WITHIN)),
            last: now + LIFETIME,
        }
    }

    /// Fails when the time is over; else has the task woken when it is.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.closed.as_mut().poll(context).is_ready() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        while self.end.as_mut().poll(context).is_ready() {
            if self.standing.is(NO_HEAD) || self.end.deadline() >= self.last {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.end.as_mut().reset(self.last);
        }
        Ok(())
    }
}

impl AsyncRead for Bounded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Bounded {
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
    use std::net::Ipv4Addr;

    use super::{ANSWERED, Arc, CONNECTIONS, Caller, Door, Standing, TcpListener};

    fn taken(door: &mut Door) -> Caller {
        let standing = Arc::new(Standing::new());
        assert!(door.has_room());
        door.connections.push_back(Arc::downgrade(&standing));
        Caller(standing)
    }

    #[tokio::test]
    async fn s9_what_asks_nothing_makes_room_and_what_is_answered_does_not() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let mut door = Door::new(listener);
        let mut callers: Vec<_> = (0..CONNECTIONS).map(|_| taken(&mut door)).collect();
        let first = callers[0].answering();
        let second = callers[1].answering();
        drop(second);
        assert!(callers[1].0.is(ANSWERED));
        callers.push(taken(&mut door));
        let closed = |callers: &[Caller]| -> Vec<usize> {
            let closed = callers.iter().enumerate();
            let closed = closed.filter(|(_, caller)| caller.0.closed.is_cancelled());
            closed.map(|(number, _)| number).collect()
        };
        assert_eq!(closed(&callers), [2]);
        // Where everybody has asked, one that has its answer is the next.
        let answering: Vec<_> = callers[3..].iter().map(Caller::answering).collect();
        callers.push(taken(&mut door));
        assert_eq!(closed(&callers), [1, 2]);
        let last = callers[callers.len() - 1].answering();
        assert!(!door.has_room());
        drop((first, last, answering));
        assert!(door.has_room());
    }
}
