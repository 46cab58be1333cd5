//! Messages about budgets. Figures are shown only to the user they belong to, and to owners.

use sayso_channel::Language::{self, Chinese, English};
use sayso_store::usage::Spent;

use super::ledger::{UsedUp, Warning};
use super::prices::Prices;
use super::report::{Everybody, Report};
use super::rules::{Amount, Limit, Scope};
use super::{Day, ledger};

/// Why a turn ends here. Everybody in the chat may read it, so it has no figures of anybody.
pub fn used_up(used_up: &UsedUp, is_owner_asked: bool, now_ms: i64, language: Language) -> String {
    let what = match (used_up.scope, language) {
        (Scope::Turn, English) => "I stopped here: this is as much as one turn may use.",
        (Scope::Turn, Chinese) => "我先停在这里：一轮对话的用量已到上限。",
        (Scope::User, English) => "I stopped here: your limit for today is used up.",
        (Scope::User, Chinese) => "我先停在这里：你今天的用量已到上限。",
        (Scope::Routine, English) => "I stopped here: today's limit of this routine is used up.",
        (Scope::Routine, Chinese) => "我先停在这里：这个定时任务今天的用量已到上限。",
        (Scope::Instance, English) => "I stopped here: today's limit for everybody is used up.",
        (Scope::Instance, Chinese) => "我先停在这里：今天所有人的总用量已到上限。",
        (Scope::Month, English) => "I stopped here: this month's limit for everybody is used up.",
        (Scope::Month, Chinese) => "我先停在这里：本月所有人的总用量已到上限。",
    };
    let anew = begins_anew(used_up.scope, used_up.day, now_ms, language);
    let asked = match (is_owner_asked, language) {
        (false, _) => "",
        (true, English) => "\nAn owner is asked whether to raise it for today.",
        (true, Chinese) => "\n已询问管理者是否为今天提高上限。",
    };
    format!("{what}\n{anew}{asked}")
}

/// Why a turn ends here that waited in vain until other answers were counted.
pub fn in_use(scope: Scope, language: Language) -> String {
    let limit = match (scope, language) {
        (Scope::Turn, English) => "what one turn may use",
        (Scope::Turn, Chinese) => "一轮对话的用量",
        (Scope::User, English) => "your limit for today",
        (Scope::User, Chinese) => "你今天的用量",
        (Scope::Routine, English) => "today's limit of this routine",
        (Scope::Routine, Chinese) => "这个定时任务今天的用量",
        (Scope::Instance, English) => "today's limit for everybody",
        (Scope::Instance, Chinese) => "今天所有人的总用量",
        (Scope::Month, English) => "this month's limit for everybody",
        (Scope::Month, Chinese) => "本月所有人的总用量",
    };
    match language {
        English => format!(
            "I stopped here: little is left of {limit}, and other conversations are using it right now.\n\
             Send your request again in a few minutes, or say `go on`."
        ),
        Chinese => format!(
            "我先停在这里：{limit}所剩不多，其他对话正在使用。\n请过几分钟再发送，或回复“继续”。"
        ),
    }
}

/// When a limit begins anew.
fn begins_anew(scope: Scope, day: Day, now_ms: i64, language: Language) -> String {
    let time = wait(day.ends_ms() - now_ms, language);
    match (scope, language) {
        (Scope::Turn, English) => "Say `go on` to continue in a new one.".to_owned(),
        (Scope::Turn, Chinese) => "回复“继续”即可在新的一轮里接着做。".to_owned(),
        (Scope::Month, English) => format!("It begins anew on {}.", day.next_month()),
        (Scope::Month, Chinese) => format!("{} 重新开始计算。", day.next_month()),
        (_, English) => format!("It begins anew at midnight, in {time}."),
        (_, Chinese) => format!("午夜重新开始计算，还有 {time}。"),
    }
}

fn wait(milliseconds: i64, language: Language) -> String {
    let minutes = (milliseconds.max(0) + 59_999) / 60_000;
    match (minutes, language) {
        (0..=90, English) => format!("{minutes} min"),
        (0..=90, Chinese) => format!("{minutes} 分钟"),
        (_, English) => format!("{} h", minutes / 60),
        (_, Chinese) => format!("{} 小时", minutes / 60),
    }
}

