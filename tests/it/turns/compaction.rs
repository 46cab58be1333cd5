//! A conversation that becomes too long: what gives way, what stays, and how the rest is read.

use std::sync::Arc;

use sayso_fakes::{Answer, Gate, Message, ModelRequest};
use serde_json::{Value, json};

use super::conversation;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_turn_of_thirty_steps_is_trimmed_inside,
    a_long_result_is_shortened_and_read_again_by_its_person_alone,
    u22_older_turns_are_summed_up_without_a_word_when_no_one_waits,
    turns_that_no_one_can_sum_up_are_left_out,
    the_one_who_asks_for_it_gets_a_receipt,
    the_one_who_asks_while_it_is_done_gets_a_receipt,
    a_model_that_does_not_answer_costs_no_history,
    a_kill_loses_no_compaction_and_erasing_takes_it_along
);

const COMPACTED: &str = "SELECT body FROM journal WHERE kind = 'compacted'";
const SUMMARIES: &str = "SELECT text FROM compactions";
const CONDENSED: &str = "SELECT body FROM journal WHERE kind = 'condensed'";
/// A conversation in which four turns and a message are too much.
const SHORT: [(&str, &str); 2] = [("AGENT__ROUTING", "off"), ("AGENT__HISTORY_MESSAGES", "8")];

fn look(folder: &str) -> (&'static str, Value) {
    ("list_dir", json!({ "path": folder }))
}

