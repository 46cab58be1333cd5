//! Rules that are data: a prefix of words, what follows from it, why, and examples that must hold.

use sayso_core::transcript::Role;
use serde::Deserialize;

use super::justification::Justification;
use super::script;
use super::traits::{Trait, Traits};
use super::verdict::CommandDecision;
use super::word::Word;

/// One rule, as written in the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The program and the words after it; options in between are not counted.
    prefix: Vec<Part>,
    /// Options of which one must be there; empty means any words do.
    #[serde(default)]
    with: Vec<String>,
    /// Options with which the program does something else.
    #[serde(default)]
    unless: Vec<String>,
    /// A program and a word, such as `wipefs -n`, with which it only says what it would do.
    #[serde(default)]
    dry_run: Vec<String>,
    /// Options with which it only prints, as long as it has no other ones.
    #[serde(default)]
    prints: Vec<String>,
    /// What an operand must name.
    #[serde(default)]
    on: Option<Target>,
    /// What follows.
    pub decision: CommandDecision,
    /// What such a command may do.
    #[serde(default)]
    traits: Vec<Trait>,
    /// Why, for people and the model.
    pub justification: Justification,
    /// The roles for which it holds; empty means all.
    #[serde(default)]
    roles: Vec<Role>,
    /// Commands that the rule must match.
    #[serde(rename = "match")]
    matching: Vec<String>,
    /// Commands that it must not match.
    #[serde(default)]
    not_match: Vec<String>,
}

/// One word of a prefix, or several of which one must be there. A `*` ends a family of names.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Part {
    One(String),
    OneOf(Vec<String>),
}

/// What an operand names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Target {
    /// The root of the file system, one of its own directories, or a home.
    System,
    /// A disk, or the machine's memory.
    Device,
    /// The same, as what `of=` writes to.
    WrittenDevice,
    /// Every process, as `kill` names them in its last word.
    EveryProcess,
}

/// Why a rule cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RuleError {
    /// The text is not a table of rules.
    #[error("the command rules cannot be read: {0}")]
    Unreadable(String),
    /// A rule without a program.
    #[error("a command rule has an empty `prefix`")]
    EmptyPrefix,
    /// Examples are what shows that a rule does anything.
    #[error("the command rule for `{0}` has no example under `match`")]
    NoExample(String),
    /// It would allow whatever the words behind it name.
    #[error(
        "the command rule for `{0}` cannot allow it, since it starts whatever its words name: \
         write a rule for what it starts"
    )]
    StartsAnything(String),
    /// An example does not behave as promised.
    #[error("the command rule for `{rule}` {should} match its example `{example}`")]
    WrongExample {
        /// The prefix of the rule.
        rule: String,
        /// The example.
        example: String,
        /// `should` or `should not`.
        should: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    rule: Vec<Rule>,
}

/// Reads rules and runs their examples.
pub(crate) fn load(text: &str) -> Result<Vec<Rule>, RuleError> {
    let table: Table =
        toml::from_str(text).map_err(|error| RuleError::Unreadable(error.to_string()))?;
    table.rule.iter().try_for_each(Rule::check)?;
    Ok(table.rule)
}

impl Rule {
    /// Returns what such a command may do.
    pub fn traits(&self) -> Traits {
        self.traits.iter().copied().collect()
    }

    /// Returns whether it holds for a role.
    pub fn holds_for(&self, role: Role) -> bool {
        self.roles.is_empty() || self.roles.contains(&role)
    }

    /// Returns the programs that it allows, where it allows.
    pub fn allowed_programs(&self) -> impl Iterator<Item = &str> {
        let part = self
            .prefix
            .first()
            .filter(|_| self.decision == CommandDecision::Allow);
        part.into_iter().flat_map(Part::names)
    }

    /// Returns whether it names a program and nothing behind it.
    pub fn is_one_word(&self) -> bool {
        self.prefix.len() == 1
    }

