//! What `/skills` says.

use sayso_channel::ChatKind;
use sayso_channel::{Language, text};
use sayso_core::transcript::first_chars;

use super::plain;
use crate::skills::messages::refusal;
use crate::skills::{Intent, LeftOut, Reason, Recommendation, SkillMeta, SkillSource, Why};

/// The most of a description in a list, in characters.
const DESCRIPTION_CHARS: usize = 60;
/// The most skills of one source in a list.
const MOST: usize = 60;
/// The most words that a reason names.
const WORDS: usize = 5;

/// A skill in the list of a chat.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its line of the catalogue.
    pub skill: SkillMeta,
    /// Whether it is switched off here.
    pub is_off: bool,
}

/// `/skills`: all of them by where they come from.
pub fn skills(
    listed: &[Listed],
    left_out: &[LeftOut],
    chat: ChatKind,
    language: Language,
) -> String {
    let off = listed.iter().filter(|one| one.is_off).count();
    let head = match off {
        0 => text!(language, "commands-skills-head", count = listed.len()),
        _ => text!(
            language,
            "commands-skills-head-off",
            count = listed.len(),
            off
        ),
    };
    let mut blocks = vec![head];
    for source in SkillSource::ALL {
        let of_source = |one: &&Listed| one.skill.source == source;
        let lines: Vec<String> = listed
            .iter()
            .filter(of_source)
            .map(|one| line(one, language))
            .collect();
        if lines.is_empty() {
            continue;
        }
        let shown = lines.get(..MOST).unwrap_or(&lines).join("\n");
        let rest = lines.len().saturating_sub(MOST);
        let more = match rest {
            0 => String::new(),
            _ => text!(language, "commands-skills-more", rest),
        };
        blocks.push(format!("**{}**\n{shown}{more}", heading(source, language)));
    }
    if !left_out.is_empty() {
        let heading = text!(language, "commands-skills-heading");
        let lines = left_out
            .iter()
            .take(MOST)
            .map(|one| not_loaded(one, language));
        let lines: Vec<String> = lines.collect();
        blocks.push(format!("**{heading}**\n{}", lines.join("\n")));
    }
    blocks.push(hint(chat, language).to_owned());
    blocks.join("\n\n")
}

fn heading(source: SkillSource, language: Language) -> &'static str {
    match source {
        SkillSource::Builtin => text!(language, "commands-skills-heading-builtin"),
        SkillSource::Operator => text!(language, "commands-skills-heading-owner"),
        SkillSource::Installed => text!(language, "commands-skills-heading-installed"),
        SkillSource::Workspace => text!(language, "commands-skills-heading-workspace"),
    }
}

fn line(listed: &Listed, language: Language) -> String {
    let what = what_it_is(&listed.skill.description);
    let name = &listed.skill.name;
    if listed.is_off {
        text!(language, "commands-skills-line-off", name, what)
    } else {
        text!(language, "commands-skills-line", name, what)
    }
}

/// The line of a skill that is not loaded: why, and what an owner can do.
fn not_loaded(left_out: &LeftOut, language: Language) -> String {
    let whole = plain(&left_out.name);
    let name = first_chars(&whole, 64).unwrap_or(&whole);
    let source = heading(left_out.source, language);
    match &left_out.why {
        Why::New => text!(language, "commands-skills-not-loaded-new", name, source),
        Why::Changed => text!(language, "commands-skills-not-loaded-changed", name, source),
        Why::Refused(why) => text!(
            language,
            "commands-skills-not-loaded-refused",
            name,
            source,
            why = refusal(why, language)
        ),
    }
}

/// Returns what a skill is, without the words that say when to load it.
pub(super) fn what_it_is(description: &str) -> String {
    let before_chinese = description.split('（').next().unwrap_or_default();
    let before_any = before_chinese.split(" (").next().unwrap_or_default();
    let what = plain(before_any.trim());
    match first_chars(&what, DESCRIPTION_CHARS) {
        Some(kept) => format!("{kept}…"),
        None => what,
    }
}

fn hint(chat: ChatKind, language: Language) -> &'static str {
    match chat {
        ChatKind::Direct => text!(language, "commands-skills-hint-direct"),
        ChatKind::Group => text!(language, "commands-skills-hint-group"),
    }
}

/// `/skills` with words that I do not know.
pub fn skills_usage(language: Language) -> String {
    text!(language, "commands-skills-usage").to_owned()
}

/// `/skills on` or `off` by a member in a group.
pub fn skills_owners_only(language: Language) -> String {
    text!(language, "commands-skills-owners-only").to_owned()
}

/// `/skills on` or `off` with a name that no skill has.
pub fn skill_unknown(name: &str, language: Language) -> String {
    let whole = plain(name);
    let name = first_chars(&whole, 40).unwrap_or(&whole);
    text!(language, "commands-skills-skill-unknown", name)
}

/// `/skills on` or `off`.
pub fn skill_switched(name: &str, is_on: bool, chat: ChatKind, language: Language) -> String {
    match (is_on, chat) {
        (true, ChatKind::Direct) => text!(language, "commands-skills-on-direct", name),
        (true, ChatKind::Group) => text!(language, "commands-skills-on-group", name),
        (false, ChatKind::Direct) => text!(language, "commands-skills-off-direct", name),
        (false, ChatKind::Group) => text!(language, "commands-skills-off-group", name),
    }
}

