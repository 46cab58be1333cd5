//! `sayso mcp`: a person logs in to a service of the configuration, and takes its tools as they
//! are.
//!
//! The browser comes back to a port of this machine that is open for as long as the command runs. A
//! browser on another machine cannot reach that; then the address that it ended at is pasted here,
//! which is the same answer by another way.

use std::io::{self, BufRead as _, Write};
use std::net::Ipv4Addr;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::routing::get;
use reqwest::Url;
use sayso_channel::Language;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::exit::Exit;
use super::messages;
use crate::app::{self, McpAsking, McpLogin, NoLogin};
use crate::config::Config;

/// How long somebody may take to log in.
const PATIENCE: Duration = Duration::from_mins(15);
/// Where the browser comes back to.
const PATH: &str = "/callback";
/// How long the browser may take to get its page.
const GOODBYE: Duration = Duration::from_secs(1);
/// Capacity of the queue of answers.
const WAITING: usize = 4;

/// The address of a browser's callback, and the channel for the reply to the browser.
struct Back {
    address: Url,
    is_ours: Option<oneshot::Sender<bool>>,
}

/// Has somebody log in to the server of this name.
pub(super) async fn login(
    config: &Config,
    name: &str,
    scopes: &[String],
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let login = match found(config, name) {
        Ok(login) => login,
        Err(why) => {
            let said = why.in_words(name, language);
            return says(output, &said, Exit::BadConfiguration);
        }
    };
    let port = login.redirect_port().unwrap_or(0);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.with_context(|| format!("cannot listen on 127.0.0.1:{port}"))?;
    let redirect = Url::parse(&format!("http://{}{PATH}", listener.local_addr()?))?;
    let answered = match login.ask(redirect.as_str(), scopes).await {
        Ok(asking) => answered(&asking, listener, &redirect, language, output).await?,
        Err(why) => LoginEnd::Refused(why),
    };
    match answered {
        LoginEnd::TooLate => {
            let minutes = PATIENCE.as_secs() / 60;
            let said = messages::mcp_login_too_late(language, &minutes);
            says(output, &said, Exit::Failed)
        }
        LoginEnd::LoggedIn => says(
            output,
            &messages::mcp_logged_in(language, &name),
            Exit::Fine,
        ),
        LoginEnd::Refused(why) => {
            let said = why_not(name, &why, &redirect, language);
            says(output, &said, Exit::Failed)
        }
    }
}

/// How a login ends.
enum LoginEnd {
    LoggedIn,
    Refused(NoLogin),
    /// No answer came in time.
    TooLate,
}

