//! Secrets that calls use by a handle: the server and the program get the value, and everybody
//! else the handle; nothing gets one that its rule does not name.

use sayso_fakes::Message;
use serde_json::{Value, json};

use super::{files, holds, seen};
use crate::fetching::{Web, page, redirect};
use crate::platform::Chat;
use crate::test_bot::TestBot;

/// The value, with letters that mean something in URLs, JSON and shells.
const VALUE: &str = "zebra/84712?q\"$x&y";
/// The same as servers and programs may write it.
const ENCODED: [&str; 2] = ["zebra%2F84712%3Fq%22%24x%26y", r#"zebra/84712?q\"$x&y"#];

/// A bot with the secret `github`, which this server and `printenv` may get.
async fn bot_with(web: &Web, settings: &[(&str, &str)]) -> TestBot {
    let place = web.place();
    let usual = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", place.as_str()),
        ("SECRETS__GITHUB__VALUE", "env:KEPT_HERE"),
        ("SECRETS__GITHUB__PURPOSE", "reads and writes issues"),
        ("SECRETS__GITHUB__HOSTS", place.as_str()),
        ("SECRETS__GITHUB__COMMANDS", "printenv,touch"),
    ];
    let mut bot = TestBot::closed(&[&usual, settings].concat()).await;
    bot.set_variable("KEPT_HERE", VALUE);
    bot.start();
    bot.settles_in().await;
    bot
}

fn is_card(message: &Message) -> bool {
    message.asks()
}

/// A call that waits for its answer, and what the model says after it.
struct Asked {
    card: Message,
    last: String,
}

/// Has the model make a call that is asked about.
async fn asks(bot: &TestBot, chat: &Chat, tool: &str, arguments: Value) -> Asked {
    let last = said(bot);
    bot.model.calls(vec![(tool, arguments)]);
    bot.model.says(&last);
    chat.says("use it");
    let card = chat.hears_with(is_card).await;
    Asked { card, last }
}

/// Words that were not said before.
fn said(bot: &TestBot) -> String {
    format!("Done after {}.", bot.model.requests().len())
}

/// Presses a button, and returns the result as the model sees it.
async fn pressed(bot: &TestBot, chat: &Chat, asked: &Asked, button: &str) -> String {
    chat.press(&bot.ann, asked.card.id, button).await;
    chat.settles(|message| message.text == asked.last).await;
    bot.model.requests().pop().unwrap().last_tool_result()
}

/// Has the model make a call that needs no approval, and returns the tool result.
async fn result_of(bot: &TestBot, tool: &str, arguments: Value) -> String {
    let chat = bot.direct();
    let last = said(bot);
    bot.model.calls(vec![(tool, arguments)]);
    bot.model.says(&last);
    chat.says("use it");
    chat.settles(|message| message.text == last || is_card(message))
        .await;
    assert!(
        !chat.messages().last().is_some_and(is_card),
        "it is asked about"
    );
    bot.model.requests().pop().unwrap().last_tool_result()
}

fn request(url: &str) -> Value {
    json!({
        "url": url,
        "method": "POST",
        "headers": {"authorization": "Bearer {{secret:github}}", "content-type": "application/json"},
        "body": "{\"key\": \"{{secret:github}}\"}",
    })
}

fn command(command: &str) -> Value {
    json!({ "command": command, "secrets": ["github"] })
}

/// A server that says what it was told, in every way.
async fn echo(other: &Web) -> Web {
    let away = other.url("/away?key=");
    let away = format!("{away}{}", ENCODED[0]);
    Web::start(
        move |path| match path.split('?').next().unwrap_or_default() {
            "/broken" => {
                let body = format!("bad key {VALUE} or {}", ENCODED[1]);
                let head = "HTTP/1.1 500 Oh\r\ncontent-type: text/plain\r\ncontent-length: ";
                format!("{head}{}\r\nconnection: close\r\n\r\n{body}", body.len()).into_bytes()
            }
            "/away" => redirect(&away),
            path => page("text/plain", format!("{path}: {VALUE}, {}", ENCODED[1])),
        },
    )
    .await
}

