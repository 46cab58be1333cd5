//! Converts the tools that a server describes into the tools that are offered to a model.
//!
//! The model reads a description before any approval is requested, so it is the first thing that a
//! hostile server would use: it is bounded, sanitized, and withheld where it contains instructions.
//! A tool whose description changes is withdrawn, because the operator chose the tool as it was
//! (`seen`).

use jsonschema::Validator;
use sayso_core::transcript::ToolSpec;
use sayso_core::visible::without_hidden;
use sayso_injection::{Treatment, check_tool_result};
use serde_json::{Map, Value, json};

use super::digest::digest;
use super::handle::Handle;
use super::name::name_of;
use super::refs::inlined;
use super::schema::{Unfit, fitted};
use super::seen::Seen;
use super::tool::{McpTool, Telling};
use super::wire::Described;

/// The longest description that a model is shown, in characters.
const MAX_DESCRIPTION_CHARS: usize = 1024;
/// The largest schema that a model is shown, in bytes.
const MAX_SCHEMA_BYTES: usize = 16 * 1024;
/// The longest name, in bytes.
const MAX_NAME_BYTES: usize = 128;
/// A server with at most this many tools has all of them passed to the model with each request.
const FEW: usize = 4;
/// What stands in the place of a description that is withheld.
const WITHHELD: &str = "(Its description is withheld: it reads like orders to a model.)";

/// What is known of the tools of a server.
#[derive(Debug, Default)]
pub(super) struct Known {
    seen: Seen,
}

/// Why a tool is not offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeftOut {
    /// Its name cannot be shown unchanged.
    BadName,
    /// An earlier one of the same list has its name.
    Twice,
    /// It is described otherwise than before.
    Changed,
    /// The schema of its arguments is too large.
    LargeSchema,
    /// The schema of its arguments is none that arguments could be checked against.
    BadSchema,
    /// The schema of its arguments gives orders to a model, in more than descriptions.
    Suspicious,
    /// Its arguments are not described as those of an object.
    NoObject,
    /// An argument that must be given has a name that some model services refuse.
    RequiredKey,
    /// Not the tool, but an optional argument of it: some model services refuse its name.
    OddKey,
}

impl LeftOut {
    /// Says why, for the log.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::BadName => "its name is too long or cannot be shown",
            Self::Twice => "an earlier one has the same name",
            Self::Changed => {
                "it is described otherwise than when it was first seen; look at it, and take it as it \
                 is with `sayso mcp accept`"
            }
            Self::LargeSchema => "the schema of its arguments is larger than 16 KiB",
            Self::BadSchema => "the schema of its arguments cannot be used",
            Self::Suspicious => "the schema of its arguments reads like orders to a model",
            Self::NoObject => "its `inputSchema` is missing, or describes no object",
            Self::RequiredKey => {
                "an argument that must be given has a name that some model services refuse; they take \
                 letters, digits, `_`, `.` and `-`, up to 64"
            }
            Self::OddKey => {
                "some model services refuse the name of this argument; they take letters, digits, \
                 `_`, `.` and `-`, up to 64"
            }
        }
    }
}

impl Known {
    /// Knows what was seen before.
    pub(super) fn new(seen: Seen) -> Self {
        Self { seen }
    }

    /// Waits until somebody takes the tools as they are, also where none is described otherwise
    /// than before: the word is about what is described now, and not kept for a later change.
    pub(super) async fn accepted(&mut self) {
        self.seen.forgotten().await;
    }

    /// Takes a list of tools in. Returns those that are offered, and which are left out and why.
    pub(super) fn take_in(
        &mut self,
        server: &Handle,
        described: Vec<Described>,
    ) -> (Vec<McpTool>, Vec<(String, LeftOut)>) {
        let mut offered: Vec<McpTool> = Vec::with_capacity(described.len());
        let mut left_out = Vec::new();
        for tool in described {
            let name = tool.name.clone();
            let is_there = |other: &McpTool| other.is_called(&name);
            let taken = if offered.iter().any(is_there) {
                Err(LeftOut::Twice)
            } else {
                self.take(server, tool)
            };
            match taken {
                Ok((tool, odd_keys)) => {
                    offered.push(tool);
                    let named = odd_keys.iter().map(|key| format!("{name}: {key}"));
                    left_out.extend(named.map(|argument| (argument, LeftOut::OddKey)));
                }
                Err(why) => left_out.push((name, why)),
            }
        }
        self.seen.keep();
        let told = if offered.len() <= FEW {
            Telling::Always
        } else {
            Telling::WhenNamed
        };
        let offered = offered.into_iter().map(|tool| tool.telling(told)).collect();
        (offered, left_out)
    }

