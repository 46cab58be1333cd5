//! Values of parameters, as every engine knows them.

use std::borrow::Cow;

use sayso_core::transcript::{
    CardId, ChatId, GrantId, InboxId, MemoryId, OutboxId, QuestionId, RoutineId, RunId, SessionId,
    TurnId, UserId,
};

/// What a column holds. An engine with typed parameters wants to know it for a NULL as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of 64 bits.
    Whole,
    /// A floating-point number of 64 bits.
    Real,
    /// True or false; SQLite stores 1 or 0.
    Truth,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'q> {
    /// None, in a column of this kind.
    Null(Kind),
    /// See [`Kind::Whole`].
    Whole(i64),
    /// See [`Kind::Real`].
    Real(f64),
    /// See [`Kind::Truth`].
    Truth(bool),
    /// See [`Kind::Text`].
    Text(Cow<'q, str>),
    /// See [`Kind::Bytes`].
    Bytes(Cow<'q, [u8]>),
}

/// What can be bound to a parameter.
pub trait IntoValue<'q> {
    /// What a column of it holds.
    const KIND: Kind;

    /// Returns the value.
    fn into_value(self) -> Value<'q>;
}

impl<'q, T: IntoValue<'q>> IntoValue<'q> for Option<T> {
    const KIND: Kind = T::KIND;

    fn into_value(self) -> Value<'q> {
        self.map_or(Value::Null(T::KIND), T::into_value)
    }
}

/// Declares how types become values: the kind, the types, and the value of one.
macro_rules! into_value {
    ($($kind:ident: $($type:ty),+ => |$it:ident| $value:expr;)+) => {$($(
        impl<'q> IntoValue<'q> for $type {
            const KIND: Kind = Kind::$kind;

            fn into_value(self) -> Value<'q> {
                let $it = self;
                Value::$kind($value)
            }
        }
    )+)+};
}

into_value! {
    Whole: i64 => |it| it;
    Whole: i32, u32, u16, u8 => |it| i64::from(it);
    Whole: UserId, ChatId, SessionId, TurnId, InboxId, OutboxId, CardId, QuestionId, GrantId,
           MemoryId, RoutineId, RunId => |it| it.0;
    Real: f64 => |it| it;
    Truth: bool => |it| it;
    Text: &'q str, &'q String, String => |it| it.into();
    Text: Cow<'q, str> => |it| it;
    Bytes: &'q [u8], Vec<u8> => |it| it.into();
    Bytes: &'q Vec<u8> => |it| it.as_slice().into();
}

impl<'q> IntoValue<'q> for &'q Option<Vec<u8>> {
    const KIND: Kind = Kind::Bytes;

    fn into_value(self) -> Value<'q> {
        self.as_deref().into_value()
    }
}

impl<'q> IntoValue<'q> for &'q Option<String> {
    const KIND: Kind = Kind::Text;

    fn into_value(self) -> Value<'q> {
        self.as_deref().into_value()
    }
}

/// Declares an enum whose values a column holds by name: `Open = "open"`.
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns its name in the database.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// Returns what has this name in the database.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl<'q> $crate::IntoValue<'q> for $name {
            const KIND: $crate::Kind = $crate::Kind::Text;

            fn into_value(self) -> $crate::Value<'q> {
                $crate::Value::Text(self.as_str().into())
            }
        }
    };
}
pub(crate) use named;
