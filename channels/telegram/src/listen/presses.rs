//! Presses on their way: judged by the agent, answered within Telegram's patience.
//!
//! A press is judged and stored while the next poll is already open; its update is confirmed to
//! Telegram only when it is stored. It is answered once: with its notice when that comes in time,
//! else with a plain acknowledgement, so that the button stops spinning. All of it runs inside
//! [`Presses::meanwhile`], in the caller's task.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt, poll};
use sayso_channel::{Inbound, Inbox, InboxClosed, Notice, NoticeKind, Receipt};
use serde_json::Value;
use teloxide::payloads::AnswerCallbackQuery;
use tokio::time::timeout;
use tracing::{debug, error};

use crate::bot_api::BotApi;

/// How long a press may be judged; then it counts as stored, because otherwise it would be received
/// again forever.
const JUDGED_WITHIN: Duration = Duration::from_secs(30);

/// How long presses that are under way may take after shutdown.
const FINISHED_WITHIN: Duration = Duration::from_millis(500);

/// What became of a press.
pub(super) enum Judged {
    /// It is stored; this answers it, unless it was answered before.
    Stored(Option<AnswerCallbackQuery>),
    /// It is not stored and must be heard again.
    NotStored,
}

/// How far a press that was heard has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Judging,
    Stored,
    /// It was not stored; Telegram delivers it again.
    Missed,
}

/// The presses of one channel, by the number of their update.
pub(super) struct Presses<'a> {
    api: &'a BotApi,
    inbox: &'a Inbox,
    answer_within: Duration,
    heard: BTreeMap<i64, Progress>,
    judging: FuturesUnordered<BoxFuture<'a, (i64, Judged)>>,
    answering: FuturesUnordered<BoxFuture<'a, ()>>,
}

impl<'a> Presses<'a> {
    pub(super) fn new(api: &'a BotApi, inbox: &'a Inbox, answer_within: Duration) -> Self {
        Self {
            api,
            inbox,
            answer_within,
            heard: BTreeMap::new(),
            judging: FuturesUnordered::new(),
            answering: FuturesUnordered::new(),
        }
    }

    /// Passes a press to the inbox, unless an earlier delivery of it is stored or being judged.
    pub(super) async fn hear(&mut self, update_id: i64, press: Inbound) {
        match self.heard.get(&update_id) {
            Some(Progress::Judging | Progress::Stored) => return,
            Some(Progress::Missed) | None => {}
        }
        self.heard.insert(update_id, Progress::Judging);
        let query = press.key.id.clone();
        let stored = begun(self.inbox.put(press)).await;
        let judged = judge(self.api, query, stored, self.answer_within);
        let numbered = judged.map(move |judged| (update_id, judged));
        self.judging.push(numbered.boxed());
    }

    /// Returns the first update that must not be confirmed yet.
    pub(super) fn first_unstored(&self) -> Option<i64> {
        self.heard
            .iter()
            .find(|(_, progress)| **progress != Progress::Stored)
            .map(|(update_id, _)| *update_id)
    }

    /// Returns whether an update is a press that must be handed over once more.
    pub(super) fn has_missed(&self, update_id: i64) -> bool {
        self.heard.get(&update_id) == Some(&Progress::Missed)
    }

    /// Forgets the presses that Telegram cannot deliver again.
    pub(super) fn forget_before(&mut self, offset: i64) {
        self.heard
            .retain(|update_id, progress| *progress != Progress::Stored || *update_id >= offset);
    }

    /// Does `work`, and judges and answers presses while it takes.
    pub(super) async fn meanwhile<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                result = &mut work => return result,
                () = self.step() => {}
            }
        }
    }

    /// Finishes what can be finished in the short time that a shutdown leaves.
    pub(super) async fn finish(mut self) {
        let all = async {
            while !(self.judging.is_empty() && self.answering.is_empty()) {
                self.step().await;
            }
        };
        if timeout(FINISHED_WITHIN, all).await.is_err() {
            debug!("presses were left unanswered at the end");
        }
    }

    /// Waits until one press got further.
    async fn step(&mut self) {
        tokio::select! {
            Some((update_id, judged)) = self.judging.next(), if !self.judging.is_empty() => {
                self.settle(update_id, judged);
            }
            Some(()) = self.answering.next(), if !self.answering.is_empty() => {}
            else => std::future::pending().await,
        }
    }

    fn settle(&mut self, update_id: i64, judged: Judged) {
        match judged {
            Judged::NotStored => {
                self.heard.insert(update_id, Progress::Missed);
            }
            Judged::Stored(answer) => {
                self.heard.insert(update_id, Progress::Stored);
                let sent = answer.map(|answer| send(self.api, answer).boxed());
                self.answering.extend(sent);
            }
        }
    }
}

/// Starts a future now, so that what it does first is done before what the caller does next.
///
/// Puts that were begun one after the other are stored in that order, however they are awaited.
pub(super) async fn begun<'a, T: Send + 'a>(
    future: impl Future<Output = T> + Send + 'a,
) -> BoxFuture<'a, T> {
    let mut future = future.boxed();
    match poll!(&mut future) {
        Poll::Ready(result) => std::future::ready(result).boxed(),
        Poll::Pending => future,
    }
}

/// Waits until a press is stored, and acknowledges it plainly when that takes too long.
pub(super) async fn judge(
    api: &BotApi,
    query: String,
    stored: impl Future<Output = Result<Receipt, InboxClosed>>,
    answer_within: Duration,
) -> Judged {
    let mut stored = pin!(stored);
    match timeout(answer_within, &mut stored).await {
        Ok(Ok(receipt)) => return Judged::Stored(Some(answer(query, receipt.notice))),
        Ok(Err(InboxClosed)) => return Judged::NotStored,
        Err(_) => {}
    }
    let late = timeout(JUDGED_WITHIN, stored);
    let ((), outcome) = tokio::join!(send(api, answer(query, None)), late);
    match outcome {
        Ok(Ok(_)) => Judged::Stored(None),
        Ok(Err(InboxClosed)) => Judged::NotStored,
        Err(_) => {
            error!("a press was not judged in time and is given up");
            Judged::Stored(None)
        }
    }
}

fn answer(query: String, notice: Option<Notice>) -> AnswerCallbackQuery {
    let mut answer = AnswerCallbackQuery::new(query.into());
    if let Some(notice) = notice {
        answer.text = Some(notice.text);
        answer.show_alert = Some(notice.kind == NoticeKind::Alert);
    }
    answer
}

/// Sends an answer. When it fails nothing is lost but a notice: the press is stored.
pub(super) async fn send(api: &BotApi, answer: AnswerCallbackQuery) {
    if let Err(error) = api.call::<_, Value>(&answer).await {
        debug!(%error, "a press could not be answered");
    }
}
