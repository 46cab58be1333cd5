//! The grammar of an answer, in GBNF: plain text, or a call of one of these tools with arguments of
//! the names and kinds that its schema has. Which of them are needed is up to whoever runs the call.

use serde_json::Value;

use crate::transcript::ToolSpec;

/// Rules for values of JSON. Between them at most one blank stands: endless blanks are a way for a
/// model to get lost.
const VALUES: &str = r#"
value ::= object | array | string | number | boolean | "null"
object ::= "{" ws ( string ":" ws value ( "," ws string ":" ws value )* )? ws "}"
array ::= "[" ws ( value ( "," ws value )* )? ws "]"
string ::= "\"" ( [^"\\\x00-\x1f] | "\\" ( ["\\/bfnrt] | "u" hex hex hex hex ) )* "\""
hex ::= [0-9a-fA-F]
integer ::= "-"? [0-9]+
number ::= integer ( "." [0-9]+ )? ( [eE] [-+]? [0-9]+ )?
boolean ::= "true" | "false"
ws ::= " "?
"#;

/// Returns the grammar of an answer that may call these tools.
pub(super) fn of(tools: &[ToolSpec]) -> String {
    let calls: Vec<String> = tools.iter().enumerate().map(call).collect();
    let rules: String = tools.iter().enumerate().map(arguments).collect();
    format!(
        "root ::= call | text\ntext ::= [^ \\t\\r\\n{{] [^\\x00]*\ncall ::= {}\n{rules}{}",
        calls.join(" | "),
        VALUES.trim_start()
    )
}

fn call((at, tool): (usize, &ToolSpec)) -> String {
    let name = Value::from(tool.name.as_str());
    let begin = literal(&format!("{{\"tool\": {name}, \"args\": "));
    format!("{begin} args-{at} \"}}\"")
}

fn arguments((at, tool): (usize, &ToolSpec)) -> String {
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    let pairs: Vec<String> = properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let name = literal(&format!("{}:", Value::from(name.as_str())));
            format!("{name} ws {}", kind(schema))
        })
        .collect();
    if pairs.is_empty() {
        return format!("args-{at} ::= object\n");
    }
    format!(
        "args-{at} ::= \"{{\" ws ( arg-{at} ( \",\" ws arg-{at} )* )? ws \"}}\"\narg-{at} ::= {}\n",
        pairs.join(" | ")
    )
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

/// Writes a text as it is.
fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::of;
    use crate::transcript::ToolSpec;

    #[test]
    fn an_answer_is_text_or_a_call_of_an_offered_tool() {
        let properties = json!({
            "path": {"type": "string"},
            "mode": {"enum": ["all", "a\"b"]},
            "depth": {"type": ["integer", "null"]},
        });
        let tool = |name: &str, parameters| ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters,
        };
        let grammar = of(&[
            tool("list", json!({"type": "object", "properties": properties})),
            tool("now", json!({"type": "object", "properties": {}})),
        ]);
        let own: Vec<&str> = grammar.lines().take(6).collect();
        insta::assert_snapshot!(own.join("\n"), @r#"
        root ::= call | text
        text ::= [^ \t\r\n{] [^\x00]*
        call ::= "{\"tool\": \"list\", \"args\": " args-0 "}" | "{\"tool\": \"now\", \"args\": " args-1 "}"
        args-0 ::= "{" ws ( arg-0 ( "," ws arg-0 )* )? ws "}"
        arg-0 ::= "\"path\":" ws string | "\"mode\":" ws ( "\"all\"" | "\"a\\\"b\"" ) | "\"depth\":" ws value
        args-1 ::= object
        "#);
    }
}
