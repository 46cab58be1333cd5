//! The log: lines on standard error, chosen by `SAYSO_LOG`, and the log file, chosen by `[log] level`,
//! both for people or, with `[log] format = "json"`, for programs. No line is written before its secrets are hidden.
//! Spans are no part of it: they are what a collector is sent, where there is one.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use sayso_core::redact::Redactor;
use sayso_store::SLOW_STATEMENTS;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt};

use super::log_file::{self, LogFile};
use super::traces::{self, Traces};
use crate::app::{Console, Mode};
use crate::config::{Config, Environment, LogFormat};

/// Where the parser of shell commands logs what it reads, and the library for MCP what is said to
/// servers and what they answer. Neither belongs into a log, nor do spans.
const SILENT: [&str; 4] = ["parse=off", "tokenize=off", "rmcp=off", "sayso::spans=off"];
/// What is asked of models and what they answer is for the file only.
const FILE_ONLY: &str = "sayso::exchange=off";

/// What plain lines say already where the operator reads them.
const SAID_PLAINLY: &str = "sayso::console=off,";

/// Where standard error goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    /// To a terminal, where a conversation stands in a terminal chat.
    Terminal,
    /// To a file or a program.
    Elsewhere,
}

impl Destination {
    fn now() -> Self {
        if io::stderr().is_terminal() {
            Self::Terminal
        } else {
            Self::Elsewhere
        }
    }
}

/// What is written to standard error unless `SAYSO_LOG` says otherwise. That a statement was slow is for
/// the log file. A terminal chat writes nothing into the conversation: its answers say what went wrong.
/// Where its standard error goes elsewhere, errors are written there.
fn shown(mode: Mode, console: Console, destination: Destination) -> String {
    match (mode, destination) {
        (Mode::Channels, _) => {
            let (level, plain) = match (console, destination) {
                (Console::Plain(_), Destination::Terminal) => ("warn", SAID_PLAINLY),
                (Console::Plain(_), Destination::Elsewhere) => ("info", SAID_PLAINLY),
                (Console::Log, Destination::Terminal | Destination::Elsewhere) => ("info", ""),
            };
            format!("warn,sayso={level},{plain}{SLOW_STATEMENTS}=error")
        }
        (Mode::Chat | Mode::Demo, Destination::Terminal) => "off".to_owned(),
        (Mode::Chat | Mode::Demo, Destination::Elsewhere) => "error".to_owned(),
    }
}

/// Starts the log. What is returned must live as long as something may be said.
pub(super) fn start(
    mode: Mode,
    console: Console,
    config: &Config,
    environment: &Environment,
) -> anyhow::Result<Option<Traces>> {
    let wanted = environment.get("SAYSO_LOG");
    let wanted = wanted.map_or_else(|| shown(mode, console, Destination::now()), str::to_owned);
    let printed = EnvFilter::try_new(&wanted).map_err(|error| {
        anyhow::anyhow!(
            "SAYSO_LOG is `{wanted}`, but must be a level or a list such as `warn,sayso=debug`: {error}"
        )
    })?;
    let printed = printed.add_directive(FILE_ONLY.parse()?);
    let level = config.log_level.as_str();
    let file = EnvFilter::try_new(format!(
        "warn,sayso={level},sayso_channel={level},sayso_discord={level},sayso_telegram={level}"
    ))?;
    let redactor = config.redactor()?;
    let lines = fmt::layer()
        .with_ansi(io::stderr().is_terminal() && environment.get("NO_COLOR").is_none())
        .with_writer(WithoutSecrets {
            redactor: redactor.clone(),
            target: Target::StandardError,
        });
    let kept = fmt::layer()
        .with_ansi(false)
        .with_file(true)
        .with_line_number(true)
        .with_writer(WithoutSecrets {
            redactor,
            target: Target::File(Mutex::new(LogFile::at(log_file::path_in(&config.data_dir)))),
        });
    let (lines, kept) = match config.log_format {
        LogFormat::Text => (lines.compact().boxed(), kept.boxed()),
        LogFormat::Json => (
            lines.with_ansi(false).json().flatten_event(true).boxed(),
            kept.json().flatten_event(true).boxed(),
        ),
    };
    let mut layers = vec![
        lines.with_filter(quiet(printed)?).boxed(),
        kept.with_filter(quiet(file)?).boxed(),
    ];
    let mut sent = None;
    if let Some(collector) = &config.traces {
        let (layer, traces) = traces::layer(collector)?;
        layers.push(layer);
        sent = Some(traces);
    }
    tracing_subscriber::registry()
        .with(layers)
        .try_init()
        .map_err(|error| anyhow::anyhow!("cannot start the log: {error}"))?;
    log_panics();
    Ok(sent)
}

