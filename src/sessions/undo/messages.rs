//! What `/undo` says.

use sayso_channel::Language::{self, Chinese, English};
use sayso_core::transcript::FileBefore;

/// How many files are named; of more it is said how many.
const NAMED: usize = 20;

/// What became of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is as it was before.
    PutBack,
    /// It was not there before, and is gone.
    Removed,
    /// It was as before already.
    WasSo,
    /// Too little of it was kept, or its place cannot be reached.
    Left,
    /// The disk did not take it; it may at another time.
    Failed,
}

impl Fate {
    /// Returns what became of a file that was put back to this.
    pub fn of_restored(file: &FileBefore) -> Self {
        if file.was.is_none() {
            Self::Removed
        } else {
            Self::PutBack
        }
    }

    /// Returns whether the file was put back.
    pub fn is_restored(self) -> bool {
        match self {
            Self::PutBack | Self::Removed => true,
            Self::WasSo | Self::Left | Self::Failed => false,
        }
    }

    /// Returns whether the file is as before.
    pub fn is_as_before(self) -> bool {
        self.is_restored() || self == Self::WasSo
    }
}

/// The answer to `/undo`: what became of the files.
pub fn done(request: &str, files: &[(String, Fate)], language: Language) -> String {
    if let [(path, fate)] = files {
        return done_in_one(path, *fate, language);
    }
    let before = files.iter().filter(|(_, fate)| fate.is_as_before()).count();
    let all = files.len();
    let head = match language {
        English if before == 0 => {
            format!("Nothing was put back of what I changed for “{request}”.")
        }
        Chinese if before == 0 => format!("为“{request}”所做的改动，没有可恢复的。"),
        English if before < all => format!("↩ Undone: {before} of {all} files of “{request}”"),
        Chinese if before < all => {
            format!("↩ 已撤销“{request}”改动的 {all} 个文件中的 {before} 个")
        }
        English => format!("↩ Undone: {all} files of “{request}”"),
        Chinese => format!("↩ 已撤销“{request}”改动的 {all} 个文件"),
    };
    let line = |(path, fate): &(String, Fate)| match (fate, language) {
        (Fate::PutBack, English) => format!("- `{path}`: as it was before"),
        (Fate::PutBack, Chinese) => format!("- `{path}`：恢复到之前的内容"),
        (Fate::Removed, English) => format!("- `{path}`: removed (it was new)"),
        (Fate::Removed, Chinese) => format!("- `{path}`：删除了，是新建的"),
        (Fate::WasSo, English) => format!("- `{path}`: was as before already"),
        (Fate::WasSo, Chinese) => format!("- `{path}`：本来就和之前一样"),
        (Fate::Left, English) => format!("- `{path}`: left as it is, its old content was not kept"),
        (Fate::Left, Chinese) => format!("- `{path}`：保持现状，旧内容没有保留"),
        (Fate::Failed, English) => {
            format!("- `{path}`: could not be put back now; say /undo again")
        }
        (Fate::Failed, Chinese) => format!("- `{path}`：现在无法恢复，请稍后再发 /undo"),
    };
    listed(head, files.iter().map(line), language)
}

/// The answer to `/undo` where one file was changed.
fn done_in_one(path: &str, fate: Fate, language: Language) -> String {
    match (fate, language) {
        (Fate::PutBack, English) => format!("↩ Undone: `{path}` is as it was before."),
        (Fate::PutBack, Chinese) => format!("↩ 已撤销：`{path}` 恢复到了之前的内容。"),
        (Fate::Removed, English) => format!("↩ Undone: removed `{path}` (it was new)."),
        (Fate::Removed, Chinese) => format!("↩ 已撤销：删除了新建的 `{path}`。"),
        (Fate::WasSo, English) => format!("↩ Undone: `{path}` was as before already."),
        (Fate::WasSo, Chinese) => format!("↩ 已撤销：`{path}` 本来就和之前一样。"),
        (Fate::Left, English) => {
            format!("Nothing was put back: the old content of `{path}` was not kept.")
        }
        (Fate::Left, Chinese) => format!("没有恢复：`{path}` 的旧内容没有保留。"),
        (Fate::Failed, English) => {
            format!("`{path}` could not be put back now. Please say /undo again later.")
        }
        (Fate::Failed, Chinese) => format!("`{path}` 现在无法恢复，请稍后再发 /undo。"),
    }
}

/// The button below it.
pub fn redo(language: Language) -> &'static str {
    match language {
        English => "Redo",
        Chinese => "恢复",
    }
}

/// The last line of the notice once it was pressed.
pub fn brings_back(language: Language) -> &'static str {
    match language {
        English => "↪ Bringing it back.",
        Chinese => "↪ 正在恢复。",
    }
}

