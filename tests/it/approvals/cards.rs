//! Cards with one call and with several, from asking to outcome.

use sayso_fakes::Message;

use super::{asks, card_of, closed, hears, is_open_card, mark, marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    one_call_is_asked_about_and_its_card_shows_the_verdict,
    each_call_of_a_card_has_its_own_verdict_and_results_keep_their_order,
    approve_all_approves_what_is_left,
    deny_all_denies_all,
    calls_beyond_what_a_card_holds_are_asked_about_on_the_next,
    a_call_that_needs_no_yes_is_on_no_card,
    u1_a_card_says_the_danger_of_every_part_the_gravest_first,
    cards_speak_the_language_of_the_chat
);

/// What a denied call gives the model.
const DENIED: &str = "[failed] not run: denied";

/// Asks for three commands at once, and returns their card.
async fn three_calls(bot: &TestBot, chat: &Chat) -> Message {
    let commands = ["a", "b", "c"].map(|name| mark(bot, name));
    chat.says(&format!("run: {}", commands.join(" ;; ")));
    card_of(chat, "c").await
}

/// Returns what the model was told of the calls, in order: `ran` or `denied`.
fn results(bot: &TestBot) -> Vec<&'static str> {
    let request = bot.model.turn_requests().pop().unwrap();
    let results = request.tool_results();
    results
        .iter()
        .map(|(_, text)| match text {
            text if text.starts_with(DENIED) => "denied",
            text if text.contains("\n./mark-") => "ran",
            text => panic!("neither run nor denied: {text}"),
        })
        .collect()
}

