//! Several accounts of one platform: `[channels.telegram.work]` beside or instead of
//! `[channels.telegram]`; and secrets and projects, `[secrets.github]` and `[projects.site]`, which
//! are written in the same way and have no plain section.
//!
//! A named account takes the keys of the plain section. Its name is distinguished from a key by not
//! being one, so an account cannot be called `token`.

use super::keys;

/// The sections of which there may be several.
const SECTIONS: &[&str] = &["channels.telegram", "channels.discord", SECRETS, PROJECTS];

/// The section of secrets, in which nothing stands but named sections.
pub(super) const SECRETS: &str = "secrets";

/// The section of projects, which is of the same kind.
pub(super) const PROJECTS: &str = "projects";

/// The longest name of an account, in characters.
const NAME_LETTERS: usize = 32;

/// What stands for the plain account in tables; no named one can be called so.
pub(super) const PLAIN: &str = "@";

/// A path that leads through a named account.
pub(super) struct Named<'p> {
    /// The section of the platform.
    pub(super) section: &'static str,
    /// The account.
    pub(super) account: &'p str,
    /// What follows the account, with its dot; empty for the account's own section.
    pub(super) rest: &'p str,
}

/// Splits a dotted path at the named account that it leads through.
pub(super) fn split(path: &str) -> Option<Named<'_>> {
    SECTIONS.iter().find_map(|section| {
        let behind = path.strip_prefix(section)?.strip_prefix('.')?;
        let end = behind.find('.').unwrap_or(behind.len());
        let (account, rest) = behind.split_at(end);
        let is_key = keys::all().any(|key| {
            let name = key.path.strip_prefix(section);
            name.and_then(|name| name.strip_prefix('.')) == Some(account)
        });
        (is_name(account) && !is_key).then_some(Named {
            section,
            account,
            rest,
        })
    })
}

/// Returns whether a path is the section of a named account.
pub(super) fn is_account(path: &str) -> bool {
    split(path).is_some_and(|named| named.rest.is_empty())
}

/// Returns whether there may be several of a section.
pub(super) fn has_accounts(section: &str) -> bool {
    SECTIONS.contains(&section)
}

/// Returns whether a section holds nothing but named sections.
pub(super) fn has_only_named(section: &str) -> bool {
    matches!(section, SECRETS | PROJECTS)
}

/// Returns the section of an account; [`PLAIN`] has the section of its platform.
pub(super) fn section_of(platform: &str, account: &str) -> String {
    match account {
        PLAIN => format!("channels.{platform}"),
        account => format!("channels.{platform}.{account}"),
    }
}

/// Returns where the keys of a section stand in the tables that are read into types.
pub(super) fn in_tables(section: &str) -> String {
    if has_accounts(section) {
        format!("{section}.{PLAIN}")
    } else {
        section.to_owned()
    }
}

fn is_name(name: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.len() <= NAME_LETTERS
        && !name.contains("__")
        && name
            .bytes()
            .all(|byte| letters(byte) || byte == b'_' || byte == b'-')
}
