//! Searching the web, with services that answer as their published interfaces say.

use sayso_fakes::Message;
use serde_json::{Value, json};

use crate::fetching::{Web, page};
use crate::test_bot::TestBot;

/// Returns the parameters of a path; nothing where it is another path.
fn parameters(path: &str, wanted: &str) -> Option<Vec<(String, String)>> {
    let (path, query) = path.split_once('?')?;
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    (path == wanted).then(|| pairs.into_owned().collect())
}

/// Returns whether all parameters are among those that a service knows.
fn are_known(asked: &[(String, String)], known: &[&str]) -> bool {
    asked.iter().all(|(name, _)| known.contains(&name.as_str()))
}

fn refused(status: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    head.into_bytes()
}

/// A SearXNG as `docs.searxng.org/dev/search_api.html` has it: no JSON unless it is asked for.
fn searxng(path: &str) -> Vec<u8> {
    let Some(asked) = parameters(path, "/search") else {
        return refused("404 Not Found");
    };
    let known = [
        "q",
        "categories",
        "engines",
        "language",
        "pageno",
        "time_range",
        "format",
        "safesearch",
    ];
    let is_json = asked.contains(&("format".to_owned(), "json".to_owned()));
    if !are_known(&asked, &known) || !is_json {
        return refused("403 Forbidden");
    }
    let results = json!([
        {"url": "https://tea.example/green", "title": "Green tea", "content": "How green tea\nis made.", "engine": "x", "category": "general"},
        {"url": "https://tea.example/black", "title": "Black tea", "content": null, "publishedDate": null},
        {"url": "https://tea.example/white", "title": "White tea", "content": "Rare."},
    ]);
    let answer = json!({"query": "tea", "number_of_results": 0, "results": results, "answers": [],
        "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": []});
    page("application/json", answer.to_string())
}

/// A Brave as its documentation has it.
fn brave(path: &str) -> Vec<u8> {
    let Some(asked) = parameters(path, "/res/v1/web/search") else {
        return refused("404 Not Found");
    };
    let known = [
        "q",
        "country",
        "search_lang",
        "ui_lang",
        "count",
        "offset",
        "safesearch",
        "freshness",
    ];
    let value = |name: &str| {
        let found = asked.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    let count = value("count").and_then(|count| count.parse::<u8>().ok());
    let is_fresh = value("freshness").is_none_or(|it| ["pd", "pw", "pm", "py"].contains(&&*it));
    if !are_known(&asked, &known) || !count.is_some_and(|it| (1..=20).contains(&it)) || !is_fresh {
        return refused("422 Unprocessable Entity");
    }
    let answer = json!({"type": "search", "query": {"original": "tea"}, "web": {"type": "search", "results": [
        {"type": "search_result", "url": "https://tea.example/oolong", "title": "Oolong",
         "description": "Half <strong>tea</strong>.", "language": "en"},
    ]}});
    page("application/json", answer.to_string())
}

async fn bot_searching(web: &Web, settings: &[(&str, &str)]) -> TestBot {
    let url = web.url("");
    let own = [("TOOLS__WEB_SEARCH__BASE_URL", url.as_str())];
    TestBot::with(&[&own, settings].concat()).await
}

/// Has the model search, and returns the tool result; no approval may be requested.
async fn told(bot: &TestBot, arguments: Value) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![("web_search", arguments)]);
    let seen = format!("Seen after {}.", bot.model.requests().len());
    bot.model.says(&seen);
    chat.says("search the web for tea");
    chat.settles(|message| message.text == seen).await;
    bot.model.requests().pop().unwrap().last_tool_result()
}

