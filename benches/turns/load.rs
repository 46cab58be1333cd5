//! Many people at once: how fast all are answered, and whether each of them is, exactly once.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream;
use sayso_channel::RESENT_MARK;
use tokio::time::sleep;

use crate::platform::Chat;
use crate::world::World;

/// How long a burst may go without any answer before its unanswered messages count as lost.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often a burst is looked at; the error of its duration.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// One message that must be answered: in which chat, and by which words.
pub struct Expected<'a> {
    chat: &'a Chat,
    text: String,
}

/// What became of all messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Messages without an answer.
    pub lost: usize,
    /// Answers that are not the first to their message, and do not say so.
    pub doubled: usize,
    /// Answers that say that they may have been sent before.
    pub marked: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, more: Self) {
        self.lost += more.lost;
        self.doubled += more.doubled;
        self.marked += more.marked;
    }
}

/// Has everybody write `each` messages, all at the same moment.
pub fn say_at_once(chats: &[Chat], each: usize) -> Vec<Expected<'_>> {
    (0..each)
        .flat_map(|number| chats.iter().map(move |chat| say(chat, number)))
        .collect()
}

/// Waits until all but `missing` of these messages are answered, or nothing more is for a minute; returns how
/// long that took.
pub async fn until_answered(world: &World, expected: &[Expected<'_>], missing: usize) -> Duration {
    let began = Instant::now();
    let mut sent = world.sent();
    let enough = sent + tally(expected).lost.saturating_sub(missing);
    let mut latest = began;
    while latest.elapsed() < PATIENCE {
        if world.sent() > sent {
            (sent, latest) = (world.sent(), Instant::now());
        }
        // Counting calls is cheap; only then is it worth while to read the chats.
        if sent >= enough && tally(expected).lost <= missing {
            break;
        }
        sleep(LOOK_EVERY).await;
    }
    began.elapsed()
}

/// Has everybody write `each` messages, one after the answer to the last, `at_once` people at a time.
pub async fn in_flight(chats: &[Chat], each: usize, at_once: usize) -> (Duration, Tally) {
    let began = Instant::now();
    let expected: Vec<_> = stream::iter(chats)
        .map(|chat| converse(chat, each))
        .buffer_unordered(at_once)
        .concat()
        .await;
    (began.elapsed(), tally(&expected))
}

/// Looks at every chat and says what became of its messages.
pub fn tally(expected: &[Expected<'_>]) -> Tally {
    let mut sum = Tally::default();
    for expected in expected {
        let answers = expected.answers();
        let marked = answers.iter().filter(|text| text.contains(RESENT_MARK));
        let marked = marked.count();
        sum += Tally {
            lost: usize::from(answers.is_empty()),
            doubled: (answers.len() - marked).saturating_sub(1),
            marked,
        };
    }
    sum
}

impl Expected<'_> {
    fn answers(&self) -> Vec<String> {
        let messages = self.chat.messages().into_iter();
        messages
            .filter(|message| message.is_from_bot() && message.text.contains(&self.text))
            .map(|message| message.text)
            .collect()
    }
}

async fn converse(chat: &Chat, each: usize) -> Vec<Expected<'_>> {
    let mut said = Vec::with_capacity(each);
    for number in 0..each {
        let expected = say(chat, number);
        chat.hears_with(|answer| answer.text.contains(&expected.text))
            .await;
        said.push(expected);
    }
    said
}

/// Has somebody write one message.
pub fn say(chat: &Chat, number: usize) -> Expected<'_> {
    let text = format!("message {number} of chat {}.", chat.id());
    chat.says(&text);
    Expected { chat, text }
}
