//! The grammar of an answer, in GBNF: plain text, or a call of one of these tools with arguments of
//! the names and kinds that its schema has; or an answer of one form.
//!
//! A model under a grammar cannot leave out what a schema requires, nor repeat a key: the keys have
//! a fixed order, required ones first. The values are validated by the code that runs the call.

use std::fmt::Write as _;

use sayso_core::transcript::ToolSpec;
use serde_json::Value;

use crate::{AnswerForm, Field, Form};

/// Rules for values of JSON. Between them at most one blank stands: endless blanks are a way for a
/// model to get lost.
const VALUES: &str = r#"
value ::= object | array | string | number | boolean | "null"
object ::= "{" ws ( string ":" ws value ( "," ws string ":" ws value )* )? ws "}"
array ::= "[" ws ( value ( "," ws value )* )? ws "]"
string ::= "\"" char* "\""
char ::= [^"\\\x00-\x1f] | "\\" ( ["\\/bfnrt] | "u" hex hex hex hex )
hex ::= [0-9a-fA-F]
integer ::= "-"? [0-9]+
number ::= integer ( "." [0-9]+ )? ( [eE] [-+]? [0-9]+ )?
boolean ::= "true" | "false"
ws ::= " "?
"#;

/// Returns the grammar of an answer that may call these tools. Text may begin with one blank, as
/// the first token of models does whose template ends without one.
pub(crate) fn of(tools: &[ToolSpec]) -> String {
    let numbered = || tools.iter().enumerate();
    let calls: Vec<String> = numbered().map(|(at, tool)| call(at, tool)).collect();
    let rules: String = numbered().map(|(at, tool)| arguments(at, tool)).collect();
    format!(
        "root ::= call | text\ntext ::= \" \"? [^ \\t\\r\\n{{] [^\\x00]*\ncall ::= {}\n{rules}{}",
        calls.join(" | "),
        VALUES.trim_start()
    )
}

/// Returns the grammar of an answer of this form, without a blank anywhere.
pub(crate) fn of_form(form: &AnswerForm) -> String {
    let mut rules = Rules::default();
    let cases = if form.cases.is_empty() {
        std::slice::from_ref(&form.form)
    } else {
        &form.cases
    };
    let cases: Vec<String> = cases.iter().map(|case| rules.value(case)).collect();
    format!(
        "root ::= {}\n{}{}",
        cases.join(" | "),
        rules.written,
        VALUES.trim_start()
    )
}

fn call(at: usize, tool: &ToolSpec) -> String {
    let name = Value::from(tool.name.as_str());
    let begin = literal(&format!("{{\"tool\": {name}, \"args\": "));
    format!("{begin} args-{at} \"}}\"")
}

fn arguments(at: usize, tool: &ToolSpec) -> String {
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        let mut required = required.into_iter().flatten();
        required.any(|it| it.as_str() == Some(name))
    };
    let pairs = properties.into_iter().flatten().map(|(name, schema)| {
        let key = literal(&format!("{}:", Value::from(name.as_str())));
        (is_required(name), format!("{key} ws {}", kind(schema)))
    });
    let (required, optional): (Vec<_>, Vec<_>) = pairs.partition(|(is_required, _)| *is_required);
    if required.is_empty() && optional.is_empty() {
        return format!("args-{at} ::= object\n");
    }
    let texts = |pairs: Vec<(bool, String)>| -> Vec<String> {
        pairs.into_iter().map(|(_, text)| text).collect()
    };
    let keys = keys(&texts(required), &texts(optional), "\",\" ws");
    format!("args-{at} ::= \"{{\" ws {keys} ws \"}}\"\n")
}

/// Returns the keys of an object: each once, in their order, those that are required first.
fn keys(required: &[String], optional: &[String], between: &str) -> String {
    let behind = |from: usize| -> String {
        let rest = optional.iter().skip(from);
        let rest: Vec<String> = rest.map(|pair| format!(" ( {between} {pair} )?")).collect();
        rest.concat()
    };
    if !required.is_empty() {
        let all = required.join(&format!(" {between} "));
        return format!("{all}{}", behind(0));
    }
    let firsts: Vec<String> = optional
        .iter()
        .enumerate()
        .map(|(place, pair)| format!("{pair}{}", behind(place + 1)))
        .collect();
    format!("( {} )?", firsts.join(" | "))
}

/// Returns the rule of a value.
fn kind(schema: &Value) -> String {
    let choices = schema.get("enum").and_then(Value::as_array);
    if let Some(choices) = choices.filter(|choices| !choices.is_empty()) {
        let choices: Vec<String> = choices.iter().map(|it| literal(&it.to_string())).collect();
        return format!("( {} )", choices.join(" | "));
    }
    let rule = match schema.get("type").and_then(Value::as_str) {
        Some("string") => "string",
        Some("integer") => "integer",
        Some("number") => "number",
        Some("boolean") => "boolean",
        Some("array") => "array",
        Some("object") => "object",
        _ => "value",
    };
    rule.to_owned()
}

