//! A message as the Bot API writes it.

use serde_json::{Map, Value, json};

use crate::message::{Button, Message};

impl Message {
    /// Writes what the message holds in wire form.
    pub(crate) fn content(&self, wire: &mut Map<String, Value>) {
        let is_caption = self.file.is_some() || self.extra.contains_key("media_group_id");
        let (text, entities) = if is_caption {
            ("caption", "caption_entities")
        } else {
            ("text", "entities")
        };
        if !self.text.is_empty() {
            wire.insert(text.to_owned(), self.text.as_str().into());
        }
        if !self.entities.is_empty() {
            wire.insert(entities.to_owned(), self.entities.clone().into());
        }
        wire.extend(self.extra.clone());
        if !self.buttons.is_empty() {
            wire.insert("reply_markup".to_owned(), self.markup());
        }
    }

    fn markup(&self) -> Value {
        let rows: Vec<Vec<Value>> = self
            .buttons
            .iter()
            .map(|row| row.iter().map(Button::wire).collect())
            .collect();
        json!({ "inline_keyboard": rows })
    }
}

impl Button {
    fn wire(&self) -> Value {
        let mut wire = json!({ "text": self.label });
        if let Some(token) = &self.token {
            wire["callback_data"] = token.as_str().into();
        }
        if let Some(url) = &self.url {
            wire["url"] = url.as_str().into();
        }
        wire
    }
}
