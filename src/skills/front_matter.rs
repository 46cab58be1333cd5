//! The front matter of a `SKILL.md`: YAML between two lines of `---`, by the published format of
//! Agent Skills.
//!
//! What a skill cannot be without refuses it; what the format forbids and a reader can bear (a
//! description that is too long, a name that is not the folder's) is a finding. Keys that we do not
//! know are left alone: the format is shared with other agents, and a file written for one of them
//! is a good file.

use std::fmt;

use sayso_channel::Language;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use serde_saphyr::Spanned;

use super::problem::{Finding, Problem};
use super::requirements::Requirements;

/// The longest name, in characters.
pub const NAME_CHARS: usize = 64;
/// The longest description, in characters.
pub const DESCRIPTION_CHARS: usize = 1024;
/// The longest text on what a skill is compatible with, in characters.
pub const COMPATIBILITY_CHARS: usize = 500;
/// The most steps that a skill may ask for; the configuration allows no more either.
pub const MOST_STEPS: u32 = 30;
/// The line that opens and closes the front matter.
const FENCE: &str = "---";
/// The keys of the format, and our one.
pub const KEYS: [&str; 7] = [
    "name",
    "description",
    "description-zh",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// What a skill says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter {
    /// `a-z`, `0-9` and `-`.
    pub name: String,
    description: String,
    chinese_description: Option<String>,
    /// What must be here for the skill to be of use.
    pub requirements: Requirements,
    /// How many steps a turn with it may take, where it needs more than others (`sayso-steps` in
    /// the metadata).
    pub steps: Option<u32>,
    /// The tools that it says it needs, which gives it none.
    pub allowed_tools: Vec<String>,
}

impl FrontMatter {
    /// Returns the description in `language`, or the one that there is.
    pub fn description(&self, language: Language) -> &str {
        let chinese = self.chinese_description.as_deref();
        match language {
            Language::English => &self.description,
            Language::Chinese => chinese.unwrap_or(&self.description),
        }
    }
}

/// A `SKILL.md`, read.
#[derive(Debug)]
pub struct Document<'a> {
    /// What it says of itself.
    pub front_matter: FrontMatter,
    /// What follows (L2).
    pub text: &'a str,
    /// The line that the text begins in.
    pub text_line: u64,
    /// What is wrong and can be borne.
    pub findings: Vec<Finding>,
}

/// Reads the content of a `SKILL.md`. `folder` is the name of its folder.
///
/// The error is the one problem that refuses the skill.
pub fn read<'a>(folder: &str, content: &'a str) -> Result<Document<'a>, Finding> {
    let (yaml, text) = fenced(content).map_err(|problem| Finding { line: 1, problem })?;
    let mut findings = Vec::new();
    let written = written(yaml, &mut findings)?;
    let keys: Keys = serde_saphyr::from_str(yaml).map_err(|error| unreadable(&error))?;
    let name = name(written.name, folder, &mut findings)?;
    let description = description("description", written.description, &mut findings)?;
    let Some(description) = description else {
        let problem = Problem::Missing("description");
        return Err(Finding { line: 1, problem });
    };
    let in_chinese = written.chinese_description;
    let chinese_description = self::description("description-zh", in_chinese, &mut findings)?;
    if let Some(compatibility) = &written.compatibility {
        measure(
            "compatibility",
            compatibility,
            COMPATIBILITY_CHARS,
            &mut findings,
        );
    }
    let allowed_tools = allowed_tools(written.allowed_tools)?;
    let metadata = metadata(written.metadata, &mut findings)?;
    let (requirements, unknown) = Requirements::of(&metadata.value);
    let unknown = unknown.into_iter().map(Problem::UnknownSystem);
    findings.extend(unknown.map(|problem| at(&metadata, problem)));
    let steps = steps(&metadata, &mut findings);
    findings.extend(keys.unknown());
    findings.sort_by_key(|finding| finding.line);
    let front_matter = FrontMatter {
        name,
        description,
        chinese_description,
        requirements,
        steps,
        allowed_tools,
    };
    Ok(Document {
        front_matter,
        text,
        text_line: yaml.lines().count() as u64 + 3,
        findings,
    })
}

#[derive(Deserialize)]
struct Written {
    name: Option<Spanned<String>>,
    description: Option<Spanned<String>>,
    #[serde(rename = "description-zh")]
    chinese_description: Option<Spanned<String>>,
    compatibility: Option<Spanned<String>>,
    metadata: Option<Spanned<Value>>,
    #[serde(rename = "allowed-tools")]
    allowed_tools: Option<Spanned<Value>>,
}

/// The same with anything for a value: for files with a list in place of a text.
#[derive(Deserialize)]
struct Loose {
    name: Option<Spanned<Value>>,
    description: Option<Spanned<Value>>,
    #[serde(rename = "description-zh")]
    chinese_description: Option<Spanned<Value>>,
    compatibility: Option<Spanned<Value>>,
    metadata: Option<Spanned<Value>>,
    #[serde(rename = "allowed-tools")]
    allowed_tools: Option<Spanned<Value>>,
}

