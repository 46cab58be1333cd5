//! Sayso is killed behind each entry of the journal of a turn that finds a place, patches three files
//! and runs the tests: no file is half written, nothing is applied twice, and the answer comes.
//!
//! Each round is a turn of its own in files of its own. A thread looks at the journal without a pause
//! and kills right behind a commit; or it takes the lock of the database there, so that all happens
//! that comes before the next entry, and then kills. What a kill met is counted by what is found
//! after it, and a round that met another entry is repeated.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rusqlite::{Connection, OptionalExtension as _};
use sayso_fakes::{Answer, ModelRequest};
use serde_json::json;

use super::patches::{chooses, hears, hidden, patch};
use super::projects::Site;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{PATIENCE, TestBot};

on_both!(
    a_kill_right_behind_each_entry_loses_and_doubles_nothing,
    a_kill_just_before_each_next_entry_loses_and_doubles_nothing
);

/// Each file of a round before and after its patch, which could be applied twice: it adds a line.
const FILES: [(&str, &str, &str); 3] = [
    ("a.txt", "one\n", "one\nand a half\n"),
    ("b.txt", "two\n", "two\nand a half\n"),
    ("c.txt", "three\n", "three\nand a half\n"),
];
/// What the command of a round leaves a line in, each time that it runs.
const RUNS: &str = "runs";
/// How long everything before the next entry has to happen.
const BEFORE_THE_NEXT: Duration = Duration::from_millis(300);
/// How often an entry is aimed at: entries close behind each other are missed on a busy machine.
const TRIES: usize = 12;
/// When a person presses again.
const PRESSES_AGAIN: Duration = Duration::from_millis(1500);
/// What shares its commit with the entry behind it, so that it never is the newest one.
const ONE_COMMIT: [(&str, &str); 2] = [("started", "heard"), ("replied", "ended")];

/// When the kill comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    RightBehind,
    JustBeforeTheNext,
}

/// A turn of the test.
#[derive(Debug, Clone)]
struct Round {
    name: String,
    folder: PathBuf,
    /// After how many entries it is killed.
    entries: usize,
}

impl Round {
    fn new(site: &Site, entries: usize, attempt: usize) -> Self {
        let name = format!("round-{entries}-{attempt}");
        let folder = site.path().join(&name);
        std::fs::create_dir(&folder).unwrap();
        for (file, old, _) in FILES {
            std::fs::write(folder.join(file), old).unwrap();
        }
        Self {
            name,
            folder,
            entries,
        }
    }

    fn request(&self) -> String {
        format!("add the halves in {}", self.name)
    }

    fn answer(&self) -> String {
        format!("The halves are in {}.", self.name)
    }

    /// Returns what the model does next, by what it did in this turn.
    fn next(&self, request: &ModelRequest) -> Option<Answer> {
        let asked = self.request();
        let messages = request.messages();
        let is_asked = |message: &serde_json::Value| {
            message["role"] == "user" && message["content"].to_string().contains(&asked)
        };
        let begun = messages.iter().rposition(is_asked)?;
        let results = messages[begun..]
            .iter()
            .filter(|message| message["role"] == "tool")
            .map(|message| message["content"].to_string());
        let results: Vec<String> = results.collect();
        let has = |text: &str| results.iter().any(|result| result.contains(text));
        let calls = |call| Some(Answer::calls(vec![call]));
        if results.is_empty() {
            calls(("grep", json!({"pattern": "one", "path": self.name})))
        } else if !has("changed:") {
            calls(self.patch())
        } else if !has("all is well") {
            let command = format!(
                "cd {} && echo run >> {RUNS} && cat a.txt b.txt c.txt && echo all is well",
                self.name
            );
            calls(("run_cmd", json!({ "command": command })))
        } else {
            Some(Answer::text(self.answer()))
        }
    }

