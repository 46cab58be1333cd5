//! Which language the command line speaks.

use sayso_channel::Language;

use crate::config::{Config, Environment};

/// Returns the configured language, else the one of the terminal.
pub(super) fn of(config: Option<&Config>, environment: &Environment) -> Language {
    let configured = config.and_then(|config| config.language);
    configured.unwrap_or_else(|| of_terminal(environment))
}

/// Returns the language of the terminal: `LC_ALL`, `LC_MESSAGES` or `LANG`.
pub(super) fn of_terminal(environment: &Environment) -> Language {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| environment.get(name))
        .map_or(Language::English, Language::nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Language) {
        let environment = variables.iter().copied().collect();
        assert_eq!(of_terminal(&environment), expected);
    }

    #[test]
    fn terminal_language_follows_the_locale() {
        check(&[], Language::English);
        check(&[("LANG", "zh_CN.UTF-8")], Language::Chinese);
        check(
            &[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C")],
            Language::English,
        );
        check(&[("LANG", "de_DE.UTF-8")], Language::English);
    }
}
