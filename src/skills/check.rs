//! Checking skills on disk: everything that is wrong with each, for who writes them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use super::folder::{Folder, Listing, SKILL_FILE, skills_below};
use super::front_matter::{self, Document};
use super::problem::{Finding, Problem};
use super::requirements::Host;

/// The most lines of a text that is in every turn that needs the skill.
const TEXT_LINES: usize = 500;

/// A skill that was checked.
#[derive(Debug)]
pub struct Checked {
    /// Its `SKILL.md`.
    pub file: PathBuf,
    /// What is wrong, in the order of the lines.
    pub findings: Vec<Finding>,
}

/// Checks a `SKILL.md`, the skill in a folder, or every skill below it.
pub fn check(place: &Path, host: &Host) -> io::Result<Vec<Checked>> {
    let files = if place.is_file() {
        vec![place.to_owned()]
    } else if place.join(SKILL_FILE).is_file() {
        vec![place.join(SKILL_FILE)]
    } else {
        skills_below(place)?
    };
    let mut named = HashMap::new();
    let checked = files.into_iter().map(|file| {
        let (name, mut findings) = check_file(&file, host);
        let taken = name.and_then(|name| taken(&mut named, &file, name));
        findings.extend(taken.map(|problem| Finding { line: 1, problem }));
        findings.sort_by_key(|finding| finding.line);
        Checked { file, findings }
    });
    Ok(checked.collect())
}

/// The folder of the first skill of each name, by where it lies.
type Named = HashMap<(PathBuf, String), String>;

/// Notes whose name it is, or returns that it is that of another beside it.
fn taken(named: &mut Named, file: &Path, name: String) -> Option<Problem> {
    let folder = file.parent()?;
    let own = folder.file_name()?.to_string_lossy().into_owned();
    match named.entry((folder.parent()?.to_owned(), name.clone())) {
        Entry::Vacant(free) => {
            free.insert(own);
            None
        }
        Entry::Occupied(taken) => Some(Problem::NameTaken {
            name,
            folder: taken.get().clone(),
        }),
    }
}

/// Returns the name of a skill, where it can be loaded, and what is wrong with it.
fn check_file(file: &Path, host: &Host) -> (Option<String>, Vec<Finding>) {
    let parent = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let folder = Folder::new(parent.unwrap_or(Path::new(".")));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let content = match folder.read(&name) {
        Ok(content) => content,
        Err(problem) => return (None, vec![Finding { line: 1, problem }]),
    };
    match front_matter::read(&folder.name(), &content) {
        Ok(document) => (
            Some(document.front_matter.name.clone()),
            complete(document, &folder, host),
        ),
        Err(finding) => (None, vec![finding]),
    }
}

fn complete(document: Document<'_>, folder: &Folder, host: &Host) -> Vec<Finding> {
    let unmet = document.front_matter.requirements.unmet(host);
    let listing = folder.list();
    let mut findings = document.findings;
    let links = listing.links.iter().cloned().map(Problem::LeadsOut);
    let general = unmet.into_iter().map(Problem::Unmet).chain(links);
    findings.extend(general.map(|problem| Finding { line: 1, problem }));
    findings.extend(text_findings(document.text, document.text_line, &listing));
    findings.sort_by_key(|finding| finding.line);
    findings
}

fn text_findings(text: &str, first: u64, listing: &Listing) -> Vec<Finding> {
    let at = |line, problem| Finding { line, problem };
    if text.trim().is_empty() {
        return vec![at(first, Problem::NoText)];
    }
    let mut findings = Vec::new();
    let lines = text.trim_end().lines().count();
    if lines > TEXT_LINES {
        findings.push(at(first, Problem::LongText(lines)));
    }
    let mut is_code = false;
    for (line, number) in text.lines().zip(first..) {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code {
            let problems = links(line).filter_map(|link| judge_link(link, listing));
            findings.extend(problems.map(|problem| at(number, problem)));
        }
    }
    findings
}

/// Returns where the links of a line lead, those in `code` left out.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let prose = line.split('`').step_by(2);
    prose.flat_map(|prose| {
        prose.split("](").skip(1).filter_map(|behind| {
            let (target, _) = behind.split_once(')')?;
            let target = target.split([' ', '#', '?']).next()?;
            let is_file = !target.is_empty() && !target.contains(':') && !target.starts_with('<');
            is_file.then_some(target)
        })
    })
}

fn judge_link(link: &str, listing: &Listing) -> Option<Problem> {
    let mut parts = Vec::new();
    for part in link.split('/') {
        match part {
            "." => {}
            "" if !link.starts_with('/') => {}
            "" => return Some(Problem::LeadsOut(link.to_owned())),
            ".." => {
                if parts.pop().is_none() {
                    return Some(Problem::LeadsOut(link.to_owned()));
                }
            }
            name => parts.push(name),
        }
    }
    let path = parts.join("/");
    let folder = format!("{path}/");
    let is_there = path.is_empty()
        || path == SKILL_FILE
        || listing.links.contains(&path)
        || listing
            .files
            .iter()
            .any(|file| *file == path || file.starts_with(&folder));
    (!is_there).then(|| Problem::NoSuchFile(link.to_owned()))
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
