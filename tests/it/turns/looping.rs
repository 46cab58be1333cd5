//! A model that does the same again and again.

use sayso_fakes::{Answer, Gate};
use serde_json::{Value, json};

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    equal_calls_end_after_five_that_were_kept_from_running,
    ids_do_not_hide_a_loop,
    small_changes_do_not_hide_a_loop,
    two_calls_in_turns_are_a_loop,
    a_kill_does_not_hide_a_loop,
    a_compaction_does_not_hide_a_loop,
    who_is_told_of_a_loop_may_go_another_way
);

/// Has the model make one call a step: the one for the number of results that it has seen.
fn calls(bot: &TestBot, call: impl Fn(usize) -> (&'static str, Value) + Send + Sync + 'static) {
    bot.model.when(move |request| {
        let step = request.tool_results().len();
        (!request.is_routing()).then(|| Answer::calls(vec![call(step)]))
    });
}

/// Plays a loop until the turn gives up, and checks that the calls before `kept` ran and no other.
async fn ends(platform: Platform, kept: usize, call: fn(usize) -> (&'static str, Value)) {
    let bot = TestBot::on(platform).await;
    calls(&bot, call);
    let chat = bot.direct();
    chat.says("tidy up");
    chat.settles(|message| {
        message
            .text
            .contains("I kept trying the same thing and got nowhere")
    })
    .await;
    let last = bot.model.turn_requests().pop().unwrap();
    let results = last.tool_results();
    assert_eq!(results.len(), kept + 4, "{results:#?}");
    for (place, (_, result)) in results.iter().enumerate() {
        let is_kept = result.contains("E_LOOP");
        assert_eq!(is_kept, place >= kept, "{place}: {result}");
    }
    bot.has_noted("SELECT body FROM journal WHERE body ->> 'outcome' ->> 'kind' = 'failed'")
        .await;
    bot.assert_clean();
}

async fn equal_calls_end_after_five_that_were_kept_from_running(platform: Platform) {
    ends(platform, 2, |_| ("list_dir", json!({"path": "."}))).await;
}

async fn ids_do_not_hide_a_loop(platform: Platform) {
    ends(platform, 2, |step| {
        let id = format!(
            "{:08x}-41aa-4b5c-9d7e-{:012x}",
            step * 7_919,
            step * 104_729
        );
        ("file_read", json!({"path": format!("missing/{id}.txt")}))
    })
    .await;
}

async fn small_changes_do_not_hide_a_loop(platform: Platform) {
    ends(platform, 2, |step| {
        let spaces = " ".repeat(step + 1);
        let query = format!("what was said of the summer holidays{spaces}by the sea");
        ("memory_recall", json!({"query": query, "limit": step + 1}))
    })
    .await;
}

async fn two_calls_in_turns_are_a_loop(platform: Platform) {
    ends(platform, 4, |step| match step % 2 {
        0 => ("list_dir", json!({"path": "."})),
        _ => ("file_read", json!({"path": "missing.txt"})),
    })
    .await;
}

/// What was called is in the journal, so it is still known after a start.
async fn a_kill_does_not_hide_a_loop(platform: Platform) {
    let mut bot = TestBot::on(platform).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        match request.tool_results().len() {
            _ if request.is_routing() => None,
            2 => Some(look.held_by(&held)),
            3 => Some(Answer::text("It is empty.")),
            _ => Some(look),
        }
    });
    let chat = bot.direct();
    chat.says("what is there?");
    gate.reached_by(1).await;
    bot.crash().await;
    gate.reached_by(2).await;
    gate.open();
    chat.settles(|message| message.text == "It is empty.").await;
    let last = bot.model.turn_requests().pop().unwrap();
    let kept = last.tool_results().pop().unwrap().1;
    assert!(kept.contains("called like this twice in a row"), "{kept}");
    bot.assert_clean();
}

/// What was called is out of the model's view by then, and still counts: the third call is kept, and the
/// turn ends with the fifth.
async fn a_compaction_does_not_hide_a_loop(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__HISTORY_MESSAGES", "4")]).await;
    bot.model.when(|request| {
        let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
        (!request.is_routing()).then_some(look)
    });
    let chat = bot.direct();
    chat.says("tidy up");
    chat.settles(|message| {
        message
            .text
            .contains("I kept trying the same thing and got nowhere")
    })
    .await;
    let mut seen = Vec::new();
    for entry in bot
        .rows(
            "SELECT body FROM journal WHERE kind IN ('returned', 'compacted', 'ended') ORDER BY seq",
        )
        .await
    {
        let entry: Value = serde_json::from_str(&entry).unwrap();
        seen.push(match entry["entry"].as_str().unwrap() {
            "returned" if entry["outcome"]["code"] == "E_LOOP" => "kept",
            "returned" => "ran",
            "compacted" => "compacted",
            _ => "ended",
        });
    }
    // Each time before the model is asked again, the calls before are out of its view.
    assert_eq!(
        seen,
        [
            "ran",
            "ran",
            "compacted",
            "kept",
            "compacted",
            "kept",
            "compacted",
            "kept",
            "compacted",
            "kept",
            "compacted",
            "kept",
            "ended"
        ]
    );
    bot.assert_clean();
}

async fn who_is_told_of_a_loop_may_go_another_way(platform: Platform) {
    let bot = TestBot::on(platform).await;
    for _ in 0..3 {
        bot.model
            .calls(vec![("file_read", json!({"path": "note.txt"}))]);
    }
    bot.model.calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.says("There is no such file.");
    let chat = bot.direct();
    chat.says("read the note");
    chat.settles(|message| message.text == "There is no such file.")
        .await;
    let last = bot.model.turn_requests().pop().unwrap();
    let results: Vec<String> = last.tool_results().into_iter().map(|it| it.1).collect();
    insta::assert_snapshot!(results.join("\n---\n"), @r#"
    [failed] note.txt: it does not exist
    ---
    [failed] note.txt: it does not exist
    ---
    [error] E_LOOP: not run: `file_read` was called like this twice in a row and came to the same
    It stays kept from running in this turn. Use what you know already, go another way, or tell the user what is in the way; after five of these the turn ends.
    ---
    [outside 6f81aca6: list_dir {"path":"."}]
    (empty)
    [/outside 6f81aca6]
    "#);
    bot.assert_clean();
}
