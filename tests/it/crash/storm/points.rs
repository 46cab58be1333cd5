//! Where Sayso is killed: at every kind of journal entry, around every state of the outbox, and
//! anywhere else.
//!
//! Nothing in the program helps with it. The outside is held still (an answer of the model, a call
//! to the platform before or after it is done) and the kill falls there; or the database is watched
//! and the kill falls right behind a commit. `started` has no point: it shares its commit with
//! `heard`, and a journal that ends with it is an error.

use std::time::Duration;

use sayso_fakes::Gate;

use super::job::{Kind, names};
use super::model::At;
use super::random::Random;
use super::scene::Scene;
use super::traces::Watch;
use super::wire::{Call, Does, fails_when};
use crate::platform::{Platform, Trouble};

/// How long a point may take to be reached.
const SOON: Duration = Duration::from_secs(8);

/// A point to kill at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The newest entry is `heard`: Phase 1 is asked.
    Heard,
    /// ... `routed`: the model is asked.
    Routed,
    /// ... `replied`: a call is being judged.
    Replied,
    /// ... `held`: a card is out.
    Held,
    /// ... `decided`: an approved call is being judged again.
    Decided,
    /// ... `called`: a command runs.
    Called,
    /// ... `returned`: the model gets the result.
    Returned,
    /// ... `noted`: the model gets the note about what happened while the turn was parked.
    Noted,
    /// ... `ended`: the outcome is on the wire and does not arrive.
    Ended,
    /// The outcome has arrived, and Sayso was not told.
    Arrived,
    /// The outcome is `pending`: the platform wants patience.
    Pending,
    /// The outcome is `unknown`: the connection broke behind it.
    Unknown,
    /// The outcome is `sent`.
    Sent,
    /// A card has arrived, and Sayso was not told.
    Card,
    /// A card shows its outcome, and Sayso was not told.
    CardEdited,
    /// A press was stored, and its answer does not arrive.
    Press,
    /// A question has arrived, and Sayso was not told.
    Question,
    /// A question does not arrive, and a message behind it waits.
    QuestionLost,
    /// A live message has arrived, and Sayso was not told.
    Live,
    /// A message is on its way to Sayso.
    Poll,
    /// Anywhere.
    Anywhere,
}

/// Every point.
pub const POINTS: [Point; 21] = [
    Point::Heard,
    Point::Routed,
    Point::Replied,
    Point::Held,
    Point::Decided,
    Point::Called,
    Point::Returned,
    Point::Noted,
    Point::Ended,
    Point::Arrived,
    Point::Pending,
    Point::Unknown,
    Point::Sent,
    Point::Card,
    Point::CardEdited,
    Point::Press,
    Point::Question,
    Point::QuestionLost,
    Point::Live,
    Point::Poll,
    Point::Anywhere,
];

impl Scene {
    /// Asks for something in a chat and lives until the point of it is reached.
    pub async fn live_to(&mut self, point: Point, room: usize, random: &mut Random) {
        let reached = match point {
            Point::Heard => self.held(room, Kind::Plain, At::Routing).await,
            Point::Routed => self.held(room, Kind::Plain, At::Step(0)).await,
            Point::Returned => self.held(room, Kind::Shell, At::Step(1)).await,
            Point::Noted => self.noted(room).await,
            Point::Replied => self.entry(room, Kind::Heavy, "replied").await,
            Point::Held => self.undecided(room).await,
            Point::Decided => self.entry(room, Kind::Heavy, "decided").await,
            Point::Called => self.entry(room, Kind::Long, "called").await,
            Point::Pending => self.outcome(room, "pending").await,
            Point::Unknown => self.outcome(room, "unknown").await,
            Point::Sent => self.outcome(room, "sent").await,
            Point::Ended => {
                self.call(room, Kind::Plain, Trouble::Held, is_outcome)
                    .await
            }
            Point::Arrived => {
                self.call(room, Kind::Plain, Trouble::AnswerHeld, is_outcome)
                    .await
            }
            Point::Card => {
                self.call(room, Kind::Shell, Trouble::AnswerHeld, is_card)
                    .await
            }
            Point::CardEdited => {
                self.call(room, Kind::Shell, Trouble::AnswerHeld, is_decided_card)
                    .await
            }
            Point::Press => {
                self.call(room, Kind::Shell, Trouble::Held, is_answer_to_press)
                    .await
            }
            Point::Question => {
                self.call(room, Kind::Clarify, Trouble::AnswerHeld, is_question)
                    .await
            }
            Point::QuestionLost => self.question_lost(room).await,
            Point::Live => {
                self.call(room, Kind::Long, Trouble::AnswerHeld, is_live)
                    .await
            }
            Point::Poll => self.on_its_way(room).await,
            Point::Anywhere => {
                let kinds = [
                    Kind::Plain,
                    Kind::Slow,
                    Kind::Essay,
                    Kind::Shell,
                    Kind::Clarify,
                ];
                self.ask(room, random.pick(&kinds));
                let delay = Duration::from_millis(random.below(2500));
                self.live_until(tokio::time::sleep(delay), SOON).await
            }
        };
        // A point that is not reached in time makes a kill like any other; what is covered is
        // counted by what is found after the kills.
        if !reached {
            self.not_reached.push(point);
        }
    }

