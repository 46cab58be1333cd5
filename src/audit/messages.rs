//! What is wrong with an audit, in words for its operator.

use sayso_channel::Language;

use super::verify::Broken;

/// Says what is wrong with an audit.
pub fn broken(broken: Broken, language: Language) -> String {
    match language {
        Language::English => in_english(broken),
        Language::Chinese => in_chinese(broken),
    }
}

fn in_english(broken: Broken) -> String {
    match broken {
        Broken::RowMissing { seq } => format!("entry {seq} is missing from the database"),
        Broken::RowChanged { seq } => {
            format!("entry {seq} of the database was changed, or the entry before it")
        }
        Broken::PayloadChanged { seq } => {
            format!("what entry {seq} is about was changed in the database")
        }
        Broken::LineUnreadable { line } => format!("line {line} is no entry of an audit"),
        Broken::LineChanged { line } => {
            format!("line {line} was changed: the database has another entry {line}")
        }
        Broken::LineMisplaced { line, found } => format!(
            "line {line} is entry {found}: entry {line} was cut out or moved, or a line was added"
        ),
        Broken::FileEnds { line, head } => format!(
            "the file ends at line {line}, but the database has {head} entries: its end was cut off, or Sayso was killed before it wrote them (the next start adds them)"
        ),
        Broken::TableEnds { head } => format!(
            "the database ends at entry {head}, but the file goes on: entries were deleted, or an older backup was restored"
        ),
        Broken::HeadGone { seq } => {
            format!("entry {seq} is not the one that you noted: the audit was cut off or rewritten")
        }
    }
}

fn in_chinese(broken: Broken) -> String {
    match broken {
        Broken::RowMissing { seq } => format!("数据库中缺少第 {seq} 条记录"),
        Broken::RowChanged { seq } => format!("数据库中第 {seq} 条记录（或其前一条）被改动过"),
        Broken::PayloadChanged { seq } => format!("数据库中第 {seq} 条记录的内容被改动过"),
        Broken::LineUnreadable { line } => format!("第 {line} 行不是审计记录"),
        Broken::LineChanged { line } => {
            format!("第 {line} 行被改动过：数据库中的第 {line} 条与之不同")
        }
        Broken::LineMisplaced { line, found } => {
            format!("第 {line} 行是第 {found} 条记录：第 {line} 条被删除或移动，或有行被插入")
        }
        Broken::FileEnds { line, head } => format!(
            "文件在第 {line} 行结束，而数据库有 {head} 条记录：末尾被截掉，或 Sayso 在写入前被终止（下次启动会补上）"
        ),
        Broken::TableEnds { head } => {
            format!("数据库在第 {head} 条结束，而文件还有后续：记录被删除，或恢复了较旧的备份")
        }
        Broken::HeadGone { seq } => {
            format!("第 {seq} 条与你记下的不同：审计被截断或重写过")
        }
    }
}
