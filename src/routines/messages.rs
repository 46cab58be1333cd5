//! What people read about routines and reminders.

use chrono::{DateTime, Datelike as _, Weekday};
use chrono_tz::Tz;
use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::text;
use sayso_store::routine_runs::RunState;

/// What a button of a reminder does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReminderButton {
    /// It is settled.
    Done,
    /// It comes again in ten minutes.
    TenMinutes,
    /// It comes again in an hour.
    Hour,
    /// It comes again tomorrow at nine.
    Tomorrow,
}

impl ReminderButton {
    /// Every one, in the order in which they stand.
    pub const ALL: [Self; 4] = [Self::Done, Self::TenMinutes, Self::Hour, Self::Tomorrow];

    /// Returns what a button carries.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::TenMinutes => "ten",
            Self::Hour => "hour",
            Self::Tomorrow => "tomorrow",
        }
    }

    /// Returns the button that carries this.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

/// The label of a button.
pub fn reminder_button(does: ReminderButton, language: Language) -> &'static str {
    match (does, language) {
        (ReminderButton::Done, English) => "Done",
        (ReminderButton::Done, Chinese) => "完成",
        (ReminderButton::TenMinutes, English) => "In 10 min",
        (ReminderButton::TenMinutes, Chinese) => "10分钟后",
        (ReminderButton::Hour, English) => "In 1 h",
        (ReminderButton::Hour, Chinese) => "1小时后",
        (ReminderButton::Tomorrow, English) => "Tomorrow 9:00",
        (ReminderButton::Tomorrow, Chinese) => "明天9:00",
    }
}

/// A reminder that is due; `late` is when it was, where it comes late, and `missed` how many came
/// before it that were not said.
pub fn reminder(text: &str, late: Option<DateTime<Tz>>, missed: i64, language: Language) -> String {
    let mut notes = Vec::new();
    if let Some(due) = late {
        let due = moment(due, language);
        notes.push(match language {
            English => format!("late: it was due {due}"),
            Chinese => format!("迟到的提醒，原定{due}"),
        });
    }
    match (missed, language) {
        (0, _) => {}
        (1, English) => notes.push("the one before it was missed".to_owned()),
        (_, English) => notes.push(format!("{missed} before it were missed")),
        (_, Chinese) => notes.push(format!("此前错过{missed}次")),
    }
    match (notes.is_empty(), language) {
        (true, _) => format!("⏰ {text}"),
        (false, English) => format!("⏰ {text}\n({})", notes.join("; ")),
        (false, Chinese) => format!("⏰ {text}\n（{}）", notes.join("；")),
    }
}

/// In the place of a reminder that was settled.
pub fn reminder_done(text: &str) -> String {
    format!("✅ {text}")
}

/// The notice for who settled it.
pub fn reminder_is_done(language: Language) -> &'static str {
    match language {
        English => "Done.",
        Chinese => "已完成。",
    }
}

/// In the place of a reminder that was put off.
pub fn reminder_again(
    text: &str,
    again: DateTime<Tz>,
    now: Option<DateTime<Tz>>,
    language: Language,
) -> String {
    let is_today = now.is_some_and(|now| now.date_naive() == again.date_naive());
    let when = if is_today {
        again.format("%H:%M").to_string()
    } else {
        moment(again, language)
    };
    match language {
        English => format!("⏰ {text}\n(again: {when})"),
        Chinese => format!("⏰ {text}\n（再次提醒：{when}）"),
    }
}

/// The notice for who put it off.
pub fn reminder_is_put_off(again: DateTime<Tz>, language: Language) -> String {
    match language {
        English => format!("Again {}.", moment(again, English)),
        Chinese => format!("将在{}再次提醒。", moment(again, Chinese)),
    }
}

/// When something comes, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhenWords {
    /// Its rule or its moment, with the zone.
    pub when: String,
    /// The next times, where it comes again.
    pub next: Option<String>,
}

