//! What can be wrong with a skill, and how much it matters.

/// Something that is wrong with a skill, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line of `SKILL.md`, counted from 1.
    pub line: u64,
    /// What it is.
    pub problem: Problem,
}

/// What can be wrong with a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The file cannot be read.
    Unreadable(String),
    /// The file has more bytes than a skill may have.
    TooLarge,
    /// The file is not UTF-8.
    NotText,
    /// The first line is not `---`.
    NoFrontMatter,
    /// No second line `---`.
    NotClosed,
    /// The front matter is not YAML, or a value has the wrong kind.
    Yaml(String),
    /// A key is there twice.
    Twice(String),
    /// A key that must be there has no value.
    Missing(&'static str),
    /// The name has other characters, or too many.
    BadName(String),
    /// The tools are neither words nor a list of words.
    AllowedTools,
    /// The metadata is not keys with values.
    Metadata,
    /// The name has its hyphens at a wrong place.
    Hyphens(String),
    /// The name is not that of the folder.
    OtherFolder {
        /// The name.
        name: String,
        /// The folder.
        folder: String,
    },
    /// A value has more characters than the format allows.
    TooLong {
        /// The key.
        key: &'static str,
        /// How many it has.
        length: usize,
        /// How many it may have.
        limit: usize,
    },
    /// The system is none that there is.
    UnknownSystem(String),
    /// A link leads out of the skill's folder.
    LeadsOut(String),
    /// A file that the text names is not there.
    NoSuchFile(String),
    /// The format has no such key.
    UnknownKey(String),
    /// A value of the metadata is itself a list or a map.
    NestedMetadata(String),
    /// The description does not say when to load the skill.
    NoTrigger(&'static str),
    /// There is nothing below the front matter.
    NoText,
    /// The text has more lines than is good for it.
    LongText(usize),
    /// The skill needs something that is not here.
    Unmet(Unmet),
}

/// What a skill needs and this machine has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmet {
    /// A program that is not in `PATH`.
    Program(String),
    /// A variable of the environment that is not set.
    Variable(String),
    /// It is for other systems.
    System(String),
}

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It could be better.
    Advice,
    /// The published format forbids it; what it does to the skill can be borne.
    Wrong,
    /// The skill is not loaded.
    Refused,
}

impl Problem {
    /// Returns how much it matters.
    pub fn weight(&self) -> Weight {
        match self {
            Self::Unreadable(_)
            | Self::TooLarge
            | Self::NotText
            | Self::NoFrontMatter
            | Self::NotClosed
            | Self::Yaml(_)
            | Self::Twice(_)
            | Self::Missing(_)
            | Self::BadName(_)
            | Self::AllowedTools
            | Self::Metadata => Weight::Refused,
            Self::Hyphens(_)
            | Self::OtherFolder { .. }
            | Self::TooLong { .. }
            | Self::UnknownSystem(_)
            | Self::LeadsOut(_) => Weight::Wrong,
            Self::NoSuchFile(_)
            | Self::UnknownKey(_)
            | Self::NestedMetadata(_)
            | Self::NoTrigger(_)
            | Self::NoText
            | Self::LongText(_)
            | Self::Unmet(_) => Weight::Advice,
        }
    }
}
