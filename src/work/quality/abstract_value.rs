//! What is known of a value without running the code: where it comes from, the part of its text that is
//! known, and what it has been cleaned for.

use std::rc::Rc;

/// The most that is kept of a known text, in bytes.
const MAX_TEXT: usize = 2000;

/// What stands in a text for what is not known.
pub(crate) const HOLE: &str = "\u{fffc}";

/// The most items of a collection that are followed.
const MAX_ITEMS: usize = 64;

/// Where a value comes from, the most trusted first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Trust {
    /// The program itself, or a number.
    Constant,
    /// Not known.
    #[default]
    Unknown,
    /// The caller of the function.
    Parameter,
    /// A request, or other input from outside.
    Request,
}

/// What a value has been made harmless for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cleaned(u16);

impl Cleaned {
    /// For everything.
    pub(crate) const ALL: Self = Self(u16::MAX);

    /// For one use, by its name in the rules.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "all" => Self::ALL,
            "html" => Self(1),
            "shell" => Self(2),
            "path" => Self(4),
            "sql" => Self(8),
            "ldap" => Self(16),
            "xpath" => Self(32),
            "regex" => Self(64),
            _ => Self(0),
        }
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether this holds all of another.
    pub(crate) fn holds(self, other: Self) -> bool {
        other.0 != 0 && self.0 & other.0 == other.0
    }
}

/// What is known of a value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Value {
    pub(crate) trust: Trust,
    /// Its text, with [`HOLE`] for what is not known.
    pub(crate) text: Option<Rc<str>>,
    pub(crate) number: Option<i64>,
    /// Whether it is put together from several parts, not all of them known.
    pub(crate) is_built: bool,
    /// What it is or was made by, with dots: `os.path`, `sqlite3.connect()`.
    pub(crate) path: Option<Rc<str>>,
    pub(crate) cleaned: Cleaned,
    /// The items of a list.
    pub(crate) items: Option<Vec<Self>>,
    /// The entries of a table.
    pub(crate) entries: Option<Vec<(Rc<str>, Self)>>,
}

impl Value {
    pub(crate) fn constant() -> Self {
        Self {
            trust: Trust::Constant,
            cleaned: Cleaned::ALL,
            ..Self::default()
        }
    }

    pub(crate) fn text(text: &str) -> Self {
        Self {
            text: Some(shortened(text).into()),
            ..Self::constant()
        }
    }

    pub(crate) fn number(number: i64) -> Self {
        Self {
            number: Some(number),
            text: Some(number.to_string().into()),
            ..Self::constant()
        }
    }

    pub(crate) fn boolean(is_true: bool) -> Self {
        Self::text(if is_true { "true" } else { "false" })
    }

    pub(crate) fn unknown(path: &str) -> Self {
        Self {
            path: Some(path.into()),
            ..Self::default()
        }
    }

    pub(crate) fn with_trust(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    pub(crate) fn with_path(self, path: Option<&str>) -> Self {
        let path = path.map(Rc::from);
        Self { path, ..self }
    }

    pub(crate) fn cleaned_for(self, name: &str) -> Self {
        let all = name == "all";
        let trust = if all { Trust::Constant } else { self.trust };
        let cleaned = self.cleaned.or(Cleaned::of(name));
        Self {
            trust,
            cleaned,
            is_built: self.is_built && !all,
            ..self
        }
    }

    /// Returns whether its whole text is known.
    pub(crate) fn is_whole(&self) -> bool {
        self.trust == Trust::Constant
            && (self.text.as_ref()).is_some_and(|text| !text.contains(HOLE))
    }

    /// Returns its text where all of it is known.
    pub(crate) fn whole_text(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| self.is_whole())
    }

    /// Returns what a condition comes to, where that is known.
    pub(crate) fn as_boolean(&self) -> Option<bool> {
        match self.whole_text()? {
            "true" | "True" => Some(true),
            "false" | "False" => Some(false),
            _ => None,
        }
    }

    /// Returns one text after another.
    pub(crate) fn joined<'v>(values: impl IntoIterator<Item = &'v Self>) -> Self {
        let mut joined = Self::constant();
        let (mut text, mut has_text, mut count) = (String::new(), false, 0);
        for value in values {
            joined.trust = joined.trust.max(value.trust);
            joined.cleaned = joined.cleaned.and(value.cleaned);
            joined.is_built |= value.is_built || !value.is_whole();
            text.push_str(value.text.as_deref().unwrap_or(HOLE));
            has_text |= value.text.is_some();
            count += 1;
        }
        joined.is_built &= count > 1;
        joined.text = has_text.then(|| shortened(&text).into());
        joined
    }

    /// Returns what comes of values of which nothing but their origin is known to stay.
    pub(crate) fn derived<'v>(values: impl IntoIterator<Item = &'v Self>) -> Self {
        let mut derived = Self::constant();
        for value in values {
            derived.trust = derived.trust.max(value.deep_trust());
            derived.cleaned = derived.cleaned.and(value.cleaned);
            derived.is_built |= value.is_built;
        }
        derived
    }

    /// Returns the least trusted of a value and what it holds.
    pub(crate) fn deep_trust(&self) -> Trust {
        let items = self.items.iter().flatten();
        let entries = self.entries.iter().flatten().map(|(_, value)| value);
        let inner = items.chain(entries).map(Self::deep_trust).max();
        inner.map_or(self.trust, |inner| inner.max(self.trust))
    }

    /// Returns what is one of two values.
    pub(crate) fn either(self, other: Self) -> Self {
        let is_same = self.text == other.text;
        let worse = if other.trust > self.trust {
            &other
        } else {
            &self
        };
        let text = if is_same || !worse.is_whole() {
            worse.text.clone()
        } else {
            None
        };
        let path = if self.path == other.path || other.path.is_none() {
            self.path.clone()
        } else {
            worse.path.clone().or(self.path.clone())
        };
        Self {
            trust: self.trust.max(other.trust),
            text,
            number: self.number.filter(|number| other.number == Some(*number)),
            is_built: self.is_built || other.is_built,
            path,
            cleaned: self.cleaned.and(other.cleaned),
            items: self.items.or(other.items),
            entries: self.entries.or(other.entries),
        }
    }

    pub(crate) fn push(&mut self, value: Self) {
        match &mut self.items {
            Some(items) if items.len() < MAX_ITEMS => items.push(value),
            _ => *self = self.clone().either(value),
        }
    }

    pub(crate) fn put(&mut self, key: &str, value: Self) {
        let entries = self.entries.get_or_insert_default();
        entries.retain(|(known, _)| &**known != key);
        if entries.len() < MAX_ITEMS {
            entries.push((key.into(), value));
        }
    }

    /// Returns what is at an index or key, where that is known.
    pub(crate) fn at(&self, index: &Self) -> Option<Self> {
        if let (Some(items), Some(number)) = (&self.items, index.number) {
            let place = usize::try_from(number).ok()?;
            return items.get(place).cloned();
        }
        let key = index.whole_text()?;
        let entries = self.entries.as_ref()?;
        let found = entries.iter().find(|(known, _)| &**known == key);
        found.map(|(_, value)| value.clone())
    }
}

fn shortened(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
