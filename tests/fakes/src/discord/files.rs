//! Files: kept with the message they came in, and fetched from the address that the message gives.

use axum::body::Bytes;
use serde_json::{Value, json};

use super::state::State;

impl State {
    /// Keeps a file and returns it as a message carries it.
    pub(crate) fn keep_file(&mut self, channel: i64, name: &str, bytes: Bytes) -> Value {
        let id = self.ids.next();
        let plain: String = name
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || "._-".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let path = format!("/attachments/{channel}/{id}/{plain}");
        let url = format!(
            "http://{}{path}?ex=70000000&is=60000000&hm=5a",
            self.address
        );
        let mut wire = json!({
            "id": id.to_string(),
            "filename": plain,
            "size": bytes.len(),
            "url": url,
            "proxy_url": url,
            "content_type": mime_of(&plain),
        });
        if mime_of(&plain).starts_with("image/") {
            wire["width"] = 640.into();
            wire["height"] = 480.into();
        }
        self.files.insert(path, bytes);
        wire
    }

    /// Returns the bytes of a file by its address.
    pub(crate) fn file(&self, url: &str) -> Option<Vec<u8>> {
        let path = url.strip_prefix(&format!("http://{}", self.address))?;
        let path = path.split('?').next()?;
        self.files.get(path).map(|bytes| bytes.to_vec())
    }
}

fn mime_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "txt" | "md" | "log" => "text/plain; charset=utf-8",
        "json" => "application/json",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "ogg" => "audio/ogg",
        _ => "application/octet-stream",
    }
}
