//! In which language people are answered: thirty small dialogues, on both platforms.

use sayso_fakes::{Answer, Message, Person};

use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    u3_each_person_is_answered_in_the_language_that_they_read,
    u3_owners_are_asked_in_their_own_language,
    u3_a_toast_is_in_the_language_of_who_presses,
    language_is_chosen_by_a_button_and_kept
);

/// What happens in a dialogue. The expected language is that of the next message of the bot: `en`
/// or `zh`; where the platforms differ, that of Telegram and that of Discord. Only Telegram reports
/// the client's language with each message; Discord does with commands and presses.
#[derive(Clone, Copy)]
enum Step {
    /// The first or second person says something.
    Says(usize, &'static str, &'static str),
    /// Their app has another language from now on.
    App(usize, &'static str),
    /// The same in a group in which both are.
    InGroup(usize, &'static str, &'static str),
    /// Somebody says something in the group that is not for the bot.
    Aside(usize, &'static str),
    /// The bot is stopped and started.
    Restart,
}

use Step::{App, Aside, InGroup, Restart, Says};

const LATIN: &str = "Please tell me what you can do.";
const HAN: &str = "请告诉我你能做什么。";

/// The dialogues: what the apps of both are set to, and what happens.
const DIALOGUES: [(&str, [&str; 2], &[Step]); 30] = [
    (
        "the app is English",
        ["en", "en"],
        &[Says(0, "/whoami", "en")],
    ),
    (
        "the app is Chinese",
        ["zh-hans", "en"],
        &[Says(0, "/whoami", "zh")],
    ),
    (
        "the app is another one",
        ["de", "en"],
        &[Says(0, "/whoami", "en")],
    ),
    (
        "traditional script",
        ["zh-TW", "en"],
        &[Says(0, "/whoami", "zh")],
    ),
    (
        "English app, Chinese words",
        ["en", "en"],
        &[Says(0, HAN, "zh"), Says(0, "/whoami", "zh")],
    ),
    (
        "Chinese app, English words",
        ["zh-hans", "en"],
        &[Says(0, LATIN, "en"), Says(0, "/whoami", "en")],
    ),
    (
        "it changes in the middle",
        ["en", "en"],
        &[
            Says(0, LATIN, "en"),
            Says(0, HAN, "zh"),
            Says(0, LATIN, "en"),
        ],
    ),
    (
        "a greeting counts at first",
        ["en", "en"],
        &[Says(0, "你好", "zh")],
    ),
    (
        "a greeting changes nothing later",
        ["en", "en"],
        &[Says(0, LATIN, "en"), Says(0, "你好", "en")],
    ),
    (
        "a single word changes nothing",
        ["zh-hans", "en"],
        &[
            Says(0, HAN, "zh"),
            Says(0, "ok", "zh"),
            Says(0, "yes", "zh"),
        ],
    ),
    (
        "code changes nothing",
        ["zh-hans", "en"],
        &[Says(0, HAN, "zh"), Says(0, "git push origin main", "zh")],
    ),
    (
        "an address changes nothing",
        ["zh-hans", "en"],
        &[
            Says(0, HAN, "zh"),
            Says(0, "https://example.org/what/is/this", "zh"),
        ],
    ),
    (
        "Chinese with foreign names",
        ["en", "en"],
        &[Says(0, "帮我用 Python 写一个 hello world 脚本", "zh")],
    ),
    (
        "English with a Chinese word",
        ["zh-hans", "en"],
        &[Says(0, "How do I say 你好 in English?", "en")],
    ),
    (
        "Chinese with a command",
        ["en", "en"],
        &[Says(0, "运行 `git status and tell me` 看看结果", "zh")],
    ),
    (
        "a command changes nothing",
        ["en", "en"],
        &[
            Says(0, HAN, "zh"),
            Says(0, "/whoami", "zh"),
            Says(0, "/grants", "zh"),
        ],
    ),
    (
        "the app changes",
        ["en", "en"],
        &[
            Says(0, "/whoami", "en"),
            App(0, "zh-hans"),
            Says(0, "/whoami", "zh"),
        ],
    ),
    (
        "words are stronger than the app",
        ["en", "en"],
        &[
            Says(0, LATIN, "en"),
            App(0, "zh-hans"),
            Says(0, "/whoami", "en"),
        ],
    ),
    (
        "an app is known after a command",
        ["zh-hans", "en"],
        &[Says(0, "/whoami", "zh"), Says(0, "ok", "zh")],
    ),
    (
        "an app that was never reported",
        ["zh-hans", "en"],
        &[Says(0, "ok", "zh en")],
    ),
    (
        "chosen, against the words",
        ["en", "en"],
        &[Says(0, "/language zh-CN", "zh"), Says(0, LATIN, "zh")],
    ),
    (
        "chosen, against the app",
        ["zh-hans", "en"],
        &[
            Says(0, "/language en", "en"),
            Says(0, HAN, "en"),
            Says(0, "/whoami", "en"),
        ],
    ),
    (
        "chosen, then automatic",
        ["en", "en"],
        &[
            Says(0, "/language zh-CN", "zh"),
            Says(0, LATIN, "zh"),
            Says(0, "/language auto", "en"),
        ],
    ),
    (
        "a start keeps it",
        ["en", "en"],
        &[Says(0, HAN, "zh"), Restart, Says(0, "ok", "zh")],
    ),
    (
        "a start keeps what was chosen",
        ["en", "en"],
        &[
            Says(0, "/language zh-CN", "zh"),
            Restart,
            Says(0, LATIN, "zh"),
        ],
    ),
    (
        "two languages in one group",
        ["en", "zh-hans"],
        &[
            InGroup(0, LATIN, "en"),
            InGroup(1, HAN, "zh"),
            InGroup(0, "/whoami", "en"),
            InGroup(1, "/whoami", "zh"),
        ],
    ),
    (
        "a group changes no one's language",
        ["en", "en"],
        &[
            InGroup(1, HAN, "zh"),
            InGroup(0, "/whoami", "en"),
            InGroup(1, "/grants", "zh"),
        ],
    ),
    (
        "chosen by one in a group",
        ["en", "en"],
        &[
            InGroup(0, "/language zh-CN", "zh"),
            InGroup(1, "/whoami", "en"),
            Says(0, LATIN, "zh"),
        ],
    ),
    (
        "from the group to the direct chat",
        ["en", "en"],
        &[
            Says(0, "/whoami", "en"),
            InGroup(0, HAN, "zh"),
            Says(0, "/whoami", "zh"),
        ],
    ),
    (
        "a talk of others in a group",
        ["en", "en"],
        &[
            InGroup(0, LATIN, "en"),
            Aside(1, "我们明天下午三点开会"),
            InGroup(0, "/whoami", "en"),
            InGroup(1, "/whoami", "zh"),
        ],
    ),
];

/// Says in which language a text of ours is.
fn language(message: &Message) -> &'static str {
    let han = |letter: &char| matches!(letter, '\u{4e00}'..='\u{9fff}');
    if message.text.chars().filter(han).count() > 1 {
        "zh"
    } else {
        "en"
    }
}

fn expected(platform: Platform, written: &'static str) -> &'static str {
    let Some((telegram, discord)) = written.split_once(' ') else {
        return written;
    };
    match platform {
        Platform::Telegram => telegram,
        Platform::Discord => discord,
    }
}

async fn u3_each_person_is_answered_in_the_language_that_they_read(platform: Platform) {
    let settings = [
        ("ACCESS__ALLOW", platform.everybody()),
        ("AGENT__ROUTING", "off"),
    ];
    let mut bot = TestBot::on_with(platform, &settings).await;
    // What is said then is ours, and no model's.
    bot.model.when(|_| Some(Answer::error(400, "{}")));
    for (place, (name, apps, steps)) in DIALOGUES.iter().enumerate() {
        let number = 400 + 2 * place as i64;
        let mut people = [
            bot.person(number, "Lin").speaking(apps[0]),
            bot.person(number + 1, "Kim").speaking(apps[1]),
        ];
        let group = bot.group(&format!("Group {place}"));
        for step in *steps {
            let (chat, text, wanted) = match *step {
                App(who, app) => {
                    people[who] = people[who].clone().speaking(app);
                    continue;
                }
                Aside(who, text) => {
                    group.with(&people[who]).says(text);
                    continue;
                }
                Restart => {
                    bot.restart().await;
                    continue;
                }
                Says(who, text, wanted) => (bot.direct_with(&people[who]), text.to_owned(), wanted),
                InGroup(who, text, wanted) => {
                    let mention = if text.starts_with('/') {
                        ""
                    } else {
                        "@sayso_bot "
                    };
                    (group.with(&people[who]), format!("{mention}{text}"), wanted)
                }
            };
            chat.says(&text);
            let answer = chat.hears().await;
            let wanted = expected(platform, wanted);
            assert_eq!(language(&answer), wanted, "{name}: {text} -> {answer}");
        }
    }
}

async fn u3_owners_are_asked_in_their_own_language(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("ACCESS__PAIRING", "true")]).await;
    bot.model.says("好的。");
    let owner = bot.direct();
    owner.says("今天天气怎么样？");
    owner.hears().await;
    let stranger = bot.person(700, "Tom");
    let chat = bot.direct_with(&stranger);
    chat.says("Hello, is this Ann's bot? I would like to use it.");
    let turned_away = chat.hears().await;
    assert_eq!(language(&turned_away), "en", "{turned_away}");
    let card = owner.hears_with(Message::asks).await;
    assert_eq!(language(&card), "zh", "{card}");
    let outcome = owner.press(&bot.ann, card.id, card.labels()[0]).await;
    assert_eq!(outcome.text.is_some(), platform == Platform::Telegram);
    let welcome = chat.hears().await;
    assert_eq!(language(&welcome), "en", "{welcome}");
    let closed = owner.becomes(card.id, |card| !card.asks()).await;
    assert_eq!(language(&closed), "zh", "{closed}");
}

