//! What is wrong with an audit, in words for its operator.

use sayso_channel::{Language, text};

use super::verify::Broken;

/// Says what is wrong with an audit.
pub fn broken(broken: Broken, language: Language) -> String {
    match broken {
        Broken::RowMissing { seq } => text!(language, "audit-row-missing", seq),
        Broken::RowChanged { seq } => text!(language, "audit-row-changed", seq),
        Broken::PayloadChanged { seq } => text!(language, "audit-payload-changed", seq),
        Broken::LineUnreadable { line } => text!(language, "audit-line-unreadable", line),
        Broken::LineChanged { line } => text!(language, "audit-line-changed", line),
        Broken::LineMisplaced { line, found } => {
            text!(language, "audit-line-misplaced", line, found)
        }
        Broken::FileEnds { line, head } => text!(language, "audit-file-ends", line, head),
        Broken::TableEnds { head } => text!(language, "audit-table-ends", head),
        Broken::HeadGone { seq } => text!(language, "audit-head-gone", seq),
    }
}
