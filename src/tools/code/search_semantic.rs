//! `search_semantic`: the places in a project that a sentence speaks of.

use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec, first_chars};
use sayso_core::visible::visible_line;
use sayso_policy::{ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{CodeMap, CodeMapRequest, NOTE_BYTES};
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::files::read_facts;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext, ToolLimits};

/// How many places are shown unless the call says otherwise.
const PLACES: usize = 5;
/// The most places of one call.
const MAX_PLACES: usize = 20;
/// The longest question, in bytes.
const MAX_QUERY_BYTES: usize = 2000;
/// The most that is shown of one line, in characters.
const LINE_CHARS: usize = 300;

/// The indexes of the projects.
#[async_trait]
pub trait CodeSearch: Send + Sync {
    /// Returns the places of a project that a sentence speaks of, the best first, at most `limit`.
    async fn search(&self, project: &str, text: &str, limit: usize) -> CodePlaces;

    /// Returns a map of a project; `None` where nothing is known of it yet, or nothing fits.
    async fn map(&self, project: &str, request: CodeMapRequest) -> Option<CodeMap>;
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodePlaces {
    /// The places, the best first.
    pub places: Vec<CodePlace>,
    /// How many files are known.
    pub files: usize,
    /// Whether files are still to be read.
    pub is_reading: bool,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodePlace {
    /// The file, from the root of the project.
    pub path: String,
    /// Its first line; lines count from 1.
    pub first: usize,
    /// The names of the definitions around it, the outermost first.
    pub names: Vec<String>,
    /// Its lines, as they are on disk now.
    pub text: String,
}

/// Searches the index of a project.
pub struct SearchSemantic {
    spec: ToolSpec,
    limits: ToolLimits,
    search: Arc<dyn CodeSearch>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What the code does, in words or names.
    query: String,
    /// 1 to 20, default 5.
    limit: Option<usize>,
}

impl SearchSemantic {
    /// Makes the tool.
    pub fn new(limits: ToolLimits, search: Arc<dyn CodeSearch>) -> Self {
        let description =
            "Finds the code that a sentence speaks of: files, lines and the names around them.";
        Self {
            spec: spec_of::<Arguments>("search_semantic", description),
            limits,
            search,
        }
    }

    fn arguments(&self, call: &ToolCall) -> Result<Arguments, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let query = arguments.query.trim();
        if query.is_empty() || query.len() > MAX_QUERY_BYTES {
            let problem = format!("`query` has 1 to {MAX_QUERY_BYTES} bytes");
            return Err(refusal(&self.spec, &problem));
        }
        Ok(arguments)
    }
}

#[async_trait]
impl Tool for SearchSemantic {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::InProjects
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let arguments = self.arguments(call)?;
        let facts = read_facts(".".to_owned(), scope).await?;
        let query = visible_line(&arguments.query);
        Ok(ToolFacts {
            summary: format!("search the code for {query}").into(),
            ..facts
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let arguments = match self.arguments(call.call()) {
            Ok(arguments) => arguments,
            Err(refusal) => return refusal,
        };
        let Some(project) = &context.scope.project else {
            return ToolOutcome::not_run("this turn works in no project");
        };
        let limit = arguments.limit.unwrap_or(PLACES).clamp(1, MAX_PLACES);
        let search = self.search.search(&project.name, &arguments.query, limit);
        let found = tokio::select! {
            found = search => found,
            () = context.stop.cancelled() => return ToolOutcome::not_run("it was stopped"),
        };
        let output = shown(&found, self.limits.max_output_bytes);
        ToolOutcome::Success { output }
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }

    fn max_output_bytes(&self) -> Option<usize> {
        Some(self.limits.max_output_bytes + NOTE_BYTES)
    }
}

/// Returns what the model reads: places until `most` bytes are full, the best of them in any case.
fn shown(found: &CodePlaces, most: usize) -> String {
    let mut shown = match found.places.len() {
        0 => "(nothing fits; try other words, or `grep`)\n".to_owned(),
        1.. => "Found by words, not by meaning; the best first.\n".to_owned(),
    };
    if found.is_reading {
        let files = found.files;
        // A `String` takes everything.
        let _ = writeln!(
            shown,
            "The project is still being read, {files} files so far."
        );
    }
    for (number, place) in found.places.iter().enumerate() {
        let lines = lines_of(place);
        if number > 0 && shown.len() + lines.len() > most {
            let left = found.places.len() - number;
            let _ = writeln!(shown, "[{left} more places are left out for want of room]");
            break;
        }
        shown.push_str(&lines);
    }
    shown.truncate(shown.trim_end().len());
    shown
}

fn lines_of(place: &CodePlace) -> String {
    let count = place.text.lines().count();
    let last = place.first + count.saturating_sub(1);
    let names: Vec<String> = place.names.iter().map(|name| visible_line(name)).collect();
    let names = if names.is_empty() {
        String::new()
    } else {
        format!(" in {}", names.join(" › "))
    };
    let path = visible_line(&place.path);
    let mut lines = format!("\n{path}:{}-{last}{names}\n", place.first);
    for (number, line) in (place.first..).zip(place.text.lines()) {
        let kept = first_chars(line, LINE_CHARS).unwrap_or(line);
        let _ = writeln!(lines, "{number:>5} {kept}");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{CodePlace, CodePlaces, shown};

    fn place(path: &str, text: &str) -> CodePlace {
        CodePlace {
            path: path.to_owned(),
            first: 9,
            names: vec!["Cart".to_owned(), "add".to_owned()],
            text: text.to_owned(),
        }
    }

    #[test]
    fn places_have_their_lines_and_names() {
        let found = CodePlaces {
            places: vec![place("src/cart.py", "def add(self):\n    pass\n")],
            files: 3,
            is_reading: true,
        };
        insta::assert_snapshot!(shown(&found, 1000), @r"
        Found by words, not by meaning; the best first.
        The project is still being read, 3 files so far.

        src/cart.py:9-10 in Cart › add
            9 def add(self):
           10     pass
        ");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let long = "x\n".repeat(100);
        let found = CodePlaces {
            places: vec![place("a", &long), place("b", &long), place("c", &long)],
            ..CodePlaces::default()
        };
        let shown = shown(&found, 100);
        assert!(shown.contains("\na:9-108 in"), "{shown}");
        assert!(!shown.contains("\nb:9"), "{shown}");
        assert!(shown.ends_with("[2 more places are left out for want of room]"));
    }
}