impl Loose {
    /// Returns it with each list of texts as one text.
    fn read(self, findings: &mut Vec<Finding>) -> Result<Written, NoText> {
        // Of several names none is the name.
        let names = self.name.as_ref().and_then(|name| name.value.as_array());
        if names.is_some_and(|names| names.len() != 1) {
            return Err(NoText);
        }
        Ok(Written {
            name: text("name", self.name, findings)?,
            description: text("description", self.description, findings)?,
            chinese_description: text("description-zh", self.chinese_description, findings)?,
            compatibility: text("compatibility", self.compatibility, findings)?,
            metadata: self.metadata,
            allowed_tools: self.allowed_tools,
        })
    }
}

/// A value that is no text, and no list of texts.
struct NoText;

/// Reads the front matter, with a list where a text belongs if it has one.
fn written(yaml: &str, findings: &mut Vec<Finding>) -> Result<Written, Finding> {
    let error = match serde_saphyr::from_str(yaml) {
        Ok(written) => return Ok(written),
        Err(error) => error,
    };
    let loose: Option<Loose> = serde_saphyr::from_str(yaml).ok();
    let read = loose.and_then(|loose| loose.read(findings).ok());
    read.ok_or_else(|| unreadable(&error))
}

/// Returns the text that a value is, or that the texts of a list are together.
fn text(
    key: &'static str,
    written: Option<Spanned<Value>>,
    findings: &mut Vec<Finding>,
) -> Result<Option<Spanned<String>>, NoText> {
    let Some(written) = written else {
        return Ok(None);
    };
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    let text = match &written.value {
        Value::Null => return Ok(None),
        Value::Array(items) => {
            findings.push(at(&written, Problem::ListForText(key)));
            let texts: Option<Vec<String>> = items.iter().map(one).collect();
            texts.ok_or(NoText)?.join(", ")
        }
        value => one(value).ok_or(NoText)?,
    };
    let (referenced, defined) = (written.referenced, written.defined);
    Ok(Some(Spanned::new(text, referenced, defined)))
}

/// Every key with its line.
struct Keys(Vec<(String, u64)>);

impl Keys {
    fn unknown(self) -> impl Iterator<Item = Finding> {
        let unknown = |(key, _): &(String, u64)| !KEYS.contains(&key.as_str());
        self.0
            .into_iter()
            .filter(unknown)
            .map(|(key, line)| Finding {
                line,
                problem: Problem::UnknownKey(key),
            })
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("keys with values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    let value = map.next_value::<Spanned<IgnoredAny>>()?;
                    keys.push((key, line_of(&value)));
                }
                Ok(Keys(keys))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

fn fenced(content: &str) -> Result<(&str, &str), Problem> {
    let content = content.trim_start_matches('\u{feff}');
    let (opening, rest) = content.split_once('\n').unwrap_or((content, ""));
    if opening.trim_end() != FENCE {
        return Err(Problem::NoFrontMatter);
    }
    let mut start = 0;
    for line in rest.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == FENCE {
            return Ok((&rest[..start], &rest[end..]));
        }
        start = end;
    }
    Err(Problem::NotClosed)
}

fn name(
    written: Option<Spanned<String>>,
    folder: &str,
    findings: &mut Vec<Finding>,
) -> Result<String, Finding> {
    let Some(written) = written.filter(|name| !name.value.trim().is_empty()) else {
        let problem = Problem::Missing("name");
        return Err(Finding { line: 1, problem });
    };
    let said = written.value.trim();
    let plain = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '-');
    let is_plain = said.chars().all(plain);
    let name = if is_plain {
        Some(said.to_owned())
    } else {
        slug(said)
    };
    let Some(name) = name.filter(|name| name.len() <= NAME_CHARS) else {
        return Err(at(&written, Problem::BadName(said.to_owned())));
    };
    if !is_plain {
        let problem = Problem::OtherLetters {
            written: said.to_owned(),
            name: name.clone(),
        };
        findings.push(at(&written, problem));
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        findings.push(at(&written, Problem::Hyphens(name.clone())));
    }
    if name != folder && slug(folder).as_ref() != Some(&name) {
        let problem = Problem::OtherFolder {
            name: name.clone(),
            folder: folder.to_owned(),
        };
        findings.push(at(&written, problem));
    }
    Ok(name)
}

/// Returns the name of the format that one with capitals, blanks, `_` or `.` stands for. Two that
/// differ in these alone are one name. Of other letters none is made up.
fn slug(written: &str) -> Option<String> {
    let mut slug = String::new();
    for letter in written.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => slug.push(letter.to_ascii_lowercase()),
            ' ' | '\t' | '_' | '.' | '-' if slug.ends_with('-') || slug.is_empty() => {}
            ' ' | '\t' | '_' | '.' | '-' => slug.push('-'),
            _ => return None,
        }
    }
    let slug = slug.trim_end_matches('-');
    (!slug.is_empty()).then(|| slug.to_owned())
}

