//! A REST request as it was read: what its path binds, its query, its body and the files beside it.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use super::refusal::Refusal;
use super::snowflake::read;
use crate::multipart;

/// The part of a multipart form that holds the JSON body.
const PAYLOAD: &str = "payload_json";

/// A file sent along; `number` is the N of its part `files[N]`.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
}

/// One request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    pub(crate) path: Map<String, Value>,
    pub(crate) query: Map<String, Value>,
    pub(crate) body: Value,
    pub(crate) uploads: Vec<Upload>,
}

impl Form {
    /// Reads query and body; the error is what the real server would answer.
    pub(crate) fn read(
        path: Map<String, Value>,
        query: &str,
        headers: &HeaderMap,
        body: &Bytes,
    ) -> Result<Self, Refusal> {
        let mut form = Self {
            path,
            ..Self::default()
        };
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            form.query
                .insert(name.into_owned(), value.into_owned().into());
        }
        if body.is_empty() {
            return Ok(form);
        }
        let content_type = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let content_type = content_type.unwrap_or_default();
        if content_type.starts_with("application/json") {
            form.body = parse(body)?;
        } else if content_type.starts_with("multipart/form-data") {
            form.read_multipart(content_type, body)?;
        } else {
            let why = format!("Expected \"Content-Type\" header to be JSON, not {content_type:?}");
            return Err(Refusal::form("_body", why));
        }
        Ok(form)
    }

    fn read_multipart(&mut self, content_type: &str, body: &Bytes) -> Result<(), Refusal> {
        let parts = multipart::parts(content_type, body);
        for part in parts.map_err(|why| Refusal::form("_body", why))? {
            if part.name == PAYLOAD {
                self.body = parse(&part.bytes)?;
                continue;
            }
            let number = part
                .name
                .strip_prefix("files[")
                .and_then(|rest| rest.strip_suffix(']')?.parse().ok());
            let (Some(number), Some(name)) = (number, part.file_name) else {
                let why = format!("part {:?} is neither {PAYLOAD} nor files[n]", part.name);
                return Err(Refusal::form("_body", why));
            };
            self.uploads.push(Upload {
                number,
                name,
                bytes: part.bytes,
            });
        }
        Ok(())
    }

    /// Returns an id of the path.
    pub(crate) fn id(&self, name: &str) -> i64 {
        self.path.get(name).and_then(read).unwrap_or_default()
    }

    /// Returns a piece of the path as text.
    pub(crate) fn segment(&self, name: &str) -> &str {
        self.path
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Returns an id of the query.
    pub(crate) fn asked(&self, name: &str) -> Option<i64> {
        self.query.get(name).and_then(read)
    }

    /// Path, query and body in one, as a test looks at them.
    pub(crate) fn params(&self) -> Map<String, Value> {
        let mut params = self.path.clone();
        params.extend(self.query.clone());
        match &self.body {
            Value::Object(fields) => params.extend(fields.clone()),
            Value::Null => {}
            other => drop(params.insert("body".to_owned(), other.clone())),
        }
        params
    }
}

fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(bytes).map_err(|error| {
        let why = format!("The request body contains invalid JSON: {error}");
        Refusal::new(400, 50109, why).violating()
    })
}
