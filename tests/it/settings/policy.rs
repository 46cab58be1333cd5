//! `[policy]`: what is asked about, what is refused, and for how long a card is open.

use sayso_fakes::Message;
use serde_json::json;

use crate::command_line::CommandLine;
use crate::fetching::{Web, bot_beside, bot_near, get, page, result_of};
use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("policy.allow_commands", full_runs_what_is_listed_and_nothing_else),
    ("policy.allow_hosts", listed_host_is_read_unasked_and_no_other),
    ("policy.ask_hosts", host_that_asks_is_asked_about_although_it_is_allowed),
    ("policy.deny_hosts", denied_host_is_refused_although_it_is_allowed),
    ("policy.allow_network", full_uses_the_network_only_where_it_may),
    ("policy.confirm_write", without_confirm_write_files_are_written_unasked),
    ("policy.confirm_exec", without_confirm_exec_commands_run_unasked),
    ("policy.sandbox", crate::sandbox::chats::an_approved_script_is_held_to_the_workspace_unless_the_sandbox_is_off),
    ("policy.sandboxed_commands", sandboxed_commands_run_unasked_where_that_is_set),
    ("policy.members_system", members_reach_the_system_by_an_owner_or_not_at_all),
    ("policy.members_network", members_reach_the_network_as_it_is_set),
    ("policy.rules", rules_of_the_operator_are_obeyed),
    ("policy.approval_expires_secs", card_is_open_for_so_long),
];

#[tokio::test]
pub async fn full_runs_what_is_listed_and_nothing_else() {
    let settings = [
        ("AGENT__AUTONOMY", "full"),
        ("POLICY__ALLOW_COMMANDS", "[\"touch\"]"),
    ];
    let bot = TestBot::with(&settings).await;
    let chat = bot.direct();
    bot.model.calls(vec![
        ("shell", json!({"command": "touch listed"})),
        ("shell", json!({"command": "mkdir unlisted"})),
    ]);
    bot.model.says("One of two.");
    chat.says("do both");
    chat.settles(|message| message.text == "One of two.").await;
    assert!(bot.workspace().join("listed").exists());
    assert!(!bot.workspace().join("unlisted").exists());
    let refused = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(
        refused.contains("`mkdir` is not in `policy.allow_commands`"),
        "{refused}"
    );
    assert!(chat.messages().iter().all(|message| !message.asks()));
    bot.assert_clean();
}

/// Clones what is beside it: to the policy that is an exchange with another machine.
async fn clones_with(allow_network: &str) -> bool {
    let settings = [
        ("AGENT__AUTONOMY", "full"),
        ("POLICY__ALLOW_COMMANDS", "[\"git\"]"),
        ("POLICY__ALLOW_NETWORK", allow_network),
    ];
    let bot = TestBot::with(&settings).await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let source = bot.workspace().join("source");
    let made = std::process::Command::new("git")
        .arg("init")
        .arg(&source)
        .output();
    assert!(made.unwrap().status.success());
    bot.model
        .calls(vec![("shell", json!({"command": "git clone source copy"}))]);
    bot.model.says("That was it.");
    chat.says("copy it");
    chat.settles(|message| message.text == "That was it.").await;
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    let is_cloned = bot.workspace().join("copy/.git").exists();
    assert_eq!(
        !is_cloned,
        told.contains("`policy.allow_network`"),
        "{told}"
    );
    bot.assert_clean();
    is_cloned
}

#[tokio::test]
pub async fn full_uses_the_network_only_where_it_may() {
    assert!(!clones_with("false").await);
    assert!(clones_with("true").await);
}

fn is_card(message: &Message) -> bool {
    message.asks()
}

/// Has something fetched that must be asked about; nothing may be fetched before the answer.
async fn is_asked_about(bot: &TestBot, web: &Web) {
    let chat = bot.direct();
    bot.model.calls(vec![("http_request", get(&web.url("/")))]);
    chat.says("fetch it");
    chat.hears_with(is_card).await;
    assert!(web.asked().is_empty());
    bot.assert_clean();
}

