//! `sayso init` as a pipe sees it.

use std::os::unix::fs::PermissionsExt;

use sayso_fakes::{FakeModel, FakeTelegram};

use super::*;
use crate::config::ProviderConfig;

/// Answers the questions with these lines.
async fn answered(
    target: &Path,
    environment: &Environment,
    lines: &str,
) -> (anyhow::Result<Exit>, String) {
    let mut output = Vec::new();
    let input = Input {
        lines: &mut lines.as_bytes(),
        is_typed: false,
    };
    let exit = init(target, environment, input, &mut output).await;
    (exit, String::from_utf8(output).unwrap())
}

fn home(place: &tempfile::TempDir) -> Environment {
    Environment::from_iter([("HOME", place.path().to_str().unwrap())])
}

#[tokio::test]
async fn answers_become_a_file_that_only_its_owner_reads() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("new/sayso.toml");
    let lines = "1:abc\n12345\n\nopenai\nhttp://127.0.0.1:9/v1\nenv:MY_KEY\ntiny\n/srv/sayso\n";
    // No server listens, which is said and is not fatal.
    let environment = Environment::from_iter([
        ("HOME", place.path().to_str().unwrap()),
        ("MY_KEY", "sk-1"),
        ("SAYSO__CHANNELS__TELEGRAM__API_URL", "http://127.0.0.1:9"),
    ]);
    let (exit, output) = answered(&target, &environment, lines).await;
    assert_eq!(exit.unwrap(), Exit::Fine, "{output}");
    assert_eq!(
        output.matches("\n!!  ").count() + output.matches("]: !!  ").count(),
        2,
        "{output}"
    );
    assert_eq!(
        std::fs::metadata(&target).unwrap().permissions().mode() & 0o777,
        0o600
    );
    insta::assert_snapshot!(std::fs::read_to_string(&target).unwrap(), @r#"
    # Written by `sayso init`. `deploy/sayso.example.toml` shows every key.

    data_dir = "/srv/sayso"

    [channels.telegram]
    token = "1:abc"

    [access]
    owners = ["telegram:12345"]

    [[providers]]
    name = "main"
    kind = "openai"
    base_url = "http://127.0.0.1:9/v1"
    api_key = "env:MY_KEY"
    model = "tiny"
    "#);
    let config = config::load(Some(&target), &environment).unwrap();
    assert_eq!(config.providers[0].name(), "main");
}

#[tokio::test]
async fn whole_dialogue_reads_well() {
    let (telegram, model) = (FakeTelegram::start().await, FakeModel::start().await);
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    let lines = format!("{}\n\n\n\n{}\n\n\n\n", telegram.token(), model.url());
    let environment = Environment::from_iter([
        ("HOME", place.path().to_str().unwrap()),
        ("SAYSO__CHANNELS__TELEGRAM__API_URL", &telegram.url()),
    ]);
    let (exit, output) = answered(&target, &environment, &lines).await;
    assert_eq!(exit.unwrap(), Exit::Fine);
    let output = output.replace(target.to_str().unwrap(), "sayso.toml");
    insta::assert_snapshot!(output, @r"
    This writes sayso.toml. Enter takes what stands in brackets, `<` goes back to the question before.
    A secret can be typed here, or be kept elsewhere: `env:NAME` or `file:PATH`.

    Telegram
      1. Open https://t.me/BotFather in Telegram and send /newbot.
      2. Give the bot a name, then a username that ends in `bot`.
      3. BotFather answers with a token such as 123456:ABC-def; paste it here.
    Leave it empty to go without Telegram.
    Token: Your Telegram number (empty: pair by a code that `sayso` prints at its start): 
    Discord
      1. Open https://discord.com/developers/applications and choose New Application.
      2. On the page Bot, choose Reset Token and copy the token; paste it here.
      3. On the same page, switch on Message Content Intent, so that it sees what was said around a mention.
      4. Afterwards open the invite link that is shown below, and choose your server.
    Leave it empty to go without Discord.
    Token: 
    Model
      1 openai      OpenAI, and each service or local server with its protocol
      2 anthropic   Anthropic (Claude)
      3 deepseek    DeepSeek
      4 openrouter  OpenRouter, many models by one key
      5 ollama      Ollama on this machine, no key
      6 llama.cpp   llama-server on this machine, no key
      7 offline     built in, needs no network, understands only a few requests
    Service (name or number) [openai]: Address of the service [https://api.openai.com/v1]: Key (empty: none is needed): Model, as the service names it [gpt-4o-mini]: 
    Directory for the database and the workspaces [~/.local/share/sayso]: 
    Written: sayso.toml (only you can read it).
    ok  Telegram: the token belongs to @sayso_bot
    ok  Telegram: privacy mode is off, so in groups the bot hears everything; it answers only when addressed
    ok  model main: the service answers; it is asked for `gpt-4o-mini`

    Next: start it with `sayso --config sayso.toml`.
    It then shows the link or the code that makes you its owner.
    `sayso doctor` looks for problems.

    Talk to it in Telegram, once it runs: https://t.me/sayso_bot
    ");
}

#[tokio::test]
async fn end_of_input_takes_every_default() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    let (exit, _) = answered(&target, &home(&place), "\n\noffline\n").await;
    assert_eq!(exit.unwrap(), Exit::Fine);
    let config = config::load(Some(&target), &home(&place)).unwrap();
    assert!(config.channels.is_empty());
    assert!(matches!(
        config.providers[..],
        [ProviderConfig::Offline { .. }]
    ));
    assert_eq!(config.data_dir, place.path().join(".local/share/sayso"));
}

#[tokio::test]
async fn existing_file_is_replaced_only_after_a_yes() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    std::fs::write(&target, "precious").unwrap();
    for lines in ["", "\n", "no\n", "maybe\n"] {
        let (exit, _) = answered(&target, &home(&place), lines).await;
        assert_eq!(exit.unwrap(), Exit::Failed);
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    }
    let (exit, _) = answered(&target, &home(&place), "yes\n\n\noffline\n").await;
    assert_eq!(exit.unwrap(), Exit::Fine);
    assert_ne!(std::fs::read_to_string(&target).unwrap(), "precious");
}

