//! What it knows of itself: persona, skills and settings.

use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    the_persona_files_are_in_view_and_may_change_while_it_runs,
    it_looks_up_its_skills_and_itself
);

async fn the_persona_files_are_in_view_and_may_change_while_it_runs(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[]).await;
    let persona = bot.data().join("persona");
    std::fs::create_dir_all(&persona).unwrap();
    std::fs::write(persona.join("SOUL.md"), "Speak like a pirate.").unwrap();
    bot.start();
    bot.listens().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    std::fs::write(
        persona.join("SOUL.md"),
        "Speak like a poet, in long verses.",
    )
    .unwrap();
    std::fs::write(persona.join("USER.md"), "The owner's boat is the Aurora.").unwrap();
    chat.says("hello again");
    chat.hears().await;
    let group = bot.group("Harbour").with(&bot.bob);
    group.says("@sayso_bot ahoy");
    group.hears().await;
    let systems: Vec<String> = bot
        .model
        .turn_requests()
        .iter()
        .map(|request| request.system())
        .collect();
    assert!(systems[0].contains("pirate"));
    assert!(!systems[1].contains("pirate") && systems[1].contains("poet"));
    assert!(
        systems[1].contains("Aurora"),
        "the owner's own notes are for the owner"
    );
    assert!(
        systems[2].contains("poet") && !systems[2].contains("Aurora"),
        "and not for a group"
    );
    bot.assert_clean();
}

async fn it_looks_up_its_skills_and_itself(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.calls(vec![
        ("skill", json!({"name": "git-workflow"})),
        ("skill", json!({"name": "astrology"})),
        ("self_info", json!({})),
    ]);
    bot.model.says("I know now.");
    chat.says("what can you do with git?");
    chat.settles(|message| message.text == "I know now.").await;
    let results = bot.model.turn_requests().pop().unwrap().tool_results();
    let [(_, skill), (_, unknown), (_, itself)] = &results[..] else {
        panic!("three results: {results:?}")
    };
    assert!(skill.to_lowercase().contains("commit"), "{skill}");
    assert!(
        unknown.starts_with("[error]") && unknown.contains("git-workflow"),
        "{unknown}"
    );
    for known in ["fake-1", "supervised", env!("CARGO_PKG_VERSION")] {
        assert!(itself.contains(known), "{known} is not in {itself}");
    }
    assert!(!itself.contains("sk-canary"), "{itself}");
    bot.assert_clean();
}
