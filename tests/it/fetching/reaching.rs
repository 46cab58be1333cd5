//! Redirects, names and proxies: where a request goes.

use super::{Web, bot_beside, get, page, redirect, result_of};
use crate::test_bot::TestBot;

#[tokio::test]
async fn a_redirect_within_a_server_is_followed() {
    let web = Web::start(|path| match path {
        "/old" => redirect("/new"),
        _ => page("text/plain", "found"),
    })
    .await;
    let bot = bot_beside(&web, &[]).await;
    let told = result_of(&bot, get(&web.url("/old"))).await;
    assert!(told.ends_with("\n\nfound"), "{told}");
    assert_eq!(web.lines(), ["GET /old HTTP/1.1", "GET /new HTTP/1.1"]);
}

#[tokio::test]
async fn no_redirect_leads_to_the_metadata_of_a_cloud() {
    for location in [
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fd00:ec2::254]/",
        "//0xa9.0xfe.0xa9.0xfe/",
    ] {
        let web = Web::start(move |_| redirect(location)).await;
        let bot = bot_beside(&web, &[]).await;
        let told = result_of(&bot, get(&web.url("/"))).await;
        assert!(
            told.contains("it redirects to where nothing is fetched: its host is a "),
            "{location}: {told}"
        );
    }
}

#[tokio::test]
async fn a_redirect_to_another_server_of_this_machine_is_not_followed() {
    let inner = Web::start(|_| page("text/plain", "inner")).await;
    let location = inner.url("/");
    let web = Web::start(move |_| redirect(&location)).await;
    let bot = bot_beside(&web, &[]).await;
    let told = result_of(&bot, get(&web.url("/"))).await;
    assert!(told.contains("loopback address"), "{told}");
    assert!(inner.asked().is_empty());
}

#[tokio::test]
async fn a_redirect_to_a_server_that_would_be_asked_about_is_told_and_not_followed() {
    let other = Web::start(|_| page("text/plain", "other")).await;
    let location = other.url("/?carried=away");
    let web = Web::start(move |_| redirect(&location)).await;
    let places = format!("{},{}", web.place(), other.place());
    let settings = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", places.as_str()),
        ("POLICY__ASK_HOSTS", &other.place()),
        ("POLICY__ALLOW_HOSTS", &web.place()),
    ];
    let bot = TestBot::with(&settings).await;
    let told = result_of(&bot, get(&web.url("/"))).await;
    let expected = format!("it redirects to {} ", other.url("/?carried=away"));
    assert!(told.contains(&expected), "{told}");
    assert!(told.contains("call again with that URL"), "{told}");
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn a_chain_of_redirects_has_an_end() {
    let web = Web::start(|path| redirect(&format!("{path}x"))).await;
    let bot = bot_beside(&web, &[]).await;
    let told = result_of(&bot, get(&web.url("/"))).await;
    assert!(told.contains("it redirects more than 5 times"), "{told}");
    assert_eq!(web.asked().len(), 6);
}

#[tokio::test]
async fn a_proxy_of_the_environment_is_not_used() {
    let proxy = Web::start(|_| page("text/plain", "from the proxy")).await;
    // What else is asked is at 127.0.0.1, which goes past the proxy.
    let web = Web::start_at([127, 0, 0, 2], |_| page("text/plain", "from the server")).await;
    let place = web.place();
    let settings = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", place.as_str()),
        ("POLICY__ALLOW_HOSTS", &place),
    ];
    let mut bot = TestBot::closed(&settings).await;
    let through = |name: &str| format!("{name}=http://{}", proxy.place());
    let [http, all, upper] = ["http_proxy", "all_proxy", "HTTP_PROXY"].map(through);
    bot.start_under(&["env", &http, &all, &upper, "no_proxy=127.0.0.1"]);
    bot.listens().await;
    let told = result_of(&bot, get(&web.url("/"))).await;
    assert!(told.ends_with("\n\nfrom the server"), "{told}");
    assert!(proxy.asked().is_empty());
}
