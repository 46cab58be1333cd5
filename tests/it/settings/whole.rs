//! The keys of the whole instance: where data lies, and the language of our own words.

use crate::test_bot::TestBot;

#[tokio::test]
pub async fn everything_is_kept_in_data_dir() {
    let mut bot = TestBot::closed(&[]).await;
    let elsewhere = bot.path("elsewhere");
    bot.set("DATA_DIR", &elsewhere.to_string_lossy());
    bot.start();
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    assert!(elsewhere.join("sayso.db").is_file());
    assert!(elsewhere.join("workspaces").is_dir());
    assert!(!bot.data().exists());
    bot.assert_clean();
}

#[tokio::test]
pub async fn language_is_that_of_our_own_words() {
    let bot = TestBot::with(&[("LANGUAGE", "zh-CN")]).await;
    // Nothing is known of the language of a person who has written nothing yet.
    let silent = sayso_fakes::Person {
        language: None,
        ..bot.ann.clone()
    };
    let chat = bot.direct_with(&silent);
    chat.says("/whoami");
    let answer = chat.hears().await;
    assert_eq!(answer.text, "你是 Ann，我的管理者（telegram:101）。");
    bot.assert_clean();
}

#[tokio::test]
async fn automatic_language_follows_the_person() {
    let bot = TestBot::with(&[("LANGUAGE", "auto")]).await;
    let mia = bot
        .telegram
        .person(crate::test_bot::BOB, "Mia")
        .speaking("zh-hans");
    let (english, chinese) = (bot.direct(), bot.telegram.direct(&mia));
    english.says("/whoami");
    chinese.says("/whoami");
    assert_eq!(
        english.hears().await.text,
        "You are Ann, my owner (telegram:101)."
    );
    assert_eq!(
        chinese.hears().await.text,
        "你是 Mia，成员（telegram:102）。"
    );
    bot.assert_clean();
}

#[tokio::test]
pub async fn store_is_the_named_file() {
    let bot = TestBot::with(&[("STORE__URL", "sqlite:other.db")]).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    assert!(bot.data().join("other.db").is_file());
    assert!(!bot.data().join("sayso.db").exists());
    bot.assert_clean();
}
