//! Skills: instructions in three levels. L1 is a line of the catalogue, L2 the text of `SKILL.md`.
//!
//! This room loads skills and shows them; it runs nothing. Who picks one is `agent`'s affair
//! (Phase 1) or the model's (the [`SkillTool`]).

mod builtin;
mod front_matter;
mod tool;

use sayso_channel::Language;
use sha2::{Digest, Sha256};
use thiserror::Error;

use front_matter::FrontMatter;
pub use tool::SkillTool;

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

/// Where a skill comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillSource {
    /// It was built in.
    Builtin,
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
    skills: Vec<Skill>,
}

#[derive(Debug, Clone)]
struct Skill {
    front_matter: FrontMatter,
    text: String,
    hash: String,
}

impl Skills {
    /// Returns the skills that are built in.
    pub fn builtin() -> Result<Self, SkillError> {
        let skills = builtin::FILES
            .iter()
            .map(|(file, content)| Skill::read(file, content))
            .collect::<Result<_, _>>()?;
        Ok(Self { skills })
    }

    /// Returns the catalogue (L1) in one language.
    pub fn catalogue(&self, language: Language) -> Vec<SkillMeta> {
        let line = |skill: &Skill| SkillMeta {
            name: skill.front_matter.name.clone(),
            description: skill.front_matter.description(language).to_owned(),
            source: SkillSource::Builtin,
            content_hash: Some(skill.hash.clone()),
        };
        self.skills.iter().map(line).collect()
    }

    /// Returns the text of a skill (L2), without its front matter.
    pub fn load(&self, name: &str) -> Option<&str> {
        self.skills
            .iter()
            .find(|skill| skill.front_matter.name == name)
            .map(|skill| skill.text.as_str())
    }

    /// Returns the names, in the order of the catalogue.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.skills
            .iter()
            .map(|skill| skill.front_matter.name.as_str())
    }
}

impl Skill {
    fn read(file: &str, content: &str) -> Result<Self, SkillError> {
        let (front_matter, text) = front_matter::split(file, content)?;
        Ok(Self {
            front_matter,
            text: text.trim().to_owned(),
            hash: format!("{:x}", Sha256::digest(content)),
        })
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::Skills;

    /// Longer texts cost every turn that is routed to them.
    const LONGEST_TEXT: usize = 3000;

    #[test]
    fn the_built_in_catalogue_exists_in_both_languages() {
        let skills = Skills::builtin().unwrap();
        let lines = |language| {
            let catalogue = skills.catalogue(language);
            let lines: Vec<_> = catalogue
                .iter()
                .map(|skill| format!("{}: {}", skill.name, skill.description))
                .collect();
            lines.join("\n")
        };
        insta::assert_snapshot!(lines(Language::English), @r"
        git-workflow: Git workflow guide (load when the user mentions git, committing, branches or version control)
        code-review: Code review practice (load when the user asks for a review or a check of code quality)
        rust-dev: Rust development guide (load when the user writes Rust or debugs Rust compile errors)
        shell-safety: Safe use of the command line (load before deleting, moving, installing, changing permissions or running a script)
        ");
        insta::assert_snapshot!(lines(Language::Chinese), @r"
        git-workflow: Git 操作工作流指南（用户提到 git、提交代码、分支、版本控制时加载）
        code-review: 代码审查最佳实践（用户请求 review 代码、检查代码质量时加载）
        rust-dev: Rust 开发规范（用户进行 Rust 开发、调试 Rust 编译错误时加载）
        shell-safety: 命令行安全指南（删除、移动文件，安装软件，修改权限或运行脚本之前加载）
        ");
    }

    #[test]
    fn built_in_texts_are_short_and_have_no_front_matter() {
        let skills = Skills::builtin().unwrap();
        for name in skills.names() {
            let text = skills.load(name).unwrap();
            assert!(text.starts_with("# "), "{name} begins with its title");
            assert!(text.len() < LONGEST_TEXT, "{name}: {} bytes", text.len());
        }
        assert_eq!(skills.load("unknown"), None);
    }

    #[test]
    fn the_hash_is_of_the_whole_file() {
        let catalogue = Skills::builtin().unwrap().catalogue(Language::English);
        let hashes: Vec<_> = catalogue
            .iter()
            .filter_map(|skill| skill.content_hash.as_deref())
            .collect();
        assert_eq!(hashes.len(), catalogue.len());
        assert!(hashes.iter().all(|hash| hash.len() == 64));
    }
}
