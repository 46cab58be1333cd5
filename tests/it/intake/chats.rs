//! What chats do: they move, they close, they speak a language.

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use crate::platform::{Platform, Trouble, on_both};
use crate::test_bot::TestBot;

on_both!(
    a_chat_that_closed_does_not_stop_others_and_may_open_again,
    a_chinese_user_reads_chinese
);

#[tokio::test]
async fn a_group_that_becomes_a_supergroup_keeps_session_and_memory() {
    let bot = TestBot::open().await;
    let group = bot.telegram.group(-555, "Band").with(&bot.ann);
    bot.model.calls(vec![(
        "memory_store",
        json!({"text": "The band plays on Friday."}),
    )]);
    group.says("@sayso_bot we play on Friday");
    group
        .settles(|message| message.text.starts_with("ok:"))
        .await;
    let moved = group.migrates(-1_000_000_000_555);
    moved.says("@sayso_bot when does the band play?");
    moved
        .settles(|message| message.text.contains("when does"))
        .await;
    let turn = bot.model.turn_requests().pop().unwrap();
    assert!(
        super::said(&turn)[0].contains("we play on Friday"),
        "history moves along"
    );
    assert!(
        turn.told().contains("The band plays on Friday."),
        "memory moves along"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn an_answer_finds_a_group_that_moved_meanwhile() {
    let bot = TestBot::open().await;
    let group = bot.telegram.group(-556, "Choir").with(&bot.ann);
    let gate = Gate::new();
    bot.model.answers(Answer::text("On Friday.").held_by(&gate));
    group.says("@sayso_bot when do we sing?");
    gate.reached_by(1).await;
    let moved = group.migrates(-1_000_000_000_556);
    gate.open();
    assert_eq!(moved.hears().await.text, "On Friday.");
    bot.assert_clean();
}

async fn a_chat_that_closed_does_not_stop_others_and_may_open_again(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let gate = Gate::new();
    bot.model.answers(Answer::text("For Bob.").held_by(&gate));
    bob.says("think");
    gate.reached_by(1).await;
    bob.blocks();
    gate.open();
    ann.says("hello");
    assert_eq!(ann.hears().await.text, "ok: hello");
    bob.unblocks();
    bob.says("I am back");
    bob.hears_with(|message| message.text == "ok: I am back")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn an_answer_that_a_closed_chat_missed_is_said_when_it_opens() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    let gate = Gate::new();
    let answer = Answer::text("It is forty-two.");
    bot.model.answers(answer.held_by(&gate));
    chat.says("think");
    gate.reached_by(1).await;
    chat.blocks();
    gate.open();
    bot.logs("message cannot be delivered").await;
    chat.unblocks();
    chat.hears_with(|message| message.text == "It is forty-two.")
        .await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: think
    Sayso: It is forty-two.
    ");
    bot.assert_clean();
}

/// The refusal is known only after the chat has opened again, so the opening finds nothing to repeat.
#[tokio::test]
async fn an_answer_that_is_refused_while_its_chat_opens_is_said_again() {
    let bot = TestBot::open().await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (thinking, refusing) = (Gate::new(), Gate::new());
    let answer = Answer::text("It is forty-two.");
    bot.model.answers(answer.held_by(&thinking));
    bot.saying_fails_for("It is forty-two.", Trouble::AnswerHeld(refusing.clone()));
    ann.says("think");
    thinking.reached_by(1).await;
    ann.blocks();
    thinking.open();
    refusing.reached_by(1).await;
    ann.unblocks();
    // What comes after it was taken in shows that the opening was.
    bob.says("hello");
    bob.hears_with(|message| message.text == "ok: hello").await;
    refusing.open();
    ann.hears_with(|message| message.text == "It is forty-two.")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_card_that_could_not_be_shown_is_shown_when_its_chat_opens() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    let gate = Gate::new();
    let calls = Answer::calls(vec![("shell", json!({"command": "touch now"}))]);
    bot.model.answers(calls.held_by(&gate));
    chat.says("what day is it?");
    gate.reached_by(1).await;
    chat.blocks();
    gate.open();
    bot.logs("message cannot be delivered").await;
    chat.unblocks();
    let card = chat.hears_with(Message::asks).await;
    bot.model.says("Today.");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Today.").await;
    bot.assert_clean();
}

#[tokio::test]
async fn a_chinese_user_reads_in_chinese_why_a_call_was_refused() {
    let bot = TestBot::with(&[
        ("LANGUAGE", "zh-CN"),
        ("AGENT__AUTONOMY", "read_only"),
        ("AGENT__MAX_STEPS", "1"),
    ])
    .await;
    let chat = bot.direct();
    bot.model
        .calls(vec![("shell", json!({"command": "touch now"}))]);
    // The model has no last word, so the report is ours.
    bot.model.answers(Answer::error(401, "{}"));
    chat.says("今天几号？");
    let report = chat
        .settles(|message| message.text.contains("步的上限"))
        .await;
    assert!(report.text.contains("未执行：我在这里只能读取"), "{report}");
    assert!(!report.text.contains("autonomy level"), "{report}");
    // The tool result for the model stays in English.
    let told = bot.model.requests().pop().unwrap();
    assert!(
        told.last_tool_result()
            .contains("the autonomy level is `read_only`")
    );
    bot.assert_clean();
}

async fn a_chinese_user_reads_chinese(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("ACCESS__OWNERS", &*platform.accounts(&[301]))]).await;
    let mei = bot.person(301, "Mei").speaking("zh-hans");
    let chat = bot.direct_with(&mei);
    bot.model
        .calls(vec![("shell", json!({"command": "touch now"}))]);
    chat.says("/whoami");
    chat.hears().await;
    chat.says("/grants");
    chat.hears().await;
    chat.says("今天几号？");
    let card = chat.hears_with(Message::asks).await;
    insta::assert_snapshot!(card, @r"
    Sayso: 可以执行吗？

      touch now

      • 修改文件
      仅限你的文件夹，不联网 · 30 分钟后失效  [批准 | 拒绝]  [拒绝并说明]  [总是允许 touch …]  [总是允许此命令]
    ");
    chat.says("/stop");
    chat.settles(|message| message.text == "⏹ 已停止。").await;
    bot.model.answers(Answer::error(401, "{}"));
    chat.says("你好");
    chat.settles(|message| message.text.contains("密钥")).await;
    let routing = bot.model.requests()[0].system();
    assert!(routing.starts_with("你是"), "{routing}");
    let shown = chat
        .transcript()
        .replace(&platform.account(&mei), "ACCOUNT");
    insta::assert_snapshot!(shown, @r"
    Mei: /whoami
    Sayso: 你是 Mei，我的管理者（ACCOUNT）。
    Mei: /grants
    Sayso: 这里没有长期许可，每次都会询问。
    Mei: 今天几号？
    Sayso: ⏹ 已停止，未执行：touch now
    Mei: /stop
    Sayso: ⏹ 已停止。
    Mei: 你好
    Sayso: ⚠️ 模型服务拒绝了 API 密钥。
      请检查 sayso.toml 的 api_key（可用 sayso doctor）。  [↻ 重试]
    ");
    bot.assert_clean();
}
