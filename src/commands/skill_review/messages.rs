//! What is said about skills of somebody else.

use std::fmt::Write as _;

use sayso_channel::Language::{self, Chinese, English};
use sayso_core::transcript::first_chars;
use sayso_store::skill_pins::SkillPlace;
use sayso_store::skill_reviews::{ReviewRow, ReviewState, ReviewWish};

use crate::skills::messages::{problem, refusal};
use crate::skills::{Candidate, Flag, Flagged, Problem, Refusal, Review, SkillSource};

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Take it.
    Approve,
    /// Leave it.
    Deny,
}

impl Answer {
    /// Returns the choice that the button carries.
    pub fn choice(self) -> &'static str {
        match self {
            Self::Approve => "yes",
            Self::Deny => "no",
        }
    }

    /// Returns the answer that a button gives; `None` when it was forged.
    pub fn parse(choice: &str) -> Option<Self> {
        let mut all = [Self::Approve, Self::Deny].into_iter();
        all.find(|answer| answer.choice() == choice)
    }
}

/// The most of a card, in characters: Discord takes 2000.
const CARD_CHARS: usize = 1900;
/// How many files, hosts and tools a card names, and the most of each name in characters.
const FILES: (usize, usize) = (6, 48);
const HOSTS: (usize, usize) = (6, 40);
const TOOLS: (usize, usize) = (5, 24);
/// The most of a description, in characters.
const DESCRIPTION: usize = 160;
/// The most of a source, in characters.
const SOURCE: usize = 100;

fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// Returns a text as code on one line, cut where it is long.
fn code(text: &str, most: usize) -> String {
    let text = text.replace('`', "'").replace('\n', " ");
    match first_chars(&text, most) {
        Some(kept) => format!("`{kept}…`"),
        None => format!("`{text}`"),
    }
}

/// Somebody else than an owner wants or presses.
pub fn owners_only(language: Language) -> String {
    pick(
        language,
        "Only an owner can do this: a skill tells me what to do for everybody who uses it.",
        "只有管理者可以这样做：技能会指导我为所有使用者做事。",
    )
}

/// The source is longer than any valid one.
pub fn too_long(language: Language) -> String {
    pick(language, "That is too long.", "太长了。")
}

/// A skill that was to be removed is neither installed nor approved.
pub fn not_there(name: &str, language: Language) -> String {
    let name = code(name, SOURCE);
    match language {
        English => format!("{name} is neither installed nor approved here."),
        Chinese => format!("{name} 既没有安装，也没有在这里获得批准。"),
    }
}

/// What is said at once.
pub fn looking(wish: ReviewWish, source: &str, language: Language) -> String {
    let source = code(source, SOURCE);
    match (wish, language) {
        (ReviewWish::Install | ReviewWish::Pin, English) => format!("Looking at {source} …"),
        (ReviewWish::Install | ReviewWish::Pin, Chinese) => format!("正在查看 {source} …"),
        (ReviewWish::Remove, English) => format!("Taking {source} away …"),
        (ReviewWish::Remove, Chinese) => format!("正在移除 {source} …"),
    }
}

/// Why a wish is not done.
#[derive(Debug)]
pub enum NotDone {
    /// It cannot be taken.
    Refused(Refusal),
    /// It is as it was approved.
    IsApproved,
}

/// A wish for something that cannot be taken.
pub fn not_taken(why: Refusal) -> NotDone {
    NotDone::Refused(why)
}

/// A wish for what is approved already.
pub fn is_approved() -> NotDone {
    NotDone::IsApproved
}

impl NotDone {
    /// Says it.
    pub fn text(&self, review: &ReviewRow, language: Language) -> String {
        let source = code(&review.source, SOURCE);
        match (self, language) {
            (Self::Refused(why), English) => {
                let why = refusal(why, language);
                format!("🚫 {source} was not taken: {why}.\nNothing was changed.")
            }
            (Self::Refused(why), Chinese) => {
                let why = refusal(why, language);
                format!("🚫 未采用 {source}：{why}。\n没有任何改动。")
            }
            (Self::IsApproved, English) => format!("{source} is approved as it is."),
            (Self::IsApproved, Chinese) => format!("{source} 当前的内容已获批准。"),
        }
    }
}

/// The card about a skill that is to be installed, for who sits at the terminal.
pub fn to_install(source: &str, candidate: &Candidate, language: Language) -> String {
    asking(ReviewWish::Install, source, candidate, language)
}