/// Tells that little is left of a limit.
pub fn warning(warning: &Warning, now_ms: i64, language: Language) -> String {
    let used = warning.used;
    let what = match (warning.scope, language) {
        (Scope::Turn | Scope::User, English) => {
            format!("{used} % of your limit for today is used.")
        }
        (Scope::Turn | Scope::User, Chinese) => format!("你今天的用量已达上限的 {used} %。"),
        (Scope::Routine, English) => format!("{used} % of today's limit of this routine is used."),
        (Scope::Routine, Chinese) => format!("这个定时任务今天的用量已达上限的 {used} %。"),
        (Scope::Instance, English) => format!("{used} % of today's limit for everybody is used."),
        (Scope::Instance, Chinese) => format!("今天所有人的总用量已达上限的 {used} %。"),
        (Scope::Month, English) => format!("{used} % of this month's limit for everybody is used."),
        (Scope::Month, Chinese) => format!("本月所有人的总用量已达上限的 {used} %。"),
    };
    let anew = begins_anew(warning.scope, warning.day, now_ms, language);
    let hint = match language {
        English => "`/usage` shows the figures.",
        Chinese => "`/usage` 可查看具体用量。",
    };
    format!("⚠️ {what}\n{anew}\n{hint}")
}

/// Tells somebody who waited that a limit is raised.
pub fn raised(language: Language) -> &'static str {
    match language {
        English => {
            "An owner has raised the limit for today. Send your request again, or say `go on`."
        }
        Chinese => "管理者已提高今天的上限。请重新发送，或回复“继续”。",
    }
}

/// What a card is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaisePrompt<'a> {
    /// Which limit.
    pub scope: Scope,
    /// Whose: the name that people see, or the routine's.
    pub who: String,
    /// How high it is now.
    pub limit: Limit,
    /// What was spent of it.
    pub spent: Spent,
    /// For the currency.
    pub prices: &'a Prices,
}

/// What became of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RaiseState {
    /// Owners are asked.
    Open,
    /// An owner raised the limit.
    Raised,
    /// An owner refused.
    Refused,
    /// The day is over.
    Expired,
}

/// The text of an owner's card, as its state is.
pub fn card(card: &RaisePrompt<'_>, state: RaiseState, language: Language) -> String {
    let who = plain(&card.who);
    let what = match (card.scope, language) {
        (Scope::Turn | Scope::User, English) => format!("The limit of **{who}** for today"),
        (Scope::Turn | Scope::User, Chinese) => format!("**{who}** 今天的上限"),
        (Scope::Routine, English) => format!("Today's limit of the routine **{who}**"),
        (Scope::Routine, Chinese) => format!("定时任务 **{who}** 今天的上限"),
        (Scope::Instance, English) => "Today's limit for everybody".to_owned(),
        (Scope::Instance, Chinese) => "今天所有人的总上限".to_owned(),
        (Scope::Month, English) => "This month's limit for everybody".to_owned(),
        (Scope::Month, Chinese) => "本月所有人的总上限".to_owned(),
    };
    let figures = of_limit(&card.spent, card.limit, card.prices, language);
    match (state, language) {
        (RaiseState::Open, English) => {
            format!("💰 {what} is used up: {figures}.\nRaise it for the rest of today?")
        }
        (RaiseState::Open, Chinese) => {
            format!("💰 {what}已用完：{figures}。\n要为今天提高上限吗？")
        }
        (RaiseState::Raised, English) => format!("✅ {what} is raised. Used: {figures}."),
        (RaiseState::Raised, Chinese) => format!("✅ {what}已提高。已用：{figures}。"),
        (RaiseState::Refused, English) => format!("❌ {what} stays as it is. Used: {figures}."),
        (RaiseState::Refused, Chinese) => format!("❌ {what}保持不变。已用：{figures}。"),
        (RaiseState::Expired, English) => format!("⌛ {what} was not raised: the day is over."),
        (RaiseState::Expired, Chinese) => format!("⌛ {what}未提高：这一天已经结束。"),
    }
}

/// A name that forms nothing in Markdown.
fn plain(name: &str) -> String {
    let forms = |letter: &char| !"*_`[]()\\<>#|~\n".contains(*letter);
    name.chars().filter(forms).take(60).collect()
}

