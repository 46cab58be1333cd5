//! Pictures in a message: where they are kept and what they are. Their bytes are put in for one
//! question at a time and are never written down.

use std::io::{self, Read};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// How many pictures one question shows: the newest ones.
pub const SHOWN_IMAGES: usize = 6;

/// A picture that belongs to a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Where it is kept, from the workspace.
    pub path: String,
    /// What it is.
    pub kind: ImageKind,
    /// Its bytes as a digest, in hexadecimal: what lies there later need not be it.
    pub digest: String,
    /// Its bytes in base64, where this question shows it.
    #[serde(skip)]
    pub data: Option<Arc<str>>,
}

impl Image {
    /// Returns the digest of a picture's bytes.
    pub fn digest_of(mut bytes: impl Read) -> io::Result<String> {
        let mut hasher = Sha256::new();
        io::copy(&mut bytes, &mut hasher)?;
        Ok(format!("{:x}", hasher.finalize()))
    }
}

/// The kinds of pictures that models take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImageKind {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
}

impl ImageKind {
    /// Returns what begins with these bytes, whatever its name is.
    pub fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if head.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") {
            Some(Self::Gif)
        } else if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
            Some(Self::Webp)
        } else {
            None
        }
    }

    /// Returns its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ImageKind;

    #[test]
    fn a_picture_is_what_its_bytes_say() {
        assert_eq!(ImageKind::of(b"\xff\xd8\xff\xe0"), Some(ImageKind::Jpeg));
        assert_eq!(ImageKind::of(b"\x89PNG\r\n\x1a\n"), Some(ImageKind::Png));
        assert_eq!(ImageKind::of(b"GIF89a"), Some(ImageKind::Gif));
        assert_eq!(ImageKind::of(b"RIFF\0\0\0\0WEBP"), Some(ImageKind::Webp));
        assert_eq!(ImageKind::of(b"RIFF\0\0\0\0WAVE"), None);
        assert_eq!(ImageKind::of(b"<svg"), None);
    }
}
