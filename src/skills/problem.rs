//! What can be wrong with a skill, and how much it matters.

use sayso_tools::NotFetched;

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
    /// The name has letters that the format does not; it is loaded under another.
    OtherLetters {
        /// The name in the file.
        written: String,
        /// The name that it is loaded under.
        name: String,
    },
    /// A value is a list and should be a text.
    ListForText(&'static str),
    /// Another skill beside it has this name and comes before it.
    NameTaken {
        /// The name.
        name: String,
        /// The folder of the other.
        folder: String,
    },
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
    /// The number of steps is none that may be asked for.
    BadSteps(String),
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
    /// The file is not what an owner approved any more.
    NotApproved(String),
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
    /// It could be better, or is read otherwise than the format has it.
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
            | Self::Metadata
            | Self::NotApproved(_)
            | Self::NameTaken { .. } => Weight::Refused,
            Self::Hyphens(_)
            | Self::OtherFolder { .. }
            | Self::TooLong { .. }
            | Self::UnknownSystem(_)
            | Self::BadSteps(_)
            | Self::LeadsOut(_) => Weight::Wrong,
            Self::NoSuchFile(_)
            | Self::UnknownKey(_)
            | Self::NestedMetadata(_)
            | Self::NoTrigger(_)
            | Self::NoText
            | Self::LongText(_)
            | Self::Unmet(_)
            | Self::OtherLetters { .. }
            | Self::ListForText(_) => Weight::Advice,
        }
    }
}

/// Why a third-party skill is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is nothing of that name.
    NoSource,
    /// The source is on this machine, and named from elsewhere as if it were not.
    NotHere,
    /// The source cannot be fetched.
    NotFetched(NotFetched),
    /// The name says no archive that is read.
    NoFormat,
    /// There is no `SKILL.md`.
    NoSkill,
    /// There are several skills; their names.
    Several(Vec<String>),
    /// Something cannot be read.
    Unreadable(String),
    /// A link, a device or the like.
    NoPlainFile(String),
    /// A path that leads out.
    LeadsOut(String),
    /// A path that is there twice.
    Twice(String),
    /// More bytes than a skill may have.
    TooLarge,
    /// More files than a skill may have.
    TooManyFiles,
    /// Folders in folders beyond measure.
    TooDeep,
    /// An archive that unpacks to far more than it packs.
    Bomb,
    /// An entry of an archive that needs a password.
    Encrypted(String),
    /// The archive cannot be read.
    BrokenArchive(String),
    /// It lies in place together with what version control keeps.
    VersionControl,
    /// Its files cannot be kept here.
    NotKept(String),
    /// It is not what was shown any more.
    Changed,
    /// The skill itself is refused.
    Skill(Finding),
}

impl From<NotFetched> for Refusal {
    fn from(why: NotFetched) -> Self {
        Self::NotFetched(why)
    }
}

impl Refusal {
    /// Returns the refusal of what the system did not read.
    pub fn unreadable(error: &std::io::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}
