//! Three walks of a new user, counted by commands, pages and settings: each is done by what the pages say.

use std::process::Stdio;

use sayso_fakes::FakeTelegram;

use super::{Page, pages};
use crate::approvals::{is_open_card, obedient};
use crate::command_line::CommandLine;
use crate::platform::{Chat, Platform};
use crate::test_bot::{TestBot, found};

/// Returns a page by its path.
fn page(path: &str) -> Page {
    let mut pages = pages().into_iter();
    pages.find(|page| page.path == path).unwrap()
}

/// The commands of a line of a shell: what `&&` joins, without the comment behind them.
fn commands(line: &str) -> Vec<&str> {
    let line = line.split(" #").next().unwrap();
    line.split("&&").map(str::trim).collect()
}

#[tokio::test]
async fn two_commands_lead_from_a_clone_to_an_answer_without_network() {
    let readme = page("README.md");
    let blocks = readme.blocks();
    let first = blocks.iter().find(|block| block.is("sh")).unwrap();
    let commands = commands(first.text.lines().next().unwrap());
    let [setup, run] = commands[..] else {
        panic!("{commands:?} are not two commands");
    };
    assert_eq!(setup, "./setup build");
    let arguments: Vec<&str> = run
        .strip_prefix("cargo run -- ")
        .unwrap()
        .split(' ')
        .collect();
    let ran = CommandLine::of_a_person().run(&arguments, "").await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("\nsayso> "), "{}", ran.out);
}

/// The steps of the page are those of the test: a token, `sayso init`, `sayso`, and the code.
#[tokio::test]
async fn five_steps_lead_to_a_telegram_bot_that_answers_its_owner() {
    let telegram_page = page("docs/src/getting-started/telegram.md");
    let steps = telegram_page.prose().into_iter();
    let steps: Vec<&str> = steps
        .map(|(_, line)| line)
        .filter(|line| {
            line.split_once(". ")
                .is_some_and(|(it, _)| it.parse::<u8>().is_ok())
        })
        .collect();
    assert!((1..=5).contains(&steps.len()), "{steps:?}");
    for (step, names) in steps
        .iter()
        .zip(["/newbot", "`sayso init`", "`sayso`", "link"])
    {
        assert!(step.contains(names), "{step} does not name {names}");
    }

    let telegram = FakeTelegram::start().await;
    let mut here = CommandLine::of_a_person();
    here.set("SAYSO__CHANNELS__TELEGRAM__API_URL", &telegram.url());
    let answers = format!("{}\n\n\noffline\n\n", telegram.token());
    let ran = here.run(&["init"], &answers).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");

    let shown = std::fs::File::create(here.path("shown")).unwrap();
    let mut sayso = here.command(&[]);
    sayso
        .stdin(Stdio::null())
        .stderr(shown.try_clone().unwrap())
        .stdout(shown);
    let _running = sayso.spawn().unwrap();
    let code = found(|| {
        let shown = std::fs::read_to_string(here.path("shown")).unwrap();
        let (_, code) = shown.split_once("?start=")?;
        Some(
            code.split(|letter: char| !letter.is_alphanumeric())
                .next()?
                .to_owned(),
        )
    });
    let code = code.await.expect("no link is shown");
    let ann = telegram.direct(&telegram.person(101, "Ann"));
    ann.says(&format!("/start {code}"));
    assert!(ann.hears().await.text.contains("owner"));
    ann.says("hello");
    let answer = ann.hears().await;
    assert!(answer.text.contains("offline"), "{}", answer.text);
}

/// The page about friends.
const FRIENDS: &str = "docs/src/guides/groups-and-accounts.md";

/// What the example of the page sets below `[access]`: the owner, everyone with access, and levels.
struct Example {
    owner: i64,
    allowed: Vec<i64>,
    autonomy: String,
    /// Whom the levels name.
    reader: i64,
}

