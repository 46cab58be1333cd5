//! The bot asks who it is, where it is and who is there.

use sayso_fakes::FakeDiscord;
use sayso_fakes::discord::Right;
use serde_json::{Value, json};

use crate::Bot;

#[tokio::test]
async fn the_application_tells_whether_content_may_be_read() {
    let discord = FakeDiscord::start().await;
    let bot = Bot::of(&discord);
    let flags = async || {
        bot.get("/applications/@me").await["flags"]
            .as_i64()
            .unwrap()
    };
    assert_eq!(flags().await & (1 << 18 | 1 << 19), 1 << 19);
    discord.allows_content(false);
    assert_eq!(flags().await & (1 << 18 | 1 << 19), 0);
    let me = bot.get("/users/@me").await;
    assert_eq!((&me["id"], &me["bot"]), (&json!("4242"), &json!(true)));
    assert_ne!(bot.get("/applications/@me").await["id"], me["id"]);
}

#[tokio::test]
async fn without_the_intent_history_has_no_words_either() {
    let discord = FakeDiscord::start().await;
    let team = discord.group(500, "Team").with(&discord.person(102, "Bob"));
    let bot = Bot::of(&discord);
    discord.allows_content(false);
    team.says("secret");
    bot.say(500, "mine").await;
    let page = bot.get("/channels/500/messages").await;
    let texts: Vec<&str> = page
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["content"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["mine", ""]);
}

#[tokio::test]
async fn members_are_found_by_server() {
    let discord = FakeDiscord::start().await;
    let bob = discord.person(102, "Bob");
    let team = discord.group_in(9, 500, "Team").with(&bob);
    team.gives_role(&bob, 77, "Ops");
    let bot = Bot::of(&discord);
    assert_eq!(
        bot.get("/guilds/9/members/102").await["roles"],
        json!(["77"])
    );
    team.takes_role(&bob, 77);
    assert_eq!(bot.get("/guilds/9/members/102").await["roles"], json!([]));
    let (status, nobody) = bot.call("GET", "/guilds/9/members/103", Value::Null).await;
    assert_eq!((status, &nobody["code"]), (404, &json!(10007)));
    assert_eq!(bot.get("/users/@me/guilds").await[0]["id"], "9");
}

#[tokio::test]
async fn only_open_threads_are_active() {
    let discord = FakeDiscord::start().await;
    let team = discord
        .group_in(9, 500, "Team")
        .with(&discord.person(102, "Bob"));
    let (open, asleep) = (team.topic("Open"), team.topic("Asleep"));
    asleep.archives(false);
    let bot = Bot::of(&discord);
    let active = bot.get("/guilds/9/threads/active").await;
    let threads = active["threads"].as_array().unwrap();
    assert_eq!(
        (threads.len(), &threads[0]["id"]),
        (1, &json!(open.thread().unwrap().to_string()))
    );
    assert_eq!(threads[0]["parent_id"], "500");
    asleep.says("awake again");
    let active = bot.get("/guilds/9/threads/active").await;
    assert_eq!(active["threads"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_direct_chat_with_a_person_is_always_the_same() {
    let discord = FakeDiscord::start().await;
    let bob = discord.person(102, "Bob");
    let _team = discord.group(500, "Team").with(&bob);
    let bot = Bot::of(&discord);
    let opens = async || {
        bot.call(
            "POST",
            "/users/@me/channels",
            json!({ "recipient_id": "102" }),
        )
        .await
    };
    let (status, first) = opens().await;
    assert_eq!((status, &first["type"]), (200, &json!(1)));
    assert_eq!(opens().await.1["id"], first["id"]);
    assert_eq!(first["id"], discord.direct(&bob).id().to_string());
    bot.say(discord.direct(&bob).id(), "hi").await;
    assert_eq!(discord.direct(&bob).hears().await.text, "hi");
}

#[tokio::test]
async fn history_needs_its_right() {
    let discord = FakeDiscord::start().await;
    let team = discord.group(500, "Team").with(&discord.person(102, "Bob"));
    let said = team.says("before");
    let bot = Bot::of(&discord);
    team.forbids(Right::ReadHistory);
    assert_eq!(bot.get("/channels/500/messages").await, json!([]));
    let reply = json!({ "content": "a", "message_reference": { "message_id": said.to_string() } });
    let (_, refused) = bot.try_say(500, reply.clone()).await;
    assert_eq!(refused["code"], 160_002);
    team.permits(Right::ReadHistory);
    team.deletes(said);
    let (_, gone) = bot.try_say(500, reply).await;
    assert_eq!(gone["code"], 50035);
    let willing = json!({ "content": "a", "message_reference": { "message_id": said.to_string(), "fail_if_not_exists": false } });
    assert_eq!(bot.try_say(500, willing).await.0, 200);
    discord.assert_clean();
}
