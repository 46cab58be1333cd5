//! The MCP servers of the configuration.

use secrecy::SecretString;

use crate::config::{Config, McpConfig, McpVariable, McpWayConfig};
use crate::redact::Redactor;
use crate::tools::{Guests, HelperPath, McpServer, McpServers, McpWay, try_server};

/// What every program gets of our own environment: without these it finds neither itself nor a place
/// for its files.
const PASSED_ON: [&str; 2] = ["PATH", "HOME"];

/// Builds the servers, which somebody must keep going, and where their tools will be.
pub fn open(config: &Config, redactor: &Redactor) -> (McpServers, Guests) {
    let guests = Guests::default();
    let servers = config.mcp.iter().map(|server| server_of(config, server));
    let servers = servers.collect();
    let servers = McpServers::new(servers, &HelperPath::own(), redactor, &guests);
    (servers, guests)
}

/// Starts a server once and says how many tools it has, or why it cannot be used.
pub async fn try_mcp_server(config: &Config, server: &McpConfig) -> anyhow::Result<usize> {
    let redactor = config.redactor()?;
    let server = server_of(config, server);
    let tried = try_server(server, HelperPath::own(), redactor).await;
    tried.map_err(anyhow::Error::msg)
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
        McpWayConfig::Url { url, token } => McpWay::Url {
            url: url.clone(),
            token: token.clone(),
        },
    };
    McpServer {
        name: server.name.clone(),
        way,
        start_timeout: server.start_timeout,
        call_timeout: server.call_timeout,
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
