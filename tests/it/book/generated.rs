//! Pages and files that are written from what they describe.
//!
//! `SAYSO_WRITE_BOOK=1 cargo test --test it book::generated` writes them anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{check, root};
use crate::command_line::CommandLine;
use crate::test_bot::TestBot;

/// When this is set, what is out of date is written.
const WRITE: &str = "SAYSO_WRITE_BOOK";

/// A file that a command prints.
struct Generated {
    /// Its path from the root of the repository.
    path: &'static str,
    /// What prints it.
    command: &'static [&'static str],
    /// The locale in which it is printed.
    locale: &'static str,
}

const GENERATED: [Generated; 8] = [
    english("deploy/sayso.example.toml", &["config", "example"]),
    english(
        "docs/src/reference/configuration.md",
        &["config", "reference"],
    ),
    chinese(
        "docs/src/reference/configuration.zh-CN.md",
        &["config", "reference"],
    ),
    english("docs/src/reference/cli.md", &["reference", "cli"]),
    english(
        "docs/src/reference/chat-commands.md",
        &["reference", "chat-commands"],
    ),
    chinese(
        "docs/src/reference/chat-commands.zh-CN.md",
        &["reference", "chat-commands"],
    ),
    english("docs/src/reference/tools.md", &["reference", "tools"]),
    english("docs/src/reference/metrics.md", &["reference", "metrics"]),
];

const fn english(path: &'static str, command: &'static [&'static str]) -> Generated {
    Generated {
        path,
        command,
        locale: "C.UTF-8",
    }
}

const fn chinese(path: &'static str, command: &'static [&'static str]) -> Generated {
    Generated {
        path,
        command,
        locale: "zh_CN.UTF-8",
    }
}

/// Returns what a command prints in a locale.
async fn printed(command: &[&str], locale: &str) -> String {
    let mut here = CommandLine::new();
    here.set("LC_ALL", locale);
    let ran = here.run(command, "").await;
    assert_eq!(ran.code, Some(0), "sayso {command:?}: {}", ran.err);
    ran.out
}

fn reference(name: &str) -> String {
    let path = root().join("docs/src/reference").join(name);
    std::fs::read_to_string(path).unwrap()
}

#[tokio::test]
async fn pages_are_those_of_the_program() {
    let mut stale = Vec::new();
    for file in &GENERATED {
        let text = printed(file.command, file.locale).await;
        let path = root().join(file.path);
        if std::fs::read_to_string(&path).is_ok_and(|stored| stored == text) {
            continue;
        }
        if std::env::var_os(WRITE).is_some() {
            std::fs::write(&path, text).unwrap();
        } else {
            let (command, path) = (file.command.join(" "), file.path);
            stale.push(format!("{path}: not what `sayso {command}` prints"));
        }
    }
    assert!(
        stale.is_empty(),
        "{}\nwrite them anew: {WRITE}=1 cargo test --test it book::generated",
        stale.join("\n")
    );
}

#[test]
fn every_key_of_the_configuration_has_an_entry_in_both_languages() {
    for name in ["configuration.md", "configuration.zh-CN.md"] {
        let page = reference(name);
        let mut section = String::new();
        let mut found = BTreeSet::new();
        for line in page.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                let heading = heading.trim_matches('`');
                // The names of a secret and a project are examples.
                let heading = heading.replace("secrets.github", "secrets");
                let heading = heading.replace("projects.site", "projects");
                section = match heading.strip_prefix("[[") {
                    Some(list) => format!("{}.*.", list.trim_end_matches(']')),
                    None if heading.starts_with('[') => {
                        format!("{}.", heading.trim_matches(['[', ']']))
                    }
                    None => String::new(),
                };
            } else if let Some(row) = line.strip_prefix("| `") {
                let key = row.split('`').next().unwrap();
                found.insert(format!("{section}{key}"));
            }
        }
        let known = sayso::config::key_names().map(str::to_owned);
        let missing: Vec<_> = known.filter(|key| !found.contains(key)).collect();
        assert_eq!(missing, Vec::<String>::new(), "{name}");
    }
}

/// Reads the names below a heading of a help text: subcommands or options.
fn names_below<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    let below = help.lines().skip_while(|line| *line != heading).skip(1);
    let below = below.take_while(|line| line.is_empty() || line.starts_with(' '));
    let words = below.filter_map(|line| {
        let indented = line.strip_prefix("  ")?;
        let name = indented.trim_start();
        // Deeper lines go on with what stands above them.
        (indented.len() - name.len() < 6).then_some(name)
    });
    let names = words.filter_map(|line| {
        line.split([' ', ','])
            .find(|word| !word.is_empty() && (!word.starts_with('-') || word.starts_with("--")))
    });
    names.collect()
}

