//! The files with the texts: what is in the program, and what of it is parsed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use unic_langid::LanguageIdentifier;

use super::Arguments;
use crate::Language;

/// Names the areas once, for the list and for the files of each language.
macro_rules! areas {
    ($($area:literal)*) => {
        /// The areas in alphabetical order: the names of the files of each language.
        pub const AREAS: [&str; [$($area),*].len()] = [$($area),*];

        /// The files of a language, which the program has in it.
        macro_rules! files {
            ($code:literal) => {
                [$(include_str!(concat!("../../../locales/", $code, "/", $area, ".ftl"))),*]
            };
        }
    };
}

areas! {
    "agent"
    "app"
    "approvals"
    "audit"
    "budget"
    "checks"
    "cli"
    "commands"
    "config"
    "delivery"
    "discord"
    "doctor"
    "erasure"
    "executor"
    "forget"
    "import"
    "init"
    "injection"
    "intake"
    "knowledge"
    "linking"
    "list"
    "menu"
    "offline"
    "policy"
    "processes"
    "prompts"
    "providers"
    "refusals"
    "report"
    "review"
    "routines"
    "sandbox"
    "sessions"
    "skills"
    "terminal"
    "trace"
    "triggers"
    "undo"
    "when"
}

static ENGLISH: [&str; AREAS.len()] = files!("en");
static CHINESE: [&str; AREAS.len()] = files!("zh-CN");

/// Returns the files of a language, in the order of [`AREAS`].
pub fn source(language: Language) -> &'static [&'static str; AREAS.len()] {
    match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    }
}

/// What is parsed of each language.
static PARSED: [Parsed; Language::ALL.len()] = [const { Parsed::new() }; Language::ALL.len()];

/// The areas of one language, each parsed when it is first needed.
struct Parsed([OnceLock<Area>; AREAS.len()]);

impl Parsed {
    const fn new() -> Self {
        Self([const { OnceLock::new() }; AREAS.len()])
    }

    /// Returns the area of a key, parsed from the file that `source` returns at its first use.
    fn area(
        &'static self,
        key: &str,
        language: Language,
        source: impl FnOnce(usize) -> Cow<'static, str>,
    ) -> Option<&'static Area> {
        let name = key.split('-').next()?;
        let at = AREAS.binary_search(&name).ok()?;
        let parsed = self.0.get(at)?;
        Some(parsed.get_or_init(|| Area::new(name, language, source(at).into_owned())))
    }
}

/// Returns the area of a key, parsed; `None` where no file is named by its first word.
pub(super) fn area_of(language: Language, key: &str) -> Option<&'static Area> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(translate) = TRANSLATE.get() {
        let english = source(Language::English);
        return TRANSLATED.area(key, Language::English, |at| {
            Cow::Owned(translate(english[at]))
        });
    }
    let parsed = PARSED.get(language as usize)?;
    parsed.area(key, language, |at| Cow::Borrowed(source(language)[at]))
}

/// Translates an English file.
#[cfg(any(test, feature = "testing"))]
pub(super) type Translate = fn(&str) -> String;

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// How this thread translates English files, in place of every language. A process has one such way.
    pub(super) static TRANSLATE: std::cell::Cell<Option<Translate>> =
        const { std::cell::Cell::new(None) };
}

/// What is parsed of the files that were translated so.
#[cfg(any(test, feature = "testing"))]
static TRANSLATED: Parsed = Parsed::new();

/// One file of one language.
pub(super) struct Area {
    bundle: FluentBundle<FluentResource>,
    /// Texts without arguments that are not one piece in the file, such as those of several lines. Their
    /// number is that of such texts, so they may stay for good. Held for a look-up only, by any thread.
    joined: Mutex<HashMap<&'static str, &'static str>>,
}

impl Area {
    fn new(name: &str, language: Language, source: String) -> Self {
        let identifier: LanguageIdentifier = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![identifier]);
        // The marks around arguments are for mixed directions of writing; people would copy them.
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(source).unwrap_or_else(|(resource, errors)| {
            tracing::error!(name, ?errors, "cannot read all texts");
            resource
        });
        if let Err(errors) = bundle.add_resource(resource) {
            tracing::error!(name, ?errors, "a text is there twice");
        }
        let joined = Mutex::default();
        Self { bundle, joined }
    }

    /// Returns a text, borrowed where it is one piece in the file; `None` where there is none.
    pub(super) fn text(
        &'static self,
        key: &str,
        arguments: &Arguments<'_>,
    ) -> Option<Cow<'static, str>> {
        let pattern = self.bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let arguments = arguments.as_fluent();
        let text = self
            .bundle
            .format_pattern(pattern, Some(arguments), &mut errors);
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "a text is not filled in");
        }
        // An argument does not outlive the call, so a text that is nothing but one is copied.
        Some(text)
    }

    /// Returns a text that was joined before.
    pub(super) fn joined(&self, key: &str) -> Option<&'static str> {
        let joined = self.joined.lock().unwrap_or_else(PoisonError::into_inner);
        joined.get(key).copied()
    }

    /// Keeps a text for good.
    pub(super) fn join(&self, key: &'static str, text: String) -> &'static str {
        let mut joined = self.joined.lock().unwrap_or_else(PoisonError::into_inner);
        joined.entry(key).or_insert_with(|| text.leak())
    }
}
