//! The rules as data: what each is about, and which calls, assignments and imports it looks for.
//!
//! `security.toml` has the rules, `origins.toml` says where input comes from and what cleans it, and
//! `examples/` shows for each rule code that it finds and code that it does not.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::OnceLock;

use regex::bytes::Regex;
use serde::Deserialize;

use crate::abstract_value::Trust;
use crate::grammar::Family;
use crate::report::{Dimension, Severity};

/// What a report and the book say of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleInfo {
    /// The id.
    pub id: &'static str,
    /// The number in the Common Weakness Enumeration.
    pub cwe: Option<u32>,
    /// What it is about.
    pub dimension: Dimension,
    /// How much a finding counts.
    pub severity: Severity,
    /// What is wrong, in one sentence, in English.
    pub english: &'static str,
    /// The same in Chinese.
    pub chinese: &'static str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    rule: Vec<Rule>,
}

/// A rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) cwe: Option<u32>,
    pub(crate) severity: Severity,
    en: String,
    zh: String,
    /// What it is about, unless that is security.
    #[serde(default)]
    smell: bool,
    #[serde(default, rename = "match")]
    matches: Vec<Match>,
}

/// What a rule looks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Match {
    /// All, where there are none.
    #[serde(default)]
    languages: Vec<Family>,
    /// Paths of calls; `*.name` has any receiver, `new Name` makes an object.
    #[serde(default)]
    calls: Vec<String>,
    /// Paths that something is assigned to.
    #[serde(default)]
    assigns: Vec<String>,
    /// Paths of modules.
    #[serde(default)]
    imports: Vec<String>,
    /// What must all be so.
    #[serde(default)]
    pub(crate) when: Vec<Condition>,
    /// A value that is clean for this use is no finding.
    #[serde(default)]
    pub(crate) unless_cleaned: String,
    /// One of these words must be in the statement around, or in the head of the function.
    pub(crate) near: Option<Expression>,
    /// What the file must not contain.
    pub(crate) unless_file: Option<Expression>,
    /// What the file must contain.
    pub(crate) if_file: Option<Expression>,
    /// A severity of its own.
    pub(crate) severity: Option<Severity>,
}

/// What must be so of an argument, the receiver or the assigned value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Condition {
    /// Its number, from 0.
    pub(crate) argument: Option<usize>,
    /// Any argument from this number on.
    pub(crate) from: Option<usize>,
    /// Its name; `a.b` is the entry `b` of what is named `a`.
    pub(crate) keyword: Option<String>,
    /// The receiver of a call.
    #[serde(default)]
    pub(crate) receiver: bool,
    pub(crate) is: Option<State>,
    /// What its known text matches.
    pub(crate) matches: Option<Expression>,
    /// What the text of the code matches, in the words of the file.
    pub(crate) code: Option<Expression>,
    /// Whether the condition must not be so.
    #[serde(default)]
    pub(crate) not: bool,
}

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// Not known when the code is read.
    Dynamic,
    /// Put together from parts that are not known.
    Built,
    /// From the caller, or from outside.
    Parameter,
    /// From outside.
    Request,
    /// Known when the code is read.
    Constant,
    /// There.
    Given,
    /// A regular expression that may take exponential time.
    Slow,
}

/// An expression of a rule.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Expression(Regex);

impl TryFrom<String> for Expression {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        let expression = format!("(?s-u){text}");
        Regex::new(&expression).map(Self)
    }
}

impl Expression {
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text.as_bytes())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OriginsFile {
    objects: Vec<String>,
    source: Vec<Source>,
    cleaner: Vec<Cleaner>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    trust: Trust,
    languages: Vec<Family>,
    paths: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cleaner {
    clean: String,
    #[serde(default)]
    languages: Vec<Family>,
    calls: Vec<String>,
}

/// All rules, by what they look for.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    rules: Vec<Rule>,
    /// The numbers of rules and matches by the last name of a path.
    calls: Index,
    assigns: Index,
    imports: Index,
    sources: HashMap<String, Vec<(Family, Trust, String)>>,
    cleaners: HashMap<String, Vec<CleanerPath>>,
    objects: Vec<String>,
}

type Index = HashMap<String, Vec<Place>>;

#[derive(Debug, Clone)]
struct Place {
    rule: usize,
    of_rule: usize,
    pattern: String,
}

#[derive(Debug)]
struct CleanerPath {
    languages: Vec<Family>,
    pattern: String,
    clean: String,
}

/// What kind of event a rule is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    Call,
    Assign,
    Import,
}

