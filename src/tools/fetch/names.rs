//! Looking up a name, and which of its addresses may be connected to.

use std::io;
use std::net::{IpAddr, SocketAddr};

use sayso_policy::HostRules;

use super::addresses::{Special, special};
use super::target::Target;

/// How many addresses of a name are tried.
const MAX_ADDRESSES: usize = 8;

/// Who is asked for the addresses of a name.
#[derive(Debug)]
pub enum Names {
    /// The system, as it does for every program.
    System,
    /// What a test has prepared, one answer for each question.
    #[cfg(test)]
    Prepared(std::sync::Mutex<std::collections::VecDeque<Vec<IpAddr>>>),
}

/// Why nothing can be connected to.
#[derive(Debug)]
pub enum NoAddress {
    /// The name does not exist, or could not be resolved.
    Unknown(io::Error),
    /// All of its addresses are not public.
    NotPublic(Special),
}

impl Names {
    /// Returns the addresses that may be connected to, and no others: the connection is bound to
    /// them, so that a later answer to the same question cannot change where it goes.
    pub async fn checked(
        &self,
        target: &Target,
        rules: &HostRules,
    ) -> Result<Vec<SocketAddr>, NoAddress> {
        let server = target.server();
        let found = match target.literal() {
            Some(address) => vec![address],
            None => self
                .look_up(server.host())
                .await
                .map_err(NoAddress::Unknown)?,
        };
        let is_listed = rules.may_be_private(server);
        let (mut open, mut closed) = (Vec::new(), None);
        for address in found {
            match special(address) {
                Some(special) if !(is_listed && is_reachable(special, target)) => {
                    closed.get_or_insert(special);
                }
                Some(_) | None => open.push(SocketAddr::new(address, server.port())),
            }
        }
        open.truncate(MAX_ADDRESSES);
        match closed {
            Some(special) if open.is_empty() => Err(NoAddress::NotPublic(special)),
            Some(_) | None if open.is_empty() => {
                Err(NoAddress::Unknown(io::ErrorKind::NotFound.into()))
            }
            Some(_) | None => Ok(open),
        }
    }

    async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        match self {
            Self::System => {
                let addresses = tokio::net::lookup_host((name, 0)).await?;
                Ok(addresses.map(|address| address.ip()).collect())
            }
            #[cfg(test)]
            Self::Prepared(answers) => {
                let mut answers = answers.lock().map_err(|_| io::ErrorKind::Other)?;
                answers.pop_front().ok_or(io::ErrorKind::NotFound.into())
            }
        }
    }
}

/// Returns whether a listed server may be at such an address: one that is listed by its address
/// may, a name may lead home and no further.
fn is_reachable(special: Special, target: &Target) -> bool {
    target.literal().is_some() || special.is_at_home()
}
