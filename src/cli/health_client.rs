//! Asks the Sayso that listens here for its health.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use crate::http::HealthReport;

/// How long the answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);

/// Asks the Sayso that listens here.
///
/// # Errors
/// Fails when there is no answer, or the answer is no report.
pub(super) async fn ask(listen: SocketAddr) -> reqwest::Result<HealthReport> {
    let client = reqwest::Client::builder()
        .timeout(ANSWER_WITHIN)
        .no_proxy()
        .build()?;
    let answer = client
        .get(format!("http://{}/health", reachable(listen)))
        .send()
        .await?;
    answer.json().await
}

/// An address that means every address is asked at home.
fn reachable(mut listen: SocketAddr) -> SocketAddr {
    if listen.ip().is_unspecified() {
        listen.set_ip(match listen.ip() {
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        });
    }
    listen
}
