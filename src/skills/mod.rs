//! Skills: instructions in three levels. L1 is a line of the catalogue, L2 the text of `SKILL.md`,
//! L3 the files beside it, which are read when they are asked for.
//!
//! This room loads skills and shows them; it runs nothing. Who picks one is `agent`'s affair
//! (Phase 1) or the model's (the [`SkillTool`]). What lies in the operator's folder is trusted as
//! `AGENT.md` is, and goes before what is built in under the same name.
//!
//! # Files
//!
//! `skills` loads the built-in ones of `skills/` and those of the operator (`skills/` of the data
//! directory), those that are installed (`installed/`) and those of workspaces, and
//! `skills/recommend` guesses, by words and by how like a message is to examples, which of them it
//! asks for; `persona` reads `AGENT.md`, `SOUL.md` and `USER.md`.
//!
//! # Invariants
//!
//! - Which skills are used is asked of the `Library`, by the owner that memory has too: the person
//!   in a direct chat, the group in a group. A turn asks once when it is driven, the tools of
//!   skills and of self-information when they run, so what is switched off (`skills_off`) is in no
//!   catalogue, no guess and no tool.
//! - Only built-in skills and the operator's are trusted by their location; any other skill
//!   (`skills/places.rs`) is loaded only while the hash of all its files is the one that an owner
//!   approved (`skill_pins`). Of one name the last of this order is used: built in, installed,
//!   operator, workspace. The nearest goes first as everywhere, and may, since it too was read and
//!   approved; its card says whose place it takes. There is no other place for a person's own:
//!   theirs is the workspace of their direct chats.
//! - A workspace without an approved skill is not looked at by a turn. With one, its skills are
//!   read and hashed each time a turn is driven, and the text that was hashed is the text that is
//!   used. Other files of an approved skill are compared with their own hash when they are read.
//! - A wish for a skill is a row (`skill_reviews`: wanted, open, approved, placed, done; or denied,
//!   expired, failed), each step repeatable, as with an erasure. Commands and presses write rows
//!   only; `commands/skill_review/run.rs` reads, stages (`installed/.staged/ID`), moves by one
//!   rename after comparing the hash with the one shown, and has the library read again before it
//!   says that it is done.
//! - An archive is unpacked into a `Content` in memory (`skills/archive.rs`) and never onto disk as
//!   it says.
//! - A repository is fetched by `tools/git/remote.rs`, bound to addresses that were checked, and
//!   never checked out; `skills/repository.rs` reads an archive of one folder of one commit like
//!   any other archive.
//! - `skills` runs nothing. A file of a skill is opened through `Workspace`, so none outside its
//!   folder ever is.
//! - What a skill cannot be without refuses it; what the published format forbids and a reader can
//!   bear is a finding (`skills/problem.rs`). `skills check` fails for both.

mod archive;
mod builtin;
mod check;
mod content;
mod files;
mod folder;
mod front_matter;
mod library;
pub mod messages;
mod places;
mod problem;
mod recommend;
mod repository;
mod requirements;
mod review;
mod source;
mod tool;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use sayso_channel::Language;
use sha2::{Digest, Sha256};
use thiserror::Error;

use builtin::Embedded;
pub use check::{Checked, check};
use content::Content;
use files::Files;
use folder::{Folder, SKILL_FILE};
use front_matter::FrontMatter;
pub use library::{Candidate, LeftOut, Library, Why};
pub use places::Places;
use places::folders;
pub use problem::{Finding, Problem, Refusal, Weight};
pub use recommend::{Intent, MessageFeatures, Reason, Recommendation, SkillRecommender, Words};
pub use repository::NamedIn;
pub use requirements::Host;
pub use review::{Flag, Flagged, Review};
pub use tool::{SKILL_TOOL, SkillTool};

/// The most skills of the operator; the rest is left out and said.
const OPERATOR_SKILLS: usize = 200;

/// One line of the catalogue (L1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillMeta {
    /// `a-z`, `0-9` and `-`; the name of the skill's folder.
    pub name: String,
    /// What it is and when to load it, in one language.
    pub description: String,
    /// Where it comes from.
    pub source: SkillSource,
    /// The SHA-256 of `SKILL.md` in hexadecimal, where the text is at hand.
    pub content_hash: Option<String>,
}

impl SkillMeta {
    /// Returns when to load it, where the description ends with that in brackets, as ours do
    /// (`{what it is} (load for {…})`, `{…}（{…}时加载）`); else the whole description. The name says
    /// what it is.
    pub fn when(&self) -> &str {
        let description = self.description.trim_end();
        let english = || {
            let (_, inside) = description.strip_suffix(')')?.rsplit_once('(')?;
            inside.strip_prefix("load ")
        };
        let chinese = || {
            let (_, inside) = description.strip_suffix("加载）")?.rsplit_once('（')?;
            Some(inside.strip_suffix('时').unwrap_or(inside).trim_end())
        };
        english().or_else(chinese).unwrap_or(description)
    }
}

