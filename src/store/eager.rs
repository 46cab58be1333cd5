//! A future that is waited for with open eyes for a moment before its task goes to sleep.
//!
//! SQLite answers most statements within some ten microseconds, on a thread of its own. To put a task to
//! sleep and to wake it again takes longer than that, and each statement would do it twice.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;

/// How long it is waited for an answer before the task sleeps. What takes longer waits for the disk.
const EYES_OPEN: Duration = Duration::from_micros(60);
/// How often it is looked between two looks at the clock.
const LOOKS: u32 = 32;
/// After so many answers others have their turn, and the runtime counts anew what this task did.
const ROUNDS: usize = 64;

/// Waits for `future`, each time with open eyes first. Its thread does nothing else meanwhile, so it is for
/// a future whose answers come at once and for which everybody else waits.
pub(super) async fn eagerly<F: Future>(future: F) -> F::Output {
    Eager {
        future: Box::pin(future),
        awake: Arc::default(),
    }
    .await
}

struct Eager<F> {
    future: Pin<Box<F>>,
    awake: Arc<Awake>,
}

/// Whether the future can go on, and whom to wake for it once nobody looks any more.
#[derive(Default)]
struct Awake {
    can_go_on: AtomicBool,
    sleeper: AtomicWaker,
}

impl Wake for Awake {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.can_go_on.store(true, Ordering::Release);
        self.sleeper.wake();
    }
}

impl Awake {
    /// Looks whether the future can go on, for a moment.
    fn watches(&self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < EYES_OPEN {
            for _ in 0..LOOKS {
                if self.can_go_on.swap(false, Ordering::Acquire) {
                    return true;
                }
                std::hint::spin_loop();
            }
            // Where there is one processor, the answer is made while this thread gives it up.
            std::thread::yield_now();
        }
        false
    }
}

impl<F: Future> Future for Eager<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let awake = Arc::clone(&self.awake);
        let waker = Waker::from(Arc::clone(&awake));
        // Nobody is to be woken while this looks.
        drop(awake.sleeper.take());
        for _ in 0..ROUNDS {
            awake.can_go_on.store(false, Ordering::Release);
            let polled = self.future.as_mut().poll(&mut Context::from_waker(&waker));
            if polled.is_ready() {
                return polled;
            }
            if awake.watches() {
                continue;
            }
            awake.sleeper.register(context.waker());
            // It may have come between the last look and the register.
            if awake.can_go_on.swap(false, Ordering::AcqRel) {
                drop(awake.sleeper.take());
                continue;
            }
            return Poll::Pending;
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::oneshot;
    use tokio::time::sleep;

    use super::eagerly;

    #[tokio::test]
    async fn what_is_ready_ever_again_comes_to_its_end() {
        let many = eagerly(async {
            for _ in 0..10_000 {
                tokio::task::yield_now().await;
            }
            7
        });
        assert_eq!(many.await, 7);
    }

    #[tokio::test]
    async fn what_comes_at_once_and_what_comes_later_is_heard() {
        for pause in [Duration::ZERO, Duration::from_millis(30)] {
            let (said, heard) = oneshot::channel();
            let speaker = std::thread::spawn(move || {
                std::thread::sleep(pause);
                said.send(7).unwrap();
            });
            let heard = eagerly(async {
                // What sleeps goes on as well.
                sleep(Duration::from_millis(1)).await;
                heard.await
            });
            assert_eq!(heard.await, Ok(7), "{pause:?}");
            speaker.join().unwrap();
        }
    }
}
