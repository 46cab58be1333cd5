//! What is heard, and what is not.

use super::workshop;
use crate::platform::Platform;
use crate::test_bot::TestBot;

#[tokio::test]
async fn a_mention_of_its_role_addresses_it() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    group.says(&format!("<@&{}> are you up?", group.role_of_bot()));
    assert_eq!(group.hears().await.text, "ok: Ann: are you up?");
    bot.assert_clean();
}

#[tokio::test]
async fn webhooks_and_other_bots_are_not_answered() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    group.says_as_webhook("@sayso_bot the build failed");
    group.says_as_another_bot("@sayso_bot let us talk forever");
    group.says("@sayso_bot hello");
    group.hears().await;
    assert_eq!(group.unheard(), 0);
    let turns = bot.model.turn_requests();
    assert_eq!(turns.len(), 1);
    assert_eq!(turns[0].last_user(), "Ann: hello");
    bot.assert_clean();
}

#[tokio::test]
async fn the_quoted_message_and_its_files_are_in_view_of_who_mentions_it() {
    let bot = TestBot::on(Platform::Discord).await;
    let group = workshop(&bot);
    let plan = group
        .with(&bot.bob)
        .sends_document("shelf.pdf", vec![0; 2_000], "the new plan");
    group.says("something else");
    bot.model.says("A shelf.");
    group.replies(plan, "@sayso_bot what is this?");
    group.hears().await;
    insta::assert_snapshot!(bot.model.turn_requests()[0].last_user(), @r"
    [said in the group meanwhile, not addressed to you]
    Ann: something else
    [addressed to you]
    [in reply to Bob]
    > the new plan
    > [file: inbox/shelf.pdf, PDF, 2 kB]
    Ann: what is this?
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn without_the_intent_for_content_mentions_replies_and_direct_chats_are_heard() {
    let mut bot = TestBot::closed_on(Platform::Discord, &[]).await;
    bot.discord.allows_content(false);
    bot.start();
    bot.listens().await;
    let group = workshop(&bot);
    group.says_as(&bot.bob, "the saw is broken");
    group.says("@sayso_bot are you up?");
    let answer = group.hears().await;
    group.replies(answer.id, "and awake?");
    group.hears().await;
    let direct = bot.direct();
    direct.says("hello");
    direct.hears().await;
    let turns = bot.model.turn_requests();
    let heard: Vec<String> = turns.iter().map(|turn| turn.last_user()).collect();
    insta::assert_snapshot!(heard.join("\n---\n"), @r"
    Ann: are you up?
    ---
    [in reply to Sayso]
    > ok: Ann: are you up?
    Ann: and awake?
    ---
    hello
    ");
    assert!(
        !turns.iter().any(|turn| turn.mentions("saw is broken")),
        "what was said to others is not readable"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn a_message_that_is_told_twice_is_answered_once() {
    let mut bot = TestBot::on(Platform::Discord).await;
    let chat = bot.direct();
    bot.discord.repeats_next(2);
    chat.says("once");
    chat.hears().await;
    bot.restart().await;
    chat.says("twice");
    assert_eq!(chat.hears().await.text, "ok: twice");
    assert_eq!(bot.model.turn_requests().len(), 2);
    bot.assert_clean();
}
