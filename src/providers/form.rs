//! The form of an answer that a program reads. It is data: each protocol writes it in its own way,
//! as a grammar (`llama/grammar.rs`) or as a JSON Schema, and one that knows neither goes without.
//!
//! A form helps small models and is never relied on: the caller must parse the answer as one that
//! may have any form.

use serde_json::{Map, Value, json};

/// The form of a whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerForm {
    /// What it is called, in lower-case letters.
    pub name: &'static str,
    /// What every answer is.
    pub form: Form,
    /// The only ways in which it can be that, where they say more than the form; empty where they
    /// do not. A schema of OpenAI's has no place for them.
    pub cases: Vec<Form>,
}

/// The form of a value of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A text of at most this many characters.
    Text(usize),
    /// One of these texts.
    OneOf(Vec<String>),
    /// A whole number from 0 on.
    Whole,
    /// A number from 0 to 1.
    Share,
    /// True or false.
    Switch,
    /// Always this.
    Always(bool),
    /// A list.
    List {
        /// What is in it.
        of: Box<Self>,
        /// How many at least.
        least: usize,
        /// How many at most.
        most: usize,
    },
    /// An object with these fields, in their order.
    Object(Vec<Field>),
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub form: Form,
    /// Whether it may be left out. Fields that may stand behind those that may not.
    pub is_optional: bool,
}

impl AnswerForm {
    /// Returns the JSON Schema of an answer, in the strict subset that OpenAI's models are held to:
    /// an object at its root, whose fields are all required. What may be left out may be `null`
    /// instead.
    pub(super) fn schema(&self) -> Value {
        match &self.form {
            object @ Form::Object(_) => object.schema(),
            other => Form::Object(vec![Field::required("items", other.clone())]).schema(),
        }
    }
}

impl Field {
    /// Returns a field that is always there.
    pub fn required(name: &'static str, form: Form) -> Self {
        Self {
            name,
            form,
            is_optional: false,
        }
    }

    /// Returns a field that may be left out.
    pub fn optional(name: &'static str, form: Form) -> Self {
        Self {
            name,
            form,
            is_optional: true,
        }
    }

    fn schema(&self) -> Value {
        let schema = self.form.schema();
        if self.is_optional {
            return json!({"anyOf": [schema, {"type": "null"}]});
        }
        schema
    }
}

impl Form {
    /// How long a text is stands in no schema: strict servers refuse what they do not enforce.
    fn schema(&self) -> Value {
        match self {
            Self::Text(_) => json!({"type": "string"}),
            Self::OneOf(texts) => json!({"type": "string", "enum": texts}),
            Self::Whole => json!({"type": "integer"}),
            Self::Share => json!({"type": "number"}),
            Self::Switch => json!({"type": "boolean"}),
            Self::Always(value) => json!({"type": "boolean", "enum": [value]}),
            Self::List { of, least, most } => json!({
                "type": "array", "items": of.schema(), "minItems": least, "maxItems": most,
            }),
            Self::Object(fields) => {
                let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                let properties: Map<String, Value> = fields
                    .iter()
                    .map(|field| (field.name.to_owned(), field.schema()))
                    .collect();
                json!({
                    "type": "object",
                    "properties": properties,
                    "required": names,
                    "additionalProperties": false,
                })
            }
        }
    }
}

#[cfg(test)]
impl AnswerForm {
    /// Returns a form for tests: some of the names, and perhaps why.
    pub(super) fn sample() -> Self {
        let names = vec!["git".to_owned(), "a\"b".to_owned()];
        let list = Form::List {
            of: Box::new(Form::OneOf(names)),
            least: 0,
            most: 2,
        };
        let fields = vec![
            Field::required("names", list),
            Field::required("sure", Form::Switch),
            Field::optional("why", Form::Text(20)),
        ];
        Self {
            name: "sample",
            form: Form::Object(fields),
            cases: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{AnswerForm, Form};

    #[test]
    fn model_f1_a_schema_is_strict() {
        let schema = AnswerForm::sample().schema();
        assert_eq!(
            schema,
            json!({
                "type": "object",
                "properties": {
                    "names": {
                        "type": "array",
                        "items": {"type": "string", "enum": ["git", "a\"b"]},
                        "minItems": 0,
                        "maxItems": 2,
                    },
                    "sure": {"type": "boolean"},
                    "why": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
                "required": ["names", "sure", "why"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn model_f1_a_list_stands_in_an_object() {
        let list = AnswerForm {
            name: "list",
            form: Form::List {
                of: Box::new(Form::Whole),
                least: 0,
                most: 3,
            },
            cases: Vec::new(),
        };
        let schema = list.schema();
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["properties"]["items"]["maxItems"], 3);
    }
}
