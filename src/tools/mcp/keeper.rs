//! Keeps servers going: starts each, asks what it has, hears when that changes, and starts it again
//! when it is gone, with longer and longer pauses.
//!
//! A server that is gone keeps its tools in view: the next call waits for it to come back, for as
//! long as one call may take. A call that was running when its server ended is not repeated. A
//! service that requires a login is reported once and left alone until somebody has logged in.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::future::join_all;
use sayso_core::redact::Redactor;
use sayso_core::visible::visible_line;
use sayso_sandbox::helper::{HelperPath, Request, Server};
use secrecy::ExposeSecret as _;
use tokio::net::unix::OwnedWriteHalf;
use tokio::process::{Child, ChildStderr, ChildStdout};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::handle::{Handle, Presence};
use super::login::Login;
use super::resources::{McpPrompt, McpResource};
use super::seen::Seen;
use super::settings::{McpServer, McpShown, McpWay};
use super::stderr::StderrLog;
use super::tool_list::Known;
use super::wire::{Connection, Described, Line, MAX_LINE_BYTES, NoAnswer, NoConnection, Shown};
use crate::{DynamicTools, Tool};

/// The host of the tools that are there for all servers; no server can be called so.
const ALL_SERVERS: &str = "*";
/// The first pause before a server is started again; each one after it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// After so long without trouble a server counts as well again.
const STEADY: Duration = Duration::from_mins(1);
/// Between a change of a list and the question for it: changes come in bursts. Each one after it is
/// twice as long, up to the longest pause, until the server has been quiet for as long as
/// [`STEADY`].
const LIST_PAUSE: Duration = Duration::from_millis(500);
/// A list that could not be read is asked for again after so long.
const LOOK_AGAIN_AT_LIST: Duration = Duration::from_mins(1);
/// How long a connection may take to close, and then its process to end.
const END_WITHIN: Duration = Duration::from_secs(3);
/// How long the last words of a server that ended are waited for.
const LAST_WORDS_WITHIN: Duration = Duration::from_millis(300);
/// The longest reason that is reported, in characters.
const MAX_REASON_CHARS: usize = 300;
/// How often a server that waits for a login looks whether there was one.
const LOOK_FOR_LOGIN: Duration = Duration::from_secs(1);
/// A server that waits for a login is tried again after so long without one: it may have changed
/// its mind.
const TRY_WITHOUT_LOGIN: Duration = Duration::from_mins(10);

/// Why a server cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum McpTrouble {
    /// It wants that somebody logs in.
    #[error("it waits for a login")]
    NeedsLogin,
    /// It answers, and what it says of its tools cannot be read.
    #[error("it answers, but its list of tools cannot be read: {0}")]
    BadList(String),
    /// Something else.
    #[error("{0}")]
    Failed(String),
}

/// All servers.
pub struct McpServers {
    keepers: Vec<Keeper>,
    waiting: watch::Receiver<BTreeSet<String>>,
}

impl McpServers {
    /// Makes them, with none started yet. Their tools come to `guests`, and at once the two for
    /// resources and prompts.
    pub fn new(
        servers: Vec<McpServer>,
        helper: &HelperPath,
        redactor: &Redactor,
        dynamic_tools: &DynamicTools,
    ) -> Self {
        let (waiting, seen) = watch::channel(BTreeSet::new());
        let keepers = servers.into_iter().map(|server| {
            let waiting = waiting.clone();
            Keeper::new(
                server,
                helper.clone(),
                redactor.clone(),
                dynamic_tools.clone(),
                waiting,
            )
        });
        let keepers: Vec<Keeper> = keepers.collect();
        if !keepers.is_empty() {
            let handles: Vec<Handle> = keepers.iter().map(Keeper::handle).collect();
            let shelf: [Arc<dyn Tool>; 2] = [
                Arc::new(McpResource::new(handles.clone())),
                Arc::new(McpPrompt::new(handles)),
            ];
            dynamic_tools.come(ALL_SERVERS, shelf.into());
        }
        Self {
            keepers,
            waiting: seen,
        }
    }

