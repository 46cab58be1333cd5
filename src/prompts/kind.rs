//! The kinds of prompts. A new one is a variant here, and a function of its feature.

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptKind {
    /// Owners: whether a stranger is let in.
    Admission,
    /// Whether an account is to be linked with another one, or unlinked.
    Link,
    /// Owners: whether a budget limit is raised for the rest of its day.
    BudgetRaise,
    /// Whether everything of a person is erased.
    Erasure,
    /// Which memories are to be forgotten.
    Forget,
    /// The note about what was learned: whether it is undone.
    LearnedUndo,
    /// Whether files are put back that something else changed since.
    FileUndo,
    /// Whether what an undo took away is brought back.
    FileRedo,
    /// Owners: whether a skill is installed or loaded.
    SkillReview,
    /// An owner: whether the `AGENTS.md` of a project is followed.
    ProjectInstructions,
    /// Whether the request of a failed turn is run again.
    Retry,
    /// A clarification, or what the model asks.
    Question,
    /// Whether another command was meant than the one that does not exist.
    CommandGuess,
    /// A reminder that was said: whether it is settled, or comes again.
    Reminder,
    /// What is done with messages that wait behind a turn. This and those below have no row: their
    /// buttons carry a number that is no secret, and the feature judges each press.
    Queue,
    /// Whether a turn is stopped.
    Stop,
    /// Which model is asked first.
    ModelList,
    /// Which project a conversation works in.
    ProjectList,
    /// What is done with a routine.
    RoutineList,
    /// How much of an answer to a command is shown.
    CommandView,
    /// Which autonomy level applies in a chat.
    AutonomyLevel,
    /// Which of the listed memories is forgotten, and which are listed.
    MemoryList,
    /// Which standing permission is taken back.
    GrantList,
    /// In which language a person is answered.
    LanguageList,
    /// By whose clock a person lives.
    ZoneList,
}

impl PromptKind {
    /// Every kind.
    pub const ALL: [Self; 25] = [
        Self::Admission,
        Self::Link,
        Self::BudgetRaise,
        Self::Erasure,
        Self::Forget,
        Self::LearnedUndo,
        Self::FileUndo,
        Self::FileRedo,
        Self::SkillReview,
        Self::ProjectInstructions,
        Self::Retry,
        Self::Question,
        Self::CommandGuess,
        Self::Reminder,
        Self::Queue,
        Self::Stop,
        Self::ModelList,
        Self::ProjectList,
        Self::RoutineList,
        Self::CommandView,
        Self::AutonomyLevel,
        Self::MemoryList,
        Self::GrantList,
        Self::LanguageList,
        Self::ZoneList,
    ];

    /// Returns the name in the database and the code on buttons.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Admission => ("admission", "ad"),
            Self::Link => ("link", "li"),
            Self::BudgetRaise => ("budget_raise", "bu"),
            Self::Erasure => ("erasure", "er"),
            Self::Forget => ("forget", "fo"),
            Self::LearnedUndo => ("learned_undo", "le"),
            Self::FileUndo => ("file_undo", "fi"),
            Self::FileRedo => ("file_redo", "fr"),
            Self::SkillReview => ("skill_review", "sk"),
            Self::ProjectInstructions => ("project_instructions", "pi"),
            Self::Retry => ("retry", "re"),
            Self::Question => ("question", "q"),
            Self::CommandGuess => ("command_guess", "co"),
            Self::Reminder => ("reminder", "rm"),
            Self::Queue => ("queue", "qu"),
            Self::Stop => ("stop", "st"),
            Self::ModelList => ("model_list", "mo"),
            Self::ProjectList => ("project_list", "pr"),
            Self::RoutineList => ("routine_list", "ro"),
            Self::CommandView => ("command_view", "cv"),
            Self::AutonomyLevel => ("autonomy_level", "au"),
            Self::MemoryList => ("memory_list", "me"),
            Self::GrantList => ("grant_list", "gr"),
            Self::LanguageList => ("language_list", "la"),
            Self::ZoneList => ("zone_list", "zo"),
        }
    }

    /// Returns the name in the database.
    pub fn as_str(self) -> &'static str {
        self.names().0
    }

    /// Returns the code on buttons.
    pub fn code(self) -> &'static str {
        self.names().1
    }

    /// Returns the kind with this name in the database.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns the kind with this code on buttons.
    pub fn coded(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}