fn quiet(filter: EnvFilter) -> anyhow::Result<EnvFilter> {
    SILENT.iter().try_fold(filter, |filter, silent| {
        Ok(filter.add_directive(silent.parse()?))
    })
}

/// What a panic says goes where every line goes: it may quote what it was working on.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let said = panic.payload_as_str().unwrap_or("no words");
        let place = panic.location().map(ToString::to_string);
        let place = place.unwrap_or_default();
        tracing::error!(target: "sayso", said, place, "panicked");
    }));
}

/// Writes lines without their secrets.
struct WithoutSecrets {
    redactor: Redactor,
    target: Target,
}

enum Target {
    StandardError,
    /// Every thread that logs writes here, one line at a time.
    File(Mutex<LogFile>),
}

impl<'a> MakeWriter<'a> for WithoutSecrets {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

impl Write for &WithoutSecrets {
    /// Takes one event: the subscriber formats each of them before it writes it.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        // A colour ends with a letter, which would stand right before a secret.
        let pieces = text.split_inclusive("\u{1b}[0m");
        let line: String = pieces.map(|piece| self.redactor.redact(piece)).collect();
        match &self.target {
            Target::StandardError => io::stderr().write_all(line.as_bytes())?,
            Target::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.add(line.as_bytes());
            }
        }
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;
    use tracing::Level;
    use tracing::subscriber::with_default;
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::{EnvFilter, registry};

    use super::{Destination, SLOW_STATEMENTS, shown};
    use crate::app::{Console, Mode};

    #[test]
    fn model_f11_warnings_do_not_run_through_a_conversation() {
        let is_shown = |mode: Mode, destination: Destination| {
            let console = Console::Log;
            let filter = EnvFilter::try_new(shown(mode, console, destination)).unwrap();
            with_default(registry().with(filter), || {
                [
                    tracing::enabled!(target: SLOW_STATEMENTS, Level::WARN),
                    tracing::enabled!(target: "sayso::providers", Level::WARN),
                    tracing::enabled!(target: "sayso::providers", Level::ERROR),
                ]
            })
        };
        let piped = Destination::Elsewhere;
        assert_eq!(is_shown(Mode::Chat, piped), [false, false, true]);
        assert_eq!(is_shown(Mode::Demo, piped), [false, false, true]);
        assert_eq!(is_shown(Mode::Channels, piped), [false, true, true]);
        // u18: nothing of the log stands between a question and its answer.
        let terminal = Destination::Terminal;
        assert_eq!(is_shown(Mode::Chat, terminal), [false, false, false]);
        assert_eq!(is_shown(Mode::Demo, terminal), [false, false, false]);
        assert_eq!(is_shown(Mode::Channels, terminal), [false, true, true]);
    }

    #[test]
    fn u24_what_plain_lines_say_is_not_logged_beside_them() {
        let is_shown = |console: Console| {
            let shown = shown(Mode::Channels, console, Destination::Terminal);
            with_default(
                registry().with(EnvFilter::try_new(shown).unwrap()),
                || tracing::enabled!(target: "sayso::console", Level::ERROR),
            )
        };
        assert!(!is_shown(Console::Plain(Language::English)));
        assert!(is_shown(Console::Log));
    }
}
