//! The HTTP side of a model service: a client that keeps its key to itself, and patience with an
//! answer that comes in pieces.
//!
//! What the pieces mean is up to each [`Protocol`].

pub(super) mod arguments;
pub(super) mod error_kinds;
pub(super) mod events;
pub(super) mod failure;
mod images;
pub(super) mod refused_tools;
pub(super) mod replay;
pub(super) mod response_body;
mod timeouts;

use std::fmt;
use std::time::Duration;

use anyhow::Context as _;
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use secrecy::SecretString;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::{ChatOptions, ChatRequest, Heard, ProviderError, ServedModel, Stage};

pub use self::images::VisionSupport;
use self::response_body::MeteredReading;
pub(super) use self::response_body::{Progress, Protocol, Reading, prompt_progress, whole_json};
pub use self::timeouts::Timeouts;

/// The most of an error body that is read, in bytes.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// How long to wait for what follows once the model is finished: some servers then say nothing more
/// and keep the connection open.
const AFTER_FINISH: Duration = Duration::from_secs(5);

/// How often a server that loads its model is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What a protocol makes of an answer that is none: its status, headers and body.
pub(super) type Refusal = fn(u16, &HeaderMap, &[u8]) -> ProviderError;

/// A model service, as far as HTTP goes.
pub(super) struct Wire {
    client: Client,
    base_url: Url,
    /// What no error may hold.
    key: Option<SecretString>,
    timeouts: Timeouts,
    refusal: Refusal,
}

/// The address may hold a password, so only its host is shown.
impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wire")
            .field("host", &self.base_url.host_str())
            .finish_non_exhaustive()
    }
}

