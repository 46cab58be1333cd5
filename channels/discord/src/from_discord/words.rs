//! The words of a message, and the mentions in them: `<@123>` reads `@Ann`.

use serde_json::Value;

use super::places::Places;
use super::raw::{Id, RawEmbed, RawMessage, RawPoll};
use super::who;

/// How deep components are searched for words.
const DEPTH: usize = 8;

/// What Discord calls a framed text that somebody wrote; the others are previews of links
/// (<https://docs.discord.com/developers/resources/message#embed-object-embed-types>).
const WRITTEN: &str = "rich";

/// Returns what a message says, as Discord writes it: its content with the framed texts below it,
/// else the words of its components and framed texts. Bots use them.
pub(super) fn of(raw: &RawMessage) -> String {
    let content = raw.content.as_deref().unwrap_or_default();
    let mut lines = Vec::new();
    if !content.trim().is_empty() {
        lines.push(content.to_owned());
        let written = raw.embeds.iter().filter(|it| is_written(it, content));
        written.for_each(|embed| frame(embed, &mut lines));
        return lines.join("\n");
    }
    for component in &raw.components {
        gather(component, DEPTH, &mut lines);
    }
    raw.embeds.iter().for_each(|embed| frame(embed, &mut lines));
    if let Some(poll) = &raw.poll {
        ask(poll, &mut lines);
    }
    lines.join("\n")
}

