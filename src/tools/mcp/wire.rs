//! One connection to a server, in our own types: the types of the protocol do not leave this module
//! and `content`.

use std::error::Error;
use std::io;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, ClientRequest,
    ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation, ListToolsRequest,
    PaginatedRequestParams, ReadResourceRequestParams, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, RunningService, RunningServiceCancellationToken,
    ServiceError,
};
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, InsufficientScopeError, StreamableHttpClientTransportConfig,
};
use rmcp::transport::{AuthClient, StreamableHttpClientTransport};
use rmcp::{ClientHandler, Peer, RoleClient, ServiceExt as _};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use url::Url;

use super::content::{self, Given, Listed};
use super::login::Login;
use super::long_lines::{LongLines, TOO_LONG};

pub(super) use super::long_lines::MAX_LINE_BYTES;

/// The most entries that are taken of one list of a server.
pub(super) const MAX_LISTED: usize = 128;
/// The most pages of a list that are asked for: a server may give empty ones without end.
const MAX_PAGES: usize = 64;

/// Why a server could not be connected to.
#[derive(Debug)]
pub(super) enum NoConnection {
    /// It wants to be shown a token, or another one.
    Unauthorized,
    /// Something else, in the words of the library and the server.
    Failed(String),
}

/// Why a request came to nothing.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The server refused it, in its own words.
    Refused(String),
    /// The server takes our token no more, and there is no other.
    Unauthorized,
    /// The token does not open that. These do, as the server says.
    NeedsScope(Option<String>),
    /// The connection ended meanwhile.
    Lost,
    /// What it answered is no answer to that.
    Garbled,
    /// What it answered is longer than [`MAX_LINE_BYTES`].
    TooLarge,
}

/// A tool as its server describes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Described {
    /// The server's name for it.
    pub name: String,
    /// What it is said to do.
    pub description: String,
    /// The schema of its arguments; `None` where what it says is no object.
    pub schema: Option<Map<String, Value>>,
    /// Whether it is said to change nothing.
    pub says_it_reads: bool,
}

/// A page of the list of tools, with each of them as the server wrote it.
#[derive(Deserialize)]
struct PageOfTools {
    tools: Vec<Value>,
    #[serde(rename = "nextCursor")]
    next_cursor: Option<String>,
}

/// A server that has answered. It stays until it is ended, or ends.
pub(super) struct Connection {
    service: RunningService<RoleClient, NotificationHandler>,
    refused: Arc<Notify>,
}

/// What a server is asked through. Clones ask the same server.
#[derive(Clone)]
pub(super) struct Line {
    peer: Peer<RoleClient>,
    refused: Arc<Notify>,
}

/// What a service is shown with each request.
pub(super) enum Shown<'s> {
    /// This.
    Token(&'s SecretString),
    /// What a login gave us; renewed in time, and when the service refuses it.
    Login(&'s Login),
}

/// Hears what a server says unasked. What it asks for (models, people, directories) it does not
/// get.
struct NotificationHandler {
    tools_changed: Arc<Notify>,
}

impl ClientHandler for NotificationHandler {
    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }

    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("sayso", env!("CARGO_PKG_VERSION")),
        )
    }
}

impl Connection {
    /// Introduces us to a program over its output and input.
    pub(super) async fn over_pipes(
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl AsyncWrite + Send + Unpin + 'static,
        tools_changed: Arc<Notify>,
    ) -> Result<Self, NoConnection> {
        let notifications = NotificationHandler { tools_changed };
        let service = notifications.serve((LongLines::new(output), input)).await;
        Ok(Self {
            service: service.map_err(|error| no_connection(&error))?,
            refused: Arc::default(),
        })
    }

    /// Introduces us to a service. A redirect is followed on the same host only.
    pub(super) async fn over_http(
        url: &Url,
        shown: Shown<'_>,
        tools_changed: Arc<Notify>,
    ) -> Result<Self, NoConnection> {
        let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
        let notifications = NotificationHandler { tools_changed };
        let service = match shown {
            Shown::Token(token) => {
                let config = config.auth_header(token.expose_secret());
                let transport = StreamableHttpClientTransport::from_config(config);
                notifications.serve(transport).await
            }
            Shown::Login(login) => {
                let manager = login.manager().await;
                let manager = manager.map_err(|error| no_login(&error))?;
                let client = AuthClient::new(http_client()?, manager);
                let transport = StreamableHttpClientTransport::with_client(client, config);
                notifications.serve(transport).await
            }
        };
        Ok(Self {
            service: service.map_err(|error| no_connection(&error))?,
            refused: Arc::default(),
        })
    }

