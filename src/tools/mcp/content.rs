//! What a server gives, as text. Pictures and other bytes are named, not shown.

use rmcp::model::{
    CallToolResult, ContentBlock, Prompt, PromptMessage, Resource, ResourceContents,
    ResourceTemplate, Role,
};
use sayso_core::visible::visible_line;
use serde_json::Value;

use crate::terminal_text::plain_text;

/// The longest name, address or type of something that is not shown itself, in characters.
const MAX_LABEL_CHARS: usize = 300;
/// The most parts of one answer that are taken.
const MAX_PARTS: usize = 1024;

/// One line of a list of resources or prompts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Listed {
    /// What it is asked for by: a URI, or a name with its arguments.
    pub name: String,
    /// What it is said to be.
    pub description: String,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    /// What the server gave, as text.
    pub text: String,
    /// Whether it says that it failed.
    pub is_error: bool,
}

impl Given {
    fn of(parts: impl IntoIterator<Item = String>) -> Self {
        let mut parts = parts.into_iter();
        let mut taken: Vec<String> = parts.by_ref().take(MAX_PARTS).collect();
        let left = parts.count();
        if left > 0 {
            taken.push(format!("[{left} more parts are left out]"));
        }
        Self {
            text: taken.join("\n\n"),
            is_error: false,
        }
    }
}

/// Returns the result of a call.
pub(super) fn of_result(result: CallToolResult) -> Given {
    let is_text = |block: &ContentBlock| matches!(block, ContentBlock::Text(_));
    let says_it = |value: &Value| {
        let texts = result.content.iter().filter_map(ContentBlock::as_text);
        let mut read = texts.map(|text| serde_json::from_str::<Value>(&text.text));
        read.any(|read| read.is_ok_and(|read| read == *value))
    };
    // Most servers say what is structured as a text too; others say only one of the two.
    let structured = result
        .structured_content
        .as_ref()
        .filter(|value| !result.content.iter().any(is_text) || !says_it(value))
        .map(|value| format!("{value:#}"));
    let blocks = result.content.into_iter().map(of_block);
    Given {
        is_error: result.is_error == Some(true),
        ..Given::of(blocks.chain(structured))
    }
}

/// Returns what a resource holds.
pub(super) fn of_contents(contents: Vec<ResourceContents>) -> Given {
    Given::of(contents.into_iter().map(of_content))
}

/// Returns what a prompt says, with who is meant to say it where that is not the user.
pub(super) fn of_messages(messages: Vec<PromptMessage>) -> Given {
    let said = messages.into_iter().map(|message| {
        let text = of_block(message.content);
        match message.role {
            Role::Assistant => format!("[assistant] {text}"),
            Role::User => text,
        }
    });
    Given::of(said)
}

/// Returns the list entry of a resource.
pub(super) fn of_resource(resource: &Resource) -> Listed {
    Listed {
        name: label(&resource.uri),
        description: line(&[Some(&resource.name), resource.description.as_ref()]),
    }
}

/// Returns the list entry of a resource template.
pub(super) fn of_template(template: &ResourceTemplate) -> Listed {
    Listed {
        name: label(&template.uri_template),
        description: line(&[Some(&template.name), template.description.as_ref()]),
    }
}

/// Returns the list entry of a prompt.
pub(super) fn of_prompt(prompt: &Prompt) -> Listed {
    let arguments: Vec<String> = prompt
        .arguments
        .iter()
        .flatten()
        .map(|argument| {
            let optional = if argument.required == Some(true) {
                ""
            } else {
                "?"
            };
            label(&format!("{}{optional}", argument.name))
        })
        .collect();
    Listed {
        name: format!("{}({})", label(&prompt.name), arguments.join(", ")),
        description: line(&[prompt.description.as_ref()]),
    }
}

