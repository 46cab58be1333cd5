//! Programs that only read, and programs that start others: what their words mean, as data.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::justification::Justification;
use super::options::{Options, Style};
use super::rules::RuleError;
use super::traits::Trait;
use super::verdict::CommandDecision;

/// A program, or a subcommand of one, that only reads when it is called like this.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadRow {
    /// The command words, such as `git log`; several where they take the same options.
    commands: Vec<String>,
    #[serde(default)]
    options: String,
    #[serde(default)]
    style: Style,
    #[serde(default)]
    operands: Operands,
    /// The largest number of operands.
    most: Option<usize>,
    /// Options of which one must be there.
    #[serde(default)]
    needs: Vec<String>,
    /// A language that its operands are written in.
    language: Option<Language>,
    /// Settings that it would obey, and that must not be there.
    #[serde(default)]
    lacks: Vec<String>,
    /// Whether it does no harm whatever its words are.
    #[serde(default)]
    any_words: bool,
    /// Which words it may be given that the script does not say.
    #[serde(default)]
    unknown: Unknown,
    /// The word that must stand last, behind another operand.
    last: Option<String>,
    /// Whether its first word holds options without a dash, as in `tar tf a.tar`.
    #[serde(default)]
    bundled: bool,
}

/// Which words a program may be given that the script does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unknown {
    /// None that could be an option.
    #[default]
    Operands,
    /// Any names of files: none of its options writes, runs or sends anything in any system, and it
    /// writes to no operand.
    Names,
    /// Any names behind a `--`, where it takes every word for an operand.
    BehindOptions,
    /// Any words behind its first operand.
    BehindAWord,
    /// One word where it compares or looks, as `test` does.
    Compared,
}

/// What the operands of a program are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Operands {
    /// There are none.
    None,
    /// Paths that are read.
    #[default]
    Paths,
    /// Text that names no file.
    Text,
    /// Text in which a shell would find nothing to evaluate.
    Plain,
    /// A pattern, then paths; only paths when `-e`, `-f` or their like give the pattern.
    Pattern,
    /// Revisions and paths of a repository.
    Revisions,
    /// `+FORMAT`.
    Format,
    /// Names that are no paths, and begin with a letter or a digit.
    Names,
    /// Names with a dot in them, such as `user.name`.
    Keys,
}

impl Operands {
    /// Returns whether these operands are text of this kind, which names no file.
    pub(crate) fn is_text(self, operands: &[&str]) -> bool {
        match self {
            Self::None => operands.is_empty(),
            Self::Text => true,
            Self::Plain => !operands.iter().any(|word| word.contains(['$', '`'])),
            Self::Format => operands.iter().all(|word| word.starts_with('+')),
            Self::Names => operands.iter().all(|word| is_name(word)),
            Self::Keys => operands.iter().all(|word| is_key(word)),
            Self::Paths | Self::Pattern | Self::Revisions => false,
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "_.+:-".contains(letter))
}

fn is_key(word: &str) -> bool {
    let (section, name) = word.split_once('.').unwrap_or_default();
    !section.is_empty() && !name.is_empty() && !section.starts_with('-')
}

/// A language in which a read-only program can be told to do more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Language {
    /// awk.
    Awk,
    /// sed.
    Sed,
    /// SQL, after the database.
    Sqlite,
    /// SQL of DuckDB, after the database.
    Duckdb,
    /// The filters of jq and yq.
    Jq,
    /// The expressions of `find`.
    Find,
}

/// A program that starts the program which its words name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrapperRow {
    programs: Vec<String>,
    #[serde(default)]
    options: String,
    #[serde(default)]
    before: usize,
    #[serde(default)]
    assigns: bool,
    #[serde(default)]
    takes_input: bool,
    #[serde(default)]
    records: bool,
    #[serde(default)]
    script_after: Option<String>,
    #[serde(default)]
    script_in: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    #[serde(default)]
    lacks_with: Vec<String>,
    #[serde(default)]
    alone: Option<CommandDecision>,
    decision: CommandDecision,
    #[serde(default)]
    traits: Vec<Trait>,
    justification: Option<Justification>,
}