/// Where a skill comes from. Of several with one name the last of this order is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkillSource {
    /// It was built in.
    Builtin,
    /// An owner had it installed, and approved what is in it.
    Installed,
    /// The operator put it into `skills/` of the data directory.
    Operator,
    /// It lies in a workspace, and an owner approved what is in it.
    Workspace,
}

impl SkillSource {
    /// All of them, each before those whose skills take the place of its own.
    pub const ALL: [Self; 4] = [
        Self::Builtin,
        Self::Installed,
        Self::Operator,
        Self::Workspace,
    ];
}

/// Why a skill cannot be read, in words for who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{file}`, line {line}: {why}")]
pub struct SkillError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong, and what is expected.
    pub why: String,
}

/// The skills of this instance, in the order of the catalogue.
#[derive(Debug, Clone)]
pub struct Skills {
    skills: Vec<Arc<Skill>>,
    recommender: SkillRecommender,
}

#[derive(Debug, Clone)]
struct Skill {
    front_matter: FrontMatter,
    source: SkillSource,
    text: String,
    files: Files,
    hash: String,
}

impl Skills {
    /// Returns the skills that are built in.
    pub fn builtin() -> Result<Self, SkillError> {
        let skills = builtin::SKILLS
            .iter()
            .map(|skill| Skill::embedded(skill).map(Arc::new))
            .collect::<Result<Vec<_>, _>>()?;
        let recommender = recommender(&skills);
        Ok(Self {
            skills,
            recommender,
        })
    }

    /// Adds the skills in the folders of a directory, which need not exist, and returns what is
    /// left out, and why: what cannot be read, and what needs something that `host` has not.
    ///
    /// One with the name of a built-in skill takes its place; of two with one name the first stays.
    pub fn with_operator(mut self, directory: &Path, host: &Host) -> (Self, Vec<SkillError>) {
        let mut left_out = Vec::new();
        let mut folders = folders(directory);
        let rest = folders.split_off(folders.len().min(OPERATOR_SKILLS));
        let mut taken: HashMap<String, String> = HashMap::new();
        for folder in folders {
            let skill = match Skill::in_folder(&folder, host) {
                Ok(skill) => skill,
                Err(error) => {
                    left_out.push(error);
                    continue;
                }
            };
            let name = skill.front_matter.name.clone();
            if let Some(first) = taken.get(&name) {
                let problem = Problem::NameTaken {
                    name,
                    folder: first.clone(),
                };
                let file = folder.join(SKILL_FILE).display().to_string();
                left_out.push(SkillError::of(file, &Finding { line: 1, problem }));
                continue;
            }
            taken.insert(name, Folder::new(&folder).name());
            self.put(skill);
        }
        left_out.extend(rest.iter().map(|folder| SkillError {
            file: folder.join(SKILL_FILE).display().to_string(),
            line: 1,
            why: format!("there are more than {OPERATOR_SKILLS} skills"),
        }));
        self.recommender = recommender(&self.skills);
        (self, left_out)
    }

    /// Adds a skill, or puts it in place of one of its name that does not go before it. The caller
    /// must call [`Skills::read_again`] after the last addition.
    fn add(&mut self, skill: Skill) {
        let known = self.skill(&skill.front_matter.name);
        if known.is_none_or(|known| known.source <= skill.source) {
            self.put(skill);
        }
    }

    /// Has what guesses know of what was added.
    fn read_again(&mut self) {
        self.recommender = recommender(&self.skills);
    }

    fn put(&mut self, skill: Skill) {
        let name = &skill.front_matter.name;
        let same = |known: &&mut Arc<Skill>| known.front_matter.name == *name;
        match self.skills.iter_mut().find(same) {
            Some(known) => *known = Arc::new(skill),
            None => self.skills.push(Arc::new(skill)),
        }
    }

    /// Returns these skills but for some.
    pub fn without(&self, names: &HashSet<String>) -> Self {
        let is_kept = |skill: &&Arc<Skill>| !names.contains(&skill.front_matter.name);
        let skills: Vec<_> = self.skills.iter().filter(is_kept).cloned().collect();
        let recommender = recommender(&skills);
        Self {
            skills,
            recommender,
        }
    }

    /// Returns the catalogue (L1) in one language.
    pub fn catalogue(&self, language: Language) -> Vec<SkillMeta> {
        let skills = self.skills.iter();
        skills.map(|skill| skill.line(language)).collect()
    }

    /// Returns what guesses, by words in any language, which of them may help.
    pub fn recommender(&self) -> &SkillRecommender {
        &self.recommender
    }

    /// Returns the text of a skill (L2), without its front matter and with the names of its files.
    pub fn load(&self, name: &str) -> Option<&str> {
        self.skill(name).map(|skill| skill.text.as_str())
    }