/// Gathers the words of components of any kind: a text has `content`, the others hold further ones.
fn gather(component: &Value, depth: usize, lines: &mut Vec<String>) {
    let (Value::Object(fields), Some(deeper)) = (component, depth.checked_sub(1)) else {
        return;
    };
    if let Some(Value::String(content)) = fields.get("content") {
        lines.push(content.clone());
    }
    for below in fields.values() {
        match below {
            Value::Array(elements) => {
                for element in elements {
                    gather(element, deeper, lines);
                }
            }
            Value::Object(_) => gather(below, deeper, lines),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// Returns whether a framed text was written with its message, and is no preview of a link in it.
fn is_written(embed: &RawEmbed, content: &str) -> bool {
    let previews = embed
        .url
        .as_deref()
        .is_some_and(|url| content.contains(url));
    embed.kind.as_deref() == Some(WRITTEN) && !previews
}

fn frame(embed: &RawEmbed, lines: &mut Vec<String>) {
    let author = embed.author.as_ref().and_then(|author| author.name.clone());
    let heads = [
        author,
        embed.title.clone(),
        embed.url.clone(),
        embed.description.clone(),
    ];
    lines.extend(heads.into_iter().flatten());
    for field in &embed.fields {
        let words = [&field.name, &field.value].into_iter().flatten();
        let words: Vec<&str> = words.map(String::as_str).collect();
        lines.push(words.join(": "));
    }
    lines.extend(embed.footer.as_ref().and_then(|footer| footer.text.clone()));
}

fn ask(poll: &RawPoll, lines: &mut Vec<String>) {
    let answers = poll.answers.iter().map(|answer| &answer.poll_media);
    let texts = std::iter::once(&poll.question).chain(answers);
    lines.extend(texts.flatten().filter_map(|media| media.text.clone()));
}

/// What a mention in a text stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mention<'a> {
    User(Id),
    Role(Id),
    Chat(Id),
    Emoji(&'a str),
    Command(&'a str),
}

/// Reads what stands between `<` and `>`
/// (<https://docs.discord.com/developers/reference#message-formatting>).
fn mention(inside: &str) -> Option<Mention<'_>> {
    let id = |digits: &str| digits.parse().ok().map(Id);
    if let Some(role) = inside.strip_prefix("@&") {
        return id(role).map(Mention::Role);
    }
    if let Some(user) = inside.strip_prefix("@!").or(inside.strip_prefix('@')) {
        return id(user).map(Mention::User);
    }
    if let Some(chat) = inside.strip_prefix('#') {
        return id(chat).map(Mention::Chat);
    }
    if let Some(command) = inside.strip_prefix('/') {
        let (name, command) = command.rsplit_once(':')?;
        return id(command).map(|_| Mention::Command(name));
    }
    let emoji = inside.strip_prefix("a:").or(inside.strip_prefix(':'))?;
    let (name, emoji) = emoji.split_once(':')?;
    id(emoji).map(|_| Mention::Emoji(name))
}

/// Splits a text at its first mention: what is before it, the mention, what is behind.
fn first_mention(text: &str) -> Option<(&str, Mention<'_>, &str)> {
    text.match_indices('<').find_map(|(start, _)| {
        let (inside, behind) = text[start + 1..].split_once('>')?;
        Some((&text[..start], mention(inside)?, behind))
    })
}

/// What makes mentions readable, and says which are of us.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) raw: &'a RawMessage,
    pub(super) server: Option<Id>,
    pub(super) places: &'a Places,
    pub(super) us: Id,
}

impl Reader<'_> {
    /// Returns whether the message mentions Sayso's account or one of its roles. Text that Discord
    /// did not parse as a mention, such as one in code, does not count.
    pub(super) fn names_us(self) -> bool {
        let mut rest = self.raw.content.as_deref().unwrap_or_default();
        while let Some((_, mention, behind)) = first_mention(rest) {
            if self.is_us(mention) {
                return true;
            }
            rest = behind;
        }
        false
    }

    fn is_us(self, mention: Mention<'_>) -> bool {
        match mention {
            Mention::User(user) => {
                let mut named = self.raw.mentions.iter().filter_map(|named| named.id);
                user == self.us && named.any(|named| named == self.us)
            }
            Mention::Role(role) => {
                self.raw.mention_roles.contains(&role)
                    && self
                        .server
                        .is_some_and(|server| self.places.is_our_role(server, role))
            }
            Mention::Chat(_) | Mention::Emoji(_) | Mention::Command(_) => false,
        }
    }

    /// Returns a text without the mentions of us at its beginning: `@us, hello` says `hello`.
    pub(super) fn without_leading(self, text: &str) -> &str {
        let separates = |letter: char| letter.is_whitespace() || ",:，：".contains(letter);
        let mut rest = text;
        while let Some((before, mention, behind)) = first_mention(rest) {
            if !before.trim().is_empty() || !self.is_us(mention) {
                break;
            }
            rest = behind.trim_start_matches(separates);
        }
        rest
    }

    /// Returns a text with its mentions as people see them. Unknown mentions are left unchanged.
    pub(super) fn readable(self, text: &str) -> String {
        let mut readable = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, mention, behind)) = first_mention(rest) {
            readable.push_str(before);
            match self.word(mention) {
                Some(word) => readable.push_str(&word),
                None => readable.push_str(&rest[before.len()..rest.len() - behind.len()]),
            }
            rest = behind;
        }
        readable.push_str(rest);
        readable
    }

    fn word(self, mention: Mention<'_>) -> Option<String> {
        match mention {
            Mention::User(id) => {
                let mut named = self.raw.mentions.iter();
                let user = named.find(|user| user.id == Some(id))?;
                Some(format!("@{}", who::name(user, user.member.as_deref())))
            }
            Mention::Role(id) => {
                let name = self.places.role_name(self.server?, id)?;
                Some(format!("@{name}"))
            }
            Mention::Chat(id) => self.chat_name(id).map(|name| format!("#{name}")),
            Mention::Emoji(name) => Some(format!(":{name}:")),
            Mention::Command(name) => Some(format!("/{name}")),
        }
    }

    fn chat_name(&self, id: Id) -> Option<&str> {
        let mut named = self.raw.mention_channels.iter();
        let named = named.find(|chat| chat.id == Some(id));
        named
            .and_then(|chat| chat.name.as_deref())
            .or_else(|| self.places.chat_name(id))
    }
}