/// Two people in one group read the same card's answer in two languages.
async fn u3_a_toast_is_in_the_language_of_who_presses(platform: Platform) {
    let bot = crate::approvals::obedient(platform, &[]).await;
    let mei = bot.bob.clone().speaking("zh-hans");
    let group = bot.group("Lab");
    let (ann, bob) = (group.with(&bot.ann), group.with(&mei));
    bob.says("/whoami");
    assert_eq!(language(&bob.hears().await), "zh");
    ann.says("@sayso_bot run: touch here");
    let card = ann.hears_with(Message::asks).await;
    assert_eq!(language(&card), "en", "{card}");
    let refused = bob.press(&mei, card.id, card.labels()[0]).await;
    let toast = refused.text.unwrap_or_default();
    let han = toast.chars().filter(|letter| *letter > '\u{4e00}');
    assert!(han.count() > 4, "{toast}");
}

async fn language_is_chosen_by_a_button_and_kept(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("ACCESS__ALLOW", platform.everybody())]).await;
    let lin: Person = bot.person(800, "Lin");
    let chat: Chat = bot.direct_with(&lin);
    chat.says(match platform {
        Platform::Telegram => "/language",
        Platform::Discord => "/language show",
    });
    let list = chat.hears().await;
    insta::assert_snapshot!(list, @"Sayso: I speak English with you, and follow the language you write in.  [English | 中文 | ✓ Automatic]");
    chat.press(&lin, list.id, "中文").await;
    let list = chat
        .becomes(list.id, |list| list.text.contains("中文"))
        .await;
    insta::assert_snapshot!(list, @"Sayso: 我和你说中文，这是你选的。  [English | ✓ 中文 | 自动]");
    bot.restart().await;
    chat.says("/whoami");
    assert_eq!(language(&chat.hears().await), "zh");
    bot.assert_clean();
}
