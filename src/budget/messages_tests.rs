//! What people read about budgets, in both languages.

use sayso_channel::Language::{self, Chinese, English};
use sayso_store::usage::Spent;

use super::{RaisePrompt, RaiseState, card, grouped, in_use, money, usage, used_up, warning};
use crate::budget::report::{Everybody, Report};
use crate::budget::rules::{Limit, Scope};
use crate::budget::{Day, Price, Prices, UsedUp, Warning};

const LIMIT: Limit = Limit {
    tokens: Some(1_000_000),
    micros: Some(2_000_000),
};

fn day() -> Day {
    Day::parse("2026-11-22").unwrap()
}

/// A quarter past five hours before midnight.
fn now_ms() -> i64 {
    day().ends_ms() - (5 * 60 + 15) * 60_000
}

fn spent(tokens: i64, micros: i64) -> Spent {
    Spent {
        calls: 3,
        tokens,
        unpriced_tokens: 0,
        micros,
    }
}

fn prices() -> Prices {
    Prices {
        currency: "USD".to_owned(),
        models: vec![("small".to_owned(), Price::default())],
    }
}

fn both(text: impl Fn(Language) -> String) -> String {
    [English, Chinese].map(text).join("\n\n")
}

#[test]
fn money_and_numbers_are_readable() {
    let written = |micros| money(micros, "USD");
    assert_eq!(written(0), "0.00 USD");
    assert_eq!(written(15), "0.000015 USD");
    assert_eq!(written(500_000), "0.50 USD");
    assert_eq!(written(1_234_000), "1.24 USD");
    assert_eq!(written(1_234_560_000), "1,234.56 USD");
    let numbers = [0, 999, 1000, 1_234_567].map(grouped);
    assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
}

#[test]
fn a_turn_that_ends_says_which_limit_and_until_when() {
    let text = |scope, asked, language| {
        let reached = UsedUp {
            scope,
            limit: LIMIT,
            spent: spent(1_000_000, 0),
            day: day(),
        };
        used_up(&reached, asked, now_ms(), language)
    };
    insta::assert_snapshot!(both(|language| text(Scope::User, true, language)), @r"
    I stopped here: your limit for today is used up.
    It begins anew at midnight, in 5 h.
    An owner is asked whether to raise it for today.

    我先停在这里：你今天的用量已到上限。
    午夜重新开始计算，还有 5 小时。
    已询问管理者是否为今天提高上限。
    ");
    insta::assert_snapshot!(both(|language| text(Scope::Turn, false, language)), @r"
    I stopped here: this is as much as one turn may use.
    Say `go on` to continue in a new one.

    我先停在这里：一轮对话的用量已到上限。
    回复“继续”即可在新的一轮里接着做。
    ");
    insta::assert_snapshot!(both(|language| text(Scope::Month, false, language)), @r"
    I stopped here: this month's limit for everybody is used up.
    It begins anew on 2026-12-01.

    我先停在这里：本月所有人的总用量已到上限。
    2026-12-01 重新开始计算。
    ");
}

#[test]
fn little_left_is_told_with_percent_only() {
    let reached = Warning {
        scope: Scope::User,
        used: 83,
        day: day(),
    };
    insta::assert_snapshot!(both(|language| warning(&reached, now_ms(), language)), @r"
    ⚠️ 83 % of your limit for today is used.
    It begins anew at midnight, in 5 h.
    `/usage` shows the figures.

    ⚠️ 你今天的用量已达上限的 83 %。
    午夜重新开始计算，还有 5 小时。
    `/usage` 可查看具体用量。
    ");
}

#[test]
fn a_card_says_whose_limit_and_how_high() {
    let prices = prices();
    let about = RaisePrompt {
        scope: Scope::User,
        who: "Bob [x](http://y)".to_owned(),
        limit: LIMIT,
        spent: spent(1_000_250, 1_000_000),
        prices: &prices,
    };
    let text = |state, language| card(&about, state, language);
    insta::assert_snapshot!(both(|language| text(RaiseState::Open, language)), @r"
    💰 The limit of **Bob xhttp://y** for today is used up: 1,000,250 of 1,000,000 tokens (0 left), 1.00 USD of 2.00 USD (1.00 USD left).
    Raise it for the rest of today?

    💰 **Bob xhttp://y** 今天的上限已用完：1,000,250 / 1,000,000 token（剩余 0），1.00 USD / 2.00 USD（剩余 1.00 USD）。
    要为今天提高上限吗？
    ");
    assert!(text(RaiseState::Expired, English).ends_with("was not raised: the day is over."));
}

#[test]
fn usage_shows_what_is_left() {
    let report = Report {
        day: day(),
        here: spent(1200, 300),
        own: spent(4500, 900),
        own_limit: LIMIT,
        turn_limit: Limit {
            tokens: Some(50_000),
            micros: None,
        },
        everybody: Some(Everybody {
            today: spent(9000, 1800),
            today_limit: Limit::default(),
            month: spent(90_000, 18_000),
            month_limit: Limit::default(),
            most: vec![("Bob".to_owned(), spent(4500, 900))],
        }),
    };
    let text = |language| usage(&report, &prices(), "small", now_ms(), language);
    insta::assert_snapshot!(both(text), @r"
    **This conversation, today**: 1,200 tokens, 0.0003 USD, in 3 model calls
    **You, today**: 4,500 of 1,000,000 tokens (995,500 left), 0.0009 USD of 2.00 USD (2.00 USD left)
    A new day begins in 5 h.
    One turn may use 50,000 tokens.

    **Everybody, today**: 9,000 tokens, 0.0018 USD
    **Everybody, this month**: 90,000 tokens, 0.018 USD
    1. Bob: 4,500 tokens, 0.0009 USD

    **本对话今天**：1,200 token，0.0003 USD，共 3 次模型调用
    **你今天**：4,500 / 1,000,000 token（剩余 995,500），0.0009 USD / 2.00 USD（剩余 2.00 USD）
    新的一天还有 5 小时开始。
    每轮对话最多 50,000 token。

    **所有人今天**：9,000 token，0.0018 USD
    **所有人本月**：90,000 token，0.018 USD
    1. Bob：4,500 token，0.0009 USD
    ");
    let unpriced = usage(&report, &Prices::default(), "small", now_ms(), English);
    assert!(unpriced.contains("No price is configured, so money is not counted."));
    let other = usage(&report, &prices(), "large", now_ms(), English);
    assert!(other.contains("No price is configured for `large`"));
}

#[test]
fn r2_who_waited_in_vain_is_told_why() {
    insta::assert_snapshot!(both(|language| in_use(Scope::User, language)), @r"
    I stopped here: little is left of your limit for today, and other conversations are using it right now.
    Send your request again in a few minutes, or say `go on`.

    我先停在这里：你今天的用量所剩不多，其他对话正在使用。
    请过几分钟再发送，或回复“继续”。
    ");
}
