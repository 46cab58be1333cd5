//! A Sayso at home: the real binary with its own data directory, between a fake platform and a
//! fake model. It can be stopped, killed and started again.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use chrono::TimeDelta;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sayso_fakes::{FakeDiscord, FakeModel, FakeTelegram, Person, discord, telegram};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::ban_list;
use crate::platform::{Chat, Platform, Trouble};

/// How long anything may take before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What is logged: all but each statement of the database, which would take more time than the
/// tests themselves.
const LOGGED: &str = "debug";

/// Ann's account on Telegram: the owner, unless a test says otherwise.
pub const ANN: i64 = 101;
/// Bob's account on Telegram: a member, unless a test says otherwise.
pub const BOB: i64 = 102;

/// A Sayso with everything around it.
pub struct TestBot {
    /// Where its people are.
    pub platform: Platform,
    /// The Bot API server.
    pub telegram: FakeTelegram,
    /// The Discord server, REST and gateway.
    pub discord: FakeDiscord,
    /// The model server.
    pub model: FakeModel,
    /// The owner.
    pub ann: Person,
    /// A member.
    pub bob: Person,
    directory: TempDir,
    settings: Vec<(String, String)>,
    variables: Vec<(String, String)>,
    /// How many sessions on Discord were begun before Sayso was last started.
    sessions_before: usize,
    process: Option<Child>,
}

impl TestBot {
    /// Starts a bot on Telegram with the usual settings.
    pub async fn open() -> Self {
        Self::on(Platform::Telegram).await
    }

