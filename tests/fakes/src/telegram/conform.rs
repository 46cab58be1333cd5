//! Applies the rules of `spec` to a call: every field known, every required one there, every value of its type.
//! What a well-formed call means in a chat is the affair of `methods` and `sending`.

use serde_json::{Map, Value};

use super::params::{ATTACHED, Params};
use super::spec::{Fields, Kind, Shape, Spec};

impl Spec {
    /// Reads the parameters by the method's rules: forms carry everything as text, so values are first
    /// turned into what the field holds; the error says which field is wrong and how.
    pub(crate) fn check_call(&self, method: &str, params: &mut Params) -> Result<(), String> {
        let fields = self.methods.get(method).ok_or("no such method")?;
        for (name, value) in &mut params.fields {
            if let Some(field) = fields.get(name) {
                unwrap_text(value, &field.kinds);
            }
        }
        self.check_fields("", &params.fields, fields, params)?;
        let unused = params
            .uploads
            .iter()
            .find(|upload| !params.mentions(&upload.name));
        unused.map_or(Ok(()), |upload| {
            Err(format!("part {} belongs to no field", upload.name))
        })
    }

    /// Checks a value that the fake itself made, such as an update, against a published type.
    #[cfg(test)]
    pub(crate) fn check_type(&self, name: &str, value: &Value) -> Result<(), String> {
        self.check_value(
            name,
            value,
            &[Kind::Object(name.to_owned())],
            &Params::default(),
        )
    }

    fn check_fields(
        &self,
        path: &str,
        given: &Map<String, Value>,
        known: &Fields,
        params: &Params,
    ) -> Result<(), String> {
        for (name, value) in given {
            let path = below(path, name);
            let field = known
                .get(name)
                .ok_or_else(|| format!("unknown field {path}"))?;
            self.check_value(&path, value, &field.kinds, params)?;
        }
        let missing = known
            .iter()
            .find(|(name, field)| field.required && !given.contains_key(*name));
        missing.map_or(Ok(()), |(name, _)| {
            Err(format!("missing field {}", below(path, name)))
        })
    }

    fn check_value(
        &self,
        path: &str,
        value: &Value,
        kinds: &[Kind],
        params: &Params,
    ) -> Result<(), String> {
        let mut complaints = Vec::new();
        for kind in kinds {
            match self.check_kind(path, value, kind, params) {
                Ok(()) => return Ok(()),
                Err(complaint) => complaints.push(complaint),
            }
        }
        Err(complaints.join(", or "))
    }

    fn check_kind(
        &self,
        path: &str,
        value: &Value,
        kind: &Kind,
        params: &Params,
    ) -> Result<(), String> {
        let fits = match kind {
            Kind::Integer => value.is_i64() || value.is_u64(),
            Kind::Float => value.is_number(),
            Kind::Text => value.is_string(),
            Kind::Boolean => value.is_boolean(),
            Kind::File => params.holds_file(value),
            Kind::Array(elements) => match value {
                Value::Array(values) => return self.check_elements(path, values, elements, params),
                _ => false,
            },
            Kind::Object(name) => match value {
                Value::Object(given) => return self.check_object(path, given, name, params),
                _ => false,
            },
        };
        if fits {
            Ok(())
        } else {
            Err(format!("{path} must be {}", describe(kind)))
        }
    }

    fn check_elements(
        &self,
        path: &str,
        values: &[Value],
        kinds: &[Kind],
        params: &Params,
    ) -> Result<(), String> {
        for (position, value) in values.iter().enumerate() {
            self.check_value(&format!("{path}[{position}]"), value, kinds, params)?;
        }
        Ok(())
    }

    fn check_object(
        &self,
        path: &str,
        given: &Map<String, Value>,
        name: &str,
        params: &Params,
    ) -> Result<(), String> {
        match self.types.get(name) {
            Some(Shape::Fields(known)) => self.check_fields(path, given, known, params),
            Some(Shape::OneOf(kinds)) => {
                self.check_value(path, &Value::Object(given.clone()), kinds, params)
            }
            Some(Shape::Opaque) => Ok(()),
            None => Err(format!("{path} is of type {name}, which is unknown")),
        }
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Integer => "an Integer".to_owned(),
        Kind::Float => "a Float".to_owned(),
        Kind::Text => "a String".to_owned(),
        Kind::Boolean => "a Boolean".to_owned(),
        Kind::File => format!("an uploaded part or {ATTACHED}name"),
        Kind::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(describe).collect();
            format!("an array of {}", elements.join(" or "))
        }
        Kind::Object(name) => format!("a {name}"),
    }
}

/// Turns the text of a form field, or JSON inside a string, into the value it stands for.
fn unwrap_text(value: &mut Value, kinds: &[Kind]) {
    let Value::String(text) = &*value else { return };
    let takes = |kind: &Kind| kinds.contains(kind);
    if takes(&Kind::Integer)
        && let Ok(number) = text.parse::<i64>()
    {
        *value = number.into();
    } else if takes(&Kind::Boolean) && matches!(text.as_str(), "true" | "True") {
        *value = true.into();
    } else if takes(&Kind::Boolean) && matches!(text.as_str(), "false" | "False") {
        *value = false.into();
    } else if !takes(&Kind::Text)
        && !takes(&Kind::File)
        && let Ok(parsed) = serde_json::from_str(text)
    {
        *value = parsed;
    }
}
