//! The dispatcher: one task that owns the queues and sends from each of them one thing at a time.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{Address, ChannelName, ChatKind, MessageKey};
use sayso_core::redact::Redactor;
use sayso_core::transcript::OutboxId;
use sayso_store::outbox::{self, OutboxRow};
use sayso_store::{Store, chats};
use tokio::sync::mpsc;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::chat_queue::{ChatQueue, HELD, LaneKey, Next};
use super::live;
use super::live_state::Shown;
use super::outbox_writer::{Channels, Memo, OutboxWriter};
use super::pace::Budgets;
use super::route::Route;
use super::send;

/// How many memos may wait at the dispatcher. More is no loss: rows are found at the next look.
const MEMOS: usize = 4096;
/// How often the outbox is looked through for rows that no memo announced.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often live messages that wait for budget are tried again.
const LIVE_EVERY: Duration = Duration::from_millis(200);

/// Sends what is in the outbox. One per process.
pub struct Dispatcher {
    store: Store,
    channels: Arc<Channels>,
    budgets: HashMap<ChannelName, Arc<Budgets>>,
    memos: mpsc::Receiver<Memo>,
    lanes: HashMap<LaneKey, ChatQueue>,
    /// Rows that are in a queue or on their way.
    known: HashSet<OutboxId>,
    /// What is on its way.
    sending: JoinSet<NextPoll>,
    /// What each task sends, to free its queue when it ends badly.
    tasks: HashMap<Id, (LaneKey, Option<OutboxId>)>,
    /// Writes down what was sent, behind the queues.
    notes: TaskTracker,
    /// What the live messages show.
    shown: Arc<Shown>,
}

impl Dispatcher {
    /// Returns the dispatcher, and the writer by which every room speaks: without secrets.
    pub fn new(store: Store, channels: Arc<Channels>, redactor: Redactor) -> (Self, OutboxWriter) {
        let (sender, memos) = mpsc::channel(MEMOS);
        let outbox = OutboxWriter::new(Arc::clone(&channels), sender, redactor);
        let budgets = channels
            .iter()
            .map(|(name, channel)| (name.clone(), Arc::new(Budgets::new(channel.profile()))))
            .collect();
        let dispatcher = Self {
            store,
            channels,
            budgets,
            memos,
            lanes: HashMap::new(),
            known: HashSet::new(),
            sending: JoinSet::new(),
            tasks: HashMap::new(),
            notes: TaskTracker::new(),
            shown: Arc::default(),
        };
        (dispatcher, outbox)
    }

