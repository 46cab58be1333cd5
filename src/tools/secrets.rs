//! Secrets that calls use by a handle, `{{secret:NAME}}`: found when a call is looked at, filled in
//! when it runs.
//!
//! In between, a call is judged, shown, recorded and approved with its handles in place, so the
//! value appears in none of these. Output of a program or server passes through the redactor, which
//! knows every value.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::sync::Arc;

use sayso_policy::{SecretRules, variable_of};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

/// What every handle begins with.
const BEGIN: &str = "{{secret:";
/// What every handle ends with.
const END: &str = "}}";

/// A secret that calls may use.
#[derive(Debug, Clone)]
pub struct Secret {
    /// Its name.
    pub name: String,
    /// What it is for, in a line.
    pub purpose: Option<String>,
    /// The secret.
    pub value: SecretString,
}

/// The secrets that calls may use. Where each may go is the policy's to judge.
#[derive(Clone, Default)]
pub struct Secrets {
    values: Arc<BTreeMap<String, SecretString>>,
    /// The text for the model about the secrets that requests and commands may use.
    for_hosts: Option<String>,
    for_commands: Option<String>,
}

/// How a value is written in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Unchanged.
    Plain,
    /// In a URL or a form: percent-encoded, so that it stays one part.
    Percent,
    /// Inside a JSON string.
    Json,
}

/// Why handles cannot be read or filled in.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadHandle {
    /// It does not end, or has no name.
    #[error("`{BEGIN}` begins a handle that is not whole; write `{BEGIN}NAME{END}`")]
    Unfinished,
    /// There is no secret of this name.
    #[error("there is no secret `{0}`")]
    Unknown(String),
}

impl Secrets {
    /// Takes the secrets and the rules for where they may go, and prepares the text for the model.
    pub fn new(secrets: Vec<Secret>, rules: &SecretRules) -> Self {
        let told = |places: Vec<(&str, String)>, is_for_commands: bool| {
            let lines = places.into_iter().map(|(name, places)| {
                let known = secrets.iter().find(|secret| secret.name == name);
                let purpose = known.and_then(|secret| secret.purpose.as_deref());
                let purpose = purpose.map_or_else(String::new, |it| format!("{it}; "));
                let variable = if is_for_commands {
                    format!(" as ${}", variable_of(name))
                } else {
                    String::new()
                };
                format!("`{name}`{variable} ({purpose}for {places})")
            });
            let lines: Vec<String> = lines.collect();
            (!lines.is_empty()).then(|| lines.join(", "))
        };
        let for_hosts = told(rules.for_hosts().collect(), false);
        let for_commands = told(rules.for_commands().collect(), true);
        let values = secrets.into_iter().map(|it| (it.name, it.value)).collect();
        Self {
            values: Arc::new(values),
            for_hosts,
            for_commands,
        }
    }

    /// Returns the text for the model about the secrets that requests may use: names, never values.
    pub fn for_hosts(&self) -> Option<&str> {
        self.for_hosts.as_deref()
    }

    /// Returns the text for the model about the secrets that commands may use.
    pub fn for_commands(&self) -> Option<&str> {
        self.for_commands.as_deref()
    }

    /// Returns the text with each value in the place of its handle.
    pub fn fill(&self, text: &str, form: Form) -> Result<String, BadHandle> {
        let mut filled = String::with_capacity(text.len());
        for piece in pieces(text)? {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Handle(name) => filled.push_str(&written(self.value(name)?, form)),
            }
        }
        Ok(filled)
    }

    /// Returns the variable in which a command finds a secret, with its value.
    pub fn variable(&self, name: &str) -> Result<(String, SecretString), BadHandle> {
        Ok((variable_of(name), self.value(name)?.clone()))
    }

    fn value(&self, name: &str) -> Result<&SecretString, BadHandle> {
        self.values
            .get(name)
            .ok_or_else(|| BadHandle::Unknown(name.to_owned()))
    }
}

/// Shows nothing but how many there are.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secrets").field(&self.values.len()).finish()
    }
}