fn example(page: &Page) -> Example {
    let blocks = page.blocks();
    let block = blocks
        .iter()
        .find(|block| block.is("sayso-config"))
        .unwrap();
    let file: toml::Table = block.text.parse().unwrap();
    let access = file["access"].as_table().unwrap();
    let mut keys: Vec<&str> = access.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        (file.len(), &keys[..]),
        (1, &["allow", "autonomy", "owners"][..]),
        "one setting says who may only read, beside who they are"
    );
    let number = |account: &str| account.strip_prefix("telegram:").unwrap().parse().unwrap();
    let listed = |key: &str| {
        let values = access[key].as_array().unwrap();
        values
            .iter()
            .map(|it| it.as_str().unwrap().to_owned())
            .collect::<Vec<String>>()
    };
    let [owner, autonomy] = ["owners", "autonomy"].map(|key| {
        let [only] = &listed(key)[..] else {
            panic!("{key} has one entry");
        };
        only.clone()
    });
    let (reader, level) = autonomy.split_once('=').unwrap();
    assert_eq!(level, "read_only");
    Example {
        owner: number(&owner),
        allowed: listed("allow").iter().map(|it| number(it)).collect(),
        reader: number(reader),
        autonomy,
    }
}

/// What became of a command that somebody asks for in a direct chat.
async fn became(chat: &Chat, command: &str) -> String {
    let said = chat.says(&format!("run: {command}"));
    let told = chat
        .settles(|message| {
            let is_over = message.text.starts_with("result: ") && !message.is_live();
            message.id > said && (is_over || is_open_card(message))
        })
        .await;
    if is_open_card(&told) {
        return "asked".to_owned();
    }
    let result = told.text.strip_prefix("result: ").unwrap();
    let word = if result.contains("not run:") {
        "refused"
    } else {
        "ran"
    };
    word.to_owned()
}

#[tokio::test]
async fn two_pages_and_one_setting_let_a_friend_only_read() {
    // The first page is the README: it leads to the second one.
    assert!(page("README.md").text.contains(FRIENDS));
    let friends = page(FRIENDS);
    let example = example(&friends);
    assert!(friends.text.contains("set one key: `access.autonomy`"));

    // As in the example: everyone is written down.
    let account = |number: &i64| format!("telegram:{number}");
    let allowed: Vec<String> = example.allowed.iter().map(account).collect();
    let settings = [
        ("ACCESS__OWNERS", account(&example.owner)),
        ("ACCESS__ALLOW", allowed.join(", ")),
        ("ACCESS__AUTONOMY", example.autonomy.clone()),
    ];
    let settings = settings
        .each_ref()
        .map(|(key, value)| (*key, value.as_str()));
    let bot = obedient(Platform::Telegram, &settings).await;
    for number in &example.allowed {
        let friend = bot.direct_with(&bot.person(*number, "Friend"));
        let expected = if *number == example.reader {
            "refused"
        } else {
            "asked"
        };
        assert_eq!(became(&friend, "echo > made").await, expected, "{number}");
    }
    reads(&bot, example.reader).await;
    bot.assert_clean();

    // As in the sentence above it: the card lets the friend in, and one key is set.
    let settings = [settings[0], ("ACCESS__ALLOW", "[]"), settings[2]];
    let bot = obedient(Platform::Telegram, &settings).await;
    let owner = bot.direct_with(&bot.person(example.owner, "Owner"));
    owner.says("/whoami");
    owner.hears().await;
    let friend = bot.direct_with(&bot.person(example.reader, "Friend"));
    friend.says("hello");
    friend.hears().await;
    let card = owner.hears().await;
    owner
        .press(&bot.person(example.owner, "Owner"), card.id, "Allow")
        .await;
    friend.hears().await;
    assert_eq!(became(&friend, "echo > made").await, "refused");
    reads(&bot, example.reader).await;
    bot.assert_clean();
}

/// What only reads runs for the friend without a question.
async fn reads(bot: &TestBot, reader: i64) {
    let friend = bot.direct_with(&bot.person(reader, "Friend"));
    assert_eq!(became(&friend, "ls").await, "ran");
}