#[tokio::test]
pub async fn listed_host_is_read_unasked_and_no_other() {
    let web = Web::start(|_| page("text/plain", "fetched")).await;
    let bot = bot_beside(&web, &[]).await;
    let told = result_of(&bot, get(&web.url("/"))).await;
    assert!(told.ends_with("\n\nfetched"), "{told}");

    let unlisted = Web::start(|_| page("text/plain", "fetched")).await;
    let bot = bot_near(&unlisted, &[("POLICY__ALLOW_HOSTS", "example.org")]).await;
    is_asked_about(&bot, &unlisted).await;
}

#[tokio::test]
pub async fn host_that_asks_is_asked_about_although_it_is_allowed() {
    let web = Web::start(|_| page("text/plain", "fetched")).await;
    let bot = bot_beside(&web, &[("POLICY__ASK_HOSTS", "127.0.0.1")]).await;
    is_asked_about(&bot, &web).await;
}

#[tokio::test]
pub async fn denied_host_is_refused_although_it_is_allowed() {
    let web = Web::start(|_| page("text/plain", "fetched")).await;
    let bot = bot_beside(&web, &[("POLICY__DENY_HOSTS", "127.0.0.1")]).await;
    let told = result_of(&bot, get(&web.url("/"))).await;
    assert!(
        told.contains("`127.0.0.1` is on `policy.deny_hosts`"),
        "{told}"
    );
    assert!(web.asked().is_empty());
}

#[tokio::test]
pub async fn without_confirm_write_files_are_written_unasked() {
    let bot = TestBot::with(&[("POLICY__CONFIRM_WRITE", "false")]).await;
    let chat = bot.direct();
    bot.model.calls(vec![(
        "file_write",
        json!({"path": "note", "content": "hi"}),
    )]);
    bot.model.says("Written.");
    chat.says("write it");
    chat.settles(|message| message.text == "Written.").await;
    assert_eq!(
        std::fs::read_to_string(bot.workspace().join("note")).unwrap(),
        "hi"
    );

    // Commands are still asked about.
    bot.model
        .calls(vec![("shell", json!({"command": "touch ran"}))]);
    chat.says("run it");
    chat.hears_with(is_card).await;
    assert!(!bot.workspace().join("ran").exists());
    bot.assert_clean();
}

#[tokio::test]
pub async fn without_confirm_exec_commands_run_unasked() {
    let bot = TestBot::with(&[("POLICY__CONFIRM_EXEC", "false")]).await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", json!({"command": "echo hi > ran"}))]);
    bot.model.says("Done.");
    chat.says("run it");
    chat.settles(|message| message.text == "Done.").await;
    assert!(bot.workspace().join("ran").exists());

    // Files are still asked about.
    bot.model.calls(vec![(
        "file_write",
        json!({"path": "note", "content": "hi"}),
    )]);
    chat.says("write it");
    chat.hears_with(is_card).await;
    assert!(!bot.workspace().join("note").exists());
    bot.assert_clean();
}

#[tokio::test]
pub async fn sandbox_is_what_doctor_tries() {
    let mut here = CommandLine::new();
    let ran = here.run(&["doctor"], "").await;
    let held = "ok  sandbox: the kernel confines commands to their workspace";
    assert!(ran.out.contains(held), "{}", ran.out);

    here.set("SAYSO__POLICY__SANDBOX", "off");
    let ran = here.run(&["doctor"], "").await;
    assert!(ran.out.contains("ok  sandbox: off"), "{}", ran.out);
}

/// Returns what the owner is asked to approve of these commands, before all of them have run.
async fn asked_about(settings: &[(&str, &str)], commands: &[&str]) -> Vec<String> {
    let bot = TestBot::with(settings).await;
    let chat = bot.direct();
    let calls = commands
        .iter()
        .map(|command| ("shell", json!({"command": command})))
        .collect();
    bot.model.calls(calls);
    bot.model.says("All done.");
    chat.says("do it");
    let end = |message: &Message| is_card(message) || message.text == "All done.";
    let last = chat.settles(end).await;
    let asked = commands
        .iter()
        .filter(|command| last.text.contains(**command))
        .map(|command| (*command).to_owned())
        .collect();
    bot.assert_clean();
    asked
}

