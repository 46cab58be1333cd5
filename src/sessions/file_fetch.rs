//! Fetching a file from its platform: waiting when told to, trying again when that may help, and
//! not for ever.

use std::time::Duration;

use sayso_channel::{AttachmentRef, Channel, ChannelError};
use tokio::fs::File;

use crate::agent::FetchError;

/// How long a file may take, with all attempts.
const WITHIN: Duration = Duration::from_mins(2);
/// How long is waited before each further attempt.
const AGAIN_AFTER: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(5),
];

/// Copies a file of a platform into `into`.
pub async fn fetch(
    channel: &dyn Channel,
    file: &AttachmentRef,
    into: &mut File,
) -> Result<(), FetchError> {
    let fetched = tokio::time::timeout(WITHIN, try_again(channel, file, into)).await;
    fetched.unwrap_or(Err(FetchError::Unreachable))
}

async fn try_again(
    channel: &dyn Channel,
    file: &AttachmentRef,
    into: &mut File,
) -> Result<(), FetchError> {
    let mut waits = AGAIN_AFTER.into_iter();
    loop {
        let Err(error) = channel.fetch(file, into).await else {
            return Ok(());
        };
        let channel = &channel.profile().name;
        tracing::warn!(%channel, %error, "file not fetched");
        let allowed = match &error {
            ChannelError::RetryAfter(wait) => waits.next().map(|_| *wait),
            ChannelError::Unreachable(_) | ChannelError::Ambiguous(_) => waits.next(),
            ChannelError::TooLong
            | ChannelError::Moved(_)
            | ChannelError::ThreadGone(_)
            | ChannelError::Rejected(_)
            | ChannelError::Unauthorized(_) => return Err(FetchError::Gone),
        };
        let pause = allowed.ok_or(FetchError::Unreachable)?;
        tokio::time::sleep(pause).await;
    }
}
