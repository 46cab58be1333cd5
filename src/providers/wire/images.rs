//! Pictures of a message, for a model that sees and for one that does not.

use std::fmt::Write as _;

use sayso_core::transcript::Image;

/// Whether a model sees pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisionSupport {
    /// It takes them.
    Sees,
    /// It takes text alone.
    None,
}

impl VisionSupport {
    /// Returns the pictures that this question shows, each with its bytes in base64.
    pub fn shown(self, images: &[Image]) -> impl Iterator<Item = (&Image, &str)> {
        let seen = images.iter().filter(move |_| self == Self::Sees);
        seen.filter_map(|image| Some((image, image.data.as_deref()?)))
    }

    /// Returns the text with a note for each picture that is not shown.
    pub fn text(self, text: &str, images: &[Image]) -> String {
        let mut noted = text.to_owned();
        for image in images {
            let why = match (self, &image.data) {
                (Self::Sees, Some(_)) => continue,
                (Self::Sees, None) => "is not shown here",
                (Self::None, _) => "cannot be seen by this model: say so",
            };
            // Writing to a string cannot fail.
            let _ = write!(noted, "\n[{} {why}]", image.path);
        }
        noted
    }
}