/// The labels of a card's buttons: half as much again, twice as much, no.
pub fn labels(language: Language) -> [&'static str; 3] {
    match language {
        English => ["+50 %", "Double", "No"],
        Chinese => ["+50 %", "加倍", "不提高"],
    }
}

/// The notice to an owner who has answered.
pub fn answered(state: RaiseState, language: Language) -> &'static str {
    match (state, language) {
        (RaiseState::Raised, English) => "Raised for today.",
        (RaiseState::Raised, Chinese) => "已为今天提高。",
        (RaiseState::Open | RaiseState::Refused | RaiseState::Expired, English) => {
            "It stays as it is."
        }
        (RaiseState::Open | RaiseState::Refused | RaiseState::Expired, Chinese) => "保持不变。",
    }
}

/// `/usage`, in a line: how often a model was called, how much of the limit that is, and when the
/// count begins anew.
pub fn brief_usage(report: &Report, prices: &Prices, now_ms: i64, language: Language) -> String {
    let calls = grouped(natural(report.own.calls));
    let spent = ledger::amounts(&report.own);
    let anew = wait(report.day.ends_ms() - now_ms, language);
    let money = (!prices.models.is_empty()).then(|| money(spent.micros, &prices.currency));
    let money = match (money, language) {
        (None, _) => String::new(),
        (Some(money), English) => format!(", for {money}"),
        (Some(money), Chinese) => format!("，花费 {money}"),
    };
    let head = match language {
        English => format!("Today I called the model {calls} times for you{money}."),
        Chinese => format!("今天我为你调用了 {calls} 次模型{money}。"),
    };
    let part = permille(spent, report.own_limit);
    let limit = match (part, language) {
        (None, English) => "You have no limit.".to_owned(),
        (None, Chinese) => "你没有额度限制。".to_owned(),
        (Some(part), English) => {
            format!("That is {}.{} % of your limit.", part / 10, part % 10)
        }
        (Some(part), Chinese) => format!("占你额度的 {}.{}%。", part / 10, part % 10),
    };
    match language {
        English => format!("{head}\n{limit} A new day begins in {anew}."),
        Chinese => format!("{head}\n{limit}新的一天还有 {anew}开始。"),
    }
}

/// Returns how many thousandths of a limit were spent, of tokens or of money, whichever is more.
fn permille(spent: Amount, limit: Limit) -> Option<u64> {
    let of = |spent: u64, most: Option<u64>| {
        let most = most?;
        Some(spent.saturating_mul(1000).checked_div(most).unwrap_or(1000))
    };
    let tokens = of(spent.tokens, limit.tokens);
    tokens.max(of(spent.micros, limit.micros))
}

/// `/usage`, with everything.
pub fn usage(
    report: &Report,
    prices: &Prices,
    model: &str,
    now_ms: i64,
    language: Language,
) -> String {
    let here = of_limit(&report.here, Limit::default(), prices, language);
    let calls = report.here.calls;
    let own = of_limit(&report.own, report.own_limit, prices, language);
    let anew = wait(report.day.ends_ms() - now_ms, language);
    let noun = if calls == 1 { "call" } else { "calls" };
    let mut lines = match language {
        English => vec![
            format!("**This conversation, today**: {here}, in {calls} model {noun}"),
            format!("**You, today**: {own}"),
            format!("A new day begins in {anew}."),
        ],
        Chinese => vec![
            format!("**本对话今天**：{here}，共 {calls} 次模型调用"),
            format!("**你今天**：{own}"),
            format!("新的一天还有 {anew}开始。"),
        ],
    };
    lines.extend(turn_limit(report.turn_limit, prices, language));
    lines.extend(unpriced(report, prices, model, language));
    if let Some(all) = &report.everybody {
        lines.push(String::new());
        lines.extend(everybody(all, prices, language));
    }
    lines.join("\n")
}

fn turn_limit(limit: Limit, prices: &Prices, language: Language) -> Option<String> {
    let most = heights(limit, prices, language);
    (!most.is_empty()).then(|| match language {
        English => format!("One turn may use {most}."),
        Chinese => format!("每轮对话最多 {most}。"),
    })
}