    /// Returns what the server is asked through.
    pub(super) fn line(&self) -> Line {
        Line {
            peer: self.service.peer().clone(),
            refused: Arc::clone(&self.refused),
        }
    }

    /// Returns what tells that the server refused our token to one of the lines.
    pub(super) fn refused(&self) -> Arc<Notify> {
        Arc::clone(&self.refused)
    }

    /// Returns what ends the connection from our side.
    pub(super) fn end(&self) -> RunningServiceCancellationToken {
        self.service.cancellation_token()
    }

    /// Waits until the connection has ended, from whichever side.
    pub(super) async fn ended(self) {
        // However it ended, there is no more of it.
        let _ = self.service.waiting().await;
    }
}

fn no_connection(error: &ClientInitializeError) -> NoConnection {
    if error.is_authorization_required() {
        return NoConnection::Unauthorized;
    }
    match error {
        ClientInitializeError::ConnectionClosed(_) => {
            NoConnection::Failed("it ended before it answered".to_owned())
        }
        other => NoConnection::Failed(other.to_string()),
    }
}

fn no_login(error: &AuthError) -> NoConnection {
    match error {
        AuthError::DiscoveryRequestFailed { url, source } => NoConnection::Failed(format!(
            "its authorization server cannot be asked: {url}: {source}"
        )),
        error => NoConnection::Failed(error.to_string()),
    }
}

/// Returns a client that follows no redirect: it shows a token.
fn http_client() -> Result<rmcp_reqwest::Client, NoConnection> {
    let client = rmcp_reqwest::Client::builder()
        .redirect(rmcp_reqwest::redirect::Policy::none())
        // As the library's own: what is left of an answer stalls the next request on its
        // connection.
        .pool_max_idle_per_host(0)
        .build();
    client.map_err(|error| NoConnection::Failed(error.to_string()))
}

impl Line {
    fn no_answer(&self, error: ServiceError) -> NoAnswer {
        let answer = no_answer(error);
        if matches!(answer, NoAnswer::Unauthorized) {
            self.refused.notify_one();
        }
        answer
    }