    /// Returns whether a command is meant, given its words with the program first.
    ///
    /// A rule that allows must find its prefix word by word and sees no directory away: options in
    /// between change what is run, and another directory holds another program.
    pub fn matches(&self, words: &[Word]) -> bool {
        let starts = match self.decision {
            CommandDecision::Allow => self.starts_exactly(words),
            CommandDecision::Ask | CommandDecision::Deny => self.starts(words),
        };
        let is_excepted = self.unless.iter().any(|option| has_option(words, option))
            || self.is_dry_run(words)
            || self.only_prints(words);
        let has_option =
            self.with.is_empty() || self.with.iter().any(|option| has_option(words, option));
        let names_target = self.on.is_none_or(|target| target.is_named_in(words));
        starts && has_option && names_target && !is_excepted
    }

    fn is_dry_run(&self, words: &[Word]) -> bool {
        let Some((program, rest)) = words.split_first() else {
            return false;
        };
        self.dry_run
            .iter()
            .filter_map(|form| form.split_once(' '))
            .any(|(name, word)| {
                name == program_name(&program.text) && rest.iter().any(|it| it.text == word)
            })
    }

    fn only_prints(&self, words: &[Word]) -> bool {
        let mut options = words
            .iter()
            .skip(1)
            .filter(|word| word.text.starts_with('-'))
            .peekable();
        options.peek().is_some()
            && options.all(|word| word.is_literal && self.prints.contains(&word.text))
    }

    fn starts_exactly(&self, words: &[Word]) -> bool {
        let is_certain = words.iter().all(|word| word.is_literal);
        is_certain
            && words.len() >= self.prefix.len()
            && self
                .prefix
                .iter()
                .zip(words)
                .all(|(part, word)| part.matches(&word.text))
    }

    fn starts(&self, words: &[Word]) -> bool {
        let mut names = words.iter().filter(|word| !word.text.starts_with('-'));
        self.prefix.iter().enumerate().all(|(index, part)| {
            names.next().is_some_and(|word| match index {
                0 => part.matches(program_name(&word.text)),
                _ => part.matches(&word.text),
            })
        })
    }

    fn check(&self) -> Result<(), RuleError> {
        if self.prefix.is_empty() {
            return Err(RuleError::EmptyPrefix);
        }
        if self.matching.is_empty() {
            return Err(RuleError::NoExample(self.name()));
        }
        for (examples, expected, should) in [
            (&self.matching, true, "should"),
            (&self.not_match, false, "should not"),
        ] {
            for example in examples {
                if self.matches_example(example) != expected {
                    return Err(RuleError::WrongExample {
                        rule: self.name(),
                        example: example.clone(),
                        should,
                    });
                }
            }
        }
        Ok(())
    }

    fn matches_example(&self, example: &str) -> bool {
        script::read(example).is_ok_and(|script| {
            script
                .segments
                .iter()
                .any(|segment| self.matches(&segment.words))
        })
    }

    /// Returns its prefix, as errors name it.
    pub fn name(&self) -> String {
        let names = self.prefix.iter().map(|part| match part {
            Part::One(name) => name.clone(),
            Part::OneOf(names) => names.join("|"),
        });
        names.collect::<Vec<_>>().join(" ")
    }
}

impl Part {
    fn names(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::OneOf(names) => names,
        };
        names.iter().map(String::as_str)
    }

    fn matches(&self, word: &str) -> bool {
        let is = |name: &String| match name.strip_suffix('*') {
            Some(family) => word.starts_with(family),
            None => word == name,
        };
        match self {
            Self::One(name) => is(name),
            Self::OneOf(names) => names.iter().any(is),
        }
    }
}

/// Returns the name of a program without its directory.
pub(crate) fn program_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn has_option(words: &[Word], option: &str) -> bool {
    let letter = option
        .strip_prefix('-')
        .filter(|rest| rest.chars().count() == 1);
    words.iter().skip(1).any(|word| {
        let text = word.text.as_str();
        let is_cluster = text.starts_with('-') && !text.starts_with("--");
        text == option
            || text
                .strip_prefix(option)
                .is_some_and(|rest| option.starts_with("--") && rest.starts_with('='))
            || letter.is_some_and(|letter| is_cluster && text.contains(letter))
    })
}

