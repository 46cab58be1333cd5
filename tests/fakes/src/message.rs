//! A message as a person sees it, on whatever platform: what tests look at.

use serde_json::{Map, Value};

use crate::people::{BOT_NAME, Person};

/// Who wrote a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Author {
    /// The bot.
    Bot,
    /// A person.
    Person(Person),
    /// An administrator of the group who speaks as the group.
    AnonymousAdmin,
    /// The channel itself.
    Channel,
}

impl Author {
    /// Returns the name a transcript shows.
    pub fn name(&self) -> &str {
        match self {
            Self::Bot => BOT_NAME,
            Self::Person(person) => &person.name,
            Self::AnonymousAdmin => "(anonymous admin)",
            Self::Channel => "(channel)",
        }
    }
}

/// A button below a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What is on it.
    pub label: String,
    /// The token that the bot receives when it is pressed.
    pub token: Option<String>,
    /// What it opens instead.
    pub url: Option<String>,
}

impl Button {
    /// Tells whether it stops the turn whose live message it stands below.
    pub fn stops(&self) -> bool {
        let token = self.token.as_deref();
        token.is_some_and(|token| token.starts_with("st.stop:"))
    }

    /// Tells whether it stands below a card that is decided: it takes back an "always", or makes an
    /// expired request anew.
    pub fn is_afterthought(&self) -> bool {
        let token = self.token.as_deref();
        token.is_some_and(|token| token.starts_with("r:") || token.starts_with("g:"))
    }
}

/// A message as it stands now.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its number in its chat.
    pub id: i64,
    /// The chat it stands in.
    pub chat: i64,
    /// The `message_thread_id`: a forum topic, or in other supergroups the message a thread of
    /// replies hangs on. On Discord the thread's channel id.
    pub thread: Option<i64>,
    /// Who wrote it.
    pub author: Author,
    /// The text, or the caption of a file.
    pub text: String,
    /// The entities of the text, offsets in UTF-16 units.
    pub entities: Vec<Value>,
    /// The rows of buttons.
    pub buttons: Vec<Vec<Button>>,
    /// The message it answers.
    pub reply_to: Option<i64>,
    /// The file it carries.
    pub file: Option<Attachment>,
    /// How often it was edited.
    pub edits: usize,
    /// Whether it was deleted.
    pub deleted: bool,
    /// The bot's reactions below it.
    pub reactions: Vec<String>,
    /// Whether it was sent without a sound.
    pub silent: bool,
    /// The one person who sees it, by user id: an ephemeral answer on Discord. `None`: everybody
    /// does.
    pub only_for: Option<i64>,
    pub(crate) in_topic: bool,
    pub(crate) date: i64,
    /// Wire fields of content that has no field here.
    pub(crate) extra: Map<String, Value>,
}

/// A file in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The id by which `getFile` finds it; on Discord the address.
    pub file_id: String,
    /// The name of the file.
    pub name: String,
    /// `document`, `photo`, `voice` and so on.
    pub kind: String,
    /// How many bytes it has.
    pub size: usize,
}

impl Message {
    /// Returns the labels of all buttons, row after row.
    pub fn labels(&self) -> Vec<&str> {
        self.buttons
            .iter()
            .flatten()
            .map(|button| button.label.as_str())
            .collect()
    }

    /// Returns the button with this label.
    pub fn button(&self, label: &str) -> Option<&Button> {
        self.buttons
            .iter()
            .flatten()
            .find(|button| button.label == label)
    }

    /// Returns the token behind the button with this label; panics where there is none.
    pub fn token(&self, label: &str) -> String {
        let button = self
            .button(label)
            .unwrap_or_else(|| panic!("no button {label:?}: {self}"));
        button
            .token
            .clone()
            .unwrap_or_else(|| panic!("button {label:?} only opens a link"))
    }

    /// Tells whether it asks something: whether it has a button that does more than stop the turn
    /// whose live message it is, and more than what can be done about a decided card.
    pub fn asks(&self) -> bool {
        let mut buttons = self.buttons.iter().flatten();
        buttons.any(|button| !button.stops() && !button.is_afterthought())
    }

    /// Tells whether it is the live message of a turn that goes on.
    pub fn is_live(&self) -> bool {
        self.buttons.iter().flatten().any(Button::stops)
    }

    /// Tells whether the bot wrote it.
    pub fn is_from_bot(&self) -> bool {
        self.author == Author::Bot
    }
}

/// Renders the message as a line of a transcript: `Sayso: hi  [Approve | Deny]`.
impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", self.author.name())?;
        if let Some(file) = &self.file {
            write!(f, " <{} {}>", file.kind, file.name)?;
        }
        if self.text.is_empty() && self.file.is_none() {
            let kinds: Vec<_> = self.extra.keys().map(String::as_str).collect();
            write!(f, " <{}>", kinds.join(" "))?;
        }
        for (position, line) in self.text.lines().enumerate() {
            let lead = if position == 0 {
                " "
            } else if line.is_empty() {
                "\n"
            } else {
                "\n  "
            };
            write!(f, "{lead}{line}")?;
        }
        for row in &self.buttons {
            let labels: Vec<_> = row.iter().map(|button| button.label.as_str()).collect();
            write!(f, "  [{}]", labels.join(" | "))?;
        }
        Ok(())
    }
}
