//! The task that owns all background processes.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use sayso_channel::{Address, Language, Outbound};
use sayso_core::transcript::{CallId, Scope, SessionId, TurnId, UserId};
use sayso_store::outbox::OutboxRow;
use sayso_store::processes::{self, NewProcessRow};
use sayso_store::{Store, StoreError, Tx, now_ms};
use sayso_tools::{NewProcess, NotStarted, ProcessEnd, ProcessView, Running, SharedOutput};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::messages;
use crate::delivery::{OutboxWriter, Purpose, Saying};

/// How many run for one person, and in all.
const MOST_OF_ONE: usize = 3;
const MOST: usize = 16;
/// Of how many that have ended it is still known what they wrote.
const REMEMBERED: usize = 16;
/// The interval at which requests to stop a process are checked, while any runs.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The call that started a process, by which the model names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProcessKey {
    /// The turn of the call.
    pub turn: TurnId,
    /// The call.
    pub call: CallId,
}

/// Whose a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessOwner {
    /// The session in which it was started.
    pub session: SessionId,
    /// The user for whom it runs.
    pub user: UserId,
}

impl ProcessOwner {
    /// Returns whose the processes are that are started in a scope.
    pub fn of(scope: &Scope) -> Self {
        Self {
            session: scope.session,
            user: scope.user,
        }
    }
}

/// What is asked of the supervisor.
pub enum Ask {
    /// To start a process.
    Start(
        Box<NewProcess>,
        oneshot::Sender<Result<Running, NotStarted>>,
    ),
    /// To show one of this session and user.
    Look(
        ProcessKey,
        ProcessOwner,
        oneshot::Sender<Option<ProcessView>>,
    ),
}

/// Owns all background processes.
pub struct Supervisor {
    store: Store,
    outbox: OutboxWriter,
    /// The language of the instance, where one is configured.
    language: Option<Language>,
    asks: mpsc::Receiver<Ask>,
    live: HashMap<ProcessKey, Live>,
    /// The newest ones that have ended, the oldest first.
    ended: VecDeque<(ProcessKey, Ended)>,
    tasks: JoinSet<(ProcessKey, ProcessEnd)>,
}

/// One that runs.
struct Live {
    id: i64,
    whose: ProcessOwner,
    command: String,
    output: SharedOutput,
    stop: CancellationToken,
    end: watch::Sender<Option<ProcessEnd>>,
}

struct Ended {
    whose: ProcessOwner,
    view: ProcessView,
}

impl Supervisor {
    /// Returns a supervisor of nothing.
    pub fn new(
        store: Store,
        outbox: OutboxWriter,
        language: Option<Language>,
        asks: mpsc::Receiver<Ask>,
    ) -> Self {
        Self {
            store,
            outbox,
            language,
            asks,
            live: HashMap::new(),
            ended: VecDeque::new(),
            tasks: JoinSet::new(),
        }
    }

    /// Reports the processes that ended with an earlier run of the program, then works until
    /// `shutdown`, which ends all running processes. Those are reported at the next start, like
    /// processes that were lost by a kill.
    pub async fn run(mut self, shutdown: CancellationToken) {
        if let Err(error) = self.tell_of_lost().await {
            tracing::error!(%error, "cannot record ended background processes");
        }
        let mut look = tokio::time::interval(LOOK_EVERY);
        loop {
            tokio::select! {
                biased;
                () = shutdown.cancelled() => break,
                Some(ended) = self.tasks.join_next() => match ended {
                    Ok((key, end)) => self.note_end(key, end).await,
                    Err(error) => tracing::error!(%error, "background process task panicked"),
                },
                Some(ask) = self.asks.recv() => self.take(ask).await,
                _ = look.tick(), if !self.live.is_empty() => self.stop_wanted().await,
            }
        }
        for live in self.live.values() {
            live.stop.cancel();
        }
        while self.tasks.join_next().await.is_some() {}
    }

    async fn take(&mut self, ask: Ask) {
        // A requester that no longer waits needs no answer, so send errors are ignored.
        match ask {
            Ask::Start(process, answer) => {
                let _ = answer.send(self.start(*process).await);
            }
            Ask::Look(key, whose, answer) => {
                let _ = answer.send(self.look(&key, whose));
            }
        }
    }

    fn look(&self, key: &ProcessKey, whose: ProcessOwner) -> Option<ProcessView> {
        let running = self.live.get(key).filter(|live| live.whose == whose);
        let live = running.map(|live| ProcessView {
            ended: None,
            output: Some(live.output.clone()),
        });
        let mut ended = self.ended.iter();
        live.or_else(|| {
            let (_, ended) = ended.find(|(other, ended)| other == key && ended.whose == whose)?;
            Some(ended.view.clone())
        })
    }

