//! JSON as models write it: with faults that have one reading. Those are quotes of the other kind
//! and the words `True`, `False` and `None`, as Python writes a value; a comma behind the last
//! item; and a line break or a tab inside of a string. Everything else is no JSON, and nothing is
//! made up.

use serde_json::{Map, Number, Value};

/// How deep values may be nested.
const MAX_DEPTH: usize = 64;

/// Reads a value; what is JSON is read as it stands. `None` where it has no reading, or several.
pub fn read_lenient(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let (value, behind) = read_lenient_first(text)?;
    behind.trim().is_empty().then_some(value)
}

/// Reads the value that a text begins with, and returns what stands behind it.
pub fn read_lenient_first(text: &str) -> Option<(Value, &str)> {
    let mut reader = Reader {
        rest: text,
        depth: 0,
    };
    let value = reader.value()?;
    Some((value, reader.rest))
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Option<Value> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '{' => self.nested(Self::object),
            '[' => self.nested(Self::array),
            quote @ ('"' | '\'') => self.string(quote).map(Value::String),
            _ => self.word(),
        }
    }

    /// Reads the inside of an object or a list.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Option<Value>) -> Option<Value> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        self.skip(1);
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Value> {
        let mut fields = Map::new();
        while !self.takes('}') {
            let quote = self.rest.chars().next()?;
            if !matches!(quote, '"' | '\'') {
                return None;
            }
            let key = self.string(quote)?;
            if !self.takes(':') {
                return None;
            }
            let value = self.value()?;
            if fields.insert(key, value).is_some() {
                return None;
            }
            self.separator('}')?;
        }
        Some(Value::Object(fields))
    }

    fn array(&mut self) -> Option<Value> {
        let mut items = Vec::new();
        while !self.takes(']') {
            items.push(self.value()?);
            self.separator(']')?;
        }
        Some(Value::Array(items))
    }

    /// Takes the comma behind an item, unless the end follows.
    fn separator(&mut self, end: char) -> Option<()> {
        let is_there = self.takes(',') || self.rest.starts_with(end);
        is_there.then_some(())
    }

    /// Reads a string by writing it anew as JSON has it.
    fn string(&mut self, quote: char) -> Option<String> {
        let mut written = String::from('"');
        let mut letters = self.rest.char_indices().skip(1);
        loop {
            let (at, letter) = letters.next()?;
            match letter {
                '\\' => match letters.next()?.1 {
                    '\'' => written.push('\''),
                    escaped => written.extend(['\\', escaped]),
                },
                _ if letter == quote => {
                    self.skip(at + 1);
                    written.push('"');
                    return serde_json::from_str(&written).ok();
                }
                '"' => written.push_str("\\\""),
                '\n' => written.push_str("\\n"),
                '\r' => written.push_str("\\r"),
                '\t' => written.push_str("\\t"),
                _ => written.push(letter),
            }
        }
    }

    fn word(&mut self) -> Option<Value> {
        let is_of_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.');
        let end = self.rest.find(|it| !is_of_word(it));
        let end = end.unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        let value = match word {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" => Value::Null,
            number => Value::Number(serde_json::from_str::<Number>(number).ok()?),
        };
        self.rest = rest;
        Some(value)
    }

    /// Skips white space and takes a letter, if it is the next one.
    fn takes(&mut self, letter: char) -> bool {
        self.rest = self.rest.trim_start();
        let behind = self.rest.strip_prefix(letter);
        if let Some(behind) = behind {
            self.rest = behind;
        }
        behind.is_some()
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{read_lenient, read_lenient_first};

    #[test]
    fn chat_f10_what_has_one_reading_is_read() {
        for (written, expected) in [
            (r#"{"a": 1}"#, json!({"a": 1})),
            ("{'path': '.'}", json!({"path": "."})),
            (
                "{'a': True, 'b': None, 'c': [False, -1.5]}",
                json!({"a": true, "b": null, "c": [false, -1.5]}),
            ),
            (r#"{'a': "it's"}"#, json!({"a": "it's"})),
            (r"{'a': 'it\'s'}", json!({"a": "it's"})),
            (r#"{'a': 'say "hi"'}"#, json!({"a": "say \"hi\""})),
            (r"{'a': 'x\ny\u00e9'}", json!({"a": "x\ny\u{e9}"})),
            (r#"{"a": [1, 2,], }"#, json!({"a": [1, 2]})),
            ("{\"a\": \"x\ny\tz\"}", json!({"a": "x\ny\tz"})),
            (" [] ", json!([])),
            ("{ }", json!({})),
        ] {
            assert_eq!(read_lenient(written), Some(expected), "{written}");
        }
    }

    #[test]
    fn chat_f10_nothing_is_made_up() {
        for written in [
            "",
            "{",
            "{'a'",
            "{'a': 'it's'}",
            "{a: 1}",
            "{'a': b}",
            "{'a': 1 'b': 2}",
            "{'a': 1, 'a': 2}",
            "{,}",
            "{'a': 1,, 'b': 2}",
            "{'a': 01}",
            r"{'a': '\d'}",
            "{'a': 1} {'b': 2}",
            "{'a': 1}}",
            "('a', 'b')",
            "{'a': 'x'",
        ] {
            assert_eq!(read_lenient(written), None, "{written}");
        }
        assert_eq!(read_lenient(&"[".repeat(100_000)), None);
    }

    #[test]
    fn what_stands_behind_a_value_is_returned() {
        let read = read_lenient_first("{'a': 1}\n<|end|>");
        assert_eq!(read, Some((json!({"a": 1}), "\n<|end|>")));
    }

    proptest! {
        #[test]
        fn chat_f10_json_reads_as_itself_with_and_without_the_faults(text in "[ -~é\n\t]{0,20}") {
            let value = json!({"a": [text, {"b": text}], "c": -2});
            let written = value.to_string();
            let (read, rest) = read_lenient_first(&written).unwrap();
            prop_assert_eq!((&read, rest), (&value, ""));
            let sloppy = format!("{},}}", written.trim_end_matches('}'));
            prop_assert_eq!(read_lenient(&sloppy), Some(value));
        }

        #[test]
        fn no_text_breaks_the_reader(text in ".{0,60}") {
            let read: Option<Value> = read_lenient(&text);
            if let Ok(strict) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(read, Some(strict));
            }
        }
    }
}