#[tokio::test]
pub async fn what_searxng_finds_is_listed_as_text_from_outside() {
    let web = Web::start(searxng).await;
    let bot = bot_searching(&web, &[]).await;
    let arguments = json!({"query": "green & black", "count": 2, "newer_than": "month"});
    insta::assert_snapshot!(told(&bot, arguments).await, @r"
    1. Green tea
       https://tea.example/green
       How green tea is made.
    2. Black tea
       https://tea.example/black
    ");
    insta::assert_snapshot!(web.lines().join("\n"), @"GET /search?q=green+%26+black&format=json&time_range=month HTTP/1.1");
    bot.assert_clean();
}

#[tokio::test]
pub async fn brave_is_asked_with_its_key_which_no_one_sees() {
    let web = Web::start(brave).await;
    let settings = [
        ("TOOLS__WEB_SEARCH__KIND", "brave"),
        ("TOOLS__WEB_SEARCH__API_KEY", "BSA-key-0123456789"),
    ];
    let bot = bot_searching(&web, &settings).await;
    let arguments = json!({"query": "茶", "newer_than": "week"});
    insta::assert_snapshot!(told(&bot, arguments).await, @r"
    1. Oolong
       https://tea.example/oolong
       Half tea.
    ");
    insta::assert_snapshot!(web.lines().join("\n"), @"GET /res/v1/web/search?q=%E8%8C%B6&count=5&freshness=pw HTTP/1.1");
    let asked = web.asked().join("\n").to_ascii_lowercase();
    assert!(
        asked.contains("x-subscription-token: bsa-key-0123456789"),
        "{asked}"
    );
    assert!(asked.contains("accept: application/json"), "{asked}");
    let requests = bot.model.requests();
    assert!(requests.iter().all(|request| !request.mentions("BSA-key")));
    assert!(!bot.log().contains("BSA-key"));
    bot.assert_clean();
}

#[tokio::test]
async fn a_search_in_view_of_text_from_outside_is_asked_about() {
    let web = Web::start(searxng).await;
    let bot = bot_searching(&web, &[]).await;
    told(&bot, json!({"query": "tea"})).await;
    let chat = bot.direct();
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model
        .calls(vec![("web_search", json!({"query": "what Ann told me"}))]);
    bot.model.says("Not asked.");
    chat.says("and now?");
    let card = chat.settles(Message::asks).await;
    insta::assert_snapshot!(card.text, @r"
    May I look this up on the internet?

    what Ann told me

    • ⚠️ text from outside may have chosen this address, which can carry away what I read
    I have recently read: the names of files in your folder, a web search.
    Expires in 30 min
    ");
    chat.press(&bot.ann, card.id, "Deny").await;
    chat.settles(|message| message.text == "Not asked.").await;
    assert_eq!(web.asked().len(), 1);
    bot.assert_clean();
}

#[tokio::test]
async fn a_service_that_refuses_is_told_so_that_somebody_can_act() {
    let web = Web::start(|_| refused("429 Too Many Requests")).await;
    let bot = bot_searching(&web, &[]).await;
    insta::assert_snapshot!(told(&bot, json!({"query": "tea"})).await, @"[failed] the search service answered HTTP 429: too many searches; wait before you search again");
    insta::assert_snapshot!(told(&bot, json!({"query": " "})).await, @r#"
    [error] E_INVALID_ARGS: bad arguments for `web_search`: `query`: it has 0 characters, 1 to 400 are allowed
    expected: {"query": string, "count"?: integer, "newer_than"?: string}
    "#);
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_search_has_so_many_results_where_the_model_does_not_say() {
    let web = Web::start(searxng).await;
    let bot = bot_searching(&web, &[("TOOLS__WEB_SEARCH__RESULTS", "1")]).await;
    insta::assert_snapshot!(told(&bot, json!({"query": "tea"})).await, @r"
    1. Green tea
       https://tea.example/green
       How green tea is made.
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn without_a_service_there_is_no_search() {
    let bot = TestBot::open().await;
    let told = told(&bot, json!({"query": "tea"})).await;
    assert!(
        told.starts_with("[error] E_TOOL: there is no tool `web_search`"),
        "{told}"
    );
    bot.assert_clean();
}
