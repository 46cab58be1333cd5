//! The arguments that are accepted. What is said of others, and help, is `clap`'s.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use sayso_core::transcript::Role;
use sayso_policy::AutonomyLevel;

use crate::audit::Head;

/// A self-hosted AI agent that lives in your chats and acts on your say-so.
#[derive(Debug, Parser)]
#[command(name = "sayso", version, disable_help_subcommand = true)]
pub(super) struct Arguments {
    /// Path of the configuration file; without it the usual places are searched
    #[arg(long, value_name = "PATH", global = true)]
    pub(super) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// The subcommand; the default is `run`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum Command {
    /// Start Sayso on all configured channels; with none, chat in this terminal (default)
    Run,
    /// Chat in this terminal
    Chat,
    /// Play a demo that needs no account and no network
    Demo,
    /// Create a configuration: asks for bot token, owner and model
    Init,
    /// Diagnose problems and suggest fixes
    Doctor(Printed),
    /// Query the health endpoint of the running Sayso; needs `[http] listen`
    Health(Printed),
    /// Inspect the configuration
    #[command(arg_required_else_help = true)]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Verify the audit log or erase entries from it
    #[command(arg_required_else_help = true)]
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Inspect traces of turns
    #[command(arg_required_else_help = true)]
    Trace {
        #[command(subcommand)]
        command: TraceCommand,
    },
    /// Inspect routing decisions
    #[command(arg_required_else_help = true)]
    Routing {
        #[command(subcommand)]
        command: RoutingCommand,
    },
    /// Inspect policy decisions
    #[command(arg_required_else_help = true)]
    Policy {
        #[command(subcommand)]
        command: PolicyCommand,
    },
    /// Check texts for prompt injection
    #[command(arg_required_else_help = true)]
    Injection {
        #[command(subcommand)]
        command: InjectionCommand,
    },
    /// Inspect the quality of source code
    #[command(arg_required_else_help = true)]
    Quality {
        #[command(subcommand)]
        command: QualityCommand,
    },
    /// Redact secrets in texts, as is done before a model reads them
    Redact {
        /// Print one JSON object per text
        #[arg(long)]
        json: bool,
        /// The texts, one per argument; by default one per line of standard input
        texts: Vec<String>,
    },
    /// Show what expressions of time mean: reminders, schedules, spans
    When {
        /// Print one JSON object per text
        #[arg(long)]
        json: bool,
        /// Time zone by its IANA name, for example `Europe/Berlin`; default: that of this machine
        #[arg(long, value_name = "ZONE")]
        zone: Option<String>,
        /// The moment that texts are seen from, as in RFC 3339; default: now
        #[arg(long, value_name = "TIME")]
        now: Option<String>,
        /// The texts, one per argument; by default one per line of standard input, each a text or a
        /// JSON object with `text`, `zone` and `now`
        texts: Vec<String>,
    },
    /// Inspect routines and reminders
    #[command(arg_required_else_help = true)]
    Routines {
        #[command(subcommand)]
        command: RoutinesCommand,
    },
    /// Check and install skills
    #[command(arg_required_else_help = true)]
    Skills {
        #[command(subcommand)]
        command: SkillsCommand,
    },
    /// Back up all data into one file; Sayso may be running
    Backup {
        /// The file to create; it must not exist
        path: PathBuf,
    },
    /// Restore the data directory from a backup; it must not exist
    Restore {
        /// The backup file
        path: PathBuf,
    },
    /// Manage logins to MCP servers
    #[command(arg_required_else_help = true)]
    Mcp {
        #[command(subcommand)]
        command: McpCommand,
    },
    /// Print shell completions
    Completions {
        /// The shell
        shell: CompletedShell,
    },
    /// Print the manual page, or write the pages of all commands
    Man {
        /// An existing directory for the pages; without it `sayso(1)` is printed
        directory: Option<PathBuf>,
    },
    /// Print a reference page of the book
    #[command(hide = true)]
    Reference {
        /// The page
        page: Page,
    },
}

/// How the answer of a command is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub(super) struct Printed {
    /// Print JSON, with texts in English
    #[arg(long)]
    pub(super) json: bool,
}

/// Subcommands of `config`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum ConfigCommand {
    /// Print the path of the configuration and report errors in it
    Check,
    /// Print the values in force and where each comes from; secrets are hidden
    Show {
        /// Print only the keys that begin with this, for example `agent`
        key: Option<String>,
        #[command(flatten)]
        printed: Printed,
    },
    /// Print an example file with every key
    Example,
    /// Print the reference page of all keys
    Reference,
    /// Print the JSON schema of the file
    Schema,
}

