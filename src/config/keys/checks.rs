//! `[checks]`: what is verified in projects, and when.

use super::key::{choice, whole};
use crate::config::choices::WhenChecked;

declare! {
    /// `[checks]`
    ChecksTable in "checks" {
        when: WhenChecked = choice(&["after_change", "asked", "never"])
            .default("after_change")
            .doc(
                "after_change (what a turn changed in a project is verified at its end), asked (only on request), never",
                "after_change（任务结束时验证其在项目中的更改）、asked（仅在要求时）、never",
            ),
        max_corrections: u32 = whole(0, 5)
            .default("2")
            .doc(
                "how often the model may correct what a check finds, in one turn",
                "一个任务中模型最多可修正检查结果的次数",
            ),
        timeout_secs: u64 = whole(1, 3600)
            .default("300")
            .doc("how long one check may run", "一次检查的最长运行时间"),
        budget_secs: u64 = whole(1, 86_400)
            .default("900")
            .doc(
                "how long the checks of one turn may run together; then no further one begins",
                "一个任务的所有检查合计的最长时间；用完后不再开始新的检查",
            ),
    }
}
