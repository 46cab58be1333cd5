//! Memories in a database on disk: put there by the thousand, and recalled one after the other.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use futures_util::future::try_join_all;
use sayso::bench_support::{
    Memory as _, MemoryKind, MemorySearch as _, NewMemory, Owner, Store, StoredMemory, Taint,
    TurnId, UserId,
};

use crate::figures::Figures;
use crate::made_up::MadeUp;

/// How many are written at once.
const AT_ONCE: usize = 1_000;
/// How many questions one figure is made of.
const QUESTIONS: usize = 200;
/// How many facts are learned and forgotten for one figure.
const CHANGES: usize = 50;
/// How many results a turn asks for.
const LIMIT: usize = 5;

/// A database with memories in it.
pub struct Filled {
    directory: tempfile::TempDir,
    pub store: Store,
}

impl Filled {
    /// Opens an empty one.
    pub async fn empty() -> anyhow::Result<Self> {
        let directory = tempfile::tempdir()?;
        let store = Store::open(&directory.path().join("sayso.db")).await?;
        Ok(Self { directory, store })
    }

    /// Has users remember `each` entries, and returns how many were written in a second.
    pub async fn remember(&self, users: &Range<i64>, each: usize) -> anyhow::Result<f64> {
        Self::remember_in(&self.store, users, each).await
    }

    /// The same, in another database.
    pub async fn remember_in(
        store: &Store,
        users: &Range<i64>,
        each: usize,
    ) -> anyhow::Result<f64> {
        Self::remember_as(store, users, each, mixed).await
    }

    /// Has one user remember `count` facts, and returns the facts written per second.
    pub async fn remember_facts(&self, user: i64, count: usize) -> anyhow::Result<f64> {
        let users = user..user + 1;
        Self::remember_as(&self.store, &users, count, |_| MemoryKind::Fact).await
    }

    async fn remember_as(
        store: &Store,
        users: &Range<i64>,
        each: usize,
        kind: fn(usize) -> MemoryKind,
    ) -> anyhow::Result<f64> {
        let began = Instant::now();
        let memory = StoredMemory::new(store.clone());
        let mut texts = MadeUp::from(users.start as u64);
        let people = (users.end - users.start) as usize;
        let mut numbers = (0..people * each).peekable();
        while numbers.peek().is_some() {
            let some: Vec<usize> = numbers.by_ref().take(AT_ONCE).collect();
            // Users take turns, as they do in life: the entries of one do not lie side by side.
            let written = some.into_iter().map(|number| {
                let owner = Owner::User(UserId(users.start + (number % people) as i64));
                memory.remember(owner, new(kind(number), texts.entry(number)))
            });
            try_join_all(written).await?;
        }
        Ok((people * each) as f64 / began.elapsed().as_secs_f64())
    }

    /// Asks these users about what [`Filled::remember`] made of the same range, one question after
    /// the other.
    pub async fn recall(&self, users: &Range<i64>, each: usize) -> anyhow::Result<Figures> {
        Self::recall_from(&StoredMemory::new(self.store.clone()), users, each).await
    }

    /// The same, from another memory over this database.
    pub async fn recall_from(
        memory: &StoredMemory,
        users: &Range<i64>,
        each: usize,
    ) -> anyhow::Result<Figures> {
        let mut times = Vec::with_capacity(QUESTIONS);
        let mut found = 0;
        let questions = questions(users, each);
        for (owner, question) in &questions {
            let began = Instant::now();
            let recalled = memory.recall(*owner, question, LIMIT).await?;
            times.push(began.elapsed());
            found += usize::from(!recalled.is_empty());
        }
        let asked = questions.len();
        anyhow::ensure!(
            found * 2 > asked,
            "only {found} of {asked} questions found anything"
        );
        Ok(Figures::of(&times))
    }

    /// Has a user learn new facts, and forget each again; returns how long each took.
    pub async fn learn_and_forget(&self, user: i64) -> anyhow::Result<(Figures, Figures)> {
        let memory = StoredMemory::new(self.store.clone());
        let owner = Owner::User(UserId(user));
        let (mut texts, mut learned, mut forgotten) = (MadeUp::from(11), vec![], vec![]);
        for number in 0..CHANGES {
            let text = format!("zyzzyva {}", texts.entry(number));
            let began = Instant::now();
            let id = memory.remember(owner, new(MemoryKind::Fact, text)).await?;
            learned.push(began.elapsed());
            let id = id.context("a fact was not remembered")?;
            let began = Instant::now();
            anyhow::ensure!(memory.forget(owner, &[id]).await? == 1, "nothing forgotten");
            forgotten.push(began.elapsed());
        }
        Ok((Figures::of(&learned), Figures::of(&forgotten)))
    }

    /// Returns the size of the database, in MiB.
    pub fn mib(&self) -> anyhow::Result<f64> {
        let mut bytes = 0;
        for entry in fs::read_dir(self.directory.path())? {
            bytes += entry?.metadata()?.len();
        }
        Ok(bytes as f64 / 1024.0 / 1024.0)
    }
}

/// Of what a person has remembered, a fourth is facts.
fn mixed(number: usize) -> MemoryKind {
    if number.is_multiple_of(4) {
        MemoryKind::Fact
    } else {
        MemoryKind::Episode
    }
}

fn new(kind: MemoryKind, text: String) -> NewMemory {
    NewMemory {
        kind,
        text,
        turn: TurnId(1),
        taint: Taint::default(),
    }
}

fn questions(users: &Range<i64>, each: usize) -> Vec<(Owner, String)> {
    let count = (users.end - users.start) as usize;
    let (mut texts, mut asked) = (MadeUp::from(users.start as u64), MadeUp::from(7));
    let step = (count * each / QUESTIONS).max(1);
    let mut questions = Vec::with_capacity(QUESTIONS);
    for number in 0..count * each {
        let entry = texts.entry(number);
        if number.is_multiple_of(step) && questions.len() < QUESTIONS {
            let user = users.start + (number % count) as i64;
            questions.push((Owner::User(UserId(user)), asked.question_for(&entry)));
        }
    }
    questions
}

/// Returns how much memory of this process is resident, in MiB.
pub fn resident_mib() -> anyhow::Result<f64> {
    let status = fs::read_to_string(Path::new("/proc/self/status"))?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next())
        .context("no VmRSS")?;
    Ok(kib.parse::<f64>()? / 1024.0)
}
