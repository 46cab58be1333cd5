//! The bottom room: the words of a conversation, the letters that they are written in, the entries
//! of a turn's journal and their fold.
//!
//! Pure data. Nothing here does I/O, awaits, reads a clock or names another room.
//!
//! # Invariants
//!
//! - `transcript` names no other room, does no I/O and awaits nothing.

mod check;
mod check_state;
mod cut;
mod entry;
mod files;
mod fit;
mod han;
mod history;
mod ids;
mod image;
mod inquiry;
mod lenient_json;
mod message;
mod model_name;
mod model_request;
mod origin;
mod outcome;
mod outside;
mod plan;
mod plan_reminders;
mod planned;
mod provenance;
mod repeats;
mod route;
mod sanitize;
mod scope;
mod state;
mod taint;
mod tokens;
mod tool_name;
mod undo;

pub use check::{CheckFailure, CheckReport, CheckResult, CheckStrategy, CheckVerdict, FailureKind};
pub use check_state::{CheckPurpose, CheckRound, CheckState, IssuedCheck};
pub use cut::first_chars;
pub use entry::{
    Answering, Compacted, Condensed, Decided, Entry, Found, Guess, Heard, HeardText, Issued,
    Replied, Returned, Routed, Screened, Started, Treated, TurnOutcome, Undone, Verdict,
    WhyCompacted,
};
pub use files::{AnnouncedFile, Arriving, Fetched, FetchedFile};
pub use fit::{Conversation, Cut, FILE_EDITS, READ_RESULT, Room, Size, parse_result_id, result_id};
pub use han::simplified;
pub use history::{Past, answer_tokens, clear_old_reasoning_content, message_tokens};
pub use ids::{
    CallId, CardId, ChatId, GrantId, InboxId, MemoryId, OutboxId, PassageId, QuestionId, RoutineId,
    RunId, SessionId, TurnId, UserId,
};
pub use image::{Image, ImageKind, SHOWN_IMAGES};
pub use inquiry::{Inquiry, answers_as_text};
pub use lenient_json::{read_lenient, read_lenient_first};
pub use message::{
    AssistantMessage, ConversationMessage, Schema, Thought, ThoughtKind, ToolCall, ToolSpec, Usage,
    note_heading, recall_heading,
};
pub use model_name::{KeyRefused, ModelName};
pub use model_request::{CallPurpose, Consulted, Failure, Finish, ModelRequest};
pub use origin::{Origin, SessionKind};
pub use outcome::{ErrorCode, FileToSend, ToolOutcome};
pub use outside::{OutsideSource, enclose};
pub use plan::{PLAN_STEP_CHARS, PLAN_STEPS, PlanApproval, PlannedStep, with_known_checks};
pub use plan_reminders::plans_shown_again;
pub use planned::{FirstPlan, Planned};
pub use provenance::{OutsideReason, WorkspaceProvenance};
pub use repeats::{Repeats, Repetition};
pub use route::{ByRules, IntentLabel, LabelReason, RouteResult, Skipped};
pub use scope::{Owner, Role, Scope, ScopeProject, outgoing_beside};
pub use state::{CallProgress, Hits, TurnState};
pub use taint::{Taint, TaintOrigin, TaintSource, Way};
pub use tokens::{IMAGE_TOKENS, estimate_tokens};
pub use tool_name::tool_named;
pub use undo::{FileBefore, FileNow};
