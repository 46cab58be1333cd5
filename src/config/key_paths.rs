//! Dotted paths of keys and sections, found in the table of all keys.

use super::keys::{self, Key, SECTIONS};
use super::several;

/// Returns the key at a dotted path in which list items have their numbers.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    let pattern = pattern(path);
    keys::all().find(|key| key.path == pattern)
}

/// Returns whether a section of this dotted name may be written.
pub(super) fn is_section(path: &str) -> bool {
    let pattern = pattern(path);
    SECTIONS.iter().any(|section| section.path == pattern)
        || keys::all().any(|key| within(key.path, &pattern).is_some())
}

/// Returns whether a section is a list of tables.
pub(super) fn is_list(path: &str) -> bool {
    keys::all().any(|key| within(key.path, path).is_some_and(|rest| rest.starts_with("*.")))
}

/// Returns the names that may stand in a section, in the order of the table; "" is the whole file.
pub(super) fn names_in(section: &str) -> Vec<&'static str> {
    let pattern = pattern(section);
    let mut names = Vec::new();
    for path in places() {
        let Some(rest) = within(path, &pattern) else {
            continue;
        };
        let name = match rest.split('.').next() {
            Some("*") => "0-99",
            Some(name) => name,
            None => rest,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the places of all keys, and those of sections without keys.
fn places() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().flat_map(|section| {
        let empty = section.keys.is_empty().then_some(section.path);
        empty
            .into_iter()
            .chain(section.keys.iter().map(|key| key.path))
    })
}

fn within(path: &'static str, section: &str) -> Option<&'static str> {
    if section.is_empty() {
        return Some(path);
    }
    path.strip_prefix(section)?.strip_prefix('.')
}

fn pattern(path: &str) -> String {
    let plain = match several::split(path) {
        Some(named) => format!("{}{}", named.section, named.rest),
        None => path.to_owned(),
    };
    let steps = plain.split('.').map(|step| match item_number(step) {
        Some(_) => "*",
        None => step,
    });
    steps.collect::<Vec<_>>().join(".")
}

/// Reads the index of a list item, 0-99; longer lists are not supported.
pub(super) fn item_number(step: &str) -> Option<usize> {
    let well_formed = step == "0"
        || (step.len() <= 2
            && !step.starts_with('0')
            && step.bytes().all(|byte| byte.is_ascii_digit()));
    well_formed.then(|| step.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn sections_name_what_may_stand_in_them() {
        assert_eq!(
            names_in(""),
            [
                "data_dir",
                "language",
                "channels",
                "access",
                "providers",
                "agent",
                "policy",
                "budget",
                "prices",
                "tools",
                "secrets",
                "projects",
                "checks",
                "mcp",
                "memory",
                "routines",
                "retention",
                "store",
                "http",
                "log"
            ]
        );
        assert_eq!(names_in("channels"), ["telegram", "discord", "terminal"]);
        assert_eq!(names_in("channels.telegram.work")[0], "token");
        assert_eq!(names_in("providers.3")[0], "name");
        assert!(names_in("channels.terminal").is_empty());
    }
}