fn of_block(block: ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => plain_text(&text.text),
        ContentBlock::Image(image) => not_shown("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => not_shown("audio", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => of_content(embedded.resource),
        ContentBlock::ResourceLink(resource) => {
            let listed = of_resource(&resource);
            format!("[resource {}: {}]", listed.name, listed.description)
        }
        _ => "[something of a kind that is not known here]".to_owned(),
    }
}

fn of_content(content: ResourceContents) -> String {
    match content {
        ResourceContents::TextResourceContents { uri, text, .. } => {
            format!("[resource {}]\n{}", label(&uri), plain_text(&text))
        }
        ResourceContents::BlobResourceContents {
            uri,
            mime_type,
            blob,
            ..
        } => not_shown(
            &format!("resource {}", label(&uri)),
            mime_type.as_deref().unwrap_or("of no named type"),
            &blob,
        ),
        _ => "[a resource of a kind that is not known here]".to_owned(),
    }
}

/// Names bytes that came in base64, which takes four letters for three of them.
fn not_shown(what: &str, kind: &str, base64: &str) -> String {
    let bytes = base64.trim_end_matches('=').len() * 3 / 4;
    format!("[{what}: {}, {bytes} bytes, not shown]", label(kind))
}

fn line(parts: &[Option<&String>]) -> String {
    let parts: Vec<String> = parts
        .iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .map(|part| label(part))
        .collect();
    parts.join(": ")
}

/// Returns a text of a server on one line, cut.
fn label(text: &str) -> String {
    let line = visible_line(text);
    let cut: String = line.chars().take(MAX_LABEL_CHARS).collect();
    if cut.len() < line.len() {
        format!("{cut}…")
    } else {
        cut
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::CallToolResult;
    use serde_json::{Value, json};

    use super::of_result;

    fn text_of(result: Value) -> String {
        let result: CallToolResult = serde_json::from_value(result).unwrap();
        of_result(result).text
    }

    #[test]
    fn everything_that_a_tool_gives_becomes_text() {
        let given = text_of(json!({"content": [
            {"type": "text", "text": "two\nlines"},
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {"type": "audio", "data": "aGVsbG8h", "mimeType": "audio/wav\nx"},
            {"type": "resource", "resource": {"uri": "a://b", "text": "inside"}},
            {"type": "resource", "resource": {"uri": "a://c", "blob": "aGVsbG8=", "mimeType": "application/zip"}},
            {"type": "resource_link", "uri": "a://d", "name": "d", "description": "the fourth"},
        ]}));
        insta::assert_snapshot!(given, @r"
        two
        lines

        [image: image/png, 5 bytes, not shown]

        [audio: audio/wav\nx, 6 bytes, not shown]

        [resource a://b]
        inside

        [resource a://c: application/zip, 5 bytes, not shown]

        [resource a://d: d: the fourth]
        ");
    }

    #[test]
    fn what_is_structured_is_said_once() {
        let structured = json!({"degrees": 21});
        let both = json!({
            "content": [{"type": "text", "text": "{\"degrees\":21}"}],
            "structuredContent": structured,
        });
        assert_eq!(text_of(both), "{\"degrees\":21}");
        let alone = json!({"content": [], "structuredContent": structured});
        assert_eq!(text_of(alone), "{\n  \"degrees\": 21\n}");
        let beside = json!({
            "content": [{"type": "text", "text": "warm"}],
            "structuredContent": structured,
        });
        assert_eq!(text_of(beside), "warm\n\n{\n  \"degrees\": 21\n}");
    }

    #[test]
    fn review_r9_the_parts_of_an_answer_are_bounded() {
        let part = json!({"type": "text", "text": "a"});
        let given = text_of(json!({"content": vec![part; 1030]}));
        assert_eq!(given.matches("a\n\n").count(), 1024);
        assert!(given.ends_with("[6 more parts are left out]"), "{given}");
    }

    #[test]
    fn a_failure_is_one() {
        let result = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
        assert!(of_result(serde_json::from_value(result).unwrap()).is_error);
    }
}
