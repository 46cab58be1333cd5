//! The content of a user's message: its text, and the pictures that go with it.

use sayso_core::transcript::Image;
use serde_json::{Value, json};

use crate::wire::VisionSupport;

/// Returns a text, or where pictures go with it the list of both.
pub(super) fn user_content(text: &str, images: &[Image], sight: VisionSupport) -> Value {
    let text = sight.text(text, images);
    let shown: Vec<Value> = sight
        .shown(images)
        .map(|(image, data)| {
            let url = format!("data:{};base64,{data}", image.kind.media_type());
            json!({"type": "image_url", "image_url": {"url": url}})
        })
        .collect();
    if shown.is_empty() {
        return text.into();
    }
    let text = json!({"type": "text", "text": text});
    std::iter::once(text).chain(shown).collect()
}
