//! What `/undo` says.

use sayso_channel::Language::{self, Chinese, English};

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
    /// Returns whether the file is as before.
    pub fn is_as_before(self) -> bool {
        matches!(self, Self::PutBack | Self::Removed | Self::WasSo)
    }
}

/// The answer to `/undo`: each file, and what became of it.
pub fn done(request: &str, files: &[(String, Fate)], language: Language) -> String {
    // What was put back before a kill is as before already.
    let head = match (files.iter().any(|(_, fate)| fate.is_as_before()), language) {
        (true, English) => format!("↩ Undone: what I changed in files for “{request}”."),
        (true, Chinese) => format!("↩ 已撤销：为“{request}”所做的文件改动。"),
        (false, English) => format!("Nothing was put back of what I changed for “{request}”."),
        (false, Chinese) => format!("为“{request}”所做的改动，没有可恢复的。"),
    };
    let line = |(path, fate): &(String, Fate)| match (fate, language) {
        (Fate::PutBack, English) => format!("- `{path}`: as it was before"),
        (Fate::PutBack, Chinese) => format!("- `{path}`：恢复到之前"),
        (Fate::Removed, English) => format!("- `{path}`: removed, it was not there before"),
        (Fate::Removed, Chinese) => format!("- `{path}`：已删除，之前没有这个文件"),
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