    async fn start(&mut self, process: NewProcess) -> Result<Running, NotStarted> {
        let NewProcess {
            scope,
            call,
            command,
            lifetime,
            job,
        } = process;
        self.check_room(scope.user)?;
        let row = NewProcessRow {
            turn: scope.turn,
            call: call.clone(),
            session: scope.session,
            user: scope.user,
            command: self.outbox.redactor().redact(&command).into_owned(),
            until_ms: now_ms()
                .saturating_add(i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX)),
        };
        let written = self
            .store
            .write(move |tx| Box::pin(async move { processes::begin(tx, &row).await }));
        let id = written.await.map_err(|error| {
            tracing::error!(%error, "cannot record a background process");
            NotStarted::NotWritten
        })?;
        let (end, ended) = watch::channel(None);
        let (output, stop) = (SharedOutput::new(&scope, &call), CancellationToken::new());
        let key = ProcessKey {
            turn: scope.turn,
            call,
        };
        let live = Live {
            id,
            whose: ProcessOwner::of(&scope),
            command,
            output: output.clone(),
            stop: stop.clone(),
            end,
        };
        let running = Running {
            output,
            stop: stop.clone(),
            ended,
        };
        tracing::info!(turn = %scope.turn, "background process started");
        let (named, written) = (key.clone(), running.output.clone());
        self.tasks
            .spawn(async move { (named, job.run(scope, written, stop).await) });
        self.live.insert(key, live);
        Ok(running)
    }

    fn check_room(&self, user: UserId) -> Result<(), NotStarted> {
        let own = self.live.values().filter(|live| live.whose.user == user);
        if own.count() >= MOST_OF_ONE {
            Err(NotStarted::TooManyOfPerson(MOST_OF_ONE))
        } else if self.live.len() >= MOST {
            Err(NotStarted::TooMany(MOST))
        } else {
            Ok(())
        }
    }

    /// Stops the processes whose stop was requested.
    async fn stop_wanted(&mut self) {
        match processes::to_stop(self.store.reader()).await {
            Ok(wanted) => {
                let live = self.live.values();
                for live in live.filter(|live| wanted.contains(&live.id)) {
                    live.stop.cancel();
                }
            }
            Err(error) => tracing::error!(%error, "cannot poll background processes"),
        }
    }

    async fn note_end(&mut self, key: ProcessKey, end: ProcessEnd) {
        let Some(live) = self.live.remove(&key) else {
            return;
        };
        tracing::info!(turn = %key.turn, ?end, "background process ended");
        if let Err(error) = self.write_end(live.id, &live.command, &end).await {
            tracing::error!(%error, "cannot record the end of a background process");
        }
        if live.end.receiver_count() > 0 {
            // The call that started it still looks, and tells it.
            let told = key.clone();
            let noted = self.store.write_later(move |tx| {
                Box::pin(async move { processes::note_told(tx, told.turn, &told.call).await })
            });
            let _ = noted.await;
        }
        if self.ended.len() >= REMEMBERED {
            self.ended.pop_front();
        }
        let ended = Ended {
            whose: live.whose,
            view: ProcessView {
                ended: Some(end.clone()),
                output: Some(live.output),
            },
        };
        self.ended.push_back((key, ended));
        live.end.send_replace(Some(end));
    }

    async fn tell_of_lost(&self) -> Result<(), StoreError> {
        let lost = self
            .store
            .write(|tx| Box::pin(processes::unended(tx)))
            .await?;
        for process in lost {
            let end = ProcessEnd::WithProgram;
            self.write_end(process.id, &process.command, &end).await?;
        }
        Ok(())
    }

    /// Writes an end down, and says it where it is a failure.
    async fn write_end(&self, id: i64, command: &str, end: &ProcessEnd) -> Result<(), StoreError> {
        let (outbox, language) = (self.outbox.clone(), self.language);
        let (command, end) = (command.to_owned(), end.clone());
        let said = self.store.write(move |tx| {
            Box::pin(async move {
                let json = serde_json::to_string(&end)?;
                if !processes::end(tx, id, &json).await? || !end.is_failure() {
                    return Ok(Vec::new());
                }
                let Some(told) = processes::told_at(tx, id).await? else {
                    return Ok(Vec::new());
                };
                let language = match told.language.as_str() {
                    "" => language.unwrap_or_default(),
                    known => Language::nearest(known),
                };
                let text = messages::ended(&command, &end, language);
                say(tx, &outbox, &told.address, &text).await
            })
        });
        self.outbox.offer(said.await?);
        Ok(())
    }
}

async fn say(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    address: &str,
    text: &str,
) -> Result<Vec<OutboxRow>, StoreError> {
    let address: Address = serde_json::from_str(address)?;
    let outbound = Outbound::markdown(text);
    let saying = Saying {
        to: &address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    outbox.say(tx, saying).await
}
