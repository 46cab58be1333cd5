//! What `/skills` says.

use sayso_channel::ChatKind;
use sayso_channel::Language::{self, Chinese, English};
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
    let head = match (language, off) {
        (English, 0) => format!("**Skills**: {}", listed.len()),
        (English, _) => format!("**Skills**: {}, switched off here: {off}", listed.len()),
        (Chinese, 0) => format!("**技能**：{} 个", listed.len()),
        (Chinese, _) => format!("**技能**：{} 个，这里停用了 {off} 个", listed.len()),
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
        let more = match (rest, language) {
            (0, _) => String::new(),
            (_, English) => format!("\n[{rest} more]"),
            (_, Chinese) => format!("\n[另有 {rest} 个]"),
        };
        blocks.push(format!("**{}**\n{shown}{more}", heading(source, language)));
    }
    if !left_out.is_empty() {
        let heading = match language {
            English => "Not loaded",
            Chinese => "未加载",
        };
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
    match (source, language) {
        (SkillSource::Builtin, English) => "Built in",
        (SkillSource::Builtin, Chinese) => "内置",
        (SkillSource::Operator, English) => "From my owner",
        (SkillSource::Operator, Chinese) => "来自管理者",
        (SkillSource::Installed, English) => "Installed",
        (SkillSource::Installed, Chinese) => "已安装",
        (SkillSource::Workspace, English) => "In the folder here",
        (SkillSource::Workspace, Chinese) => "在这里的文件夹",
    }
}

fn line(listed: &Listed, language: Language) -> String {
    let what = what_it_is(&listed.skill.description);
    let name = &listed.skill.name;
    match (listed.is_off, language) {
        (false, English) => format!("- `{name}`: {what}"),
        (false, Chinese) => format!("- `{name}`：{what}"),
        (true, English) => format!("- `{name}` (off): {what}"),
        (true, Chinese) => format!("- `{name}`（已停用）：{what}"),
    }
}

