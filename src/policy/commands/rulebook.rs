//! The built-in tables together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::programs::{Readers, Wrapper, load_wrappers};
use super::rules::{self, Rule, RuleError, program_name};
use super::word::Word;

const FORBIDDEN: &str = include_str!("tables/forbidden.toml");
const ASKING: &str = include_str!("tables/asking.toml");
const WRAPPERS: &str = include_str!("tables/wrappers.toml");
const INFORMING: &str = include_str!("tables/informing.toml");
const ARGUMENTS: &str = include_str!("tables/arguments.toml");
const PREFIXES: &str = include_str!("tables/prefixes.toml");
const READING: [&str; 6] = [
    include_str!("tables/reading/files.toml"),
    include_str!("tables/reading/text.toml"),
    include_str!("tables/reading/system.toml"),
    include_str!("tables/reading/code.toml"),
    include_str!("tables/reading/macos.toml"),
    include_str!("tables/reading/services.toml"),
];

/// Everything that commands are judged by.
#[derive(Debug)]
pub(crate) struct Rulebook {
    forbidden: Vec<Rule>,
    asking: Vec<Rule>,
    readers: Readers,
    arguments: Readers,
    prefixes: Readers,
    wrappers: BTreeMap<String, Wrapper>,
    informing: Informing,
}

/// The programs that only say something when they are asked for help or their version.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Informing {
    tools: BTreeSet<String>,
    alone: BTreeSet<String>,
    also: Vec<Also>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Also {
    programs: Vec<String>,
    words: Vec<String>,
}

/// Subcommands behind which the words are another program's.
const RUNNING: [&str; 12] = [
    "run", "exec", "x", "dlx", "tool", "shell", "task", "script", "start", "debug", "ssh", "do",
];
/// How many subcommands may stand before `--help`.
const MAX_SUBCOMMANDS: usize = 4;

impl Rulebook {
    /// Returns the built-in tables; `None` when they cannot be used, which a test rules out.
    pub(crate) fn built_in() -> Option<&'static Self> {
        static BUILT_IN: LazyLock<Option<Rulebook>> = LazyLock::new(|| Rulebook::load().ok());
        BUILT_IN.as_ref()
    }

    /// Reads the built-in tables and runs their examples.
    pub(crate) fn load() -> Result<Self, RuleError> {
        Ok(Self {
            forbidden: rules::load(FORBIDDEN)?,
            asking: rules::load(ASKING)?,
            readers: Readers::load(&READING)?,
            arguments: Readers::load(&[ARGUMENTS])?,
            prefixes: Readers::load(&[PREFIXES])?,
            wrappers: load_wrappers(WRAPPERS)?,
            informing: toml::from_str(INFORMING)
                .map_err(|error| RuleError::Unreadable(error.to_string()))?,
        })
    }

    /// Returns the rule that forbids a command.
    pub(crate) fn forbidding(&self, words: &[Word]) -> Option<&Rule> {
        self.forbidden.iter().find(|rule| rule.matches(words))
    }

    /// Returns the rule that says why a command is asked about.
    pub(crate) fn asking(&self, words: &[Word]) -> Option<&Rule> {
        self.asking.iter().find(|rule| rule.matches(words))
    }

    /// Returns the read-only commands.
    pub(crate) fn readers(&self) -> &Readers {
        &self.readers
    }

    /// Returns the commands that obey only their words.
    pub(crate) fn arguments(&self) -> &Readers {
        &self.arguments
    }

    /// Returns the commands of which a prefix may be granted.
    pub(crate) fn prefixes(&self) -> &Readers {
        &self.prefixes
    }

    /// Returns how to look through a program that starts others.
    pub(crate) fn wrapper(&self, program: &str) -> Option<&Wrapper> {
        self.wrappers.get(program_name(program))
    }

    /// Returns whether a command only asks a known program for help or its version.
    pub(crate) fn only_informs(&self, words: &[&str]) -> bool {
        let Some(([program, subcommands @ ..], last)) = words.split_last().map(|(l, w)| (w, *l))
        else {
            return false;
        };
        let is_tool = self.informing.tools.contains(*program);
        if subcommands.is_empty() {
            let is_known = is_tool || self.informing.alone.contains(*program);
            return (is_known && matches!(last, "--help" | "--version"))
                || self.informing.also.iter().any(|also| {
                    also.programs.iter().any(|name| name == program)
                        && also.words.iter().any(|word| word == last)
                });
        }
        if let [first, others @ ..] = subcommands
            && *first == "help"
        {
            // npm shows its help through a program that the project may name.
            return is_tool
                && *program != "npm"
                && others.iter().chain([&last]).all(|word| is_plain_name(word));
        }
        let runs = subcommands
            .split_last()
            .is_some_and(|(_, before)| before.iter().any(|word| RUNNING.contains(word)));
        let are_plain = subcommands.iter().all(|word| is_plain_name(word));
        is_tool && last == "--help" && subcommands.len() <= MAX_SUBCOMMANDS && are_plain && !runs
    }
}

fn is_plain_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_lowercase())
        && word
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::Rulebook;

    #[test]
    fn the_built_in_tables_hold_what_their_examples_promise() {
        if let Err(error) = Rulebook::load() {
            panic!("{error}");
        }
    }

    #[test]
    fn asking_for_help_only_informs() {
        let book = Rulebook::built_in().unwrap();
        for command in [
            "git push --help",
            "hugo version",
            "docker run --help",
            "node --version",
            "git help push",
            "npm help",
        ] {
            let words: Vec<_> = command.split(' ').collect();
            assert!(book.only_informs(&words), "{command}");
        }
        for command in [
            "docker run alpine --help",
            "uv run tool --help",
            "python script.py --help",
            "./git --help",
            "unheard-of --help",
            "git",
            "node --help --version",
            "npm help install",
            "packer --help",
        ] {
            let words: Vec<_> = command.split(' ').collect();
            assert!(!book.only_informs(&words), "{command}");
        }
    }
}
