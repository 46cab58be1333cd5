//! Files that keep secrets, as their names say: who reads one has a key to somewhere else.
//!
//! Names only, since the policy touches no disk: those that are known (`names.rs`), and those that have
//! a word for it (`words.rs`). A secret under an ordinary name is not found here; what a name gives away
//! is asked about, and asking once too often costs a press.

mod names;
mod words;

use std::path::{Component, Path};

use names::{
    BEGINNINGS, COPY_ENDINGS, DIRECTORIES, ENDINGS, NAMES, PLACED, PUBLIC_ENDINGS, SETTINGS,
    SETTINGS_OF_ALL, STAGES, TYPED_INTO,
};

/// The folder of files that people sent. Names lose their leading dot there.
const RECEIVED: &str = "inbox";

/// Returns whether a file keeps secrets, or a directory is full of them, as the path says.
///
/// Letters count the same in either case, as they do on some file systems.
pub fn is_secret_like(path: &Path) -> bool {
    let mut components = path.components().map(Component::as_os_str);
    let Some(written) = components.next_back() else {
        return false;
    };
    let written = written.to_string_lossy();
    let directories: Vec<String> = components
        .map(|component| folded(&component.to_string_lossy()))
        .collect();
    let name = folded(&written);
    let original = without_copy_endings(&name);
    if PUBLIC_ENDINGS.contains(&ending(original)) {
        return false;
    }
    let directory = directories.last().map_or("", String::as_str);
    // As long as the name of the original, in the letters in which it is written.
    let shown = written.get(..original.len()).unwrap_or(original);
    is_in_secret_directory(&directories, original)
        || is_placed(directory, original)
        || is_secret_name(original, shown)
        || (directory == RECEIVED && is_secret_name(&format!(".{original}"), shown))
}

fn is_in_secret_directory(directories: &[String], name: &str) -> bool {
    let all = || directories.iter().map(String::as_str).chain([name]);
    let mut pairs = all().zip(all().skip(1));
    all().any(|name| DIRECTORIES.contains(&name))
        || pairs.any(|(above, name)| above == SETTINGS_OF_ALL && SETTINGS.contains(&name))
}

fn is_placed(directory: &str, name: &str) -> bool {
    PLACED.contains(&(directory, name))
}

/// Judges a name in small letters. `shown` is the same with its capitals, which tell words apart.
fn is_secret_name(name: &str, shown: &str) -> bool {
    let plain = without_marks(name);
    let single = without_number(plain);
    NAMES.contains(&plain)
        || NAMES.contains(&single.as_str())
        || ENDINGS.contains(&ending(name))
        || BEGINNINGS
            .iter()
            .any(|beginning| plain.starts_with(beginning))
        || is_environment(name)
        || is_what_was_typed(name)
        || words::tell(without_marks(shown), ending(plain))
}

/// Returns whether a name is `.env` or one of its kind: `.env.local`, `.env-production`, `.envrc`. Without
/// the dot it must say which: `env` alone is many things.
fn is_environment(name: &str) -> bool {
    if let Some(rest) = name.strip_prefix(".env") {
        return rest == "rc" || !rest.starts_with(|letter: char| letter.is_alphanumeric());
    }
    let Some(rest) = name.strip_prefix("env") else {
        return false;
    };
    let names_stages = || {
        let stages = rest.strip_prefix(['.', '-', '_']);
        stages.is_some_and(|stages| stages.split(['.', '-', '_']).all(is_stage))
    };
    rest == "rc" || names_stages()
}

fn is_stage(word: &str) -> bool {
    STAGES.contains(&word)
}

fn is_what_was_typed(name: &str) -> bool {
    let Some(program) = name.strip_suffix("_history") else {
        return name == ".history";
    };
    name.starts_with('.') || TYPED_INTO.contains(&program)
}

fn without_copy_endings(name: &str) -> &str {
    let mut name = name.trim_end_matches('~');
    while let Some((original, last)) = name.rsplit_once('.')
        && COPY_ENDINGS.contains(&last)
        && !original.is_empty()
    {
        name = original.trim_end_matches('~');
    }
    name
}

/// Returns a name without the dots and underscores that it begins with.
fn without_marks(name: &str) -> &str {
    name.trim_start_matches(['.', '_'])
}

/// Returns a name without the number of a copy: `netrc-2`, `credentials (1).json`; and with underscores
/// for blanks, which is how a file that is received is called.
fn without_number(name: &str) -> String {
    let (stem, ending) = match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        Some(_) | None => (name, ""),
    };
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '(' | ')' | ' ');
    let bare = stem.trim_end_matches(is_number);
    let stem = if bare.len() < stem.len() {
        bare.trim_end_matches(['-', '_', ' '])
    } else {
        stem
    };
    format!("{stem}{ending}").replace(' ', "_")
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Returns a name in which letters of either case are equal, also those that have no small form of
/// their own (`ſ` is `s`).
fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests;
