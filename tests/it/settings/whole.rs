//! The keys of the whole instance: where data lies, and the language of our own words.

use crate::house::House;

#[tokio::test]
pub async fn everything_is_kept_in_data_dir() {
    let mut house = House::closed(&[]).await;
    let elsewhere = house.path("elsewhere");
    house.set("DATA_DIR", &elsewhere.to_string_lossy());
    house.start();
    let chat = house.direct();
    chat.says("hello");
    chat.hears().await;
    assert!(elsewhere.join("sayso.db").is_file());
    assert!(elsewhere.join("workspaces").is_dir());
    assert!(!house.data().exists());
    house.assert_clean();
}

#[tokio::test]
pub async fn language_is_that_of_our_own_words() {
    let house = House::with(&[("LANGUAGE", "zh-CN")]).await;
    let chat = house.direct();
    chat.says("/whoami");
    let answer = chat.hears().await;
    assert_eq!(answer.text, "你是 telegram:101，身份：管理者。");
    house.assert_clean();
}

#[tokio::test]
async fn automatic_language_follows_the_person() {
    let house = House::with(&[("LANGUAGE", "auto")]).await;
    let mia = house
        .telegram
        .person(crate::house::BOB, "Mia")
        .speaking("zh-hans");
    let (english, chinese) = (house.direct(), house.telegram.direct(&mia));
    english.says("/whoami");
    chinese.says("/whoami");
    assert_eq!(
        english.hears().await.text,
        "You are telegram:101, and your role is owner."
    );
    assert_eq!(
        chinese.hears().await.text,
        "你是 telegram:102，身份：成员。"
    );
    house.assert_clean();
}

#[tokio::test]
pub async fn store_is_the_named_file() {
    let house = House::with(&[("STORE__URL", "sqlite:other.db")]).await;
    let chat = house.direct();
    chat.says("hello");
    chat.hears().await;
    assert!(house.data().join("other.db").is_file());
    assert!(!house.data().join("sayso.db").exists());
    house.assert_clean();
}
