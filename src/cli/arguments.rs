//! The arguments that are accepted, and what is said of others.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::exit::Exit;
use crate::audit::Head;
use crate::policy::AutonomyLevel;
use crate::transcript::Role;

/// A self-hosted AI agent that lives in your chats and acts on your say-so.
#[derive(Debug, Parser)]
#[command(name = "sayso", version, disable_help_subcommand = true)]
pub(super) struct Arguments {
    /// Read this configuration instead of searching for one
    #[arg(long, value_name = "PATH", global = true)]
    pub(super) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// What to do; without any it is `run`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum Command {
    /// Open every configured channel; with none configured, a chat in this terminal (default)
    Run,
    /// Chat in this terminal
    Chat,
    /// Play a tour that needs no account and no network
    Demo,
    /// Ask for token, owner and model, and write the configuration
    Init,
    /// Look for problems and name their fixes
    Doctor,
    /// Say how the Sayso that runs here is; needs `[http] listen`
    Health,
    /// Look at the configuration
    #[command(arg_required_else_help = true)]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Look at what was done, decided and allowed
    #[command(arg_required_else_help = true)]
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Look at how turns went
    #[command(arg_required_else_help = true)]
    Trace {
        #[command(subcommand)]
        command: TraceCommand,
    },
    /// Look at what messages are taken for, and which skills are loaded
    #[command(arg_required_else_help = true)]
    Routing {
        #[command(subcommand)]
        command: RoutingCommand,
    },
    /// Look at what commands may do
    #[command(arg_required_else_help = true)]
    Policy {
        #[command(subcommand)]
        command: PolicyCommand,
    },
    /// Look for texts that give orders to the model
    #[command(arg_required_else_help = true)]
    Injection {
        #[command(subcommand)]
        command: InjectionCommand,
    },
    /// Show texts with a mark in the place of each secret, as a model is shown them
    Redact {
        /// Print one JSON object per text
        #[arg(long)]
        json: bool,
        /// The texts, each as one argument; without any, each line of the input is one
        texts: Vec<String>,
    },
    /// Look at skills
    #[command(arg_required_else_help = true)]
    Skills {
        #[command(subcommand)]
        command: SkillsCommand,
    },
    /// Write everything that is kept into one file, also while Sayso runs
    Backup {
        /// The file, which must not be there yet
        path: PathBuf,
    },
    /// Make the data directory from a backup; there must be none yet
    Restore {
        /// The file of the backup
        path: PathBuf,
    },
    /// Log in to MCP servers
    #[command(arg_required_else_help = true)]
    Mcp {
        #[command(subcommand)]
        command: McpCommand,
    },
}

/// What to do with the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub(super) enum ConfigCommand {
    /// Say where it comes from and whether it can be used
    Check,
}

/// What to do with the audit.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum AuditCommand {
    /// Check that nothing in the audit was changed, cut out, added or moved
    Verify {
        /// The export to check; without it `audit.jsonl` of the data directory
        #[arg(long, value_name = "PATH")]
        file: Option<PathBuf>,
        /// An entry that must still be there, as an earlier check printed it
        #[arg(long, value_name = "NUMBER:HASH", value_parser = head)]
        head: Option<Head>,
    },
    /// Erase what the audit keeps in the words of one account; Sayso must not be running
    Forget {
        /// The account, such as `telegram:12345`
        account: String,
    },
}

/// What to do with traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub(super) enum TraceCommand {
    /// Show one turn as it happened: what was said, asked, decided and run, when and at what cost
    Show {
        /// The turn by its number, as the log names it, or `last`
        #[arg(value_parser = turn)]
        turn: WhichTurn,
    },
}

/// Which turn is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhichTurn {
    /// The one with this number.
    Numbered(i64),
    /// The one that began last.
    Last,
}

fn turn(written: &str) -> Result<WhichTurn, &'static str> {
    match (written, written.parse()) {
        ("last", _) => Ok(WhichTurn::Last),
        (_, Ok(number)) => Ok(WhichTurn::Numbered(number)),
        (_, Err(_)) => Err("must be the number of a turn, or `last`"),
    }
}

/// Reads an entry of the audit by its place and hash.
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

/// What to do with routes.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum RoutingCommand {
    /// Count what was decided, what it cost, and how often free rules would have decided alike
    Report {
        /// How many days back
        #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=36500))]
        days: u32,
    },
    /// Say what the free rules make of a text: no model is asked
    Explain {
        /// The text, as one argument
        text: String,
    },
}

/// What to do with the policy.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum PolicyCommand {
    /// Say what is decided about shell commands, and why: by the configuration when there is one,
    /// else by their text alone
    Explain {
        /// Print one JSON object per command
        #[arg(long)]
        json: bool,
        /// Judge for somebody of this level; without it `agent.autonomy`
        #[arg(long, value_name = "LEVEL", value_parser = level)]
        level: Option<AutonomyLevel>,
        /// Judge for somebody of this role; without it `member`
        #[arg(long, value_name = "ROLE", value_parser = role)]
        role: Option<Role>,
        /// The commands, each as one argument; without any, each line of the input is one
        commands: Vec<String>,
    },
}

fn level(written: &str) -> Result<AutonomyLevel, &'static str> {
    AutonomyLevel::named(written).ok_or("must be `read_only`, `supervised` or `full`")
}

fn role(written: &str) -> Result<Role, &'static str> {
    match written {
        "member" => Ok(Role::Member),
        "owner" => Ok(Role::Owner),
        _ => Err("must be `member` or `owner`"),
    }
}

/// What to do about texts that give orders.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum InjectionCommand {
    /// Say what would be done with texts if a tool had brought them, and why
    Scan {
        /// Print one JSON object per text
        #[arg(long)]
        json: bool,
        /// The texts, each as one argument; without any, each line of the input is one
        texts: Vec<String>,
    },
}

/// What to do about skills.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum SkillsCommand {
    /// Say what is wrong with the skills in a folder and below it, and in which line
    Check {
        /// A `SKILL.md`, the folder of a skill, or a folder of skills; without it this directory
        path: Option<PathBuf>,
    },
    /// Show a skill of somebody else, ask, and copy it into the data directory
    Install {
        /// A folder or an archive (.zip, .tar, .tar.gz); `SOURCE#NAME` where it holds several skills
        #[arg(value_name = "SOURCE")]
        source: String,
    },
}

/// What to do about MCP servers.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub(super) enum McpCommand {
    /// Log in to a server that asks for it, in a browser on this machine or another; Sayso may be running
    Login {
        /// The server's name in the configuration
        name: String,
        /// A right to ask for beside those that the server wants; may be repeated
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
    },
    /// Take the tools of a server as it describes them now; Sayso may be running
    Accept {
        /// The server's name in the configuration
        name: String,
    },
    /// Forget the login to a server
    Logout {
        /// The server's name in the configuration
        name: String,
    },
}

/// Prints help, version or what is wrong with the arguments.
pub(super) fn print_refusal(refusal: &clap::Error) -> ExitCode {
    // A closed pipe is no reason to fail: the reader has gone.
    let _ = refusal.print();
    if refusal.use_stderr() {
        Exit::BadConfiguration.into()
    } else {
        Exit::Fine.into()
    }
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
        }
    }
}
