//! What a server's tool is called here.
//!
//! Always `server__tool`, not only when two names meet: a tool then has one name, whichever other
//! servers are there, and a person who decides sees whose tool it is.

use super::digest::digest;

/// The longest name that every provider takes.
const MAX_NAME_BYTES: usize = 64;
/// How many digits of a digest tell names apart that would be one.
const MARK_DIGITS: usize = 8;

/// Returns the name of a server's tool. A name that had to be changed ends with a digest of what it
/// was, so that no two tools of a server become one.
pub(super) fn name_of(server: &str, tool: &str) -> String {
    let plain: String = tool
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '_' })
        .collect();
    let whole = format!("{server}__{plain}");
    if plain == tool && whole.len() <= MAX_NAME_BYTES {
        return whole;
    }
    let mark: String = digest(&[tool]).chars().take(MARK_DIGITS).collect();
    let kept: String = whole
        .chars()
        .take(MAX_NAME_BYTES - MARK_DIGITS - 1)
        .collect();
    format!("{kept}-{mark}")
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_plain_name_stays_readable() {
        assert_eq!(name_of("memory", "search_nodes"), "memory__search_nodes");
        assert_eq!(name_of("files", "read-file"), "files__read-file");
    }

    #[test]
    fn every_name_is_one_that_providers_take_and_no_two_become_one() {
        let long = "t".repeat(100);
        let longer = "t".repeat(101);
        let tools = ["a.b", "a/b", "a b", "读文件", "写文件", "", &long, &longer];
        let names = tools.map(|tool| name_of("a-server-of-32-letters-exactly-ok", tool));
        for name in &names {
            assert!(name.len() <= 64, "{name}");
            assert!(name.chars().all(super::is_plain), "{name}");
        }
        let mut apart = names.to_vec();
        apart.sort();
        apart.dedup();
        assert_eq!(apart.len(), names.len(), "{names:?}");
        assert_eq!(name_of("s", "a.b"), name_of("s", "a.b"));
    }
}