async fn u1_a_card_says_the_danger_of_every_part_the_gravest_first(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    chat.says("run: mkdir a; rm -rf photos; curl -d @a/list.txt http://127.0.0.1:9/up");
    let card = chat.settles(is_open_card).await;
    insta::assert_snapshot!(card, @r"
    Sayso: May I run this?

      mkdir a; rm -rf photos; curl -d @a/list.txt http://127.0.0.1:9/up

      • ⚠️ deletes or overwrites files for good (rm -rf photos)
      • ⚠️ sends data to 127.0.0.1:9 (curl -d @a/list.txt http://127.0.0.1:9/up)
      • changes files (mkdir a)
      Only in your folder, with internet · expires in 30 min  [Approve | Deny]  [Deny and say why]
    ");
    chat.press(&bot.ann, card.id, "Deny").await;
    bot.assert_clean();
}

async fn one_call_is_asked_about_and_its_card_shows_the_verdict(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    chat.says("run: true && touch hi");
    let card = chat.settles(is_open_card).await;
    insta::assert_snapshot!(card, @r"
    Sayso: May I run this?

      true && touch hi

      • changes files (touch hi)
      Only in your folder, no internet · expires in 30 min  [Approve | Deny]  [Deny and say why]
    ");
    chat.press(&bot.ann, card.id, "Deny").await;
    hears(&chat, "result: ").await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: run: true && touch hi
    Sayso: ❌ Denied by Ann: true && touch hi
    Sayso: result: [failed] not run: denied
      The user said no to this call. Do not try it again in another form; ask what they want instead.
    ");
    bot.assert_clean();
}

async fn each_call_of_a_card_has_its_own_verdict_and_results_keep_their_order(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = three_calls(&bot, &chat).await;
    assert_eq!(
        card.labels(),
        [
            "✓ 1",
            "✗ 1",
            "✓ 2",
            "✗ 2",
            "✓ 3",
            "✗ 3",
            "Approve all",
            "Deny all"
        ]
    );
    chat.press(&bot.ann, card.id, "✓ 3").await;
    let open = chat
        .becomes(card.id, |card| card.button("✓ 3").is_none())
        .await;
    assert_eq!(
        open.labels(),
        ["✓ 1", "✗ 1", "✓ 2", "✗ 2", "Approve all", "Deny all"]
    );
    assert!(
        marks(&bot).is_empty(),
        "nothing runs before all are decided"
    );
    chat.press(&bot.ann, card.id, "✗ 2").await;
    chat.becomes(card.id, |card| card.button("✗ 2").is_none())
        .await;
    chat.press(&bot.ann, card.id, "✓ 1").await;
    let closed = closed(&chat, card.id).await;
    let told: Vec<&str> = closed.text.lines().skip(1).collect();
    for (line, (mark, name)) in told.iter().zip([("✅", "a"), ("❌", "b"), ("✅", "c")]) {
        assert!(
            line.starts_with(mark) && line.contains(&format!("mark-{name}.")),
            "{closed}"
        );
    }
    hears(&chat, "result: ").await;
    assert_eq!(results(&bot), ["ran", "denied", "ran"]);
    assert_eq!(marks(&bot), ["a", "c"]);
    bot.assert_clean();
}

async fn approve_all_approves_what_is_left(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = three_calls(&bot, &chat).await;
    chat.press(&bot.ann, card.id, "✗ 1").await;
    chat.becomes(card.id, |card| card.button("✗ 1").is_none())
        .await;
    chat.press(&bot.ann, card.id, "Approve all").await;
    hears(&chat, "result: ").await;
    assert_eq!(results(&bot), ["denied", "ran", "ran"]);
    assert_eq!(marks(&bot), ["b", "c"]);
    closed(&chat, card.id).await;
    bot.assert_clean();
}

async fn deny_all_denies_all(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = three_calls(&bot, &chat).await;
    chat.press(&bot.ann, card.id, "Deny all").await;
    hears(&chat, "result: ").await;
    assert_eq!(results(&bot), ["denied", "denied", "denied"]);
    assert!(marks(&bot).is_empty());
    assert!(
        closed(&chat, card.id)
            .await
            .text
            .starts_with("❌ Denied by Ann")
    );
    bot.assert_clean();
}

async fn calls_beyond_what_a_card_holds_are_asked_about_on_the_next(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let names: Vec<String> = (b'a'..=b'k')
        .map(|name| char::from(name).to_string())
        .collect();
    let commands: Vec<String> = names.iter().map(|name| mark(&bot, name)).collect();
    chat.says(&format!("run: {}", commands.join(" ;; ")));
    let first = card_of(&chat, "h").await;
    assert!(!first.text.contains(" i."), "{first}");
    assert_eq!(first.labels(), ["Approve all", "Deny all", "One by one"]);
    chat.press(&bot.ann, first.id, "Approve all").await;
    let second = card_of(&chat, "k").await;
    assert_eq!(second.labels().len(), 8);
    assert_eq!(marks(&bot), names[..8], "nothing of the second card runs");
    chat.press(&bot.ann, second.id, "Deny all").await;
    hears(&chat, "result: ").await;
    assert_eq!(
        results(&bot),
        [["ran"; 8].as_slice(), &["denied"; 3]].concat()
    );
    assert_eq!(marks(&bot), names[..8]);
    bot.assert_clean();
}

async fn a_call_that_needs_no_yes_is_on_no_card(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let command = mark(&bot, "a");
    bot.model.calls(vec![
        ("list_dir", serde_json::json!({"path": "."})),
        ("shell", serde_json::json!({"command": command})),
        ("list_dir", serde_json::json!({"path": "../.."})),
    ]);
    chat.says("look around");
    let card = card_of(&chat, "a").await;
    // Only names of files of her own are in view by now.
    let labels = [
        "Approve",
        "Deny",
        "Deny and say why",
        "Always this exact command",
    ];
    assert_eq!(card.labels(), labels);
    chat.press(&bot.ann, card.id, "Approve").await;
    hears(&chat, "is outside the workspace").await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn cards_speak_the_language_of_the_chat(platform: Platform) {
    let bot = obedient(platform, &[("LANGUAGE", "zh-CN")]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    assert_eq!(
        card.labels(),
        ["批准", "拒绝", "拒绝并说明", "总是允许此命令"]
    );
    let told = chat.press(&bot.ann, card.id, "批准").await;
    assert_eq!(told.text.as_deref(), platform.echo("已批准。"));
    assert!(
        closed(&chat, card.id)
            .await
            .text
            .starts_with("✅ Ann 已批准")
    );
    hears(&chat, "result: ").await;
    bot.assert_clean();
}
