//! Skills of the operator: `skills/NAME/SKILL.md` in the data directory.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use super::write;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_skill_of_the_operator_is_chosen_and_its_files_are_read_when_needed,
    what_the_operator_writes_goes_before_what_is_built_in,
    a_skill_that_cannot_be_used_is_left_out_and_logged
);

const TEA: &str = "---\nname: tea\ndescription: Brewing tea (load when somebody is thirsty)\n---\n# Tea\nBoil, then see references/green.md.\n";

async fn a_skill_of_the_operator_is_chosen_and_its_files_are_read_when_needed(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[]).await;
    write(&bot, "tea/SKILL.md", TEA);
    write(&bot, "tea/references/green.md", "Green tea: 80 degrees.");
    fs::write(bot.data().join("secret.txt"), "sk-secret").unwrap();
    symlink(
        bot.data().join("secret.txt"),
        bot.data().join("skills/tea/linked.txt"),
    )
    .unwrap();
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    bot.model.routes(r#"{"skills": ["tea"], "direct": false}"#);
    let read = |file: &str| ("skill", json!({"name": "tea", "file": file}));
    bot.model.calls(vec![
        read("references/green.md"),
        read("linked.txt"),
        read("../../secret.txt"),
        read("/etc/hostname"),
        read("references/black.md"),
    ]);
    bot.model.says("80 degrees.");
    chat.says("how hot for green tea?");
    chat.settles(|message| message.text == "80 degrees.").await;
    let requests = bot.model.requests();
    assert!(requests[0].is_routing());
    assert!(requests[0].mentions("- tea: when somebody is thirsty"));
    let last = bot.model.turn_requests().pop().unwrap();
    assert!(last.mentions("## Skill: tea"));
    assert!(last.mentions("references/green.md]"), "the files are named");
    let results: Vec<String> = last
        .tool_results()
        .into_iter()
        .map(|(_, said)| said)
        .collect();
    insta::assert_snapshot!(results.join("\n"), @r"
    Green tea: 80 degrees.
    [error] E_INVALID_ARGS: `linked.txt` leads out of the skill's folder; only files in it are read
    [error] E_INVALID_ARGS: `../../secret.txt` leads out of the skill's folder; only files in it are read
    [error] E_INVALID_ARGS: `/etc/hostname` leads out of the skill's folder; only files in it are read
    [error] E_INVALID_ARGS: `references/black.md` is not in the skill's folder
    ");
    bot.assert_clean();
}

async fn what_the_operator_writes_goes_before_what_is_built_in(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[]).await;
    let ours = "---\nname: git-workflow\ndescription: Our git (load for squashing)\n---\nSquash everything.\n";
    write(&bot, "git-workflow/SKILL.md", ours);
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    bot.model
        .routes(r#"{"skills": ["git-workflow"], "direct": false}"#);
    chat.says("commit this");
    chat.hears().await;
    let requests = bot.model.requests();
    assert_eq!(requests[0].system().matches("- git-workflow: ").count(), 1);
    assert!(requests[0].mentions("- git-workflow: for squashing"));
    assert!(requests[1].mentions("Squash everything."));
    bot.assert_clean();
}

async fn a_skill_that_cannot_be_used_is_left_out_and_logged(platform: Platform) {
    let mut bot = TestBot::closed_on(platform, &[]).await;
    write(
        &bot,
        "broken/SKILL.md",
        "---\nname: broken\ndescription: [\n---\n",
    );
    let gated = TEA.replace("name: tea", "name: gated").replace(
        "---\n# Tea",
        "metadata:\n  sayso-bins: no-such-kettle\n---\n# Tea",
    );
    write(&bot, "gated/SKILL.md", &gated);
    write(&bot, "tea/SKILL.md", TEA);
    bot.start();
    bot.settles_in().await;
    bot.logs("no-such-kettle").await;
    bot.logs("broken/SKILL.md`, line").await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let routing = bot.model.requests()[0].system();
    assert!(routing.contains("- tea: "), "{routing}");
    assert!(!routing.contains("- gated: "), "{routing}");
    assert!(!routing.contains("- broken: "), "{routing}");
}
