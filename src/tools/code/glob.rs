//! `glob_file_search`: the files of the project whose paths match a pattern.

use std::time::Instant;

use async_trait::async_trait;
use globset::{GlobBuilder, GlobMatcher};
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible_line;
use sayso_policy::{ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::SEARCH_TIME;
use super::walk::{Unseen, Until, Visit, walk};
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::files::{blocking, read_facts, told};
use crate::workspace::Workspace;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// How many paths are listed.
const MAX_PATHS: usize = 300;
/// The longest pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 1000;

/// Finds files by their paths.
pub struct GlobFileSearch {
    spec: ToolSpec,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// As `*.rs` or `src/**/test_*.py`; without a slash it is for names in every folder.
    pattern: String,
    /// The folder to search; left out, all of it.
    path: Option<String>,
}

impl Arguments {
    fn path(&self) -> String {
        let path = self.path.clone().filter(|path| !path.is_empty());
        path.unwrap_or_else(|| ".".to_owned())
    }
}

impl Default for GlobFileSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl GlobFileSearch {
    /// Makes the tool.
    pub fn new() -> Self {
        let description = "Lists the files whose paths match a pattern; ignored ones are left out.";
        Self {
            spec: spec_of::<Arguments>("glob_file_search", description),
        }
    }

    fn arguments(&self, call: &ToolCall) -> Result<(Arguments, GlobMatcher), ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let matcher =
            glob(&arguments.pattern).map_err(|error| refusal(&self.spec, &error.to_string()))?;
        Ok((arguments, matcher))
    }
}

/// Why a pattern is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum GlobError {
    /// It is too long.
    #[error("the pattern is longer than {MAX_PATTERN_BYTES} bytes")]
    TooLong,
    /// It is none.
    #[error("the pattern cannot be read: {0}")]
    Unreadable(globset::ErrorKind),
}

/// Returns what matches the paths of a pattern.
pub(super) fn glob(pattern: &str) -> Result<GlobMatcher, GlobError> {
    if pattern.len() > MAX_PATTERN_BYTES {
        return Err(GlobError::TooLong);
    }
    let pattern = pattern.trim_start_matches("./");
    let everywhere = if pattern.contains('/') {
        pattern.to_owned()
    } else {
        format!("**/{pattern}")
    };
    let glob = GlobBuilder::new(&everywhere)
        .literal_separator(true)
        .build()
        .map_err(|error| GlobError::Unreadable(error.kind().clone()))?;
    Ok(glob.compile_matcher())
}

#[async_trait]
impl Tool for GlobFileSearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::InProjects
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (arguments, _) = self.arguments(call)?;
        let facts = read_facts(arguments.path(), scope).await?;
        let pattern = visible_line(&arguments.pattern);
        Ok(ToolFacts {
            summary: format!("list {pattern} in {}", facts.summary).into(),
            ..facts
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let (arguments, matcher) = match self.arguments(call.call()) {
            Ok(arguments) => arguments,
            Err(refusal) => return refusal,
        };
        let root = context.scope.workspace.clone();
        let until = Until {
            deadline: Instant::now() + SEARCH_TIME,
            stop: context.stop.clone(),
        };
        let listed = blocking(move || {
            let path = arguments.path();
            let workspace = Workspace::open(&root).map_err(|error| told(&path, &error))?;
            let mut paths = Vec::new();
            let unseen = walk(&workspace, &path, &until, &mut |file| {
                if matcher.is_match(file.path) {
                    paths.push(visible_line(&file.path.to_string_lossy()));
                }
                if paths.len() > MAX_PATHS {
                    Visit::Stop
                } else {
                    Visit::GoOn
                }
            });
            let unseen = unseen.map_err(|error| told(&path, &error))?;
            paths.truncate(MAX_PATHS);
            Ok(shown(paths, unseen))
        });
        listed
            .await
            .map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// A name in a clone is anybody's text.
    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

fn shown(mut paths: Vec<String>, unseen: Option<Unseen>) -> String {
    if paths.is_empty() {
        paths.push("(no file matches)".to_owned());
    }
    paths.extend(unseen.map(|why| note(why, "paths")));
    paths.join("\n")
}

/// Says that a search did not see everything.
pub(super) fn note(why: Unseen, what: &str) -> String {
    match why {
        Unseen::Enough => {
            format!("[there are more {what}; narrow it down with `path` or the pattern]")
        }
        Unseen::Time => {
            "[the search was ended before it saw everything; narrow it down with `path`]".to_owned()
        }
        Unseen::TooMuch => {
            "[there are too many files, and not all were seen; narrow it down with `path`]"
                .to_owned()
        }
    }
}
