//! `[projects]`: folders that exist, apart from what Sayso keeps, and with one set of rights each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sayso_checks::{CheckStrategy, ConfiguredChecks, MAX_COMMAND_CHARS};

use super::account::AccountPattern;
use super::check::Check;
use super::checked::ProjectConfig;
use super::error::Fault;
use super::keys::ProjectTable;
use super::messages::{Hint, Reason, Rule};
use super::path::expand_home;
use super::{ConfigError, several};

/// The maximum number of projects: `/project` shows them all, with a button each.
const MAX_PROJECTS: usize = 18;
/// The longest description, in characters: it is part of the prompt.
const MAX_DESCRIPTION_CHARS: usize = 200;

/// Leaves out the checks that the files of a project define.
const NONE_FOUND: &str = "none";

/// What stands for no project behind `/project`.
const NO_PROJECT: &str = "none";

impl Check<'_> {
    /// Checks all projects, in the order of their names.
    pub(super) fn projects(
        &self,
        tables: BTreeMap<String, ProjectTable>,
        data_dir: &Path,
    ) -> Result<Vec<ProjectConfig>, ConfigError> {
        let is_taken = |name: &str| tables.contains_key(name);
        if is_taken(several::PLAIN) || is_taken(NO_PROJECT) || tables.len() > MAX_PROJECTS {
            let origin = self.settings.section_origin(several::PROJECTS);
            let fault = Fault::Refused {
                value: None,
                allowed: Rule::ProjectSections { most: MAX_PROJECTS },
                hint: None,
            };
            return Err(ConfigError::of_key(origin, several::PROJECTS, fault));
        }
        let mut projects: Vec<ProjectConfig> = Vec::with_capacity(tables.len());
        for (name, table) in tables {
            let project = self.project(name, table, data_dir)?;
            let key = format!("projects.{}.path", project.name);
            let conflict = projects.iter().find(|other| project.conflicts_with(other));
            if let Some(other) = conflict {
                let other = other.name.clone();
                return Err(self.settings.refuse(&key, Rule::ProjectApart { other }));
            }
            projects.push(project);
        }
        Ok(projects)
    }

    fn project(
        &self,
        name: String,
        table: ProjectTable,
        data_dir: &Path,
    ) -> Result<ProjectConfig, ConfigError> {
        let key = |field: &str| format!("projects.{name}.{field}");
        let Some(written) = table.path else {
            let section = format!("projects.{name}");
            let (because, hint) = (Reason::NeedsPath, Hint::ProjectPath);
            return Err(self.settings.missing(&section, "path", because, hint));
        };
        let path = self.project_path(&key("path"), &written)?;
        let kept = data_dir.canonicalize();
        let kept = kept.as_deref().unwrap_or(data_dir);
        if overlap(&path, kept) {
            return Err(self.settings.refuse(&key("path"), Rule::ProjectBesideData));
        }
        let people: Option<Vec<AccountPattern>> = table
            .people
            .iter()
            .map(|account| AccountPattern::parse(account))
            .map(|account| account.filter(|it| matches!(it, AccountPattern::One(..))))
            .collect();
        let people =
            people.ok_or_else(|| self.settings.refuse(&key("people"), Rule::ProjectPeople))?;
        let description = table.description.filter(|line| !line.trim().is_empty());
        let is_line = |line: &String| {
            line.chars().count() <= MAX_DESCRIPTION_CHARS && !line.contains(char::is_control)
        };
        if !description.iter().all(is_line) {
            let allowed = Rule::Line {
                most: MAX_DESCRIPTION_CHARS,
            };
            return Err(self.settings.refuse(&key("description"), allowed));
        }
        let checks = configured_checks(&table.checks)
            .ok_or_else(|| self.settings.refuse(&key("checks"), Rule::ProjectChecks))?;
        Ok(ProjectConfig {
            checks,
            path,
            people,
            write: table.write,
            description,
            name,
        })
    }

    /// Returns the folder with its symlinks resolved.
    fn project_path(&self, key: &str, written: &str) -> Result<PathBuf, ConfigError> {
        let path = expand_home(written, self.environment).filter(|path| path.is_absolute());
        let folder = path.and_then(|path| path.canonicalize().ok());
        folder
            .filter(|path| path.is_dir())
            .ok_or_else(|| self.settings.refuse(key, Rule::ProjectPath))
    }
}

/// Reads `tests=make check`; `None` where an entry is not of this form, or one check stands twice.
fn configured_checks(entries: &[String]) -> Option<ConfiguredChecks> {
    let mut checks = ConfiguredChecks::default();
    for entry in entries {
        let (name, command) = entry.split_once('=')?;
        let (name, command) = (name.trim(), command.trim());
        let is_line =
            command.chars().count() <= MAX_COMMAND_CHARS && !command.contains(char::is_control);
        if name == NONE_FOUND && command.is_empty() {
            checks.none = true;
            continue;
        }
        let strategy = CheckStrategy::named(name).ok().filter(|_| is_line)?;
        if checks
            .commands
            .insert(strategy, command.to_owned())
            .is_some()
        {
            return None;
        }
    }
    Some(checks)
}

impl ProjectConfig {
    /// Returns whether two projects share files for which different rights would hold.
    fn conflicts_with(&self, other: &Self) -> bool {
        let is_same = self.write == other.write && self.people == other.people;
        overlap(&self.path, &other.path) && !is_same
    }
}

fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}
