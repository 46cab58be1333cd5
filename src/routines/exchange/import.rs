//! Keeping what a file has: all of it, or nothing where something is wrong.

use sayso_channel::{Address, ChatKind};
use sayso_core::transcript::{Role, RoutineId, SessionId, UserId};
use sayso_store::chats::ChatRow;
use sayso_store::routines::{self, Added, NewRoutine, RoutineChange, RoutineRow};
use sayso_store::{Store, StoreError, Tx, chats, now_ms, people};

use super::check::{CheckedRoutine, Problem, Start, Why, check, when};
use crate::routines::context::RoutineLimits;
use crate::routines::plan::{spread_of, start};
use crate::routines::timetable::Timetable;
use crate::routines::triggers::Trigger;

/// What became of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// All of it is kept.
    Kept(Imported),
    /// Something is wrong, and nothing of it is kept.
    Refused(Vec<Problem>),
}

/// What is kept of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many are new.
    pub new: usize,
    /// How many were there already.
    pub known: usize,
    /// How many come once, at a time that is over.
    pub over: usize,
    /// The new ones that signed calls start.
    pub webhooks: Vec<RoutineId>,
}

/// Keeps what a file has. `has_listener` says whether webhooks can be called.
///
/// # Errors
/// When the database cannot be read or written; then nothing is kept.
pub async fn import(
    store: &Store,
    limits: RoutineLimits,
    has_listener: bool,
    text: &str,
) -> Result<Outcome, StoreError> {
    let checked = match check(text) {
        Ok(checked) => checked,
        Err(problems) => return Ok(Outcome::Refused(problems)),
    };
    store
        .write(move |tx| {
            Box::pin(async move {
                let mut import = Import {
                    limits: &limits,
                    has_listener,
                    now_ms: now_ms(),
                    plan: Vec::new(),
                    imported: Imported::default(),
                };
                let mut problems = Vec::new();
                for routine in &checked {
                    match import.judge(tx, routine).await? {
                        Ok(()) => {}
                        Err(problem) => problems.push(problem),
                    }
                }
                if !problems.is_empty() {
                    return Ok(Outcome::Refused(problems));
                }
                import.keep(tx).await.map(Outcome::Kept)
            })
        })
        .await
}

/// A file that is being judged.
struct Import<'a> {
    limits: &'a RoutineLimits,
    has_listener: bool,
    now_ms: i64,
    /// What is new so far.
    plan: Vec<Planned>,
    imported: Imported,
}

/// Stands in a routine that is judged: its session is made when it is kept, so that a file that is
/// refused leaves none.
const NO_SESSION: SessionId = SessionId(0);

/// A routine that is to be kept.
struct Planned {
    /// With [`NO_SESSION`].
    new: NewRoutine,
    /// The thread of its session.
    thread: String,
    is_once: bool,
    off: bool,
}

/// Whose a routine is and where it reports.
struct Target {
    user: UserId,
    address: Address,
    chat: ChatRow,
}

