//! Pictures for a model that sees: the newest of a conversation, read for one question at a time.
//!
//! A picture is shown as it came: where something else lies under its name by now, it stays a name.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::tools::Workspace;
use crate::transcript::{ConversationMessage, Image, SHOWN_IMAGES};

/// The largest picture, in bytes: in base64 it is at the limit of Anthropic's API, 5 MB.
const MAX_BYTES: u64 = 3_750_000;
/// The most bytes of all pictures of a question, far below the 32 MB that Anthropic's API takes.
const MAX_TOTAL: u64 = 12_000_000;

/// Puts in the bytes of the newest pictures. Those that are gone, too large or too many stay names.
pub(super) async fn with_images(
    workspace: &Path,
    mut messages: Vec<ConversationMessage>,
) -> Vec<ConversationMessage> {
    let mut wanted: Vec<&mut Image> = messages
        .iter_mut()
        .filter_map(|message| match message {
            ConversationMessage::User { images, .. } => Some(images),
            ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
        })
        .flatten()
        .collect();
    if wanted.is_empty() {
        return messages;
    }
    let newest = wanted.iter().rev().take(SHOWN_IMAGES);
    let newest: Vec<Image> = newest.map(|image| (*image).clone()).collect();
    let root = workspace.to_path_buf();
    let loaded = tokio::task::spawn_blocking(move || load(&root, &newest)).await;
    let loaded = loaded.unwrap_or_default();
    for (image, data) in wanted.iter_mut().rev().zip(loaded) {
        image.data = data;
    }
    messages
}

/// Reads pictures, as many as fit together.
fn load(root: &Path, images: &[Image]) -> Vec<Option<Arc<str>>> {
    let mut room = MAX_TOTAL;
    let load = |image: &Image| match read(root, image, room.min(MAX_BYTES)) {
        Ok(bytes) => {
            room = room.saturating_sub(bytes.len() as u64);
            Some(STANDARD.encode(&bytes).into())
        }
        Err(error) => {
            tracing::debug!(%error, "a picture is not shown");
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
    use super::*;
    use crate::transcript::ImageKind;

    #[tokio::test]
    async fn the_newest_pictures_that_fit_are_shown_as_they_came() {
        let home = tempfile::tempdir().unwrap();
        let picture = |name: &str, bytes: usize| {
            let mut content = b"\xff\xd8\xff".to_vec();
            content.resize(bytes, 0);
            std::fs::write(home.path().join(name), &content).unwrap();
            Image {
                path: name.to_owned(),
                kind: ImageKind::Jpeg,
                digest: Image::digest_of(&content[..]).unwrap(),
                data: None,
            }
        };
        let names = ["a", "b", "c", "d", "e", "gone", "changed"];
        let mut images: Vec<Image> = names.map(|name| picture(name, 9)).into();
        images.push(picture("large", 3_750_001));
        std::fs::remove_file(home.path().join("gone")).unwrap();
        std::fs::write(home.path().join("changed"), b"\xff\xd8\xff another").unwrap();
        let said = images.into_iter().map(|image| ConversationMessage::User {
            text: String::new(),
            images: vec![image],
        });
        let messages = with_images(home.path(), said.collect()).await;
        let images = messages.iter().filter_map(|message| match message {
            ConversationMessage::User { images, .. } => images.first(),
            ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
        });
        let shown = images.filter(|image| image.data.is_some());
        let shown: Vec<&str> = shown.map(|image| image.path.as_str()).collect();
        assert_eq!(shown, ["c", "d", "e"]);
    }
}