    /// Returns the names of those that wait for a login, as it changes.
    pub fn waiting(&self) -> watch::Receiver<BTreeSet<String>> {
        self.waiting.clone()
    }

    /// Keeps all of them going until `shutdown`, then ends them.
    pub async fn run(self, shutdown: CancellationToken) {
        let keepers = self.keepers.into_iter();
        join_all(keepers.map(|keeper| keeper.run(shutdown.clone()))).await;
    }
}

/// Starts a server once, to see whether it can be used, and ends it.
///
/// # Errors
/// Why it cannot be used.
pub async fn try_server(
    server: McpServer,
    helper: HelperPath,
    redactor: Redactor,
) -> Result<usize, McpTrouble> {
    let dynamic_tools = DynamicTools::default();
    let (waiting, _) = watch::channel(BTreeSet::new());
    let mut keeper = Keeper::new(server, helper, redactor, dynamic_tools.clone(), waiting);
    let mut presence = keeper.presence.subscribe();
    let seen = CancellationToken::new();
    let tools = {
        let live = keeper.live(&seen);
        let wait = async {
            // It fails only when the keeper is gone, and then the count is not needed.
            let there = presence.wait_for(|presence| matches!(presence, Presence::There(_)));
            let tools = there.await.map_or(0, |_| dynamic_tools.all().len());
            seen.cancel();
            tools
        };
        tokio::pin!(live, wait);
        tokio::select! {
            biased;
            lived = &mut live => lived.map(|()| 0),
            tools = &mut wait => live.await.map(|()| tools),
        }?
    };
    match keeper.list_fault {
        Some(why) => Err(McpTrouble::BadList(why)),
        None => Ok(tools),
    }
}

/// One server, and what is known of it.
struct Keeper {
    server: McpServer,
    helper: HelperPath,
    redactor: Redactor,
    dynamic_tools: DynamicTools,
    presence: watch::Sender<Presence>,
    known: Known,
    /// Why its last list of tools could not be read.
    list_fault: Option<String>,
    login: Option<Login>,
    /// The names of the servers that wait for a login; all keepers write their own.
    waiting: watch::Sender<BTreeSet<String>>,
}

/// What a program is spoken to over.
struct Pipes {
    output: ChildStdout,
    input: OwnedWriteHalf,
}

/// A server that was started and has not been spoken to.
struct Started {
    /// What it is spoken to over; `None` for a service.
    pipes: Option<Pipes>,
    /// The helper that it runs under.
    process: Option<Child>,
    /// What it complains over.
    complaints: Option<ChildStderr>,
}

impl Keeper {
    fn new(
        server: McpServer,
        helper: HelperPath,
        redactor: Redactor,
        dynamic_tools: DynamicTools,
        waiting: watch::Sender<BTreeSet<String>>,
    ) -> Self {
        Self {
            login: login_of(&server.way),
            known: Known::new(Seen::at(&server.seen, server.identity())),
            list_fault: None,
            waiting,
            server,
            helper,
            redactor,
            dynamic_tools,
            presence: watch::Sender::new(Presence::Starting),
        }
    }

    fn handle(&self) -> Handle {
        Handle {
            name: self.server.name.as_str().into(),
            call_timeout: self.server.call_timeout,
            presence: self.presence.subscribe(),
        }
    }

    async fn run(mut self, shutdown: CancellationToken) {
        let server = self.server.name.clone();
        let mut failures = 0;
        loop {
            let begun = Instant::now();
            let tried = self.login_written_at();
            let why = match self.live(&shutdown).await {
                Ok(()) => break,
                Err(McpTrouble::Failed(why) | McpTrouble::BadList(why)) => Some(why),
                Err(McpTrouble::NeedsLogin) => {
                    tokio::select! {
                        () = shutdown.cancelled() => break,
                        () = self.wait_for_login(tried) => None,
                    }
                }
            };
            if begun.elapsed() >= STEADY {
                failures = 0;
            }
            // Also after a login: a service that refuses the tokens that it just renewed seems to
            // have got one each time.
            let pause = pause(FIRST_PAUSE, failures);
            failures += 1;
            if let Some(why) = why {
                tracing::warn!(%server, %why, ?pause, "MCP server disconnected; restarting");
                self.presence.send_replace(Presence::Gone(why.into()));
            }
            tokio::select! {
                () = shutdown.cancelled() => break,
                () = sleep(pause) => {}
            }
        }
        self.dynamic_tools.come(&server, Vec::new());
    }

