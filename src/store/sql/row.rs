//! Rows as types, by serde: a struct has a column for each field, a tuple one for each place, and
//! anything else is the first column.

use std::cell::OnceCell;
use std::fmt;

use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};

use crate::StoreError;

/// A value of a row, as an engine hands it out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell<'r> {
    /// No value.
    Null,
    /// A whole number; SQLite's booleans are 1 and 0.
    Whole(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(&'r str),
    /// Bytes.
    Bytes(&'r [u8]),
}

/// A row, as an engine hands it out.
pub(crate) trait Columns {
    /// Returns how many columns it has.
    fn count(&self) -> usize;

    /// Returns the name of a column.
    fn name(&self, at: usize) -> &str;

    /// Returns the value of a column.
    ///
    /// # Errors
    /// Fails when it is text that is no UTF-8.
    fn cell(&self, at: usize) -> Result<Cell<'_>, StoreError>;
}

/// Where the fields of a struct are among the columns of a statement: found with its first row, and
/// the same for all others.
#[derive(Debug, Default)]
pub(crate) struct Layout(OnceCell<Vec<Option<usize>>>);

impl Layout {
    /// Returns the column of each field, if it has one. Most often they have the same order.
    fn places(&self, row: &impl Columns, fields: &[&str]) -> &[Option<usize>] {
        self.0.get_or_init(|| {
            let count = row.count();
            let place = |(at, field): (usize, &&str)| {
                let is_it = |at: &usize| row.name(*at) == *field;
                let same_place = Some(at).filter(|at| *at < count && is_it(at));
                same_place.or_else(|| (0..count).find(is_it))
            };
            fields.iter().enumerate().map(place).collect()
        })
    }
}

/// Reads a row of a statement that has this layout. All its rows are read as one type.
///
/// # Errors
/// Fails with [`StoreError::Broken`], which names the column, when a value is not what its type
/// takes, and when a column is missing.
pub(crate) fn read_row<T: DeserializeOwned>(
    row: &impl Columns,
    layout: &Layout,
) -> Result<T, StoreError> {
    Ok(T::deserialize(Row { row, layout })?)
}

/// Reads a column of text through `TryFrom<String>`: `#[serde(deserialize_with = "parsed")]`.
///
/// # Errors
/// Fails when the text names nothing.
pub(crate) fn parsed<'de, D, T>(column: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<String, Error: fmt::Display>,
{
    T::try_from(String::deserialize(column)?).map_err(D::Error::custom)
}

/// Reads a column of JSON.
///
/// # Errors
/// Fails when it is none, or says something else.
pub(crate) fn json<'de, D, T>(column: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    serde_json::from_str(&String::deserialize(column)?).map_err(D::Error::custom)
}

/// Reads a column of text, or none, through `TryFrom<Option<String>>`.
///
/// # Errors
/// Fails when the text names nothing.
pub(crate) fn parsed_or_none<'de, D, T>(column: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<Option<String>, Error: fmt::Display>,
{
    T::try_from(Option::deserialize(column)?).map_err(D::Error::custom)
}

/// Why a row cannot be read.
#[derive(Debug)]
struct RowError(String);

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for RowError {}

impl serde::de::Error for RowError {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self(what.to_string())
    }
}

impl From<RowError> for StoreError {
    fn from(RowError(what): RowError) -> Self {
        Self::Broken(format!("a row cannot be read: {what}"))
    }
}

/// A row that is read as one thing.
struct Row<'r, C> {
    row: &'r C,
    layout: &'r Layout,
}

impl<'r, C: Columns> Row<'r, C> {
    /// Returns the column of a row that is one value.
    fn first(&self) -> Result<Column<'r>, RowError> {
        match self.row.count() {
            0 => Err(RowError("it has no column".to_owned())),
            _ => Column::of(self.row, 0).map_err(|error| in_column(self.row.name(0), &error)),
        }
    }
}

/// Hands a row that is one value on to its first column.
macro_rules! by_its_first_column {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            self.first()?.$method(visitor)
        }
    )+};
}