    /// Sends until `shutdown`, then sends what is already in its queues, for at most `flush`.
    pub async fn run(mut self, shutdown: CancellationToken, flush: Duration) {
        self.find_unknown().await;
        let mut look = tokio::time::interval(LOOK_EVERY);
        let mut live = tokio::time::interval(LIVE_EVERY);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                Some(memo) = self.memos.recv() => self.take_memo(memo),
                Some(said) = self.sending.join_next_with_id() => self.note_said(said).await,
                _ = look.tick() => self.look().await,
                _ = live.tick(), if self.lanes.values().any(ChatQueue::has_live) => self.say_live(),
            }
        }
        if tokio::time::timeout(flush, self.flush()).await.is_err() {
            tracing::warn!(
                "unsent messages remain at shutdown; they will be sent at the next start"
            );
        }
    }

    async fn flush(&mut self) {
        while let Ok(memo) = self.memos.try_recv() {
            self.take_memo(memo);
        }
        while let Some(said) = self.sending.join_next_with_id().await {
            self.note_said(said).await;
        }
        self.notes.close();
        self.notes.wait().await;
    }

    async fn find_unknown(&self) {
        match self
            .store
            .write(|tx| Box::pin(outbox::find_unknown(tx)))
            .await
        {
            Ok(0) => {}
            Ok(count) => tracing::warn!(
                count,
                "delivery status unknown; messages are resent, marked as possible duplicates"
            ),
            Err(error) => tracing::error!(%error, "cannot read the outbox"),
        }
    }

    /// Looks through the outbox for rows that no memo announced, and lets go of idle queues: until
    /// then a queue knows what kind of chat it leads to.
    async fn look(&mut self) {
        self.lanes.retain(|_, lane| !lane.is_idle());
        for budgets in self.budgets.values() {
            budgets.forget_idle();
        }
        // One is on its way, and one more than is held says that there is more.
        match outbox::open_rows(self.store.reader(), HELD as i64 + 2).await {
            Ok(rows) => {
                self.lanes.values_mut().for_each(ChatQueue::catches_up);
                self.take_rows(rows);
            }
            Err(error) => tracing::error!(%error, "cannot read the outbox"),
        }
    }

    fn take_memo(&mut self, memo: Memo) {
        match memo {
            Memo::Rows(rows) => self.take_rows(rows),
            Memo::Live(update) => {
                let key = lane_key(&update.address);
                self.lanes.entry(key.clone()).or_default().show(update);
                self.say_next(&key);
            }
            Memo::React(address, message) => self.react(address, message),
        }
    }

    /// Cosmetic, and limited by the platform apart from messages: nothing waits for it.
    fn react(&self, address: Address, message: MessageKey) {
        let channel = self.channels.get(&address.channel);
        let Some(channel) = channel.filter(|channel| channel.profile().reactions) else {
            return;
        };
        let channel = Arc::clone(channel);
        self.notes.spawn(async move {
            if let Err(error) = channel.react(&address, &message).await {
                tracing::debug!(%error, "reaction not shown");
            }
        });
    }

    fn take_rows(&mut self, rows: Vec<OutboxRow>) {
        for row in rows {
            if self.known.contains(&row.id) {
                continue;
            }
            match serde_json::from_str::<Address>(&row.address) {
                Ok(address) => {
                    let (key, id) = (lane_key(&address), row.id);
                    if self.lanes.entry(key.clone()).or_default().push(row) {
                        self.known.insert(id);
                        self.say_next(&key);
                    }
                }
                Err(error) => {
                    tracing::error!(row = %row.id, %error, "outbox row without an address");
                }
            }
        }
    }

    fn say_live(&mut self) {
        let waiting: Vec<LaneKey> = self
            .lanes
            .iter()
            .filter(|(_, lane)| lane.has_live())
            .map(|(key, _)| key.clone())
            .collect();
        for key in waiting {
            self.say_next(&key);
        }
    }

    fn say_next(&mut self, key: &LaneKey) {
        // A channel that is not configured now keeps its rows for later.
        let Some(channel) = self.channels.get(&key.channel) else {
            return;
        };
        let Some(budgets) = self.budgets.get(&key.channel) else {
            return;
        };
        let Some(lane) = self.lanes.get_mut(key) else {
            return;
        };
        let kind = lane.kind;
        let room = || budgets.allows(&key.chat, kind.unwrap_or(ChatKind::Group));
        let Some(next) = lane.take(room) else { return };
        let route = Route {
            store: self.store.clone(),
            channel: Arc::clone(channel),
            budgets: Arc::clone(budgets),
            notes: self.notes.clone(),
            shown: Arc::clone(&self.shown),
        };
        let row = match &next {
            Next::Row(row) => Some(row.id),
            Next::Live(_) => None,
        };
        let task = self.sending.spawn(say(route, key.clone(), kind, next));
        self.tasks.insert(task.id(), (key.clone(), row));
    }

    /// Something was said, or is at least no longer on its way.
    async fn note_said(&mut self, said: Result<(Id, NextPoll), JoinError>) {
        let (id, left) = match said {
            Ok((id, left)) => (id, left),
            Err(error) => return self.note_panic(&error),
        };
        let Some((key, row)) = self.tasks.remove(&id) else {
            return;
        };
        if let Some(row) = row {
            self.known.remove(&row);
        }
        let mut looks = left.is_doubtful;
        if let Some(lane) = self.lanes.get_mut(&key) {
            lane.kind = left.kind.or(lane.kind);
            lane.done();
            looks |= lane.is_used_up();
        }
        self.say_next(&key);
        if looks {
            self.look().await;
        }
    }

    /// It is unknown whether the row was sent; its queue waits until that is recorded.
    fn note_panic(&mut self, error: &JoinError) {
        tracing::error!(%error, "sending panicked");
        let Some((key, row)) = self.tasks.remove(&error.id()) else {
            return;
        };
        if let Some(row) = row {
            let store = self.store.clone();
            let task = self.sending.spawn(async move {
                send::keep_writing(&store, move |tx| {
                    Box::pin(outbox::doubt_after_panic(tx, row))
                })
                .await;
                NextPoll::DOUBTFUL
            });
            self.tasks.insert(task.id(), (key, Some(row)));
            return;
        }
        if let Some(lane) = self.lanes.get_mut(&key) {
            lane.done();
        }
        self.say_next(&key);
    }
}

/// What is left when something was said.
struct NextPoll {
    /// The kind of chat that it was said in, where that was looked up.
    kind: Option<ChatKind>,
    /// Whether its row may have to be sent again.
    is_doubtful: bool,
}

impl NextPoll {
    const DOUBTFUL: Self = Self {
        kind: None,
        is_doubtful: true,
    };
}

async fn say(route: Route, lane: LaneKey, kind: Option<ChatKind>, next: Next) -> NextPoll {
    let kind = match kind {
        Some(kind) => kind,
        None => kind_of(&route.store, &lane).await,
    };
    let said = NextPoll {
        kind: Some(kind),
        is_doubtful: false,
    };
    match next {
        Next::Live(update) => {
            if let Some(pause) = live::show(&route, &update).await {
                route.budgets.note_refusal(&lane.chat, kind, pause);
            }
        }
        Next::Row(row) => {
            let id = row.id;
            if let Err(error) = route.send(row, kind).await {
                tracing::error!(row = %id, %error, "cannot write the outbox");
                send::keep_writing(&route.store, move |tx| Box::pin(outbox::doubt(tx, id))).await;
                return NextPoll::DOUBTFUL;
            }
        }
    }
    said
}

async fn kind_of(store: &Store, lane: &LaneKey) -> ChatKind {
    let found = chats::kind_of(store.reader(), lane.channel.as_str(), lane.chat.as_str()).await;
    found.ok().flatten().unwrap_or(ChatKind::Group)
}

fn lane_key(address: &Address) -> LaneKey {
    LaneKey {
        channel: address.channel.clone(),
        chat: address.chat.clone(),
    }
}
