//! Files: those that we send, attachments that we fetch.

use reqwest::multipart;
use sayso_channel::{AttachmentRef, ChannelError, FileSource, OutFile};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use url::Url;

use crate::rest::{CallError, Request, Rest, lost_or_not_sent};
use crate::{messages, refusal};

/// The most bytes of an attachment that are fetched: as much as Telegram gives a bot.
const FETCH_BYTES: usize = 20 * 1024 * 1024;
/// Where Discord keeps attachments.
const DISCORDS_FILES: [&str; 2] = ["cdn.discordapp.com", "media.discordapp.net"];
/// Discord's own domain.
const DISCORD: &str = "discord.com";

/// Where an attachment is: what a reference says, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileReference {
    /// The channel or thread of its message.
    pub(crate) channel: String,
    /// Its message, which gives a new address when the old one has expired.
    pub(crate) message: String,
    /// The attachment.
    pub(crate) attachment: String,
    /// The address, which is good for a day.
    pub(crate) url: Url,
}

/// What we read of a message whose attachment has another address now.
#[derive(Deserialize)]
struct WithAttachments {
    #[serde(default)]
    attachments: Vec<Attachment>,
}

#[derive(Deserialize)]
struct Attachment {
    id: String,
    url: Url,
}

/// Returns what the body of a message says about the one file beside it.
pub(crate) fn listed(file: &OutFile) -> Value {
    json!([{"id": "0", "filename": file.name}])
}

/// Returns the bytes of a file to send.
pub(crate) async fn bytes_of(file: &OutFile) -> Result<multipart::Part, ChannelError> {
    let bytes = match &file.source {
        FileSource::Path(path) => multipart::Part::file(path).await.map_err(|error| {
            ChannelError::Rejected(messages::cannot_read_file(&file.name, &error))
        })?,
        FileSource::Text(text) => multipart::Part::bytes(text.clone().into_bytes()),
    };
    Ok(bytes.file_name(file.name.clone()))
}

/// Copies an attachment into `into`, replacing what a broken attempt left there.
pub(crate) async fn fetch(
    rest: &Rest,
    api_url: &Url,
    attachment: &AttachmentRef,
    into: &mut File,
) -> Result<(), ChannelError> {
    let gone = || ChannelError::Rejected(messages::file_gone());
    let reference: FileReference =
        serde_json::from_str(&attachment.reference).map_err(|_| gone())?;
    let mut response = match rest.open(trusted(reference.url.clone(), api_url)?).await {
        Err(CallError::Refused(_)) => {
            let url = new_address(rest, &reference).await?.ok_or_else(gone)?;
            rest.open(trusted(url, api_url)?).await
        }
        other => other,
    }
    .map_err(refusal::of_repeatable)?;
    empty(into).await.map_err(|error| unwritable(&error))?;
    let mut fetched = 0;
    loop {
        let chunk = response
            .chunk()
            .await
            .map_err(|error| refusal::of_repeatable(lost_or_not_sent(error)))?;
        let Some(chunk) = chunk else { break };
        fetched += chunk.len();
        if fetched > FETCH_BYTES {
            return Err(ChannelError::Rejected(messages::file_too_big()));
        }
        into.write_all(&chunk)
            .await
            .map_err(|error| unwritable(&error))?;
    }
    into.flush().await.map_err(|error| unwritable(&error))
}

fn trusted(url: Url, api_url: &Url) -> Result<Url, ChannelError> {
    if is_discords(&url, api_url) {
        Ok(url)
    } else {
        Err(ChannelError::Rejected(messages::strange_address()))
    }
}

/// Returns whether an address is one of Discord's files: a message cannot make us fetch anything
/// else.
fn is_discords(url: &Url, api_url: &Url) -> bool {
    if api_url.host_str() == Some(DISCORD) {
        let host = url.host_str().unwrap_or_default();
        return url.scheme() == "https" && url.port().is_none() && DISCORDS_FILES.contains(&host);
    }
    url.host_str().is_some() && url.host_str() == api_url.host_str()
}

/// Asks for the message of an attachment, which names an address that has not expired.
async fn new_address(rest: &Rest, reference: &FileReference) -> Result<Option<Url>, ChannelError> {
    let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    if !is_id(&reference.channel) || !is_id(&reference.message) {
        return Ok(None);
    }
    let path = format!(
        "/channels/{}/messages/{}",
        reference.channel, reference.message
    );
    let message: WithAttachments = rest
        .call(Request::get(path))
        .await
        .map_err(refusal::of_repeatable)?;
    let mut attachments = message.attachments.into_iter();
    let found = attachments.find(|attachment| attachment.id == reference.attachment);
    Ok(found.map(|attachment| attachment.url))
}

async fn empty(file: &mut File) -> std::io::Result<()> {
    file.set_len(0).await?;
    file.rewind().await.map(drop)
}

fn unwritable(error: &std::io::Error) -> ChannelError {
    ChannelError::Rejected(messages::cannot_write_file(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, api_url: &str, expected: bool) {
        let parse = |text| Url::parse(text).unwrap();
        assert_eq!(is_discords(&parse(url), &parse(api_url)), expected, "{url}");
    }

    #[test]
    fn only_discords_own_files_are_fetched() {
        let discord = "https://discord.com/api/v10";
        check(
            "https://cdn.discordapp.com/attachments/1/2/a.txt?ex=1",
            discord,
            true,
        );
        check(
            "https://media.discordapp.net/attachments/1/2/a.png",
            discord,
            true,
        );
        check("http://cdn.discordapp.com/a", discord, false);
        check("https://cdn.discordapp.com:8443/a", discord, false);
        check("https://cdn.discordapp.com.evil.example/a", discord, false);
        check("https://127.0.0.1/a", discord, false);
        check("http://127.0.0.1:9/a", "http://127.0.0.1:8/api/v10", true);
        check("http://10.0.0.1/a", "http://127.0.0.1:8/api/v10", false);
    }
}
