//! What is written from the declarations of the keys: the example file, the reference page and the
//! JSON schema.

mod example;
mod reference;
mod schema;

pub use example::example;
pub use reference::reference;
pub use schema::schema;

use sayso_channel::Language;

use super::keys::Doc;

impl Doc {
    /// Returns the text in a language.
    fn in_words(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Chinese => self.chinese,
        }
    }
}
