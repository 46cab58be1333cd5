//! Files: documents that we send, attachments that we fetch.

use reqwest::multipart::{self, Form};
use sayso_channel::{Address, AttachmentRef, ChannelError, FileSource, OutFile, Part};
use serde::Serialize;
use teloxide::payloads::GetFile;
use teloxide::types::FileId;
use tokio::fs::File;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use crate::bot_api::{BotApi, lost_or_not_sent};
use crate::requests::{FilePlace, Sent};
use crate::send::{direct_topic, reply_markup, reply_to, topic};
use crate::to_telegram::from_markup;
use crate::{messages, refusal};

/// Sends a part that carries a file, with its text as the caption.
pub(crate) async fn send(
    api: &BotApi,
    to: &Address,
    part: &Part,
    file: &OutFile,
) -> Result<Sent, ChannelError> {
    let document = bytes_of(file).await?.file_name(file.name.clone());
    let form = with_fields(Form::new(), to, part).part("document", document);
    api.upload("sendDocument", form)
        .await
        .map_err(|error| refusal::of_send(error, to))
}

async fn bytes_of(file: &OutFile) -> Result<multipart::Part, ChannelError> {
    match &file.source {
        FileSource::Path(path) => multipart::Part::file(path).await.map_err(|error| {
            ChannelError::Rejected(messages::cannot_read_file(&file.name, &error))
        }),
        FileSource::Text(text) => Ok(multipart::Part::bytes(text.clone().into_bytes())),
    }
}

fn with_fields(form: Form, to: &Address, part: &Part) -> Form {
    let entities = from_markup(&part.markup);
    let fields = [
        ("chat_id", Some(to.chat.as_str().to_owned())),
        (
            "message_thread_id",
            topic(to).map(|topic| topic.to_string()),
        ),
        (
            "direct_messages_topic_id",
            direct_topic(to).map(|topic| topic.to_string()),
        ),
        (
            "caption",
            (!part.text.is_empty()).then(|| part.text.clone()),
        ),
        (
            "caption_entities",
            (!entities.is_empty()).then(|| json(&entities)),
        ),
        (
            "disable_notification",
            part.quiet.then(|| "true".to_owned()),
        ),
        ("reply_parameters", reply_to(part).as_ref().map(json)),
        ("reply_markup", reply_markup(part).as_ref().map(json)),
    ];
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .fold(form, |form, (name, value)| form.text(name, value))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Copies an attachment into `into`, replacing what a broken attempt left there.
pub(crate) async fn fetch(
    api: &BotApi,
    attachment: &AttachmentRef,
    into: &mut File,
) -> Result<(), ChannelError> {
    let request = GetFile::new(FileId(attachment.reference.clone()));
    let place: FilePlace = api
        .call(&request)
        .await
        .map_err(|error| refusal::of_repeatable(error, None))?;
    let Some(path) = place.file_path.filter(|path| is_plain(path)) else {
        return Err(ChannelError::Rejected(messages::file_gone()));
    };
    let mut response = api
        .open_file(&path)
        .await
        .map_err(|error| refusal::of_repeatable(error, None))?;
    empty(into).await.map_err(|error| unwritable(&error))?;
    loop {
        let chunk = response
            .chunk()
            .await
            .map_err(|error| refusal::of_repeatable(lost_or_not_sent(error), None))?;
        let Some(chunk) = chunk else { break };
        into.write_all(&chunk)
            .await
            .map_err(|error| unwritable(&error))?;
    }
    into.flush().await.map_err(|error| unwritable(&error))
}

/// Returns whether a path of Telegram's stays below its directory of files.
fn is_plain(path: &str) -> bool {
    !path.starts_with('/') && !path.split('/').any(|step| step == "..")
}

async fn empty(file: &mut File) -> std::io::Result<()> {
    file.set_len(0).await?;
    file.rewind().await.map(drop)
}

fn unwritable(error: &std::io::Error) -> ChannelError {
    ChannelError::Rejected(messages::cannot_write_file(error))
}
