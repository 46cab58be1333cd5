//! The thread that reads projects, one after the other.

use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sayso_tools::SourceFiles;
use tokio_util::sync::CancellationToken;

use super::project_index::ProjectIndex;
use super::watch::Watches;

/// How often all files are looked at, whatever was heard of them.
const EVERY: Duration = Duration::from_mins(10);
/// How often a folder is looked for that has gone, such as that of a disk that is not mounted.
const GONE_EVERY: Duration = Duration::from_secs(30);
/// After a change it waits until nothing has changed for this long, so that a checkout is read once.
const QUIET: Duration = Duration::from_millis(300);
/// But not longer than this.
const AT_MOST: Duration = Duration::from_secs(3);
/// How often it looks whether it is to end.
const TICK: Duration = Duration::from_millis(500);
/// How much it gives way to everything else: `nice`, of which 19 is the most.
const NICE: i32 = 10;

/// Reads all projects and follows them until `stop`.
pub(super) fn run(projects: &[Arc<ProjectIndex>], stop: &CancellationToken) {
    // On Linux that is of this thread alone.
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "projects are read with the priority of everything else");
    }
    for project in projects {
        project.load();
    }
    let mut watches = Watches::new(projects.len());
    let mut due: BTreeSet<usize> = (0..projects.len()).collect();
    let mut all_seen = Instant::now();
    while !stop.is_cancelled() {
        let mut again = BTreeSet::new();
        for number in std::mem::take(&mut due) {
            let Some(project) = projects.get(number) else {
                continue;
            };
            if let Some(files) = look(project, stop) {
                let is_new = watches.follow(number, project.root(), &files.paths);
                again.extend(is_new.then_some(number));
            }
        }
        if !again.is_empty() {
            // With a pause: where folders come and go all the time, this would never rest.
            due = wait(&watches, Instant::now() + QUIET, stop);
            due.append(&mut again);
            continue;
        }
        let gone: BTreeSet<usize> = (0..)
            .zip(projects)
            .filter_map(|(number, project)| project.state().is_gone.then_some(number))
            .collect();
        let to_keep = projects.iter().filter_map(|project| project.keep_at());
        let mut until = to_keep.fold(all_seen + EVERY, Instant::min);
        if !gone.is_empty() {
            until = until.min(Instant::now() + GONE_EVERY);
        }
        due = wait(&watches, until, stop);
        for project in projects {
            project.keep_when_due();
        }
        if due.is_empty() {
            due = gone;
        }
        if all_seen.elapsed() >= EVERY {
            due = (0..projects.len()).collect();
            all_seen = Instant::now();
        }
    }
    for project in projects {
        project.keep_changes();
    }
}

/// Looks at a project. A panic in that ends the look of this project, and nothing else.
fn look(project: &ProjectIndex, stop: &CancellationToken) -> Option<SourceFiles> {
    let looked = panic::catch_unwind(AssertUnwindSafe(|| project.look(stop)));
    looked.unwrap_or_else(|_| {
        tracing::error!(
            project = %project.name(),
            "looking at a project panicked; it is read anew within ten minutes"
        );
        project.start_anew();
        None
    })
}

/// Waits until projects have changed and are quiet again, until a time, or until `stop`; returns the
/// projects.
fn wait(watches: &Watches, until: Instant, stop: &CancellationToken) -> BTreeSet<usize> {
    let mut changed = BTreeSet::new();
    let mut first: Option<Instant> = None;
    while !stop.is_cancelled() && Instant::now() < until {
        let pause = match first {
            Some(first) if first.elapsed() >= AT_MOST => break,
            Some(_) => QUIET,
            None => TICK,
        };
        let more = watches.changed(pause);
        if more.is_empty() && first.is_some() {
            break;
        }
        if !more.is_empty() {
            first.get_or_insert_with(Instant::now);
        }
        changed.extend(more);
    }
    changed
}