    /// Returns how many steps a turn with this skill may take, where it says so: 1 to 30.
    pub fn steps(&self, name: &str) -> Option<u32> {
        self.skill(name)?.front_matter.steps
    }

    /// Returns the text of a file of a skill (L3); `None` where there is no such skill.
    pub fn file(&self, name: &str, file: &str) -> Option<Result<String, SkillError>> {
        let skill = self.skill(name)?;
        Some(skill.files.read(file).map_err(|problem| {
            let finding = Finding { line: 1, problem };
            SkillError::of(file.to_owned(), &finding)
        }))
    }

    /// Returns the names, in the order of the catalogue.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.skills
            .iter()
            .map(|skill| skill.front_matter.name.as_str())
    }

    fn skill(&self, name: &str) -> Option<&Arc<Skill>> {
        self.skills
            .iter()
            .find(|skill| skill.front_matter.name == name)
    }
}

fn recommender(skills: &[Arc<Skill>]) -> SkillRecommender {
    let lines = |language| skills.iter().map(move |skill| skill.line(language));
    let catalogue: Vec<SkillMeta> = lines(Language::English)
        .chain(lines(Language::Chinese))
        .collect();
    SkillRecommender::new(&catalogue)
}

impl Skill {
    /// Returns its line of the catalogue.
    fn line(&self, language: Language) -> SkillMeta {
        SkillMeta {
            name: self.front_matter.name.clone(),
            description: self.front_matter.description(language).to_owned(),
            source: self.source,
            content_hash: Some(self.hash.clone()),
        }
    }

    fn embedded(embedded: &Embedded) -> Result<Self, SkillError> {
        let Embedded {
            folder,
            content,
            files,
        } = embedded;
        let file = format!("skills/{folder}/{SKILL_FILE}");
        let files = Files::Builtin(files);
        Self::read(file, folder, content, SkillSource::Builtin, files)
    }

    fn in_folder(path: &Path, host: &Host) -> Result<Self, SkillError> {
        let folder = Folder::new(path);
        let file = path.join(SKILL_FILE).display().to_string();
        let refused = |problem| SkillError::of(file.clone(), &Finding { line: 1, problem });
        let content = folder.read(SKILL_FILE).map_err(refused)?;
        let files = Files::Folder(folder.clone(), folder.list().files);
        let (name, source) = (folder.name(), SkillSource::Operator);
        let skill = Self::read(file.clone(), &name, &content, source, files)?;
        match skill.front_matter.requirements.unmet(host).pop() {
            Some(unmet) => Err(refused(Problem::Unmet(unmet))),
            None => Ok(skill),
        }
    }

    /// Returns a skill whose files an owner approved as they were read.
    fn approved(
        root: &Path,
        content: &Content,
        source: SkillSource,
        host: &Host,
    ) -> Result<Self, Finding> {
        let at_top = |problem| Finding { line: 1, problem };
        let folder = Folder::new(root);
        let name = folder.name();
        let written = content.text(SKILL_FILE);
        let written = written.ok_or_else(|| at_top(Problem::NotText))?;
        let files = Files::approved(folder, content);
        let skill = Self::of(&name, written, source, files)?;
        match skill.front_matter.requirements.unmet(host).pop() {
            Some(unmet) => Err(at_top(Problem::Unmet(unmet))),
            None => Ok(skill),
        }
    }

    fn read(
        file: String,
        folder: &str,
        content: &str,
        source: SkillSource,
        files: Files,
    ) -> Result<Self, SkillError> {
        Self::of(folder, content, source, files).map_err(|finding| SkillError::of(file, &finding))
    }

    fn of(folder: &str, content: &str, source: SkillSource, files: Files) -> Result<Self, Finding> {
        let document = front_matter::read(folder, content)?;
        for finding in &document.findings {
            if matches!(
                finding.problem,
                Problem::OtherLetters { .. } | Problem::ListForText(_)
            ) {
                let what = messages::problem(&finding.problem, Language::English);
                log_reading(source, folder, finding.line, &what);
            }
        }
        Ok(Self {
            text: format!("{}{}", document.text.trim(), files.note()),
            front_matter: document.front_matter,
            source,
            files,
            hash: format!("{:x}", Sha256::digest(content)),
        })
    }
}

/// Says what a skill was read as. Those of a workspace are read again for every turn, so they are
/// said in detail only.
fn log_reading(source: SkillSource, folder: &str, line: u64, what: &str) {
    if source == SkillSource::Workspace {
        tracing::debug!(
            folder,
            line,
            what,
            "skill deviates from the SKILL.md format"
        );
    } else {
        tracing::warn!(
            folder,
            line,
            what,
            "skill deviates from the SKILL.md format"
        );
    }
}

impl SkillError {
    fn of(file: String, finding: &Finding) -> Self {
        Self {
            file,
            line: finding.line,
            why: messages::problem(&finding.problem, Language::English),
        }
    }
}

#[cfg(test)]
#[path = "skills_tests.rs"]
mod tests;
