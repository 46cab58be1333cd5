//! `[budget]` and `[[prices]]`: what may be spent on models.

use super::key::{Bound, money, text, tokens};
use super::section::Section;

/// How it stands in the example.
pub(super) const BUDGET: Section = Section::of("budget", BudgetTable::KEYS)
    .written()
    .above(
        "Limits of what models may cost; 0 is no limit. At 80 % the chat or the owners get a notice; at 100 %\n\
         no model is called, and an owner can raise the limit for the day. Days are those of the local zone.",
        "模型费用的上限；0 表示不限。达到 80 % 时通知聊天或管理者；达到 100 % 时\n\
         不再调用模型，管理者可以提高当天的上限。日期以本地时区为准。",
    );

/// How it stands in the example.
pub(super) const PRICES: Section = Section::of("prices.*", PriceTable::KEYS).above(
    "What a million tokens cost, one section for each model.",
    "每百万 token 的价格，每个模型一个小节。",
);

declare! {
    /// `[budget]`
    BudgetTable in "budget" {
        turn_tokens: u64 = tokens()
            .default("1000000")
            .in_chat(Bound::Twice)
            .doc(
                "by one turn, of prompts and answers together",
                "一个任务的用量，提示与回答合计",
            ),
        turn_money: f64 = money()
            .default("0")
            .in_chat(Bound::Twice)
            .doc(
                "the same in money, which needs [[prices]] of every model",
                "同上，以金额计；需要每个模型的 [[prices]]",
            ),
        user_day_tokens: u64 = tokens()
            .default("10000000")
            .in_chat(Bound::Twice)
            .doc("by one person's account on a day", "每人每天的用量"),
        user_day_money: f64 = money()
            .default("0")
            .in_chat(Bound::Twice)
            .doc("the same in money", "同上，以金额计"),
        routine_day_tokens: u64 = tokens()
            .default("1000000")
            .in_chat(Bound::Twice)
            .doc("by one routine on a day, within that of its person", "每个例行任务每天的用量，包含在其用户的用量之内"),
        routine_day_money: f64 = money()
            .default("0")
            .in_chat(Bound::Twice)
            .doc("the same in money", "同上，以金额计"),
        instance_day_tokens: u64 = tokens()
            .default("50000000")
            .in_chat(Bound::Twice)
            .doc("by all users on a day", "所有用户每天的用量"),
        instance_day_money: f64 = money()
            .default("0")
            .in_chat(Bound::Twice)
            .doc("the same in money", "同上，以金额计"),
        instance_month_tokens: u64 = tokens()
            .default("0")
            .in_chat(Bound::Twice)
            .doc("by all users in a calendar month", "所有用户每个自然月的用量"),
        instance_month_money: f64 = money()
            .default("0")
            .in_chat(Bound::Twice)
            .doc("the same in money", "同上，以金额计"),
        currency: String = text()
            .default("USD")
            .doc("how money is written", "金额的货币"),
    }
}

declare! {
    /// One of `[[prices]]`, for a million tokens
    PriceTable in "prices.*" {
        model: Option<String> = text()
            .example(r#""gpt-4o-mini""#)
            .doc("as in [[providers]]", "与 [[providers]] 中相同"),
        input: Option<f64> = money()
            .example("0.15")
            .doc("of prompts", "提示的价格"),
        cached_input: Option<f64> = money()
            .example("0.075")
            .doc(
                "of prompts from the service's cache; as input when it is left out",
                "命中服务方缓存的提示的价格；省略时与 input 相同",
            ),
        output: Option<f64> = money()
            .example("0.60")
            .doc("of answers", "回答的价格"),
    }
}
