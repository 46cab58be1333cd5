//! The published REST API as rules: which operations exist and what they take. Loaded once per process from
//! Discord's OpenAPI description, or from the operations played here where that is not at hand.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::form::Form;
use super::routes::PLAYED;
use super::schema::Schemas;

/// One operation.
#[derive(Debug)]
struct Operation {
    verb: String,
    path: Vec<String>,
    id: String,
    /// Parameters of path and query as OpenAPI writes them.
    parameters: Vec<Value>,
    /// The schema of the body.
    body: Option<Value>,
    is_body_required: bool,
}

/// All operations.
#[derive(Debug)]
pub(crate) struct Spec {
    operations: Vec<Operation>,
    schemas: Schemas,
    /// Whether this is the published description rather than the built-in list.
    pub(crate) is_published: bool,
}

impl Spec {
    /// Returns the rules of this process, read at the first call.
    pub(crate) fn get() -> &'static Self {
        static SPEC: OnceLock<Spec> = OnceLock::new();
        SPEC.get_or_init(|| Self::published(&published_path()).unwrap_or_else(Self::built_in_aloud))
    }

    fn published(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let mut written: Value =
            serde_json::from_str(&text).expect("the published description is readable");
        let paths = written["paths"].take();
        let paths = paths.as_object().expect("the description has paths");
        let operations = paths
            .iter()
            .flat_map(|(path, item)| operations_of(path, item))
            .collect();
        Some(Self {
            operations,
            schemas: Schemas::new(written["components"]["schemas"].take()),
            is_published: true,
        })
    }

    fn built_in_aloud() -> Self {
        // Written past the test harness, which keeps to itself what a passing test prints.
        let _ = writeln!(
            std::io::stderr(),
            "fake Discord: no published description at SAYSO_MATERIAL: the wide check is skipped, only \
             the rules written by hand are checked"
        );
        Self::built_in()
    }

    /// Returns the operations played here, without their schemas.
    pub(crate) fn built_in() -> Self {
        let operations = PLAYED.iter().map(|(verb, path, id)| Operation {
            verb: (*verb).to_owned(),
            path: split(path),
            id: (*id).to_owned(),
            parameters: Vec::new(),
            body: None,
            is_body_required: false,
        });
        Self {
            operations: operations.collect(),
            schemas: Schemas::default(),
            is_published: false,
        }
    }

    /// Finds the operation of a path and what the path binds. Where several fit, the most literal does.
    pub(crate) fn find(&self, verb: &str, path: &str) -> Option<(&str, Map<String, Value>)> {
        let given = split(path);
        let fitting = self
            .operations
            .iter()
            .filter(|operation| operation.verb == verb && operation.fits(&given));
        let best = fitting.min_by_key(|operation| {
            let bound = operation.path.iter().filter(|piece| is_variable(piece));
            bound.count()
        })?;
        Some((&best.id, best.bind(&given)))
    }

    /// Checks path, query and body; the error says what is wrong.
    pub(crate) fn check(&self, operation: &str, form: &Form) -> Result<(), String> {
        if !self.is_published {
            return Ok(());
        }
        let operation = self
            .operations
            .iter()
            .find(|known| known.id == operation)
            .ok_or("no such operation")?;
        self.check_parameters(operation, form)?;
        match (&operation.body, &form.body) {
            (None, Value::Null) => Ok(()),
            (None, _) => Err("takes no body".to_owned()),
            (Some(_), Value::Null) if operation.is_body_required => {
                Err("the body is missing".to_owned())
            }
            (Some(_), Value::Null) => Ok(()),
            (Some(schema), body) => {
                self.schemas.check_known_fields(schema, body)?;
                self.schemas.check("body", body, schema)
            }
        }
    }

    fn check_parameters(&self, operation: &Operation, form: &Form) -> Result<(), String> {
        let mut known = Vec::new();
        for parameter in &operation.parameters {
            let name = parameter["name"].as_str().unwrap_or_default();
            let place = if parameter["in"] == "path" {
                &form.path
            } else {
                known.push(name);
                &form.query
            };
            match place.get(name) {
                Some(value) => self.schemas.check_text(name, value, &parameter["schema"])?,
                None if parameter["required"] == true => return Err(format!("{name} is missing")),
                None => {}
            }
        }
        let unknown = form
            .query
            .keys()
            .find(|name| !known.contains(&name.as_str()));
        match unknown {
            Some(name) => Err(format!("no parameter {name} in the query")),
            None => Ok(()),
        }
    }
}

impl Operation {
    fn fits(&self, given: &[String]) -> bool {
        let mut pairs = self.path.iter().zip(given);
        self.path.len() == given.len()
            && pairs.all(|(piece, given)| is_variable(piece) && !given.is_empty() || piece == given)
    }

    fn bind(&self, given: &[String]) -> Map<String, Value> {
        let pairs = self.path.iter().zip(given);
        pairs
            .filter(|(piece, _)| is_variable(piece))
            .map(|(piece, given)| {
                let name = piece.trim_matches(['{', '}']);
                (name.to_owned(), given.as_str().into())
            })
            .collect()
    }
}

fn operations_of(path: &str, item: &Value) -> Vec<Operation> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let shared = list(&item["parameters"]);
    ["get", "post", "put", "patch", "delete"]
        .into_iter()
        .filter(|verb| item.get(verb).is_some())
        .map(|verb| {
            let written = &item[verb];
            let body = &written["requestBody"];
            let schema = &body["content"]["application/json"]["schema"];
            Operation {
                verb: verb.to_owned(),
                path: split(path),
                id: written["operationId"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                parameters: [shared.clone(), list(&written["parameters"])].concat(),
                body: (!schema.is_null()).then(|| schema.clone()),
                is_body_required: body["required"] == true,
            }
        })
        .collect()
}

fn split(path: &str) -> Vec<String> {
    let pieces = path.trim_start_matches('/').split('/');
    pieces.map(str::to_owned).collect()
}

fn is_variable(piece: &str) -> bool {
    piece.starts_with('{')
}

/// Where the published description lies: `discord/openapi.json` below `SAYSO_MATERIAL`.
fn published_path() -> PathBuf {
    let material = std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/material"),
        PathBuf::from,
    );
    material.join("discord/openapi.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_played_is_published() {
        let spec = Spec::get();
        for (verb, path, id) in PLAYED {
            let concrete = path
                .split('/')
                .map(|piece| if is_variable(piece) { "1" } else { piece });
            let concrete = concrete.collect::<Vec<_>>().join("/");
            let found = spec.find(verb, &concrete).map(|(found, _)| found);
            assert_eq!(found, Some(*id), "{verb} {path}");
        }
    }

    #[test]
    fn a_literal_piece_wins_over_a_variable() {
        let (id, bound) = Spec::built_in()
            .find("get", "/webhooks/4343/token/messages/@original")
            .map(|(id, bound)| (id.to_owned(), bound))
            .unwrap();
        assert_eq!(id, "get_original_webhook_message");
        assert_eq!(bound.get("webhook_token"), Some(&"token".into()));
        assert_eq!(bound.get("message_id"), None);
    }
}
