//! People and the bot meet in direct chats, channels and threads.

use sayso_fakes::FakeDiscord;
use sayso_fakes::discord::Right;
use serde_json::{Value, json};

use crate::{Bot, Ears};

#[tokio::test]
async fn people_and_bot_hear_each_other() {
    let discord = FakeDiscord::start().await;
    let ann = discord.person(101, "Ann");
    let chat = discord.direct(&ann);
    let bot = Bot::of(&discord);
    let mut ears = Ears::open(&discord).await;

    let hello = chat.says("hello");
    let heard = ears.hear("MESSAGE_CREATE").await;
    assert_eq!(heard["content"], "hello");
    assert_eq!(heard["author"]["id"], "101");
    assert!(heard.get("guild_id").is_none());
    let rows = json!([{ "type": 1, "components": [
        { "type": 2, "style": 3, "label": "Approve", "custom_id": "y" },
        { "type": 2, "style": 4, "label": "Deny", "custom_id": "n" }] }]);
    let asked = json!({ "content": "**May I?**", "components": rows, "message_reference": { "message_id": hello.to_string() } });
    let (status, _) = bot.try_say(chat.id(), asked).await;
    assert_eq!(status, 200);

    let asked = chat.hears().await;
    assert_eq!((asked.reply_to, chat.unheard()), (Some(hello), 0));
    assert_eq!(
        chat.transcript(),
        "Ann: hello\nSayso: May I?  [Approve | Deny]"
    );
    let edit = json!({ "content": "Done", "components": [] });
    let path = format!("/channels/{}/messages/{}", chat.id(), asked.id);
    assert_eq!(bot.call("PATCH", &path, edit).await.0, 200);
    let done = chat.settles(|message| message.text == "Done").await;
    assert_eq!((done.edits, done.labels().len()), (1, 0));
    discord.assert_clean();
}

#[tokio::test]
async fn the_name_of_the_bot_is_a_mention() {
    let discord = FakeDiscord::start().await;
    let bob = discord.person(102, "Bob");
    let team = discord.group(500, "Team").with(&bob);
    team.gives_role(&bob, 77, "Ops");
    let mut ears = Ears::open(&discord).await;
    team.says("@sayso_bot ask @bob");
    let heard = ears.hear("MESSAGE_CREATE").await;
    assert_eq!(heard["content"], "<@4242> ask <@102>");
    let mentioned: Vec<&Value> = heard["mentions"].as_array().unwrap().iter().collect();
    assert_eq!(
        (mentioned[0]["id"].as_str(), mentioned[1]["id"].as_str()),
        (Some("102"), Some("4242"))
    );
    assert_eq!(heard["member"]["roles"], json!(["77"]));
    assert_eq!(heard["guild_id"], (500_i64 << 22).to_string());
    assert_eq!(team.transcript(), "Bob: @sayso_bot ask @bob");
}

#[tokio::test]
async fn what_has_settled_counts_as_heard_with_all_before_it() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let bot = Bot::of(&discord);
    for text in ["one", "two", "three"] {
        bot.say(chat.id(), text).await;
    }
    chat.settles(|message| message.text == "two").await;
    assert_eq!(chat.hears().await.text, "three");
    chat.settles(|message| message.text == "one").await;
    assert_eq!(chat.unheard(), 0);
}

#[tokio::test]
async fn a_thread_hangs_on_its_message_and_has_its_id() {
    let discord = FakeDiscord::start().await;
    let bob = discord.person(102, "Bob");
    let team = discord.group(500, "Team").with(&bob);
    let bot = Bot::of(&discord);
    let mut ears = Ears::open(&discord).await;
    let asked = team.says("long story?");
    let path = format!("/channels/500/messages/{asked}/threads");
    let (status, thread) = bot.call("POST", &path, json!({ "name": "Story" })).await;
    assert_eq!((status, &thread["id"]), (201, &json!(asked.to_string())));
    assert_eq!(ears.hear("THREAD_CREATE").await["parent_id"], "500");
    let (status, again) = bot.call("POST", &path, json!({ "name": "Story" })).await;
    assert_eq!((status, &again["code"]), (400, &json!(160_004)));

    bot.say(asked, "once").await;
    let story = team.thread_of(asked);
    assert_eq!(story.hears().await.text, "once");
    story.says("go on");
    let heard = ears.hear("MESSAGE_CREATE").await;
    assert_eq!(heard["channel_id"], asked.to_string());

    story.archives(false);
    bot.say(asked, "the end").await;
    story.archives(true);
    let (status, locked) = bot.try_say(asked, json!({ "content": "no" })).await;
    assert_eq!((status, &locked["code"]), (400, &json!(50083)));
    assert_eq!(
        story.transcript(),
        "Sayso: once\nBob: go on\nSayso: the end"
    );
    assert_eq!(discord.take_violations(), [""; 0]);
}