/// Returns the names of the secrets whose handles stand in a text.
pub(crate) fn handles_in(text: &str) -> Result<BTreeSet<String>, BadHandle> {
    let handles = pieces(text)?.into_iter().filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Handle(name) => Some(name.to_owned()),
    });
    Ok(handles.collect())
}

/// Writes the handles in a URL as they were, where the URL standard has escaped their braces.
pub(crate) fn with_plain_handles(url: &str, names: &[String]) -> String {
    names.iter().fold(url.to_owned(), |url, name| {
        let escaped = format!("%7B%7Bsecret:{name}%7D%7D");
        url.replace(&escaped, &format!("{BEGIN}{name}{END}"))
    })
}

enum Piece<'t> {
    Text(&'t str),
    Handle(&'t str),
}

fn pieces(text: &str) -> Result<Vec<Piece<'_>>, BadHandle> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, begun)) = rest.split_once(BEGIN) {
        let (name, after) = begun.split_once(END).ok_or(BadHandle::Unfinished)?;
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_letter) {
            return Err(BadHandle::Unfinished);
        }
        pieces.push(Piece::Text(before));
        pieces.push(Piece::Handle(name));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

fn written(value: &SecretString, form: Form) -> String {
    let value = value.expose_secret();
    match form {
        Form::Plain => value.to_owned(),
        Form::Percent => percent_encoded(value),
        Form::Json => {
            let quoted = Value::from(value).to_string();
            let inner = quoted.get(1..quoted.len().saturating_sub(1));
            inner.unwrap_or_default().to_owned()
        }
    }
}

/// Escapes everything but the unreserved characters of RFC 3986, section 2.3.
fn percent_encoded(value: &str) -> String {
    value.bytes().fold(String::new(), |mut escaped, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
        escaped
    })
}

#[cfg(test)]
mod tests {
    use sayso_policy::{SecretRule, SecretRules};
    use secrecy::SecretString;

    use super::{BadHandle, Form, Secret, Secrets, handles_in, with_plain_handles};

    fn secrets() -> Secrets {
        let secret = Secret {
            name: "api".into(),
            purpose: Some("reads the weather".into()),
            value: SecretString::from("a/b\"c d&"),
        };
        let mut rules = SecretRules::default();
        rules.add(
            "api".into(),
            SecretRule {
                hosts: Vec::new(),
                commands: vec!["gh".into()],
            },
        );
        Secrets::new(vec![secret], &rules)
    }

    #[test]
    fn a_value_stays_one_part_of_what_it_is_filled_into() {
        let filled = |form| secrets().fill("<{{secret:api}}>", form).unwrap();
        assert_eq!(filled(Form::Plain), "<a/b\"c d&>");
        assert_eq!(filled(Form::Percent), "<a%2Fb%22c%20d%26>");
        assert_eq!(filled(Form::Json), "<a/b\\\"c d&>");
    }

    #[test]
    fn what_is_no_whole_handle_is_refused() {
        for text in [
            "{{secret:",
            "{{secret:}}",
            "{{secret:a b}}",
            "x {{secret:api}",
        ] {
            assert_eq!(handles_in(text), Err(BadHandle::Unfinished), "{text}");
        }
        assert!(handles_in("{{name}} and {secret:api}").unwrap().is_empty());
        let found = handles_in("{{secret:b}}{{secret:a}} {{secret:b}}").unwrap();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a", "b"]);
        let unknown = secrets().fill("{{secret:other}}", Form::Plain);
        assert_eq!(unknown, Err(BadHandle::Unknown("other".into())));
    }

    #[test]
    fn the_model_is_told_names_and_places_only() {
        let told = "`api` as $SAYSO_SECRET_API (reads the weather; for gh)";
        assert_eq!(secrets().for_commands(), Some(told));
        assert_eq!(secrets().for_hosts(), None);
        assert_eq!(format!("{:?}", secrets()), "Secrets(1)");
    }

    #[test]
    fn a_url_shows_the_handle_as_it_was_written() {
        let shown = with_plain_handles("https://a.b/%7B%7Bsecret:api%7D%7D/c", &["api".into()]);
        assert_eq!(shown, "https://a.b/{{secret:api}}/c");
    }
}