/// Says when something comes: by its rule where it comes again, and else by its moment.
pub fn when(rule: Option<&str>, next: &[DateTime<Tz>], language: Language) -> WhenWords {
    let Some(rule) = rule else {
        let first = next.first().copied();
        return WhenWords {
            when: first.map_or_else(String::new, |first| moment_in_zone(first, language)),
            next: None,
        };
    };
    let zone = next.first().map_or("", |first| first.timezone().name());
    let next: Vec<String> = next.iter().map(|at| moment(*at, language)).collect();
    match language {
        English => WhenWords {
            when: format!("{rule} ({zone})"),
            next: Some(format!("next: {}", next.join("; "))),
        },
        Chinese => WhenWords {
            when: format!("{rule}（{zone}）"),
            next: Some(format!("接下来：{}", next.join("；"))),
        },
    }
}

/// What became of an occurrence.
pub fn run_state(state: RunState, language: Language) -> &'static str {
    match (state, language) {
        (RunState::Queued, English) => "waits for its turn",
        (RunState::Queued, Chinese) => "等待运行",
        (RunState::Running, English) => "runs",
        (RunState::Running, Chinese) => "运行中",
        (RunState::Parked, English) => "waits for you",
        (RunState::Parked, Chinese) => "等你确认",
        (RunState::Done, English) => "done",
        (RunState::Done, Chinese) => "完成",
        (RunState::Quiet, English) => "nothing new",
        (RunState::Quiet, Chinese) => "没有新内容",
        (RunState::Failed, English) => "failed",
        (RunState::Failed, Chinese) => "失败",
        (RunState::Missed, English) => "missed",
        (RunState::Missed, Chinese) => "错过",
        (RunState::Overlapped, English) => "left out: the run before it was not over",
        (RunState::Overlapped, Chinese) => "跳过：上一次还没结束",
        (RunState::OverBudget, English) => "left out: its budget was used up",
        (RunState::OverBudget, Chinese) => "跳过：预算已用完",
        (RunState::Undelivered, English) => "not delivered",
        (RunState::Undelivered, Chinese) => "未送达",
    }
}

/// What is said unasked of one routine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// How it is named to people.
    pub name: String,
    /// When the first of its occurrences was due.
    pub from: Option<DateTime<Tz>>,
    /// When the last one was.
    pub until: Option<DateTime<Tz>>,
    /// How many were missed.
    pub missed: i64,
    /// What became of the last one.
    pub state: RunState,
    /// Why, in words.
    pub why: Option<String>,
    /// Whether it was switched off for that.
    pub is_off: bool,
}

/// One line of what is said unasked.
pub fn told(told: &Told, language: Language) -> String {
    let name = &told.name;
    let at = |at: Option<DateTime<Tz>>| at.map_or_else(String::new, |at| moment(at, language));
    let (from, until) = (at(told.from), at(told.until));
    let why = told.why.as_deref().unwrap_or_default();
    let off = match (told.is_off, language) {
        (false, _) => "",
        (true, English) => " It is switched off now.",
        (true, Chinese) => "它已停用。",
    };
    let what = match (told.state, told.missed, language) {
        (RunState::Missed, 1, English) => format!("was missed ({from})."),
        (RunState::Missed, 1, Chinese) => format!("错过了（{from}）。"),
        (RunState::Missed, count, English) => {
            format!("was missed {count} times ({from} to {until}).")
        }
        (RunState::Missed, count, Chinese) => format!("错过了{count}次（{from} 至 {until}）。"),
        (state, _, English) => format!("{}, {from}: {why}", run_state(state, English)),
        (state, _, Chinese) => format!("{}，{from}：{why}", run_state(state, Chinese)),
    };
    format!("**{name}** {what}{off}")
}

/// Why a routine was switched off of which nothing can be started.
pub fn unreadable(language: Language) -> &'static str {
    text!(language, "triggers-unreadable")
}

/// The button that runs a routine now.
pub fn run_button(name: &str, language: Language) -> String {
    match language {
        English => format!("Run {name}"),
        Chinese => format!("运行 {name}"),
    }
}

/// The button that switches a routine on again.
pub fn on_button(name: &str, language: Language) -> String {
    match language {
        English => format!("Switch on {name}"),
        Chinese => format!("启用 {name}"),
    }
}

