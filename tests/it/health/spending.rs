//! What model calls cost, in `/metrics`: without anybody's name.

use sayso_fakes::Answer;

use super::{bot_with_window, get};

#[tokio::test]
async fn tokens_and_money_are_counted_without_names() {
    let settings = [
        ("PRICES__0__MODEL", "fake-1"),
        ("PRICES__0__INPUT", "1"),
        ("PRICES__0__OUTPUT", "4"),
        ("BUDGET__TURN_TOKENS", "220"),
        ("AGENT__ROUTING", "off"),
    ];
    let (bot, window) = bot_with_window(&settings[..3]).await;
    bot.model.when(|request| {
        let text = format!("ok: {}", request.last_user());
        Some(Answer::text(text).usage(10_000, 10))
    });
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let (_, metrics) = get(&window, "/metrics").await;
    // Two calls of 10,000 and 10 tokens.
    for line in [
        "sayso_tokens_total{kind=\"prompt\"} 20000",
        "sayso_tokens_total{kind=\"cached\"} 0",
        "sayso_tokens_total{kind=\"completion\"} 20",
        "sayso_money_micros_total 20080",
    ] {
        assert!(metrics.contains(line), "no {line} in\n{metrics}");
    }
    bot.assert_clean();

    let (bot, window) = bot_with_window(&settings[3..]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text.contains("I stopped here"))
        .await;
    let (_, metrics) = get(&window, "/metrics").await;
    let refused = "sayso_budget_refusals_total{scope=\"turn\"} 1";
    assert!(metrics.contains(refused), "{metrics}");
    bot.assert_clean();
}
