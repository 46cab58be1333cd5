//! `grep`: lines of the project that match an expression.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Instant;

use async_trait::async_trait;
use globset::GlobMatcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible_line;
use sayso_policy::{ClearedCall, ToolFacts, is_secret_like};
use schemars::JsonSchema;
use serde::Deserialize;

use super::glob::{glob, note};
use super::walk::{Unseen, Until, Visit, Visited, walk};
use super::{MAX_FILE_BYTES, NOTE_BYTES, SEARCH_TIME};
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::files::{blocking, read_facts, told};
use crate::workspace::Workspace;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext, ToolLimits};

/// How many matching lines are shown.
const MAX_MATCHES: usize = 200;
/// The most that is shown of one line, in characters.
const LINE_CHARS: usize = 300;
/// The longest expression, in bytes.
const MAX_PATTERN_BYTES: usize = 2000;
/// The most lines around a match.
const MAX_CONTEXT: usize = 10;
/// The largest automaton of an expression, in bytes: `(a{999}){999}` is refused.
const MAX_AUTOMATON_BYTES: usize = 8 * 1024 * 1024;

/// Searches files of the project.
pub struct Grep {
    spec: ToolSpec,
    limits: ToolLimits,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A regular expression as in Rust, for one line.
    pattern: String,
    /// The folder or file to search; left out, all of it.
    path: Option<String>,
    /// Which files, as `*.rs`.
    glob: Option<String>,
    ignore_case: Option<bool>,
    /// Lines around each match, 0 to 10.
    context: Option<usize>,
}

impl Arguments {
    fn path(&self) -> String {
        let path = self.path.clone().filter(|path| !path.is_empty());
        path.unwrap_or_else(|| ".".to_owned())
    }
}

/// What is sought, and where.
struct Wanted {
    path: String,
    matcher: RegexMatcher,
    files: Option<GlobMatcher>,
    context: usize,
    /// The most of a result, in bytes.
    most: usize,
}

impl Grep {
    /// Makes the tool.
    pub fn new(limits: ToolLimits) -> Self {
        let description = "Shows the lines that match an expression, with file and number; ignored \
                           and binary files are left out.";
        Self {
            spec: spec_of::<Arguments>("grep", description),
            limits,
        }
    }

    fn wanted(&self, call: &ToolCall) -> Result<(Arguments, Wanted), ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let refused = |problem: String| refusal(&self.spec, &problem);
        if arguments.pattern.is_empty() || arguments.pattern.len() > MAX_PATTERN_BYTES {
            let problem = format!("`pattern` has 1 to {MAX_PATTERN_BYTES} bytes");
            return Err(refused(problem));
        }
        let matcher = RegexMatcherBuilder::new()
            .case_insensitive(arguments.ignore_case.unwrap_or(false))
            .size_limit(MAX_AUTOMATON_BYTES)
            .dfa_size_limit(MAX_AUTOMATON_BYTES)
            .line_terminator(Some(b'\n'))
            .build(&arguments.pattern)
            .map_err(|error| refused(format!("`pattern` cannot be read: {error}")))?;
        let files = arguments.glob.as_deref().filter(|glob| !glob.is_empty());
        let wanted = Wanted {
            path: arguments.path(),
            matcher,
            files: files
                .map(glob)
                .transpose()
                .map_err(|error| refused(error.to_string()))?,
            context: arguments.context.unwrap_or(0).min(MAX_CONTEXT),
            most: self.limits.max_output_bytes,
        };
        Ok((arguments, wanted))
    }
}

