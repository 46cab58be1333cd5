//! Pictures for a model that sees: the newest of a conversation, read for one question at a time.
//!
//! A picture is shown as it came: where something else lies under its name by now, it stays a name.
//! All turns share the memory that pictures take.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sayso_core::transcript::{ConversationMessage, Image, SHOWN_IMAGES};
use sayso_tools::Workspace;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

/// The largest picture, in bytes: in base64 it is at the limit of Anthropic's API, 5 MB.
const MAX_BYTES: u64 = 3_750_000;
/// The limit in bytes for all pictures of a request: a large one, or as many phone pictures as are
/// shown. In memory they take about four times as much: encoded, in the request, and in the body
/// that is sent.
const MAX_TOTAL: u32 = 4_000_000;
/// The most bytes of the pictures of all questions that are asked at one time.
const ALL_TURNS: usize = 32_000_000;
/// The remaining capacity in bytes. A request holds as many permits as its pictures have bytes
/// until it is answered; the others wait in line.
static ROOM: Semaphore = Semaphore::const_new(ALL_TURNS);

/// What a model is shown.
pub(super) struct Shown {
    pub(super) messages: Vec<ConversationMessage>,
    /// The room that its pictures take.
    _room: Option<SemaphorePermit<'static>>,
}

impl From<Vec<ConversationMessage>> for Shown {
    /// Takes a conversation without pictures.
    fn from(messages: Vec<ConversationMessage>) -> Self {
        Self {
            messages,
            _room: None,
        }
    }
}

/// Puts in the bytes of the newest pictures, once there is room for them. Those that are gone, too
/// large or too many stay names, and all do when the turn is stopped meanwhile.
pub(super) async fn with_images(
    workspace: &Path,
    mut messages: Vec<ConversationMessage>,
    stop: &CancellationToken,
) -> Shown {
    let mut wanted: Vec<&mut Image> = messages
        .iter_mut()
        .filter_map(|message| match message {
            ConversationMessage::User { images, .. } => Some(images),
            ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
        })
        .flatten()
        .collect();
    let newest = wanted.iter().rev().take(SHOWN_IMAGES);
    let newest: Vec<Image> = newest.map(|image| (*image).clone()).collect();
    if newest.is_empty() {
        return messages.into();
    }
    let (root, images) = (workspace.to_path_buf(), newest.clone());
    let bytes = tokio::task::spawn_blocking(move || weigh(&root, &images)).await;
    let bytes = bytes.unwrap_or_default();
    let room = tokio::select! {
        biased;
        () = stop.cancelled() => return messages.into(),
        room = ROOM.acquire_many(bytes) => room.ok(),
    };
    let root = workspace.to_path_buf();
    let loaded = tokio::task::spawn_blocking(move || load(&root, &newest, bytes.into())).await;
    let loaded = loaded.unwrap_or_default();
    for (image, data) in wanted.iter_mut().rev().zip(loaded) {
        image.data = data;
    }
    Shown {
        messages,
        _room: room,
    }
}

/// Returns how many bytes pictures have, as far as they are shown.
fn weigh(root: &Path, images: &[Image]) -> u32 {
    let length = |image: &Image| {
        let file = Workspace::open(root).and_then(|workspace| workspace.open_file(&image.path));
        file.and_then(|file| Ok(file.metadata()?.len()))
            .unwrap_or_default()
    };
    let lengths = images.iter().map(length);
    let bytes: u64 = lengths.filter(|length| *length <= MAX_BYTES).sum();
    u32::try_from(bytes).map_or(MAX_TOTAL, |bytes| bytes.min(MAX_TOTAL))
}

/// Reads pictures, as many as fit together.
fn load(root: &Path, images: &[Image], mut room: u64) -> Vec<Option<Arc<str>>> {
    let load = |image: &Image| match read(root, image, room.min(MAX_BYTES)) {
        Ok(bytes) => {
            room = room.saturating_sub(bytes.len() as u64);
            Some(STANDARD.encode(&bytes).into())
        }
        Err(error) => {
            tracing::debug!(%error, "image not included in the request");
            None
        }
    };
    images.iter().map(load).collect()
}

fn read(root: &Path, image: &Image, most: u64) -> io::Result<Vec<u8>> {
    let file = Workspace::open(root)?.open_file(&image.path)?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    if Image::digest_of(&bytes[..])? != image.digest {
        return Err(io::Error::other("it is another picture by now"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sayso_core::transcript::ImageKind;

    use super::*;

    fn picture(home: &Path, name: &str, bytes: usize) -> Image {
        let mut content = b"\xff\xd8\xff".to_vec();
        content.resize(bytes, 0);
        std::fs::write(home.join(name), &content).unwrap();
        Image {
            path: name.to_owned(),
            kind: ImageKind::Jpeg,
            digest: Image::digest_of(&content[..]).unwrap(),
            data: None,
        }
    }

    async fn shown(home: &Path, images: Vec<Image>, stop: &CancellationToken) -> Vec<String> {
        let said = images.into_iter().map(|image| ConversationMessage::User {
            text: String::new(),
            images: vec![image],
        });
        let shown = with_images(home, said.collect(), stop).await;
        let images = shown.messages.iter().flat_map(ConversationMessage::images);
        let shown = images.filter(|image| image.data.is_some());
        shown.map(|image| image.path.clone()).collect()
    }

    #[tokio::test]
    async fn the_newest_pictures_that_fit_are_shown_as_they_came() {
        let home = tempfile::tempdir().unwrap();
        let picture = |name: &str, bytes| picture(home.path(), name, bytes);
        let names = ["a", "b", "c", "d", "e", "gone", "changed"];
        let mut images: Vec<Image> = names.map(|name| picture(name, 9)).into();
        images.push(picture("large", 3_750_001));
        std::fs::remove_file(home.path().join("gone")).unwrap();
        std::fs::write(home.path().join("changed"), b"\xff\xd8\xff another").unwrap();
        let stop = CancellationToken::new();
        assert_eq!(shown(home.path(), images, &stop).await, ["c", "d", "e"]);
        // Together they are too large: the newer one is shown.
        let two = vec![picture("first", 2_500_000), picture("second", 2_500_000)];
        assert_eq!(shown(home.path(), two, &stop).await, ["second"]);
    }

    #[tokio::test]
    async fn while_other_questions_take_all_the_room_pictures_wait_and_a_stop_ends_that() {
        let home = tempfile::tempdir().unwrap();
        let images = || vec![picture(home.path(), "a", 9)];
        let others = ROOM.acquire_many(ALL_TURNS as u32).await.unwrap();
        let stop = CancellationToken::new();
        let waiting = shown(home.path(), images(), &stop);
        tokio::pin!(waiting);
        let early = tokio::time::timeout(Duration::from_millis(200), &mut waiting).await;
        assert!(early.is_err());
        drop(others);
        assert_eq!(waiting.await, ["a"]);

        let _others = ROOM.acquire_many(ALL_TURNS as u32).await.unwrap();
        stop.cancel();
        assert!(shown(home.path(), images(), &stop).await.is_empty());
    }
}
