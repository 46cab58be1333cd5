//! `[tools]`: how long a command may take, and how much is read and shown.

use serde_json::json;

use crate::fetching::{UNFINISHED, Web, bot_beside, get, page, result_of as fetched};
use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("tools.shell_timeout_secs", command_is_ended_in_time),
    (
        "tools.background_timeout_secs",
        process_in_the_background_is_ended_in_time,
    ),
    (
        "tools.max_file_read_bytes",
        so_much_of_a_file_is_read_at_once,
    ),
    ("tools.max_output_bytes", so_much_output_is_shown),
    ("tools.fetch_timeout_secs", fetch_is_given_up_in_time),
    ("tools.max_fetch_bytes", so_much_of_a_page_is_taken_in),
    ("tools.max_inbox_files", so_many_files_are_kept),
    ("tools.max_inbox_bytes", files_are_kept_up_to_so_many_bytes),
    (
        "tools.allow_private_hosts",
        only_the_listed_server_of_this_network_is_fetched_from,
    ),
    (
        "tools.web_search.kind",
        crate::tools::searching::brave_is_asked_with_its_key_which_no_one_sees,
    ),
    (
        "tools.web_search.base_url",
        crate::tools::searching::what_searxng_finds_is_listed_as_text_from_outside,
    ),
    (
        "tools.web_search.api_key",
        crate::tools::searching::brave_is_asked_with_its_key_which_no_one_sees,
    ),
    (
        "tools.web_search.results",
        crate::tools::searching::a_search_has_so_many_results_where_the_model_does_not_say,
    ),
];

/// Has a tool called and approved, and returns its result as the model sees it.
async fn result_of(bot: &TestBot, tool: &str, arguments: serde_json::Value) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![(tool, arguments)]);
    bot.model.says("Seen.");
    chat.says("do it");
    chat.settles(|message| message.text == "Seen.").await;
    bot.assert_clean();
    bot.model.requests().pop().unwrap().last_tool_result()
}

#[tokio::test]
pub async fn command_is_ended_in_time() {
    let bot = TestBot::with(&[
        ("TOOLS__SHELL_TIMEOUT_SECS", "5"),
        ("POLICY__CONFIRM_EXEC", "false"),
    ])
    .await;
    let result = result_of(
        &bot,
        "shell",
        json!({"command": "echo begun; sleep 30; echo over"}),
    )
    .await;
    assert!(
        result.contains("begun") && !result.contains("over"),
        "{result}"
    );
    assert!(result.contains("5 s"), "{result}");
}

#[tokio::test]
pub async fn process_in_the_background_is_ended_in_time() {
    let bot = TestBot::with(&[("TOOLS__BACKGROUND_TIMEOUT_SECS", "3")]).await;
    let chat = bot.direct();
    let kept = json!({"command": "mkdir -p a; echo begun; sleep 60; true", "background": true});
    bot.model.calls(vec![("shell", kept)]);
    bot.model.says("Seen.");
    chat.says("do it");
    let card = chat
        .settles(|message| message.button("Approve").is_some())
        .await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Seen.").await;
    let result = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(
        result.contains("begun") && result.contains("for 3 s at most"),
        "{result}"
    );
    chat.settles(|message| message.text.contains("Its time was up."))
        .await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn so_much_output_is_shown() {
    let bot = TestBot::with(&[
        ("TOOLS__MAX_OUTPUT_BYTES", "1024"),
        ("POLICY__CONFIRM_EXEC", "false"),
    ])
    .await;
    let result = result_of(&bot, "shell", json!({"command": "seq 1 5000"})).await;
    assert!(result.len() < 2048, "{} bytes", result.len());
    assert!(result.contains("bytes left out here"), "{result}");
}

/// Sends two files and returns how the second is presented to the model.
async fn second_file(bot: &TestBot) -> String {
    let chat = bot.direct();
    for name in ["one.txt", "two.txt"] {
        chat.sends_document(name, "0123456789", name);
        chat.hears_with(|message| message.text.contains("ok:") && message.text.contains(name))
            .await;
    }
    bot.assert_clean();
    bot.model.turn_requests().pop().unwrap().last_user()
}

const FULL: &str = "[file `two.txt` is not here: the folder `inbox` is full, so something in it has to be deleted first; the person was informed]";

#[tokio::test]
pub async fn so_many_files_are_kept() {
    let bot = TestBot::with(&[("TOOLS__MAX_INBOX_FILES", "1")]).await;
    let told = second_file(&bot).await;
    assert!(told.ends_with(FULL), "{told}");
    assert!(bot.workspace().join("inbox/one.txt").exists());
    assert!(!bot.workspace().join("inbox/two.txt").exists());
}

#[tokio::test]
pub async fn files_are_kept_up_to_so_many_bytes() {
    let bot = TestBot::with(&[("TOOLS__MAX_INBOX_BYTES", "15")]).await;
    let told = second_file(&bot).await;
    assert!(told.ends_with(FULL), "{told}");
    let inbox = bot.workspace().join("inbox");
    assert_eq!(std::fs::read_dir(inbox).unwrap().count(), 1);
}

#[tokio::test]
pub async fn so_much_of_a_file_is_read_at_once() {
    let bot = TestBot::with(&[("TOOLS__MAX_FILE_READ_BYTES", "1024")]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    std::fs::write(bot.workspace().join("long"), "0123456789".repeat(500)).unwrap();
    let result = result_of(&bot, "file_read", json!({"path": "long"})).await;
    let shown = result.matches("0123456789").count();
    assert!(
        (90..=103).contains(&shown),
        "{shown} of 500 shown:\n{result}"
    );
}

#[tokio::test]
pub async fn fetch_is_given_up_in_time() {
    let web = Web::start(|_| {
        let begun = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nbegun";
        [begun, UNFINISHED].concat()
    })
    .await;
    let bot = bot_beside(&web, &[("TOOLS__FETCH_TIMEOUT_SECS", "1")]).await;
    let result = result_of(&bot, "http_request", get(&web.url("/"))).await;
    assert!(result.contains("it was given up after 1 s"), "{result}");
}

#[tokio::test]
pub async fn so_much_of_a_page_is_taken_in() {
    let web = Web::start(|_| page("text/plain", "0123456789".repeat(500))).await;
    for (limit, size) in [("1024", "cut after 1024 bytes"), ("8000", "5000 bytes")] {
        let bot = bot_beside(&web, &[("TOOLS__MAX_FETCH_BYTES", limit)]).await;
        let result = result_of(&bot, "http_request", get(&web.url("/"))).await;
        assert!(result.contains(size), "{result}");
    }
}

#[tokio::test]
pub async fn only_the_listed_server_of_this_network_is_fetched_from() {
    let web = Web::start(|_| page("text/plain", "home")).await;
    let other = Web::start(|_| page("text/plain", "other")).await;
    let places = format!("{},{}", web.place(), other.place());
    let settings = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", web.place()),
        ("POLICY__ALLOW_HOSTS", places),
    ];
    let bot = TestBot::with(
        &settings
            .each_ref()
            .map(|(key, place)| (*key, place.as_str())),
    )
    .await;
    let result = fetched(&bot, get(&web.url("/"))).await;
    assert!(result.ends_with("\n\nhome"), "{result}");
    let result = fetched(&bot, get(&other.url("/"))).await;
    assert!(result.contains("loopback address"), "{result}");
    assert!(other.asked().is_empty());
}
