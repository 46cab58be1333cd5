//! The command line: what was asked for, which configuration, and the exit code.
//!
//! It prints plain lines to standard output and errors to standard error, in English or 简体中文.
//! What Sayso does once it runs is `app`'s; what a configuration may say is `config`'s.
//!
//! # Files
//!
//! `cli` reads the arguments and owns the exit codes, `init`, `doctor`, `config check` and `show`,
//! `redact`, `backup` and `restore`. `cli/doctor/causes.rs` says why something failed in the
//! language of the report; `cli/init/answers.rs` puts the questions, which can be gone back to, and
//! asks a part again whose check fails.
//!
//! `cli/backup` writes (`pack`) and reads (`unpack`) archives whose last entry holds a digest of
//! every other one; `sparse` keeps holes.
//!
//! # Invariants
//!
//! - Only `cli` names `app`, and only `main` names `cli`.

#[macro_use]
mod messages;
mod arguments;
mod audit_forget;
mod audit_verify;
mod backup;
mod columns;
mod config_check;
mod config_show;
mod doctor;
mod exit;
mod health;
mod health_client;
mod init;
mod injection_scan;
mod language;
mod log_file;
mod logging;
mod mcp_login;
mod output_style;
mod packaging;
mod policy_explain;
mod progress;
mod quality_scan;
mod redact_texts;
mod reference;
mod routines_exchange;
mod routines_list;
mod routing_explain;
mod routing_report;
mod signals;
mod skills_check;
mod skills_install;
mod start;
mod temporary_directory;
mod texts;
mod trace_show;
#[cfg(feature = "otlp")]
mod traces;
#[cfg(not(feature = "otlp"))]
#[path = "no_traces.rs"]
mod traces;
mod when_texts;

use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use sayso_core::redact::Redactor;
use sayso_core::transcript::Role;
use sayso_policy::AutonomyLevel;

use self::arguments::{
    Arguments, AuditCommand, Command, ConfigCommand, InjectionCommand, McpCommand, PolicyCommand,
    Printed, QualityCommand, RoutinesCommand, RoutingCommand, SkillsCommand, TraceCommand,
    WhichTurn,
};
use self::exit::Exit;
use self::output_style::{Form, OutputStyle};
use crate::app::Mode;
use crate::config::{self, Config, ConfigError, Environment};

/// Does what the arguments ask for.
pub fn main(arguments: impl IntoIterator<Item = OsString>, environment: &Environment) -> ExitCode {
    // Help, the version and refusals end the process here: with 0, or with 2 as
    // `Exit::BadConfiguration` does.
    let arguments = Arguments::parse_from(arguments);
    // Fails when it is already set, which cannot be: nothing ran before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let invocation = Invocation {
        named: arguments.config.as_deref(),
        environment,
    };
    let command = arguments.command.unwrap_or(Command::Run);
    let exit = invocation.run(command).unwrap_or_else(|error| {
        if !is_broken_pipe(&error) {
            let _ = writeln!(io::stderr(), "error: {error:#}");
        }
        Exit::Failed
    });
    exit.into()
}

/// Returns whether the reader of the output closed the pipe, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

/// What every command may look at.
struct Invocation<'a> {
    named: Option<&'a Path>,
    environment: &'a Environment,
}

