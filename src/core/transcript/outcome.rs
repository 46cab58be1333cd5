//! The result of a tool call: a type, and how it is shown to the model and to people.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{CheckReport, Inquiry, OutsideSource, PlannedStep, enclose};

/// The result of a tool call. The prefixes of the seeds are only its rendering for the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ToolOutcome {
    /// It did what was asked.
    Success {
        /// What it gave.
        output: String,
    },
    /// It ran and did not succeed.
    Failed {
        /// The reason, in text written by the system that the model can act on.
        error: String,
        /// What it gave before it failed; what comes from outside belongs here.
        partial: Option<String>,
    },
    /// It could not run: bad arguments, an unknown tool, an internal error.
    Error {
        /// Whose fault that was; journals from before there were codes have none.
        #[serde(default)]
        code: ErrorCode,
        /// What was wrong and what is allowed.
        message: String,
    },
    /// The person is to be asked: the turn ends with these questions.
    Asks {
        /// The questions, in their order.
        questions: Vec<Inquiry>,
    },
    /// A file is to be sent to the chat; it is, together with this result.
    Sends {
        /// The file.
        file: FileToSend,
    },
    /// The current plan of the turn.
    Plans {
        /// Its steps, in their order.
        steps: Vec<PlannedStep>,
    },
    /// A check of the project ran.
    Checked {
        /// What it found.
        report: Box<CheckReport>,
        /// What it wrote, for the model.
        output: String,
    },
    /// It was not allowed to run, by the policy or by a person.
    Denied {
        /// Why, for the model.
        why: String,
        /// The same as a line for people: “Not run: you said no”. Empty where none is needed.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        shown: String,
    },
    /// It was started and its outcome is unknown: the process was killed meanwhile, or the call was
    /// abandoned.
    Unknown {
        /// After how many seconds it was given up; `None` where it was interrupted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        given_up_secs: Option<u64>,
    },
}

/// A file on its way to a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileToSend {
    /// The name that people see.
    pub name: String,
    /// Where the copy is that is sent.
    pub path: PathBuf,
    /// How large it is.
    pub bytes: u64,
    /// The line that goes with it; may be empty.
    pub caption: String,
}

/// Why a call did not run; the first two have the names of the seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub enum ErrorCode {
    /// The arguments cannot be used: another call can do it.
    #[serde(rename = "E_INVALID_ARGS")]
    InvalidArgs,
    /// The tool could not do its work; in older journals also: there is none of this name.
    #[default]
    #[serde(rename = "E_TOOL")]
    Tool,
    /// There is no tool of this name. The model is shown the code of [`Self::Tool`].
    #[serde(rename = "E_UNKNOWN_TOOL")]
    UnknownTool,
    /// It would only have repeated what came to nothing new.
    #[serde(rename = "E_LOOP")]
    Loop,
    /// It gave way to what the person said before it was started.
    #[serde(rename = "E_STEERED")]
    Steered,
}

impl ErrorCode {
    /// Returns the name that the model is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgs => "E_INVALID_ARGS",
            Self::Tool | Self::UnknownTool => "E_TOOL",
            Self::Loop => "E_LOOP",
            Self::Steered => "E_STEERED",
        }
    }
}

impl ToolOutcome {
    /// The outcome of a call that was under way when we were killed.
    pub const INTERRUPTED: Self = Self::Unknown {
        given_up_secs: None,
    };

    /// Returns the outcome of a call that was given up after so long.
    pub fn given_up(after: Duration) -> Self {
        Self::Unknown {
            given_up_secs: Some(after.as_secs()),
        }
    }

