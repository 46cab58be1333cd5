//! What is filled into a text: words and numbers.

use std::borrow::Cow;

use fluent_bundle::{FluentArgs, FluentValue};

/// The arguments of a text, by their names.
#[derive(Debug, Default)]
pub struct Arguments<'a>(FluentArgs<'a>);

impl<'a> Arguments<'a> {
    /// Adds an argument.
    #[must_use]
    pub fn with<T: Argument + ?Sized>(mut self, name: &'static str, value: &'a T) -> Self {
        self.0.set(name, value.filled().0);
        self
    }

    pub(super) fn as_fluent(&self) -> &FluentArgs<'a> {
        &self.0
    }
}

/// What a text takes: a word, or a number that it may choose a plural by.
pub trait Argument {
    /// Returns the argument in the form that Fluent fills in.
    fn filled(&self) -> Filled<'_>;
}

/// An argument as Fluent has it.
#[derive(Debug)]
pub struct Filled<'a>(FluentValue<'a>);

impl Argument for str {
    fn filled(&self) -> Filled<'_> {
        Filled(FluentValue::String(Cow::Borrowed(self)))
    }
}

impl Argument for String {
    fn filled(&self) -> Filled<'_> {
        self.as_str().filled()
    }
}

impl Argument for Cow<'_, str> {
    fn filled(&self) -> Filled<'_> {
        self.as_ref().filled()
    }
}

impl Argument for char {
    fn filled(&self) -> Filled<'_> {
        Filled(FluentValue::String(Cow::Owned(self.to_string())))
    }
}

impl Argument for std::path::Display<'_> {
    fn filled(&self) -> Filled<'_> {
        Filled(FluentValue::String(Cow::Owned(self.to_string())))
    }
}

impl<T: Argument + ?Sized> Argument for &T {
    fn filled(&self) -> Filled<'_> {
        (**self).filled()
    }
}

/// Fluent counts in `f64`, which is exact to 2⁵³: more than any number in a text.
macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Argument for $number {
            fn filled(&self) -> Filled<'_> {
                Filled(self.into())
            }
        })*
    };
}

numbers!(i32 i64 isize u8 u16 u32 u64 usize);
