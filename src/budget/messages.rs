//! Messages about budgets. Figures are shown only to the user they belong to, and to owners.

use sayso_channel::Language;
use sayso_channel::text;
use sayso_store::usage::Spent;

use super::ledger::{UsedUp, Warning};
use super::prices::Prices;
use super::report::{Everybody, Report};
use super::rules::{Amount, Limit, Scope};
use super::{Day, ledger};

/// Why a turn ends here. Everybody in the chat may read it, so it has no figures of anybody.
pub fn used_up(used_up: &UsedUp, is_owner_asked: bool, now_ms: i64, language: Language) -> String {
    let what = match used_up.scope {
        Scope::Turn => text!(language, "budget-used-up-turn"),
        Scope::User => text!(language, "budget-used-up-user"),
        Scope::Routine => text!(language, "budget-used-up-routine"),
        Scope::Instance => text!(language, "budget-used-up-instance"),
        Scope::Month => text!(language, "budget-used-up-month"),
    };
    let anew = begins_anew(used_up.scope, used_up.day, now_ms, language);
    let asked = if is_owner_asked {
        text!(language, "budget-used-up-owner-asked")
    } else {
        ""
    };
    format!("{what}\n{anew}{asked}")
}

/// Why a turn ends here that waited in vain until other answers were counted.
pub fn in_use(scope: Scope, language: Language) -> String {
    let limit = match scope {
        Scope::Turn => text!(language, "budget-in-use-limit-turn"),
        Scope::User => text!(language, "budget-in-use-limit-user"),
        Scope::Routine => text!(language, "budget-in-use-limit-routine"),
        Scope::Instance => text!(language, "budget-in-use-limit-instance"),
        Scope::Month => text!(language, "budget-in-use-limit-month"),
    };
    text!(language, "budget-in-use", limit)
}

/// When a limit begins anew.
fn begins_anew(scope: Scope, day: Day, now_ms: i64, language: Language) -> String {
    let time = wait(day.ends_ms() - now_ms, language);
    match scope {
        Scope::Turn => text!(language, "budget-begins-anew-turn").to_owned(),
        Scope::Month => text!(
            language,
            "budget-begins-anew-month",
            day = day.next_month().to_string()
        ),
        _ => text!(language, "budget-begins-anew", time),
    }
}

fn wait(milliseconds: i64, language: Language) -> String {
    let minutes = (milliseconds.max(0) + 59_999) / 60_000;
    match minutes {
        0..=90 => text!(language, "budget-wait-minutes", minutes),
        _ => text!(language, "budget-wait-hours", minutes = minutes / 60),
    }
}

/// Tells that little is left of a limit.
pub fn warning(warning: &Warning, now_ms: i64, language: Language) -> String {
    let used = warning.used;
    let what = match warning.scope {
        Scope::Turn | Scope::User => text!(language, "budget-warning-turn-user", used),
        Scope::Routine => text!(language, "budget-warning-routine", used),
        Scope::Instance => text!(language, "budget-warning-instance", used),
        Scope::Month => text!(language, "budget-warning-month", used),
    };
    let anew = begins_anew(warning.scope, warning.day, now_ms, language);
    let hint = text!(language, "budget-warning-hint");
    format!("⚠️ {what}\n{anew}\n{hint}")
}

/// Tells somebody who waited that a limit is raised.
pub fn raised(language: Language) -> &'static str {
    text!(language, "budget-raised")
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
    let what = match card.scope {
        Scope::Turn | Scope::User => text!(language, "budget-card-turn-user", who),
        Scope::Routine => text!(language, "budget-card-routine", who),
        Scope::Instance => text!(language, "budget-card-instance").to_owned(),
        Scope::Month => text!(language, "budget-card-month").to_owned(),
    };
    let figures = of_limit(&card.spent, card.limit, card.prices, language);
    match state {
        RaiseState::Open => text!(language, "budget-card-open", what, figures),
        RaiseState::Raised => text!(language, "budget-card-raised", what, figures),
        RaiseState::Refused => text!(language, "budget-card-refused", what, figures),
        RaiseState::Expired => text!(language, "budget-card-expired", what),
    }
}

/// A name that forms nothing in Markdown.
fn plain(name: &str) -> String {
    let forms = |letter: &char| !"*_`[]()\\<>#|~\n".contains(*letter);
    name.chars().filter(forms).take(60).collect()
}