    /// Returns the tools that the server has now, at most [`MAX_LISTED`]. One without any is asked
    /// for nothing.
    pub(super) async fn tools(&self) -> Result<Vec<Described>, NoAnswer> {
        if self.has(|capabilities| capabilities.tools.is_some()) == Some(false) {
            return Ok(Vec::new());
        }
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let page = self.page_of_tools(cursor.clone()).await?;
            for tool in page.tools.iter().filter_map(described) {
                if !tools.contains(&tool) {
                    tools.push(tool);
                }
            }
            // A cursor that stays where it was leads nowhere.
            let is_last = page.next_cursor.is_none() || page.next_cursor == cursor;
            cursor = page.next_cursor;
            if is_last || tools.len() >= MAX_LISTED {
                break;
            }
        }
        tools.truncate(MAX_LISTED);
        Ok(tools)
    }

    /// Returns one page of the list of tools. The library parses a list as a whole or not at all,
    /// so a list that it could not parse arrives as raw JSON, and each tool is parsed separately.
    async fn page_of_tools(&self, cursor: Option<String>) -> Result<PageOfTools, NoAnswer> {
        let request = ListToolsRequest {
            params: Some(PaginatedRequestParams::default().with_cursor(cursor)),
            ..ListToolsRequest::default()
        };
        let request = ClientRequest::ListToolsRequest(request);
        let page = self.peer.send_request(request).await;
        let page = match page.map_err(|error| self.no_answer(error))? {
            ServerResult::CustomResult(page) => Ok(page.0),
            page => serde_json::to_value(page),
        };
        page.and_then(serde_json::from_value)
            .map_err(|_| NoAnswer::Garbled)
    }

    /// Calls a tool. Dropping the future notifies the server that the call is cancelled.
    pub(super) async fn call(
        &self,
        tool: String,
        arguments: Map<String, Value>,
    ) -> Result<Given, NoAnswer> {
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let called = self.peer.call_tool_once(request).await;
        match called.map_err(|error| self.no_answer(error))? {
            CallToolResponse::Complete(result) => Ok(content::of_result(result)),
            // It wants to ask a person, or to be looked after: neither was offered to it.
            _ => Err(NoAnswer::Garbled),
        }
    }

    /// Returns the resources and templates of resources.
    pub(super) async fn resources(&self) -> Result<Vec<Listed>, NoAnswer> {
        if self.has(|capabilities| capabilities.resources.is_some()) == Some(false) {
            return Ok(Vec::new());
        }
        let page = self.peer.list_resources(None).await;
        let page = page.map_err(|error| self.no_answer(error))?;
        let mut listed: Vec<Listed> = page.resources.iter().map(content::of_resource).collect();
        // Many servers have none of these and do not know the question.
        if let Ok(page) = self.peer.list_resource_templates(None).await {
            listed.extend(page.resource_templates.iter().map(content::of_template));
        }
        listed.truncate(MAX_LISTED);
        Ok(listed)
    }

    /// Reads a resource.
    pub(super) async fn read(&self, uri: String) -> Result<Given, NoAnswer> {
        let request = ReadResourceRequestParams::new(uri);
        let read = self.peer.read_resource(request).await;
        let read = read.map_err(|error| self.no_answer(error))?;
        Ok(content::of_contents(read.contents))
    }

    /// Returns the prompts, each with the names of its arguments.
    pub(super) async fn prompts(&self) -> Result<Vec<Listed>, NoAnswer> {
        if self.has(|capabilities| capabilities.prompts.is_some()) == Some(false) {
            return Ok(Vec::new());
        }
        let page = self.peer.list_prompts(None).await;
        let page = page.map_err(|error| self.no_answer(error))?;
        let listed = page.prompts.iter().take(MAX_LISTED);
        Ok(listed.map(content::of_prompt).collect())
    }

    /// Returns the text of a prompt.
    pub(super) async fn prompt(
        &self,
        name: String,
        arguments: Map<String, Value>,
    ) -> Result<Given, NoAnswer> {
        let request = GetPromptRequestParams::new(name).with_arguments(arguments);
        let got = self.peer.get_prompt_once(request).await;
        match got.map_err(|error| self.no_answer(error))? {
            GetPromptResponse::Complete(prompt) => Ok(content::of_messages(prompt.messages)),
            _ => Err(NoAnswer::Garbled),
        }
    }

    fn has(
        &self,
        capability: impl FnOnce(&rmcp::model::ServerCapabilities) -> bool,
    ) -> Option<bool> {
        let info = self.peer.peer_info()?;
        Some(capability(&info.capabilities))
    }
}

/// Returns a tool of a list; `None` for what has no name to leave it out by.
fn described(tool: &Value) -> Option<Described> {
    let text = |field: &str| tool.get(field).and_then(Value::as_str).map(str::to_owned);
    let reads = tool.pointer("/annotations/readOnlyHint");
    Some(Described {
        name: text("name")?,
        description: text("description")
            .or_else(|| text("title"))
            .unwrap_or_default(),
        schema: tool.get("inputSchema").and_then(Value::as_object).cloned(),
        says_it_reads: reads == Some(&Value::Bool(true)),
    })
}

fn no_answer(error: ServiceError) -> NoAnswer {
    match error {
        ServiceError::McpError(error) if error.code == ErrorCode(TOO_LONG) => NoAnswer::TooLarge,
        ServiceError::McpError(error) => NoAnswer::Refused(error.message.into_owned()),
        ServiceError::UnexpectedResponse | ServiceError::InputRequiredRoundsExceeded { .. } => {
            NoAnswer::Garbled
        }
        ServiceError::TransportSend(error) => refusal(error.error.as_ref()),
        _ => NoAnswer::Lost,
    }
}

/// Finds the server's word on our token among the causes of an error.
fn refusal(error: &(dyn Error + 'static)) -> NoAnswer {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(scope) = cause.downcast_ref::<InsufficientScopeError>() {
            return NoAnswer::NeedsScope(scope.required_scope.clone());
        }
        let login = cause.downcast_ref::<AuthError>();
        if cause.is::<AuthRequiredError>()
            || matches!(login, Some(AuthError::AuthorizationRequired))
        {
            return NoAnswer::Unauthorized;
        }
        next = cause.source();
    }
    NoAnswer::Lost
}

impl From<io::Error> for NoConnection {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}