/// `/skills suggest`: the best first, with what speaks for each.
pub fn skills_suggested(found: &[Recommendation], language: Language) -> String {
    if found.is_empty() {
        return text!(language, "commands-skills-suggested-none").to_owned();
    }
    let lines: Vec<String> = (1..)
        .zip(found)
        .map(|(number, one)| {
            let reasons: Vec<String> = one
                .reasons
                .iter()
                .map(|reason| reason_in_words(reason, language))
                .collect();
            text!(
                language,
                "commands-skills-suggested-one",
                number,
                skill = one.skill,
                reasons = reasons.join(text!(language, "list-sentences"))
            )
        })
        .collect();
    let head = text!(language, "commands-skills-suggested-head");
    format!("{head}\n{}", lines.join("\n"))
}

fn reason_in_words(reason: &Reason, language: Language) -> String {
    match reason {
        Reason::Intent(wanted, words) => text!(
            language,
            "commands-skills-reason-in-words-intent",
            wanted = intent(*wanted, language),
            words = listed(words, language)
        ),
        Reason::Name(words) => text!(
            language,
            "commands-skills-reason-in-words-name",
            words = listed(words, language)
        ),
        Reason::Description(words) => text!(
            language,
            "commands-skills-reason-in-words-description",
            words = listed(words, language)
        ),
        Reason::Examples => text!(language, "commands-skills-reason-in-words-examples").to_owned(),
    }
}

fn listed(words: &[impl AsRef<str>], language: Language) -> String {
    let words: Vec<String> = words
        .iter()
        .take(WORDS)
        .map(|word| plain(word.as_ref()))
        .collect();
    words.join(text!(language, "list-names"))
}

/// Returns what somebody wants, behind "you want".
fn intent(wanted: Intent, language: Language) -> &'static str {
    match wanted {
        Intent::BugFix => text!(language, "commands-skills-intent-bug-fix"),
        Intent::NewFeature => text!(language, "commands-skills-intent-new-feature"),
        Intent::Refactor => text!(language, "commands-skills-intent-refactor"),
        Intent::Testing => text!(language, "commands-skills-intent-testing"),
        Intent::Deployment => text!(language, "commands-skills-intent-deployment"),
        Intent::Security => text!(language, "commands-skills-intent-security"),
        Intent::Performance => text!(language, "commands-skills-intent-performance"),
        Intent::Documentation => text!(language, "commands-skills-intent-documentation"),
        Intent::ShellCommand => text!(language, "commands-skills-intent-shell-command"),
        Intent::BrowserTask => text!(language, "commands-skills-intent-browser-task"),
        Intent::Calendar => text!(language, "commands-skills-intent-calendar"),
        Intent::Email => text!(language, "commands-skills-intent-email"),
        Intent::Learning => text!(language, "commands-skills-intent-learning"),
        Intent::DataAnalysis => text!(language, "commands-skills-intent-data-analysis"),
        Intent::FileOperation => text!(language, "commands-skills-intent-file-operation"),
        Intent::General => text!(language, "commands-skills-intent-general"),
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language::{Chinese, English};

    use super::*;

    #[test]
    fn a_list_says_what_each_is_and_what_is_off() {
        let listed = |name: &str, description: &str, source, is_off| Listed {
            skill: SkillMeta {
                name: name.to_owned(),
                description: description.to_owned(),
                source,
                content_hash: None,
            },
            is_off,
        };
        let all = [
            listed("tea", "泡茶指南（口渴时加载）", SkillSource::Builtin, false),
            listed(
                "ink",
                "A `long` story, told when asked",
                SkillSource::Operator,
                true,
            ),
        ];
        let left_out = [
            LeftOut {
                name: "new".to_owned(),
                source: SkillSource::Workspace,
                why: Why::New,
            },
            LeftOut {
                name: "old".to_owned(),
                source: SkillSource::Installed,
                why: Why::Changed,
            },
        ];
        insta::assert_snapshot!(skills(&all, &left_out, ChatKind::Group, Chinese), @r"
        **技能**：2 个，这里停用了 1 个

        **内置**
        - `tea`：泡茶指南

        **来自管理者**
        - `ink`（已停用）：A long story, told when asked

        **未加载**
        - `new`（在这里的文件夹）：未经管理者批准，`/skills approve new` 可查看
        - `old`（已安装）：批准之后有改动，`/skills approve old` 可查看

        管理者可用 `/skills off 名称` 为本群停用，用 `/skills on 名称` 重新启用。`/skills suggest 内容` 推荐可能有帮助的技能。
        ");
    }

    #[test]
    fn reasons_are_words_in_either_language() {
        let found = [Recommendation {
            skill: "debugging".to_owned(),
            points: 5,
            reasons: vec![
                Reason::Intent(Intent::BugFix, vec!["crash", "报错"]),
                Reason::Name(vec!["debugging".to_owned()]),
                Reason::Description(vec!["trace".to_owned()]),
            ],
        }];
        let shown = [English, Chinese].map(|language| skills_suggested(&found, language));
        insta::assert_snapshot!(shown.join("\n"), @r"
        **These may help**
        1. `debugging`: you want something broken mended (crash, 报错); you name it (debugging); it is about trace
        **可能有帮助的技能**
        1. `debugging`：你想修复问题（crash、报错）；你提到了它（debugging）；它涉及 trace
        ");
    }
}
