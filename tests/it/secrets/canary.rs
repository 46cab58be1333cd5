//! The canary: secrets in the configuration, the environment, a file, a tool result, the words of
//! a person and of the model, and a story with errors. Afterwards they are looked for everywhere.
//!
//! Where one may be: the file of the workspace that it was put in, and, for a secret that the
//! model wrote into a call, the journal in the database, because what runs must be what was asked.

use sayso_fakes::{Answer, Fault, Message};
use serde_json::json;

use super::{files, holds, seen, token};
use crate::platform::Chat;
use crate::test_bot::TestBot;

const KEY: &str = "sk-canary-of-the-house";
/// The key in base64, behind `key=`: as a careless tool prints it.
const KEY_IN_BASE64: &str = "a2V5PXNrLWNhbmFyeS1vZi10aGUtaG91c2U";
const VARIABLE: &str = "zebra/84712?quartz";

/// The canaries, each in a place of its own.
struct Canaries {
    in_file: String,
    said_by_person: String,
    said_by_model: String,
    thought_by_model: String,
    in_call: String,
}

impl Canaries {
    fn new() -> Self {
        Self {
            in_file: token("ghp_", 36),
            said_by_person: token("glpat-", 20),
            said_by_model: token("sk-proj-", 44),
            thought_by_model: token("npm_", 36),
            in_call: token("xoxb-", 40),
        }
    }

    fn all<'a>(&'a self, token: &'a str) -> [&'a str; 9] {
        [
            KEY,
            KEY_IN_BASE64,
            VARIABLE,
            token,
            &self.in_file,
            &self.said_by_person,
            &self.said_by_model,
            &self.thought_by_model,
            &self.in_call,
        ]
    }
}

async fn fails_in_every_way(bot: &TestBot, chat: &Chat) {
    let echo =
        format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}. Bearer {KEY}"}}}}"#);
    bot.model.answers(Answer::error(401, echo.clone()));
    bot.model.answers(Answer::error(400, echo));
    bot.model
        .answers(Answer::garbage(format!("<html>Bearer {KEY}</html>")));
    // One that cannot be read is asked again twice.
    bot.model.answers(Answer::drops());
    bot.model.answers(Answer::drops());
    for number in 1..=3 {
        chat.says(&format!("try {number}"));
        chat.hears_with(|message| message.text.starts_with("⚠️"))
            .await;
    }
}

async fn reads_a_file_with_secrets(bot: &TestBot, chat: &Chat, canaries: &Canaries) {
    let content = format!(
        "GITHUB_TOKEN={}\nkey: {KEY_IN_BASE64}\nother: {VARIABLE}\n",
        canaries.in_file
    );
    std::fs::write(bot.workspace().join("notes.txt"), content).unwrap();
    bot.model
        .calls(vec![("file_read", json!({"path": "notes.txt"}))]);
    bot.model.calls(vec![(
        "shell",
        json!({"command": format!("cat notes.txt; env; echo {} >&2; exit 3", canaries.in_call)}),
    )]);
    let answer = Answer::text(format!("It says {}, or so.", canaries.said_by_model));
    let thought = format!("They said {}.", canaries.thought_by_model);
    bot.model.answers(answer.chunks_of(5).reasoning(thought));
    chat.says(&format!(
        "read notes.txt, my token is {}",
        canaries.said_by_person
    ));
    // What was read may be what asks for the command, so a person decides.
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    let hidden = "It says ••• (hidden: looks like an API key), or so.";
    chat.settles(|message| message.text == hidden).await;
}

#[tokio::test]
async fn a_secret_is_found_only_where_it_was_put() {
    let settings = [("POLICY__CONFIRM_EXEC", "false")];
    let mut bot = TestBot::closed(&settings).await;
    bot.set_variable("CANARY_PASSWORD", VARIABLE);
    bot.telegram.fail_next("getMe", Fault::BadGateway);
    bot.telegram.fail_next("sendMessage", Fault::DropBefore);
    bot.start();
    let (canaries, chat) = (Canaries::new(), bot.direct());
    fails_in_every_way(&bot, &chat).await;
    reads_a_file_with_secrets(&bot, &chat, &canaries).await;
    bot.crash().await;
    bot.model.says("We read a file.");
    chat.says("what did we do?");
    chat.settles(|message| message.text == "We read a file.")
        .await;
    let token = bot.telegram.token().to_owned();
    assert_eq!(bot.stop().await, Some(0));

    let results = bot.model.requests();
    let results = results.iter().flat_map(|asked| asked.tool_results());
    let results: String = results.map(|(_, result)| result).collect();
    assert!(
        results.contains("GITHUB_TOKEN=[redacted: github-token]"),
        "{results}"
    );
    assert!(bot.data().join("logs/sayso.log").is_file());
    for secret in canaries.all(&token) {
        for (place, text) in seen(&bot) {
            assert!(!text.contains(secret), "{secret} is in {place}: {text}");
        }
        for file in files(&bot) {
            let is_journal = file.to_string_lossy().contains("sayso.db");
            let may_be_there = secret == canaries.in_call && is_journal;
            assert!(
                may_be_there || !holds(&file, secret),
                "{secret} is in {}",
                file.display()
            );
        }
    }
}

#[tokio::test]
async fn half_a_secret_is_not_shown_while_the_model_writes_it() {
    let bot = TestBot::open().await;
    let secret = token("ghp_", 36);
    let text = format!("Here it comes, slowly: {secret}, and that was it.");
    let pause = std::time::Duration::from_millis(60);
    bot.model
        .answers(Answer::text(text).chunks_of(3).between_chunks(pause));
    let chat = bot.direct();
    chat.says("say it slowly");
    chat.settles(|message| {
        message
            .text
            .ends_with("••• (hidden: looks like an access token), and that was it.")
    })
    .await;
    for (place, text) in seen(&bot) {
        assert!(!text.contains(&secret[..8]), "{place}: {text}");
    }
    bot.assert_clean();
}