/// Subcommands of `audit`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum AuditCommand {
    /// Verify the hash chain: no entry was changed, deleted, inserted or moved
    Verify {
        /// The export to verify; default: `audit.jsonl` in the data directory
        #[arg(long, value_name = "PATH")]
        file: Option<PathBuf>,
        /// An entry that must still exist, as printed by an earlier run
        #[arg(long, value_name = "NUMBER:HASH", value_parser = head)]
        head: Option<Head>,
        #[command(flatten)]
        printed: Printed,
    },
    /// Erase the audit payloads of one account; Sayso must not be running
    Forget {
        /// The account, for example `telegram:12345`
        account: String,
    },
}

/// Subcommands of `routines`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum RoutinesCommand {
    /// List what is kept to be done at set times, of all users
    List(Printed),
    /// Print routines and reminders as TOML
    Export {
        /// Only those of one person, by an account, for example `telegram:12345`
        #[arg(long, value_name = "ACCOUNT")]
        person: Option<String>,
    },
    /// Keep the routines and reminders of a TOML file; Sayso must not be running
    Import {
        /// The file, as `export` prints it
        file: PathBuf,
    },
}

/// Subcommands of `trace`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub(super) enum TraceCommand {
    /// Show the timeline of one turn: messages, model calls, decisions and tool calls
    Show {
        /// The id of the turn, as in the log, or `last`
        #[arg(value_parser = turn)]
        turn: WhichTurn,
    },
}

/// Selects a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhichTurn {
    /// The turn with this id.
    Numbered(i64),
    /// The most recent turn.
    Last,
}

fn turn(written: &str) -> Result<WhichTurn, &'static str> {
    match (written, written.parse()) {
        ("last", _) => Ok(WhichTurn::Last),
        (_, Ok(number)) => Ok(WhichTurn::Numbered(number)),
        (_, Err(_)) => Err("must be the number of a turn, or `last`"),
    }
}

/// Parses an audit entry written as position and hash.
fn head(written: &str) -> Result<Head, &'static str> {
    let parts = written.split_once(':');
    let head = parts.and_then(|(seq, hash)| {
        Some(Head {
            seq: seq.parse().ok()?,
            hash: hash.to_ascii_lowercase(),
        })
    });
    head.filter(|head| head.hash.len() == 64)
        .ok_or("must be a number and 64 hexadecimal digits, as in `17:9f3a…`")
}

/// Subcommands of `routing`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum RoutingCommand {
    /// Summarize routing decisions and their cost, and how often the rules agree with the model
    Report {
        /// Number of days to include
        #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=36500))]
        days: u32,
        #[command(flatten)]
        printed: Printed,
    },
    /// Show how the rules route a text; no model is called
    Explain {
        /// The text, as one argument
        text: String,
    },
}

/// Subcommands of `policy`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum PolicyCommand {
    /// Show the decision about shell commands and its reasons, by the configuration if there is
    /// one, else by their text alone
    Explain {
        /// Print one JSON object per command
        #[arg(long)]
        json: bool,
        /// Autonomy level of the user; default: `agent.autonomy`
        #[arg(long, value_name = "LEVEL", value_parser = one_of(LEVELS, AutonomyLevel::named))]
        level: Option<AutonomyLevel>,
        /// Role of the user; default: `member`
        #[arg(long, value_name = "ROLE", value_parser = one_of(ROLES, Role::named))]
        role: Option<Role>,
        /// The commands, one per argument; by default one per line of standard input
        commands: Vec<String>,
    },
}

/// The names of [`AutonomyLevel`].
const LEVELS: [&str; 3] = ["read_only", "supervised", "full"];
/// The names of [`Role`].
const ROLES: [&str; 3] = ["guest", "member", "owner"];

/// Returns the parser of a value that is one of these words, which help and errors list.
fn one_of<T: Clone + Send + Sync + 'static>(
    words: [&'static str; 3],
    read: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(move |word| read(&word).ok_or("unknown word"))
}

/// Subcommands of `injection`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum InjectionCommand {
    /// Show how texts would be treated as tool results, with the rules that match
    Scan {
        /// Print one JSON object per text
        #[arg(long)]
        json: bool,
        /// The texts, one per argument; by default one per line of standard input
        texts: Vec<String>,
    },
}

/// Subcommands of `quality`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum QualityCommand {
    /// Analyse source files: complexity, security rules, smells, and a score from 0 to 100
    Scan {
        /// A file, or a folder; files that Git ignores are left out
        path: PathBuf,
        /// End with code 1 where the score of all files is below this
        #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(0..=100))]
        fail_below: Option<u8>,
        #[command(flatten)]
        printed: Printed,
    },
}

