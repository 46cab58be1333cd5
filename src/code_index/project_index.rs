//! The index of one project.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant, SystemTime};

use sayso_codebase::{Codebase, LeftOut, Limits, Look, Query, Refresh, read_text};
use sayso_core::visible::visible_line;
use sayso_tools::{CodeMapRequest, CodePlace, CodePlaces, SourceFiles, source_files};
use tokio_util::sync::CancellationToken;

/// How often what changed is kept for the next run: the file is written as a whole, and can have tens of
/// megabytes. After a kill, what changed since is read again.
const KEPT_EVERY: Duration = Duration::from_mins(1);

/// How many files a map names before all others: the place is among the first five mostly.
const MAP_FILES: usize = 5;

/// How far an index is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexState {
    /// How many files are known.
    pub files: usize,
    /// How many there are to look at, while that is done; `None` before they are listed and when all were
    /// seen.
    pub of: Option<usize>,
    /// Whether the first look of this run is over.
    pub is_read: bool,
    /// Whether some files are left out for want of room.
    pub is_cut: bool,
    /// Whether the folder cannot be read.
    pub is_gone: bool,
}

/// What is known of a project.
#[derive(Debug)]
pub(super) struct ProjectIndex {
    name: String,
    root: PathBuf,
    /// Where it is kept between two runs.
    file: PathBuf,
    code: RwLock<Codebase>,
    state: Mutex<IndexState>,
    kept: Mutex<Kept>,
}

/// What is kept for the next run.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// When it was written, or this run began.
    at: Instant,
    /// Whether more is known by now.
    is_behind: bool,
}

impl ProjectIndex {
    pub(super) fn new(name: String, root: PathBuf, file: PathBuf) -> Self {
        Self {
            name,
            root,
            file,
            code: RwLock::default(),
            state: Mutex::default(),
            kept: Mutex::new(Kept {
                at: Instant::now(),
                is_behind: false,
            }),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn state(&self) -> IndexState {
        *self.now()
    }

    /// Returns the places that a sentence speaks of, with their lines as they are now.
    pub(super) fn search(&self, text: &str, limit: usize) -> CodePlaces {
        let state = self.state();
        let found: Vec<_> = {
            let code = self.known();
            let query = Query {
                text,
                embedding: None,
                limit,
            };
            let hits = code.search(&query).into_iter();
            hits.map(|hit| (hit.path.to_owned(), hit.lines, hit.scope.to_vec()))
                .collect()
        };
        let places = found.into_iter().filter_map(|(path, lines, names)| {
            // One that has gone since is in no later answer.
            let text = read_text(&self.root, &path).ok()?;
            let first = lines.first as usize;
            let count = (lines.last as usize + 1).saturating_sub(first);
            let shown: Vec<&str> = text
                .lines()
                .skip(first.saturating_sub(1))
                .take(count)
                .collect();
            (!shown.is_empty()).then(|| CodePlace {
                text: shown.join("\n"),
                path,
                first,
                names,
            })
        });
        CodePlaces {
            places: places.collect(),
            files: state.files,
            is_reading: !state.is_read,
        }
    }

    /// Returns the map of the project for a request: the files that it seems to be about, and the
    /// definitions that matter there. Empty where nothing fits.
    pub(super) fn map(&self, request: &CodeMapRequest) -> String {
        let in_view: Vec<&str> = request.in_view.iter().map(String::as_str).collect();
        let code = self.known();
        let located = code.locate(&request.message, &in_view, request.tokens);
        let mut text = String::new();
        if located.has_hits && !located.map.text.is_empty() {
            let files = located.files.iter().take(MAP_FILES);
            let files: Vec<String> = files.map(|file| visible_line(file.path)).collect();
            text = format!("most likely: {}\n", files.join(", "));
        }
        text + located.map.text.trim_end()
    }

    /// Takes up what an earlier run has kept.
    pub(super) fn load(&self) {
        let bytes = match fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                tracing::warn!(project = %self.name, %error, "cannot read the index of a project; reading the project anew");
                return;
            }
        };
        match Codebase::from_bytes(&bytes) {
            Ok(code) => {
                self.now().files = code.len();
                *self.changing() = code;
            }
            Err(error) => {
                tracing::info!(project = %self.name, %error, "reading a project anew");
            }
        }
    }