#[tokio::test]
async fn every_subcommand_and_every_flag_of_the_help_has_an_entry() {
    let page = reference("cli.md");
    let mut waiting = vec![Vec::<String>::new()];
    let (mut commands, mut missing) = (0, Vec::new());
    while let Some(command) = waiting.pop() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = printed(&arguments, "C.UTF-8").await;
        let name = ["sayso"].iter().copied();
        let name: Vec<_> = name.chain(command.iter().map(String::as_str)).collect();
        let heading = format!("# `{}`\n", name.join(" "));
        let section = page.split_once(&heading).map(|(_, rest)| rest);
        let section = match section {
            Some(rest) => rest.split("\n#").next().unwrap(),
            None if command.is_empty() => &page,
            None => {
                missing.push(name.join(" "));
                continue;
            }
        };
        commands += 1;
        for flag in names_below(&help, "Options:") {
            let row = format!("`{flag}");
            if !section.contains(&row) && !["--help", "--version", "--config"].contains(&flag) {
                missing.push(format!("{} {flag}", name.join(" ")));
            }
        }
        for inner in names_below(&help, "Commands:") {
            let mut inner_command = command.clone();
            inner_command.push(inner.to_owned());
            waiting.push(inner_command);
        }
    }
    check(&missing);
    assert!(commands > 25, "only {commands} commands were found");
}

#[tokio::test]
async fn every_command_of_the_menu_has_an_entry() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("/whoami");
    chat.hears().await;
    let menus = bot.telegram.menus();
    let names: BTreeSet<String> = menus
        .values()
        .flatten()
        .filter_map(|command| Some(command["command"].as_str()?.to_owned()))
        .collect();
    assert!(names.len() > 15, "{names:?}");
    for page in ["chat-commands.md", "chat-commands.zh-CN.md"] {
        let page = reference(page);
        let missing = names
            .iter()
            .filter(|name| !page.contains(&format!("| `/{name}` |")));
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<&String>::new());
    }
    bot.assert_clean();
}

/// Returns every source of the program, without its tests.
fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, into: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                collect(&path, into);
            } else if path.extension().is_some_and(|it| it == "rs") && !name.contains("test") {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap().to_owned();
                into.push((name, text));
            }
        }
    }
    let mut sources = Vec::new();
    collect(&root().join("src"), &mut sources);
    sources
}

/// What is offered only while an MCP server is configured; the head of the page has it.
const OF_MCP: [&str; 3] = ["McpTool", "McpResource", "McpPrompt"];

#[test]
fn every_tool_of_the_sources_has_an_entry() {
    let page = reference("tools.md");
    let entries = page.lines().filter(|line| line.starts_with("## `")).count();
    let mut tools = BTreeSet::new();
    for (_, text) in sources() {
        let found = text.split("\nimpl Tool for ").skip(1);
        tools.extend(found.filter_map(|rest| Some(rest.split(' ').next()?.to_owned())));
    }
    for of_mcp in OF_MCP {
        assert!(tools.remove(of_mcp), "there is no {of_mcp}");
    }
    assert_eq!(entries, tools.len(), "{tools:?}");
    for name in ["`mcp_resource`", "`mcp_prompt`", "`SERVER__TOOL`"] {
        assert!(page.contains(name), "{name}");
    }
}

/// Returns the metrics that the sources count, each with its labels.
fn counted() -> BTreeMap<String, BTreeSet<String>> {
    let mut metrics = BTreeMap::<String, BTreeSet<String>>::new();
    for (_, text) in sources() {
        for mark in ["counter!(", "gauge!(", "histogram!("] {
            for (at, _) in text.match_indices(mark) {
                let call = &text[at + mark.len()..];
                let call = call.split(';').next().unwrap();
                let Some(name) = call.trim_start().strip_prefix('"') else {
                    continue;
                };
                let name = name.split('"').next().unwrap();
                let labels = call.split(" =>").filter_map(|part| {
                    let label = part.trim_end().strip_suffix('"')?;
                    label.rsplit('"').next().map(str::to_owned)
                });
                metrics.entry(name.to_owned()).or_default().extend(labels);
            }
        }
    }
    metrics
}

#[test]
fn every_metric_that_is_counted_has_an_entry_with_its_labels() {
    let page = reference("metrics.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let described: BTreeMap<String, BTreeSet<String>> = rows
        .map(|row| {
            let name = row.split('`').next().unwrap().to_owned();
            let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
            let labels = cell.split("; ").filter_map(|label| {
                let (name, _) = label.strip_prefix('`')?.split_once("`:")?;
                Some(name.to_owned())
            });
            (name, labels.collect())
        })
        .collect();
    assert_eq!(described, counted());
}

/// Every file and folder that a chat leaves in the data directory is on the page.
#[tokio::test]
async fn every_file_of_the_data_directory_has_an_entry() {
    let page = reference("files.md");
    let bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let entries = std::fs::read_dir(bot.data()).unwrap();
    let names: BTreeSet<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        // What SQLite keeps beside a database while it is open.
        .filter(|name| !name.ends_with("-wal") && !name.ends_with("-shm"))
        .collect();
    assert!(names.contains("sayso.db"), "{names:?}");
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !page.contains(&format!("`{name}")))
        .collect();
    assert_eq!(missing, Vec::<&String>::new());
    bot.assert_clean();
}