/// A wrapper, ready to be looked through.
#[derive(Debug, Clone)]
pub(crate) struct Wrapper {
    /// Its own options.
    pub options: Options,
    /// How many operands of its own stand before the command.
    pub before: usize,
    /// Whether `NAME=value` may stand before the command.
    pub assigns: bool,
    /// Whether it makes words of its standard input.
    pub takes_input: bool,
    /// Whether its own operand is a file that it writes, and options are its own wherever they
    /// stand.
    pub records: bool,
    /// The option after which the first operand is a script.
    pub script_after: Option<String>,
    /// The options whose value is a script.
    pub script_in: Vec<String>,
    /// Settings that it would obey, and that must not be there.
    pub lacks: Vec<String>,
    /// The options with which it obeys them; always where there are none.
    pub lacks_with: Vec<String>,
    /// What becomes of it without a command.
    pub alone: CommandDecision,
    /// What it adds to the decision about the command.
    pub decision: CommandDecision,
    /// What it adds to its traits.
    pub traits: super::traits::Traits,
    /// Why it asks.
    pub justification: Option<Justification>,
}

/// A read-only command, ready to be matched.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    /// The words after the program, such as `remote show`.
    pub subcommand: Vec<String>,
    /// Its options.
    pub options: Options,
    /// Its operands.
    pub operands: Operands,
    /// The largest number of operands.
    pub most: usize,
    /// Options of which one must be there.
    pub needs: Vec<String>,
    /// The language of its operands.
    pub language: Option<Language>,
    /// Settings that must not be there.
    pub lacks: Vec<String>,
    /// Whether it does no harm whatever its words are.
    pub any_words: bool,
    /// Which words it may be given that the script does not say.
    pub unknown: Unknown,
    /// The word that must stand last, behind another operand.
    pub last: Option<String>,
    /// Whether its first word holds options without a dash.
    pub bundled: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Globals {
    program: String,
    options: String,
    #[serde(default)]
    style: Style,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadTable {
    #[serde(default)]
    globals: Vec<Globals>,
    read: Vec<ReadRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrapperTable {
    wrapper: Vec<WrapperRow>,
}

/// The read-only commands, by program.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    globals: BTreeMap<String, Options>,
    readers: BTreeMap<String, Vec<Reader>>,
}

impl Readers {
    /// Reads tables, the later ones adding to the earlier.
    pub(crate) fn load(tables: &[&str]) -> Result<Self, RuleError> {
        let mut all = Self::default();
        for text in tables {
            let table: ReadTable =
                toml::from_str(text).map_err(|error| RuleError::Unreadable(error.to_string()))?;
            for globals in table.globals {
                let options = Options::new(&globals.options, globals.style);
                all.globals.insert(globals.program, options);
            }
            for row in &table.read {
                all.add(row)?;
            }
        }
        Ok(all)
    }

    fn add(&mut self, row: &ReadRow) -> Result<(), RuleError> {
        for command in &row.commands {
            let mut words = command.split_whitespace().map(str::to_owned);
            let program = words.next().ok_or(RuleError::EmptyPrefix)?;
            self.readers.entry(program).or_default().push(Reader {
                subcommand: words.collect(),
                options: Options::new(&row.options, row.style),
                operands: row.operands,
                most: row.most.unwrap_or(usize::MAX),
                needs: row.needs.clone(),
                language: row.language,
                lacks: row.lacks.clone(),
                any_words: row.any_words,
                unknown: row.unknown,
                last: row.last.clone(),
                bundled: row.bundled,
            });
        }
        Ok(())
    }

    /// Returns the options that stand between a program and its subcommand.
    pub(crate) fn globals(&self, program: &str) -> Option<&Options> {
        self.globals.get(program)
    }

    /// Returns the programs that obey settings in some of their uses.
    pub(crate) fn with_settings(&self) -> impl Iterator<Item = &str> {
        let obeys = |readers: &[Reader]| readers.iter().any(|reader| !reader.lacks.is_empty());
        let all = self.readers.iter();
        all.filter(move |(_, readers)| obeys(readers.as_slice()))
            .map(|(program, _)| program.as_str())
    }

    /// Returns the programs that something is known of.
    #[cfg(test)]
    pub(crate) fn programs(&self) -> impl Iterator<Item = &str> {
        self.readers.keys().map(String::as_str)
    }

    /// Returns whether anything is known of a program.
    pub(crate) fn knows(&self, program: &str) -> bool {
        self.readers.contains_key(program)
    }

    /// Returns whether no option of a program writes, runs or sends anything, so that no setting
    /// of its environment can make it do so.
    pub(crate) fn only_look(&self, program: &str) -> bool {
        self.readers.get(program).is_some_and(|readers| {
            readers
                .iter()
                .all(|reader| reader.unknown == Unknown::Names && reader.language.is_none())
        })
    }

    /// Returns the commands with the longest subcommand that these words start with. Several may
    /// differ in their options.
    pub(crate) fn find(&self, program: &str, words: &[&str]) -> Vec<&Reader> {
        let readers = self.readers.get(program).map_or(&[][..], Vec::as_slice);
        let fits = |reader: &&Reader| {
            reader.subcommand.len() <= words.len()
                && reader
                    .subcommand
                    .iter()
                    .zip(words)
                    .all(|(expected, word)| is_named(expected, word))
        };
        let longest = readers
            .iter()
            .filter(fits)
            .map(|reader| reader.subcommand.len())
            .max();
        readers
            .iter()
            .filter(fits)
            .filter(|reader| Some(reader.subcommand.len()) == longest)
            .collect()
    }
}

/// A `*` stands for any name, which is no option.
fn is_named(expected: &str, word: &str) -> bool {
    expected == word || (expected == "*" && !word.starts_with('-'))
}

impl Reader {
    /// Returns whether this is an option with a value that is plain text: neither a path nor a
    /// part of a program.
    pub(crate) fn takes_text(&self, option: &str) -> bool {
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        self.language.is_none() && self.options.has_text(name)
    }

    /// Returns whether these operands can be taken on sight: text, or paths that are relative and
    /// do not climb.
    pub(crate) fn takes(&self, operands: &[&str]) -> bool {
        match self.operands {
            Operands::None
            | Operands::Text
            | Operands::Plain
            | Operands::Format
            | Operands::Names
            | Operands::Keys => self.operands.is_text(operands),
            Operands::Paths | Operands::Pattern | Operands::Revisions => operands
                .iter()
                .all(|path| !path.starts_with('/') && !path.split('/').any(|name| name == "..")),
        }
    }
}

/// Reads the table of wrappers.
pub(crate) fn load_wrappers(text: &str) -> Result<BTreeMap<String, Wrapper>, RuleError> {
    let table: WrapperTable =
        toml::from_str(text).map_err(|error| RuleError::Unreadable(error.to_string()))?;
    let mut wrappers = BTreeMap::new();
    for row in table.wrapper {
        let wrapper = Wrapper {
            options: Options::new(&row.options, Style::Gnu),
            before: row.before,
            assigns: row.assigns,
            takes_input: row.takes_input,
            records: row.records,
            script_after: row.script_after,
            script_in: row.script_in,
            lacks: row.lacks,
            lacks_with: row.lacks_with,
            alone: row.alone.unwrap_or(CommandDecision::Ask),
            decision: row.decision,
            traits: row.traits.into_iter().collect(),
            justification: row.justification,
        };
        for program in row.programs {
            wrappers.insert(program, wrapper.clone());
        }
    }
    Ok(wrappers)
}
