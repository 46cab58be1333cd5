//! What recall adds to a turn: the real program twice, once without memories and once with many for
//! every user, with the same people sending the same messages.

use std::path::Path;
use std::time::{Duration, Instant};

use sayso::bench_support::Store;

use crate::figures::Figures;
use crate::filled::Filled;
use crate::made_up::MadeUp;
use crate::platform::{Chat, Platform};
use crate::process::Process;
use crate::world::World;

/// How many people speak; each may say 30 messages a minute.
const PEOPLE: usize = 16;
/// How many messages of each are timed, of each kind.
const EACH: usize = 12;

/// What a program uses of the processor in a second in which it has nothing to do, at most.
const AT_REST: Duration = Duration::from_millis(50);

/// What people say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// What the turns bench has them say, of which little is remembered.
    Messages,
    /// Questions with words that much of what is remembered holds.
    Questions,
}

/// One of the two programs, and those who speak with it.
struct TestBot {
    process: Process,
    world: World,
    chats: Vec<Chat>,
    times: Vec<Duration>,
    used: Duration,
    _home: tempfile::TempDir,
}

/// What turns took without memories and with them.
pub struct Turns {
    pub without: Figures,
    pub with: Figures,
    /// Processor time of a turn, in milliseconds.
    pub cpu_without: f64,
    pub cpu_with: f64,
}

/// A program without memories, and one with `entries` memories per user.
pub struct Beside([TestBot; 2]);

impl Beside {
    /// Starts both.
    pub async fn start(entries: usize) -> anyhow::Result<Self> {
        Ok(Self([
            TestBot::with(0).await?,
            TestBot::with(entries).await?,
        ]))
    }

    /// Has the same people say the same to both, by turns.
    pub async fn hear(&mut self, talk: Talk) -> anyhow::Result<Turns> {
        for bot in &mut self.0 {
            bot.times.clear();
            bot.used = bot.process.processor_time()?;
        }
        for number in 0..EACH {
            for person in 0..PEOPLE {
                for bot in &mut self.0 {
                    bot.answers(person, number, talk).await;
                }
            }
        }
        let [without, with] = &self.0;
        Ok(Turns {
            cpu_without: without.cpu_ms()?,
            cpu_with: with.cpu_ms()?,
            without: Figures::of(&without.times),
            with: Figures::of(&with.times),
        })
    }
}

impl TestBot {
    /// Builds one in which every user has `entries` memories.
    async fn with(entries: usize) -> anyhow::Result<Self> {
        let home = tempfile::tempdir()?;
        let world = World::start(Platform::Telegram, Duration::ZERO).await;
        let process = Process::start(&world, home.path()).await?;
        let chats = world.chats(1, PEOPLE);
        for chat in &chats {
            chat.says("hello");
            chat.hears().await;
        }
        process.kill().await?;
        fill(&home.path().join("data/sayso.db"), entries).await?;
        let process = Process::start(&world, home.path()).await?;
        for chat in &chats {
            chat.says("hello again");
            chat.hears_with(|answer| answer.text.contains("hello again"))
                .await;
        }
        rests(&process).await?;
        Ok(Self {
            used: process.processor_time()?,
            process,
            world,
            chats,
            times: Vec::new(),
            _home: home,
        })
    }

    async fn answers(&mut self, person: usize, number: usize, talk: Talk) {
        let text = match talk {
            Talk::Messages => format!("message {number}."),
            Talk::Questions => {
                let mut words = MadeUp::from((person * EACH + number) as u64);
                let entry = words.entry(person + number);
                format!("{number}: {}", words.question_for(&entry))
            }
        };
        let Some(chat) = self.chats.get(person) else {
            return;
        };
        let began = Instant::now();
        chat.says(&text);
        chat.hears_with(|answer| answer.text.contains(&text)).await;
        self.times.push(began.elapsed());
        if number.is_multiple_of(8) {
            self.world.forget();
        }
    }

    fn cpu_ms(&self) -> anyhow::Result<f64> {
        let used = self.process.processor_time()?.saturating_sub(self.used);
        Ok(used.as_secs_f64() * 1000.0 / self.times.len() as f64)
    }
}

/// Waits until the background work after a start is over: each memory is examined once.
async fn rests(process: &Process) -> anyhow::Result<()> {
    for _ in 0..60 {
        let before = process.processor_time()?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        if process.processor_time()?.saturating_sub(before) < AT_REST {
            return Ok(());
        }
    }
    anyhow::bail!("the program does not come to rest")
}

/// Has everybody whom the database knows remember so much.
async fn fill(database: &Path, entries: usize) -> anyhow::Result<()> {
    if entries == 0 {
        return Ok(());
    }
    let users: Vec<i64> = {
        let connection = rusqlite::Connection::open(database)?;
        let mut users =
            connection.prepare("SELECT DISTINCT user_id FROM senders ORDER BY user_id")?;
        let users = users.query_map((), |row| row.get(0))?;
        users.collect::<Result<_, _>>()?
    };
    let store = Store::open(database).await?;
    for user in users {
        Filled::remember_in(&store, &(user..user + 1), entries).await?;
    }
    store.close().await;
    Ok(())
}