/// The same when the undo was reversed.
pub fn redone(paths: &[String], language: Language) -> String {
    match (paths, language) {
        ([path], English) => format!("↪ Redone: `{path}` is as it was before the undo."),
        ([path], Chinese) => format!("↪ 已恢复：`{path}` 回到了撤销之前的样子。"),
        (paths, English) => {
            format!(
                "↪ Redone: {} files are as they were before the undo.",
                paths.len()
            )
        }
        (paths, Chinese) => format!("↪ 已恢复：{} 个文件回到了撤销之前的样子。", paths.len()),
    }
}

/// The same when files are not as the undo left them.
pub fn not_redone(paths: &[String], language: Language) -> String {
    let named = named(paths, language);
    match (paths.len(), language) {
        (1, English) => format!("Not redone: {named} has changed since. I left everything alone."),
        (_, English) => {
            format!("Not redone: {named} have changed since. I left everything alone.")
        }
        (_, Chinese) => format!("没有恢复：{named} 之后又有变化，文件都保持原样。"),
    }
}

/// The same when the disk did not take files.
pub fn redo_failed(paths: &[String], language: Language) -> String {
    let named = named(paths, language);
    match language {
        English => format!("Could not be brought back now: {named}. Please press again later."),
        Chinese => format!("现在无法恢复：{named}。请稍后再按一次。"),
    }
}

/// The same when what the undo took away is not kept any more.
pub fn not_kept(language: Language) -> &'static str {
    match language {
        English => "Not redone: that was too long ago, I no longer have what was in the files.",
        Chinese => "没有恢复：时间太久，当时的文件内容已经不在了。",
    }
}

/// Returns files in one sentence.
fn named(paths: &[String], language: Language) -> String {
    let names = paths.iter().take(NAMED).map(|path| format!("`{path}`"));
    let names: Vec<String> = names.collect();
    let more = paths.len().saturating_sub(NAMED);
    match (more, language) {
        (0, English) => names.join(", "),
        (0, Chinese) => names.join("、"),
        (more, English) => format!("{} and {more} more", names.join(", ")),
        (more, Chinese) => format!("{}等 {} 个文件", names.join("、"), names.len() + more),
    }
}

/// The card that asks, since something else changed files in the meantime.
pub fn changed_since(request: &str, paths: &[String], language: Language) -> String {
    let head = match language {
        English => format!(
            "**Put back what I changed for “{request}”?**\nThese files have changed since, and that would be lost:"
        ),
        Chinese => {
            format!(
                "**恢复我为“{request}”改动的文件吗？**\n以下文件之后又有变化，恢复会丢失这些变化："
            )
        }
    };
    let lines = paths.iter().map(|path| format!("- `{path}`"));
    listed(head, lines, language)
}

fn listed(
    head: String,
    lines: impl ExactSizeIterator<Item = String>,
    language: Language,
) -> String {
    let more = lines.len().saturating_sub(NAMED);
    let mut all = vec![head];
    all.extend(lines.take(NAMED));
    match (more, language) {
        (0, _) => {}
        (more, English) => all.push(format!("- … and {more} more")),
        (more, Chinese) => all.push(format!("- ……还有 {more} 个")),
    }
    all.join("\n")
}

/// Its buttons.
pub fn labels(language: Language) -> (&'static str, &'static str) {
    match language {
        English => ("Put them back", "Leave them"),
        Chinese => ("恢复", "保持现状"),
    }
}

/// The card after a yes.
pub fn puts_back(language: Language) -> &'static str {
    match language {
        English => "↩ Putting them back.",
        Chinese => "↩ 正在恢复。",
    }
}

/// The card after a no, or when it was asked anew.
pub fn left(language: Language) -> &'static str {
    match language {
        English => "Left as they are.",
        Chinese => "保持现状。",
    }
}

/// The card that expired without an answer.
pub fn expired(language: Language) -> &'static str {
    match language {
        English => "⌛ Not answered in time: left as they are.",
        Chinese => "⌛ 未及时答复：保持现状。",
    }
}

/// Nothing was changed, or all of it was put back.
pub fn nothing(language: Language) -> &'static str {
    match language {
        English => {
            "There is nothing to undo here: I keep what files were before I write them, for my last ten requests that did. What commands change I cannot put back."
        }
        Chinese => {
            "这里没有可撤销的：我会保留最近十次请求里写文件之前的内容；命令所做的改动无法恢复。"
        }
    }
}

/// The turn that changed files is not over.
pub fn not_over(language: Language) -> &'static str {
    match language {
        English => "I am not done with what changed files last. Stop it first: /stop",
        Chinese => "最近改动文件的事还没有做完。请先停止：/stop",
    }
}

/// It was somebody else's turn.
pub fn not_yours(language: Language) -> &'static str {
    match language {
        English => {
            "The newest changes here were made for somebody else; only they or an owner can undo them."
        }
        Chinese => "这里最近的改动是为别人做的，只有本人或管理者可以撤销。",
    }
}

/// It was asked for before.
pub fn at_it(language: Language) -> &'static str {
    match language {
        English => "I am putting it back already.",
        Chinese => "已经在恢复了。",
    }
}