    /// Returns how it is called where outcomes are counted and audited.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Success { .. } => "success",
            Self::Failed { .. } => "failed",
            Self::Error { .. } => "error",
            Self::Asks { .. } => "asks",
            Self::Sends { .. } => "sends",
            Self::Plans { .. } => "plans",
            Self::Checked { .. } => "checked",
            Self::Denied { .. } => "denied",
            Self::Unknown { .. } => "unknown",
        }
    }

    /// Returns the result of a call that was not allowed, with a reason for the model alone.
    pub fn denied(why: impl Into<String>) -> Self {
        Self::Denied {
            why: why.into(),
            shown: String::new(),
        }
    }

    /// Returns the result of a call whose arguments cannot be used.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Error {
            code: ErrorCode::InvalidArgs,
            message: message.into(),
        }
    }

    /// Returns the result of a call that a tool could not take up.
    pub fn not_run(message: impl Into<String>) -> Self {
        Self::Error {
            code: ErrorCode::Tool,
            message: message.into(),
        }
    }

    /// Returns the result of a call of a tool that there is not.
    pub fn unknown_tool(message: impl Into<String>) -> Self {
        Self::Error {
            code: ErrorCode::UnknownTool,
            message: message.into(),
        }
    }

    /// Returns the result of a call that gave way to what the person said.
    pub fn steered(message: impl Into<String>) -> Self {
        Self::Error {
            code: ErrorCode::Steered,
            message: message.into(),
        }
    }

    /// Returns the result of a call that was kept from running, because it repeats others.
    pub fn repeated(message: impl Into<String>) -> Self {
        Self::Error {
            code: ErrorCode::Loop,
            message: message.into(),
        }
    }

    /// Returns the text that the model is shown.
    pub fn for_model(&self) -> String {
        match self {
            Self::Success { output } if output.is_empty() => "(no output)".to_owned(),
            Self::Success { output } => output.clone(),
            Self::Failed {
                error,
                partial: Some(partial),
            } => {
                format!("[failed] {error}\n[partial output]\n{partial}")
            }
            Self::Failed {
                error,
                partial: None,
            } => format!("[failed] {error}"),
            Self::Error { code, message } => format!("[error] {}: {message}", code.as_str()),
            Self::Asks { .. } => "asked; the answers come as the next message".to_owned(),
            Self::Sends { file } => {
                format!("sent to this chat: {} ({} bytes)", file.name, file.bytes)
            }
            Self::Plans { steps } => format!("noted: {}", progress(steps)),
            Self::Checked { report, output } => format!("{}\n{output}", verdict(report)),
            Self::Denied { why, .. } => format!("[failed] not run: {why}"),
            Self::Unknown { given_up_secs } => {
                let why = match given_up_secs {
                    None => "the program was interrupted while it ran.".to_owned(),
                    Some(seconds) => format!(
                        "it did not end within {seconds} s and was given up; what it was to do may \
                         be done, whole or in part."
                    ),
                };
                format!(
                    "[error] E_TOOL: the outcome of this call is unknown: {why} Look at what it did \
                     before you repeat it; a repetition is asked for approval."
                )
            }
        }
    }

    /// Returns the same outcome with every text of it changed.
    pub fn map_texts(self, change: impl Fn(String) -> String) -> Self {
        match self {
            Self::Success { output } => Self::Success {
                output: change(output),
            },
            Self::Failed { error, partial } => Self::Failed {
                error: change(error),
                partial: partial.map(change),
            },
            Self::Error { code, message } => Self::Error {
                code,
                message: change(message),
            },
            Self::Asks { questions } => Self::Asks {
                questions: questions
                    .into_iter()
                    .map(|asked| Inquiry {
                        question: change(asked.question),
                        choices: asked.choices.into_iter().map(&change).collect(),
                    })
                    .collect(),
            },
            Self::Sends { file } => Self::Sends {
                file: FileToSend {
                    name: change(file.name),
                    caption: change(file.caption),
                    ..file
                },
            },
            Self::Plans { steps } => Self::Plans {
                steps: steps
                    .into_iter()
                    .map(|step| PlannedStep {
                        text: change(step.text),
                        check: step.check.map(&change),
                        ..step
                    })
                    .collect(),
            },
            Self::Checked { report, output } => Self::Checked {
                report: Box::new(report.map_texts(&change)),
                output: change(output),
            },
            Self::Denied { why, shown } => Self::Denied {
                why: change(why),
                shown: change(shown),
            },
            Self::Unknown { given_up_secs } => Self::Unknown { given_up_secs },
        }
    }

    /// Returns the text that the model is shown of a result of this source, with what comes from
    /// outside in delimiters.
    pub fn for_model_from(&self, source: &OutsideSource) -> String {
        match self.clone() {
            Self::Success { output } if !output.is_empty() => enclose(&output, source),
            Self::Failed {
                error,
                partial: Some(partial),
            } => Self::Failed {
                error,
                partial: Some(enclose(&partial, source)),
            }
            .for_model(),
            Self::Checked { report, output } if !output.is_empty() => {
                format!("{}\n{}", verdict(&report), enclose(&output, source))
            }
            ours => ours.for_model(),
        }
    }

    /// Returns the output of the call itself, which may contain text by others; `None` where all of
    /// it is text written by the system.
    pub fn given(&self) -> Option<&str> {
        let given = match self {
            Self::Success { output } | Self::Checked { output, .. } => Some(output),
            Self::Failed { partial, .. } => partial.as_ref(),
            Self::Error { .. }
            | Self::Asks { .. }
            | Self::Sends { .. }
            | Self::Plans { .. }
            | Self::Denied { .. }
            | Self::Unknown { .. } => None,
        };
        given.map(String::as_str).filter(|given| !given.is_empty())
    }
}

