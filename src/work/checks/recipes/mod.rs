//! Recipes: how a project does each check, found from its files or set by the operator.

mod affected;
mod cargo;
mod jvm;
mod native;
mod node;
mod python;
mod targets;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use sayso_core::transcript::CheckStrategy;

use crate::files::ProjectFiles;
use affected::Concern;

/// The longest command of a recipe, in characters.
pub const MAX_COMMAND_CHARS: usize = 400;

/// How a project does one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// What it verifies.
    pub strategy: CheckStrategy,
    /// The command line, for `sh -c` in the folder of the project.
    pub command: String,
    /// Where it comes from.
    pub source: RecipeSource,
    /// The files that say what the command does, at the root of the project: an approval of the
    /// recipe is bound to their content.
    pub defined_by: Vec<String>,
    concern: Concern,
    includes: Vec<CheckStrategy>,
}

/// Where a recipe comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecipeSource {
    /// The operator's configuration.
    Configured,
    /// A file of the project.
    File(String),
}

impl Recipe {
    fn found(strategy: CheckStrategy, command: impl Into<String>, file: &str) -> Self {
        Self {
            strategy,
            command: command.into(),
            source: RecipeSource::File(file.to_owned()),
            defined_by: vec![file.to_owned()],
            concern: Concern::Code,
            includes: Vec::new(),
        }
    }

    fn of_language(mut self, extensions: &'static [&'static str]) -> Self {
        self.concern = Concern::Language(extensions);
        self
    }

    /// Says which other checks it does on its way.
    fn including(mut self, includes: &[CheckStrategy]) -> Self {
        self.includes = includes.to_vec();
        self
    }

    /// Adds files that say what the command does.
    fn also_defined_by(mut self, files: Vec<String>) -> Self {
        self.defined_by.extend(files);
        self.defined_by.sort_unstable();
        self.defined_by.dedup();
        self
    }

    /// Returns whether a change of one of these files, with paths from the root of the project, can
    /// change the result.
    pub fn is_affected_by(&self, paths: &[String]) -> bool {
        let is_named = |path: &String| self.defined_by.contains(path);
        let mut paths = paths.iter();
        paths.any(|path| is_named(path) || self.concern.includes(path))
    }
}

/// What the operator set for a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfiguredChecks {
    /// Whether nothing is found from the project's files.
    pub none: bool,
    /// The command of a check; empty where this check is not done.
    pub commands: BTreeMap<CheckStrategy, String>,
}

/// Returns the recipes of a project, the cheapest first, at most one for each strategy. What is
/// configured comes before what is found, and tools of a language before targets of `make` or
/// `just`.
pub fn recipes(files: &ProjectFiles, configured: &ConfiguredChecks) -> Vec<Recipe> {
    let mut by_strategy: BTreeMap<CheckStrategy, Recipe> = BTreeMap::new();
    for (strategy, command) in &configured.commands {
        if command.trim().is_empty() {
            continue;
        }
        let recipe = Recipe {
            strategy: *strategy,
            command: command.clone(),
            source: RecipeSource::Configured,
            defined_by: Vec::new(),
            concern: Concern::Code,
            includes: Vec::new(),
        };
        by_strategy.insert(*strategy, recipe);
    }
    if configured.none {
        return by_strategy.into_values().collect();
    }
    let found = [
        cargo::recipes(files),
        python::recipes(files),
        node::recipes(files),
        native::go(files),
        jvm::recipes(files),
        native::cmake(files),
        targets::recipes(files),
    ];
    for recipe in found.into_iter().flatten() {
        let is_set = configured.commands.contains_key(&recipe.strategy);
        let fits = recipe.command.chars().count() <= MAX_COMMAND_CHARS;
        if !is_set && fits {
            by_strategy.entry(recipe.strategy).or_insert(recipe);
        }
    }
    by_strategy.into_values().collect()
}

/// What is to be checked.
#[derive(Debug, Clone, Copy)]
pub enum Request<'a> {
    /// What a change of these files can affect, without what another check does on its way, and
    /// without starting the program.
    AfterChange(&'a [String]),
    /// Everything.
    All,
}

/// Returns the recipes that run for a request, the cheapest first.
pub fn plan<'a>(recipes: &'a [Recipe], request: Request<'_>) -> Vec<&'a Recipe> {
    let Request::AfterChange(paths) = request else {
        return recipes.iter().collect();
    };
    let affected: Vec<&Recipe> = recipes
        .iter()
        .filter(|recipe| recipe.strategy != CheckStrategy::Runtime)
        .filter(|recipe| recipe.is_affected_by(paths))
        .collect();
    let is_included = |strategy: CheckStrategy| {
        let mut others = affected.iter();
        others.any(|other| other.includes.contains(&strategy))
    };
    let needed = affected.iter().filter(|it| !is_included(it.strategy));
    needed.copied().collect()
}