impl Import<'_> {
    /// Judges one routine with what is in the database and in the file before it.
    async fn judge(
        &mut self,
        tx: &mut Tx,
        routine: &CheckedRoutine,
    ) -> Result<Result<(), Problem>, StoreError> {
        let target = match target(tx, routine).await? {
            Ok(target) => target,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(problem) = self.misplaced(routine, target.chat.kind) {
            return Ok(Err(problem));
        }
        let planned = match self.planned(tx, routine, &target).await? {
            Ok(Some(planned)) => planned,
            Ok(None) => {
                self.imported.over += 1;
                return Ok(Ok(()));
            }
            Err(problem) => return Ok(Err(problem)),
        };
        let own = routines::of_in(tx, target.user, None).await?;
        let is_known = own.iter().any(|row| is_same(row, &planned.new))
            || self.plan.iter().any(|it| is_equal(&it.new, &planned.new));
        if is_known {
            self.imported.known += 1;
            return Ok(Ok(()));
        }
        let kind = planned.new.kind;
        let there = own
            .iter()
            .filter(|row| row.kind == kind && row.is_to_come());
        let is_of_them = |it: &&Planned| it.new.user == target.user && it.new.kind == kind;
        let count = there.count() + self.plan.iter().filter(is_of_them).count();
        let most = self.limits.most_of(kind);
        if count >= most {
            return Ok(Err(routine.place.problem("person", Why::TooMany(most))));
        }
        self.plan.push(planned);
        Ok(Ok(()))
    }

    /// Returns what is wrong with where a trigger is to work.
    fn misplaced(&self, routine: &CheckedRoutine, place: ChatKind) -> Option<Problem> {
        let Start::Event(trigger) = &routine.start else {
            return None;
        };
        let problem = |key, why| Some(routine.place.problem(key, why));
        match (trigger, place) {
            (Trigger::Words { .. }, ChatKind::Direct) => {
                problem("on_words", Why::WordsOutsideGroup)
            }
            (Trigger::Webhook, ChatKind::Group) => problem("on_webhook", Why::WebhookInGroup),
            (Trigger::Webhook, ChatKind::Direct) if !self.has_listener => {
                problem("on_webhook", Why::NoListener)
            }
            (Trigger::File { .. } | Trigger::Words { .. } | Trigger::Webhook, _) => None,
        }
    }

    async fn planned(
        &self,
        tx: &mut Tx,
        routine: &CheckedRoutine,
        target: &Target,
    ) -> Result<Result<Option<Planned>, Problem>, StoreError> {
        let here = self.limits.zone_of(tx, target.user).await?;
        let when = match when(routine, here, self.limits, self.now_ms) {
            Ok(when) => when,
            Err(problem) => return Ok(Err(problem)),
        };
        let trigger = match &routine.start {
            Start::Event(trigger) => Some(trigger.as_text()),
            Start::Clock { .. } if when.is_none() => return Ok(Ok(None)),
            Start::Clock { .. } => None,
        };
        let thread = target.address.thread.as_ref();
        let thread = thread.map_or_else(String::new, |it| it.as_str().to_owned());
        let timetable = when.as_ref().map(|it| &it.timetable);
        let zone = timetable.map_or(here.zone, Timetable::zone);
        let new = NewRoutine {
            user: target.user,
            // What they may do is looked up when it runs; more than this it is not from here.
            role: Role::Member,
            chat: target.chat.id,
            session: NO_SESSION,
            address: serde_json::to_string(&target.address)?,
            kind: routine.kind,
            name: routine.name.clone(),
            schedule: timetable.map_or_else(String::new, |it| it.schedule().as_text()),
            zone: zone.name().to_owned(),
            follows: when.as_ref().is_none_or(|it| it.follows),
            anchor_ms: timetable.map_or(self.now_ms, Timetable::anchor_ms),
            prompt: routine.words.clone(),
            taint: routine.taint.clone(),
            notify: routine.notify,
            late: routine.late.clone(),
            due_ms: when.as_ref().map(|it| it.due_ms),
            source: trigger,
        };
        Ok(Ok(Some(Planned {
            new,
            thread,
            is_once: timetable.is_some_and(Timetable::is_once),
            off: routine.written.off,
        })))
    }

    async fn keep(self, tx: &mut Tx) -> Result<Imported, StoreError> {
        let mut imported = self.imported;
        for planned in self.plan {
            let Planned {
                mut new,
                thread,
                is_once,
                off,
            } = planned;
            new.session = chats::session_at(tx, new.chat, &thread).await?;
            let (kind, spread) = (new.kind, self.limits.spread);
            let due_ms = new.due_ms.unwrap_or_default();
            let starts =
                |id: RoutineId| start(due_ms, spread_of(id.0, kind, is_once, spread)).next_ms;
            let Added::New(id) = routines::add(tx, &new, usize::MAX, &starts).await? else {
                imported.known += 1;
                continue;
            };
            imported.new += 1;
            if new.source.as_deref() == Some(Trigger::Webhook.as_text().as_str()) {
                imported.webhooks.push(id);
            }
            if off {
                let change = RoutineChange {
                    enabled: Some(false),
                    ..RoutineChange::default()
                };
                routines::change(tx, new.user, id, &change).await?;
            }
        }
        Ok(imported)
    }
}

/// Finds whose a routine is and where it reports. Both must be known to Sayso, and a direct chat must be
/// that of the person.
async fn target(
    tx: &mut Tx,
    routine: &CheckedRoutine,
) -> Result<Result<Target, Problem>, StoreError> {
    let (written, place) = (&routine.written, &routine.place);
    let person = match written.person.split_once(':') {
        Some((channel, sender)) => people::find_sender(tx, channel, sender).await?,
        None => None,
    };
    let Some(person) = person else {
        let why = Why::Person(written.person.clone());
        return Ok(Err(place.problem("person", why)));
    };
    let unknown = || Ok(Err(place.problem("chat", Why::Chat(written.chat.clone()))));
    let Some((channel, chat)) = written.chat.split_once(':') else {
        return unknown();
    };
    let Some(row) = chats::known_chat(tx, channel, chat).await? else {
        return unknown();
    };
    let address = Address {
        channel: channel.into(),
        chat: chat.into(),
        thread: written.thread.as_deref().map(Into::into),
    };
    let direct = person.direct.as_deref();
    let direct = direct.and_then(|it| serde_json::from_str::<Address>(it).ok());
    let is_theirs =
        direct.is_some_and(|it| it.channel == address.channel && it.chat == address.chat);
    if row.kind == ChatKind::Direct && !is_theirs {
        let why = Why::OthersChat(written.chat.clone());
        return Ok(Err(place.problem("chat", why)));
    }
    Ok(Ok(Target {
        user: person.user_id,
        address,
        chat: row,
    }))
}

/// Whether this is kept already, whether it is on or off.
fn is_same(row: &RoutineRow, new: &NewRoutine) -> bool {
    row.is_to_come()
        && row.kind == new.kind
        && row.address == new.address
        && row.schedule == new.schedule
        && row.zone == new.zone
        && row.prompt == new.prompt
        && row.source == new.source
}

fn is_equal(one: &NewRoutine, other: &NewRoutine) -> bool {
    one.user == other.user
        && one.kind == other.kind
        && one.address == other.address
        && one.schedule == other.schedule
        && one.zone == other.zone
        && one.prompt == other.prompt
        && one.source == other.source
}
