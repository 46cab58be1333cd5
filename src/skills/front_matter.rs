//! The front matter of a `SKILL.md`: YAML between two lines of `---`.
//!
//! Keys that we do not know are left alone: the format is shared with other agents, and a file
//! written for one of them is a good file.

use sayso_channel::Language;
use serde::Deserialize;

use super::SkillError;

/// The longest name, in characters.
const NAME_CHARS: usize = 64;
/// The longest description, in characters: it is in every Phase 1 prompt.
const DESCRIPTION_CHARS: usize = 1024;
/// The line that opens and closes the front matter.
const FENCE: &str = "---";

/// What a skill says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FrontMatter {
    /// `a-z`, `0-9` and `-`.
    pub name: String,
    description: String,
    #[serde(rename = "description-zh")]
    chinese_description: Option<String>,
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

    fn check(&self) -> Result<(), String> {
        let plain = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '-');
        if self.name.is_empty() || self.name.len() > NAME_CHARS || !self.name.chars().all(plain) {
            return Err(format!(
                "`name` is `{}`; it takes 1-{NAME_CHARS} of a-z, 0-9 and `-`",
                self.name
            ));
        }
        let chinese = self.chinese_description.as_deref();
        for description in [Some(self.description.as_str()), chinese]
            .into_iter()
            .flatten()
        {
            let length = description.chars().count();
            if description.trim().is_empty() || length > DESCRIPTION_CHARS {
                return Err(format!(
                    "a description has {length} characters; it takes 1-{DESCRIPTION_CHARS}, \
                     and should say when to load the skill"
                ));
            }
        }
        Ok(())
    }
}

/// Splits the content of a `SKILL.md` into front matter and text (L2).
pub fn split<'a>(file: &str, content: &'a str) -> Result<(FrontMatter, &'a str), SkillError> {
    let wrong = |line, why| SkillError {
        file: file.to_owned(),
        line,
        why,
    };
    let (yaml, text) = fenced(content).map_err(|why| wrong(1, why.to_owned()))?;
    // The opening fence is line 1 of the file, so the YAML is one line ahead.
    let front_matter: FrontMatter = serde_saphyr::from_str(yaml).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line() + 1);
        wrong(line, without_position(error.without_snippet()))
    })?;
    front_matter.check().map_err(|why| wrong(2, why))?;
    Ok((front_matter, text))
}

fn fenced(content: &str) -> Result<(&str, &str), &'static str> {
    let content = content.trim_start_matches('\u{feff}');
    let (opening, rest) = content.split_once('\n').unwrap_or((content, ""));
    if opening.trim_end() != FENCE {
        return Err("a skill begins with `---`, `name: ...`, `description: ...`, `---`");
    }
    let mut start = 0;
    for line in rest.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == FENCE {
            return Ok((&rest[..start], &rest[end..]));
        }
        start = end;
    }
    Err("the front matter is not closed: a second line `---` is missing")
}

/// Returns the first line of an error without its position, which counts from the YAML's start.
fn without_position(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    let what = line.rfind(" at line ").and_then(|end| line.get(..end));
    what.unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::split;

    #[track_caller]
    fn refusal(content: &str) -> String {
        split("skills/x/SKILL.md", content).unwrap_err().to_string()
    }

    #[test]
    fn front_matter_and_text_are_apart() {
        let content = "---\r\nname: tea\r\ndescription: \"Tea: how to brew\"\r\nlicense: MIT\r\n---\r\nBoil.\n---\nPour.\n";
        let (front_matter, text) = split("x", content).unwrap();
        assert_eq!(front_matter.name, "tea");
        assert_eq!(
            front_matter.description(Language::Chinese),
            "Tea: how to brew"
        );
        assert_eq!(text, "Boil.\n---\nPour.\n");
    }

    #[test]
    fn a_bad_file_is_refused_by_name_and_line() {
        insta::assert_snapshot!(refusal("# Tea"), @"`skills/x/SKILL.md`, line 1: a skill begins with `---`, `name: ...`, `description: ...`, `---`");
        insta::assert_snapshot!(refusal("---\nname: tea\n"), @"`skills/x/SKILL.md`, line 1: the front matter is not closed: a second line `---` is missing");
        insta::assert_snapshot!(refusal("---\nname: tea\n---\n"), @"`skills/x/SKILL.md`, line 2: missing field `description`");
        insta::assert_snapshot!(refusal("---\nname: tea\ndescription: [a\n---\n"), @"`skills/x/SKILL.md`, line 3: expected string scalar");
        insta::assert_snapshot!(refusal("---\nname: tea\ndescription: a\ndescription: b\n---\n"), @"`skills/x/SKILL.md`, line 4: duplicate mapping key: description, set DuplicateKeyPolicy in Options if acceptable");
        insta::assert_snapshot!(refusal("---\nname: Tea Time\ndescription: a\n---\n"), @"`skills/x/SKILL.md`, line 2: `name` is `Tea Time`; it takes 1-64 of a-z, 0-9 and `-`");
        insta::assert_snapshot!(refusal("---\nname: tea\ndescription: ''\n---\n"), @"`skills/x/SKILL.md`, line 2: a description has 0 characters; it takes 1-1024, and should say when to load the skill");
    }
}
