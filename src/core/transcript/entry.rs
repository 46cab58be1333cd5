//! The entries of a turn's journal: append-only, the single source of truth.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fit::Telling;
use super::{
    AnnouncedFile, AssistantMessage, ByRules, CallId, Consulted, Cut, Fetched, InboxId, Inquiry,
    IssuedCheck, MemoryId, ModelRequest, Origin, PassageId, PlanApproval, Planned, PlannedStep,
    RouteResult, Size, Skipped, Taint, ToolCall, ToolOutcome, Usage, UserId,
};

/// One entry of a turn's journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// The turn began.
    Started(Started),
    /// Messages joined the turn; their inbox rows are consumed in the same transaction.
    Heard(Heard),
    /// The files of a message were fetched, as far as that was possible.
    Fetched(Fetched),
    /// Phase 1 decided.
    Routed(Routed),
    /// A plan was made before the first step, or none.
    Planned(Planned),
    /// The model answered.
    Replied(Replied),
    /// A driver that is no model makes calls: a chain, or a check.
    Issued(Issued),
    /// A model was called, and the result has no entry of its own.
    Consulted(Consulted),
    /// A tool call is about to run: committed before it does.
    Called {
        /// The call.
        call: CallId,
    },
    /// A tool call has a result.
    Returned(Returned),
    /// Calls wait for a person.
    Held {
        /// The calls of the step that one card lists.
        calls: Vec<CallId>,
    },
    /// A person, or time, decided on a held call.
    Decided(Decided),
    /// Something the model must know that is not a person's message: what happened while the turn
    /// was parked.
    Noted {
        /// The note.
        text: String,
    },
    /// Something of the conversation gave way, because it did not fit into the model.
    Compacted(Compacted),
    /// Older turns of the session, this one the newest of them, have a summary in their place from
    /// now on, or nothing.
    Condensed(Condensed),
    /// A person had the file changes of the turn put back, after its end.
    Undone(Undone),
    /// A person had that undo reversed: these files are as the turn left them again.
    Redone(Undone),
    /// The turn is over.
    Ended {
        /// The outcome.
        outcome: TurnOutcome,
    },
}

/// How a turn began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// Why it began.
    #[serde(default, skip_serializing_if = "Origin::is_message")]
    pub origin: Origin,
    /// What its driver works from, where that is no message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
    /// History is the turns of the session that ended up to this number.
    pub history_cursor: i64,
    /// The question that the first message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answering: Option<Answering>,
}

/// A clarification that is being answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answering {
    /// What the user had asked for.
    pub request: String,
    /// What we asked back.
    pub question: String,
    /// How many clarifications in a row this request has had.
    pub asked: u32,
    /// Whether words of others than the turn's user are in the request.
    #[serde(default)]
    pub untrusted: bool,
    /// The steps that the words of the person change, where they answer a plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<PlannedStep>,
}

/// Messages that joined the turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// In the order in which they were said.
    pub messages: Vec<HeardText>,
}

/// One message as the model is shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeardText {
    /// The inbox row that it consumes.
    pub inbox: InboxId,
    /// The text with its quotation, attributions and file notes.
    pub text: String,
    /// Whether words of others than the turn's user are in it.
    #[serde(default)]
    pub untrusted: bool,
    /// The files that it announces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<AnnouncedFile>,
}

/// What Phase 1 decided, and what it cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routed {
    /// The decision.
    pub route: RouteResult,
    /// What the call cost.
    #[serde(default)]
    pub usage: Usage,
    /// Why Phase 1 was not asked, when it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skipped>,
    /// How the model was asked, when it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asking: Option<ModelRequest>,
    /// What the local rules make of the message; journals from before they ran have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rules: Option<ByRules>,
    /// Whether a plan is made before the first step, and if so, whether its person is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plans: Option<PlanApproval>,
    /// The result of the guess, where Phase 2 was asked at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<Guess>,
}

/// The result of asking Phase 2 before Phase 1 had decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guess {
    /// Phase 1 decided what was guessed: the answer under way is that of the first step.
    Agreed,
    /// It decided otherwise: that answer was dropped.
    Dropped {
        /// What it cost until then, estimated.
        usage: Usage,
    },
}

impl Routed {
    /// Returns whether a model was asked and answered.
    pub fn was_answered(&self) -> bool {
        let counted = self.usage != Usage::default();
        self.skipped.is_none() && (self.asking.is_some() || counted)
    }
}

/// An answer of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Replied {
    /// The message with its tool calls.
    pub message: AssistantMessage,
    /// What the call cost.
    #[serde(default)]
    pub usage: Usage,
    /// The memories that were in the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_hits: Vec<MemoryId>,
    /// The passages of the operator's texts that were in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knowledge_hits: Vec<PassageId>,
    /// How the model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asking: Option<ModelRequest>,
    /// The untrusted text that the prompt held beside what this turn itself had heard and read.
    #[serde(default, skip_serializing_if = "Taint::is_empty")]
    pub taint: Taint,
}

/// Calls that no model asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Issued {
    /// The calls, in the order in which they run.
    pub calls: Vec<ToolCall>,
    /// The untrusted text that their arguments were made from, beside what this turn itself had
    /// heard and read.
    #[serde(default, skip_serializing_if = "Taint::is_empty")]
    pub taint: Taint,
    /// What they do for the checks of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<IssuedCheck>,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Returned {
    /// The call.
    pub call: CallId,
    /// The result.
    pub outcome: ToolOutcome,
    /// Whether the result holds text from outside.
    #[serde(default)]
    pub tainted: bool,
    /// Whether all of that is the user's own, so that it taints nothing: it comes from a workspace
    /// into which nothing from outside ever came.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
    /// What the injection check said of the result, unless it was clean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screened: Option<Screened>,
}

