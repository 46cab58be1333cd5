//! The model of the storm. Its answers depend on the request alone, so a kill of the caller does
//! not affect it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sayso_fakes::model::is_system_note;
use sayso_fakes::{Answer, FakeModel, Gate, ModelRequest};
use serde_json::{Value, json};

use super::job::{Kind, jobs_in};

/// How every reply ends: what lacks it is not whole.
pub const END: &str = "∎";
/// How many lines an essay has.
pub const ESSAY_LINES: usize = 110;
/// How many large files a heavy command names, and how large each is.
const LARGE_FILES: usize = 8;
const LARGE_BYTES: usize = 1024 * 1024;

/// Where a request for a job is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// Its routing.
    Routing,
    /// Its step with this number of tool results.
    Step(usize),
}

/// Requests that are to be held, each once.
#[derive(Debug, Clone, Default)]
pub struct Holds(Arc<Mutex<Vec<(String, At, Gate)>>>);

impl Holds {
    /// Holds the next such request for a job at the returned gate.
    pub fn hold(&self, job: &str, at: At) -> Gate {
        let gate = Gate::new();
        self.lock().push((job.to_owned(), at, gate.clone()));
        gate
    }

    /// Forgets what was not held yet.
    pub fn clear(&self) {
        self.lock().clear();
    }

    fn take(&self, jobs: &[(String, Kind)], at: At) -> Option<Gate> {
        let mut holds = self.lock();
        let found = holds
            .iter()
            .position(|(job, place, _)| *place == at && jobs.iter().any(|(name, _)| name == job))?;
        Some(holds.remove(found).2)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, At, Gate)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has the model answer by the rules below. `directory` takes the files that commands name.
pub fn play(model: &FakeModel, directory: &Path) -> Holds {
    for number in 0..LARGE_FILES {
        let path = directory.join(format!("large{number}"));
        std::fs::write(path, vec![b'.'; LARGE_BYTES]).unwrap();
    }
    let holds = Holds::default();
    let (held, directory) = (holds.clone(), directory.to_owned());
    model.when(move |request| {
        let (answer, jobs, at) = if request.is_routing() {
            let text = request.last_user();
            (route(&text), jobs_in(&text), At::Routing)
        } else {
            let turn = Turn::of(request);
            (
                turn.answer(&directory),
                turn.jobs,
                At::Step(turn.results.len()),
            )
        };
        Some(match held.take(&jobs, at) {
            Some(gate) => answer.held_by(&gate),
            None => answer,
        })
    });
    holds
}

fn route(text: &str) -> Answer {
    let jobs = jobs_in(text);
    let unclear = jobs.iter().find(|(_, kind)| *kind == Kind::Clarify);
    match unclear {
        Some((job, _)) if !text.contains("You asked back") => {
            let question = format!("Which one, {job}?");
            let choices = if offers_choices(job) {
                json!([format!("{job}b first"), "second"])
            } else {
                json!([])
            };
            Answer::text(json!({ "question": question, "choices": choices }).to_string())
        }
        _ => Answer::text(r#"{"skills":[],"direct":true}"#),
    }
}

/// Returns whether the question about a job has buttons.
pub fn offers_choices(job: &str) -> bool {
    job.ends_with(['0', '2', '4', '6', '8'])
}

/// What a request says of its own turn: what comes after the last answer without calls.
struct Turn {
    jobs: Vec<(String, Kind)>,
    results: Vec<String>,
}

impl Turn {
    fn of(request: &ModelRequest) -> Self {
        let messages = request.messages();
        let is_answer = |message: &Value| {
            message["role"] == "assistant"
                && message["tool_calls"].as_array().is_none_or(Vec::is_empty)
        };
        let begin = messages
            .iter()
            .rposition(is_answer)
            .map_or(0, |last| last + 1);
        let own = &messages[begin..];
        let texts = |role: &'static str| {
            own.iter()
                .filter(move |message| message["role"] == role)
                .filter_map(|message| message["content"].as_str())
                .filter(|text| !is_system_note(text))
        };
        Self {
            jobs: texts("user").flat_map(jobs_in).collect(),
            // A call that gave way to further words is made again.
            results: texts("tool")
                .filter(|text| !text.contains("E_STEERED"))
                .map(str::to_owned)
                .collect(),
        }
    }

    fn answer(&self, directory: &Path) -> Answer {
        let command = self.jobs.iter().find(|(_, kind)| kind.runs());
        match (command, self.results.as_slice()) {
            (Some((job, kind)), []) => call(job, *kind, directory),
            // A model that gets an unknown outcome tries again, which needs another approval.
            (Some((job, kind)), [only]) if is_unknown(only) => call(job, *kind, directory),
            (Some(_), [.., last]) => Answer::text(self.words(what_came_of(last))),
            (None, _) => self.plain(),
        }
    }

    fn plain(&self) -> Answer {
        let wants = |wanted| self.jobs.iter().find(|(_, kind)| *kind == wanted);
        if let Some((job, _)) = wants(Kind::Essay) {
            let lines: Vec<String> = (0..ESSAY_LINES).map(|line| essay_line(job, line)).collect();
            return Answer::text(format!("{}\n\n{END}", lines.join("\n\n")));
        }
        let answer = Answer::text(self.words("said"));
        match wants(Kind::Slow) {
            Some(_) => answer
                .chunks_of(2)
                .between_chunks(Duration::from_millis(110)),
            None => answer,
        }
    }

    fn words(&self, how: &str) -> String {
        let names: Vec<&str> = self.jobs.iter().map(|(name, _)| name.as_str()).collect();
        format!("Done: {} ({how}) {END}", names.join(" "))
    }
}

/// Returns a line of an essay; each stands in it once.
pub fn essay_line(job: &str, line: usize) -> String {
    format!("{job} line {line:03} of an essay that takes more than one message")
}

/// Returns the file to which each command appends its job.
pub fn effects(directory: &Path) -> PathBuf {
    directory.join("effects")
}

fn call(job: &str, kind: Kind, directory: &Path) -> Answer {
    let append = format!("echo {job} >> {}", effects(directory).display());
    let command = match kind {
        Kind::Long => format!("{append}; sleep 30"),
        Kind::Heavy => {
            let names = |number| {
                directory
                    .join(format!("large{number}"))
                    .display()
                    .to_string()
            };
            let files: Vec<String> = (0..LARGE_FILES).map(names).collect();
            format!("{append}; : {}", files.join(" "))
        }
        _ => append,
    };
    Answer::calls(vec![("shell", json!({ "command": command }))])
}

fn is_unknown(result: &str) -> bool {
    result.contains("the outcome of this call is unknown")
}

fn what_came_of(result: &str) -> &'static str {
    if is_unknown(result) {
        "unknown"
    } else if result.contains("not run") {
        "denied"
    } else if result.contains("[failed]") || result.contains("[error]") {
        "failed"
    } else {
        "ran"
    }
}
