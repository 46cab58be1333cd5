//! One key, and the words in which it is declared.

use super::kind::Kind;

/// One key.
#[derive(Debug, Clone, Copy)]
pub(in crate::config) struct Key {
    /// The dotted place; `*` stands for the number of a list item, and a named account of a
    /// platform has the keys of its plain section.
    pub(in crate::config) path: &'static str,
    /// What it takes.
    pub(in crate::config) kind: Kind,
    /// The default, as an environment variable would give it; `None` leaves the key unset.
    pub(in crate::config) default: Option<&'static str>,
    /// How it stands in the example file.
    pub(in crate::config) example: Example,
    /// How far owners may change it in chat; `None` leaves it to the file alone.
    pub(in crate::config) bound: Option<Bound>,
    /// What it is for.
    pub(in crate::config) doc: Doc,
}

/// A text in English and 简体中文.
#[derive(Debug, Clone, Copy)]
pub(in crate::config) struct Doc {
    pub(in crate::config) english: &'static str,
    pub(in crate::config) chinese: &'static str,
}

/// How a key stands in the example file.
#[derive(Debug, Clone, Copy)]
pub(in crate::config) enum Example {
    /// With its default.
    Default,
    /// With this value, as TOML.
    Written(&'static str),
    /// The same, commented out.
    Optional(&'static str),
}

/// How far a key may be changed in chat from what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum Bound {
    /// To whatever could be written.
    Any,
    /// To an earlier one of its words.
    Down,
    /// To twice what is written; without a limit, only where none is written.
    Twice,
    /// Off, where it is on.
    Off,
    /// To a model that is offered there; of the first item of the list alone.
    Offered,
}

impl Key {
    const fn of(kind: Kind) -> Self {
        Self {
            path: "",
            kind,
            default: None,
            example: Example::Default,
            bound: None,
            doc: Doc {
                english: "",
                chinese: "",
            },
        }
    }

    /// Gives it its place.
    pub(super) const fn at(mut self, path: &'static str) -> Self {
        self.path = path;
        self
    }

    /// Sets the default, as an environment variable would give it.
    pub(super) const fn default(mut self, text: &'static str) -> Self {
        self.default = Some(text);
        self
    }

    /// Sets the value that stands in the example file, as TOML.
    pub(super) const fn example(mut self, toml: &'static str) -> Self {
        self.example = Example::Written(toml);
        self
    }

    /// Sets the value that stands in the example file as a comment, as TOML.
    pub(super) const fn optional(mut self, toml: &'static str) -> Self {
        self.example = Example::Optional(toml);
        self
    }

    /// Lets owners change it in chat.
    pub(super) const fn in_chat(mut self, bound: Bound) -> Self {
        self.bound = Some(bound);
        self
    }

    /// Says what it is for.
    pub(super) const fn doc(mut self, english: &'static str, chinese: &'static str) -> Self {
        self.doc = Doc { english, chinese };
        self
    }
}

/// Any text.
pub(super) const fn text() -> Key {
    Key::of(Kind::Text)
}

/// A text that must never be shown, or `env:NAME`, or `file:PATH`.
pub(super) const fn secret() -> Key {
    Key::of(Kind::Secret)
}

/// One of these words.
pub(super) const fn choice(words: &'static [&'static str]) -> Key {
    Key::of(Kind::Choice(words))
}

/// A whole number in this range, ends included.
pub(super) const fn whole(least: i64, most: i64) -> Key {
    Key::of(Kind::Whole(least, most))
}

/// `auto`, or a whole number in this range.
pub(super) const fn auto_or_whole(least: i64, most: i64) -> Key {
    Key::of(Kind::AutoOrWhole(least, most))
}

/// A number in this range, ends included.
pub(super) const fn decimal(least: f64, most: f64) -> Key {
    Key::of(Kind::Decimal(least, most))
}

/// `true` or `false`.
pub(super) const fn switch() -> Key {
    Key::of(Kind::Switch)
}

/// A list of texts.
pub(super) const fn texts() -> Key {
    Key::of(Kind::Texts)
}

/// A list of texts that must never be shown.
pub(super) const fn secrets() -> Key {
    Key::of(Kind::Secrets)
}

/// A list of `NAME=VALUE`, never shown.
pub(super) const fn variables() -> Key {
    Key::of(Kind::Variables)
}

/// A number of tokens; 0 is no limit.
pub(super) const fn tokens() -> Key {
    whole(0, Kind::UNBOUNDED)
}

/// A sum of money, of which a millionth is the least; 0 is no limit.
pub(super) const fn money() -> Key {
    decimal(0.0, 1_000_000.0)
}

/// A number of days; 0 is for ever.
pub(super) const fn days() -> Key {
    whole(0, 36_500)
}