impl Invocation<'_> {
    fn run(&self, command: Command) -> anyhow::Result<Exit> {
        match command {
            Command::Run => self.start(None),
            Command::Chat => self.start(Some(Mode::Chat)),
            Command::Demo => start::demo(self.environment),
            Command::Init => self.init(&mut io::stdin().lock(), &mut io::stdout().lock()),
            Command::Doctor(printed) => self.doctor(printed, &mut io::stdout().lock()),
            Command::Health(printed) => self.health(printed, &mut io::stdout().lock()),
            Command::Config { command } => self.config(&command, &mut io::stdout().lock()),
            Command::Audit { command } => self.audit(&command, &mut io::stdout().lock()),
            Command::Routines { command } => self.routines(&command, &mut io::stdout().lock()),
            Command::Trace {
                command: TraceCommand::Show { turn },
            } => self.show(turn, &mut io::stdout().lock()),
            Command::Routing { command } => self.routing(&command, &mut io::stdout().lock()),
            Command::Policy {
                command:
                    PolicyCommand::Explain {
                        json,
                        level,
                        role,
                        commands,
                    },
            } => self.explain(&commands, Form::of(json), level, role),
            Command::Quality { command } => self.quality(&command),
            Command::Injection {
                command: InjectionCommand::Scan { json, texts },
            } => self.scan(&texts, json),
            Command::Redact { json, texts } => self.redact(&texts, Form::of(json)),
            Command::When {
                json,
                zone,
                now,
                texts,
            } => self.when(&texts, Form::of(json), zone.as_deref(), now.as_deref()),
            Command::Skills { command } => self.skills(&command),
            Command::Backup { path } => self.backup(&path, &mut io::stdout().lock()),
            Command::Restore { path } => self.restore(&path, &mut io::stdout().lock()),
            Command::Mcp { command } => self.mcp(&command, &mut io::stdout().lock()),
            Command::Completions { shell } => {
                packaging::completions(shell, &mut io::stdout().lock())
            }
            Command::Man { directory } => {
                packaging::manual(directory.as_deref(), &mut io::stdout().lock())
            }
            Command::Reference { page } => {
                let language = language::of(None, self.environment);
                reference::reference(page, language, &mut io::stdout().lock())
            }
        }
    }

    fn start(&self, mode: Option<Mode>) -> anyhow::Result<Exit> {
        match self.load() {
            Ok(config) => start::start(config, mode, self.environment),
            Err(error) => self.refuse(&error),
        }
    }

    fn init(&self, lines: &mut impl BufRead, output: &mut impl Write) -> anyhow::Result<Exit> {
        let input = init::Input {
            lines,
            is_typed: io::stdin().is_terminal(),
        };
        let target = init::target(self.named, self.environment);
        start::runtime()?.block_on(init::init(&target, self.environment, input, output))
    }

    fn doctor(&self, printed: Printed, output: &mut impl Write) -> anyhow::Result<Exit> {
        let loaded = self.load();
        let style = self.style(printed, loaded.as_ref().ok());
        start::runtime()?.block_on(doctor::doctor(loaded, style, output))
    }

    /// Returns how an answer is printed.
    fn style(&self, printed: Printed, config: Option<&Config>) -> OutputStyle {
        OutputStyle {
            columns: columns::of_terminal(),
            ..OutputStyle::of(printed.json, language::of(config, self.environment))
        }
    }

    fn health(&self, printed: Printed, output: &mut impl Write) -> anyhow::Result<Exit> {
        match self.load() {
            Ok(config) => {
                let style = self.style(printed, Some(&config));
                let (listen, directory) = (config.http_listen, &config.data_dir);
                let asked = health::health(listen, directory, style, output);
                start::runtime()?.block_on(asked)
            }
            Err(error) => self.refuse(&error),
        }
    }

    fn config(&self, command: &ConfigCommand, output: &mut impl Write) -> anyhow::Result<Exit> {
        let language = language::of(None, self.environment);
        match command {
            ConfigCommand::Check => match self.load() {
                Ok(config) => start::runtime()?.block_on(config_check::check(
                    config,
                    self.environment,
                    output,
                )),
                Err(error) => self.refuse(&error),
            },
            ConfigCommand::Show { key, printed } => match self.load() {
                Ok(config) => {
                    let style = self.style(*printed, Some(&config));
                    let key = key.as_deref().unwrap_or_default();
                    let shown = config_show::show(&config, key, style, output);
                    start::runtime()?.block_on(shown)
                }
                Err(error) => self.refuse(&error),
            },
            ConfigCommand::Example => says(output, &config::example(language)),
            ConfigCommand::Reference => says(output, &config::reference(language)),
            ConfigCommand::Schema => says(output, &format!("{:#}\n", config::schema())),
        }
    }

    fn audit(&self, command: &AuditCommand, output: &mut impl Write) -> anyhow::Result<Exit> {
        let config = match self.load() {
            Ok(config) => config,
            Err(error) => return self.refuse(&error),
        };
        let language = language::of(Some(&config), self.environment);
        let runtime = start::runtime()?;
        match command {
            AuditCommand::Verify {
                file,
                head,
                printed,
            } => runtime.block_on(audit_verify::verify(
                &config,
                file.as_deref(),
                head.as_ref(),
                self.style(*printed, Some(&config)),
                output,
            )),
            AuditCommand::Forget { account } => {
                runtime.block_on(audit_forget::forget(&config, account, language, output))
            }
        }
    }

    fn routines(&self, command: &RoutinesCommand, output: &mut impl Write) -> anyhow::Result<Exit> {
        let config = match self.load() {
            Ok(config) => config,
            Err(error) => return self.refuse(&error),
        };
        let language = language::of(Some(&config), self.environment);
        let runtime = start::runtime()?;
        match command {
            RoutinesCommand::List(printed) => {
                let style = self.style(*printed, Some(&config));
                runtime.block_on(routines_list::list(&config, style, output))
            }
            RoutinesCommand::Export { person } => {
                let person = person.as_deref();
                runtime.block_on(routines_exchange::export(&config, person, language, output))
            }
            RoutinesCommand::Import { file } => {
                runtime.block_on(routines_exchange::import(&config, file, language, output))
            }
        }
    }

    fn show(&self, turn: WhichTurn, output: &mut impl Write) -> anyhow::Result<Exit> {
        let config = match self.load() {
            Ok(config) => config,
            Err(error) => return self.refuse(&error),
        };
        let language = language::of(Some(&config), self.environment);
        start::runtime()?.block_on(trace_show::show(&config, turn, language, output))
    }

    fn routing(&self, command: &RoutingCommand, output: &mut impl Write) -> anyhow::Result<Exit> {
        match command {
            RoutingCommand::Report { days, printed } => {
                let config = match self.load() {
                    Ok(config) => config,
                    Err(error) => return self.refuse(&error),
                };
                let style = self.style(*printed, Some(&config));
                let report = routing_report::report(&config, *days, style, output);
                start::runtime()?.block_on(report)
            }
            RoutingCommand::Explain { text } => {
                let language = language::of(None, self.environment);
                routing_explain::explain(text, language, output)
            }
        }
    }

    fn skills(&self, command: &SkillsCommand) -> anyhow::Result<Exit> {
        let output = &mut io::stdout().lock();
        match command {
            SkillsCommand::Check { path, printed } => {
                let style = self.style(*printed, None);
                let place = path.clone().unwrap_or_else(directory);
                skills_check::check(&place, style, output)
            }
            SkillsCommand::Install { source } => {
                let config = match self.load() {
                    Ok(config) => config,
                    Err(error) => return self.refuse(&error),
                };
                let language = language::of(Some(&config), self.environment);
                let input = &mut io::stdin().lock();
                let install = skills_install::install(&config, source, language, input, output);
                start::runtime()?.block_on(install)
            }
        }
    }

    fn backup(&self, path: &Path, output: &mut impl Write) -> anyhow::Result<Exit> {
        let config = match self.load() {
            Ok(config) => config,
            Err(error) => return self.refuse(&error),
        };
        let language = language::of(Some(&config), self.environment);
        start::runtime()?.block_on(backup::backup(&config, path, language, output))
    }

    fn restore(&self, path: &Path, output: &mut impl Write) -> anyhow::Result<Exit> {
        let config = match self.load() {
            Ok(config) => config,
            Err(error) => return self.refuse(&error),
        };
        let language = language::of(Some(&config), self.environment);
        start::runtime()?.block_on(backup::restore(&config, path, language, output))
    }

    fn mcp(&self, command: &McpCommand, output: &mut impl Write) -> anyhow::Result<Exit> {
        let config = match self.load() {
            Ok(config) => config,
            Err(error) => return self.refuse(&error),
        };
        let language = language::of(Some(&config), self.environment);
        match command {
            McpCommand::Login { name, scopes } => {
                let login = mcp_login::login(&config, name, scopes, language, output);
                start::runtime()?.block_on(login)
            }
            McpCommand::Accept { name } => mcp_login::accept(&config, name, language, output),
            McpCommand::Logout { name } => mcp_login::logout(&config, name, language, output),
        }
    }

    fn explain(
        &self,
        commands: &[String],
        form: Form,
        level: Option<AutonomyLevel>,
        role: Option<Role>,
    ) -> anyhow::Result<Exit> {
        let file = match config::locate(self.named, &directory(), self.environment) {
            Ok(file) => file,
            Err(error) => return self.refuse(&error),
        };
        let language = language::of(None, self.environment);
        let is_configured = file.is_some() || level.is_some() || role.is_some();
        let by = if is_configured {
            let config = match config::load(file.as_deref(), self.environment) {
                Ok(config) => config,
                Err(error) => return self.refuse(&error),
            };
            let by = policy_explain::By::of(config, level, role, language);
            Some(start::runtime()?.block_on(by))
        } else {
            None
        };
        if let (Some(by), Form::Plain) = (&by, form) {
            writeln!(io::stderr(), "{}", by.in_words(language))?;
        }
        policy_explain::explain(
            commands,
            by.as_ref(),
            form,
            language,
            &mut io::stdin().lock(),
            &mut io::stdout().lock(),
        )
    }

    fn quality(&self, command: &QualityCommand) -> anyhow::Result<Exit> {
        let QualityCommand::Scan {
            path,
            fail_below,
            printed,
        } = command;
        let style = self.style(*printed, None);
        quality_scan::scan(path, *fail_below, style, &mut io::stdout().lock())
    }

    fn scan(&self, texts: &[String], json: bool) -> anyhow::Result<Exit> {
        injection_scan::scan(
            texts,
            Form::of(json),
            language::of(None, self.environment),
            &mut io::stdin().lock(),
            &mut io::stdout().lock(),
        )
    }

    fn redact(&self, texts: &[String], form: Form) -> anyhow::Result<Exit> {
        let file = match config::locate(self.named, &directory(), self.environment) {
            Ok(file) => file,
            Err(error) => return self.refuse(&error),
        };
        let redactor = match file {
            Some(file) => match config::load(Some(&file), self.environment) {
                Ok(config) => config.redactor()?,
                Err(error) => return self.refuse(&error),
            },
            None => Redactor::new([])?,
        };
        redact_texts::redact(
            texts,
            &redactor,
            form,
            &mut io::stdin().lock(),
            &mut io::stdout().lock(),
        )
    }

    fn when(
        &self,
        texts: &[String],
        form: Form,
        zone: Option<&str>,
        now: Option<&str>,
    ) -> anyhow::Result<Exit> {
        let language = language::of(None, self.environment);
        let from = match when_texts::SeenFrom::of(zone, now) {
            Ok(from) => from,
            Err(not_seen) => {
                let why = not_seen.in_words(language);
                let refused = messages::refused_configuration(language, &why);
                writeln!(io::stderr(), "{refused}")?;
                return Ok(Exit::BadConfiguration);
            }
        };
        let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
        when_texts::when(texts, from, form, language, input, output)
    }

    /// Says why the configuration cannot be used.
    fn refuse(&self, error: &ConfigError) -> anyhow::Result<Exit> {
        let language = language::of(None, self.environment);
        let why = error.in_words(language);
        let refused = messages::refused_configuration(language, &why);
        writeln!(io::stderr(), "{refused}")?;
        Ok(Exit::BadConfiguration)
    }

    fn load(&self) -> Result<Config, ConfigError> {
        let file = config::locate(self.named, &directory(), self.environment)?;
        config::load(file.as_deref(), self.environment)
    }
}

/// Prints a text that ends its own last line.
fn says(output: &mut impl Write, text: &str) -> anyhow::Result<Exit> {
    output.write_all(text.as_bytes())?;
    Ok(Exit::Fine)
}

/// Returns the directory that we were started in.
fn directory() -> PathBuf {
    PathBuf::from(".")
}
