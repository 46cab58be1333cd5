//! What is taken in of an answer, and how the model reads it.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::{Web, bot_beside, get, page, result_of};

async fn told_of(answer: Vec<u8>, settings: &[(&str, &str)]) -> String {
    let web = Web::start(move |_| answer.clone()).await;
    let bot = bot_beside(&web, settings).await;
    let told = result_of(&bot, get(&web.url("/page"))).await;
    told.replace(&web.place(), "HOST")
}

#[tokio::test]
async fn a_page_is_read_as_plain_text() {
    let page = page(
        "text/html; charset=utf-8",
        "<title>Fish</title><script>x()</script><p>Fresh <b>every</b> day.<p><a href=/menu>Menu</a>",
    );
    insta::assert_snapshot!(told_of(page, &[]).await, @r"
    HTTP 200 OK from http://HOST/page (text/html; charset=utf-8, 90 bytes)

    # Fish
    Fresh every day.
    Menu </menu>
    ");
}

#[tokio::test]
async fn the_main_text_of_a_page_is_given_and_all_of_it_when_asked() {
    let paragraph = "<p>The council closes the harbour for three months, so that its walls, which are \
        from 1931, can be repaired before the storms of the winter come in from the north.</p>";
    let article = format!(
        "<title>Harbour</title><nav><a href=/shop>Shop</a></nav><article><h1>Harbour</h1>{}</article>\
         <footer>Imprint</footer>",
        paragraph.repeat(6)
    );
    let answer = page("text/html", article);
    let main = told_of(answer.clone(), &[]).await;
    assert!(main.contains("# Harbour\nThe council closes"), "{main}");
    assert!(
        !main.contains("Shop") && !main.contains("Imprint"),
        "{main}"
    );
    assert!(
        main.ends_with("bytes around it are left out, `whole_page` gives them]"),
        "{main}"
    );
    let web = Web::start(move |_| answer.clone()).await;
    let bot = bot_beside(&web, &[]).await;
    let whole = result_of(&bot, json!({"url": web.url("/"), "whole_page": true})).await;
    assert!(whole.contains("Shop </shop>"), "{whole}");
    assert!(
        whole.contains("Imprint") && !whole.contains("left out"),
        "{whole}"
    );
}

#[tokio::test]
async fn a_page_that_opens_elements_without_end_is_refused() {
    let deep = page("text/html", "<div>".repeat(200_000));
    insta::assert_snapshot!(told_of(deep, &[]).await, @"[failed] HTTP 200 OK from http://HOST/page (text/html, 1000000 bytes): the page cannot be shown as text: it is nested too deeply to be read");
}

#[tokio::test]
async fn what_is_no_text_is_told_by_size_and_type() {
    let picture = page("image/png", [0_u8; 300]);
    insta::assert_snapshot!(told_of(picture, &[]).await, @"[failed] HTTP 200 OK from http://HOST/page (image/png, 300 bytes): it is no text, and is not shown");
}

#[tokio::test]
async fn an_error_of_the_server_is_told_with_what_it_says() {
    let missing = b"HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\n\
        content-length: 17\r\nconnection: close\r\n\r\n{\"error\": \"gone\"}";
    insta::assert_snapshot!(told_of(missing.to_vec(), &[]).await, @r#"
    [failed] HTTP 404 Not Found from http://HOST/page (application/json, 17 bytes)
    [partial output]
    {"error": "gone"}
    "#);
}

#[tokio::test]
async fn a_packed_bomb_is_unpacked_to_the_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![b'0'; 1_000_000];
    for _ in 0..100 {
        encoder.write_all(&zeros).unwrap();
    }
    let packed = encoder.finish().unwrap();
    let length = packed.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    let bomb = [head.as_bytes(), &packed[..]].concat();
    let told = told_of(bomb, &[("TOOLS__MAX_FETCH_BYTES", "200000")]).await;
    let (first, _) = told.split_once('\n').unwrap();
    assert_eq!(
        first,
        "HTTP 200 OK from http://HOST/page (text/plain, cut after 200000 bytes)"
    );
}

#[tokio::test]
async fn a_head_request_tells_of_a_body_without_one() {
    let web = Web::start(|_| {
        b"HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 5000\r\n\
          connection: close\r\n\r\n"
            .to_vec()
    })
    .await;
    let bot = bot_beside(&web, &[]).await;
    let told = result_of(&bot, json!({"url": web.url("/"), "method": "HEAD"})).await;
    insta::assert_snapshot!(told.replace(&web.place(), "HOST"), @"HTTP 200 OK from http://HOST/ (video/mp4, 5000 bytes)");
}
