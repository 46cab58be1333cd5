//! A request before it is sent: method, path, query and body.

use reqwest::multipart::{self, Form};
use reqwest::{Client, Method, RequestBuilder};
use serde::Serialize;

use super::CallError;
use super::route::Route;

/// A request to Discord's REST API.
pub(crate) struct Request {
    method: Method,
    path: String,
    query: Vec<(&'static str, String)>,
    body: Body,
}

enum Body {
    None,
    Json(Vec<u8>),
    Form(Form),
    /// It could not be written as JSON; the reason.
    Broken(String),
}

impl Request {
    /// Reads something. The path begins with `/` and stands behind the version of the API.
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path.into())
    }

    /// Makes something.
    pub(crate) fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path.into())
    }

    /// Takes something back.
    pub(crate) fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path.into())
    }

    /// Changes something.
    pub(crate) fn patch(path: impl Into<String>) -> Self {
        Self::new(Method::PATCH, path.into())
    }

    /// Replaces something.
    pub(crate) fn put(path: impl Into<String>) -> Self {
        Self::new(Method::PUT, path.into())
    }

    fn new(method: Method, path: String) -> Self {
        Self {
            method,
            path,
            query: Vec::new(),
            body: Body::None,
        }
    }

    /// Adds a parameter behind the path.
    pub(crate) fn query(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.query.push((name, value.into()));
        self
    }

    /// Sends a body of JSON.
    pub(crate) fn json(mut self, body: &impl Serialize) -> Self {
        self.body = match serde_json::to_vec(body) {
            Ok(json) => Body::Json(json),
            Err(error) => Body::Broken(error.to_string()),
        };
        self
    }

    /// Sends a body of JSON with files beside it, the first as `files[0]`
    /// (<https://docs.discord.com/developers/reference#uploading-files>).
    pub(crate) fn json_with_files(
        mut self,
        body: &impl Serialize,
        files: Vec<multipart::Part>,
    ) -> Self {
        self.body = match serde_json::to_string(body) {
            Ok(json) => Body::Form(files.into_iter().enumerate().fold(
                Form::new().text("payload_json", json),
                |form, (index, file)| form.part(format!("files[{index}]"), file),
            )),
            Err(error) => Body::Broken(error.to_string()),
        };
        self
    }

    pub(super) fn route(&self) -> Route {
        Route::of(&self.method, &self.path)
    }

    pub(super) fn is_upload(&self) -> bool {
        matches!(self.body, Body::Form(_))
    }

    pub(super) fn build(self, client: &Client, server: &str) -> Result<RequestBuilder, CallError> {
        let mut request = client.request(self.method, format!("{server}{}", self.path));
        if !self.query.is_empty() {
            request = request.query(&self.query);
        }
        match self.body {
            Body::None => Ok(request),
            Body::Json(json) => Ok(request
                .header(reqwest::header::CONTENT_TYPE, "application/json")
                .body(json)),
            Body::Form(form) => Ok(request.multipart(form)),
            Body::Broken(why) => Err(CallError::NotSent(why)),
        }
    }
}
