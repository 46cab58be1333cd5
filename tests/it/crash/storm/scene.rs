//! A bot with three chats in which people ask for things, while its Sayso is killed now and then.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use sayso_fakes::BOT_USERNAME;

use super::complaint::{Complaint, Wrong};
use super::job::Kind;
use super::model::{self, Holds};
use super::people::{People, Room};
use super::points::Point;
use super::traces::{Snapshot, orphans};
use crate::platform::Platform;
use crate::test_bot::TestBot;

/// How often people look at their chats.
const LOOK: Duration = Duration::from_millis(20);

/// Something that was asked for.
#[derive(Debug, Clone)]
pub struct Said {
    /// Its name.
    pub job: String,
    /// What it wants.
    pub kind: Kind,
    /// In which chat.
    pub room: usize,
    /// The message that said it.
    pub message: i64,
}

/// Everything that goes on.
pub struct Scene {
    /// The bot.
    pub bot: TestBot,
    /// Its chats: Ann's, Bob's, a group.
    pub rooms: [Room; 3],
    /// What was asked for.
    pub said: Vec<Said>,
    /// The messages that said `/stop`, by chat.
    pub stops: Vec<usize>,
    /// What people do by themselves.
    pub people: People,
    /// Requests to the model that are to be held.
    pub holds: Holds,
    /// What each kill left behind.
    pub kills: Vec<Snapshot>,
    /// Points at which it should have been killed, but was not there in time.
    pub not_reached: Vec<Point>,
    /// What was found wrong after a kill.
    pub complaints: Vec<Complaint>,
}

impl Scene {
    /// Opens the bot on this platform.
    pub async fn open(platform: Platform) -> Self {
        let bot = TestBot::on(platform).await;
        bot.listens().await;
        let group = bot.group("Storm");
        let rooms = [
            Room {
                chat: bot.direct(),
                person: bot.ann.clone(),
                is_group: false,
            },
            Room {
                chat: bot.direct_with(&bot.bob),
                person: bot.bob.clone(),
                is_group: false,
            },
            Room {
                chat: group.with(&bot.ann),
                person: bot.ann.clone(),
                is_group: true,
            },
        ];
        let holds = model::play(&bot.model, &directory(&bot));
        let mut scene = Self {
            bot,
            rooms,
            said: Vec::new(),
            stops: Vec::new(),
            people: People::default(),
            holds,
            kills: Vec::new(),
            not_reached: Vec::new(),
            complaints: Vec::new(),
        };
        if platform == Platform::Discord {
            scene.meet().await;
        }
        scene
    }

    /// Has everybody write once. After a gap on Discord, Sayso reads back the chats that it knows;
    /// it cannot discover a direct chat in which it never received a message.
    async fn meet(&mut self) {
        for room in 0..self.rooms.len() {
            self.ask(room, Kind::Plain);
        }
        self.settle().await;
    }

    /// Asks for something in a chat and returns its name.
    pub fn ask(&mut self, room: usize, kind: Kind) -> String {
        // Denied are the names that end in 5; what a test waits for should run.
        let mut number = self.said.len() + self.stops.len();
        while self
            .said
            .iter()
            .any(|said| said.job == format!("job-{number}"))
            || (number % 10 == 5 && kind != Kind::Shell)
        {
            number += 1;
        }
        let job = format!("job-{number}");
        self.say(room, job.clone(), kind, None);
        job
    }

    /// Says `/stop` in a chat.
    pub fn stop_all(&mut self, room: usize) {
        self.stops.push(room);
        let there = &self.rooms[room];
        if there.is_group && self.bot.platform == Platform::Telegram {
            there.chat.says(&format!("/stop@{BOT_USERNAME}"));
        } else {
            there.chat.says("/stop");
        }
    }

    fn say(&mut self, room: usize, job: String, kind: Kind, answers: Option<i64>) {
        let there = &self.rooms[room];
        let text = format!("{job} {} please", kind.word());
        let message = match (answers, there.is_group) {
            (Some(question), _) => there.chat.replies(question, &text),
            (None, true) => there.chat.says(&format!("@{BOT_USERNAME} {text}")),
            (None, false) => there.chat.says(&text),
        };
        self.said.push(Said {
            job,
            kind,
            room,
            message,
        });
    }

    /// Lets people do what they would do now.
    pub fn live(&mut self) {
        for room in 0..self.rooms.len() {
            for (job, question) in self.people.act(&self.rooms[room].clone()) {
                self.say(room, job, Kind::Plain, question);
            }
        }
    }

    /// Lets people live until something comes about; says whether it did in time.
    pub async fn live_until(&mut self, it: impl Future<Output = ()>, timeouts: Duration) -> bool {
        let mut it = pin!(tokio::time::timeout(timeouts, it));
        loop {
            tokio::select! {
                biased;
                came = &mut it => return came.is_ok(),
                () = tokio::time::sleep(LOOK) => self.live(),
            }
        }
    }

    /// Kills Sayso, looks at what is left of it, and starts it again.
    pub async fn crash(&mut self) {
        self.bot.kill().await;
        let snapshot = self.go_on().await;
        self.kills.push(snapshot);
    }

    /// Asks Sayso to end, looks at what is left of it, and starts it again.
    pub async fn end_in_good_order(&mut self) {
        let code = self.bot.stop().await;
        if code != Some(0) {
            let how = format!("ended with {code:?}");
            self.complaints.push(Complaint::new(Wrong::Store, how));
        }
        self.go_on().await;
    }

    async fn go_on(&mut self) -> Snapshot {
        self.bot.heal();
        self.holds.clear();
        self.people.idle = false;
        let (snapshot, is_whole) = Snapshot::read(&self.database()).await;
        if !is_whole || snapshot.last_entries.contains("started") {
            let why = "damaged, or a journal that ends with `started`: it hears in that commit";
            self.complaints
                .push(Complaint::new(Wrong::Store, why.to_owned()));
        }
        for orphan in orphans(&directory(&self.bot)).await {
            self.complaints.push(Complaint::new(Wrong::Orphan, orphan));
        }
        self.bot.start();
        self.bot.listens().await;
        snapshot
    }

    /// Returns the database.
    pub fn database(&self) -> PathBuf {
        self.bot.data().join("sayso.db")
    }

    /// Returns the directory of the bot.
    pub fn directory(&self) -> PathBuf {
        directory(&self.bot)
    }
}

fn directory(bot: &TestBot) -> PathBuf {
    bot.data().parent().map(Path::to_owned).unwrap_or_default()
}