    /// Holds a request to the model.
    async fn held(&mut self, room: usize, kind: Kind, at: At) -> bool {
        let job = self.ask(room, kind);
        let gate = self.holds.hold(&job, at);
        self.live_until(reach(&gate), SOON).await && {
            // The entry before the request rides with nothing: it is there in a moment.
            self.live_until(tokio::time::sleep(Duration::from_millis(60)), SOON)
                .await
        }
    }

    /// Catches a commit of the journal.
    async fn entry(&mut self, room: usize, kind: Kind, entry: &str) -> bool {
        let mut watch = Watch::open(&self.database());
        let job = self.ask(room, kind);
        self.live_until(watch.entry(&job, entry), SOON).await
    }

    async fn undecided(&mut self, room: usize) -> bool {
        self.people.idle = true;
        self.entry(room, Kind::Shell, "held").await
    }

    /// Catches a state of an outcome, with what brings it about.
    async fn outcome(&mut self, room: usize, state: &str) -> bool {
        let mut watch = Watch::open(&self.database());
        let trouble = match state {
            "pending" => Some(Trouble::TooMany { seconds: 2 }),
            "unknown" => Some(Trouble::AnswerLost),
            _ => None,
        };
        let job = self.ask(room, Kind::Plain);
        if let Some(trouble) = trouble {
            self.arm(&job, trouble, is_outcome);
        }
        self.live_until(watch.outcome(&job, state), SOON).await
    }

    /// Holds a call to the platform.
    async fn call(
        &mut self,
        room: usize,
        kind: Kind,
        trouble: fn(Gate) -> Trouble,
        is_it: fn(&Call<'_>, &str) -> bool,
    ) -> bool {
        let gate = Gate::new();
        let job = self.ask(room, kind);
        self.arm(&job, trouble(gate.clone()), is_it);
        self.live_until(reach(&gate), SOON).await
    }

    /// A turn is parked, another one ends, and then the first one goes on.
    async fn noted(&mut self, room: usize) -> bool {
        let parked = {
            let mut watch = Watch::open(&self.database());
            self.people.idle = true;
            let job = self.ask(room, Kind::Shell);
            let held = watch.entry(&job, "held");
            tokio::time::timeout(SOON, held)
                .await
                .is_ok()
                .then_some(job)
        };
        let Some(job) = parked else { return false };
        let mut watch = Watch::open(&self.database());
        let other = self.ask(room, Kind::Plain);
        if !self.live_until(watch.outcome(&other, "sent"), SOON).await {
            return false;
        }
        self.people.idle = false;
        let gate = self.holds.hold(&job, At::Step(1));
        self.live_until(reach(&gate), SOON).await
    }

    /// A message is sent, and the update has not been acknowledged by Sayso. On Discord it is
    /// pushed: it is in flight immediately.
    async fn on_its_way(&mut self, room: usize) -> bool {
        match self.bot.platform {
            Platform::Telegram => {
                self.call(room, Kind::Plain, Trouble::AnswerHeld, is_poll)
                    .await
            }
            Platform::Discord => {
                self.ask(room, Kind::Plain);
                true
            }
        }
    }

    async fn question_lost(&mut self, room: usize) -> bool {
        let asked = self
            .call(room, Kind::Clarify, Trouble::Held, is_question)
            .await;
        self.ask(room, Kind::Plain);
        self.live_until(tokio::time::sleep(Duration::from_millis(100)), SOON)
            .await;
        asked
    }

    /// Has the next such call about a job go wrong.
    fn arm(&self, job: &str, trouble: Trouble, is_it: fn(&Call<'_>, &str) -> bool) {
        let job = job.to_owned();
        let armed = std::sync::Mutex::new(Some(trouble));
        fails_when(&self.bot, move |call| {
            let mut armed = armed.lock().unwrap();
            if is_it(call, &job) {
                armed.take()
            } else {
                None
            }
        });
    }
}

async fn reach(gate: &Gate) {
    gate.reached_by(1).await;
}

fn is_outcome(call: &Call<'_>, job: &str) -> bool {
    let says = matches!(call.does, Does::Says | Does::Edits);
    says && call.text.contains("Done: ") && names(call.text, job) && !call.is_silent
}

fn is_card(call: &Call<'_>, job: &str) -> bool {
    call.does == Does::Says && call.asks && names(call.text, job)
}

fn is_question(call: &Call<'_>, job: &str) -> bool {
    call.does == Does::Says && call.text.contains("Which one, ") && names(call.text, job)
}

fn is_decided_card(call: &Call<'_>, job: &str) -> bool {
    let is_decided = call.text.contains("Approved") || call.text.contains("Denied");
    call.does == Does::Edits && is_decided && names(call.text, job)
}

fn is_live(call: &Call<'_>, job: &str) -> bool {
    call.does == Does::Says && call.is_silent && names(call.text, job)
}

fn is_answer_to_press(call: &Call<'_>, _job: &str) -> bool {
    call.does == Does::AnswersPress
}

fn is_poll(call: &Call<'_>, _job: &str) -> bool {
    call.does == Does::Polls
}