    fn login_written_at(&self) -> Option<SystemTime> {
        self.login.as_ref().and_then(Login::written_at)
    }

    /// Waits until somebody has logged in since the login that was tried, or for so long that it is
    /// worth trying without.
    async fn wait_for_login(&self, tried: Option<SystemTime>) {
        let server = &self.server.name;
        if !matches!(*self.presence.borrow(), Presence::WaitsForLogin) {
            tracing::warn!(
                %server,
                "MCP server waits for a login: run `sayso mcp login {server}`, or set `token` of \
                 its `[[mcp]]`"
            );
        }
        self.presence.send_replace(Presence::WaitsForLogin);
        self.waiting.send_modify(|names| {
            names.insert(server.clone());
        });
        let waited_from = Instant::now();
        while waited_from.elapsed() < TRY_WITHOUT_LOGIN && self.login_written_at() <= tried {
            sleep(LOOK_FOR_LOGIN).await;
        }
    }

    /// Runs the server once, to its end or to `shutdown`.
    ///
    /// # Errors
    /// Why it ended, or never was there.
    async fn live(&mut self, shutdown: &CancellationToken) -> Result<(), McpTrouble> {
        let (name, redactor) = (self.server.name.clone(), self.redactor.clone());
        let said = StderrLog::new(&name, &redactor);
        let mut started = start(&self.server.way, &self.helper)
            .await
            .map_err(|error| McpTrouble::Failed(reason(&error.to_string(), &redactor)))?;
        let complaints = started.complaints.take();
        let listening = async {
            if let Some(complaints) = complaints {
                said.listen(complaints).await;
            }
        };
        let attending = self.attend(started, shutdown);
        tokio::pin!(listening, attending);
        let mut heard_all = false;
        let over = loop {
            tokio::select! {
                over = &mut attending => break over,
                () = &mut listening, if !heard_all => heard_all = true,
            }
        };
        let why = match over {
            Err(McpTrouble::Failed(why)) => why,
            over => return over,
        };
        if !heard_all {
            // Whatever is not said by then is not told.
            let _ = timeout(LAST_WORDS_WITHIN, &mut listening).await;
        }
        let why = match said.last() {
            Some(last) => format!("{why}; it said last: {last}"),
            None => why,
        };
        Err(McpTrouble::Failed(reason(&why, &redactor)))
    }

    async fn attend(
        &mut self,
        started: Started,
        shutdown: &CancellationToken,
    ) -> Result<(), McpTrouble> {
        let patience = self.server.start_timeout;
        let changed = Arc::new(Notify::new());
        let (way, login) = (&self.server.way, self.login.as_ref());
        let connecting = connect(way, login, started.pipes, Arc::clone(&changed));
        let connected = tokio::select! {
            biased;
            () = shutdown.cancelled() => {
                end(started.process).await;
                return Ok(());
            }
            connected = timeout(patience, connecting) => connected,
        };
        let connection = match connected {
            Ok(Ok(connection)) => connection,
            Ok(Err(error)) => return Err(told(error, self.login.is_some())),
            Err(_elapsed) => {
                end(started.process).await;
                let why = format!("it did not answer within {} s", patience.as_secs());
                return Err(McpTrouble::Failed(why));
            }
        };
        let (line, leave) = (connection.line(), connection.end());
        let refused = connection.refused();
        let has_login = self.login.is_some();
        let ended = connection.ended();
        tokio::pin!(ended);
        let (over, is_ended) = tokio::select! {
            biased;
            () = shutdown.cancelled() => (Ok(()), false),
            () = refused.notified() => (Err(told(NoConnection::Unauthorized, has_login)), false),
            () = &mut ended => (Err(McpTrouble::Failed("it ended".to_owned())), true),
            why = self.keep_listed(&line, &changed) => (Err(why), false),
        };
        leave.cancel();
        if !is_ended && timeout(END_WITHIN, &mut ended).await.is_err() {
            tracing::warn!(
                server = self.server.name,
                "MCP connection did not close in time"
            );
        }
        end(started.process).await;
        over
    }