#[tokio::test]
async fn what_the_bot_may_not_do_is_refused() {
    let discord = FakeDiscord::start().await;
    let ann = discord.person(101, "Ann");
    let (chat, team) = (discord.direct(&ann), discord.group(500, "Team").with(&ann));
    let bot = Bot::of(&discord);
    let code = async |channel: i64| {
        bot.try_say(channel, json!({ "content": "hi" })).await.1["code"].clone()
    };
    team.forbids(Right::Send);
    assert_eq!(code(500).await, 50013);
    team.permits(Right::Send);
    team.forbids(Right::View);
    assert_eq!(code(500).await, 50001);
    chat.blocks();
    assert_eq!(code(chat.id()).await, 50007);
    chat.unblocks();
    assert_eq!(code(chat.id()).await, Value::Null);
    assert_eq!(code(31337).await, 10003);
    let said = chat.says("mine");
    let path = format!("/channels/{}/messages/{said}", chat.id());
    let (_, refused) = bot
        .call("PATCH", &path, json!({ "content": "yours" }))
        .await;
    assert_eq!(refused["code"], 50005);
    discord.assert_clean();
}

#[tokio::test]
async fn history_is_read_newest_first_in_pages() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let bot = Bot::of(&discord);
    let said: Vec<i64> = ["a", "b", "c", "d"].map(|text| chat.says(text)).into();
    let texts = async |query: String| -> Vec<String> {
        let page = bot
            .get(&format!("/channels/{}/messages?{query}", chat.id()))
            .await;
        let page = page.as_array().unwrap().iter();
        page.map(|message| message["content"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(texts("limit=2".to_owned()).await, ["d", "c"]);
    assert_eq!(
        texts(format!("after={}&limit=2", said[0])).await,
        ["c", "b"]
    );
    assert_eq!(texts(format!("before={}", said[2])).await, ["b", "a"]);
}

#[tokio::test]
async fn a_connected_bot_is_told_of_places_that_come_and_go() {
    let discord = FakeDiscord::start().await;
    let ann = discord.person(101, "Ann");
    let bot = Bot::of(&discord);
    let mut ears = Ears::open(&discord).await;
    let team = discord.group_in(9, 500, "Team").with(&ann);
    assert_eq!(ears.hear("GUILD_CREATE").await["channels"][0]["id"], "500");
    let second = discord.group_in(9, 501, "Second").with(&ann);
    assert_eq!(ears.hear("CHANNEL_CREATE").await["id"], "501");
    second.vanishes();
    assert_eq!(ears.hear("CHANNEL_DELETE").await["id"], "501");
    let (_, gone) = bot.try_say(501, json!({ "content": "hi" })).await;
    assert_eq!(gone["code"], 10003);
    team.blocks();
    assert_eq!(ears.hear("GUILD_DELETE").await["id"], "9");
    team.says("unheard");
    let (_, out) = bot.try_say(500, json!({ "content": "hi" })).await;
    assert_eq!(out["code"], 50001);
    team.unblocks();
    ears.hear("GUILD_CREATE").await;
    ears.hears_nothing_more().await;
    discord.assert_clean();
}

#[tokio::test]
async fn edits_deletions_and_links_are_told() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let mut ears = Ears::open(&discord).await;
    let said = chat.says("https://example.org");
    chat.unfurls(said);
    let unfurled = ears.hear("MESSAGE_UPDATE").await;
    assert_eq!(
        (
            &unfurled["edited_timestamp"],
            &unfurled["embeds"][0]["type"]
        ),
        (&Value::Null, &json!("link"))
    );
    chat.edits(said, "never mind");
    let edited = ears.hear("MESSAGE_UPDATE").await;
    assert!(edited["edited_timestamp"].is_string());
    assert_eq!(edited["content"], "never mind");
    chat.deletes(said);
    assert_eq!(ears.hear("MESSAGE_DELETE").await["id"], said.to_string());
    assert_eq!(chat.transcript(), "");
}
