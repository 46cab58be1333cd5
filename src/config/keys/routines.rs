//! `[routines]`: what people have done at set times, and what they are reminded of.

use super::key::{days, switch, text, whole};
use super::section::Section;

/// How it stands in the example.
pub(super) const SECTION: Section = Section::of("routines", RoutinesTable::KEYS)
    .written()
    .above(
        "What people have done at set times, and what they are reminded of. A reminder needs no model; a\n\
         routine is a turn of its own, unattended, under the budget of its person.",
        "用户定时要做的事和提醒。提醒不需要模型；例行任务是独立的\n\
         无人值守任务，计入其用户的预算。",
    );

declare! {
    /// `[routines]`
    RoutinesTable in "routines" {
        enabled: bool = switch()
            .default("true")
            .doc(
                "whether anything is started; what is kept stays, and is late afterwards",
                "是否启动；已保存的会保留，之后按迟到处理",
            ),
        zone: String = text()
            .default("local")
            .doc(
                "of people who named none: `local` is this machine's, or as `Europe/Berlin`",
                "未设置时区的用户所用的时区：`local` 为本机时区，或如 `Asia/Shanghai`",
            ),
        shortest_minutes: i64 = whole(1, 10_080)
            .default("15")
            .doc(
                "the shortest time between two runs of a routine; of reminders it is 1",
                "例行任务两次运行的最短间隔；提醒为 1",
            ),
        most: u16 = whole(0, 1000)
            .default("20")
            .doc(
                "how many routines a person has at most; of reminders 200",
                "每人最多的例行任务数；提醒为 200",
            ),
        concurrent: u16 = whole(1, 256)
            .default("8")
            .doc(
                "how many turns of routines run at once; the other places are for people",
                "同时运行的例行任务数；其余名额留给用户",
            ),
        spread_secs: u64 = whole(0, 600)
            .default("60")
            .doc(
                "over how long after their minute the runs of a model are spread; reminders are exact",
                "模型任务在其时刻之后分散启动的时长；提醒准时",
            ),
        late: String = text()
            .default("half")
            .doc(
                "a missed run is made up for within half its period, `skip`: not, or a time: `6h`",
                "错过的任务在周期一半之内补做；`skip` 不补做；或一段时间：`6h`",
            ),
        quiet_hours: String = text()
            .default("22:30-07:30")
            .doc(
                "when unasked messages wait, for people who set nothing; `off`: never",
                "未设置的用户的免打扰时段；`off` 为关闭",
            ),
        triggered_per_hour: u16 = whole(1, 60)
            .default("6")
            .doc(
                "how many runs of one routine files, words or webhooks start in an hour",
                "每个例行任务一小时内可由文件、消息或 webhook 启动的次数",
            ),
        keep_runs_days: u64 = days()
            .default("30")
            .doc(
                "how long it is known what became of a run; 0: for ever",
                "运行记录保留的天数；0 表示永久保留",
            ),
    }
}