    /// Keeps the toolbox told of the server's tools. Returns why that is no longer possible.
    async fn keep_listed(&mut self, line: &Line, changed: &Notify) -> McpTrouble {
        let failed = |why: &str| McpTrouble::Failed(why.to_owned());
        let handle = self.handle();
        let mut changes = 0;
        let mut last: Option<Vec<Described>> = None;
        loop {
            let asked = Instant::now();
            match timeout(self.server.start_timeout, line.tools()).await {
                Ok(Ok(described)) => {
                    self.list_fault = None;
                    // Most servers that say so often say it of nothing.
                    if last.as_ref() != Some(&described) {
                        self.offer(&handle, described.clone());
                        last = Some(described);
                    }
                }
                Ok(Err(NoAnswer::Unauthorized)) => {
                    return told(NoConnection::Unauthorized, self.login.is_some());
                }
                Ok(Err(NoAnswer::Lost)) => return failed("it ended"),
                Ok(Err(answer)) => self.note_list_fault(&answer),
                Err(_elapsed) => return failed("it does not say what tools it has"),
            }
            self.presence.send_replace(Presence::There(line.clone()));
            self.waiting
                .send_if_modified(|names| names.remove(&self.server.name));
            let looks_again = sleep(LOOK_AGAIN_AT_LIST);
            tokio::select! {
                () = changed.notified() => {}
                () = self.known.accepted() => last = None,
                () = looks_again, if self.list_fault.is_some() => {}
            }
            changes = if asked.elapsed() >= STEADY {
                0
            } else {
                changes
            };
            sleep(pause(LIST_PAUSE, changes)).await;
            changes += 1;
        }
    }

    /// Logs once why the list cannot be read. The server answers, so it is not started again for
    /// that; what it had before, and its resources and prompts, stay.
    fn note_list_fault(&mut self, answer: &NoAnswer) {
        let why = match answer {
            NoAnswer::Refused(why) => reason(why, &self.redactor),
            NoAnswer::TooLarge => format!("it is larger than {} MiB", MAX_LINE_BYTES >> 20),
            NoAnswer::NeedsScope(_) => "its login does not open it".to_owned(),
            NoAnswer::Unauthorized | NoAnswer::Lost | NoAnswer::Garbled => {
                "it is no list of tools".to_owned()
            }
        };
        if self.list_fault.as_ref() != Some(&why) {
            let server = &self.server.name;
            tracing::warn!(%server, %why, "cannot read the tool list of an MCP server");
            self.list_fault = Some(why);
        }
    }

    /// Lets the tools in that are as they were, and logs what is left out.
    fn offer(&mut self, handle: &Handle, described: Vec<Described>) {
        let (tools, left_out) = self.known.take_in(handle, described);
        let server = &self.server.name;
        let mut names = Vec::new();
        for (tool, why) in left_out {
            let (tool, why) = (reason(&tool, &self.redactor), why.as_str());
            tracing::warn!(%server, %tool, %why, "MCP tool skipped");
            names.push(tool);
        }
        self.dynamic_tools.leave_out(server, names);
        let count = tools.len();
        let shared = tools
            .into_iter()
            .map(|tool| Arc::new(tool) as Arc<dyn Tool>);
        self.dynamic_tools.come(server, shared.collect());
        tracing::info!(%server, tools = count, "MCP server connected");
    }
}