/// Subcommands of `skills`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum SkillsCommand {
    /// Validate the skills in a folder and report errors with line numbers
    Check {
        /// A `SKILL.md`, a skill folder, or a folder of skills; default: the current directory
        path: Option<PathBuf>,
        #[command(flatten)]
        printed: Printed,
    },
    /// Review a third-party skill and install it into the data directory
    Install {
        /// A folder or an archive (.zip, .tar, .tar.gz); `SOURCE#NAME` where it holds several skills
        #[arg(value_name = "SOURCE")]
        source: String,
    },
}

/// A shell that completions are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CompletedShell {
    /// bash
    Bash,
    /// zsh
    Zsh,
    /// fish
    Fish,
}

/// A page that is written from what it describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Page {
    /// The keys of the configuration.
    Configuration,
    /// The subcommands and their options.
    Cli,
    /// What can be written with a slash in a chat.
    ChatCommands,
    /// What a model can call.
    Tools,
    /// What `/metrics` says.
    Metrics,
}

/// Subcommands of `mcp`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum McpCommand {
    /// Log in to a server with OAuth, in a browser on this machine or another; Sayso may be running
    Login {
        /// Name of the server in the configuration
        name: String,
        /// An additional OAuth scope to request; may be repeated
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
    },
    /// Accept the current tool definitions of a server; Sayso may be running
    Accept {
        /// Name of the server in the configuration
        name: String,
    },
    /// Delete the login to a server
    Logout {
        /// Name of the server in the configuration
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[track_caller]
    fn check(arguments: &[&str], expected: impl Into<Option<Command>>) {
        let all = ["sayso"].iter().chain(arguments);
        let parsed = Arguments::try_parse_from(all).unwrap();
        assert_eq!(parsed.command, expected.into());
    }

    #[test]
    fn a_scan_of_quality_is_read() {
        let command = QualityCommand::Scan {
            path: "src".into(),
            fail_below: Some(70),
            printed: Printed { json: true },
        };
        check(
            &["quality", "scan", "src", "--json", "--fail-below", "70"],
            Command::Quality { command },
        );
    }

    #[test]
    fn commands_are_read() {
        check(&[], None::<Command>);
        check(&["run"], Command::Run);
        check(&["demo", "--config", "mine.toml"], Command::Demo);
        let command = ConfigCommand::Check;
        check(&["config", "check"], Command::Config { command });
        let command = PolicyCommand::Explain {
            json: true,
            level: Some(AutonomyLevel::Full),
            role: None,
            commands: vec!["ls -l".into()],
        };
        check(
            &["policy", "explain", "--json", "--level", "full", "ls -l"],
            Command::Policy { command },
        );
        let command = InjectionCommand::Scan {
            json: false,
            texts: vec!["a b".into()],
        };
        check(
            &["injection", "scan", "a b"],
            Command::Injection { command },
        );
        let command = Command::Redact {
            json: true,
            texts: vec!["a b".into()],
        };
        check(&["redact", "--json", "a b"], command);
        let command = SkillsCommand::Check {
            path: Some("skills".into()),
            printed: Printed { json: false },
        };
        check(&["skills", "check", "skills"], Command::Skills { command });
        let path = PathBuf::from("all.tar");
        check(&["restore", "all.tar"], Command::Restore { path });
        let command = McpCommand::Login {
            name: "notes".into(),
            scopes: vec!["read".into(), "write".into()],
        };
        check(
            &[
                "mcp", "login", "notes", "--scope", "read", "--scope", "write",
            ],
            Command::Mcp { command },
        );
        let command = SkillsCommand::Install {
            source: "tea.zip".into(),
        };
        check(
            &["skills", "install", "tea.zip"],
            Command::Skills { command },
        );
        Arguments::command().debug_assert();
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        for arguments in [
            &["backup"][..],
            &["restore"],
            &["config"],
            &["policy"],
            &["policy", "explain", "--level", "reckless", "ls"],
            &["policy", "explain", "--role", "king", "ls"],
            &["injection"],
            &["skills"],
            &["skills", "list"],
            &["mcp"],
            &["mcp", "login"],
            &["audit"],
            &["trace", "show"],
            &["trace", "show", "first"],
            &["audit", "verify", "--head", "17:abc"],
            &["--colour"],
            &["run", "fast"],
            &["help"],
        ] {
            let all = ["sayso"].iter().chain(arguments);
            let refusal = Arguments::try_parse_from(all).unwrap_err();
            assert!(refusal.use_stderr(), "{arguments:?}");
            assert_eq!(refusal.exit_code(), 2, "{arguments:?}");
        }
    }
}
