//! The requests that the offline model understands.

use super::{Intent, read};

#[track_caller]
fn check(said: &str, expected: &[Intent]) {
    assert_eq!(read(said), expected, "{said}");
}

fn run(command: &str) -> Intent {
    Intent::Run(command.into())
}

fn file(path: &str) -> Intent {
    Intent::Read(path.into())
}

fn list(path: &str) -> Intent {
    Intent::List(path.into())
}

fn write(text: &str, path: &str) -> Intent {
    Intent::Write {
        text: text.into(),
        path: path.into(),
    }
}

#[test]
fn english_requests() {
    check("run ls -la", &[run("ls -la")]);
    check("Please run `cargo test`.", &[run("cargo test")]);
    check("run ls .", &[run("ls .")]);
    check("read README.md", &[file("README.md")]);
    check("list", &[list(".")]);
    check("list the files", &[list(".")]);
    check("ls files", &[list(".")]);
    check("list files in src", &[list("src")]);
    check(
        "write hello there to note.txt",
        &[write("hello there", "note.txt")],
    );
    check(
        "remember that I like tea",
        &[Intent::Remember("I like tea".into())],
    );
    check(
        "What do you remember about tea?",
        &[Intent::Recall("tea".into())],
    );
    check(
        "what do you remember?",
        &[Intent::Recall("what do you remember".into())],
    );
    check("forget tea", &[Intent::Forget("tea".into())]);
}

#[test]
fn chinese_requests() {
    check("运行 ls -la", &[run("ls -la")]);
    check("请帮我运行 ls", &[run("ls")]);
    check("读 README.md", &[file("README.md")]);
    check("列出文件", &[list(".")]);
    check("把 你好 写到 note.txt", &[write("你好", "note.txt")]);
    check("记住，我喜欢茶。", &[Intent::Remember("我喜欢茶".into())]);
    check("你记得茶吗？", &[Intent::Recall("茶".into())]);
    check("忘记茶", &[Intent::Forget("茶".into())]);
}

#[test]
fn several_requests_in_a_sentence_are_several_wishes() {
    check("run pwd and run ls", &[run("pwd"), run("ls")]);
    check("read a.txt and then run ls", &[file("a.txt"), run("ls")]);
    check("运行 pwd，然后运行 ls", &[run("pwd"), run("ls")]);
    check("run echo you and me", &[run("echo you and me")]);
}

#[test]
fn a_text_to_keep_is_not_cut_at_its_verbs() {
    check(
        "remember that I run and read books",
        &[Intent::Remember("I run and read books".into())],
    );
}

#[test]
fn the_last_line_counts_below_quotations_and_behind_labels() {
    check("> something older\nread a.txt", &[file("a.txt")]);
    check(
        "Request: do it\nQuestion: What shall I do?\nAnswer: run git status",
        &[run("git status")],
    );
    check(
        "The user asked for: do it\nThe user now says: list the files\n(Judge both.)",
        &[list(".")],
    );
    check("请求：弄一下\n回答：列出文件", &[list(".")]);
}

#[test]
fn anything_else_is_no_request() {
    for said in [
        "",
        "hello",
        "do it",
        "listen to me",
        "running late",
        "the list of my wishes",
    ] {
        check(said, &[]);
    }
}