/// The card: what it is, what is in it, and what should be looked at.
pub fn asking(wish: ReviewWish, source: &str, candidate: &Candidate, language: Language) -> String {
    let shown = &candidate.review;
    let mut lines = vec![heading(wish, source, candidate, language)];
    if let Some(commit) = &candidate.taken.commit {
        let commit = code(commit, SOURCE);
        lines.push(match language {
            English => format!("Commit: {commit}"),
            Chinese => format!("提交：{commit}"),
        });
    }
    lines.push(String::new());
    lines.push(code(&shown.description, DESCRIPTION));
    lines.push(files(shown, language));
    lines.extend(names(shown, language));
    lines.extend(same_name(candidate, language));
    for unmet in shown.unmet.iter().take(3) {
        let what = problem(&Problem::Unmet(unmet.clone()), language);
        lines.push(format!("⚠️ {}", code(&what, DESCRIPTION)));
    }
    lines.push(flags(&shown.flags, language));
    lines.push(String::new());
    lines.push(pick(
        language,
        "All of it is in the file above.",
        "全部内容见上面的文件。",
    ));
    let mut text = lines.join("\n");
    if let Some(changes) = shown.changes.as_deref() {
        add_changes(&mut text, changes, language);
    }
    text
}

fn heading(wish: ReviewWish, source: &str, candidate: &Candidate, language: Language) -> String {
    let (name, source) = (&candidate.review.name, code(source, SOURCE));
    let is_known = candidate.review.changes.is_some();
    match (wish, candidate.place, language) {
        (ReviewWish::Install, _, English) if is_known => {
            format!("**Replace the skill `{name}`?** From {source}")
        }
        (ReviewWish::Install, _, Chinese) if is_known => {
            format!("**替换技能 `{name}` 吗？** 来自 {source}")
        }
        (ReviewWish::Install, _, English) => {
            format!("**Install the skill `{name}`?** From {source}, for everybody.")
        }
        (ReviewWish::Install, _, Chinese) => {
            format!("**安装技能 `{name}` 吗？** 来自 {source}，所有人可用。")
        }
        (_, SkillPlace::Installed, English) => {
            format!("**The installed skill `{name}` changed. Load it as it is now?**")
        }
        (_, SkillPlace::Installed, Chinese) => {
            format!("**已安装的技能 `{name}` 有改动。按现在的内容加载吗？**")
        }
        (_, SkillPlace::Workspace(_), English) if is_known => {
            format!("**The skill `{name}` of this workspace changed. Load it as it is now?**")
        }
        (_, SkillPlace::Workspace(_), Chinese) if is_known => {
            format!("**这个工作区的技能 `{name}` 有改动。按现在的内容加载吗？**")
        }
        (_, SkillPlace::Workspace(_), English) => {
            format!("**Load the skill `{name}` of this workspace?**")
        }
        (_, SkillPlace::Workspace(_), Chinese) => {
            format!("**加载这个工作区的技能 `{name}` 吗？**")
        }
    }
}

fn files(review: &Review, language: Language) -> String {
    let (most, chars) = FILES;
    let shown: Vec<String> = review
        .files
        .iter()
        .take(most)
        .map(|(path, bytes)| format!("{} {bytes} B", code(path, chars)))
        .collect();
    let bytes: u64 = review.files.iter().map(|(_, bytes)| bytes).sum();
    let count = review.files.len();
    let list = listed(shown, count, language);
    match language {
        English => format!("Files: {count}, {bytes} bytes: {list}"),
        Chinese => format!("文件：{count} 个，{bytes} 字节：{list}"),
    }
}

/// The lines with declared tools and hosts, where there are some.
fn names(review: &Review, language: Language) -> Vec<String> {
    let named = |names: &[String], (most, chars): (usize, usize), count| {
        let shown = names.iter().take(most).map(|name| code(name, chars));
        listed(shown.collect(), count, language)
    };
    let mut lines = Vec::new();
    if !review.tools.is_empty() {
        let tools = named(&review.tools, TOOLS, review.tools.len());
        lines.push(match language {
            English => format!("Declares tools: {tools}. That gives it no rights."),
            Chinese => format!("声明的工具：{tools}。这不会给它任何权限。"),
        });
    }
    if !review.hosts.is_empty() {
        let count = review.hosts.len() + review.more_hosts;
        let hosts = named(&review.hosts, HOSTS, count);
        lines.push(match language {
            English => format!("Names hosts: {hosts}"),
            Chinese => format!("提到的主机：{hosts}"),
        });
    }
    lines
}

fn listed(mut shown: Vec<String>, count: usize, language: Language) -> String {
    let more = count.saturating_sub(shown.len());
    if more > 0 {
        shown.push(match language {
            English => format!("{more} more"),
            Chinese => format!("另有 {more} 个"),
        });
    }
    shown.join(", ")
}

fn same_name(candidate: &Candidate, language: Language) -> Option<String> {
    let own = match candidate.place {
        SkillPlace::Installed => SkillSource::Installed,
        SkillPlace::Workspace(_) => SkillSource::Workspace,
    };
    let other = candidate.same_name?;
    Some(match (other < own, language) {
        (true, English) => "⚠️ It takes the place of a skill of the same name.".to_owned(),
        (true, Chinese) => "⚠️ 它会取代同名的技能。".to_owned(),
        (false, English) => "The owner's skill of the same name goes before it.".to_owned(),
        (false, Chinese) => "管理者的同名技能优先于它。".to_owned(),
    })
}

