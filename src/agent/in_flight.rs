//! A question to a model that is under way while something else is done.

use std::pin::pin;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

/// A question under way, or its answer. Dropping it ends the request.
pub(super) struct InFlight<'a, T> {
    /// Polled only while somebody waits for it, or for something beside it.
    under_way: Option<BoxFuture<'a, T>>,
    answer: Option<T>,
}

impl<'a, T: Send> InFlight<'a, T> {
    /// Takes a question; nothing is sent before somebody waits.
    pub(super) fn new(call: impl Future<Output = T> + Send + 'a) -> Self {
        Self {
            under_way: Some(call.boxed()),
            answer: None,
        }
    }

    /// Waits until the answer is there. A wait that is given up loses nothing.
    pub(super) async fn arrives(&mut self) {
        if let Some(call) = &mut self.under_way {
            self.answer = Some(call.await);
            self.under_way = None;
        }
    }

    /// Does something else, during which the question goes out and its answer may arrive.
    pub(super) async fn beside<O>(&mut self, other: impl Future<Output = O>) -> O {
        let mut other = pin!(other);
        tokio::select! {
            biased;
            () = self.arrives() => {}
            done = &mut other => return done,
        }
        other.await
    }

    /// Returns whether the answer is there.
    pub(super) fn has_arrived(&self) -> bool {
        self.answer.is_some()
    }

    /// Returns the answer, if it is there; else ends the request.
    pub(super) fn into_answer(self) -> Option<T> {
        self.answer
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures_util::future::join;
    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::InFlight;

    #[tokio::test]
    async fn an_answer_arrives_while_something_else_is_done() {
        let (answer, answered) = oneshot::channel();
        let mut call = InFlight::new(async { answered.await.unwrap() });
        assert_eq!(call.beside(ready("at once")).await, "at once");
        assert!(!call.has_arrived());
        let other = async {
            answer.send("answer").unwrap();
            yield_now().await;
            "later"
        };
        assert_eq!(call.beside(other).await, "later");
        assert!(call.has_arrived());
        assert_eq!(call.into_answer(), Some("answer"));
    }

    #[tokio::test]
    async fn a_wait_that_is_given_up_loses_nothing() {
        let (answer, answered) = oneshot::channel();
        let mut call = InFlight::new(async { answered.await.unwrap() });
        tokio::select! {
            biased;
            () = call.arrives() => panic!("there is no answer yet"),
            () = yield_now() => {}
        }
        let (sent, ()) = join(async { answer.send("answer") }, call.arrives()).await;
        assert_eq!(sent, Ok(()));
        assert_eq!(call.into_answer(), Some("answer"));
        let never = InFlight::new(pending::<()>());
        assert_eq!(never.into_answer(), None);
    }
}
