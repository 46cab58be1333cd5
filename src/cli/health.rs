//! `sayso health`: the health of the Sayso that runs here, for people and container health checks.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use serde::Serialize;

use super::doctor::{Finding, findings_of};
use super::exit::Exit;
use super::health_client::ask;
use super::messages;
use super::output_style::{Form, OutputStyle, print_json};

/// Prints how it is; the exit code is 0 only when it runs and, as far as it tells, all is well.
pub(super) async fn health(
    listen: Option<SocketAddr>,
    directory: &Path,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let language = style.language;
    let Some(listen) = listen.filter(|listen| listen.port() != 0) else {
        return runs(directory, style, output);
    };
    let report = match (ask(listen).await, style.form) {
        (Ok(report), _) => report,
        (Err(error), Form::Plain) => {
            let why = error.without_url();
            anyhow::bail!(messages::health_is_not_told(language, &listen, &why));
        }
        (Err(error), Form::Json) => {
            let reason = Some(error.without_url().to_string());
            let status = "unreachable";
            print_json(output, &Unreported { status, reason })?;
            return Ok(Exit::Failed);
        }
    };
    match style.form {
        Form::Json => print_json(output, &report)?,
        Form::Plain => {
            for finding in findings_of(&report, language) {
                writeln!(output, "{}", finding.in_words(language))?;
            }
        }
    }
    Ok(if report.is_well() {
        Exit::Fine
    } else {
        Exit::Failed
    })
}

/// What scripts read where there is no report.
#[derive(Serialize)]
struct Unreported {
    /// `running` and `stopped` without `[http] listen`, else `unreachable`.
    status: &'static str,
    /// Why it cannot be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Prints whether one runs here, which is all that can be known of one that does not listen.
fn runs(directory: &Path, style: OutputStyle, output: &mut impl Write) -> anyhow::Result<Exit> {
    let runs = sayso_store::is_in_use(directory);
    let language = style.language;
    match style.form {
        Form::Json => {
            let status = if runs { "running" } else { "stopped" };
            let reason = None;
            print_json(output, &Unreported { status, reason })?;
        }
        Form::Plain if runs => {
            let runs = Finding::Fine(messages::health_only_runs(language));
            writeln!(output, "{}", runs.in_words(language))?;
        }
        Form::Plain => {
            anyhow::bail!(messages::health_runs_not(language, &directory.display()));
        }
    }
    Ok(if runs { Exit::Fine } else { Exit::Failed })
}