impl Wire {
    /// Makes a client; nothing is sent yet. `headers` hold the key in the way of the protocol.
    pub(super) fn new(
        served: &ServedModel,
        headers: HeaderMap,
        refusal: Refusal,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            client: client(&served.base_url, headers, served.timeouts.connect)?,
            base_url: served.base_url.clone(),
            key: served.api_key.clone(),
            timeouts: served.timeouts,
            refusal,
        })
    }

    /// Begins a question to an endpoint.
    pub(super) fn post(&self, segments: &[&str]) -> RequestBuilder {
        self.client.post(endpoint(&self.base_url, segments))
    }

    /// Begins to look something up.
    pub(super) fn get(&self, segments: &[&str]) -> RequestBuilder {
        self.client.get(endpoint(&self.base_url, segments))
    }

    /// Returns until when an answer must have begun that is asked for now.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.timeouts.first_token
    }

    /// Sends a question and waits until its answer begins.
    pub(super) async fn respond(
        &self,
        request: RequestBuilder,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        let response = timeout_at(deadline, request.send())
            .await
            .map_err(|_| self.silent())?
            .map_err(|error| self.lost(error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = timeout(self.timeouts.idle, error_body(response)).await;
        Err((self.refusal)(status, &headers, &body.unwrap_or_default()))
    }

    /// Sends a question and waits until its answer begins; a server that loads its model is waited for,
    /// as long as its silence would be. What it needs for that is added to the deadline.
    pub(super) async fn respond_when_ready(
        &self,
        request: RequestBuilder,
        deadline: &mut Instant,
        options: &ChatOptions<'_>,
    ) -> Result<Response, ProviderError> {
        let patience = Instant::now() + self.timeouts.idle;
        let mut question = request.try_clone();
        let mut answer = self.respond(request, *deadline).await;
        while let Err(error) = &answer
            && error.is_loading()
            && Instant::now() < patience
            && let Some(again) = question.take()
        {
            options.note(Stage::Starting);
            self.wait_until_loaded(patience).await;
            question = again.try_clone();
            *deadline = self.deadline();
            answer = self.respond(again, *deadline).await;
        }
        answer
    }

    /// Waits until the server says that it has loaded its model, or the time is over. One that has no
    /// `/health` is asked again after a moment.
    async fn wait_until_loaded(&self, patience: Instant) {
        loop {
            sleep(LOOK_EVERY).await;
            let looked = self.respond(self.get(&["health"]), patience).await;
            let is_loading = looked.is_err_and(|error| error.is_loading());
            if !is_loading || Instant::now() >= patience {
                return;
            }
        }
    }

    /// Reads an answer, as long as it goes on.
    pub(super) async fn read<P: Protocol>(
        &self,
        mut response: Response,
        mut deadline: Instant,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<P::Answer, ProviderError> {
        let mut reading = MeteredReading::<P>::new(response.status().as_u16(), request.attempts);
        let mut progress = Progress::Silent;
        let mut percent = None;
        loop {
            let chunk = match timeout_at(deadline, response.chunk()).await {
                Ok(Ok(Some(chunk))) => chunk,
                Ok(Ok(None)) => break,
                // What follows the finish is welcome, but not waited for.
                Ok(Err(_)) | Err(_) if progress == Progress::Finished => break,
                Ok(Err(error)) => return Err(self.lost(error)),
                Err(_) if matches!(progress, Progress::Silent | Progress::Reading) => {
                    return Err(self.silent());
                }
                Err(_) => return Err(self.stalled()),
            };
            match reading.push(&chunk, heard)? {
                Progress::Silent => {}
                Progress::Done => break,
                news @ (Progress::Reading | Progress::Heard | Progress::Finished) => {
                    progress = news;
                    deadline = Instant::now() + self.patience(news);
                }
            }
            let read = reading.percent_read();
            if let Some(read) = read.filter(|_| read != percent) {
                request.options.note(Stage::Reading(read));
                percent = Some(read);
            }
        }
        reading.finish(heard)
    }

    /// Ends work that takes too long as a whole, and keeps the key out of what it says.
    pub(super) async fn within_the_whole<T>(
        &self,
        work: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, ProviderError> {
        let whole = self.timeouts.whole;
        timeout(whole, work)
            .await
            .unwrap_or(Err(ProviderError::TimedOut {
                stage: "finish",
                after: whole,
            }))
            .map_err(|error| failure::without_key(error, self.key.as_ref()))
    }

    fn patience(&self, progress: Progress) -> Duration {
        match progress {
            Progress::Silent | Progress::Reading => self.timeouts.first_token,
            Progress::Heard => self.timeouts.idle,
            Progress::Finished | Progress::Done => AFTER_FINISH.min(self.timeouts.idle),
        }
    }

    fn lost(&self, error: reqwest::Error) -> ProviderError {
        failure::on_the_way(error, self.timeouts.connect)
    }

    fn silent(&self) -> ProviderError {
        ProviderError::TimedOut {
            stage: "begin to answer",
            after: self.timeouts.first_token,
        }
    }

    fn stalled(&self) -> ProviderError {
        ProviderError::TimedOut {
            stage: "go on",
            after: self.timeouts.idle,
        }
    }
}

/// Makes the client of a service; nothing is sent yet.
pub(super) fn client(
    base_url: &Url,
    headers: HeaderMap,
    connect: Duration,
) -> anyhow::Result<Client> {
    let mut client = Client::builder()
        .default_headers(headers)
        .connect_timeout(connect)
        // A key must not follow a redirect, and a question must not become a GET.
        .redirect(Policy::none());
    if is_loopback(base_url) {
        client = client.no_proxy();
    }
    client
        .build()
        .context("cannot set up the client of a model service")
}

/// Returns the address of an endpoint; what `base_url` carries as its query stays.
pub(super) fn endpoint(base_url: &Url, segments: &[&str]) -> Url {
    let mut url = base_url.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Returns what there is of a body, up to the bound: a half-read reason is better than none.
pub(super) async fn error_body(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = MAX_ERROR_BYTES - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == MAX_ERROR_BYTES {
            break;
        }
    }
    body
}