/// Prints the login address, and waits for the answer by both ways.
async fn answered(
    asking: &McpAsking,
    listener: TcpListener,
    redirect: &Url,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<LoginEnd> {
    let (backs, coming) = mpsc::channel(WAITING);
    let done = CancellationToken::new();
    let serving = serve(listener, redirect, backs.clone(), done.clone(), language);
    writeln!(output, "{}", messages::mcp_open(language, asking.address()))?;
    writeln!(output, "{}", messages::mcp_paste(language, redirect))?;
    output.flush()?;
    read_pasted(backs);
    tokio::pin!(serving);
    let answered = tokio::select! {
        answered = wait(asking, coming, language, output) => answered?,
        served = &mut serving => {
            served.context("cannot go on listening")?;
            LoginEnd::TooLate
        }
    };
    done.cancel();
    // A browser that does not take its page goes without.
    let _ = timeout(GOODBYE, serving).await;
    Ok(answered)
}

/// Forgets the login to the server of this name.
pub(super) fn logout(
    config: &Config,
    name: &str,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let login = match found(config, name) {
        Ok(login) => login,
        Err(why) => {
            let said = why.in_words(name, language);
            return says(output, &said, Exit::BadConfiguration);
        }
    };
    if login.forget().context("cannot remove the login")? {
        says(
            output,
            &messages::mcp_logged_out(language, &name),
            Exit::Fine,
        )
    } else {
        says(
            output,
            &messages::mcp_not_logged_in(language, &name),
            Exit::Fine,
        )
    }
}

/// Takes the tools of the server of this name as it describes them next.
pub(super) fn accept(
    config: &Config,
    name: &str,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let server = config.mcp.iter().find(|server| server.name == name);
    let Some(server) = server else {
        let said = messages::mcp_unknown(language, &name);
        return says(output, &said, Exit::BadConfiguration);
    };
    let was_known = app::accept_mcp_tools(config, server).context("cannot forget the tools")?;
    let said = if was_known {
        messages::mcp_accepted(language, &name)
    } else {
        messages::mcp_never_seen(language, &name)
    };
    says(output, &said, Exit::Fine)
}

/// Why there is nothing to log in to.
enum NotFound {
    Unknown,
    WithoutLogin,
}

impl NotFound {
    fn in_words(&self, name: &str, language: Language) -> String {
        match self {
            Self::Unknown => messages::mcp_unknown(language, &name),
            Self::WithoutLogin => messages::mcp_without_login(language, &name),
        }
    }
}

fn found(config: &Config, name: &str) -> Result<McpLogin, NotFound> {
    let named = config.mcp.iter().find(|server| server.name == name);
    let server = named.ok_or(NotFound::Unknown)?;
    app::mcp_login(config, server).ok_or(NotFound::WithoutLogin)
}

/// Waits for an answer to what was asked.
async fn wait(
    asking: &McpAsking,
    mut coming: mpsc::Receiver<Back>,
    language: Language,
    output: &mut impl Write,
) -> io::Result<LoginEnd> {
    let until = Instant::now() + PATIENCE;
    while let Ok(Some(back)) = timeout_at(until, coming.recv()).await {
        let answered = asking.answer(&back.address).await;
        let is_ours = answered != Err(NoLogin::NotOurs);
        if let Some(told) = back.is_ours {
            // A browser that is gone needs no page.
            let _ = told.send(is_ours);
        }
        if is_ours {
            return Ok(match answered {
                Ok(()) => LoginEnd::LoggedIn,
                Err(why) => LoginEnd::Refused(why),
            });
        }
        writeln!(output, "{}", messages::mcp_not_ours(language))?;
        output.flush()?;
    }
    Ok(LoginEnd::TooLate)
}

/// Answers the browser that comes back.
async fn serve(
    listener: TcpListener,
    redirect: &Url,
    backs: mpsc::Sender<Back>,
    done: CancellationToken,
    language: Language,
) -> io::Result<()> {
    let redirect = redirect.clone();
    let answer = move |State(backs): State<mpsc::Sender<Back>>, RawQuery(query): RawQuery| {
        let mut address = redirect.clone();
        address.set_query(query.as_deref());
        came_back(address, backs, language)
    };
    let app = Router::new().route(PATH, get(answer)).with_state(backs);
    let serving = axum::serve(listener, app);
    serving.with_graceful_shutdown(done.cancelled_owned()).await
}

async fn came_back(
    address: Url,
    backs: mpsc::Sender<Back>,
    language: Language,
) -> (StatusCode, String) {
    let (told, is_ours) = oneshot::channel();
    let back = Back {
        address,
        is_ours: Some(told),
    };
    // Without anybody who waits it is too late, and no answer either.
    let is_ours = backs.send(back).await.is_ok() && is_ours.await.unwrap_or(false);
    if is_ours {
        (StatusCode::OK, messages::mcp_browser_done(language))
    } else {
        (StatusCode::BAD_REQUEST, messages::mcp_not_ours(language))
    }
}

/// Reads addresses that are pasted. A thread of its own, for reading a terminal has no end: it ends
/// with the process.
fn read_pasted(backs: mpsc::Sender<Back>) {
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let Ok(address) = Url::parse(line.trim()) else {
                continue;
            };
            let back = Back {
                address,
                is_ours: None,
            };
            if backs.blocking_send(back).is_err() {
                break;
            }
        }
    });
}

fn why_not(name: &str, why: &NoLogin, redirect: &Url, language: Language) -> String {
    let why = match why {
        NoLogin::NotPrivate => messages::mcp_not_private(language),
        NoLogin::NothingSaid => messages::mcp_nothing_said(language),
        NoLogin::NoRegistration => messages::mcp_no_registration(language, redirect),
        NoLogin::NotOurs => messages::mcp_not_ours(language),
        NoLogin::Refused(said) => messages::mcp_login_refused(language, said),
        NoLogin::Failed(said) => said.clone(),
    };
    messages::mcp_login_failed(language, &name, &why)
}

fn says(output: &mut impl Write, said: &str, exit: Exit) -> anyhow::Result<Exit> {
    writeln!(output, "{said}")?;
    output.flush()?;
    Ok(exit)
}