#[async_trait]
impl Tool for Grep {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::InProjects
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (arguments, _) = self.wanted(call)?;
        let facts = read_facts(arguments.path(), scope).await?;
        let pattern = visible_line(&arguments.pattern);
        Ok(ToolFacts {
            summary: format!("grep {pattern} in {}", facts.summary).into(),
            ..facts
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let (_, wanted) = match self.wanted(call.call()) {
            Ok(wanted) => wanted,
            Err(refusal) => return refusal,
        };
        let root = context.scope.workspace.clone();
        let until = Until {
            deadline: Instant::now() + SEARCH_TIME,
            stop: context.stop.clone(),
        };
        let found = blocking(move || {
            let path = wanted.path.clone();
            search(&root, &wanted, &until).map_err(|error| told(&path, &error))
        });
        found
            .await
            .map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
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

fn search(root: &Path, wanted: &Wanted, until: &Until) -> io::Result<String> {
    let workspace = Workspace::open(root)?;
    let mut searcher = SearcherBuilder::new()
        .line_number(true)
        .binary_detection(BinaryDetection::quit(0))
        .before_context(wanted.context)
        .after_context(wanted.context)
        .heap_limit(Some(MAX_FILE_BYTES as usize))
        .build();
    let mut results = Results {
        wanted,
        until,
        shown: String::new(),
        matches: 0,
        left_out: 0,
        is_full: false,
    };
    let unseen = match workspace.open_file(&wanted.path) {
        Ok(file) => {
            // The file itself was asked for, and judged by its name.
            let path = visible_line(&wanted.path);
            results.search_file(&mut searcher, &path, &file);
            results.is_full.then_some(Unseen::Enough)
        }
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
            walk(&workspace, &wanted.path, until, &mut |file| {
                results.visit(&mut searcher, file)
            })?
        }
        Err(error) => return Err(error),
    };
    let is_late = unseen == Some(Unseen::Enough) && until.is_over();
    Ok(results.finish(if is_late { Some(Unseen::Time) } else { unseen }))
}

/// What a search has found so far.
struct Results<'a> {
    wanted: &'a Wanted,
    until: &'a Until,
    shown: String,
    matches: usize,
    /// How many files were left out since they keep secrets by their names, or are too large.
    left_out: usize,
    is_full: bool,
}

impl Results<'_> {
    fn visit(&mut self, searcher: &mut Searcher, file: &Visited<'_>) -> Visit {
        let is_wanted = self.wanted.files.as_ref();
        if is_wanted.is_none_or(|files| files.is_match(file.path)) {
            if is_secret_like(file.path) {
                self.left_out += 1;
            } else if let Ok(opened) = file.open() {
                let path = visible_line(&file.path.to_string_lossy());
                self.search_file(searcher, &path, &opened);
            }
        }
        if self.is_full {
            Visit::Stop
        } else {
            Visit::GoOn
        }
    }

    fn search_file(&mut self, searcher: &mut Searcher, path: &str, file: &std::fs::File) {
        if file.metadata().map_or(0, |metadata| metadata.len()) > MAX_FILE_BYTES {
            self.left_out += 1;
            return;
        }
        let mut lines = FileLines {
            results: self,
            shown: String::new(),
            matches: 0,
            is_binary: false,
        };
        let matcher = lines.results.wanted.matcher.clone();
        let searched = searcher.search_file(&matcher, file, &mut lines);
        let FileLines {
            shown,
            matches,
            is_binary,
            ..
        } = lines;
        // What cannot be read further has shown what it had.
        if let Err(error) = searched {
            tracing::debug!(%error, "file not searched to its end");
        }
        if matches == 0 || is_binary {
            return;
        }
        self.matches += matches;
        let _ = write!(self.shown, "{path}\n{shown}");
    }

    fn finish(self, unseen: Option<Unseen>) -> String {
        let mut shown = self.shown;
        if self.matches == 0 {
            shown.push_str("(no line matches)\n");
        }
        if let Some(why) = unseen {
            let _ = writeln!(shown, "{}", note(why, "matches"));
        }
        if self.left_out > 0 {
            let _ = writeln!(
                shown,
                "[{} files were not searched: they keep secrets by their names, or are too large]",
                self.left_out
            );
        }
        shown.truncate(shown.trim_end().len());
        shown
    }
}

/// The matching lines of one file.
struct FileLines<'r, 'a> {
    results: &'r mut Results<'a>,
    shown: String,
    matches: usize,
    is_binary: bool,
}

impl FileLines<'_, '_> {
    /// Returns whether nothing more is wanted, and notes that.
    fn is_enough(&mut self) -> bool {
        let results = &mut *self.results;
        let length = results.shown.len() + self.shown.len();
        results.is_full = length > results.wanted.most
            || results.matches + self.matches >= MAX_MATCHES
            || results.until.is_over();
        results.is_full
    }

    fn add(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let end = text.char_indices().nth(LINE_CHARS).map(|(end, _)| end);
        let cut = end.map_or(text, |end| &text[..end]);
        let more = if end.is_some() { " [...]" } else { "" };
        let number = number.unwrap_or_default();
        let _ = writeln!(self.shown, "{number}{mark} {cut}{more}");
    }
}

impl Sink for FileLines<'_, '_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        if self.is_enough() {
            return Ok(false);
        }
        self.matches += 1;
        self.add(found.line_number(), ':', found.bytes());
        Ok(true)
    }

    fn context(&mut self, _searcher: &Searcher, found: &SinkContext<'_>) -> io::Result<bool> {
        self.add(found.line_number(), '-', found.bytes());
        Ok(true)
    }

    fn context_break(&mut self, _searcher: &Searcher) -> io::Result<bool> {
        self.shown.push_str("--\n");
        Ok(true)
    }

    fn binary_data(&mut self, _searcher: &Searcher, _at: u64) -> io::Result<bool> {
        self.is_binary = true;
        Ok(false)
    }
}
