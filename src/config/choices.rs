//! What keys with a few words can be, as the rooms below are given it.

use serde::Deserialize;

/// How an answer of many messages is said in a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LongAnswers {
    /// One below the other.
    Messages,
    /// In a thread of its own.
    Thread,
}

/// Which endpoint of a llama.cpp server is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlamaMode {
    /// `/v1/chat/completions`, or `/completion` where there is no such endpoint.
    Auto,
    /// `/v1/chat/completions`.
    OpenaiCompat,
    /// `/completion`.
    Completion,
}

/// Whether calls are looked for in the text of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallsInText {
    /// Of models that are known to say them there, and of servers in one's own network.
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// What a message does that is said while its person's turn runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhileBusy {
    /// It joins the turn.
    Steer,
    /// It waits for a turn of its own.
    Queue,
    /// It ends the turn, and begins the next one.
    Interrupt,
}

/// When the work of a turn in a project is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenChecked {
    /// At the end of each turn that changed files, and on request.
    AfterChange,
    /// On request.
    Asked,
    /// Never: the model has no tool for it.
    Never,
}

/// Whether there is a Phase 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// A first, small model call chooses skills or asks back.
    TwoPhase,
    /// The same, while Phase 2 is asked already with what free local rules guess.
    Parallel,
    /// As `Parallel`, but for messages for which there is nothing to choose or to ask.
    Auto,
    /// Every message goes straight to Phase 2.
    Off,
}

/// Whether a plan is made before work on code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Planning {
    /// Where the decision gate says that code is to be changed.
    Auto,
    /// Never.
    Off,
}

/// Whether a plan waits for its person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskAboutPlans {
    /// It is followed at once.
    Never,
    /// It is followed once its person says so.
    Ask,
}

/// What is written to the log file: this level and what is graver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// What went wrong.
    Error,
    /// What may go wrong.
    Warn,
    /// What happens.
    Info,
    /// How it happens, with the beginnings of what models are asked and answer.
    Debug,
}

/// How lines of the log are written, on standard error and in the log file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object each, for programs that collect logs.
    Json,
}

impl LogLevel {
    /// Returns the name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }
}
