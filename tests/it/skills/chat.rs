//! `/skills` in a chat: what there is, what may help, and what is switched off here.

use sayso_fakes::Message;
use serde_json::json;

use super::write;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    skills_are_listed_with_where_they_come_from,
    skills_are_suggested_with_reasons_in_words,
    a_skill_that_is_off_is_nowhere_for_this_person_alone,
    in_a_group_owners_choose_and_for_that_group_alone,
    choices_are_exported_and_erased_with_the_person
);

async fn asks(chat: &Chat, text: &str) -> String {
    chat.says(text);
    chat.hears().await.text
}

/// Says something and returns what Phase 1 and the last model call of its turn were shown.
async fn says(bot: &TestBot, chat: &Chat, text: &str) -> (String, String) {
    let before = bot.model.requests().len();
    chat.says(text);
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let requests = bot.model.requests();
    let routing = &requests[before];
    assert!(routing.is_routing());
    (routing.system(), requests.last().unwrap().told())
}

async fn skills_are_listed_with_where_they_come_from(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[]).await;
    let tea = "---\nname: tea\ndescription: Brewing *tea* (load when thirsty)\n---\nBoil.\n";
    write(&bot, "tea/SKILL.md", tea);
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    asks(&chat, "/skills off translation").await;
    let listed = asks(&chat, "/skills details").await;
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines[0], "Skills: 32, switched off here: 1");
    assert!(lines.contains(&"• git-workflow: Git workflow"), "{listed}");
    assert!(
        lines.contains(&"• translation (off): Translating texts"),
        "{listed}"
    );
    let of_operator = listed.split("From my owner").nth(1).unwrap();
    insta::assert_snapshot!(of_operator.trim(), @r"
    • tea: Brewing tea

    /skills off NAME switches one off in our direct chat, /skills on NAME on again. /skills suggest WORDS says which may help with something.
    ");
    let told = asks(&chat, "/skills brew").await;
    assert!(told.starts_with("/skills lists them"), "{told}");
    bot.assert_clean();
}

async fn skills_are_suggested_with_reasons_in_words(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let told = asks(
        &chat,
        "/skills suggest the app crashes, see the stack trace",
    )
    .await;
    insta::assert_snapshot!(told, @r"
    These may help

    1. debugging: you want something broken mended (stack trace, crash); it is about crashes; people who asked the like needed it
    2. incident-response: people who asked the like needed it
    3. containers: people who asked the like needed it
    ");
    let told = asks(&chat, "/skills suggest 帮我回复这封邮件").await;
    assert!(told.contains("1. email-drafting: you want"), "{told}");
    asks(&chat, "/skills off email-drafting").await;
    let told = asks(&chat, "/skills suggest 帮我回复这封邮件").await;
    assert!(!told.contains("email-drafting"), "{told}");
    let told = asks(&chat, "/skills suggest how tall is it?").await;
    assert_eq!(
        told,
        "None of my skills stands out for this: I would just do it."
    );
    assert!(bot.model.requests().is_empty(), "no model is asked");
    bot.assert_clean();
}

async fn a_skill_that_is_off_is_nowhere_for_this_person_alone(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let told = asks(&bob, "/skills off git-workflow").await;
    assert_eq!(told, "git-workflow is off in our direct chat.");
    bot.restart().await;
    bot.settles_in().await;
    // Phase 1 fails, so the rules stand in: they would load it by the word.
    bot.model.routes("no JSON");
    let (routing, last) = says(&bot, &bob, "git commit everything").await;
    assert!(!routing.contains("git-workflow"), "{routing}");
    assert!(!last.contains("git-workflow"), "{last}");
    bot.model.routes("no JSON");
    let (routing, last) = says(&bot, &ann, "git commit everything").await;
    assert!(routing.contains("- git-workflow: "), "{routing}");
    assert!(last.contains("## Skill: git-workflow"), "{last}");
    // Nor does it come back because a model names it.
    bot.model
        .routes(r#"{"skills": ["git-workflow"], "direct": false}"#);
    bot.model
        .calls(vec![("skill", json!({"name": "git-workflow"}))]);
    let (_, last) = says(&bot, &bob, "commit it all").await;
    assert!(!last.contains("## Skill: git-workflow"), "{last}");
    let requests = bot.model.turn_requests();
    let refused = requests.last().unwrap().last_tool_result();
    assert!(
        refused.contains("there is no skill `git-workflow`"),
        "{refused}"
    );

    let told = asks(&bob, "/skills on git-workflow").await;
    assert_eq!(told, "git-workflow is on in our direct chat.");
    let (routing, _) = says(&bot, &bob, "commit it all").await;
    assert!(routing.contains("- git-workflow: "), "{routing}");
    let told = asks(&bob, "/skills off brewing").await;
    assert_eq!(told, "There is no skill brewing. /skills lists them.");
    let told = asks(&bob, "/skills on brewing").await;
    assert_eq!(told, "There is no skill brewing. /skills lists them.");
    bot.assert_clean();
}

async fn in_a_group_owners_choose_and_for_that_group_alone(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Harbour");
    let other = bot.group("Mill").with(&bot.ann);
    let (anns, bobs) = (group.with(&bot.ann), group.with(&bot.bob));
    let told = asks(&bobs, "/skills off translation").await;
    assert_eq!(
        told,
        "Only an owner can change this for a group.\nIn our direct chat you choose for yourself."
    );
    asks(&bot.direct_with(&bot.bob), "/skills off learning").await;
    let told = asks(&anns, "/skills off translation").await;
    assert_eq!(told, "translation is off in this group.");
    let (routing, _) = says(&bot, &bobs, "@sayso_bot good tea").await;
    assert!(!routing.contains("- translation: "), "{routing}");
    assert!(routing.contains("- learning: "), "his choice is his alone");
    let (routing, _) = says(&bot, &other, "@sayso_bot good tea").await;
    assert!(routing.contains("- translation: "), "{routing}");
    let (routing, _) = says(&bot, &bot.direct(), "good tea").await;
    assert!(routing.contains("- translation: "), "{routing}");
    let noted = bot
        .rows("SELECT event FROM audit WHERE event = 'skill'")
        .await;
    assert_eq!(noted.len(), 2, "both choices are in the audit");
    bot.assert_clean();
}

async fn choices_are_exported_and_erased_with_the_person(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let group = bot.group("Harbour").with(&bot.ann);
    asks(&chat, "/skills off translation").await;
    asks(&group, "/skills off learning").await;
    chat.says("/memory export");
    chat.hears_with(|message| message.text == "What I remember of you: 1")
        .await;
    chat.hears_with(|message| {
        message
            .file
            .as_ref()
            .is_some_and(|file| file.name == "memory.md")
    })
    .await;
    let files = bot
        .rows(
            "SELECT part -> 'file' ->> 'text' FROM outbox
             WHERE part -> 'file' IS NOT NULL ORDER BY id",
        )
        .await;
    assert!(files[0].contains(r#""kind": "skill_off""#), "{}", files[0]);
    assert!(files[1].contains("## Skills that are switched off"));
    assert!(files[1].contains(": translation"), "{}", files[1]);
    chat.says("/forget everything");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Erase everything").await;
    chat.hears_with(|message| message.text.contains("what I kept of you is erased"))
        .await;
    let left = bot.rows("SELECT name FROM skills_off").await;
    assert_eq!(left, ["learning"], "the group's choice stays");
    bot.assert_clean();
}