/// The rules of a form.
#[derive(Debug, Default)]
struct Rules {
    written: String,
    count: usize,
}

impl Rules {
    /// Returns what stands for a value.
    fn value(&mut self, form: &Form) -> String {
        match form {
            Form::Text(most) => format!("\"\\\"\" char{{0,{most}}} \"\\\"\""),
            Form::OneOf(texts) => {
                let quoted = texts.iter().map(|text| Value::from(text.as_str()));
                let literals: Vec<String> = quoted.map(|text| literal(&text.to_string())).collect();
                self.named(&literals.join(" | "))
            }
            Form::Whole => "[0-9] [0-9]? [0-9]?".to_owned(),
            Form::Share => "( \"1\" | \"0\" \".\" [0-9] [0-9]? )".to_owned(),
            Form::Switch => "boolean".to_owned(),
            Form::Always(value) => literal(&value.to_string()),
            Form::List { of, least, most } => self.list(of, *least, *most),
            Form::Object(fields) => self.object(fields),
        }
    }

    fn list(&mut self, of: &Form, least: usize, most: usize) -> String {
        let mut item = self.value(of);
        if item.contains(' ') {
            item = self.named(&item);
        }
        let body = match (least, most) {
            (_, 0) => return literal("[]"),
            (0, 1) => format!("{item}?"),
            (_, 1) => item,
            (0, most) => format!("( {item} ( \",\" {item} ){{0,{}}} )?", most - 1),
            (least, most) => format!("{item} ( \",\" {item} ){{{},{}}}", least - 1, most - 1),
        };
        format!("\"[\" {body} \"]\"")
    }

    fn object(&mut self, fields: &[Field]) -> String {
        let mut pairs = |is_optional: bool| -> Vec<String> {
            let fields = fields.iter().filter(|it| it.is_optional == is_optional);
            fields
                .map(|field| {
                    let key = literal(&format!("{}:", Value::from(field.name)));
                    format!("{key} {}", self.value(&field.form))
                })
                .collect()
        };
        let (required, optional) = (pairs(false), pairs(true));
        format!("\"{{\" {} \"}}\"", keys(&required, &optional, "\",\""))
    }

    /// Writes a rule of its own and returns its name.
    fn named(&mut self, body: &str) -> String {
        let name = format!("form-{}", self.count);
        self.count += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(self.written, "{name} ::= {body}");
        name
    }
}

/// Writes a text as a literal.
fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::ToolSpec;
    use serde_json::{Value, json};

    use super::{of, of_form};
    use crate::AnswerForm;

    #[test]
    fn model_f11_an_answer_is_text_or_a_call_with_its_required_arguments_first_and_each_once() {
        let properties = json!({
            "mode": {"enum": ["all", "a\"b"]},
            "path": {"type": "string"},
            "depth": {"type": ["integer", "null"]},
        });
        let tool = |name: &str, parameters: Value| ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: parameters.into(),
        };
        let required = json!({"type": "object", "properties": properties, "required": ["path"]});
        let grammar = of(&[
            tool("list", required),
            tool("now", json!({"type": "object", "properties": {}})),
            tool("look", json!({"type": "object", "properties": properties})),
        ]);
        let own: Vec<&str> = grammar.lines().take(6).collect();
        insta::assert_snapshot!(own.join("\n"), @r#"
        root ::= call | text
        text ::= " "? [^ \t\r\n{] [^\x00]*
        call ::= "{\"tool\": \"list\", \"args\": " args-0 "}" | "{\"tool\": \"now\", \"args\": " args-1 "}" | "{\"tool\": \"look\", \"args\": " args-2 "}"
        args-0 ::= "{" ws "\"path\":" ws string ( "," ws "\"mode\":" ws ( "\"all\"" | "\"a\\\"b\"" ) )? ( "," ws "\"depth\":" ws value )? ws "}"
        args-1 ::= object
        args-2 ::= "{" ws ( "\"mode\":" ws ( "\"all\"" | "\"a\\\"b\"" ) ( "," ws "\"path\":" ws string )? ( "," ws "\"depth\":" ws value )? | "\"path\":" ws string ( "," ws "\"depth\":" ws value )? | "\"depth\":" ws value )? ws "}"
        "#);
    }

    #[test]
    fn model_f1_a_form_has_no_blanks_and_names_stand_in_it_as_they_are() {
        let grammar = of_form(&AnswerForm::sample());
        let own: Vec<&str> = grammar.lines().take(2).collect();
        insta::assert_snapshot!(own.join("\n"), @r#"
        root ::= "{" "\"names\":" "[" ( form-0 ( "," form-0 ){0,1} )? "]" "," "\"sure\":" boolean ( "," "\"why\":" "\"" char{0,20} "\"" )? "}"
        form-0 ::= "\"git\"" | "\"a\\\"b\""
        "#);
    }
}
