//! The index of a project's code, with the real program: it is read in the background, followed,
//! searched by the model and shown by `/status`; a kill while it is read does no harm.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use sayso_fakes::Answer;
use serde_json::json;

use super::projects::{Site, asks, does};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{PATIENCE, TestBot};

on_both!(
    code_is_found_and_its_changes_are_followed,
    reading_goes_on_after_a_kill,
    requests_about_code_come_with_a_map,
);

/// How the section of the map begins.
const MAP: &str = "[Project map]";

/// How many files the project has that is read while Sayso is killed.
const MANY: usize = 400;

fn write(site: &Site, name: &str, text: &str) {
    std::fs::write(site.path().join(name), text).unwrap();
}

/// Asks for the status until it says this of the project.
async fn status_says(chat: &Chat, wanted: &str) {
    let begun = Instant::now();
    loop {
        let status = asks(chat, "/status").await;
        if status.contains(&format!("Project site: {wanted}")) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{status}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Has the model search, and returns what it reads.
async fn finds(bot: &TestBot, chat: &Chat, query: &str) -> String {
    let search = vec![("search_semantic", json!({"query": query, "limit": 1}))];
    does(bot, chat, query, search).await
}

async fn code_is_found_and_its_changes_are_followed(platform: Platform) {
    let site = Site::new();
    let cart = "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n";
    write(&site, "cart.py", cart);
    write(&site, "price.py", "def total_price(cart):\n    return 0\n");
    let bot = site.bot(platform, &[]).await;
    let ann = bot.direct();
    let elsewhere = asks(&ann, "/status").await;
    assert!(!elsewhere.contains("Project site:"), "{elsewhere}");
    asks(&ann, "/project site").await;
    status_says(&ann, "3 files can be searched.").await;
    let found = finds(&bot, &ann, "adding an item to the cart").await;
    assert!(found.contains("\ncart.py:1-3 in Cart"), "{found}");
    assert!(found.contains("def add_item(self, item):"), "{found}");
    write(
        &site,
        "price.py",
        "def total_price(cart):\n    return discount(cart)\n",
    );
    // It is looked at after the changed one.
    write(&site, "receipt.py", "def send_receipt(order):\n    pass\n");
    status_says(&ann, "4 files can be searched.").await;
    let found = finds(&bot, &ann, "the discount").await;
    assert!(found.contains("\nprice.py:1-2 in total_price"), "{found}");
    bot.assert_clean();
}

async fn requests_about_code_come_with_a_map(platform: Platform) {
    let site = Site::new();
    let cart = "class Cart:\n    def add_item(self, item):\n        total_price(self)\n";
    write(&site, "cart.py", cart);
    write(&site, "price.py", "def total_price(cart):\n    return 0\n");
    let bot = site.bot(platform, &[("AGENT__PLANNING", "auto")]).await;
    let ann = bot.direct();
    asks(&ann, "/project site").await;
    status_says(&ann, "3 files can be searched.").await;
    bot.model.says("Hello Ann.");
    assert_eq!(asks(&ann, "hello").await, "Hello Ann.");
    let small_talk = bot.model.turn_requests().pop().unwrap();
    assert!(!small_talk.mentions(MAP), "it costs nothing there");
    bot.model.plans_with(Answer::text("{\"steps\": []}"));
    does(
        &bot,
        &ann,
        "fix the bug in price.py, the function total_price returns 0",
        vec![("read_file", json!({"path": "price.py"}))],
    )
    .await;
    let planned = bot.model.planning_requests().pop().unwrap();
    assert!(planned.mentions("def total_price(cart)"), "{planned:?}");
    let steps = bot.model.turn_requests();
    for step in steps.iter().rev().take(2) {
        assert!(step.mentions(MAP), "{step:?}");
        assert!(step.mentions("most likely: price.py, cart.py"), "{step:?}");
        assert!(step.mentions("[outside "), "{step:?}");
        assert!(
            !step.system().contains("total_price"),
            "it changes with each request"
        );
    }
    bot.assert_clean();
}

async fn reading_goes_on_after_a_kill(platform: Platform) {
    let site = Site::new();
    let mut text = String::new();
    for number in 0..100 {
        writeln!(
            text,
            "def step_{number}(order):\n    return order.next({number})\n"
        )
        .unwrap();
    }
    for number in 0..MANY {
        write(&site, &format!("part_{number}.py"), &text);
    }
    write(&site, "zebra.py", "def feed_zebra(hay):\n    pass\n");
    let mut bot = site.bot(platform, &[]).await;
    let ann = bot.direct();
    asks(&ann, "/project site").await;
    // While it reads, unless the machine is very fast.
    status_says(&ann, "").await;
    bot.kill().await;
    let kept: &Path = &bot.data().join("code-index");
    // What a kill in the middle of writing leaves.
    std::fs::create_dir_all(kept).unwrap();
    std::fs::write(kept.join("site.new"), "half").unwrap();
    bot.start();
    bot.settles_in().await;
    let files = MANY + 2;
    status_says(&ann, &format!("{files} files can be searched.")).await;
    let found = finds(&bot, &ann, "who feeds the zebra").await;
    assert!(found.contains("\nzebra.py:1-2 in feed_zebra"), "{found}");
    assert!(kept.join("site.index").exists());
    assert!(!kept.join("site.new").exists());
    bot.assert_clean();
}