#[tokio::test]
async fn answer_that_cannot_be_used_is_asked_again() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    let lines = "my token\nenv:TOKEN\n@mia\n7\nBot a.b.c\nfile:discord\n\nwhat\noffline\n";
    let (exit, output) = answered(&target, &home(&place), lines).await;
    assert_eq!(exit.unwrap(), Exit::Fine, "{output}");
    let file = std::fs::read_to_string(&target).unwrap();
    assert!(
        file.contains("token = \"env:TOKEN\"") && file.contains("[\"telegram:7\"]"),
        "{file}"
    );
    assert!(
        file.contains("[channels.discord]\ntoken = \"file:discord\""),
        "{file}"
    );

    std::fs::remove_file(&target).unwrap();
    let (exit, _) = answered(&target, &home(&place), "one\ntwo\nthree\n").await;
    assert!(
        exit.unwrap_err()
            .to_string()
            .contains("nothing was written")
    );
    assert!(!target.exists());
}

#[tokio::test]
async fn u23_a_model_is_understood_where_its_service_is_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    let lines = "\n\ngpt-4o\n\nhttp://127.0.0.1:9\n\nsk-1\n\n\nno\n";
    let (exit, output) = answered(&target, &home(&place), lines).await;
    assert_eq!(exit.unwrap(), Exit::Fine, "{output}");
    let offered = "gpt-4o is a model; its kind is openai. Use that? (yes/no) [yes]: ";
    assert!(output.contains(offered), "{output}");
    let offered = "Use http://127.0.0.1:9/v1? (yes/no) [yes]: ";
    assert!(output.contains(offered), "{output}");
    let file = std::fs::read_to_string(&target).unwrap();
    assert!(
        file.contains("base_url = \"http://127.0.0.1:9/v1\""),
        "{file}"
    );
    assert!(file.contains("model = \"gpt-4o\""), "{file}");
}

#[tokio::test]
async fn u23_a_known_service_brings_its_address() {
    for (typed, kind, address, model) in [
        (
            "3",
            "openai",
            "https://api.deepseek.com/v1",
            "deepseek-chat",
        ),
        ("ollama", "openai", "http://127.0.0.1:11434/v1", "llama3.2"),
        ("llama.cpp", "llama", "http://127.0.0.1:8080", "default"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("sayso.toml");
        // The secret that is not there keeps the check from asking the service.
        let lines = format!("\n\n{typed}\n\nenv:NOT_SET\n\n\n");
        let (exit, output) = answered(&target, &home(&place), &lines).await;
        assert_eq!(exit.unwrap(), Exit::Fine, "{output}");
        let file = std::fs::read_to_string(&target).unwrap();
        for line in [
            format!("kind = \"{kind}\""),
            format!("base_url = \"{address}\""),
            format!("model = \"{model}\""),
        ] {
            assert!(
                file.lines().any(|written| written == line),
                "{line}\n{file}"
            );
        }
    }
}

#[tokio::test]
async fn u23_a_failed_check_offers_to_type_again_until_it_is_green() {
    let model = FakeModel::start().await;
    model.requires_key("sk-right");
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    let url = model.url();
    let lines = format!("\n\nopenai\n{url}\nsk-wrong\n\n\n\nopenai\n{url}\nsk-right\ntiny\n");
    let (exit, output) = answered(&target, &home(&place), &lines).await;
    assert_eq!(exit.unwrap(), Exit::Fine, "{output}");
    assert_eq!(output.matches("Type it again?").count(), 1, "{output}");
    assert!(
        output.contains("ok  model main: the service answers"),
        "{output}"
    );
    let file = std::fs::read_to_string(&target).unwrap();
    assert!(file.contains("api_key = \"sk-right\""), "{file}");
}

#[tokio::test]
async fn u23_there_is_a_way_back() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    // Back before the first question stays there; then back from the owner and from the service.
    let lines = "<\nenv:WRONG\n<\nenv:TOKEN\n7\n\n<\nfile:discord\n\noffline\n\n";
    let (exit, output) = answered(&target, &home(&place), lines).await;
    assert_eq!(exit.unwrap(), Exit::Fine, "{output}");
    let file = std::fs::read_to_string(&target).unwrap();
    assert!(
        file.contains("[channels.telegram]\ntoken = \"env:TOKEN\""),
        "{file}"
    );
    assert!(
        file.contains("[channels.discord]\ntoken = \"file:discord\""),
        "{file}"
    );
    assert!(file.contains("owners = [\"telegram:7\"]"), "{file}");
}

#[test]
fn u23_chinese_says_what_to_type() {
    let chinese = Language::Chinese;
    insta::assert_snapshot!(messages::no_account(chinese), @"请填数字 ID（不是 @用户名）；不知道就留空。");
    insta::assert_snapshot!(messages::is_a_model(chinese, &"gpt-4o", &"openai"), @"gpt-4o 是模型名，类型应为 openai。使用它？（是/否，也可输入 y/n）");
}

#[tokio::test]
async fn answers_may_hold_quotes() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("sayso.toml");
    let data_dir = r#"/srv/"mia's" \ data"#;
    let lines = format!("\n\noffline\n{data_dir}\n");
    answered(&target, &home(&place), &lines).await.0.unwrap();
    let config = config::load(Some(&target), &home(&place)).unwrap();
    assert_eq!(config.data_dir, Path::new(data_dir));
}