    /// Starts a bot on Telegram with some settings changed: `("AGENT__AUTONOMY", "full")`.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::on_with(Platform::Telegram, settings).await
    }

    /// Builds a bot on Telegram in which nothing runs yet.
    pub async fn closed(settings: &[(&str, &str)]) -> Self {
        Self::closed_on(Platform::Telegram, settings).await
    }

    /// Starts a bot on this platform with the usual settings.
    pub async fn on(platform: Platform) -> Self {
        Self::on_with(platform, &[]).await
    }

    /// Starts a bot on this platform with some settings changed.
    pub async fn on_with(platform: Platform, settings: &[(&str, &str)]) -> Self {
        let mut bot = Self::closed_on(platform, settings).await;
        bot.start();
        bot.settles_in().await;
        bot
    }

    /// Builds a bot on this platform in which nothing runs yet.
    pub async fn closed_on(platform: Platform, settings: &[(&str, &str)]) -> Self {
        let telegram = FakeTelegram::start().await;
        let discord = FakeDiscord::start().await;
        // A process that was killed cannot know when it last identified itself.
        discord.spaces_identifies_by(Duration::ZERO);
        let model = FakeModel::start().await;
        // In an instance of another language, people have their apps in it too.
        let instance = settings.iter().find(|(key, _)| *key == "LANGUAGE");
        let app = instance.map_or("en", |(_, language)| language);
        let person = |number, name| {
            let person = telegram.person(platform.user_id(number), name);
            person.speaking(if app == "zh-CN" { "zh-hans" } else { "en" })
        };
        let (ann, bob) = (person(ANN, "Ann"), person(BOB, "Bob"));
        let mut bot = Self {
            platform,
            telegram,
            discord,
            model,
            ann,
            bob,
            directory: TempDir::new().unwrap(),
            settings: Vec::new(),
            variables: Vec::new(),
            sessions_before: 0,
            process: None,
        };
        bot.set("ACCESS__OWNERS", &platform.accounts(&[ANN]));
        bot.set("ACCESS__ALLOW", &platform.accounts(&[BOB]));
        // Tests of learning enable it: in all other tests a `/new` must not cause a later model
        // call.
        bot.set("MEMORY__LEARNING__ENABLED", "false");
        // Tests of parallel routing enable it: in all other tests the model is asked in one order.
        bot.set("AGENT__ROUTING", "two_phase");
        // Tests of planning enable it: in all other tests no plan is asked for.
        bot.set("AGENT__PLANNING", "off");
        for (key, value) in settings {
            bot.set(key, value);
        }
        bot
    }

    /// Changes a setting for the next start.
    pub fn set(&mut self, key: &str, value: &str) {
        self.settings.retain(|(known, _)| known != key);
        self.settings.push((key.to_owned(), value.to_owned()));
    }

    /// Puts a variable of its own into the environment of the next start.
    pub fn set_variable(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// Gives Sayso a clock that the test sets ([`TestBot::sets_clock`]), from the next start on. It
    /// shows the time of the machine until it is set.
    pub fn has_a_clock(&mut self) {
        let file = self.clock_file();
        self.set_variable("SAYSO_TEST_CLOCK", &file.to_string_lossy());
    }

    fn clock_file(&self) -> PathBuf {
        self.path("clock")
    }

    /// Sets the clock of Sayso so far ahead of the machine's, or behind it.
    pub fn sets_clock(&self, ahead: TimeDelta) {
        let (file, new) = (self.clock_file(), self.path("clock.new"));
        std::fs::write(&new, ahead.num_milliseconds().to_string()).unwrap();
        // Whole at every moment at which it is read.
        std::fs::rename(new, file).unwrap();
    }

    /// Starts Sayso.
    pub fn start(&mut self) {
        assert!(self.process.is_none(), "it runs already");
        self.sessions_before = self.discord.identifies().len();
        self.process = Some(self.command().spawn().unwrap());
    }

    /// Starts Sayso by another program, which gets its path as its last argument. The log is
    /// written for it, so that no limit on its files is one on the log.
    pub fn start_under(&mut self, program: &[&str]) {
        assert!(self.process.is_none(), "it runs already");
        let sayso = self.command();
        let sayso = sayso.as_std();
        let mut command = Command::new(program[0]);
        command
            .args(&program[1..])
            .arg(sayso.get_program())
            .env_clear()
            .envs(
                sayso
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut said = process.stderr.take().unwrap();
        let mut log = tokio::fs::File::from_std(self.log_file());
        // It ends with the process.
        tokio::spawn(async move { tokio::io::copy(&mut said, &mut log).await });
        self.process = Some(process);
    }

    fn log_file(&self) -> std::fs::File {
        let mut options = std::fs::OpenOptions::new();
        options
            .create(true)
            .append(true)
            .open(self.path("log"))
            .unwrap()
    }

    /// Returns the command that starts Sayso here, with an environment of its own.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sayso"));
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.directory.path())
            .env("SAYSO_LOG", LOGGED)
            .env("SAYSO__DATA_DIR", self.data())
            .env("SAYSO__PROVIDERS__0__NAME", "fake")
            .env("SAYSO__PROVIDERS__0__KIND", "openai")
            .env("SAYSO__PROVIDERS__0__BASE_URL", self.model.url())
            .env("SAYSO__PROVIDERS__0__API_KEY", "sk-canary-of-the-house")
            .env("SAYSO__PROVIDERS__0__MODEL", "fake-1")
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stdout(self.log_file())
            .stderr(self.log_file())
            .kill_on_drop(true);
        for (key, value) in self.channel().iter().chain(&self.settings) {
            command.env(format!("SAYSO__{key}"), value);
        }
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command
    }

    /// The settings of the channel to the bot's platform.
    fn channel(&self) -> Vec<(String, String)> {
        let (token, url) = match self.platform {
            Platform::Telegram => (self.telegram.token(), self.telegram.url()),
            Platform::Discord => (self.discord.token(), self.discord.url()),
        };
        let name = self.platform.name().to_uppercase();
        let key = |key: &str| format!("CHANNELS__{name}__{key}");
        vec![(key("TOKEN"), token.to_owned()), (key("API_URL"), url)]
    }

    /// Returns the number of the process that runs.
    pub fn process_id(&self) -> Pid {
        let id = self.process.as_ref().and_then(Child::id).unwrap();
        Pid::from_raw(id as i32)
    }

    /// Kills Sayso without a word, as a power cut would.
    pub async fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().await.unwrap();
        }
    }

    /// Asks Sayso to end, waits until it has, and returns its exit code.
    pub async fn stop(&mut self) -> Option<i32> {
        let mut process = self.process.take().unwrap();
        let pid = Pid::from_raw(process.id().unwrap() as i32);
        kill(pid, Signal::SIGTERM).unwrap();
        let ended = tokio::time::timeout(PATIENCE, process.wait()).await;
        ended
            .unwrap_or_else(|_| panic!("it did not end:\n{}", self.log()))
            .unwrap()
            .code()
    }

    /// Kills and starts again.
    pub async fn crash(&mut self) {
        self.kill().await;
        self.start();
        self.settles_in().await;
    }

    /// Kills and starts again once everything that was said is noted as said, so that none of it is
    /// said again.
    pub async fn crash_when_noted(&mut self) {
        self.has_noted(
            "SELECT 'all' WHERE NOT EXISTS (
                 SELECT 1 FROM outbox WHERE state IN ('pending', 'sending', 'unknown'))",
        )
        .await;
        self.crash().await;
    }

    /// Stops in good order and starts again.
    pub async fn restart(&mut self) {
        self.stop().await;
        self.start();
        self.settles_in().await;
    }

    /// Waits until Sayso ends by itself.
    pub async fn ends(&mut self) -> Option<i32> {
        let mut process = self.process.take().unwrap();
        let ended = tokio::time::timeout(PATIENCE, process.wait()).await;
        ended
            .unwrap_or_else(|_| panic!("it did not end:\n{}", self.log()))
            .unwrap()
            .code()
    }

    /// The direct chat with Ann, who speaks in it.
    pub fn direct(&self) -> Chat {
        self.direct_with(&self.ann)
    }

    /// The direct chat with this person, who speaks in it.
    pub fn direct_with(&self, person: &Person) -> Chat {
        match self.platform {
            Platform::Telegram => Chat::Telegram(self.telegram.direct(person)),
            Platform::Discord => Chat::Discord(self.discord.direct(person)),
        }
    }

    /// Returns the group of this name. On Discord it is a channel of a server of its own, which is
    /// created on first use. It has no messages yet.
    pub fn group(&self, name: &str) -> Chat {
        match self.platform {
            Platform::Telegram => Chat::Telegram(self.telegram.group(group_id(name), name)),
            Platform::Discord => Chat::Discord(self.discord.group(group_id(name), name)),
        }
    }

    /// The person whom the tests know by this small number.
    pub fn person(&self, number: i64, name: &str) -> Person {
        self.telegram.person(self.platform.user_id(number), name)
    }

    /// Writes the accounts of Ann and Bob alike on every platform: `(account of Ann)`.
    pub fn without_accounts(&self, text: &str) -> String {
        let people = [&self.ann, &self.bob];
        people.iter().fold(text.to_owned(), |text, person| {
            let account = self.platform.account(person);
            text.replace(&account, &format!("(account of {})", person.name))
        })
    }

    /// Has the next message that Sayso sends meet this trouble; several are used up in order.
    pub fn saying_fails(&self, trouble: Trouble) {
        match self.platform {
            Platform::Telegram => self.telegram.fail_next("sendMessage", trouble.into()),
            Platform::Discord => self.discord.fail_next("create_message", trouble.into()),
        }
    }

    /// Has the next deletions of messages meet this trouble.
    pub fn deleting_fails(&self, times: usize, trouble: &Trouble) {
        for _ in 0..times {
            match self.platform {
                Platform::Telegram => {
                    self.telegram
                        .fail_next("deleteMessage", trouble.clone().into());
                }
                Platform::Discord => {
                    self.discord
                        .fail_next("delete_message", trouble.clone().into());
                }
            }
        }
    }

    /// Has every message that Sayso sends and that begins so meet this trouble.
    pub fn saying_fails_for(&self, beginning: &'static str, trouble: Trouble) {
        match self.platform {
            Platform::Telegram => self.telegram.fail_when(move |call: &telegram::Call| {
                let is_it =
                    call.method == "sendMessage" && call.text("text").starts_with(beginning);
                is_it.then(|| trouble.clone().into())
            }),
            Platform::Discord => self.discord.fail_when(move |call: &discord::Call| {
                let said = call.text("content").trim_start_matches('*');
                let is_it = call.method == "create_message" && said.starts_with(beginning);
                is_it.then(|| trouble.clone().into())
            }),
        }
    }

    /// Takes back all trouble that has not come yet.
    pub fn heal(&self) {
        match self.platform {
            Platform::Telegram => self.telegram.heal(),
            Platform::Discord => self.discord.heal(),
        }
    }

    /// The data directory.
    pub fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// A path in the bot.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The only workspace that exists so far.
    pub fn workspace(&self) -> PathBuf {
        let workspaces = self.data().join("workspaces");
        let mut found: Vec<_> = std::fs::read_dir(&workspaces).unwrap().collect();
        assert_eq!(found.len(), 1, "one workspace in {}", workspaces.display());
        found.remove(0).unwrap().path()
    }

    /// What Sayso has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// Waits until Sayso has logged these words.
    pub async fn logs(&self, words: &str) {
        let logged = found(|| self.log().contains(words).then_some(())).await;
        assert!(
            logged.is_some(),
            "{words:?} was not logged:\n{}",
            self.log()
        );
    }

    /// Fails when anything that was sent to the outside was against its rules.
    pub fn assert_clean(&self) {
        self.telegram.assert_clean();
        self.discord.assert_clean();
        self.model.assert_clean();
        let found = ban_list::found_in(&self.sent(), &self.said_by_others());
        assert!(found.is_empty(), "on the ban list:\n{}", found.join("\n"));
    }

    /// Every text that Sayso sent, or edited a message to.
    fn sent(&self) -> Vec<String> {
        let telegram = self.telegram.calls().into_iter().filter_map(|call| {
            let text = match call.method.as_str() {
                "sendMessage" | "editMessageText" => call.text("text"),
                "sendDocument" => call.text("caption"),
                _ => return None,
            };
            Some(text.to_owned())
        });
        let discord = self.discord.calls().into_iter();
        // What Markdown would read as marks is escaped there.
        let discord = discord.map(|call| call.text("content").replace('\\', ""));
        telegram.chain(discord).collect()
    }

    /// What people and the model said.
    fn said_by_others(&self) -> Vec<String> {
        let mut said = self.telegram.said_by_people();
        said.extend(self.discord.said_by_people());
        said.extend(self.model.spoken());
        said
    }

    /// Waits until Sayso is there and hears people.
    pub async fn listens(&self) {
        match self.platform {
            Platform::Telegram => self.telegram.waits_for_calls("getUpdates", 1).await,
            Platform::Discord => {
                let begun = self.sessions_before + 1;
                self.discord.waits_for_identifies(begun).await;
                self.discord.waits_for_sessions(1).await;
                // What is said with a slash before that is no command.
                let menu = || (!self.discord.commands().is_empty()).then_some(());
                assert!(found(menu).await.is_some(), "no commands:\n{}", self.log());
            }
        }
    }

    /// Waits until people may speak and press. What they do before waits on Telegram, and not on
    /// Discord.
    pub async fn settles_in(&self) {
        match self.platform {
            Platform::Telegram => {}
            Platform::Discord => self.listens().await,
        }
    }

    /// Waits until everything that was said or pressed so far is stored.
    pub async fn has_heard_all(&self) {
        match self.platform {
            Platform::Telegram => self.has_confirmed_all().await,
            Platform::Discord => self.has_stored_all().await,
        }
    }

    async fn has_stored_all(&self) {
        let said = self.discord.said();
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let stored = "SELECT event || ' ' || version FROM inbox WHERE kind = 'message'";
            let stored = self.rows(stored).await;
            let is_stored =
                |(id, changed): &(i64, i64)| stored.contains(&format!("{id} {changed}"));
            if self.discord.unanswered() == 0 && said.iter().all(is_stored) {
                return;
            }
            let is_late = tokio::time::Instant::now() > deadline;
            assert!(
                !is_late,
                "{said:?} is not all in {stored:?}\n{}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn has_confirmed_all(&self) {
        loop {
            // Counted first: a confirmation between the two lines is one more call.
            let polls = self.telegram.count("getUpdates");
            if self.telegram.unconfirmed() == 0 {
                return;
            }
            self.telegram.waits_for_calls("getUpdates", polls + 1).await;
        }
    }

    /// Changes the database beside the running process, as time would, once there is something to
    /// change: what was sent may be noted a moment later.
    pub async fn change(&self, statement: &'static str) {
        let database = rusqlite::Connection::open(self.data().join("sayso.db")).unwrap();
        let changed = found(|| {
            database.execute_batch(statement).unwrap();
            (database.changes() > 0).then_some(())
        });
        let changed = changed.await;
        assert!(changed.is_some(), "nothing to change by {statement}");
    }

    /// Reads from the database beside the running process.
    pub async fn rows(&self, query: &'static str) -> Vec<String> {
        rows_of(&self.data().join("sayso.db"), query).await
    }

    /// Waits until a query gives something: what the process knows, and no chat shows.
    pub async fn has_noted(&self, query: &'static str) {
        let noted = async {
            while self.rows(query).await.is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let ended = tokio::time::timeout(PATIENCE, noted).await;
        assert!(ended.is_ok(), "waited in vain for {query}");
    }

    /// Waits until what was said in all turns that have ended can be found by its words and is
    /// summed up: answers wait for neither. A session is held until the summary is written.
    pub async fn has_indexed(&self) {
        self.has_noted(
            "SELECT 'all' WHERE NOT EXISTS (SELECT 1 FROM turns WHERE index_due_ms IS NOT NULL)
                 AND NOT EXISTS (
                     SELECT 1 FROM sessions s WHERE s.lease_owner IS NOT NULL AND NOT EXISTS (
                         SELECT 1 FROM turns t WHERE t.session_id = s.id AND t.state = 'running'))",
        )
        .await;
    }

    /// Waits until no turn works or is due, and all that is to be said, edited or deleted is.
    pub async fn has_said_all(&self) {
        self.has_noted(
            "SELECT 'all' WHERE NOT EXISTS (
                     SELECT 1 FROM outbox WHERE state IN ('pending', 'sending', 'unknown'))
                 AND NOT EXISTS (SELECT 1 FROM turns WHERE state = 'running')
                 AND NOT EXISTS (SELECT 1 FROM jobs WHERE due_ms <= 1000 * unixepoch('subsec'))",
        )
        .await;
    }

    /// Changes the database while nothing runs, as time or a fault would.
    pub async fn write(&self, statement: &'static str) {
        assert!(self.process.is_none(), "it runs");
        self.beside(move |database| database.execute_batch(statement))
            .await
            .unwrap();
    }

    /// Does something with the database, on a thread that may wait for it.
    async fn beside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> T + Send + 'static,
    ) -> T {
        let path = self.data().join("sayso.db");
        let done =
            tokio::task::spawn_blocking(move || work(&rusqlite::Connection::open(path).unwrap()));
        done.await.unwrap()
    }

    /// Changes the database while nothing runs by several statements, between which rows may be
    /// without those that they name.
    pub async fn write_all(&self, statements: &[&'static str]) {
        assert!(self.process.is_none(), "it runs");
        let statements = format!("PRAGMA foreign_keys = OFF; {}", statements.join(";"));
        self.beside(move |database| database.execute_batch(&statements))
            .await
            .unwrap();
    }

    /// Returns why the database refuses a change while nothing runs.
    pub async fn refuses(&self, statement: &'static str) -> String {
        assert!(self.process.is_none(), "it runs");
        let refused = self.beside(move |database| database.execute_batch(statement));
        refused.await.unwrap_err().to_string()
    }
}