/// What is asked of a run that speaks only of news.
fn only_news(language: Language) -> &'static str {
    match language {
        English => {
            "Only what you hand to the tool `report` is shown, with a key for each item. \
             Where nothing is new, do not call it."
        }
        Chinese => "只有交给工具 `report` 的内容会显示，每一项附上一个键。没有新内容时不要调用它。",
    }
}

/// What the turn of a run is asked; `late` is when it was due, where it comes late.
pub fn request(
    prompt: &str,
    late: Option<DateTime<Tz>>,
    is_only_news: bool,
    language: Language,
) -> String {
    let prompt = if is_only_news {
        format!("{prompt}\n\n({})", only_news(language))
    } else {
        prompt.to_owned()
    };
    match (late, language) {
        (None, _) => prompt,
        (Some(due), English) => {
            format!(
                "{prompt}\n\n(This run is late: it was due {}.)",
                moment(due, English)
            )
        }
        (Some(due), Chinese) => {
            format!(
                "{prompt}\n\n（本次运行迟到，原定{}。）",
                moment(due, Chinese)
            )
        }
    }
}

/// What a run reports, with the name of its routine and when it was due.
pub fn report(
    text: &str,
    name: &str,
    due: Option<DateTime<Tz>>,
    works_again: bool,
    language: Language,
) -> String {
    let due = due.map_or_else(String::new, |due| format!(" · {}", due.format("%H:%M")));
    let again = match (works_again, language) {
        (false, _) => "",
        (true, English) => " · works again",
        (true, Chinese) => " · 已恢复正常",
    };
    format!("{text}\n\n*{name}{due}{again}*")
}

/// Something was kept.
pub fn kept(when: &WhenWords, words: &str, language: Language) -> String {
    let said = match language {
        English => format!("⏰ {}: {words}", when.when),
        Chinese => format!("⏰ {}：{words}", when.when),
    };
    match &when.next {
        Some(next) => match language {
            English => format!("{said}\n({next})"),
            Chinese => format!("{said}\n（{next}）"),
        },
        None => said,
    }
}

/// Deletes what was just kept.
pub fn delete_button(language: Language) -> &'static str {
    match language {
        English => "Delete",
        Chinese => "删除",
    }
}

/// Asks by whose clock a person lives; `zone` is taken so far.
pub fn which_zone(zone: &str, language: Language) -> String {
    match language {
        English => format!(
            "I took `{zone}` for your time zone. Is that right? Any other: `/timezone Tokyo`"
        ),
        Chinese => format!("我把 `{zone}` 当作你的时区，对吗？其他时区：`/timezone 东京`"),
    }
}

/// The button that confirms the zone that is taken so far.
pub fn right_zone(zone: &str, language: Language) -> String {
    match language {
        English => format!("Yes, {zone}"),
        Chinese => format!("对，{zone}"),
    }
}

/// On a card: when something comes.
pub fn next_times(when: &str, language: Language) -> String {
    match language {
        English => format!("When: {when}."),
        Chinese => format!("时间：{when}。"),
    }
}

/// Nothing more is kept.
pub fn too_many_reminders(most: usize, language: Language) -> String {
    match language {
        English => format!("You have {most} reminders, and I keep no more. Delete some first."),
        Chinese => format!("你已有{most}个提醒，不能再多了，请先删除一些。"),
    }
}

/// A moment with its day: `Thursday 19 November 2026, 09:00`.
pub fn moment(at: DateTime<Tz>, language: Language) -> String {
    match language {
        English => at.format("%A %-d %B %Y, %H:%M").to_string(),
        Chinese => format!(
            "{}{} {}",
            at.format("%Y年%-m月%-d日"),
            weekday(at.weekday()),
            at.format("%H:%M")
        ),
    }
}

/// The same with the zone whose clock it is.
pub fn moment_in_zone(at: DateTime<Tz>, language: Language) -> String {
    let zone = at.timezone().name();
    match language {
        English => format!("{} ({zone})", moment(at, English)),
        Chinese => format!("{}（{zone}）", moment(at, Chinese)),
    }
}

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Mon => "星期一",
        Weekday::Tue => "星期二",
        Weekday::Wed => "星期三",
        Weekday::Thu => "星期四",
        Weekday::Fri => "星期五",
        Weekday::Sat => "星期六",
        Weekday::Sun => "星期日",
    }
}