/// The line of a skill that is not loaded: why, and what an owner can do.
fn not_loaded(left_out: &LeftOut, language: Language) -> String {
    let whole = plain(&left_out.name);
    let name = first_chars(&whole, 64).unwrap_or(&whole);
    let source = heading(left_out.source, language);
    match (&left_out.why, language) {
        (Why::New, English) => {
            format!(
                "- `{name}` ({source}): no owner approved it. `/skills approve {name}` shows it"
            )
        }
        (Why::New, Chinese) => {
            format!("- `{name}`（{source}）：未经管理者批准，`/skills approve {name}` 可查看")
        }
        (Why::Changed, English) => format!(
            "- `{name}` ({source}): changed since it was approved. `/skills approve {name}` shows how"
        ),
        (Why::Changed, Chinese) => {
            format!("- `{name}`（{source}）：批准之后有改动，`/skills approve {name}` 可查看")
        }
        (Why::Refused(why), English) => {
            format!("- `{name}` ({source}): {}", refusal(why, language))
        }
        (Why::Refused(why), Chinese) => {
            format!("- `{name}`（{source}）：{}", refusal(why, language))
        }
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
    match (chat, language) {
        (ChatKind::Direct, English) => {
            "`/skills off NAME` switches one off in our direct chat, `/skills on NAME` on again. `/skills suggest WORDS` says which may help with something."
        }
        (ChatKind::Group, English) => {
            "An owner switches one off for this group with `/skills off NAME`, and on again with `/skills on NAME`. `/skills suggest WORDS` says which may help with something."
        }
        (ChatKind::Direct, Chinese) => {
            "`/skills off 名称` 在我们的私聊中停用，`/skills on 名称` 重新启用。`/skills suggest 内容` 推荐可能有帮助的技能。"
        }
        (ChatKind::Group, Chinese) => {
            "管理者可用 `/skills off 名称` 为本群停用，用 `/skills on 名称` 重新启用。`/skills suggest 内容` 推荐可能有帮助的技能。"
        }
    }
}

/// `/skills` with words that I do not know.
pub fn skills_usage(language: Language) -> String {
    match language {
        English => "`/skills` lists them, `/skills suggest WORDS` says which may help, `/skills on NAME` and `/skills off NAME` switch one on and off here.\nOwners: `/skills install SOURCE` takes one from a folder, an archive or an `https` git repository, `/skills approve NAME` loads one that lies in the workspace or changed, `/skills remove NAME` takes one away; each is shown first.",
        Chinese => "`/skills` 列出技能，`/skills suggest 内容` 推荐，`/skills on 名称`、`/skills off 名称` 在这里启用或停用。\n管理者：`/skills install 来源` 从文件夹、压缩包或 `https` git 仓库安装，`/skills approve 名称` 加载工作区里的或有改动的技能，`/skills remove 名称` 移除；加载前都会先展示内容。",
    }
    .to_owned()
}

/// `/skills on` or `off` by a member in a group.
pub fn skills_owners_only(language: Language) -> String {
    match language {
        English => "Only an owner can change this for a group.\nIn our direct chat you choose for yourself.",
        Chinese => "只有管理者可以为群更改。\n在我们的私聊中你可以自己选择。",
    }
    .to_owned()
}

/// `/skills on` or `off` with a name that no skill has.
pub fn skill_unknown(name: &str, language: Language) -> String {
    let whole = plain(name);
    let name = first_chars(&whole, 40).unwrap_or(&whole);
    match language {
        English => format!("There is no skill `{name}`. `/skills` lists them."),
        Chinese => format!("没有技能 `{name}`。可用 `/skills` 查看。"),
    }
}

/// `/skills on` or `off`.
pub fn skill_switched(name: &str, is_on: bool, chat: ChatKind, language: Language) -> String {
    match (is_on, chat, language) {
        (true, ChatKind::Direct, English) => format!("`{name}` is on in our direct chat."),
        (true, ChatKind::Group, English) => format!("`{name}` is on in this group."),
        (false, ChatKind::Direct, English) => format!("`{name}` is off in our direct chat."),
        (false, ChatKind::Group, English) => format!("`{name}` is off in this group."),
        (true, ChatKind::Direct, Chinese) => format!("`{name}` 在我们的私聊中已启用。"),
        (true, ChatKind::Group, Chinese) => format!("`{name}` 在本群已启用。"),
        (false, ChatKind::Direct, Chinese) => format!("`{name}` 在我们的私聊中已停用。"),
        (false, ChatKind::Group, Chinese) => format!("`{name}` 在本群已停用。"),
    }
}

/// `/skills suggest`: the best first, with what speaks for each.
pub fn skills_suggested(found: &[Recommendation], language: Language) -> String {
    if found.is_empty() {
        return match language {
            English => "None of my skills stands out for this: I would just do it.",
            Chinese => "没有特别合适的技能：我会直接处理。",
        }
        .to_owned();
    }
    let lines: Vec<String> = (1..)
        .zip(found)
        .map(|(number, one)| {
            let reasons: Vec<String> = one
                .reasons
                .iter()
                .map(|reason| reason_in_words(reason, language))
                .collect();
            match language {
                English => format!("{number}. `{}`: {}", one.skill, reasons.join("; ")),
                Chinese => format!("{number}. `{}`：{}", one.skill, reasons.join("；")),
            }
        })
        .collect();
    let head = match language {
        English => "**These may help**",
        Chinese => "**可能有帮助的技能**",
    };
    format!("{head}\n{}", lines.join("\n"))
}

fn reason_in_words(reason: &Reason, language: Language) -> String {
    match (reason, language) {
        (Reason::Intent(wanted, words), English) => {
            format!(
                "you want {} ({})",
                intent(*wanted, language),
                listed(words, language)
            )
        }
        (Reason::Intent(wanted, words), Chinese) => {
            format!(
                "你想{}（{}）",
                intent(*wanted, language),
                listed(words, language)
            )
        }
        (Reason::Name(words), English) => {
            format!("you name it ({})", listed(words, language))
        }
        (Reason::Name(words), Chinese) => format!("你提到了它（{}）", listed(words, language)),
        (Reason::Description(words), English) => {
            format!("it is about {}", listed(words, language))
        }
        (Reason::Description(words), Chinese) => format!("它涉及 {}", listed(words, language)),
        (Reason::Examples, English) => "people who asked the like needed it".to_owned(),
        (Reason::Examples, Chinese) => "类似的请求用得上它".to_owned(),
    }
}

fn listed(words: &[impl AsRef<str>], language: Language) -> String {
    let words: Vec<String> = words
        .iter()
        .take(WORDS)
        .map(|word| plain(word.as_ref()))
        .collect();
    match language {
        English => words.join(", "),
        Chinese => words.join("、"),
    }
}

/// Returns what somebody wants, behind "you want".
fn intent(wanted: Intent, language: Language) -> &'static str {
    let (english, chinese) = match wanted {
        Intent::BugFix => ("something broken mended", "修复问题"),
        Intent::NewFeature => ("something new made", "做新功能"),
        Intent::Refactor => ("code tidied up", "整理代码"),
        Intent::Testing => ("something tested", "做测试"),
        Intent::Deployment => ("something put into service", "部署上线"),
        Intent::Security => ("to know whether it is secure", "检查安全"),
        Intent::Performance => ("something made faster", "提升性能"),
        Intent::Documentation => ("something described", "写文档"),
        Intent::ShellCommand => ("a command run", "执行命令"),
        Intent::BrowserTask => ("something done on the web", "在网上办事"),
        Intent::Calendar => ("something scheduled", "安排时间"),
        Intent::Email => ("a message written", "写邮件"),
        Intent::Learning => ("to understand something", "学习理解"),
        Intent::DataAnalysis => ("figures read", "分析数据"),
        Intent::FileOperation => ("files handled", "处理文件"),
        Intent::General => ("help", "得到帮助"),
    };
    match language {
        English => english,
        Chinese => chinese,
    }
}

#[cfg(test)]
mod tests {
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