impl Catalogue {
    /// Returns the rules. Data that cannot be read has no rules; a test reads it.
    pub(crate) fn get() -> &'static Self {
        static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        CATALOGUE.get_or_init(|| Self::read().unwrap_or_default())
    }

    fn read() -> Result<Self, toml::de::Error> {
        let rules: RulesFile = toml::from_str(include_str!("security.toml"))?;
        let smells: RulesFile = toml::from_str(include_str!("smells.toml"))?;
        let origins: OriginsFile = toml::from_str(include_str!("origins.toml"))?;
        let mut catalogue = Self {
            objects: origins.objects,
            ..Self::default()
        };
        for source in origins.source {
            for path in source.paths {
                let known = catalogue.sources.entry(last(&path).to_owned()).or_default();
                for family in &source.languages {
                    known.push((*family, source.trust, path.clone()));
                }
            }
        }
        for cleaner in origins.cleaner {
            for call in cleaner.calls {
                let known = catalogue.cleaners.entry(last(&call).to_owned());
                known.or_default().push(CleanerPath {
                    languages: cleaner.languages.clone(),
                    pattern: call,
                    clean: cleaner.clean.clone(),
                });
            }
        }
        for (number, rule) in rules.rule.iter().enumerate() {
            for (of_rule, found) in rule.matches.iter().enumerate() {
                let place = |pattern: &String| Place {
                    rule: number,
                    of_rule,
                    pattern: pattern.clone(),
                };
                let add = |index: &mut Index, patterns: &[String]| {
                    for pattern in patterns {
                        let known = index.entry(last(pattern).to_owned());
                        known.or_default().push(place(pattern));
                    }
                };
                add(&mut catalogue.calls, &found.calls);
                add(&mut catalogue.assigns, &found.assigns);
                add(&mut catalogue.imports, &found.imports);
            }
        }
        catalogue.rules = rules.rule;
        catalogue.rules.extend(smells.rule);
        Ok(catalogue)
    }

    /// Returns the matches for a path.
    pub(crate) fn of_path<'c>(
        &'c self,
        kind: EventKind,
        family: Family,
        paths: [&'c str; 2],
    ) -> impl Iterator<Item = (&'c Rule, &'c Match)> + 'c {
        let index = match kind {
            EventKind::Call => &self.calls,
            EventKind::Assign => &self.assigns,
            EventKind::Import => &self.imports,
        };
        let [one, other] = paths.map(last);
        let first = index.get(one);
        let second = (one != other).then(|| index.get(other)).flatten();
        let any = index.get("*");
        let places = first.into_iter().chain(second).chain(any).flatten();
        places.filter_map(move |place| {
            let rule = self.rules.get(place.rule)?;
            let found = rule.matches.get(place.of_rule)?;
            let is_language = found.languages.is_empty() || found.languages.contains(&family);
            let fits = paths.iter().any(|path| is_path(&place.pattern, path));
            (is_language && fits).then_some((rule, found))
        })
    }

    /// Returns a rule by its id.
    pub(crate) fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// Returns where a value with this path comes from, if it is input.
    pub(crate) fn source(&self, family: Family, path: &str) -> Option<Trust> {
        let known = self.sources.get(last(path))?;
        let mut known = known.iter();
        let found = known.find(|(of, _, pattern)| *of == family && is_path(pattern, path));
        found.map(|(_, trust, _)| *trust)
    }

    /// Returns what the result of a call is clean for.
    pub(crate) fn cleaners(&self, family: Family, paths: [&str; 2]) -> Vec<&str> {
        let mut found = Vec::new();
        for path in paths {
            for cleaner in self.cleaners.get(last(path)).into_iter().flatten() {
                let is_language =
                    cleaner.languages.is_empty() || cleaner.languages.contains(&family);
                if is_language && is_path(&cleaner.pattern, path) {
                    found.push(cleaner.clean.as_str());
                }
            }
        }
        found
    }

    /// Returns whether a parameter of this name is an object of the framework, not a value.
    pub(crate) fn is_object(&self, name: &str) -> bool {
        self.objects.iter().any(|object| object == name)
    }
}

impl Rule {
    pub(crate) fn dimension(&self) -> Dimension {
        match self.smell {
            true if self.id.starts_with("complex") => Dimension::Complexity,
            true => Dimension::Smell,
            false => Dimension::Security,
        }
    }

    pub(crate) fn sentence(&self) -> &str {
        &self.en
    }
}

/// Returns all rules, in the order of their ids.
pub fn rules() -> Vec<RuleInfo> {
    let mut infos: Vec<_> = Catalogue::get()
        .rules
        .iter()
        .map(|rule| RuleInfo {
            id: &rule.id,
            cwe: rule.cwe,
            dimension: rule.dimension(),
            severity: rule.severity,
            english: &rule.en,
            chinese: &rule.zh,
        })
        .collect();
    infos.sort_by_key(|info| info.id);
    infos
}

/// The last name of a path.
fn last(path: &str) -> &str {
    let path = path.strip_prefix("new ").unwrap_or(path);
    path.rsplit(['.', '/']).next().unwrap_or(path)
}

/// Returns whether a path is what a pattern says: the same, or the same at its end; `*.name` needs
/// something in front. A pattern of one name is that name alone.
pub(crate) fn is_path(pattern: &str, path: &str) -> bool {
    let is_new = pattern.starts_with("new ");
    if is_new != path.starts_with("new ") {
        return false;
    }
    let pattern = pattern.strip_prefix("new ").unwrap_or(pattern);
    let path = path.strip_prefix("new ").unwrap_or(path);
    if let Some(rest) = pattern.strip_prefix('*') {
        return path.ends_with(rest) && path.len() > rest.len();
    }
    if path == pattern {
        return true;
    }
    let before = path.strip_suffix(pattern);
    let is_end = before.is_some_and(|before| before.ends_with(['.', '/']));
    is_end && (is_new || pattern.contains('.'))
}
