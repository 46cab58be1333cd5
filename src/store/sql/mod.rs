//! The seam between the tables and the engine: one text, its values, rows as types.
//!
//! `query(sql!("SELECT name FROM senders WHERE id = $1")).bind(id).fetch_one(tx)` is all that a
//! table file says. The text is for every engine. What runs it is whatever [`Runs`] is
//! implemented for: a transaction, a reader, or the readers together.

mod row;
#[cfg(test)]
mod texts_tests;
mod value;

use std::ops::DerefMut;

use serde::de::DeserializeOwned;

pub(crate) use row::{Cell, Columns, Layout, json, parsed, parsed_or_none, read_row};
pub(crate) use value::named;
pub use value::{IntoValue, Kind, Value};

use super::StoreError;
use super::engine::Connection;

/// A statement of the program, made by [`sql!`](crate::sql). Its parameters are `$1`, `$2` and so
/// on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement(&'static str);

impl Statement {
    /// Only for [`sql!`](crate::sql), so that a test finds every text and prepares it.
    #[doc(hidden)]
    pub const fn of(text: &'static str) -> Self {
        Self(text)
    }

    /// Returns its text.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Names a statement by its parts, which are literals and constants.
///
/// Every engine takes the text, unless it is marked as one for SQLite (`sqlite:`): then another
/// engine needs a text of its own.
#[macro_export]
macro_rules! sql {
    (sqlite: $($part:expr),+ $(,)?) => {
        $crate::sql!($($part),+)
    };
    ($text:expr $(,)?) => {
        $crate::Statement::of($text)
    };
    ($($part:expr),+ $(,)?) => {{
        const PARTS: &[&str] = &[$($part),+];
        const TEXT: &[u8] = &$crate::join::<{ $crate::length(PARTS) }>(PARTS);
        $crate::Statement::of($crate::as_text(TEXT))
    }};
}

/// Returns the length of texts, joined.
#[doc(hidden)]
pub const fn length(parts: &[&str]) -> usize {
    let mut length = 0;
    let mut part = 0;
    while part < parts.len() {
        length += parts[part].len();
        part += 1;
    }
    length
}

/// Joins texts when the program is built.
#[doc(hidden)]
pub const fn join<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let mut joined = [0; LENGTH];
    let mut at = 0;
    let mut part = 0;
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let (_, rest) = joined.split_at_mut(at);
        let (place, _) = rest.split_at_mut(bytes.len());
        place.copy_from_slice(bytes);
        at += bytes.len();
        part += 1;
    }
    joined
}

/// Returns what [`join`] made as text.
#[doc(hidden)]
pub const fn as_text(joined: &'static [u8]) -> &'static str {
    match str::from_utf8(joined) {
        Ok(text) => text,
        // Texts that are joined are text.
        Err(_) => "",
    }
}

/// What an engine is given.
#[derive(Debug)]
pub(crate) enum Text {
    /// A statement of the program.
    Written(Statement),
    /// One that was put together when it is run.
    Assembled(String),
}

impl Text {
    /// Returns the text.
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Written(statement) => statement.as_str(),
            Self::Assembled(text) => text,
        }
    }
}

/// What a statement is run on.
pub trait Runs: Send {
    /// The connection, for as long as one statement takes.
    type Held: DerefMut<Target = Connection> + Send;

    /// Returns a connection for one statement, waiting for it where it is shared.
    fn hold(self) -> impl Future<Output = Result<Self::Held, StoreError>> + Send;
}

impl<'c> Runs for &'c mut Connection {
    type Held = &'c mut Connection;

    async fn hold(self) -> Result<Self::Held, StoreError> {
        Ok(self)
    }
}

/// A statement and its values.
#[must_use = "a statement does nothing until it is run"]
#[derive(Debug)]
pub struct Query<'q> {
    text: Text,
    values: Vec<Value<'q>>,
}

/// A statement that is put together of parts, each with the values that stand in it.
#[derive(Debug, Default)]
pub(crate) struct Assembled<'q> {
    text: String,
    values: Vec<Value<'q>>,
}

impl<'q> Assembled<'q> {
    /// Appends text of the program, never words from outside.
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Appends a parameter and gives it its value.
    pub(crate) fn push_bind(&mut self, value: impl IntoValue<'q>) -> &mut Self {
        self.values.push(value.into_value());
        self.text.push('$');
        self.text.push_str(&self.values.len().to_string());
        self
    }

    /// Returns the text so far.
    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the whole statement.
    pub(crate) fn query(self) -> Query<'q> {
        Query {
            text: Text::Assembled(self.text),
            values: self.values,
        }
    }
}

/// Begins a statement.
pub const fn query<'q>(statement: Statement) -> Query<'q> {
    Query {
        text: Text::Written(statement),
        values: Vec::new(),
    }
}

impl<'q> Query<'q> {
    /// Gives the next parameter its value: the first call is for `$1`.
    pub fn bind(mut self, value: impl IntoValue<'q>) -> Self {
        self.values.push(value.into_value());
        self
    }

    /// Runs it and returns how many rows it inserted, changed or deleted.
    pub async fn execute(self, on: impl Runs) -> Result<u64, StoreError> {
        let mut on = on.hold().await?;
        on.execute(&self.text, &self.values).await
    }

    /// Returns every row.
    ///
    /// A row is a struct whose fields are columns, a tuple of the columns in their order, or the
    /// value of its first column. Columns behind those that are read only sort the rows.
    pub async fn fetch_all<T: DeserializeOwned + Send>(
        self,
        on: impl Runs,
    ) -> Result<Vec<T>, StoreError> {
        let mut on = on.hold().await?;
        on.fetch(&self.text, &self.values, usize::MAX).await
    }

    /// Returns the first row, if there is any.
    pub async fn fetch_optional<T: DeserializeOwned + Send>(
        self,
        on: impl Runs,
    ) -> Result<Option<T>, StoreError> {
        let mut on = on.hold().await?;
        Ok(on.fetch(&self.text, &self.values, 1).await?.pop())
    }

    /// Returns the first row.
    ///
    /// # Errors
    /// Fails with [`StoreError::Broken`] when there is none.
    pub async fn fetch_one<T: DeserializeOwned + Send>(
        self,
        on: impl Runs,
    ) -> Result<T, StoreError> {
        let found = self.fetch_optional(on).await?;
        found.ok_or_else(|| StoreError::Broken("a row that must be there is missing".to_owned()))
    }
}
