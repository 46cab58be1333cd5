//! Reading several pages of one site.

use serde_json::{Value, json};

use super::{Web, bot_beside, page, redirect};
use crate::test_bot::TestBot;

/// A site of a few pages, which wants one place left alone.
fn site(path: &str) -> Vec<u8> {
    let html = |body: &str| page("text/html", format!("<title>{path}</title>{body}"));
    match path {
        "/robots.txt" => page("text/plain", "User-agent: *\nDisallow: /private\n"),
        "/" => html(
            "<a href=/one>One</a> <a href='/two?a=1&amp;b=2#top'>Two</a> <a href=/private/x>X</a>\
             <a href=https://elsewhere.example/>Else</a> <a href=/one>Again</a> <a href=mailto:a@b>M</a>",
        ),
        "/one" => html("<p>First page.<a href=/three>Three</a>"),
        "/two?a=1&b=2" => html("<p>Second page."),
        "/three" => html("<p>Third page."),
        _ => b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
    }
}

/// Has the model crawl, and returns the tool result; no approval may be requested.
async fn told(bot: &TestBot, web: &Web, arguments: Value) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![("crawl_url", arguments)]);
    let seen = format!("Seen after {}.", bot.model.requests().len());
    bot.model.says(&seen);
    chat.says("read that website");
    chat.settles(|message| message.text == seen).await;
    bot.assert_clean();
    let result = bot.model.requests().pop().unwrap().last_tool_result();
    result.replace(&web.place(), "HOST")
}

#[tokio::test]
async fn pages_of_one_site_are_read_as_far_as_is_asked() {
    let web = Web::start(site).await;
    let bot = bot_beside(&web, &[]).await;
    let told = told(&bot, &web, json!({"url": web.url("/")})).await;
    insta::assert_snapshot!(told, @r"
    == http://HOST/ (HTTP 200)
    # /
    One </one> Two </two?a=1&b=2#top> X </private/x>Else <https://elsewhere.example/> Again </one> M <mailto:a@b>

    == http://HOST/one (HTTP 200)
    # /one
    First page.Three </three>

    == http://HOST/two?a=1&b=2 (HTTP 200)
    # /two?a=1&b=2
    Second page.

    [3 pages read, 0 more are linked, 1 left alone as robots.txt asks]
    ");
    insta::assert_snapshot!(web.lines().join("\n"), @r"
    GET /robots.txt HTTP/1.1
    GET / HTTP/1.1
    GET /one HTTP/1.1
    GET /two?a=1&b=2 HTTP/1.1
    ");
}

#[tokio::test]
async fn depth_and_pages_bound_it() {
    let web = Web::start(site).await;
    let bot = bot_beside(&web, &[]).await;
    let one = json!({"url": web.url("/"), "pages": 1, "depth": 3});
    let one = told(&bot, &web, one).await;
    assert!(one.contains("[1 pages read, "), "{one}");
    assert_eq!(web.lines().len(), 2, "robots.txt and one page");
    // What was read before would have it ask.
    let bot = bot_beside(&web, &[]).await;
    let deep = json!({"url": web.url("/one"), "depth": 2});
    let deep = told(&bot, &web, deep).await;
    assert!(deep.contains("Third page."), "{deep}");
}

#[tokio::test]
async fn a_site_that_cannot_say_what_to_leave_alone_is_left_alone() {
    let web = Web::start(|_| {
        b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec()
    })
    .await;
    let bot = bot_beside(&web, &[]).await;
    insta::assert_snapshot!(told(&bot, &web, json!({"url": web.url("/")})).await, @"[failed] the site's robots.txt gives HTTP 503, so it is left alone for now");
    assert_eq!(web.lines().len(), 1);
}

#[tokio::test]
async fn links_are_followed_where_the_first_page_led_and_by_what_is_asked_there() {
    let there = Web::start(|path| match path {
        "/robots.txt" => page("text/plain", "User-agent: *\nDisallow: /two\n"),
        path => site(path),
    })
    .await;
    let place = there.url("/");
    let here = Web::start(move |path| match path {
        "/robots.txt" => page("text/plain", ""),
        _ => redirect(&place),
    })
    .await;
    let both = format!(r#"["{}", "{}"]"#, here.place(), there.place());
    let open = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", both.as_str()),
        ("POLICY__ALLOW_HOSTS", both.as_str()),
    ];
    let bot = TestBot::with(&open).await;
    let told = told(&bot, &there, json!({"url": here.url("/")})).await;
    assert!(told.contains("== http://HOST/one (HTTP 200)"), "{told}");
    assert!(!told.contains("Second page."), "{told}");
    assert_eq!(here.lines().len(), 2, "robots.txt and one page");
    insta::assert_snapshot!(there.lines().join("\n"), @r"
    GET /robots.txt HTTP/1.1
    GET / HTTP/1.1
    GET /one HTTP/1.1
    GET /private/x HTTP/1.1
    ");
}

#[tokio::test]
async fn a_page_that_sends_to_what_is_to_be_left_alone_is_left_alone() {
    let web = Web::start(|path| match path {
        "/one" => redirect("/private/x"),
        path => site(path),
    })
    .await;
    let bot = bot_beside(&web, &[]).await;
    let told = told(&bot, &web, json!({"url": web.url("/")})).await;
    assert!(told.contains("2 left alone"), "{told}");
    assert!(!web.lines().iter().any(|line| line.contains("/private")));
}

#[tokio::test]
async fn pages_that_fail_count_as_pages() {
    let web = Web::start(|path| match path {
        "/robots.txt" => page("text/plain", ""),
        "/" => page(
            "text/html",
            (0..9)
                .map(|n| format!("<a href=/{n}>{n}</a>"))
                .collect::<Vec<_>>()
                .concat(),
        ),
        // Nothing that anybody could read.
        _ => b"what?\r\n\r\n".to_vec(),
    })
    .await;
    let bot = bot_beside(&web, &[]).await;
    let arguments = json!({"url": web.url("/"), "pages": 4});
    let told = told(&bot, &web, arguments).await;
    assert_eq!(told.matches("[not read: ").count(), 3, "{told}");
    assert_eq!(web.lines().len(), 5, "robots.txt and four pages");
}