impl Returned {
    /// Returns whether the model is shown text from outside: a result that was withheld shows none.
    pub fn shows_outside_text(&self) -> bool {
        let is_withheld = |screened: &Screened| screened.treatment == Treated::Withheld;
        self.tainted && !self.screened.as_ref().is_some_and(is_withheld)
    }

    /// Returns whether the injection check takes the text for orders to the model, and passed it
    /// on.
    pub fn is_suspected(&self) -> bool {
        self.screened
            .as_ref()
            .is_some_and(|screened| screened.treatment == Treated::Suspected)
    }
}

/// What the injection check said of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screened {
    /// What became of the result.
    pub treatment: Treated,
    /// How sure the check was, in thousandths.
    pub score: u32,
    /// What it found, at most 16.
    pub findings: Vec<Found>,
}

/// What became of a result in which the injection check found something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Treated {
    /// It was passed on, with a note.
    Noted,
    /// It was passed on, with a warning.
    Suspected,
    /// The model was shown a warning in its place.
    Withheld,
}

/// A place at which a rule of the injection check fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The name of the rule.
    pub rule: String,
    /// The first byte of the place, in the result as it was.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

/// A decision on a held call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The call.
    pub call: CallId,
    /// The answer.
    pub verdict: Verdict,
}

/// The answer to an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It may run, this once or (with a grant beside it) from now on.
    Approved {
        /// Who said so.
        by: UserId,
    },
    /// It may not run.
    Denied {
        /// Who said so.
        by: UserId,
        /// Their words about it, if they gave any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// There was no answer in time.
    Expired,
}

/// What of a conversation gave way. It shortens this turn alone: nothing of any journal changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compacted {
    /// Why.
    pub why: WhyCompacted,
    /// What is left out from now on.
    pub cut: Cut,
    /// How many tokens the turn may have from now on, where the model said that it has too many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_tokens: Option<usize>,
    /// How many messages and tokens it had, estimated.
    pub before: Size,
    /// How many it has.
    pub after: Size,
}

impl Compacted {
    /// Returns whether earlier turns are not told as they were.
    pub fn leaves_out_turns(&self) -> bool {
        self.cut.past == Telling::Words || self.cut.turns.is_some()
    }
}

/// What of a turn was put back, or brought again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    /// Who had it done.
    pub by: UserId,
    /// The files, as the workspace has them.
    pub files: Vec<String>,
}

/// What stands for older turns of a session in later prompts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condensed {
    /// How many turns were summed up; all of them where no model did it.
    pub turns: usize,
    /// How many others are left out: those that were too much to read, and what is forgotten.
    #[serde(default)]
    pub left_out: usize,
    /// Whether a model summed them up; else they are left out.
    pub by_model: bool,
    /// How many tokens history had in a prompt, estimated.
    pub tokens_before: usize,
    /// How many it has.
    pub tokens_after: usize,
}

/// Why something gave way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyCompacted {
    /// It would not have fitted into the model, or into the history that is shown.
    NoRoom,
    /// The model refused it as too long.
    Refused,
}

/// The outcome of a turn: exactly one, and always visible in the chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnOutcome {
    /// The model's final words.
    Replied {
        /// The reply.
        text: String,
    },
    /// A question from Phase 1; not part of history.
    Asked {
        /// The question.
        question: String,
        /// Answers to choose from.
        choices: Vec<String>,
    },
    /// Questions of the model, with which it goes on when they are answered; part of history.
    Inquired {
        /// What it said with them; may be empty.
        text: String,
        /// The questions.
        questions: Vec<Inquiry>,
        /// Whether untrusted text was in view.
        untrusted: bool,
    },
    /// A plan, which is followed when its person says so; not part of history.
    Proposed {
        /// The plan.
        steps: Vec<PlannedStep>,
        /// Whether untrusted text was in view.
        untrusted: bool,
    },
    /// The step limit was reached; the text says what was done and what is left.
    StepLimit {
        /// The report.
        text: String,
    },
    /// It worked for as long as a turn may; the text says what was done.
    TimeLimit {
        /// The report.
        text: String,
    },
    /// The message was files alone, and none of them came.
    NotReceived {
        /// Why, in words for the person.
        text: String,
    },
    /// A person stopped it.
    Stopped {
        /// Who.
        by: UserId,
        /// What was done until then, in words for the user; none when nothing was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        done: Option<String>,
        /// What the model had said by then in an answer that it did not finish.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
    /// An approval was not answered in time.
    Expired,
    /// It could not be done; the reason is in words for the user.
    Failed {
        /// Why.
        why: String,
        /// Whether the same request may succeed later, so that it is offered to run it again.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        retry: bool,
    },
}

impl TurnOutcome {
    /// Returns how it is called where outcomes are counted.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Replied { .. } => "replied",
            Self::Asked { .. } => "asked",
            Self::Inquired { .. } => "inquired",
            Self::Proposed { .. } => "proposed",
            Self::StepLimit { .. } => "step_limit",
            Self::TimeLimit { .. } => "time_limit",
            Self::NotReceived { .. } => "not_received",
            Self::Stopped { .. } => "stopped",
            Self::Expired => "expired",
            Self::Failed { .. } => "failed",
        }
    }
}
