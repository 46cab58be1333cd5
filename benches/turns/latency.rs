//! The latency of one message on an idle system: from the moment the platform has it until it has
//! the answer, less the time that the model took.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sayso_fakes::{BOT_USERNAME, CollectedSpan, FakeCollector};

use crate::figures::Figures;
use crate::platform::Chat;
use crate::process::Process;
use crate::world::World;

/// Messages that are not timed, so that connections are open and caches are warm.
pub const WARM_UP: usize = 5;

/// In which order people write.
#[derive(Clone, Copy)]
pub enum Order {
    /// One chat is finished before the next begins.
    ChatByChat,
    /// Each message comes from another chat than the one before.
    RoundRobin,
}

/// What people say; each message has its number in it, and no two answers are alike.
#[derive(Clone, Copy)]
pub enum Talk {
    /// Words that only a model can route.
    Messages,
    /// Plain questions, for which `routing = "auto"` asks no Phase 1.
    PlainQuestions,
}

impl Talk {
    fn line(self, number: usize) -> String {
        match self {
            Self::Messages => format!("message {number}."),
            Self::PlainQuestions => format!("What is 700 plus {number}?"),
        }
    }
}

/// What a run of single messages took.
pub struct Latency {
    /// From message to answer, each.
    pub whole: Figures,
    /// Model calls per message.
    pub model_calls: f64,
    /// Calls of the platform per message, polls aside.
    pub platform_calls: f64,
    model_time: Duration,
}

impl Latency {
    /// Returns the times less the time of all model calls.
    pub fn added(&self) -> Figures {
        let calls_ms = self.model_calls * self.model_time.as_secs_f64() * 1000.0;
        self.whole.less(calls_ms)
    }

    /// Returns the times less the time of one model call, as if the others were our own affair.
    pub fn added_over_one_call(&self) -> Figures {
        self.whole.less(self.model_time.as_secs_f64() * 1000.0)
    }
}

/// Has each of `chats` write `each` messages, every one after the answer to the last.
pub async fn one_at_a_time(
    world: &World,
    chats: &[Chat],
    each: usize,
    order: Order,
    talk: Talk,
) -> Latency {
    let stranger = world.chats(900, 1);
    for number in 0..WARM_UP {
        answered(&stranger[0], &talk.line(number)).await;
    }
    world.forget();
    let mut whole = Vec::with_capacity(chats.len() * each);
    for (chat, number) in turns(chats, each, order) {
        whole.push(answered(chat, &talk.line(number)).await);
    }
    let turns = whole.len() as f64;
    Latency {
        model_calls: world.model.requests().len() as f64 / turns,
        platform_calls: world.calls_to_speak() as f64 / turns,
        whole: Figures::of(&whole),
        model_time: world.model_time,
    }
}

/// Has each of `chats` write its first message; returns how long each waited until it saw that an answer
/// is being written.
pub async fn to_typing(chats: &[Chat]) -> Figures {
    let mut took = Vec::with_capacity(chats.len());
    for chat in chats {
        let begun = Instant::now();
        chat.says(&Talk::Messages.line(0));
        chat.sees_typing(1).await;
        took.push(begun.elapsed());
        chat.hears().await;
    }
    Figures::of(&took)
}

/// Has each of `chats` write `each` messages, every one after the answer to the last, to a process
/// that sends its traces to `collector`; returns how long each took until the row of its answer was
/// on disk, less the time of two model calls: at the latest then the desk begins to send it.
pub async fn to_the_outbox(
    world: &World,
    collector: &FakeCollector,
    chats: &[Chat],
    each: usize,
) -> Figures {
    let stranger = world.chats(901, 1);
    for number in 0..WARM_UP {
        answered(&stranger[0], &Talk::Messages.line(number)).await;
    }
    let mut said = Vec::with_capacity(chats.len() * each);
    for (chat, number) in turns(chats, each, Order::RoundRobin) {
        said.push(SystemTime::now());
        answered(chat, &Talk::Messages.line(number)).await;
    }
    let begun = said.first().copied().unwrap_or(UNIX_EPOCH);
    let sent = collector.hears_since("send final", begun, said.len()).await;
    let sent = sent.iter().map(CollectedSpan::began);
    let took = sent
        .zip(&said)
        .map(|(sent, said)| sent.duration_since(*said).unwrap_or_default());
    let took: Vec<Duration> = took.collect();
    let calls_ms = 2.0 * world.model_time.as_secs_f64() * 1000.0;
    Figures::of(&took).less(calls_ms)
}

fn turns(chats: &[Chat], each: usize, order: Order) -> Vec<(&Chat, usize)> {
    match order {
        Order::ChatByChat => chats
            .iter()
            .flat_map(|chat| (0..each).map(move |number| (chat, number)))
            .collect(),
        Order::RoundRobin => (0..each)
            .flat_map(|number| chats.iter().map(move |chat| (chat, number)))
            .collect(),
    }
}

/// How many messages the long conversation has.
const LONG: usize = 5_000;
/// How many messages in a row are compared with others.
const STRETCH: usize = 50;
/// How many messages there were before each stretch that is timed.
pub const STRETCHES: [usize; 3] = [0, 500, LONG - STRETCH];
/// How many members share it, so that none of them says too much in a minute.
const MEMBERS: usize = 200;

/// What a stretch of a conversation took.
pub struct Stretch {
    /// From message to answer, each.
    pub whole: Figures,
    /// The processor time of a turn, in milliseconds; other programs of the machine hardly change it.
    pub cpu_ms_per_turn: f64,
}

/// Holds one long conversation, in a group, and returns what its messages took in each of the
/// stretches.
pub async fn along_a_conversation(
    world: &World,
    process: &Process,
) -> anyhow::Result<[Stretch; 3]> {
    let members = world.group(MEMBERS as i64);
    let mut times = Vec::with_capacity(LONG);
    let mut used = vec![process.processor_time()?];
    for number in 0..LONG {
        let text = format!("@{BOT_USERNAME} message {number}.");
        times.push(answered(&members[number % MEMBERS], &text).await);
        if number % STRETCH == STRETCH - 1 {
            world.forget();
            used.push(process.processor_time()?);
        }
    }
    Ok(STRETCHES.map(|from| {
        let place = from / STRETCH;
        let used = used[place + 1].saturating_sub(used[place]);
        Stretch {
            whole: Figures::of(&times[from..from + STRETCH]),
            cpu_ms_per_turn: used.as_secs_f64() * 1000.0 / STRETCH as f64,
        }
    }))
}

/// Says something and waits for the answer; it must be the answer to this.
pub async fn answered(chat: &Chat, text: &str) -> Duration {
    let words = text.rsplit(BOT_USERNAME).next().unwrap_or(text).trim();
    told(chat, text, words).await
}

/// Says something and waits for an answer with these words that is not there yet.
pub async fn told(chat: &Chat, text: &str, words: &str) -> Duration {
    let began = Instant::now();
    chat.says(text);
    chat.hears_with(|answer| answer.text.contains(words)).await;
    began.elapsed()
}