/// The id of a group on Telegram, made of its name.
fn group_id(name: &str) -> i64 {
    let mix = |mixed: i64, byte: u8| (mixed * 31 + i64::from(byte)) % 1_000_000_000;
    -1_001_000_000_000 - name.bytes().fold(0, mix)
}

/// Looks again and again, for what no signal tells; `None` after [`PATIENCE`].
pub async fn found<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let found = look();
        if found.is_some() || tokio::time::Instant::now() > deadline {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Runs a query whose rows have one text column; a row without text gives an empty one.
pub async fn rows_of(path: &Path, query: &'static str) -> Vec<String> {
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || {
        let reading = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let database = rusqlite::Connection::open_with_flags(path, reading)?;
        let mut rows = database.prepare(query)?;
        let rows = rows.query_map((), |row| row.get(0))?;
        rows.map(|row| row.map(Option::<String>::unwrap_or_default))
            .collect::<rusqlite::Result<_>>()
    });
    read.await.unwrap().unwrap()
}

/// Returns an address without a listener. It is bound and released on an IP address that no other
/// test listens on or connects from, so no other test gets it, and each call returns another one.
pub fn free_address() -> SocketAddr {
    let free = TcpListener::bind("127.0.0.3:0").unwrap();
    free.local_addr().unwrap()
}

/// Waits until something outside the fakes is so: a file, a process, a line in the log.
pub async fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let ended = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(ended.is_ok(), "waited in vain for {what}");
}