    fn patch(&self) -> (&'static str, serde_json::Value) {
        let change = |(file, old, _): &(&str, &str, &str)| {
            let path = format!("{}/{file}", self.name);
            format!("*** Update File: {path}\n@@\n {old}+and a half\n")
        };
        let changes: Vec<String> = FILES.iter().map(change).collect();
        patch(changes.concat().trim_end())
    }

    /// Fails when a file is neither what it was nor what the patch makes of it.
    fn assert_whole(&self, story: &str) {
        for (file, old, new) in FILES {
            let now = std::fs::read_to_string(self.folder.join(file)).unwrap();
            assert!(now == old || now == new, "{file} is {now:?}: {story}");
        }
    }

    /// Fails unless all was done, and done once.
    fn assert_done(&self, chat: &Chat, asked_again: usize, story: &str) {
        for (file, _, new) in FILES {
            let now = std::fs::read_to_string(self.folder.join(file)).unwrap();
            assert_eq!(now, new, "{file}: {story}");
        }
        assert_eq!(hidden(&self.folder), Vec::<String>::new(), "{story}");
        let runs = std::fs::read_to_string(self.folder.join(RUNS)).unwrap();
        let ran = runs.lines().count();
        assert!(
            (1..=1 + asked_again).contains(&ran),
            "it ran {ran} times, {asked_again} were asked about: {story}"
        );
        let messages = chat.messages();
        let answers = messages
            .iter()
            .filter(|message| message.text.contains(&self.answer()));
        // One that may have arrived is said again, marked as such.
        let most = if story.ends_with("\"ended\"]") { 2 } else { 1 };
        let answers = answers.count();
        assert!(
            (1..=most).contains(&answers),
            "{answers} answers: {story}\n{}",
            chat.transcript()
        );
    }
}

/// Looks at the journal of a turn.
struct JournalWatch {
    database: Connection,
    request: String,
}

impl JournalWatch {
    fn open(database: &Path, request: String) -> Self {
        let database = Connection::open(database).unwrap();
        database.busy_timeout(Duration::from_secs(2)).unwrap();
        Self { database, request }
    }

    /// Returns the kinds of its entries, in their order.
    fn kinds(&self) -> Vec<String> {
        let of_turn = "SELECT j.kind FROM journal j JOIN turns t ON t.id = j.turn_id
                       WHERE t.request = $1 ORDER BY j.seq";
        let mut kinds = self.database.prepare_cached(of_turn).unwrap();
        let kinds = kinds.query_map([&self.request], |row| row.get(0)).unwrap();
        kinds.map(Result::unwrap).collect()
    }

    fn is_over(&self) -> bool {
        let state = "SELECT state FROM turns WHERE request = $1";
        let state = self
            .database
            .query_row(state, [&self.request], |row| row.get(0));
        let state: Option<String> = state.optional().unwrap();
        state.as_deref() == Some("ended")
    }

    /// Kills a process at a moment behind this many entries, or when the turn is over.
    fn kill_behind(&self, entries: usize, moment: Moment, process: Pid) {
        let begun = Instant::now();
        while self.kinds().len() < entries && !self.is_over() {
            assert!(begun.elapsed() < PATIENCE, "{:?}", self.kinds());
        }
        if moment == Moment::JustBeforeTheNext {
            self.database.execute_batch("BEGIN IMMEDIATE").unwrap();
            std::thread::sleep(BEFORE_THE_NEXT);
        }
        kill(process, Signal::SIGKILL).unwrap();
    }
}

/// A person who approves everything.
#[derive(Debug, Default)]
struct Approver {
    /// When a card was pressed last, by its message.
    pressed: HashMap<i64, Instant>,
    /// The cards that asked about a call which may have run before.
    asked_again: HashSet<i64>,
}