/// Says what a check found, without a word of what it wrote.
fn verdict(report: &CheckReport) -> String {
    let strategy = report.strategy.as_str();
    let seconds = report.millis.div_ceil(1000);
    let Some(failure) = report.failure() else {
        let counted = report.tests.map(|tests| format!(" {tests} tests,"));
        let counted = counted.unwrap_or_default();
        return format!("[passed] {strategy}:{counted} {seconds} s");
    };
    let kind = failure.kind.as_str();
    match (failure.failed, report.tests) {
        (0, _) => format!("[failed] {strategy}: {kind}, {seconds} s"),
        (failed, Some(tests)) => {
            format!("[failed] {strategy}: {kind}, {failed} of {tests}, {seconds} s")
        }
        (failed, None) => format!("[failed] {strategy}: {kind}, {failed}, {seconds} s"),
    }
}

/// How far a plan is, such as `1/3`.
fn progress(steps: &[PlannedStep]) -> String {
    let done = steps.iter().filter(|step| step.is_done).count();
    format!("{done}/{}", steps.len())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{OutsideSource, ToolOutcome};

    #[test]
    fn the_model_sees_the_forms_of_the_seeds() {
        let success = ToolOutcome::Success {
            output: "done".into(),
        };
        assert_eq!(success.for_model(), "done");
        let failed = ToolOutcome::Failed {
            error: "exit code 1".into(),
            partial: Some("a\nb".into()),
        };
        assert_eq!(
            failed.for_model(),
            "[failed] exit code 1\n[partial output]\na\nb"
        );
        let error = ToolOutcome::not_run("no such tool");
        assert_eq!(error.for_model(), "[error] E_TOOL: no such tool");
        let error = ToolOutcome::invalid("`path`: it is missing");
        assert_eq!(
            error.for_model(),
            "[error] E_INVALID_ARGS: `path`: it is missing"
        );
    }

    #[test]
    fn an_error_of_an_old_journal_has_no_code() {
        let old = r#"{"kind":"error","message":"no such tool"}"#;
        let read: ToolOutcome = serde_json::from_str(old).unwrap();
        assert_eq!(read, ToolOutcome::not_run("no such tool"));
        let new = serde_json::to_string(&ToolOutcome::invalid("x")).unwrap();
        assert_eq!(
            new,
            r#"{"kind":"error","code":"E_INVALID_ARGS","message":"x"}"#
        );
    }

    #[test]
    fn an_unknown_outcome_says_why_no_one_knows() {
        let old: ToolOutcome = serde_json::from_str(r#"{"kind":"unknown"}"#).unwrap();
        assert_eq!(old, ToolOutcome::INTERRUPTED);
        insta::assert_snapshot!(old.for_model(), @"[error] E_TOOL: the outcome of this call is unknown: the program was interrupted while it ran. Look at what it did before you repeat it; a repetition is asked for approval.");
        let given_up = ToolOutcome::given_up(Duration::from_mins(10));
        insta::assert_snapshot!(given_up.for_model(), @"[error] E_TOOL: the outcome of this call is unknown: it did not end within 600 s and was given up; what it was to do may be done, whole or in part. Look at what it did before you repeat it; a repetition is asked for approval.");
        let stored = serde_json::to_string(&given_up).unwrap();
        assert_eq!(stored, r#"{"kind":"unknown","given_up_secs":600}"#);
    }

    #[test]
    fn only_what_comes_from_outside_is_enclosed() {
        let failed = ToolOutcome::Failed {
            error: "exit code 1".into(),
            partial: Some("a\nb".into()),
        };
        insta::assert_snapshot!(failed.for_model_from(&OutsideSource::new("shell")), @r"
        [failed] exit code 1
        [partial output]
        [outside 3c81ecf4: shell]
        a
        b
        [/outside 3c81ecf4]
        ");
        let silent = ToolOutcome::Success {
            output: String::new(),
        };
        assert_eq!(
            silent.for_model_from(&OutsideSource::new("shell")),
            "(no output)"
        );
        assert_eq!(silent.given(), None);
        assert_eq!(failed.given(), Some("a\nb"));
    }
}
