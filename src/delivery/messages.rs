//! Texts added by delivery: why a message appears in a place where it was not requested, and what is
//! hidden in one.

use sayso_channel::{Language, text};

/// How much of a request is named, in characters.
const REQUEST_CHARS: usize = 120;

/// Below a message that belongs into a topic which is gone or closed.
pub fn around_topic(
    topic: Option<&str>,
    why: &str,
    request: Option<&str>,
    language: Language,
) -> String {
    let about = about(request, language);
    let why = literal(why);
    match topic.map(literal) {
        Some(topic) => text!(language, "delivery-around-topic", topic, why, about),
        None => text!(language, "delivery-around-unnamed-topic", why, about),
    }
}

/// Below a message that comes in private, since the chat does not take it.
pub fn in_private(why: &str, request: Option<&str>, language: Language) -> String {
    let about = about(request, language);
    let why = literal(why);
    text!(language, "delivery-in-private", why, about)
}

/// Names a request in a line of its own.
fn about(request: Option<&str>, language: Language) -> String {
    let Some(request) = request else {
        return String::new();
    };
    let line = request.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(REQUEST_CHARS).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    text!(language, "delivery-about", short = literal(&short))
}

/// Escapes a text so that Markdown shows it literally.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for letter in text.trim().chars() {
        if letter.is_ascii_punctuation() {
            literal.push('\\');
        }
        literal.push(letter);
    }
    literal
}

/// What can be told of a secret to somebody who must not see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// A key of a service.
    ApiKey,
    /// A token that gives access.
    AccessToken,
    /// A private key, by its form.
    PrivateKey,
    /// A password, by where it stands.
    Password,
    /// A secret of the configuration.
    OwnSecret,
    /// Anything else.
    Other,
}

/// Stands in the place of a secret that is hidden.
pub fn hidden(likeness: Likeness, language: Language) -> &'static str {
    match likeness {
        Likeness::ApiKey => text!(language, "delivery-hidden-api-key"),
        Likeness::AccessToken => text!(language, "delivery-hidden-access-token"),
        Likeness::PrivateKey => text!(language, "delivery-hidden-private-key"),
        Likeness::Password => text!(language, "delivery-hidden-password"),
        Likeness::OwnSecret => text!(language, "delivery-hidden-own-secret"),
        Likeness::Other => text!(language, "delivery-hidden-other"),
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language::{Chinese, English};
    use sayso_channel::markdown::to_styled;

    use super::{around_topic, in_private};

    fn shown(markdown: &str) -> String {
        to_styled(markdown).text
    }

    #[test]
    fn chat_f11_a_message_elsewhere_says_where_it_belongs() {
        let closed = "the topic is closed";
        let request = Some("what is\n2*3*4?");
        insta::assert_snapshot!(
            shown(&around_topic(Some("Bug *x*"), closed, request, English)),
            @r"
        ↪ This belongs into the topic “Bug *x*”, where I cannot write: the topic is closed.
        It is about: what is 2*3*4?
        "
        );
        insta::assert_snapshot!(
            shown(&in_private("the bot has no permission", None, English)),
            @"↪ I cannot say this where you asked: the bot has no permission."
        );
        let chinese = shown(&around_topic(None, closed, Some("问题"), Chinese));
        assert!(chinese.contains("它是关于：问题"), "{chinese}");
    }
}
