//! Addresses in answers: letter by letter, and never lost.

use sayso_fakes::telegram::Fault;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(chat_f1_bare_addresses_arrive_letter_by_letter);

async fn chat_f1_bare_addresses_arrive_letter_by_letter(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let addresses = [
        "https://a.example/datamodel.html#object.__init__",
        "https://a.example/_next_/static/x.js",
        "https://a.example/*a*/b",
        "http://nas:5000/~~c~~/d_e_f",
    ];
    bot.model
        .says(&format!("**See** {}, and _more_.", addresses.join(" or ")));
    chat.says("where?");
    let answer = chat.hears().await;
    for address in addresses {
        assert!(answer.text.contains(address), "{address}: {}", answer.text);
    }
    bot.assert_clean();
}

#[tokio::test]
async fn chat_f2_one_odd_link_costs_neither_looks_nor_addresses() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    bot.model.says(
        "Your **app** runs at [the dev server](http://localhost:3000/login), see [docs](https://a.example/b).",
    );
    chat.says("where?");
    let answer = chat.hears().await;
    assert_eq!(
        answer.text,
        "Your app runs at the dev server (http://localhost:3000/login), see docs."
    );
    let kinds: Vec<&str> = answer
        .entities
        .iter()
        .filter_map(|entity| entity["type"].as_str())
        .collect();
    assert_eq!(kinds, ["bold", "text_link"]);
    bot.assert_clean();
}

#[tokio::test]
async fn chat_f2_what_is_said_plainly_keeps_its_addresses() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    bot.telegram.fail_when(|call| {
        let has_looks = call.method == "sendMessage" && call.params.contains_key("entities");
        has_looks.then(|| Fault::Refuse {
            code: 400,
            description: "Bad Request: ENTITIES_TOO_LONG".to_owned(),
        })
    });
    bot.model
        .says("**See** [docs](https://a.example/b) and [more](https://a.example/c).");
    chat.says("where?");
    let answer = chat.hears().await;
    assert_eq!(
        answer.text,
        "See docs (https://a.example/b) and more (https://a.example/c)."
    );
}
