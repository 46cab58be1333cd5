//! SIGTERM and Ctrl-C: the first asks Sayso to end in order, the second ends it at once.

use std::future::Future;
use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// What a shell reports of a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The signals that end the process.
pub(super) struct EndSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl EndSignals {
    /// Takes the signals from now on; must be called inside the runtime.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Runs `work`, cancelling `shutdown` at the first signal.
    pub(super) async fn around<T>(
        mut self,
        shutdown: CancellationToken,
        work: impl Future<Output = T>,
    ) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                result = &mut work => return result,
                () = self.next() => {
                    if shutdown.is_cancelled() {
                        end_at_once();
                    }
                    shutdown.cancel();
                }
            }
        }
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[expect(clippy::exit, reason = "a second signal must not wait for anything")]
fn end_at_once() {
    std::process::exit(INTERRUPTED);
}