/// Starts a program under a helper, which ends it and all that it started when we leave.
async fn start(way: &McpWay, helper: &HelperPath) -> std::io::Result<Started> {
    let McpWay::Program {
        program,
        arguments,
        environment,
        directory,
    } = way
    else {
        return Ok(Started {
            pipes: None,
            process: None,
            complaints: None,
        });
    };
    tokio::fs::create_dir_all(directory).await?;
    let environment = environment
        .iter()
        .map(|(name, value)| (name.as_str(), value.expose_secret()));
    let request = Request::Serve(Server {
        program: program.clone(),
        arguments: arguments.clone(),
    });
    let mut launched = helper.launch(environment, directory, &request).await?;
    let output = launched.process.stdout.take();
    Ok(Started {
        complaints: launched.process.stderr.take(),
        pipes: output.map(|output| Pipes {
            output,
            input: launched.leave,
        }),
        process: Some(launched.process),
    })
}

/// Returns the login of a service that has one.
fn login_of(way: &McpWay) -> Option<Login> {
    match way {
        McpWay::Url {
            url,
            shown: McpShown::Login(login),
        } => Some(Login::new(url, login)),
        McpWay::Url { .. } | McpWay::Program { .. } => None,
    }
}

async fn connect(
    way: &McpWay,
    login: Option<&Login>,
    pipes: Option<Pipes>,
    changed: Arc<Notify>,
) -> Result<Connection, NoConnection> {
    if let Some(Pipes { output, input }) = pipes {
        return Connection::over_pipes(output, input, changed).await;
    }
    match (way, login) {
        (McpWay::Url { url, .. }, Some(login)) => {
            Connection::over_http(url, Shown::Login(login), changed).await
        }
        (
            McpWay::Url {
                url,
                shown: McpShown::Token(token),
            },
            None,
        ) => Connection::over_http(url, Shown::Token(token), changed).await,
        (McpWay::Url { .. } | McpWay::Program { .. }, _) => {
            Err(NoConnection::Failed("it has no output".to_owned()))
        }
    }
}

/// Waits for the helper, which ends when it has ended everything; it is killed when it does not.
async fn end(process: Option<Child>) {
    let Some(mut process) = process else { return };
    if timeout(END_WITHIN, process.wait()).await.is_err() {
        // It may have ended at this moment.
        let _ = process.kill().await;
    }
}

fn told(error: NoConnection, has_login: bool) -> McpTrouble {
    match error {
        NoConnection::Unauthorized if has_login => McpTrouble::NeedsLogin,
        NoConnection::Unauthorized => {
            McpTrouble::Failed("it does not take the `token` of its `[[mcp]]`".to_owned())
        }
        NoConnection::Failed(why) => McpTrouble::Failed(why),
    }
}

/// Returns a reason as it may be logged and shown: on one line, cut, and without secrets.
fn reason(text: &str, redactor: &Redactor) -> String {
    let line = visible_line(&redactor.redact(text));
    line.chars().take(MAX_REASON_CHARS).collect()
}

/// Returns how long to wait, given the number of failures in a row before: with jitter, so that
/// servers and instances of Sayso do not retry at the same time.
fn pause(first: Duration, before: u32) -> Duration {
    let whole = first.saturating_mul(1 << before.min(16)).min(LONGEST_PAUSE);
    // Without randomness the pause is whole.
    let share = getrandom::u32().map_or(1.0, |random| f64::from(random) / f64::from(u32::MAX));
    whole.mul_f64(0.5 + share / 2.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{FIRST_PAUSE, LONGEST_PAUSE, pause};

    #[test]
    fn pauses_grow_to_a_bound_and_differ() {
        for (failures, least, most) in [(0, 250, 500), (1, 500, 1000), (3, 2000, 4000)] {
            let pause = pause(FIRST_PAUSE, failures);
            assert!(
                pause >= Duration::from_millis(least),
                "{failures}: {pause:?}"
            );
            assert!(
                pause <= Duration::from_millis(most),
                "{failures}: {pause:?}"
            );
        }
        let late: Vec<_> = (16..40).map(|before| pause(FIRST_PAUSE, before)).collect();
        assert!(
            late.iter()
                .all(|pause| *pause >= LONGEST_PAUSE / 2 && *pause <= LONGEST_PAUSE)
        );
        assert!(late.iter().any(|pause| *pause != late[0]));
    }
}
