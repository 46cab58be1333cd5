//! Commands: one registry, which also fills the platforms' menus.

mod autonomy;
mod compact;
mod grants;
mod memory;
mod messages;
mod model;
mod profile;
mod routines;
mod skills;
mod status;
mod stop;
mod usage;

pub use model::press as press_model;
pub use routines::press as press_routine;
pub use skills::owner as skills_owner;
pub use stop::run as stop;

use sayso_channel::{Command, CommandCall};
use serde_json::json;

use super::limits::Pace;
use super::message::{ResolvedMessage, tell, tell_aside};
use super::messages::too_fast;
use super::{Effects, IntakeContext, audit_records, erasure, forget, linking, undo};
use crate::approvals;
use crate::audit::Event;
use crate::store::{StoreError, Tx, chats, lessons, now_ms};

/// A command that Sayso knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Start,
    Help,
    New,
    Stop,
    Steer,
    Queue,
    Interrupt,
    Undo,
    Status,
    WhoAmI,
    Link,
    Unlink,
    Autonomy,
    Grants,
    Usage,
    Forget,
    Memory,
    Skills,
    Model,
    Routines,
    Compact,
}

impl Known {
    const ALL: [Self; 21] = [
        Self::Start,
        Self::Help,
        Self::New,
        Self::Stop,
        Self::Steer,
        Self::Queue,
        Self::Interrupt,
        Self::Undo,
        Self::Status,
        Self::WhoAmI,
        Self::Link,
        Self::Unlink,
        Self::Autonomy,
        Self::Grants,
        Self::Usage,
        Self::Forget,
        Self::Memory,
        Self::Skills,
        Self::Model,
        Self::Routines,
        Self::Compact,
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|known| messages::menu_entry(*known).name == name)
    }
}

/// Returns the commands for a platform's menu.
pub fn menu() -> Vec<Command> {
    Known::ALL.into_iter().map(messages::menu_entry).collect()
}

/// Returns whether a command is ours; others are text like any other.
pub fn exists(name: &str) -> bool {
    Known::named(name).is_some()
}

/// Runs a command in the transaction that stores its message.
pub async fn run(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    call: &CommandCall,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let Some(known) = Known::named(&call.name) else {
        return Ok(Effects::default());
    };
    if known != Known::Stop {
        match ctx.rates.count_command(heard.user) {
            Pace::Fine => {}
            Pace::TooFast => return tell_aside(tx, ctx, heard, too_fast(language)).await,
            Pace::StillTooFast => return Ok(Effects::unanswered()),
        }
    }
    let text = match known {
        Known::Start | Known::Help => messages::help(&menu(), language),
        Known::New => {
            chats::begin_anew(tx, heard.session).await?;
            if let Some(learning) = ctx.limits.learning {
                lessons::hurry(tx, heard.session, now_ms() + learning.after_new_ms()).await?;
            }
            // History ends here for everybody, and so does what anybody allowed in view of it.
            approvals::revoke_session(tx, heard.session).await?;
            let all = json!({ "grants": "all of the session" });
            audit_records::command(tx, ctx, heard, Event::Revoked, all).await?;
            messages::begun_anew(language)
        }
        Known::Stop => return stop::run(tx, ctx, heard, language).await,
        // Their words are a job, which the door takes as such.
        Known::Steer | Known::Queue | Known::Interrupt => return Ok(Effects::default()),
        Known::Undo => return undo::command(tx, ctx, heard).await,
        Known::Status => status::status(tx, ctx, heard, language).await?,
        Known::WhoAmI => {
            let linked = linking::linked_accounts(tx, heard).await?;
            messages::who_am_i(heard.inbound, heard.role, &linked, language)
        }
        Known::Link => return linking::link(tx, ctx, heard, &call.arguments).await,
        Known::Unlink => return linking::unlink(tx, ctx, heard).await,
        Known::Autonomy => autonomy::run(tx, ctx, heard, &call.arguments, language).await?,
        Known::Grants => grants::run(tx, ctx, heard, &call.arguments, language).await?,
        Known::Forget if messages::is_everything(&call.arguments) => {
            return erasure::ask(tx, ctx, heard).await;
        }
        Known::Memory => return memory::run(tx, ctx, heard, &call.arguments, language).await,
        Known::Forget if !call.arguments.trim().is_empty() => {
            return forget::ask(tx, ctx, heard, &call.arguments).await;
        }
        Known::Forget => erasure::messages::usage(language),
        Known::Model => return model::run(tx, ctx, heard, &call.arguments, language).await,
        Known::Skills => return skills::run(tx, ctx, heard, &call.arguments, language).await,
        Known::Routines => return routines::run(tx, ctx, heard, language).await,
        Known::Compact => compact::run(tx, heard, language).await?,
        Known::Usage => usage::run(tx, ctx, heard, language).await?,
    };
    tell(tx, ctx, heard, text).await
}
