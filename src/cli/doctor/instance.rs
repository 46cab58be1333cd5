//! How the Sayso that runs here is: what its `/health` says, where `[http]` is set.

use std::net::SocketAddr;

use sayso_channel::Language;

use super::{Finding, causes, messages};
use crate::cli::health_client::ask;
use crate::http::{ChannelReport, HealthReport};

/// Asks the Sayso that runs here how its channels are.
pub(super) async fn running(listen: SocketAddr, language: Language) -> Vec<Finding> {
    if listen.port() == 0 {
        return vec![Finding::Fine(messages::port_is_in_the_log(language))];
    }
    match ask(listen).await {
        Ok(report) => findings_of(&report, language),
        Err(error) if error.is_connect() => {
            vec![Finding::Fine(messages::not_running(language, &listen))]
        }
        Err(error) => vec![Finding::Problem {
            what: messages::health_fails(
                language,
                &listen,
                &causes::text(&error.without_url(), language),
            ),
            fix: messages::look_who_listens(language),
        }],
    }
}

/// Returns what a report says of channels, embedder and database.
pub(in crate::cli) fn findings_of(report: &HealthReport, language: Language) -> Vec<Finding> {
    let mut findings: Vec<_> = report
        .channels
        .iter()
        .map(|channel| finding(channel, language))
        .collect();
    if let Some(ChannelReport {
        reason: Some(reason),
        last_fault_ms: Some(age),
        ..
    }) = &report.embedder
    {
        findings.push(Finding::Problem {
            what: messages::embedder_is_away(
                language,
                &(age / 1000),
                &causes::text(reason, language),
            ),
            fix: messages::channel_fix(language),
        });
    }
    if !report.database.ok {
        findings.push(Finding::Problem {
            what: match &report.database.reason {
                Some(reason) => {
                    let why = causes::text(reason, language);
                    messages::running_database_is_not_written(language, &why)
                }
                None => messages::running_database_fails(language),
            },
            fix: messages::look_at_the_log(language),
        });
    }
    findings
}

fn finding(channel: &ChannelReport, language: Language) -> Finding {
    let name = &channel.name;
    match (&channel.reason, channel.last_contact_ms) {
        (Some(reason), _) => Finding::Problem {
            what: messages::channel_is_down(
                language,
                name,
                &channel.status,
                &causes::text(reason, language),
            ),
            fix: messages::channel_fix(language),
        },
        (None, Some(age)) => Finding::Fine(messages::channel_is_well(
            language,
            name,
            &(age / 1000),
            &channel.interruptions,
        )),
        (None, None) => Finding::Fine(messages::channel_starts(language, name)),
    }
}