/// The directories of a system itself.
const SYSTEM_DIRECTORIES: [&str; 24] = [
    "/",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/proc",
    "/root",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/var",
    "/Users",
    "/System",
    "/Library",
    "/Applications",
    "/private",
];
/// The names of the user's own directory.
const HOMES: [&str; 4] = ["~", "$HOME", "${HOME}", "$PWD/.."];
/// How disks and the machine's memory are called.
const DEVICES: [&str; 16] = [
    "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "dm-", "nbd",
    "mem", "kmem", "port", "block/",
];

impl Target {
    fn is_named_in(self, words: &[Word]) -> bool {
        match self {
            // As the first word it is a signal.
            Self::EveryProcess => {
                words.len() > 2 && words.last().is_some_and(|word| word.text == "-1")
            }
            Self::System | Self::Device | Self::WrittenDevice => {
                words.iter().skip(1).any(|word| self.is_named_by(word))
            }
        }
    }

    fn is_named_by(self, word: &Word) -> bool {
        let text = word.text.rsplit('=').next().unwrap_or(&word.text);
        match self {
            Self::System => is_system(text),
            Self::EveryProcess => text == "-1",
            Self::Device => is_device(text),
            Self::WrittenDevice => word.text.starts_with("of=") && is_device(text),
        }
    }
}

fn is_system(text: &str) -> bool {
    let mut names: Vec<&str> = Vec::new();
    for name in text.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            _ => names.push(name),
        }
    }
    if names.last().is_some_and(|name| matches!(*name, "*" | ".*")) {
        names.pop();
    }
    let path = names.join("/");
    if text.starts_with('/') {
        SYSTEM_DIRECTORIES.contains(&format!("/{path}").as_str())
    } else {
        HOMES.contains(&path.as_str())
    }
}

/// Returns whether a path is a disk, or the machine's memory.
pub(crate) fn is_device(path: &str) -> bool {
    path.strip_prefix("/dev/")
        .is_some_and(|name| DEVICES.iter().any(|device| name.starts_with(device)))
}

#[cfg(test)]
mod tests {
    use super::{RuleError, load};

    const RULE: &str = r#"
        [[rule]]
        prefix = ["fling", ["far", "high"]]
        with = ["-f", "--force"]
        decision = "deny"
        justification = { en = "no", zh = "不" }
    "#;

    fn error(examples: &str) -> RuleError {
        load(&format!("{RULE}\n{examples}")).unwrap_err()
    }

    #[test]
    fn a_rule_whose_examples_hold_is_taken() {
        let examples = r#"
            match = ["fling far -f", "/usr/bin/fling -xf high a", "fling --force=yes far"]
            not_match = ["fling far", "fling low -f", "flings far -f"]
        "#;
        assert_eq!(load(&format!("{RULE}\n{examples}")).unwrap().len(), 1);
    }

    #[test]
    fn examples_that_do_not_hold_are_named() {
        assert_eq!(
            error(r#"match = ["fling far"]"#).to_string(),
            "the command rule for `fling far|high` should match its example `fling far`"
        );
        assert_eq!(
            error("match = ['fling far -f']\nnot_match = ['fling high -f']").to_string(),
            "the command rule for `fling far|high` should not match its example `fling high -f`"
        );
        assert_eq!(
            error("match = []"),
            RuleError::NoExample("fling far|high".to_owned())
        );
    }

    #[test]
    fn what_is_not_a_rule_is_refused() {
        assert!(matches!(
            load("[[rule]]\nprefix = 3"),
            Err(RuleError::Unreadable(_))
        ));
        assert!(matches!(
            load(&format!("{RULE}\nmatch = ['fling far -f']\nmood = 'bad'")),
            Err(RuleError::Unreadable(_))
        ));
    }
}