/// The fake of the model refuses a result without its call, so what is left out goes in pairs.
async fn a_turn_of_thirty_steps_is_trimmed_inside(platform: Platform) {
    let settings = [
        ("AGENT__MAX_STEPS", "30"),
        ("AGENT__HISTORY_MESSAGES", "20"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    let chat = bot.direct();
    chat.says("before");
    chat.hears().await;
    let names = [
        "ale", "bun", "cod", "dip", "egg", "fig", "gin", "ham", "ice", "jam", "kit", "leek",
        "mint", "nut", "oat", "pie", "quid", "rye", "soy", "tea", "udon", "veal", "wine", "xmas",
        "yam", "zest",
    ];
    for name in names {
        bot.model.calls(vec![look(name)]);
    }
    bot.model.says("None of them is there.");
    chat.says("look into many folders");
    chat.settles(|message| message.text == "None of them is there.")
        .await;
    let turns = bot.model.turn_requests();
    let said: Vec<Vec<String>> = turns.iter().map(|it| conversation(it)).collect();
    assert_eq!(said.len(), 1 + names.len() + 1);
    for messages in &said {
        assert!(messages.len() <= 20, "{messages:#?}");
        assert!(messages[0].starts_with("user: "), "{messages:#?}");
    }
    let request = "user: look into many folders".to_owned();
    assert!(said[1..].iter().all(|messages| messages.contains(&request)));
    let last = said.last().unwrap();
    assert_eq!(last[0], request);
    assert!(
        last[1].contains("earlier steps of this request are left out"),
        "{last:#?}"
    );
    // Most steps extend the prompt of the step before.
    let grown = said.windows(2).filter(|pair| pair[1].starts_with(&pair[0]));
    let grown = grown.count();
    assert!(grown >= 20, "{grown}");
    assert_eq!(bot.rows(COMPACTED).await.len(), said.len() - 1 - grown);
    bot.assert_clean();
}

async fn a_long_result_is_shortened_and_read_again_by_its_person_alone(platform: Platform) {
    let settings = [
        ("AGENT__ROUTING", "off"),
        ("PROVIDERS__0__CONTEXT_TOKENS", "12000"),
    ];
    let bot = TestBot::on_with(platform, &settings).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let lines: Vec<String> = (0..1_200)
        .map(|line| format!("line {line} of the log"))
        .collect();
    std::fs::write(bot.workspace().join("log.txt"), lines.join("\n")).unwrap();
    bot.model
        .calls(vec![("file_read", json!({"path": "log.txt"}))]);
    bot.model.says("I have read it.");
    chat.says("read the log");
    chat.settles(|message| message.text == "I have read it.")
        .await;
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    let shown = newest(&bot);
    let result = shown.tool_results().pop().unwrap().1;
    assert!(result.contains("line 0 of the log"), "{result}");
    assert!(result.contains("line 1199 of the log"), "{result}");
    assert!(!result.contains("line 600 of the log"), "{result}");
    let (_, rest) = result.split_once("shows them by the id `").unwrap();
    let id = rest.split('`').next().unwrap().to_owned();

    let again = json!({"id": id, "from": 8_000});
    bot.model.calls(vec![("read_result", again.clone())]);
    bot.model.says("There it is.");
    chat.says("what is in the middle?");
    chat.settles(|message| message.text == "There it is.").await;
    let last = newest(&bot);
    let read = last.last_tool_result();
    assert!(read.contains("line 600 of the log"), "{read}");
    assert!(last.tools().contains(&"read_result".to_owned()));

    // Neither in another chat nor for another person, nor when a new conversation has begun.
    let group = bot.group("Home").with(&bot.ann);
    bot.model.calls(vec![("read_result", again.clone())]);
    bot.model.says("Not here.");
    group.says("@sayso_bot what is in the middle?");
    group.settles(|message| message.text == "Not here.").await;
    let there = newest(&bot).last_tool_result();
    assert!(there.contains("no result with this `id`"), "{there}");
    chat.says("/new");
    chat.hears().await;
    bot.model.calls(vec![("read_result", again)]);
    bot.model.says("Gone.");
    chat.says("what is in the middle?");
    chat.settles(|message| message.text == "Gone.").await;
    let there = newest(&bot).last_tool_result();
    assert!(there.contains("no result with this `id`"), "{there}");
    bot.assert_clean();
}

/// Returns what the model was asked last in a turn; sums are made beside them.
fn newest(bot: &TestBot) -> Arc<ModelRequest> {
    bot.model.turn_requests().pop().unwrap()
}

/// Asks the questions with these numbers, and waits for each answer.
async fn talks(chat: &Chat, questions: std::ops::RangeInclusive<usize>) {
    for number in questions {
        let question = format!("question {number}");
        chat.says(&question);
        chat.settles(|message| message.text == format!("ok: {question}"))
            .await;
    }
}

async fn u22_older_turns_are_summed_up_without_a_word_when_no_one_waits(platform: Platform) {
    let bot = TestBot::on_with(platform, &SHORT).await;
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    let summary = format!("Ann likes tea. Her key is {key}");
    bot.model.sums_up_with(Answer::text(summary));
    let chat = bot.direct();
    talks(&chat, 1..=5).await;
    // There was no room for five turns.
    bot.has_noted(CONDENSED).await;
    let summing = bot.model.summing_requests().pop().unwrap();
    assert!(summing.mentions("[user] question 1"));
    assert!(!summing.mentions("question 5"));
    talks(&chat, 6..=7).await;
    let unasked = |message: &Message| message.text.contains('🗜');
    assert!(!chat.messages().iter().any(unasked), "it is said unasked");
    let turns = bot.model.turn_requests();
    let [.., six, seven] = &turns[..] else {
        panic!("seven requests")
    };
    insta::assert_snapshot!(conversation(six).join("\n"), @r"
    user: [What was said before, summed up. Said by no user now.]
    Ann likes tea. Her key is [redacted: openai-key]
    user: question 5
    assistant: ok: question 5
    user: question 6
    ");
    // What is shown begins as before: a service's cache stays good.
    assert!(conversation(seven).starts_with(&conversation(six)));
    assert_eq!(bot.rows(CONDENSED).await.len(), 1);
    assert_eq!(bot.model.summing_requests().len(), 1);
    bot.assert_clean();
}

async fn turns_that_no_one_can_sum_up_are_left_out(platform: Platform) {
    let bot = TestBot::on_with(platform, &SHORT).await;
    for _ in 0..2 {
        let endless = "word ".repeat(2_000);
        bot.model.sums_up_with(Answer::text(endless));
    }
    let chat = bot.direct();
    talks(&chat, 1..=5).await;
    chat.hears_with(|message| message.text.contains("could not sum up"))
        .await;
    talks(&chat, 6..=6).await;
    let six = bot.model.turn_requests().pop().unwrap();
    assert_eq!(
        conversation(&six),
        [
            "user: question 5",
            "assistant: ok: question 5",
            "user: question 6"
        ]
    );
    let noted = bot.rows(CONDENSED).await;
    assert!(noted[0].contains(r#""by_model":false"#), "{noted:?}");
    bot.assert_clean();
}

async fn the_one_who_asks_for_it_gets_a_receipt(platform: Platform) {
    let bot = TestBot::on(platform).await;
    if platform == Platform::Discord {
        bot.settles_in().await;
    }
    let chat = bot.direct();
    chat.says("/compact");
    chat.hears_with(|message| message.text.contains("nothing to sum up yet"))
        .await;
    talks(&chat, 1..=3).await;
    chat.says("/compact");
    chat.hears_with(|message| message.text.contains("I am summing up"))
        .await;
    chat.hears_with(|message| message.text.contains("I shortened our conversation"))
        .await;
    talks(&chat, 4..=4).await;
    let four = bot.model.turn_requests().pop().unwrap();
    let said = conversation(&four);
    assert_eq!(said.len(), 4, "{said:#?}");
    assert!(said[0].contains("They spoke of this and that."));
    assert_eq!(said[1], "user: question 3");
    bot.assert_clean();
}

async fn the_one_who_asks_while_it_is_done_gets_a_receipt(platform: Platform) {
    let bot = TestBot::on_with(platform, &SHORT).await;
    bot.settles_in().await;
    let gate = Gate::new();
    let held = Answer::text("Ann likes tea.").held_by(&gate);
    bot.model.sums_up_with(held);
    let chat = bot.direct();
    talks(&chat, 1..=5).await;
    gate.reached_by(1).await;
    chat.says("/compact");
    chat.hears_with(|message| message.text.contains("I am summing up"))
        .await;
    gate.open();
    chat.hears_with(|message| message.text.contains("I shortened our conversation"))
        .await;
    assert_eq!(bot.rows(SUMMARIES).await, ["Ann likes tea."]);
    assert_eq!(bot.model.summing_requests().len(), 1);
    bot.assert_clean();
}

async fn a_model_that_does_not_answer_costs_no_history(platform: Platform) {
    let bot = TestBot::on_with(platform, &SHORT).await;
    bot.settles_in().await;
    for _ in 0..2 {
        bot.model.sums_up_with(Answer::error(400, "not now"));
    }
    let chat = bot.direct();
    talks(&chat, 1..=5).await;
    bot
        .has_noted("SELECT 'later' FROM compacting WHERE unanswered = 1 AND due_ms > 1000 * unixepoch() + 30000")
        .await;
    assert_eq!(
        bot.rows("SELECT CAST(tries AS TEXT) FROM compacting").await,
        ["0"]
    );
    chat.says("/compact");
    chat.hears_with(|message| message.text.contains("have changed nothing"))
        .await;
    let waiting = "SELECT 'one' FROM compacting";
    assert_eq!(bot.rows(waiting).await, Vec::<String>::new());
    assert_eq!(bot.rows(SUMMARIES).await, Vec::<String>::new());
    chat.says("/compact");
    chat.hears_with(|message| message.text.contains("I shortened our conversation"))
        .await;
    let summing = bot.model.summing_requests().pop().unwrap();
    assert!(summing.mentions("[user] question 1"));
    bot.assert_clean();
}

async fn a_kill_loses_no_compaction_and_erasing_takes_it_along(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &SHORT).await;
    let gate = Gate::new();
    let held = Answer::text("Never heard.").held_by(&gate);
    bot.model.sums_up_with(held);
    let chat = bot.direct();
    talks(&chat, 1..=5).await;
    gate.reached_by(1).await;
    bot.crash().await;
    gate.open();
    bot.has_noted(SUMMARIES).await;
    assert_eq!(bot.rows(SUMMARIES).await, ["They spoke of this and that."]);
    chat.says("/forget everything");
    let card = chat
        .hears_with(|message| message.button("Erase everything").is_some())
        .await;
    chat.press(&bot.ann, card.id, "Erase everything").await;
    bot.has_noted("SELECT '1' WHERE NOT EXISTS (SELECT 1 FROM compactions)")
        .await;
    bot.assert_clean();
}