#[tokio::test]
pub async fn sandboxed_commands_run_unasked_where_that_is_set() {
    let commands = ["touch made", "rm made", "curl http://127.0.0.1:9/"];
    let asked = asked_about(&[], &commands).await;
    assert_eq!(asked, commands);
    let freed = [("POLICY__SANDBOXED_COMMANDS", "allow")];
    let asked = asked_about(&freed, &commands).await;
    assert_eq!(asked, commands[1..]);
}

/// Returns what Bob, who is only let in, hears of this command: whom it waits for, or why it is
/// refused.
async fn member_is_told(settings: &[(&str, &str)], command: &str) -> String {
    let bot = TestBot::with(settings).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    bot.model.says("Hello.");
    ann.says("hi");
    ann.hears().await;
    bot.model
        .calls(vec![("shell", json!({"command": command}))]);
    bot.model.says("All done.");
    bob.says("do it");
    let end = |message: &Message| is_card(message) || message.text == "All done.";
    let last = bob.settles(end).await;
    let told = match last.labels().as_slice() {
        [] => bot.model.requests().pop().unwrap().last_tool_result(),
        ["Deny"] => "an owner".to_owned(),
        _ => "the member".to_owned(),
    };
    bot.assert_clean();
    told
}

#[tokio::test]
pub async fn members_reach_the_system_by_an_owner_or_not_at_all() {
    let command = "cat /etc/hostname";
    assert_eq!(member_is_told(&[], command).await, "an owner");
    let deny = [("POLICY__MEMBERS_SYSTEM", "deny")];
    let told = member_is_told(&deny, command).await;
    assert!(told.contains("`policy.members_system` is `deny`"), "{told}");
    assert_eq!(member_is_told(&deny, "touch a").await, "the member");
}

#[tokio::test]
pub async fn members_reach_the_network_as_it_is_set() {
    let command = "curl -s http://127.0.0.1:9/";
    let set = |to| [("POLICY__MEMBERS_NETWORK", to)];
    assert_eq!(member_is_told(&[], command).await, "an owner");
    assert_eq!(member_is_told(&set("asker"), command).await, "the member");
    let told = member_is_told(&set("deny"), command).await;
    assert!(
        told.contains("`policy.members_network` is `deny`"),
        "{told}"
    );
}

#[tokio::test]
pub async fn rules_of_the_operator_are_obeyed() {
    let directory = tempfile::tempdir().unwrap();
    let rules = directory.path().join("rules.toml");
    std::fs::write(
        &rules,
        "[[rule]]\nprefix = ['touch']\ndecision = 'allow'\njustification = 'fine here'\n\
         match = ['touch a']\n\
         [[rule]]\nprefix = ['pwd']\ndecision = 'ask'\njustification = 'not here'\n\
         match = ['pwd']\n",
    )
    .unwrap();
    let commands = ["touch made", "pwd"];
    assert_eq!(asked_about(&[], &commands).await, commands[..1]);
    let ruled = [("POLICY__RULES", rules.to_str().unwrap())];
    assert_eq!(asked_about(&ruled, &commands).await, commands[1..]);
}

/// The tests of approvals cover what happens when a card expires.
#[tokio::test]
pub async fn card_is_open_for_so_long() {
    let bot = TestBot::with(&[("POLICY__APPROVAL_EXPIRES_SECS", "12345")]).await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", json!({"command": "touch now"}))]);
    chat.says("what time is it?");
    chat.hears_with(is_card).await;
    let open_for = bot
        .rows(
            "SELECT CAST((cards.expires_ms - turns.started_ms) / 10000 AS TEXT)
             FROM cards JOIN turns ON turns.id = cards.turn_id",
        )
        .await;
    assert_eq!(open_for, ["1234"]);
    bot.assert_clean();
}
