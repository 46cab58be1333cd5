//! Which messages need no Phase 1, and, above all, which do.

use sayso_channel::Language;
use sayso_core::transcript::{AssistantMessage, ConversationMessage, Skipped};

use super::skip;
use crate::skills::Skills;

#[track_caller]
fn check(past: &[ConversationMessage], texts: &[&str], expected: Option<Skipped>) {
    let skills = Skills::builtin().unwrap();
    let catalogue =
        [Language::English, Language::Chinese].map(|language| skills.catalogue(language));
    for text in texts {
        assert_eq!(skip(text, &catalogue.concat(), past), expected, "{text:?}");
    }
}

fn we_said(text: &str) -> Vec<ConversationMessage> {
    let said = AssistantMessage {
        text: text.to_owned(),
        ..AssistantMessage::default()
    };
    vec![
        ConversationMessage::user("earlier"),
        ConversationMessage::Assistant(said),
    ]
}

#[test]
fn small_talk_needs_no_phase_1() {
    let talk = [
        "hi",
        "Hello!",
        "hello there 👋",
        "Good morning, Sayso!",
        "Hey, how are you?",
        "What's up?",
        "thanks",
        "Thank you so much!!",
        "ok, thanks",
        "OK. Good night",
        "You’re the best, bye",
        "你好",
        "你好！",
        "您好，最近怎么样？",
        "谢谢你",
        "好的，谢谢",
        "好的谢谢，再见",
        "晚安",
        "hi，你好",
    ];
    check(&[], &talk, Some(Skipped::SmallTalk));
}

#[test]
fn small_talk_with_anything_else_in_it_is_routed() {
    let more = [
        "hi, please review my code",
        "hello, commit this",
        "thanks, now push it",
        "good",
        "hi git",
        "hello world in Rust",
        "thanks but it fails",
        "bye bye old branch",
        "hi /etc/passwd",
        "later files",
        "你好，帮我提交代码",
        "谢谢，再检查一下",
        "好的，删除吧",
        "早点提交",
        "嗨 review 一下",
        "hithere",
        "",
        "👍",
        "...",
    ];
    check(&we_said("Shall I?"), &more, None);
}

#[test]
fn consent_to_what_we_asked_is_routed() {
    let consent = [
        "ok",
        "OK!",
        "great",
        "sounds good, thanks",
        "好的",
        "好的，谢谢",
        "嗯",
    ];
    check(&we_said("I can commit that. Shall I?"), &consent, None);
    check(&we_said("要我现在提交吗？"), &consent, None);
    check(&we_said("Done."), &consent, Some(Skipped::SmallTalk));
    check(
        &we_said("Shall I?"),
        &["thanks", "谢谢"],
        Some(Skipped::SmallTalk),
    );
}

#[test]
fn plain_question_that_no_skill_knows_of_is_not_routed() {
    let questions = [
        "What is the capital of France?",
        "Who wrote Hamlet?",
        "what's 17 plus 3?",
        "Why is the sky blue?",
        "How many days does a leap year have?",
        "Which planet is largest?",
        "How do you say tea in Spanish?",
        "法国的首都是什么？",
        "《红楼梦》的作者是谁？",
        "天空为什么是蓝色的？",
        "一年有多少天？",
    ];
    check(&[], &questions, Some(Skipped::NothingMatches));
}

#[test]
fn plain_statement_about_the_speaker_is_not_routed() {
    let statements = [
        "My name is Ann.",
        "I live in Berlin",
        "I like green tea!",
        "我叫小明。",
        "我喜欢喝绿茶",
    ];
    check(&[], &statements, Some(Skipped::NothingMatches));
}

#[test]
fn what_a_skill_may_know_is_routed() {
    let known = [
        "What is git?",
        "What is a commit?",
        "What are branches?",
        "Why do people commit often?",
        "Who wrote Rust?",
        "What is Rust's borrow checker?",
        "How many reviewers does a change need?",
        "What is sudo permission?",
        "Why is moving costly?",
        "I love Rust",
        "I like reviews",
        "什么是版本控制？",
        "什么是代码审查？",
        "Rust 是什么？",
        "我喜欢写 Rust",
    ];
    check(&[], &known, None);
}

#[test]
fn what_may_need_a_clarification_is_routed() {
    let unclear = [
        "What is it?",
        "What is this?",
        "Why is it slow?",
        "What was that?",
        "where is the file?",
        "What is wrong?",
        "what is",
        "What are the results?",
        "Who are they?",
        "Why does the build fail?",
        "What is in src/main.rs?",
        "What does `ls` do?",
        "What is x? And y?",
        "what is the capital of France",
        "How do I begin?",
        "Can you help me?",
        "Tell me a joke",
        "Do it",
        "help",
        "fix",
        "the usual",
        "I like it",
        "I need a new one",
        "I am stuck",
        "My build is broken",
        "I like tea. Order some.",
        "它是什么？",
        "这是什么？",
        "为什么不行",
        "为什么报错？",
        "刚才的结果是什么？",
        "文件在哪里？",
        "帮我看看",
        "怎么办？",
        "我喜欢这个",
        "[in reply to Bob]\n> yes\nAnn: what is tea?",
        "Ann: hi",
    ];
    check(&[], &unclear, None);
}

#[test]
fn a_long_message_is_routed() {
    let long = format!("What is {}tea?", "very ".repeat(40));
    check(&[], &[&long, &"hi ".repeat(100)], None);
}

#[test]
fn nothing_that_needs_a_skill_is_kept_from_phase_1() {
    let text = include_str!("../../../tests/data/routing.toml");
    let examples: toml::Table = toml::from_str(text).unwrap();
    for (label, messages) in examples.iter().filter(|(label, _)| *label != "direct") {
        let messages = messages.as_table().unwrap();
        for message in messages.values().flat_map(|list| list.as_array().unwrap()) {
            check(&[], &[message.as_str().unwrap()], None);
        }
        assert_eq!(messages.len(), 2, "{label}");
    }
}
