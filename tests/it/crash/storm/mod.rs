//! The storm: people ask for things in three chats while Sayso is killed again and again, each
//! time at another point. Shared by the crash tests and the crash benchmark.

#![expect(clippy::unwrap_used, reason = "what cannot go on must fail the test")]

mod check;
mod complaint;
mod job;
mod model;
mod people;
mod points;
pub mod random;
mod scene;
pub mod traces;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

pub use complaint::Wrong;

use complaint::Complaint;
use job::Kind;
use points::{POINTS, Point};
use random::Random;
use scene::Scene;

use crate::platform::Platform;

/// How many storms go on at the same time.
const SIDE_BY_SIDE: usize = 4;
/// How long everything may take to settle.
const SETTLES_WITHIN: Duration = Duration::from_mins(2);
/// After this time people stop what runs for too long.
const STOPS_AFTER: Duration = Duration::from_secs(4);
/// How much of the log a story ends with.
const LOG_LINES: usize = 300;
/// How often what no kill has met yet is aimed at again.
const MORE_TRIES: u64 = 8;

/// The kinds of entries that must be the newest one at some kill. `started` shares its commit
/// with `heard`, so it never is.
const ENTRIES: [(&str, Point); 9] = [
    ("heard", Point::Heard),
    ("routed", Point::Routed),
    ("replied", Point::Replied),
    ("held", Point::Held),
    ("decided", Point::Decided),
    ("called", Point::Called),
    ("returned", Point::Returned),
    ("noted", Point::Noted),
    ("ended", Point::Ended),
];
/// The states of the outbox that must be met at some kill.
const STATES: [(&str, Point); 4] = [
    ("pending", Point::Pending),
    ("sending", Point::Arrived),
    ("sent", Point::Sent),
    ("unknown", Point::Unknown),
];

/// The outcome of one storm, or the sum of several.
#[derive(Debug, Default)]
pub struct Report {
    /// How many requests there were.
    pub asked: usize,
    /// How often Sayso was killed.
    pub kills: usize,
    /// The kinds of entries that were the newest one at a kill.
    pub entries: BTreeSet<String>,
    /// The states of the outbox at kills.
    pub states: BTreeSet<String>,
    /// How many messages carry the mark of a repeated send.
    pub marked: usize,
    /// How many kills fell elsewhere than they were aimed at.
    pub missed_aims: usize,
    broken: BTreeMap<Wrong, usize>,
    /// What happened in the storms in which one was.
    pub stories: Vec<String>,
}

impl Report {
    /// Returns how often a promise was broken.
    pub fn times(&self, wrong: Wrong) -> usize {
        self.broken.get(&wrong).copied().unwrap_or_default()
    }

    fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.kills += other.kills;
        self.entries.extend(other.entries);
        self.states.extend(other.states);
        self.marked += other.marked;
        self.missed_aims += other.missed_aims;
        for (wrong, times) in other.broken {
            *self.broken.entry(wrong).or_default() += times;
        }
        self.stories.extend(other.stories);
    }

    /// Returns the points of what no kill has met.
    fn not_met(&self) -> Vec<Point> {
        let entries = ENTRIES
            .iter()
            .filter(|(kind, _)| !self.entries.contains(*kind));
        let states = STATES
            .iter()
            .filter(|(state, _)| !self.states.contains(*state));
        entries.chain(states).map(|(_, point)| *point).collect()
    }
}

/// Runs the storms of `seeds` seeds on a platform; each begins at another point. What no kill has
/// met by then is aimed at with further seeds.
pub async fn storms(platform: Platform, seeds: u64) -> Report {
    let begins = |seed: u64| (seed, POINTS[seed as usize % POINTS.len()]);
    let mut report = side_by_side(platform, (0..seeds).map(begins).collect()).await;
    for more in 0..MORE_TRIES {
        let again = report.not_met().into_iter().enumerate();
        let again = again.map(|(position, point)| (seeds + more * 100 + position as u64, point));
        report.add(side_by_side(platform, again.collect()).await);
    }
    for point in report.not_met() {
        *report.broken.entry(Wrong::Coverage).or_default() += 1;
        report.stories.push(format!("no kill has met {point:?}"));
    }
    report
}

async fn side_by_side(platform: Platform, storms: Vec<(u64, Point)>) -> Report {
    let room = Arc::new(Semaphore::new(SIDE_BY_SIDE));
    let mut tasks = JoinSet::new();
    for (seed, first) in storms {
        let room = Arc::clone(&room);
        tasks.spawn(async move {
            let _permit = room.acquire_owned().await.unwrap();
            storm(platform, seed, first).await
        });
    }
    let mut report = Report::default();
    while let Some(came) = tasks.join_next().await {
        report.add(came.unwrap());
    }
    report
}

