//! Messages sent while the bot was offline are read back once, in order, before new ones.

use sayso_fakes::discord::Fault;

use crate::bot::{Bot, config, fake, message_of};

#[tokio::test]
async fn what_was_said_while_we_were_away_is_heard_at_the_start() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    let direct = bot.fake.direct(&ann);
    direct.says("one");
    bot.stores_texts(&["one"]).await;
    group.says("@sayso_bot two");
    bot.stores_texts(&["two"]).await;
    let topic = group.topic("plans");
    topic.says("@sayso_bot three");
    bot.stores_texts(&["three"]).await;

    let mut bot = bot
        .goes_away(|_| {
            direct.says("four");
            direct.says("five");
            group.says("@sayso_bot six");
            topic.says("@sayso_bot seven");
        })
        .await;
    let mut heard = Vec::new();
    for _ in 0..4 {
        let inbound = bot.stores().await;
        let place = inbound.address.to_string();
        heard.push((place, message_of(inbound).text));
    }
    heard.sort_by_key(|(place, _)| place.clone());
    let texts: Vec<&str> = heard.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["six", "seven", "four", "five"]);
    direct.says("eight");
    bot.stores_texts(&["eight"]).await;
}

#[tokio::test]
async fn live_message_does_not_overtake_what_is_read_back() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let direct = bot.fake.direct(&ann);
    direct.says("first");
    bot.stores_texts(&["first"]).await;
    let missed: Vec<String> = (0..150).map(|number| format!("missed {number}")).collect();
    let mut bot = bot
        .goes_away(|_| {
            for text in &missed {
                direct.says(text);
            }
        })
        .await;
    bot.fake.waits_for_sessions(1).await;
    direct.says("live");
    let missed: Vec<&str> = missed.iter().map(String::as_str).collect();
    bot.stores_texts(&missed).await;
    bot.stores_texts(&["live"]).await;
}

#[tokio::test]
async fn gap_that_was_not_resumed_is_read_back() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let direct = bot.fake.direct(&ann);
    direct.says("before");
    bot.stores_texts(&["before"]).await;
    bot.fake.goes_away();
    bot.fake.forgets_sessions();
    direct.says("in the gap");
    bot.fake.comes_back();
    bot.stores_texts(&["in the gap"]).await;
    assert_eq!(bot.fake.identifies().len(), 2);
}

#[tokio::test]
async fn direct_chat_never_heard_before_is_read_back_with_its_first_message() {
    let mut bot = Bot::starts().await;
    let [ann, bob] = [(7, "Ann"), (8, "Bob")].map(|(id, name)| bot.fake.person(id, name));
    let bobs = bot.fake.direct(&bob);
    bot.fake.direct(&ann).says("hello");
    bot.stores_texts(&["hello"]).await;
    let mut bot = bot
        .goes_away(|_| {
            bobs.says("anybody?");
        })
        .await;
    bot.fake.waits_for_sessions(1).await;
    bobs.says("I said: anybody?");
    bot.stores_texts(&["anybody?", "I said: anybody?"]).await;
}

#[tokio::test]
async fn nothing_is_read_back_when_nothing_was_ever_heard() {
    let fake = fake().await;
    let ann = fake.person(7, "Ann");
    let group = fake.group(500, "general").with(&ann);
    group.says("@sayso_bot long ago");
    let config = config(&fake);
    let mut bot = Bot::starts_with(fake, config);
    bot.fake.waits_for_sessions(1).await;
    group.says("@sayso_bot now");
    bot.stores_texts(&["now"]).await;
}

#[tokio::test]
async fn message_edited_while_we_were_away_is_heard_once_as_it_reads_now() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let direct = bot.fake.direct(&ann);
    direct.says("before");
    bot.stores_texts(&["before"]).await;
    let mut bot = bot
        .goes_away(|_| {
            let id = direct.says("teh");
            direct.edits(id, "the");
        })
        .await;
    let read = bot.stores_message().await;
    assert_eq!((read.text.as_str(), read.edited), ("the", false));
    direct.says("after");
    bot.stores_texts(&["after"]).await;
}

#[tokio::test]
async fn chat_of_a_server_never_heard_before_is_read_back_too() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    bot.fake.direct(&ann).says("hello");
    bot.stores_texts(&["hello"]).await;
    let mut bot = bot
        .goes_away(|_| {
            group.says("@sayso_bot anybody?");
        })
        .await;
    let read = bot.stores().await;
    assert_eq!(read.address.chat.as_str(), "500");
    assert_eq!(message_of(read).text, "anybody?");
}

#[tokio::test]
async fn roles_are_looked_up_for_what_is_read_back() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    group.gives_role(&ann, 77, "helpers");
    group.says("@sayso_bot one");
    bot.stores_texts(&["one"]).await;
    let mut bot = bot
        .goes_away(|_| {
            group.says("@sayso_bot two");
        })
        .await;
    assert_eq!(bot.stores().await.sender.roles, ["77"]);
}

#[tokio::test]
async fn faults_on_the_way_back_lose_nothing() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let direct = bot.fake.direct(&ann);
    direct.says("before");
    bot.stores_texts(&["before"]).await;
    let mut bot = bot
        .goes_away(|fake| {
            direct.says("missed");
            for fault in [Fault::BadGateway, Fault::DropBefore, Fault::DropAfter] {
                fake.fail_next("list_messages", fault);
            }
        })
        .await;
    bot.stores_texts(&["missed"]).await;
    assert_eq!(bot.fake.count("list_messages"), 4);
}
