//! The plan of a turn: shown to the person, shown to the model again, and still there after a kill.

use sayso_fakes::{Answer, Gate, ModelRequest};
use serde_json::{Value, json};

use crate::platform::{Platform, on_both};
use crate::skills::write;
use crate::test_bot::TestBot;

on_both!(
    a_plan_is_shown_while_it_is_worked_on,
    the_model_is_shown_its_plan_every_two_results,
    a_plan_outlives_a_kill,
    a_skill_may_take_more_steps_than_the_configuration_says
);

fn plan(done: usize) -> (&'static str, Value) {
    let steps = ["look at the folder", "write the note", "say what was done"];
    let steps = steps.iter().enumerate();
    let steps: Vec<Value> = steps
        .map(|(place, text)| json!({"text": text, "done": place < done}))
        .collect();
    ("plan", json!({ "steps": steps }))
}

/// Calls that differ, so that none of them is a repetition.
fn look(folder: &str) -> (&'static str, Value) {
    ("list_dir", json!({ "path": folder }))
}

/// Returns how often the model was shown its plan again.
fn notes(request: &ModelRequest) -> usize {
    let messages = request.messages().iter();
    let texts = messages.filter_map(|message| message["content"].as_str());
    texts.filter(|text| text.contains("Your plan.")).count()
}

async fn a_plan_is_shown_while_it_is_worked_on(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.calls(vec![plan(0)]);
    bot.model.calls(vec![look("."), plan(1)]);
    let answer = Answer::text("It is all done.");
    bot.model.answers(answer.held_by(&gate));
    chat.says("tidy up step by step");
    let live = chat
        .settles(|message| message.text.contains("☑ look at the folder"))
        .await;
    insta::assert_snapshot!(live.text, @r"
    ☑ look at the folder
    ☐ write the note
    ☐ say what was done

    ✓ Looked at your files
    ");
    gate.open();
    chat.settles(|message| message.text == "It is all done.")
        .await;
    assert!(
        bot.model.turn_requests()[0]
            .tools()
            .contains(&"plan".to_owned())
    );
    bot.assert_clean();
}

async fn the_model_is_shown_its_plan_every_two_results(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let folders = ["a", "b", "c", "d"];
    bot.model.calls(vec![plan(0)]);
    for folder in folders {
        bot.model.calls(vec![look(folder)]);
    }
    bot.model.says("Nothing is there.");
    chat.says("look into four folders step by step");
    chat.settles(|message| message.text == "Nothing is there.")
        .await;
    let requests = bot.model.turn_requests();
    let shown: Vec<usize> = requests.iter().map(|it| notes(it)).collect();
    assert_eq!(shown, [0, 0, 0, 1, 1, 2]);
    assert!(requests[5].last_user().contains("☐ write the note"));
    bot.assert_clean();
}

async fn a_plan_outlives_a_kill(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let held = gate.clone();
    bot.model
        .when(move |request| match request.tool_results().len() {
            _ if request.is_routing() => None,
            0 => Some(Answer::calls(vec![plan(1)])),
            1 => Some(Answer::calls(vec![look("a"), look("b")])),
            _ => Some(Answer::text("It is all done.").held_by(&held)),
        });
    chat.says("tidy up");
    gate.reached_by(1).await;
    bot.crash().await;
    gate.reached_by(2).await;
    chat.settles(|message| message.text.contains("☑ look at the folder"))
        .await;
    gate.open();
    chat.settles(|message| message.text == "It is all done.")
        .await;
    let last = bot.model.turn_requests().pop().unwrap();
    assert_eq!(notes(&last), 1);
    bot.assert_clean();
}

async fn a_skill_may_take_more_steps_than_the_configuration_says(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[("AGENT__MAX_STEPS", "1")]).await;
    let long = "---\nname: tea\ndescription: Brewing tea (load when somebody is thirsty)\n\
        metadata:\n  sayso-steps: \"3\"\n---\nBoil.\n";
    write(&bot, "tea/SKILL.md", long);
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    bot.model.routes(r#"{"skills": ["tea"], "direct": false}"#);
    bot.model.calls(vec![look("a")]);
    bot.model.calls(vec![look("b")]);
    bot.model.says("It is brewed.");
    chat.says("tea, please");
    chat.settles(|message| message.text == "It is brewed.")
        .await;
    bot.model.calls(vec![look("a")]);
    bot.model.says("One look was enough.");
    chat.says("and without a skill?");
    chat.settles(|message| message.text.contains("limit of 1 steps"))
        .await;
    bot.assert_clean();
}