    /// Returns a tool in the form in which it is offered, and which of its arguments are not
    /// offered.
    fn take(
        &mut self,
        server: &Handle,
        tool: Described,
    ) -> Result<(McpTool, Vec<String>), LeftOut> {
        if !can_be_shown(&tool.name) {
            return Err(LeftOut::BadName);
        }
        if !self.is_as_before(&tool) {
            return Err(LeftOut::Changed);
        }
        let schema = checked_schema(tool.schema.ok_or(LeftOut::NoObject)?)?;
        let options = jsonschema::options().should_validate_formats(false);
        let validator: Validator = options.build(&schema).map_err(|_| LeftOut::BadSchema)?;
        let Value::Object(fields) = schema else {
            return Err(LeftOut::NoObject);
        };
        let fitted = fitted(fields)?;
        let spec = ToolSpec {
            name: name_of(&server.name, &tool.name),
            description: checked_description(&tool.description),
            parameters: Value::Object(fitted.schema).into(),
        };
        let tool = McpTool::new(
            spec,
            server.clone(),
            tool.name,
            tool.says_it_reads,
            validator,
        );
        Ok((tool, fitted.left_out))
    }

    fn is_as_before(&mut self, tool: &Described) -> bool {
        let digest = digest(&[
            &tool.description,
            &canonical(tool.schema.clone().map_or(Value::Null, Value::Object)).to_string(),
            if tool.says_it_reads { "reads" } else { "" },
        ]);
        self.seen.is_as_before(&tool.name, digest)
    }
}

impl From<Unfit> for LeftOut {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::NoObject => Self::NoObject,
            Unfit::RequiredKey => Self::RequiredKey,
        }
    }
}

/// Returns whether a name stands for itself wherever it is shown.
fn can_be_shown(name: &str) -> bool {
    let is_shown =
        |letter: char| letter.is_alphanumeric() || (letter.is_ascii_punctuation() && letter != '`');
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && name.chars().all(is_shown)
}

fn gives_orders(text: &str) -> bool {
    match check_tool_result(text).treatment {
        Treatment::Clean | Treatment::Warn => false,
        Treatment::Review | Treatment::Block => true,
    }
}

fn checked_description(description: &str) -> String {
    if gives_orders(description) {
        return WITHHELD.to_owned();
    }
    let clean = without_hidden(description);
    let cut: String = clean.chars().take(MAX_DESCRIPTION_CHARS).collect();
    if cut.len() < clean.len() {
        format!("{cut} [cut]")
    } else {
        cut
    }
}

/// Returns a schema as a model may see it: without its own descriptions where those give orders.
fn checked_schema(mut fields: Map<String, Value>) -> Result<Value, LeftOut> {
    fields.shift_remove("$schema");
    fields.entry("type").or_insert_with(|| json!("object"));
    fields.entry("properties").or_insert_with(|| json!({}));
    let schema = Value::Object(fields);
    if schema.to_string().len() > MAX_SCHEMA_BYTES {
        return Err(LeftOut::LargeSchema);
    }
    let mut schema = inlined(&schema).ok_or(LeftOut::BadSchema)?;
    if schema.to_string().len() > MAX_SCHEMA_BYTES {
        return Err(LeftOut::LargeSchema);
    }
    clean(&mut schema);
    if gives_orders(&texts_of(&schema)) {
        strip_descriptions(&mut schema);
        if gives_orders(&texts_of(&schema)) {
            return Err(LeftOut::Suspicious);
        }
    }
    Ok(schema)
}

/// Returns a schema in the one order that stands for all: some servers write their fields, and what
/// they require, in another order at each start.
fn canonical(mut schema: Value) -> Value {
    for_each_object(&mut schema, &mut |fields| {
        fields.sort_keys();
        if let Some(Value::Array(required)) = fields.get_mut("required") {
            required.sort_by_key(Value::to_string);
            required.dedup();
        }
    });
    schema
}

/// Removes what cannot be seen from every text that is only read.
fn clean(schema: &mut Value) {
    for_each_object(schema, &mut |fields| {
        for key in ["description", "title"] {
            if let Some(Value::String(text)) = fields.get_mut(key) {
                *text = without_hidden(text);
            }
        }
    });
}

fn strip_descriptions(schema: &mut Value) {
    for_each_object(schema, &mut |fields| {
        for key in ["description", "title", "$comment", "examples"] {
            // A property may be called so; its value is a schema then.
            if fields.get(key).is_some_and(|value| !value.is_object()) {
                fields.shift_remove(key);
            }
        }
    });
}

fn for_each_object(value: &mut Value, act: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            act(fields);
            for value in fields.values_mut() {
                for_each_object(value, act);
            }
        }
        Value::Array(items) => {
            for item in items {
                for_each_object(item, act);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns every text of a schema, also the names of its fields, one per line.
fn texts_of(schema: &Value) -> String {
    fn collect<'s>(value: &'s Value, texts: &mut Vec<&'s str>) {
        match value {
            Value::String(text) => texts.push(text),
            Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    texts.push(name);
                    collect(value, texts);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut texts = Vec::new();
    collect(schema, &mut texts);
    texts.join("\n")
}

#[cfg(test)]
#[path = "tool_list_tests.rs"]
mod tests;
