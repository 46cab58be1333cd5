//! A press on its way: judged by the agent, answered within Discord's patience.
//!
//! It is answered once: with its notice when that comes in time, else with a plain
//! acknowledgement, and the notice follows; a notice that the card repeats is left out. Discord does not deliver a press again, so one that
//! the inbox refuses is offered again as long as its person waits.

use std::pin::pin;
use std::time::Duration;

use sayso_channel::{Inbound, InboxClosed, Language, Notice, NoticeKind, Receipt};
use tokio::time::{sleep, timeout};
use tracing::error;

use super::backoff::Backoff;
use super::interactions::{Answer, InteractionResponder};
use super::messages;
use crate::reply::InteractionKey;

/// How long a press may be judged before it is given up.
const JUDGED_WITHIN: Duration = Duration::from_secs(30);

impl InteractionResponder<'_> {
    /// Hands a press over and answers it.
    pub(super) async fn judge(&self, press: Inbound, key: &InteractionKey, language: Language) {
        let timeouts = &self.listener.config.timeouts;
        let mut judged = pin!(self.offer(press));
        if let Ok(receipt) = timeout(timeouts.answer_press_within, &mut judged).await {
            let answer = match worth_saying(receipt.notice) {
                Some(notice) => Answer::Aside(notice.text),
                None => Answer::Taken,
            };
            return self.answer(key, answer).await;
        }
        let late = timeout(JUDGED_WITHIN, judged);
        let ((), outcome) = tokio::join!(self.answer(key, Answer::Taken), late);
        let notice = outcome.map_or_else(|_| Some(given_up(language)), |receipt| receipt.notice);
        if let Some(notice) = worth_saying(notice) {
            self.say_aside(key, &notice.text).await;
        }
    }

    /// Offers a press until it is taken.
    async fn offer(&self, press: Inbound) -> Receipt {
        let mut backoff = Backoff::new(&self.listener.config.timeouts);
        loop {
            match self.listener.inbox.put(press.clone()).await {
                Ok(receipt) => return receipt,
                Err(InboxClosed) => sleep(backoff.pause()).await,
            }
        }
    }
}

/// Leaves out a notice that repeats what the pressed message shows: the person would have to dismiss
/// it each time.
fn worth_saying(notice: Option<Notice>) -> Option<Notice> {
    notice.filter(|notice| match notice.kind {
        NoticeKind::Echo => false,
        NoticeKind::Passing | NoticeKind::Alert => true,
    })
}

fn given_up(language: Language) -> Notice {
    error!("a press was not judged in time and is given up");
    Notice {
        text: messages::press_not_stored(language),
        kind: NoticeKind::Alert,
    }
}