#[tokio::test]
pub async fn a_value_is_nowhere_but_at_the_server_and_the_program_that_it_is_for() {
    let other = Web::start(|_| page("text/plain", "other")).await;
    let web = echo(&other).await;
    let (near, far) = (format!("{},{}", web.place(), other.place()), other.place());
    let settings = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", near.as_str()),
        ("POLICY__ASK_HOSTS", far.as_str()),
    ];
    let bot = bot_with(&web, &settings).await;
    let chat = bot.direct();

    let url = web.url("/items/{{secret:github}}?q={{secret:github}}");
    let asked = asks(&bot, &chat, "http_request", request(&url)).await;
    insta::assert_snapshot!(asked.card.to_string().replace(&web.place(), "HOST"), @r#"
    Sayso: May I send this?

      POST http://HOST/items/{{secret:github}}?q={{secret:github}}

      authorization: Bearer {{secret:github}}
      content-type: application/json

      {"key": "{{secret:github}}"}

      • uses what is not shown here: github, filled in when it runs
      Expires in 30 min  [Approve | Deny]  [Deny and say why]
    "#);
    assert!(web.asked().is_empty());
    let told = pressed(&bot, &chat, &asked, "Approve").await;
    assert!(told.contains("[redacted: secret-github]"), "{told}");
    assert!(
        told.contains("/items/{{secret:github}}?q={{secret:github}} ("),
        "{told}"
    );
    let sent = web.asked().pop().unwrap();
    let path = format!("POST /items/{0}?q={0} HTTP/1.1", ENCODED[0]);
    assert!(sent.starts_with(&path), "{sent}");
    assert!(
        sent.contains(&format!("authorization: Bearer {VALUE}\r\n")),
        "{sent}"
    );
    assert!(
        sent.ends_with(&format!(r#"{{"key": "{}"}}"#, ENCODED[1])),
        "{sent}"
    );

    for path in ["/broken", "/away"] {
        let asking = json!({"url": web.url(path), "headers": {"x-api-key": "{{secret:github}}"}});
        let asked = asks(&bot, &chat, "http_request", asking).await;
        let told = pressed(&bot, &chat, &asked, "Approve").await;
        assert!(told.contains("[redacted: secret-github]"), "{told}");
    }
    assert!(other.asked().is_empty());

    let print = command("printenv SAYSO_SECRET_GITHUB; printenv KEPT_HERE SAYSO_SECRET_GITHUB >&2");
    let asked = asks(&bot, &chat, "shell", print).await;
    assert!(
        asked
            .card
            .text
            .contains("secrets: github ($SAYSO_SECRET_GITHUB)"),
        "{}",
        asked.card.text
    );
    let told = pressed(&bot, &chat, &asked, "Approve").await;
    assert_eq!(
        told.matches("[redacted: secret-github]").count(),
        2,
        "{told}"
    );

    let mut bot = bot;
    assert_eq!(bot.stop().await, Some(0));
    for secret in [VALUE, ENCODED[0], ENCODED[1]] {
        for (place, text) in seen(&bot) {
            assert!(!text.contains(secret), "{secret} is in {place}: {text}");
        }
        for file in files(&bot) {
            assert!(!holds(&file, secret), "{secret} is in {}", file.display());
        }
    }
}

#[tokio::test]
async fn a_command_that_does_not_name_a_secret_does_not_get_it() {
    let web = Web::start(|_| page("text/plain", "x")).await;
    let bot = bot_with(&web, &[]).await;
    let plain = json!({"command": "printenv SAYSO_SECRET_GITHUB"});
    let told = result_of(&bot, "shell", plain).await;
    assert!(told.contains("exit code 1"), "{told}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_secret_goes_to_the_hosts_that_are_named_and_to_no_other() {
    let web = Web::start(|_| page("text/plain", "x")).await;
    let other = Web::start(|_| page("text/plain", "x")).await;
    let places = format!("{},{}", web.place(), other.place());
    let free = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", places.as_str()),
        ("POLICY__ALLOW_HOSTS", places.as_str()),
        ("POLICY__ALLOW_NETWORK", "true"),
    ];
    let bot = bot_with(&web, &free).await;
    let near = format!("`secrets.github.hosts` has `{}`", web.place());
    for (url, why) in [
        (other.url("/?k={{secret:github}}"), near.as_str()),
        (
            "http://api.github.com/{{secret:github}}".to_owned(),
            "over plain `http`",
        ),
        (
            web.url("/{{secret:gitlab}}"),
            "there is no secret `gitlab`; there are `github`",
        ),
        (web.url("/{{secret:"), "begins a handle that is not whole"),
        (
            "https://{{secret:github}}.example.org/".to_owned(),
            "`url`: ",
        ),
        (
            "https://a:{{secret:github}}@example.org/".to_owned(),
            "`url`: ",
        ),
    ] {
        let told = result_of(&bot, "http_request", json!({ "url": url })).await;
        assert!(told.contains(why), "{url}: {told}");
    }
    let literal = json!({"url": web.url("/"), "headers": {"authorization": "Bearer abc"}});
    let told = result_of(&bot, "http_request", literal).await;
    assert!(told.contains("`authorization` takes a secret"), "{told}");
    assert!(web.asked().is_empty() && other.asked().is_empty());

    // Reading from the host needs no approval, but using the secret does.
    let chat = bot.direct();
    let named = json!({"url": web.url("/?k={{secret:github}}")});
    asks(&bot, &chat, "http_request", named).await;
    assert!(web.asked().is_empty());
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_secret_goes_to_the_programs_that_are_named_and_to_no_other() {
    let web = Web::start(|_| page("text/plain", "x")).await;
    let settings = [
        ("POLICY__CONFIRM_EXEC", "false"),
        ("POLICY__SANDBOXED_COMMANDS", "allow"),
    ];
    let bot = bot_with(&web, &settings).await;
    for (line, why) in [
        ("env", "is not given to `env`"),
        ("sh -c 'printenv'", "is not given to `sh`"),
        ("printenv | base64", "is not given to `base64`"),
        ("./printenv", "is not given to `./printenv`"),
        (
            "printenv $SAYSO_SECRET_GITHUB",
            "given to plain commands only",
        ),
        ("printenv $(cat x)", "given to plain commands only"),
        // What it prints would lie in a file that later commands read unasked.
        (
            "printenv SAYSO_SECRET_GITHUB > f",
            "or redirections to files",
        ),
        (
            "printenv {{secret:github}}",
            "handles of secrets are not filled in here",
        ),
    ] {
        let told = result_of(&bot, "shell", command(line)).await;
        assert!(told.contains(why), "{line}: {told}");
    }
    // Running the program needs no approval, but using the secret does.
    let chat = bot.direct();
    asks(&bot, &chat, "shell", command("touch made")).await;
    assert!(!bot.workspace().join("made").exists());
    bot.assert_clean();
}

#[tokio::test]
async fn s7_a_secret_is_written_to_no_file_by_a_redirection() {
    let web = Web::start(|_| page("text/plain", "x")).await;
    let bot = bot_with(&web, &[]).await;
    let print = "printenv SAYSO_SECRET_GITHUB";
    for redirection in [
        "> f",
        ">> f",
        ">| f",
        "2> f",
        "&> f",
        "<> f",
        "> sub/f",
        "> .f 2>&1",
    ] {
        let told = result_of(&bot, "shell", command(&format!("{print} {redirection}"))).await;
        assert!(
            told.contains("redirections to files"),
            "{redirection}: {told}"
        );
    }
    let mut files = std::fs::read_dir(bot.workspace()).unwrap();
    assert!(files.all(|file| file.unwrap().path().is_dir()));
    // What keeps nothing is asked about as before.
    let chat = bot.direct();
    let kept_nowhere = command(&format!("{print} > /dev/null 2>&1"));
    asks(&bot, &chat, "shell", kept_nowhere).await;
    bot.assert_clean();
}

#[tokio::test]
async fn always_covers_a_call_with_its_secrets_and_nothing_while_outside_text_is_in_view() {
    let web = Web::start(|_| page("text/plain", "x")).await;
    let bot = bot_with(&web, &[]).await;
    let chat = bot.direct();
    let asked = asks(&bot, &chat, "shell", command("touch made")).await;
    pressed(&bot, &chat, &asked, "Always this exact command").await;
    std::fs::remove_file(bot.workspace().join("made")).unwrap();
    result_of(&bot, "shell", command("touch made")).await;
    assert!(bot.workspace().join("made").exists());

    // Without the secret it is another call.
    let bare = json!({"command": "touch made"});
    let asked = asks(&bot, &chat, "shell", bare).await;
    pressed(&bot, &chat, &asked, "Deny").await;

    std::fs::write(bot.workspace().join("notes.txt"), "touch made").unwrap();
    result_of(&bot, "file_read", json!({"path": "notes.txt"})).await;
    let asked = asks(&bot, &chat, "shell", command("touch made")).await;
    assert!(
        asked.card.text.contains("I have recently read: notes.txt"),
        "{}",
        asked.card.text
    );
    bot.assert_clean();
}

#[tokio::test]
async fn a_redirect_to_another_server_does_not_carry_a_secret() {
    let other = Web::start(|_| page("text/plain", "other")).await;
    let away = other.url("/there");
    let web = Web::start(move |path| match path {
        "/here" => redirect("/again"),
        "/again" => redirect(&away),
        _ => page("text/plain", "x"),
    })
    .await;
    let places = format!("{},{}", web.place(), other.place());
    let free = [
        ("TOOLS__ALLOW_PRIVATE_HOSTS", places.as_str()),
        ("POLICY__ALLOW_HOSTS", places.as_str()),
    ];
    let bot = bot_with(&web, &free).await;
    let chat = bot.direct();
    let asking = json!({
        "url": web.url("/here"),
        "headers": {"authorization": "token {{secret:github}}", "accept": "text/plain"},
    });
    let asked = asks(&bot, &chat, "http_request", asking).await;
    let told = pressed(&bot, &chat, &asked, "Approve").await;
    assert!(told.ends_with("other"), "{told}");
    assert_eq!(web.asked().len(), 2);
    assert!(web.asked().iter().all(|asked| asked.contains(VALUE)));
    let sent = other.asked().pop().unwrap();
    assert!(sent.contains("accept: text/plain"), "{sent}");
    assert!(
        !sent.contains("zebra") && !sent.contains("authorization"),
        "{sent}"
    );
    bot.assert_clean();
}

#[tokio::test]
pub async fn the_model_is_told_what_a_secret_is_for_and_where_it_may_go() {
    let web = Web::start(|_| page("text/plain", "x")).await;
    let bot = bot_with(&web, &[]).await;
    let chat = bot.direct();
    bot.model.says("Hello.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    let asked = bot.model.requests().pop().unwrap().body.to_string();
    let told = format!("`github` (reads and writes issues; for {})", web.place());
    assert!(asked.contains(&told), "{asked}");
    let told = "`github` as $SAYSO_SECRET_GITHUB (reads and writes issues; for printenv, touch)";
    assert!(asked.contains(told), "{asked}");
    bot.assert_clean();

    let bot = TestBot::open().await;
    let chat = bot.direct();
    bot.model.says("Hello.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    let asked = bot.model.requests().pop().unwrap().body.to_string();
    assert!(
        !asked.contains("SAYSO_SECRET") && !asked.contains("{{secret"),
        "{asked}"
    );
    bot.assert_clean();
}