impl<'de, C: Columns> Deserializer<'de> for Row<'_, C> {
    type Error = RowError;

    by_its_first_column! {
        deserialize_any deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_identifier
        deserialize_bytes deserialize_byte_buf deserialize_seq
        deserialize_option
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, RowError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RowError> {
        self.first()?.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        places: usize,
        visitor: V,
    ) -> Result<V::Value, RowError> {
        let count = self.row.count();
        if count < places {
            return Err(RowError(format!("it has {count} columns, not {places}")));
        }
        visitor.visit_seq(Places {
            row: self.row,
            count: places,
            next: 0,
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        places: usize,
        visitor: V,
    ) -> Result<V::Value, RowError> {
        self.deserialize_tuple(places, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RowError> {
        visitor.visit_map(Fields {
            row: self.row,
            names: fields,
            places: self.layout.places(self.row, fields),
            at: 0,
        })
    }

    /// A struct with a struct inside that has columns of its own.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RowError> {
        visitor.visit_map(Named {
            row: self.row,
            at: 0,
        })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RowError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, RowError> {
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RowError> {
        visitor.visit_unit()
    }
}

/// The columns of a tuple; those behind them only sort the rows.
struct Places<'r, C> {
    row: &'r C,
    count: usize,
    next: usize,
}

impl<'de, C: Columns> SeqAccess<'de> for Places<'_, C> {
    type Error = RowError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, RowError> {
        let at = self.next;
        if at == self.count {
            return Ok(None);
        }
        self.next += 1;
        read_column(self.row, at, seed).map(Some)
    }
}

/// The columns of the fields of a struct. A field without a column is an error, also one that may
/// be empty: its name is misspelt.
struct Fields<'r, C> {
    row: &'r C,
    names: &'static [&'static str],
    places: &'r [Option<usize>],
    at: usize,
}

impl<'de, C: Columns> MapAccess<'de> for Fields<'_, C> {
    type Error = RowError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, RowError> {
        let Some(field) = self.names.get(self.at) else {
            return Ok(None);
        };
        self.at += 1;
        let field: StrDeserializer<'_, RowError> = (*field).into_deserializer();
        seed.deserialize(field).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, RowError> {
        let place = self.places.get(self.at - 1).copied().flatten();
        let at = place.ok_or_else(|| {
            let field = self.names.get(self.at - 1).copied().unwrap_or_default();
            RowError(format!("it has no column `{field}`"))
        })?;
        read_column(self.row, at, seed)
    }
}

/// All columns by their names.
struct Named<'r, C> {
    row: &'r C,
    at: usize,
}

impl<'de, C: Columns> MapAccess<'de> for Named<'_, C> {
    type Error = RowError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, RowError> {
        if self.at == self.row.count() {
            return Ok(None);
        }
        self.at += 1;
        let name: StrDeserializer<'_, RowError> = self.row.name(self.at - 1).into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, RowError> {
        read_column(self.row, self.at - 1, seed)
    }
}

/// Reads a column of a row. Its name is looked for where it cannot be read.
fn read_column<'de, T: DeserializeSeed<'de>>(
    row: &impl Columns,
    at: usize,
    seed: T,
) -> Result<T::Value, RowError> {
    let column = Column::of(row, at);
    let read = column.and_then(|column| seed.deserialize(column));
    read.map_err(|error| in_column(row.name(at), &error))
}

/// One column of a row.
struct Column<'r> {
    cell: Cell<'r>,
}

impl<'r> Column<'r> {
    fn of(row: &'r impl Columns, at: usize) -> Result<Self, RowError> {
        let cell = row.cell(at).map_err(|error| RowError(error.to_string()))?;
        Ok(Self { cell })
    }
}

fn in_column(name: &str, error: &dyn fmt::Display) -> RowError {
    RowError(format!("column `{name}`: {error}"))
}

impl<'de> Deserializer<'de> for Column<'_> {
    type Error = RowError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RowError> {
        match self.cell {
            Cell::Null => visitor.visit_unit(),
            Cell::Whole(number) => visitor.visit_i64(number),
            Cell::Real(number) => visitor.visit_f64(number),
            Cell::Text(text) => visitor.visit_str(text),
            Cell::Bytes(bytes) => visitor.visit_bytes(bytes),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RowError> {
        match self.cell {
            Cell::Whole(number) => visitor.visit_bool(number != 0),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RowError> {
        match self.cell {
            Cell::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, RowError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RowError> {
        match self.cell {
            Cell::Text(text) => {
                let text: StrDeserializer<'_, RowError> = text.into_deserializer();
                visitor.visit_enum(text)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    /// Bytes are read as such, or as a list of them.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RowError> {
        match self.cell {
            Cell::Bytes(bytes) => visitor.visit_seq(SeqDeserializer::new(bytes.iter().copied())),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf
        unit unit_struct tuple tuple_struct map struct identifier ignored_any
    }
}
