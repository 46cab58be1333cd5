//! The parameters of a call, however they came: query string, URL-encoded form, JSON or multipart.

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde_json::{Map, Value};

use crate::multipart;

/// How a field names an uploaded part.
pub(crate) const ATTACHED: &str = "attach://";

/// A part of a multipart form that carries a file.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    pub(crate) name: String,
    pub(crate) file_name: String,
    pub(crate) bytes: Bytes,
}

/// What a call carries: its fields, and the files beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    pub(crate) fields: Map<String, Value>,
    pub(crate) uploads: Vec<Upload>,
}

impl Params {
    /// Reads the query string and the body by its content type; the error is what the server would answer.
    pub(crate) fn read(parts: &Parts, body: &Bytes) -> Result<Self, String> {
        let mut params = Self::default();
        params.read_form(parts.uri.query().unwrap_or_default().as_bytes());
        let content_type = content_type(&parts.headers);
        if body.is_empty() {
            return Ok(params);
        }
        if content_type.starts_with("application/json") {
            params.read_json(body)?;
        } else if content_type.starts_with("multipart/form-data") {
            params.read_multipart(content_type, body)?;
        } else if content_type.starts_with("application/x-www-form-urlencoded") {
            params.read_form(body);
        } else {
            return Err(format!(
                "content type {content_type:?} is not read by the server"
            ));
        }
        Ok(params)
    }

    fn read_form(&mut self, encoded: &[u8]) {
        for (name, value) in url::form_urlencoded::parse(encoded) {
            self.fields
                .insert(name.into_owned(), value.into_owned().into());
        }
    }

    fn read_json(&mut self, body: &[u8]) -> Result<(), String> {
        match serde_json::from_slice(body) {
            Ok(Value::Object(fields)) => self.fields.extend(fields),
            Ok(_) => return Err("the JSON body is not an object".to_owned()),
            Err(error) => return Err(format!("the JSON body cannot be read: {error}")),
        }
        Ok(())
    }

    fn read_multipart(&mut self, content_type: &str, body: &Bytes) -> Result<(), String> {
        for part in multipart::parts(content_type, body)? {
            let Some(file_name) = part.file_name else {
                let text = String::from_utf8(part.bytes.to_vec())
                    .map_err(|_| format!("part {} is not UTF-8", part.name))?;
                self.fields.insert(part.name, text.into());
                continue;
            };
            // A file under the field's own name is the field; others are named by attach://.
            self.uploads.push(Upload {
                name: part.name,
                file_name,
                bytes: part.bytes,
            });
        }
        let referred: Vec<_> = self
            .uploads
            .iter()
            .map(|upload| upload.name.clone())
            .filter(|name| !self.mentions(name))
            .collect();
        for name in referred {
            let reference = format!("{ATTACHED}{name}");
            self.fields.insert(name, reference.into());
        }
        Ok(())
    }

    /// Tells whether some field, at any depth, names the uploaded part.
    pub(crate) fn mentions(&self, upload: &str) -> bool {
        let reference = format!("{ATTACHED}{upload}");
        self.fields.values().any(|value| match value {
            Value::String(text) => text.contains(&reference),
            Value::Array(_) | Value::Object(_) => value.to_string().contains(&reference),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        })
    }

    /// Tells whether the value names a part that came with the call.
    pub(crate) fn holds_file(&self, value: &Value) -> bool {
        self.upload(value).is_some()
    }

    /// Returns the part that the value names.
    pub(crate) fn upload(&self, value: &Value) -> Option<&Upload> {
        let name = value.as_str()?.strip_prefix(ATTACHED)?;
        self.uploads.iter().find(|upload| upload.name == name)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        self.fields.get(name)?.as_i64()
    }

    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.fields
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or(false)
    }

    /// Returns the elements of an array field, none when it is absent.
    pub(crate) fn list(&self, name: &str) -> &[Value] {
        self.fields
            .get(name)
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}
