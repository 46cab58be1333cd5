//! What must be known of a server before it is started.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use super::digest::digest;
use super::login::McpLogin;

/// One server.
#[derive(Debug, Clone)]
pub struct McpServer {
    /// Its name; no two have the same.
    pub name: String,
    /// How it is reached.
    pub way: McpWay,
    /// Where is kept how its tools were described when they were first seen.
    pub seen: PathBuf,
    /// How long it may take until it has said what it has.
    pub start_timeout: Duration,
    /// How long one call may take.
    pub call_timeout: Duration,
}

impl McpServer {
    /// Returns a digest of which server this is: of the program and its arguments, or the address.
    pub(super) fn identity(&self) -> String {
        match &self.way {
            McpWay::Program {
                program, arguments, ..
            } => {
                let arguments = arguments.iter().map(String::as_str);
                let all: Vec<&str> = std::iter::once(program.as_str()).chain(arguments).collect();
                digest(&all)
            }
            McpWay::Url { url, .. } => digest(&[url.as_str()]),
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub enum McpWay {
    /// It is a program that is spoken to over its standard input and output.
    Program {
        /// The program, by its path or its name.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// Its whole environment.
        environment: Vec<(String, SecretString)>,
        /// Where it runs; made when missing.
        directory: PathBuf,
    },
    /// It is a service that is spoken to over HTTP.
    Url {
        /// Its address.
        url: Url,
        /// What it is shown with each request.
        shown: McpShown,
    },
}

/// What a service is shown with each request.
#[derive(Debug, Clone)]
pub enum McpShown {
    /// This.
    Token(SecretString),
    /// What a login gave us, where the service asks for one.
    Login(McpLogin),
}
