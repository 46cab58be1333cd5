//! Sayso with nothing to do asks no model, whatever its timers find.

use serde_json::json;

use super::is_card;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(an_idle_agent_asks_no_model);

/// Every room that looks at the clock has looked when the card of a parked turn and a request to link
/// accounts have been found to be expired.
async fn an_idle_agent_asks_no_model(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    for text in ["one", "two"] {
        bob.says(text);
        let answer = format!("ok: {text}");
        bob.settles(|message| message.text == answer).await;
    }
    bot.model
        .calls(vec![("shell", json!({"command": "touch x"}))]);
    ann.says("make a file");
    let parked = ann.hears_with(is_card).await;
    bot.model.forget_requests();

    for round in 0..2 {
        bob.says("/unlink");
        bob.hears().await;
        bob.says("/link");
        let said = bob
            .hears_with(|message| message.text.contains("Your code is "))
            .await;
        let (_, rest) = said.text.split_once("Your code is ").unwrap();
        let code = rest.split_once('.').unwrap().0.to_owned();
        ann.says(&format!("/link {code}"));
        let link = bob.hears_with(is_card).await;
        if round == 1 {
            bot.change("UPDATE cards SET expires_ms = 0 WHERE state = 'open'")
                .await;
            ann.becomes(parked.id, |message| !message.asks()).await;
        }
        bot.change("UPDATE prompts SET expires_ms = 0 WHERE kind = 'link' AND state = 'open'")
            .await;
        bob.becomes(link.id, |message| !message.asks()).await;
    }
    for command in [
        "/status details",
        "/usage details",
        "/help details",
        "/grants",
    ] {
        bob.says(command);
        bob.hears().await;
    }
    assert_eq!(bot.model.requests().len(), 0);
    bot.assert_clean();
}