/// Kills three times: first at the given point, then at one of the seed's choice, then anywhere.
async fn storm(platform: Platform, seed: u64, first: Point) -> Report {
    let mut random = Random::new(seed);
    let mut scene = Scene::open(platform).await;
    let second = random.pick(&POINTS);
    for point in [first, second, Point::Anywhere] {
        let target = random.below(3) as usize;
        for room in (0..3).filter(|room| *room != target) {
            scene.disturb(room, &mut random);
        }
        scene.live_to(point, target, &mut random).await;
        if random.chance(10) {
            scene.end_in_good_order().await;
        }
        scene.crash().await;
        if random.chance(50) {
            scene.settle().await;
        }
    }
    scene.settle().await;
    let complaints = scene.check().await;
    scene.report(&complaints, &format!("seed {seed}: {first:?}, {second:?}"))
}

impl Scene {
    /// Asks for something in the background, or stops what goes on there.
    fn disturb(&mut self, room: usize, random: &mut Random) {
        let kinds = [
            Kind::Plain,
            Kind::Slow,
            Kind::Essay,
            Kind::Shell,
            Kind::Long,
            Kind::Clarify,
        ];
        for _ in 0..random.below(3) {
            self.ask(room, random.pick(&kinds));
        }
        if random.chance(15) {
            self.stop_all(room);
        }
    }

    /// Lets people live until nothing is left to be done; they stop what runs for too long.
    pub async fn settle(&mut self) {
        let begun = Instant::now();
        let (mut stopped, mut stopped_again) = (false, false);
        while begun.elapsed() < SETTLES_WITHIN {
            let pause = tokio::time::sleep(Duration::from_millis(100));
            self.live_until(pause, SETTLES_WITHIN).await;
            if self.open_work().await.is_empty() {
                let unheard = self.commands_lost();
                if stopped_again || unheard.is_empty() {
                    return;
                }
                stopped_again = true;
                for room in unheard {
                    self.stop_all(room);
                }
            }
            if !stopped && begun.elapsed() > STOPS_AFTER {
                stopped = true;
                for room in self.rooms_with_long_jobs() {
                    self.stop_all(room);
                }
            }
        }
    }

    /// Returns the chats in which a `/stop` got lost. Discord delivers an interaction once and does
    /// not queue it, so one that was sent right before a kill is lost; a person who sees no reply
    /// sends it again.
    fn commands_lost(&self) -> Vec<usize> {
        match self.bot.platform {
            Platform::Telegram => Vec::new(),
            Platform::Discord => self.unheard_stops(),
        }
    }

    fn rooms_with_long_jobs(&self) -> BTreeSet<usize> {
        let long = self.said.iter().filter(|said| said.kind == Kind::Long);
        long.map(|said| said.room).collect()
    }

    /// Reports the outcome of the storm, with the full event log when something is wrong.
    fn report(&self, complaints: &[Complaint], title: &str) -> Report {
        let mut broken = BTreeMap::new();
        for complaint in complaints {
            *broken.entry(complaint.wrong).or_default() += 1;
        }
        Report {
            asked: self.said.len() + self.stops.len(),
            kills: self.kills.len(),
            entries: self
                .kills
                .iter()
                .flat_map(|kill| kill.last_entries.clone())
                .collect(),
            states: self
                .kills
                .iter()
                .flat_map(|kill| kill.outbox.clone())
                .collect(),
            marked: self.marked(),
            missed_aims: self.not_reached.len(),
            broken,
            stories: complaints
                .first()
                .map(|_| self.story(complaints, title))
                .into_iter()
                .collect(),
        }
    }

    fn story(&self, complaints: &[Complaint], title: &str) -> String {
        let list = complaints
            .iter()
            .map(|complaint| format!("{:?}: {}\n", complaint.wrong, complaint.how));
        let chats = self.rooms.each_ref().map(|room| room.chat.transcript());
        let missed = &self.not_reached;
        let (list, chats) = (list.collect::<String>(), chats.join("\n---\n"));
        let log = self.bot.log();
        let end: Vec<&str> = log.lines().rev().take(LOG_LINES).collect();
        let end = end.into_iter().rev().collect::<Vec<_>>().join("\n");
        format!("{title} (not reached: {missed:?})\n{list}{chats}\n---\n{end}")
    }
}
