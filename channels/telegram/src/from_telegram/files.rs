//! The files of a message, as references that can be fetched later.

use sayso_channel::{AttachmentKind, AttachmentRef};

use super::raw::{RawExternalReply, RawFile, RawMessage};

/// The places in which a message can carry a file.
pub(super) struct Files<'a> {
    photo: &'a [RawFile],
    animation: Option<&'a RawFile>,
    document: Option<&'a RawFile>,
    others: [(AttachmentKind, Option<&'a RawFile>); 5],
}

macro_rules! files_of {
    ($raw:expr) => {
        Files {
            photo: &$raw.photo,
            animation: $raw.animation.as_ref(),
            document: $raw.document.as_ref(),
            others: [
                (AttachmentKind::Voice, $raw.voice.as_ref()),
                (AttachmentKind::Audio, $raw.audio.as_ref()),
                (AttachmentKind::Video, $raw.video.as_ref()),
                (AttachmentKind::Video, $raw.video_note.as_ref()),
                (AttachmentKind::Video, $raw.live_photo.as_ref()),
            ],
        }
    };
}

impl<'a> From<&'a RawMessage> for Files<'a> {
    fn from(raw: &'a RawMessage) -> Self {
        files_of!(raw)
    }
}

impl<'a> From<&'a RawExternalReply> for Files<'a> {
    fn from(raw: &'a RawExternalReply) -> Self {
        files_of!(raw)
    }
}

impl Files<'_> {
    /// Returns a reference to each file; of a photo its largest size.
    pub(super) fn attachments(&self) -> Vec<AttachmentRef> {
        let photo = self.photo.iter().max_by_key(|size| {
            size.width
                .unwrap_or(0)
                .saturating_mul(size.height.unwrap_or(0))
        });
        // An animation is sent a second time as a document, for clients that know no animations.
        let document = self.document.filter(|_| self.animation.is_none());
        let first = [
            (AttachmentKind::Photo, photo),
            (AttachmentKind::Video, self.animation),
            (AttachmentKind::Document, document),
        ];
        first
            .into_iter()
            .chain(self.others)
            .filter_map(|(kind, file)| attachment(kind, file?))
            .collect()
    }
}

fn attachment(kind: AttachmentKind, file: &RawFile) -> Option<AttachmentRef> {
    Some(AttachmentRef {
        kind,
        reference: file.file_id.clone()?,
        name: file.file_name.clone(),
        media_type: file.mime_type.clone(),
        bytes: file.file_size,
    })
}
