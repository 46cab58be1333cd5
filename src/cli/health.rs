//! `sayso health`: the health of the Sayso that runs here, for people and container health checks.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;

use sayso_channel::Language;

use super::doctor::{Finding, findings_of};
use super::exit::Exit;
use super::health_client::ask;
use super::messages;

/// Prints how it is; the exit code is 0 only when it runs and, as far as it tells, all is well.
pub(super) async fn health(
    listen: Option<SocketAddr>,
    directory: &Path,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let Some(listen) = listen.filter(|listen| listen.port() != 0) else {
        return runs(directory, language, output);
    };
    let report = ask(listen).await.map_err(|error| {
        let why = error.without_url();
        anyhow::anyhow!(messages::health_is_not_told(language, &listen, &why))
    })?;
    for finding in findings_of(&report, language) {
        writeln!(output, "{}", finding.in_words(language))?;
    }
    Ok(if report.is_well() {
        Exit::Fine
    } else {
        Exit::Failed
    })
}

/// Prints whether one runs here, which is all that can be known of one that does not listen.
fn runs(directory: &Path, language: Language, output: &mut impl Write) -> anyhow::Result<Exit> {
    if sayso_store::is_in_use(directory) {
        let runs = Finding::Fine(messages::health_only_runs(language));
        writeln!(output, "{}", runs.in_words(language))?;
        return Ok(Exit::Fine);
    }
    let shown = directory.display();
    anyhow::bail!(messages::health_runs_not(language, &shown));
}