impl Approver {
    /// Presses Approve wherever it is asked, again where nothing comes of it; never returns.
    async fn approves_all(&mut self, bot: &TestBot, chat: &Chat) {
        loop {
            for message in chat.messages() {
                let is_due = |last: &Instant| last.elapsed() > PRESSES_AGAIN;
                let pressed = self.pressed.get(&message.id);
                if message.button("Approve").is_none() || !pressed.is_none_or(is_due) {
                    continue;
                }
                if message.text.contains("may do it twice") {
                    self.asked_again.insert(message.id);
                }
                self.pressed.insert(message.id, Instant::now());
                let token = message.token("Approve");
                drop(chat.presses_token(&bot.ann, message.id, &token));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Plays a round; returns the kinds of the entries that there were at the kill.
async fn play(bot: &mut TestBot, chat: &Chat, round: &Round, moment: Moment) -> Vec<String> {
    let (watch, process) = (bot.data().join("sayso.db"), bot.process_id());
    let (request, entries) = (round.request(), round.entries);
    chat.says("/new");
    chat.hears().await;
    let model = round.clone();
    bot.model.when(move |request| model.next(request));
    chat.says(&round.request());
    let killing = tokio::task::spawn_blocking(move || {
        let watch = JournalWatch::open(&watch, request);
        watch.kill_behind(entries, moment, process);
        watch
    });
    let mut ann = Approver::default();
    let watch = tokio::select! {
        killed = killing => killed.unwrap(),
        () = ann.approves_all(bot, chat) => unreachable!(),
    };
    bot.kill().await;
    let kinds = watch.kinds();
    drop(watch);
    let story = format!("{moment:?} {kinds:?}");
    round.assert_whole(&story);
    bot.start();
    bot.settles_in().await;
    let answer = round.answer();
    tokio::select! {
        () = hears(chat, &answer) => {}
        () = ann.approves_all(bot, chat) => unreachable!(),
    }
    bot.has_said_all().await;
    round.assert_done(chat, ann.asked_again.len(), &story);
    kinds
}

/// Returns whether the last of the first entries never is the newest one.
fn shares_its_commit(all: &[String], entries: usize) -> bool {
    let [.., last, next] = &all[..all.len().min(entries + 1)] else {
        return false;
    };
    all.len() > entries && ONE_COMMIT.contains(&(last.as_str(), next.as_str()))
}

async fn outlives_a_kill_behind_each_entry(platform: Platform, moment: Moment) {
    let site = Site::new();
    let settings = [
        ("PROJECTS__SITE__WRITE", "true"),
        ("AGENT__ROUTING", "off"),
        ("CHECKS__WHEN", "asked"),
    ];
    let mut bot = site.bot(platform, &settings).await;
    bot.set("POLICY__CONFIRM_WRITE", "true");
    bot.restart().await;
    let chat = bot.direct();
    chooses(&chat).await;
    // The newest entry at each kill, by how many there were.
    let mut met: BTreeMap<usize, String> = BTreeMap::new();
    let mut all = Vec::new();
    for entries in 1.. {
        for attempt in 0..TRIES {
            let round = Round::new(&site, entries, attempt);
            let kinds = play(&mut bot, &chat, &round, moment).await;
            let newest = kinds.last().cloned().unwrap_or_default();
            met.insert(kinds.len(), newest);
            all = kinds;
            if met.contains_key(&entries) || shares_its_commit(&all, entries) {
                break;
            }
        }
        if all.last().is_some_and(|kind| kind == "ended") {
            break;
        }
    }
    let missed: Vec<usize> = (1..=all.len())
        .filter(|entries| !met.contains_key(entries))
        .filter(|entries| !shares_its_commit(&all, *entries))
        .collect();
    assert_eq!(missed, Vec::<usize>::new(), "{met:?} of {all:?}");
    bot.assert_clean();
}

async fn a_kill_right_behind_each_entry_loses_and_doubles_nothing(platform: Platform) {
    outlives_a_kill_behind_each_entry(platform, Moment::RightBehind).await;
}

async fn a_kill_just_before_each_next_entry_loses_and_doubles_nothing(platform: Platform) {
    outlives_a_kill_behind_each_entry(platform, Moment::JustBeforeTheNext).await;
}
