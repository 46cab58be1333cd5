//! One policy for each person: the level of an account, what a chat lowers, and what a role
//! changes.

/// What `sayso policy explain` says of it.
mod explained;
/// What `/autonomy` and `/status` show of it.
pub mod shown;
/// Turns that wait while the configuration changes.
mod waiting;

use serde_json::json;

use crate::approvals::{is_open_card, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::{ANN, BOB, TestBot};

on_both!(
    two_people_have_two_levels_in_one_group,
    a_person_of_level_full_is_not_asked_and_no_one_else_gains_by_it,
    a_lowered_chat_lowers_everybody_in_it,
    a_rule_for_a_role_holds_for_that_role,
    a_button_that_answers_a_question_keeps_the_role
);

/// Writes the levels of these people as `access.autonomy` wants them.
fn levels(platform: Platform, entries: &[(i64, &str)]) -> String {
    let entries: Vec<String> = entries
        .iter()
        .map(|(number, level)| {
            let account = platform.user_id(*number);
            format!("{}:{account}={level}", platform.name())
        })
        .collect();
    entries.join(", ")
}

/// What became of a command, nothing being pressed.
#[derive(Debug, PartialEq, Eq)]
enum Became {
    Ran,
    Asked,
    Refused,
}

/// Has a command asked for that leaves a mark of this name.
async fn tries(bot: &TestBot, chat: &Chat, name: &str) -> Became {
    let command = mark(bot, name);
    let said = chat.says(&format!("@sayso_bot run: {command}"));
    let told = chat
        .settles(|message| {
            let is_card = is_open_card(message) && message.text.contains(&command);
            is_card || (message.id > said && message.text.starts_with("result: "))
        })
        .await;
    if is_open_card(&told) {
        Became::Asked
    } else if told.text.contains("not run:") {
        Became::Refused
    } else {
        Became::Ran
    }
}

/// A group with both people in it, as each of them speaks there.
fn lab(bot: &TestBot) -> (Chat, Chat) {
    let group = bot.group("Lab");
    (group.with(&bot.ann), group.with(&bot.bob))
}

async fn two_people_have_two_levels_in_one_group(platform: Platform) {
    let levels = levels(platform, &[(BOB, "read_only")]);
    let bot = obedient(platform, &[("ACCESS__AUTONOMY", &levels)]).await;
    let (ann, bob) = lab(&bot);
    assert_eq!(tries(&bot, &bob, "bobs").await, Became::Refused);
    assert_eq!(tries(&bot, &ann, "anns").await, Became::Asked);
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn a_person_of_level_full_is_not_asked_and_no_one_else_gains_by_it(platform: Platform) {
    let levels = levels(platform, &[(ANN, "full")]);
    let settings = [
        ("ACCESS__AUTONOMY", levels.as_str()),
        ("POLICY__ALLOW_COMMANDS", "[\"mktemp\"]"),
    ];
    let bot = obedient(platform, &settings).await;
    let (ann, bob) = lab(&bot);
    assert_eq!(tries(&bot, &ann, "anns").await, Became::Ran);
    assert_eq!(marks(&bot), ["anns"]);
    let (anns, bobs) = (bot.direct(), bot.direct_with(&bot.bob));
    assert_eq!(tries(&bot, &bobs, "bobs").await, Became::Asked);
    assert_eq!(tries(&bot, &anns, "alone").await, Became::Ran);
    assert_eq!(tries(&bot, &bob, "bobs-too").await, Became::Asked);
    assert_eq!(marks(&bot), ["alone", "anns"]);
    bot.assert_clean();
}

async fn a_lowered_chat_lowers_everybody_in_it(platform: Platform) {
    let levels = levels(platform, &[(ANN, "full")]);
    let settings = [
        ("ACCESS__AUTONOMY", levels.as_str()),
        ("POLICY__ALLOW_COMMANDS", "[\"mktemp\"]"),
    ];
    let bot = obedient(platform, &settings).await;
    let (ann, bob) = lab(&bot);
    // Below the level of one of them, and not of the other.
    ann.says("/autonomy supervised");
    let told = ann.hears().await;
    let first = "I ask before I change anything.";
    assert!(told.text.starts_with(first), "{told}");
    assert_eq!(tries(&bot, &ann, "a").await, Became::Asked);
    ann.says("/autonomy read_only");
    ann.hears_with(|message| message.text.starts_with("I only look, and change nothing."))
        .await;
    assert_eq!(tries(&bot, &ann, "b").await, Became::Refused);
    assert_eq!(tries(&bot, &bob, "c").await, Became::Refused);
    // In other chats nothing has changed, and here it can be taken back.
    assert_eq!(tries(&bot, &bot.direct(), "d").await, Became::Ran);
    ann.says("/autonomy full");
    ann.hears_with(|message| message.text.starts_with("I do what my settings allow"))
        .await;
    // What others said here is in view, so it asks at this level too.
    assert_eq!(tries(&bot, &ann, "e").await, Became::Asked);
    assert_eq!(marks(&bot), ["d"]);
    bot.assert_clean();
}

/// Rules that let only owners run `mktemp`.
const FOR_OWNERS: &str = "[[rule]]\nprefix = ['mktemp']\ndecision = 'allow'\nroles = ['owner']\n\
    justification = 'owners may'\nmatch = ['mktemp -p . a']\n\
    [[rule]]\nprefix = ['mktemp']\ndecision = 'deny'\nroles = ['member']\n\
    justification = 'only owners may'\nmatch = ['mktemp -p . a']\n";

async fn a_rule_for_a_role_holds_for_that_role(platform: Platform) {
    let directory = tempfile::tempdir().unwrap();
    let rules = directory.path().join("rules.toml");
    std::fs::write(&rules, FOR_OWNERS).unwrap();
    let settings = [("POLICY__RULES", rules.to_str().unwrap())];
    let bot = obedient(platform, &settings).await;
    let (ann, bob) = lab(&bot);
    assert_eq!(tries(&bot, &ann, "anns").await, Became::Ran);
    assert_eq!(tries(&bot, &bob, "bobs").await, Became::Refused);
    assert_eq!(marks(&bot), ["anns"]);
    bot.assert_clean();
}

async fn a_button_that_answers_a_question_keeps_the_role(platform: Platform) {
    let directory = tempfile::tempdir().unwrap();
    let rules = directory.path().join("rules.toml");
    std::fs::write(&rules, FOR_OWNERS).unwrap();
    let settings = [("POLICY__RULES", rules.to_str().unwrap())];
    let bot = TestBot::on_with(platform, &settings).await;
    let chat = bot.direct();
    bot.model
        .routes(r#"{"question":"Which one?","choices":["this","that"]}"#);
    chat.says("make a file");
    let question = chat.settles(is_open_card).await;
    bot.model
        .calls(vec![("shell", json!({"command": mark(&bot, "made")}))]);
    bot.model.says("Made.");
    chat.press(&bot.ann, question.id, question.labels()[0])
        .await;
    chat.settles(|message| message.text == "Made.").await;
    assert_eq!(marks(&bot), ["made"]);
    bot.assert_clean();
}