    /// Looks at all files and reads those that changed. Returns the files; `None` where the project cannot be
    /// read, of which all that is known stays.
    pub(super) fn look(&self, stop: &CancellationToken) -> Option<SourceFiles> {
        let looked = self.try_look(stop);
        let mut state = self.now();
        let is_first = !state.is_read;
        state.of = None;
        match looked {
            Ok(Some((files, report))) => {
                if state.is_gone || !state.is_read {
                    tracing::info!(project = %self.name, files = state.files, changed = report.changed, "the index of a project is up to date");
                }
                state.is_read = true;
                state.is_gone = false;
                state.is_cut = files.is_cut || report.left_out.contains_key(&LeftOut::TooMany);
                drop(state);
                if let Some(files) = report.left_out.get(&LeftOut::Panicked) {
                    tracing::error!(project = %self.name, files, "files of a project cannot be taken apart; they are in no search");
                }
                if report.removed > 0 {
                    self.kept().is_behind = true;
                }
                if is_first {
                    self.keep_changes();
                }
                self.keep_when_due();
                Some(files)
            }
            Ok(None) => None,
            Err(error) => {
                if !state.is_gone {
                    tracing::warn!(project = %self.name, %error, "cannot read a project; its index stays as it was");
                }
                state.is_gone = true;
                None
            }
        }
    }

    /// Forgets all that is known, which a panic may have left half changed: the next look reads the
    /// project anew.
    pub(super) fn start_anew(&self) {
        *self.changing() = Codebase::default();
        *self.now() = IndexState::default();
    }

    /// Returns nothing where it was stopped.
    fn try_look(&self, stop: &CancellationToken) -> io::Result<Option<(SourceFiles, Refresh)>> {
        if !self.root.is_dir() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let files = source_files(&self.root, stop)?;
        let mut look = Look::begin(&self.root, SystemTime::now(), Limits::default())?;
        self.now().of = Some(files.paths.len());
        for path in &files.paths {
            if stop.is_cancelled() {
                return Ok(None);
            }
            self.keep_when_due();
            let known = self.known().known(path);
            // The long part; a search can run meanwhile.
            let seen = look.read(path, known);
            let mut code = self.changing();
            if code.apply(&mut look, seen) {
                self.kept().is_behind = true;
            }
            self.now().files = code.len();
        }
        // The list of a walk that was stopped is short, or empty: nothing is forgotten for that.
        if stop.is_cancelled() {
            return Ok(None);
        }
        let mut code = self.changing();
        let report = code.finish(look)?;
        self.now().files = code.len();
        Ok(Some((files, report)))
    }

    /// Returns when what changed is to be kept, if something did.
    pub(super) fn keep_at(&self) -> Option<Instant> {
        let kept = *self.kept();
        kept.is_behind.then(|| kept.at + KEPT_EVERY)
    }

    /// Keeps what changed if that is due.
    pub(super) fn keep_when_due(&self) {
        if self.keep_at().is_some_and(|at| at <= Instant::now()) {
            self.keep_changes();
        }
    }

    /// Keeps what changed for the next run. Where that fails, the next run reads it again.
    pub(super) fn keep_changes(&self) {
        if !self.kept().is_behind {
            return;
        }
        let bytes = self.known().to_bytes();
        if let Err(error) = write_whole(&self.file, &bytes) {
            tracing::warn!(project = %self.name, %error, "cannot keep the index of a project");
        }
        *self.kept() = Kept {
            at: Instant::now(),
            is_behind: false,
        };
    }

    fn known(&self) -> RwLockReadGuard<'_, Codebase> {
        self.code.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn changing(&self) -> RwLockWriteGuard<'_, Codebase> {
        self.code.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> MutexGuard<'_, IndexState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Replaces a file as a whole.
fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = file.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(directory)?;
    // Only one thread writes it.
    let beside = file.with_extension("new");
    let mut written = File::create(&beside)?;
    written.write_all(bytes)?;
    written.sync_all()?;
    fs::rename(&beside, file)
}