fn description(
    key: &'static str,
    written: Option<Spanned<String>>,
    findings: &mut Vec<Finding>,
) -> Result<Option<String>, Finding> {
    let Some(written) = written else {
        return Ok(None);
    };
    if written.value.trim().is_empty() {
        return Err(at(&written, Problem::Missing(key)));
    }
    measure(key, &written, DESCRIPTION_CHARS, findings);
    if !says_when(&written.value) {
        findings.push(at(&written, Problem::NoTrigger(key)));
    }
    Ok(Some(written.value.trim().to_owned()))
}

fn measure(
    key: &'static str,
    written: &Spanned<String>,
    limit: usize,
    findings: &mut Vec<Finding>,
) {
    let length = written.value.trim().chars().count();
    if length > limit {
        let problem = Problem::TooLong { key, length, limit };
        findings.push(at(written, problem));
    }
}

fn metadata(
    written: Option<Spanned<Value>>,
    findings: &mut Vec<Finding>,
) -> Result<Spanned<Map<String, Value>>, Finding> {
    let Some(written) = written else {
        let nowhere = serde_saphyr::Location::UNKNOWN;
        return Ok(Spanned::new(Map::new(), nowhere, nowhere));
    };
    let Value::Object(map) = &written.value else {
        return Err(at(&written, Problem::Metadata));
    };
    let nested = map
        .iter()
        .filter(|(_, value)| value.is_object() || value.is_array());
    let nested = nested.map(|(key, _)| at(&written, Problem::NestedMetadata(key.clone())));
    findings.extend(nested);
    Ok(Spanned::new(
        map.clone(),
        written.referenced,
        written.defined,
    ))
}

/// Returns the number of steps that the metadata asks for.
fn steps(metadata: &Spanned<Map<String, Value>>, findings: &mut Vec<Finding>) -> Option<u32> {
    let written = match metadata.value.get("sayso-steps")? {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let steps = written.trim().parse().ok();
    let steps = steps.filter(|steps| (1..=MOST_STEPS).contains(steps));
    if steps.is_none() {
        findings.push(at(metadata, Problem::BadSteps(written)));
    }
    steps
}

/// Returns words between spaces, or those of a list.
fn allowed_tools(written: Option<Spanned<Value>>) -> Result<Vec<String>, Finding> {
    let Some(written) = written else {
        return Ok(Vec::new());
    };
    let words = match &written.value {
        Value::String(words) => {
            let words = words
                .split_whitespace()
                .map(|word| word.trim_end_matches(',').to_owned())
                .filter(|word| !word.is_empty());
            Some(words.collect())
        }
        Value::Array(items) => {
            let words = items.iter().map(|item| item.as_str().map(str::to_owned));
            words.collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    };
    words.ok_or_else(|| at(&written, Problem::AllowedTools))
}

/// Words with which a description begins to say when the skill is to be loaded.
const WHEN: [&str; 9] = [
    "when ",
    "whenever ",
    "load ",
    "use for ",
    "use this ",
    "used for ",
    "before ",
    "after ",
    "any time ",
];
/// The same in Chinese.
const WHEN_CHINESE: [&str; 5] = ["时", "之前", "之后", "当用户", "用于"];

/// Returns whether a description says when to load the skill, and not only what it is.
fn says_when(description: &str) -> bool {
    let description = description.to_lowercase();
    let begins_word = |word: &str| {
        description.match_indices(word).any(|(place, _)| {
            let before = description[..place].chars().next_back();
            !before.is_some_and(char::is_alphanumeric)
        })
    };
    WHEN.iter().any(|word| begins_word(word))
        || WHEN_CHINESE.iter().any(|word| description.contains(word))
}

fn at<T>(written: &Spanned<T>, problem: Problem) -> Finding {
    Finding {
        line: line_of(written),
        problem,
    }
}

/// The opening fence is line 1 of the file, so the YAML is one line ahead.
fn line_of<T>(written: &Spanned<T>) -> u64 {
    written.referenced.line() + 1
}

fn unreadable(error: &serde_saphyr::Error) -> Finding {
    let error = error.without_snippet();
    let line = error.location().map_or(1, |location| location.line() + 1);
    let problem = match error {
        serde_saphyr::Error::DuplicateMappingKey { key: Some(key), .. } => {
            Problem::Twice(key.clone())
        }
        other => Problem::Yaml(without_position(other)),
    };
    Finding { line, problem }
}

/// Returns the first line of an error without its position, which counts from the YAML's start.
fn without_position(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    let what = line.rfind(" at line ").and_then(|end| line.get(..end));
    what.unwrap_or(line).to_owned()
}

#[cfg(test)]
#[path = "front_matter_tests.rs"]
mod tests;
