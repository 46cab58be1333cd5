//! What `/autonomy` and `/grants` say, beside the effective policy.

use sayso_channel::{Language, text};
use sayso_policy::{AutonomyLevel, Covers, GrantPattern};

/// `/autonomy LEVEL` by a member.
pub fn autonomy_owners_only(language: Language) -> String {
    text!(language, "commands-access-autonomy-owners-only").to_owned()
}

/// `/autonomy` with a word that is no level.
pub fn autonomy_unknown(wanted: &str, language: Language) -> String {
    let wanted: String = wanted
        .chars()
        .filter(|letter| *letter != '`')
        .take(40)
        .collect();
    text!(language, "commands-access-autonomy-unknown", wanted)
}

/// `/autonomy` above what the configuration allows.
pub fn autonomy_above_ceiling(
    wanted: AutonomyLevel,
    ceiling: AutonomyLevel,
    language: Language,
) -> String {
    let (wanted, ceiling) = (wanted.as_str(), ceiling.as_str());
    text!(
        language,
        "commands-access-autonomy-above-ceiling",
        wanted,
        ceiling
    )
}

/// `/grants`: what is allowed without asking.
pub fn grants(allowed: &[GrantPattern], language: Language) -> String {
    if allowed.is_empty() {
        return text!(language, "commands-access-grants-none").to_owned();
    }
    let lines: Vec<String> = allowed
        .iter()
        .zip(1..)
        .map(|(pattern, number)| format!("{number}. {}", covered(pattern, language)))
        .collect();
    let list = lines.join("\n");
    text!(language, "commands-access-grants", list)
}

fn covered(pattern: &GrantPattern, language: Language) -> String {
    let secrets = pattern.secrets.join(", ");
    match (&pattern.covers, secrets.as_str()) {
        (Covers::Command(command), "") => format!("`{}`", in_code(command)),
        (Covers::Command(command), secrets) => text!(
            language,
            "commands-access-covered-command",
            command = in_code(command),
            secrets
        ),
        (Covers::Project(project), _) => text!(
            language,
            "commands-access-covered-project",
            project = in_code(project)
        ),
        (Covers::Prefix(words), _) => text!(
            language,
            "commands-access-covered-prefix",
            words = in_code(words)
        ),
    }
}

/// Returns a text on one line that cannot close the code that it stands in.
fn in_code(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('`', "'")
}

/// The button that takes back one of the list.
pub fn take_back_one(number: usize, language: Language) -> String {
    text!(language, "commands-access-take-back-one", number)
}

/// The button that takes back all of the list.
pub fn take_back_all(language: Language) -> String {
    text!(language, "commands-access-take-back-all").to_owned()
}

/// Permissions were taken back.
pub fn revoked(count: u64, language: Language) -> String {
    match count {
        0 => text!(language, "commands-access-revoked-none").to_owned(),
        1 => text!(language, "commands-access-revoked-one").to_owned(),
        count => text!(language, "commands-access-revoked", count),
    }
}

/// A press on a permission that does not hold any more.
pub fn grant_is_gone(language: Language) -> String {
    text!(language, "commands-access-grant-is-gone").to_owned()
}

/// `/grants revoke` with a number that is none.
pub fn no_such_grant(which: &str, count: usize, language: Language) -> String {
    let which: String = which
        .chars()
        .filter(|letter| *letter != '`')
        .take(20)
        .collect();
    text!(language, "commands-access-no-such-grant", which, count)
}