/// The labels of a card's buttons: half as much again, twice as much, no.
pub fn labels(language: Language) -> [&'static str; 3] {
    [
        "+50 %",
        text!(language, "budget-double"),
        text!(language, "budget-refuse"),
    ]
}

/// The notice to an owner who has answered.
pub fn answered(state: RaiseState, language: Language) -> &'static str {
    match state {
        RaiseState::Raised => text!(language, "budget-answered-raised"),
        RaiseState::Open | RaiseState::Refused | RaiseState::Expired => {
            text!(language, "budget-answered-open-refused-expired")
        }
    }
}

/// `/usage`, in a line: how often a model was called, how much of the limit that is, and when the
/// count begins anew.
pub fn brief_usage(report: &Report, prices: &Prices, now_ms: i64, language: Language) -> String {
    let calls = grouped(natural(report.own.calls));
    let spent = ledger::amounts(&report.own);
    let anew = wait(report.day.ends_ms() - now_ms, language);
    let money = (!prices.models.is_empty()).then(|| money(spent.micros, &prices.currency));
    let money = match money {
        None => String::new(),
        Some(money) => text!(language, "budget-brief-usage-money", money),
    };
    let head = text!(language, "budget-brief-usage-head", calls, money);
    let part = permille(spent, report.own_limit);
    let limit = match part {
        None => text!(language, "budget-brief-usage-unlimited").to_owned(),
        Some(part) => text!(
            language,
            "budget-brief-usage-part",
            percent = part / 10,
            tenth = part % 10
        ),
    };
    text!(language, "budget-brief-usage", head, limit, anew)
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
    let mut lines = vec![
        text!(language, "budget-usage-here", here, calls),
        text!(language, "budget-usage-own", own),
        text!(language, "budget-usage-anew", anew),
    ];
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
    (!most.is_empty()).then(|| text!(language, "budget-turn-limit", most))
}

fn unpriced(report: &Report, prices: &Prices, model: &str, language: Language) -> Option<String> {
    if prices.models.is_empty() {
        Some(text!(language, "budget-no-prices").to_owned())
    } else if prices.of(model).is_none() {
        Some(text!(language, "budget-no-price-of-model", model))
    } else if report.own.unpriced_tokens == 0 {
        None
    } else {
        let tokens = grouped(natural(report.own.unpriced_tokens));
        Some(text!(language, "budget-unpriced-tokens", tokens))
    }
}

fn everybody(all: &Everybody, prices: &Prices, language: Language) -> Vec<String> {
    let today = of_limit(&all.today, all.today_limit, prices, language);
    let month = of_limit(&all.month, all.month_limit, prices, language);
    let mut lines = vec![
        text!(language, "budget-everybody-today", today),
        text!(language, "budget-everybody-month", month),
    ];
    let people = all.most.iter().enumerate().map(|(at, (name, spent))| {
        let amount = of_limit(spent, Limit::default(), prices, language);
        text!(
            language,
            "budget-everybody-people",
            at = at + 1,
            name = plain(name),
            amount
        )
    });
    lines.extend(people);
    lines
}

/// Writes what was spent and, where there is a limit, how high it is and what is left.
fn of_limit(spent: &Spent, limit: Limit, prices: &Prices, language: Language) -> String {
    let Amount { tokens, micros } = ledger::amounts(spent);
    let mut parts = vec![match limit.tokens {
        Some(most) => text!(
            language,
            "budget-tokens-of-limit",
            tokens = grouped(tokens),
            most = grouped(most),
            left = grouped(most.saturating_sub(tokens))
        ),
        None => text!(language, "budget-tokens", tokens = grouped(tokens)),
    }];
    let has_money = !prices.models.is_empty() || micros > 0 || limit.micros.is_some();
    if has_money {
        let money = |micros| money(micros, &prices.currency);
        parts.push(match limit.micros {
            Some(most) => text!(
                language,
                "budget-money-of-limit",
                spent = money(micros),
                most = money(most),
                left = money(most.saturating_sub(micros))
            ),
            None => money(micros),
        });
    }
    parts.join(text!(language, "list-clauses"))
}

fn heights(limit: Limit, prices: &Prices, language: Language) -> String {
    let tokens = limit
        .tokens
        .map(|tokens| text!(language, "budget-limit-tokens", tokens = grouped(tokens)));
    let money = limit.micros.map(|micros| money(micros, &prices.currency));
    let both: Vec<String> = [tokens, money].into_iter().flatten().collect();
    both.join(text!(language, "budget-between-limits"))
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