fn unpriced(report: &Report, prices: &Prices, model: &str, language: Language) -> Option<String> {
    match language {
        English if prices.models.is_empty() => {
            Some("No price is configured, so money is not counted.".to_owned())
        }
        Chinese if prices.models.is_empty() => Some("没有配置价格，因此不计算金额。".to_owned()),
        English if prices.of(model).is_none() => Some(format!(
            "No price is configured for `{model}`; its tokens cost nothing here."
        )),
        Chinese if prices.of(model).is_none() => {
            Some(format!("没有配置 `{model}` 的价格，它的用量不计金额。"))
        }
        _ if report.own.unpriced_tokens == 0 => None,
        English => Some(format!(
            "{} tokens of yours have no price.",
            grouped(natural(report.own.unpriced_tokens))
        )),
        Chinese => Some(format!(
            "你有 {} 个 token 没有价格。",
            grouped(natural(report.own.unpriced_tokens))
        )),
    }
}

fn everybody(all: &Everybody, prices: &Prices, language: Language) -> Vec<String> {
    let today = of_limit(&all.today, all.today_limit, prices, language);
    let month = of_limit(&all.month, all.month_limit, prices, language);
    let mut lines = match language {
        English => vec![
            format!("**Everybody, today**: {today}"),
            format!("**Everybody, this month**: {month}"),
        ],
        Chinese => vec![
            format!("**所有人今天**：{today}"),
            format!("**所有人本月**：{month}"),
        ],
    };
    let people = all.most.iter().enumerate().map(|(at, (name, spent))| {
        let amount = of_limit(spent, Limit::default(), prices, language);
        match language {
            English => format!("{}. {}: {amount}", at + 1, plain(name)),
            Chinese => format!("{}. {}：{amount}", at + 1, plain(name)),
        }
    });
    lines.extend(people);
    lines
}

/// Writes what was spent and, where there is a limit, how high it is and what is left.
fn of_limit(spent: &Spent, limit: Limit, prices: &Prices, language: Language) -> String {
    let Amount { tokens, micros } = ledger::amounts(spent);
    let mut parts = vec![match (limit.tokens, language) {
        (Some(most), English) => format!(
            "{} of {} tokens ({} left)",
            grouped(tokens),
            grouped(most),
            grouped(most.saturating_sub(tokens))
        ),
        (Some(most), Chinese) => format!(
            "{} / {} token（剩余 {}）",
            grouped(tokens),
            grouped(most),
            grouped(most.saturating_sub(tokens))
        ),
        (None, English) => format!("{} tokens", grouped(tokens)),
        (None, Chinese) => format!("{} token", grouped(tokens)),
    }];
    let has_money = !prices.models.is_empty() || micros > 0 || limit.micros.is_some();
    if has_money {
        let money = |micros| money(micros, &prices.currency);
        parts.push(match (limit.micros, language) {
            (Some(most), English) => format!(
                "{} of {} ({} left)",
                money(micros),
                money(most),
                money(most.saturating_sub(micros))
            ),
            (Some(most), Chinese) => format!(
                "{} / {}（剩余 {}）",
                money(micros),
                money(most),
                money(most.saturating_sub(micros))
            ),
            (None, _) => money(micros),
        });
    }
    match language {
        English => parts.join(", "),
        Chinese => parts.join("，"),
    }
}

fn heights(limit: Limit, prices: &Prices, language: Language) -> String {
    let tokens = limit.tokens.map(|tokens| match language {
        English => format!("{} tokens", grouped(tokens)),
        Chinese => format!("{} token", grouped(tokens)),
    });
    let money = limit.micros.map(|micros| money(micros, &prices.currency));
    let both: Vec<String> = [tokens, money].into_iter().flatten().collect();
    match language {
        English => both.join(" and "),
        Chinese => both.join("、"),
    }
}

/// Writes money: two digits behind the point from 1 on, as many as it takes below.
pub fn money(micros: u64, currency: &str) -> String {
    if micros >= 1_000_000 {
        let cents = micros.div_ceil(10_000);
        return format!("{}.{:02} {currency}", grouped(cents / 100), cents % 100);
    }
    let digits = format!("{micros:06}");
    let kept = digits.trim_end_matches('0').len().max(2);
    format!("0.{} {currency}", &digits[..kept])
}

/// Writes a number with a comma between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut written = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

fn natural(amount: i64) -> u64 {
    u64::try_from(amount).unwrap_or_default()
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
