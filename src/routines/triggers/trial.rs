//! A trigger tried on what happened last, before it is kept: what would have started the routine, so
//! that one that never fires is seen at once.

use sayso_core::transcript::{ChatId, Owner, first_chars};
use sayso_store::{Store, StoreError, routine_events};

use super::phrases;
use super::trigger::Trigger;
use super::workspace_files::{self, named};
use crate::routines::context::RoutineContext;

/// On how many of the last events a trigger is tried.
const LAST: usize = 20;
/// How many of those that match are shown.
const SHOWN: usize = 3;
/// How much of one is shown, in characters.
const SHOWN_CHARS: usize = 60;

/// What would have started a routine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::routines) struct Trial {
    /// How many events were looked at.
    pub(in crate::routines) looked_at: usize,
    /// How many of them match.
    pub(in crate::routines) matching: usize,
    /// The newest of those.
    pub(in crate::routines) shown: Vec<String>,
}

impl Trial {
    fn of(looked_at: usize, matching: &[&str]) -> Self {
        let short = |text: &&str| {
            let line = phrases::in_one_line(text);
            match first_chars(&line, SHOWN_CHARS) {
                Some(beginning) => format!("{beginning}…"),
                None => line,
            }
        };
        Self {
            looked_at,
            matching: matching.len(),
            shown: matching.iter().take(SHOWN).map(short).collect(),
        }
    }
}

/// Tries a trigger on the last files that changed, or on the last messages of the group that are kept.
pub(in crate::routines) async fn try_out(
    store: &Store,
    ctx: &RoutineContext,
    chat: ChatId,
    place: Owner,
    trigger: &Trigger,
) -> Result<Trial, StoreError> {
    match trigger {
        Trigger::File { glob } => {
            let workspace = ctx.workspaces.join(place.folder_name());
            let glob = glob.clone();
            let tried = tokio::task::spawn_blocking(move || {
                let mut files = workspace_files::files(&workspace);
                while files.len() > LAST {
                    files.pop_first();
                }
                let matching: Vec<&str> = named(&files, &glob)
                    .rev()
                    .map(|file| file.path.as_str())
                    .collect();
                Trial::of(files.len(), &matching)
            });
            Ok(tried.await.unwrap_or_default())
        }
        Trigger::Words { words } => {
            let most = i64::try_from(LAST).unwrap_or(i64::MAX);
            let said = routine_events::last_said_in(store.reader(), chat, most).await?;
            let matching: Vec<&str> = said
                .iter()
                .map(String::as_str)
                .filter(|text| phrases::is_any_in(words, text))
                .collect();
            Ok(Trial::of(said.len(), &matching))
        }
        Trigger::Webhook => Ok(Trial::default()),
    }
}