fn flags(flags: &[Flagged], language: Language) -> String {
    if flags.is_empty() {
        return pick(
            language,
            "Nothing in it stands out. That is no proof: read it.",
            "没有发现可疑之处，但这不等于安全，请自己读一读。",
        );
    }
    let mut text = pick(language, "**Look at this:**", "**请注意：**");
    for flagged in flags {
        let (what, file) = (flag(flagged.flag, language), code(&flagged.file, 40));
        let line = flagged.line;
        let more = match (flagged.more, language) {
            (0, _) => String::new(),
            (more, English) => format!(" (and {more} more)"),
            (more, Chinese) => format!("（另有 {more} 处）"),
        };
        // Writing to a string cannot fail.
        let _ = match language {
            English => write!(text, "\n- {what}: {file}, line {line}{more}"),
            Chinese => write!(text, "\n- {what}：{file} 第 {line} 行{more}"),
        };
    }
    text
}

fn flag(flag: Flag, language: Language) -> &'static str {
    let (english, chinese) = match flag {
        Flag::DownloadAndRun => (
            "⚠️ fetches something and runs it at once",
            "⚠️ 下载后直接运行",
        ),
        Flag::Orders => ("⚠️ gives orders as an attack would", "⚠️ 像攻击那样下指令"),
        Flag::HiddenText => ("⚠️ text that does not show", "⚠️ 有看不见的文字"),
        Flag::PasswordArchive => ("⚠️ an archive with a password", "⚠️ 带密码的压缩包"),
        Flag::Encoded => ("⚠️ encoded text", "⚠️ 编码过的内容"),
        Flag::Secrets => ("⚠️ reads keys or passwords", "⚠️ 读取密钥或密码"),
        Flag::Binary => ("no text", "不是文本"),
        Flag::Script => ("scripts", "脚本"),
    };
    match language {
        English => english,
        Chinese => chinese,
    }
}

/// Adds what changed, as much as there is room for.
fn add_changes(text: &mut String, changes: &str, language: Language) {
    // The fence and the note take room too.
    let room = CARD_CHARS.saturating_sub(text.chars().count() + 80);
    let changes = changes.replace("```", "'''");
    let kept = first_chars(&changes, room).unwrap_or(&changes);
    let left_out = changes.lines().count() - kept.lines().count();
    let note = match (left_out, language) {
        (0, _) if kept.len() == changes.len() => String::new(),
        (more, English) => format!("\n[{more} lines more in the file]"),
        (more, Chinese) => format!("\n[文件中还有 {more} 行]"),
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "\n```diff\n{kept}\n```{note}");
}

/// The buttons: yes and no.
pub fn labels(language: Language) -> (&'static str, &'static str) {
    match language {
        English => ("Approve", "Deny"),
        Chinese => ("批准", "拒绝"),
    }
}

/// The notice to the presser.
pub fn pressed(answer: Answer, language: Language) -> String {
    match answer {
        Answer::Approve => pick(language, "Approved.", "已批准。"),
        Answer::Deny => pick(language, "Nothing changes.", "不做任何改动。"),
    }
}

/// What the card reads when the skill is no longer what was approved.
pub fn changed_since(name: &str, language: Language) -> String {
    match language {
        English => format!(
            "⚠️ `{name}`: approved as shown, but it has been changed since: not loaded.\nLook at it again with `/skills approve {name}`."
        ),
        Chinese => format!(
            "⚠️ `{name}`：已按展示的内容批准，但此后又被改动，因此没有加载。\n请用 `/skills approve {name}` 再看一遍。"
        ),
    }
}

/// What the card reads when it is over, or what is said where there is none.
pub fn ended(review: &ReviewRow, state: ReviewState, language: Language) -> String {
    let name = match review.name.as_str() {
        "" => code(&review.source, SOURCE),
        name => format!("`{name}`"),
    };
    match (state, review.wish, language) {
        (ReviewState::Denied, _, English) => format!("🚫 {name}: denied."),
        (ReviewState::Denied, _, Chinese) => format!("🚫 {name}：已拒绝。"),
        (ReviewState::Expired, _, English) => format!("⌛ {name}: not answered in time."),
        (ReviewState::Expired, _, Chinese) => format!("⌛ {name}：未及时答复。"),
        (ReviewState::Approved | ReviewState::Placed, _, English) => {
            format!("✅ {name}: approved, and put in place …")
        }
        (ReviewState::Approved | ReviewState::Placed, _, Chinese) => {
            format!("✅ {name}：已批准，正在就位 …")
        }
        (_, ReviewWish::Install, English) => format!("✅ {name} is installed."),
        (_, ReviewWish::Install, Chinese) => format!("✅ {name} 已安装。"),
        (_, ReviewWish::Pin, English) => format!("✅ {name} is loaded as it was shown."),
        (_, ReviewWish::Pin, Chinese) => format!("✅ {name} 已按展示的内容加载。"),
        (_, ReviewWish::Remove, English) => format!("{name} is not loaded any more."),
        (_, ReviewWish::Remove, Chinese) => format!("{name} 不再加载。"),
    }
}
