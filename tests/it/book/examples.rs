//! Examples of the pages. The words behind a fence say how they are run:
//!
//! - `toml,sayso-config`: a configuration, which the program must accept without a warning. Each variable
//!   that it names is set.
//! - `toml,sayso-file=NAME`: a file beside the configurations of the page.
//! - `sh,sayso`: lines that begin with `$ ` are commands. They run in one temporary home for the whole
//!   page, and must succeed. Other lines are output that must appear, in order; `...` stands for some.
//! - `chat`: lines that begin with `you> ` are typed into a chat with the offline model. The others must
//!   appear on the screen, in order.

use std::path::Path;

use super::{Block, Page, check, pages};
use crate::command_line::{CommandLine, Ran, ended};

/// The directory of the program.
fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_sayso")).parent().unwrap()
}

/// A home of a reader of one page.
fn home(page: &Page) -> CommandLine {
    let mut home = CommandLine::of_a_person();
    let path = std::env::var("PATH").unwrap_or_default();
    home.set("PATH", &format!("{}:{path}", program().display()));
    home.set("LC_ALL", "C.UTF-8");
    for block in page.blocks() {
        if let Some(name) = block.value("sayso-file") {
            home.write(name, &block.text);
        }
    }
    home
}

/// Returns the names behind each `env:` of a configuration.
fn variables(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = text
        .split("\"env:")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns a value for a variable, in the form that its key takes; no two are alike.
fn placeholder(name: &str) -> String {
    if name.contains("DISCORD") {
        return format!("AbC123.dEf456.{name}");
    }
    if name.contains("SECRET") {
        return format!("secret-{name}");
    }
    format!("12345:{name}")
}

#[tokio::test]
async fn configurations_are_accepted() {
    let (mut count, mut breaches) = (0, Vec::new());
    for page in pages() {
        for block in page.blocks().iter().filter(|it| it.is("sayso-config")) {
            count += 1;
            let mut home = home(&page);
            home.write("sayso.toml", &block.text);
            for name in variables(&block.text) {
                home.set(name, &placeholder(name));
            }
            let ran = home.run(&["config", "check"], "").await;
            if ran.code != Some(0) || ran.out.contains("warning") || !ran.err.is_empty() {
                breaches.push(format!("{}:\n{}{}", block.place, ran.out, ran.err));
            }
        }
    }
    check(&breaches);
    println!("{count} configurations");
}

/// A command with the output that its block shows.
#[derive(Debug, PartialEq)]
struct Step {
    command: String,
    output: Vec<String>,
}

/// Reads the commands of a block. A line that ends in `\` goes on.
fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_open = false;
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                command: command.to_owned(),
                output: Vec::new(),
            }),
            (None, Some(step)) if is_open => {
                step.command.push('\n');
                step.command.push_str(line);
            }
            (None, Some(step)) => step.output.push(line.to_owned()),
            (None, None) => panic!("{}: does not begin with a command", block.place),
        }
        let command = steps.last().filter(|step| step.output.is_empty());
        is_open = command.is_some_and(|step| step.command.ends_with('\\'));
    }
    steps
}

/// Returns the first of the lines that does not appear behind the ones before it.
fn missing<'a>(shown: &'a [String], output: &str) -> Option<&'a str> {
    let mut lines = output.lines().map(str::trim);
    let wanted = shown.iter().map(|line| line.trim());
    let mut wanted = wanted.filter(|line| !line.is_empty() && *line != "...");
    wanted.find(|wanted| !lines.any(|line| line == *wanted))
}

#[tokio::test]
async fn commands_run_and_print_what_is_shown() {
    let (mut count, mut breaches) = (0, Vec::new());
    for page in pages() {
        let home = home(&page);
        for block in page.blocks() {
            if !(block.is("sh") && block.is("sayso")) {
                continue;
            }
            for step in steps(&block) {
                count += 1;
                let ran = shell(&home, &step.command).await;
                let place = format!("{}: $ {}", block.place, step.command);
                if ran.code != Some(0) {
                    breaches.push(format!("{place}\nended with {ran:?}"));
                } else if let Some(line) = missing(&step.output, &(ran.out.clone() + &ran.err)) {
                    breaches.push(format!(
                        "{place}\ndoes not print `{line}`, but\n{}",
                        ran.out
                    ));
                }
            }
        }
    }
    check(&breaches);
    println!("{count} commands");
}

async fn shell(home: &CommandLine, command: &str) -> Ran {
    let mut shell = home.program("sh", &["-c", command]);
    let mut child = shell.spawn().unwrap();
    drop(child.stdin.take());
    ended(child).await
}

#[tokio::test]
async fn chats_are_as_shown() {
    let (mut count, mut breaches) = (0, Vec::new());
    for page in pages() {
        for block in page.blocks().iter().filter(|it| it.is("chat")) {
            count += 1;
            let (typed, shown): (Vec<&str>, Vec<&str>) = block
                .text
                .lines()
                .partition(|line| line.starts_with("you> "));
            let typed: Vec<&str> = typed.iter().map(|line| &line["you> ".len()..]).collect();
            let shown: Vec<String> = shown.iter().map(|line| (*line).to_owned()).collect();
            let ran = home(&page).run(&["chat"], &(typed.join("\n") + "\n")).await;
            if let Some(line) = missing(&shown, &ran.out) {
                let place = &block.place;
                breaches.push(format!("{place}: nothing says `{line}`, but\n{}", ran.out));
            }
        }
    }
    check(&breaches);
    println!("{count} chats");
}

/// What is in a block that has an unknown mark would never run.
#[test]
fn marks_are_known() {
    let known = |info: &str| {
        ["chat", "sayso", "sayso-config"].contains(&info) || info.starts_with("sayso-file=")
    };
    let mut breaches = Vec::new();
    for page in pages() {
        for block in page.blocks() {
            let unknown = block.info.iter().skip(1).find(|info| !known(info));
            if let Some(mark) = unknown {
                breaches.push(format!("{}: unknown mark `{mark}`", block.place));
            }
            if block.is("sh") && !block.is("sayso") && block.text.contains("sayso ") {
                let place = &block.place;
                breaches.push(format!(
                    "{place}: `sh` that runs is `sh,sayso`, else `text`"
                ));
            }
        }
    }
    check(&breaches);
}

#[test]
fn blocks_are_read_as_written() {
    let block = Block {
        place: "page:1".to_owned(),
        info: vec!["sh".to_owned(), "sayso".to_owned()],
        text: "$ one \\\n  two\nout\n...\nend\n$ three\n".to_owned(),
    };
    let step = |command: &str, output: &[&str]| Step {
        command: command.to_owned(),
        output: output.iter().map(|line| (*line).to_owned()).collect(),
    };
    assert_eq!(
        steps(&block),
        [
            step("one \\\n  two", &["out", "...", "end"]),
            step("three", &[])
        ]
    );
    let shown = step("", &["out", "...", "end"]).output;
    assert_eq!(missing(&shown, "out\nin between\n end\n"), None);
    assert_eq!(missing(&shown, "end\nout\n"), Some("end"));
    assert_eq!(
        variables("a = \"env:B\"\nc = [\"env:A\", \"env:B\"]"),
        ["A", "B"]
    );
}
