//! The MCP servers of the configuration.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use sayso_core::redact::Redactor;
use sayso_providers::Provider;
use sayso_sandbox::helper::HelperPath;
use sayso_tools::{
    DynamicTools, Login, McpLogin, McpServer, McpServers, McpShown, McpTrouble, McpWay,
    forget_tools, try_server,
};
use secrecy::SecretString;

use crate::config::{
    Config, McpClientConfig, McpConfig, McpShownConfig, McpVariable, McpWayConfig,
};

/// What every program gets of our own environment: without these it finds neither itself nor a
/// place for its files.
const PASSED_ON: [&str; 2] = ["PATH", "HOME"];

/// Builds the servers, which somebody must keep going, and where their tools will be.
pub fn open(config: &Config, redactor: &Redactor) -> (McpServers, DynamicTools) {
    let dynamic_tools = DynamicTools::default();
    let configured = config.mcp.iter().map(|server| server_of(config, server));
    let helper = HelperPath::own();
    let servers = McpServers::new(configured.collect(), &helper, redactor, &dynamic_tools);
    (servers, dynamic_tools)
}

/// Returns what names the tools that are there and that no model is offered: those that were left
/// out of a server's list, and those that a model service refuses.
pub fn tools_left_out(
    dynamic_tools: DynamicTools,
    provider: Arc<dyn Provider>,
) -> Arc<dyn Fn() -> BTreeSet<String> + Send + Sync> {
    Arc::new(move || {
        let refused = provider.refused_tools();
        dynamic_tools
            .left_out()
            .into_iter()
            .chain(refused)
            .collect()
    })
}

/// Starts a server once and says how many tools it has, or why it cannot be used.
pub async fn try_mcp_server(config: &Config, server: &McpConfig) -> Result<usize, McpTrouble> {
    let redactor = config.redactor();
    let redactor = redactor.map_err(|error| McpTrouble::Failed(error.to_string()))?;
    let server = server_of(config, server);
    try_server(server, HelperPath::own(), redactor).await
}

/// Takes the tools of a server as they are described next. Returns whether there was anything to
/// forget.
pub fn accept_mcp_tools(config: &Config, server: &McpConfig) -> std::io::Result<bool> {
    forget_tools(&seen_file(config, server))
}

fn seen_file(config: &Config, server: &McpConfig) -> PathBuf {
    let file = format!("{}.json", server.name);
    config.data_dir.join("mcp-tools").join(file)
}

/// Returns the login of a server; `None` for one that has nothing to log in to: a program, or a
/// service that is shown a token.
pub fn mcp_login(config: &Config, server: &McpConfig) -> Option<Login> {
    match server_of(config, server).way {
        McpWay::Url {
            url,
            shown: McpShown::Login(login),
        } => Some(Login::new(&url, &login)),
        McpWay::Url { .. } | McpWay::Program { .. } => None,
    }
}

fn server_of(config: &Config, server: &McpConfig) -> McpServer {
    let way = match &server.way {
        McpWayConfig::Program {
            program,
            arguments,
            variables,
        } => McpWay::Program {
            program: program.clone(),
            arguments: arguments.clone(),
            environment: environment(variables),
            directory: config.data_dir.join("mcp").join(&server.name),
        },
        McpWayConfig::Url { url, shown } => McpWay::Url {
            url: url.clone(),
            shown: match shown {
                McpShownConfig::Token(token) => McpShown::Token(token.clone()),
                McpShownConfig::Login(client) => McpShown::Login(login_of(config, server, client)),
            },
        },
    };
    McpServer {
        name: server.name.clone(),
        way,
        seen: seen_file(config, server),
        start_timeout: server.start_timeout,
        call_timeout: server.call_timeout,
    }
}

fn login_of(config: &Config, server: &McpConfig, client: &McpClientConfig) -> McpLogin {
    let file = format!("{}.json", server.name);
    McpLogin {
        file: config.data_dir.join("logins").join(file),
        client_id: client.id.clone(),
        client_secret: client.secret.clone(),
        redirect_port: client.redirect_port,
        hosts: config.policy.hosts.clone(),
        late_secrets: config.late_secrets.clone(),
    }
}

/// Returns the whole environment of a program. What the operator set wins.
fn environment(variables: &[McpVariable]) -> Vec<(String, SecretString)> {
    let passed_on = PASSED_ON
        .into_iter()
        .filter(|name| !variables.iter().any(|variable| variable.name == *name))
        .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?.into())));
    let set = variables.iter();
    let set = set.map(|variable| (variable.name.clone(), variable.value.clone()));
    passed_on.chain(set).collect()
}
