//! What a front matter may say, and in which line it may not.

use sayso_channel::Language;

use super::{Document, read};
use crate::skills::messages;
use crate::skills::problem::{Finding, Weight};

#[track_caller]
fn good(content: &str) -> Document<'_> {
    read("tea", content).unwrap()
}

fn said(finding: &Finding) -> String {
    let word = match finding.problem.weight() {
        Weight::Advice => "advice",
        Weight::Wrong => "wrong",
        Weight::Refused => "refused",
    };
    let what = messages::problem(&finding.problem, Language::English);
    format!("{}: {word}: {what}", finding.line)
}

#[track_caller]
fn refusal(content: &str) -> String {
    said(&read("tea", content).unwrap_err())
}

/// Returns what is said of these lines below a good name and description.
#[track_caller]
fn findings(more: &str) -> String {
    let content =
        format!("---\nname: tea\ndescription: Tea (load when thirsty)\n{more}---\nBoil.\n");
    let findings = good(&content).findings;
    findings.iter().map(said).collect::<Vec<_>>().join("\n")
}

#[test]
fn front_matter_and_text_are_apart() {
    let content = "\u{feff}---\r\nname: tea\r\ndescription: \"Tea: how to brew\"\r\nlicense: MIT\r\n---\r\nBoil.\n---\nPour.\n";
    let document = good(content);
    assert_eq!(document.front_matter.name, "tea");
    assert_eq!(
        document.front_matter.description(Language::Chinese),
        "Tea: how to brew"
    );
    assert_eq!(document.text, "Boil.\n---\nPour.\n");
    assert_eq!(document.text_line, 6);
}

#[test]
fn everything_that_the_format_has_is_good() {
    let more = "description-zh: 茶（口渴时加载）\n\
        license: Apache-2.0\n\
        compatibility: Needs a kettle\n\
        metadata:\n  author: ann\n  version: 1.0\n  sayso-os: linux macos\n\
        allowed-tools: Bash(git:*) Read\n";
    assert_eq!(findings(more), "");
    assert_eq!(findings("allowed-tools:\n  - Read\n  - Bash(git:*)\n"), "");
    assert_eq!(findings("# nothing else\n"), "");
}

#[test]
fn a_folded_description_is_one_text() {
    let content =
        "---\nname: tea\ndescription: >-\n  How to brew,\n  load when thirsty\n---\nBoil.\n";
    let document = good(content);
    let description = document.front_matter.description(Language::English);
    assert_eq!(description, "How to brew, load when thirsty");
}

#[test]
fn what_a_skill_cannot_be_without_refuses_it() {
    insta::assert_snapshot!(refusal("# Tea"), @"1: refused: a skill begins with `---`, `name: ...`, `description: ...`, `---`");
    insta::assert_snapshot!(refusal(""), @"1: refused: a skill begins with `---`, `name: ...`, `description: ...`, `---`");
    insta::assert_snapshot!(refusal("---\nname: tea\n"), @"1: refused: the front matter is not closed: a second line `---` is missing");
    insta::assert_snapshot!(refusal("---\nname: tea\n---\n"), @"1: refused: `description` is missing; it must be there and say something");
    insta::assert_snapshot!(refusal("---\ndescription: tea\n---\n"), @"1: refused: `name` is missing; it must be there and say something");
    insta::assert_snapshot!(refusal("---\nname: tea\ndescription: ''\n---\n"), @"3: refused: `description` is missing; it must be there and say something");
    insta::assert_snapshot!(refusal("---\nname: tea\ndescription:\n---\n"), @"1: refused: `description` is missing; it must be there and say something");
    insta::assert_snapshot!(refusal("---\n---\n"), @"1: refused: `name` is missing; it must be there and say something");
    insta::assert_snapshot!(refusal("---\n- name\n---\n"), @"2: refused: the front matter cannot be read: expected mapping start; it is YAML, and a value with `: ` or ` #` in it stands in quotes");
}

#[test]
fn what_is_no_yaml_is_refused_with_its_line() {
    insta::assert_snapshot!(refusal("---\nname: tea\ndescription: [a\n---\n"), @"3: refused: the front matter cannot be read: expected string scalar; it is YAML, and a value with `: ` or ` #` in it stands in quotes");
    insta::assert_snapshot!(refusal("---\nname: tea\nlicense: MIT\ndescription: Tea: black\n---\n"), @"4: refused: the front matter cannot be read: mapping values are not allowed in this context; it is YAML, and a value with `: ` or ` #` in it stands in quotes");
    insta::assert_snapshot!(refusal("---\nname: tea\ndescription: a\ndescription: b\n---\n"), @"4: refused: `description` is there twice; each key stands once");
    insta::assert_snapshot!(refusal("---\nname: tea\ndescription: {a: b}\n---\n"), @"3: refused: the front matter cannot be read: expected string scalar; it is YAML, and a value with `: ` or ` #` in it stands in quotes");
    insta::assert_snapshot!(refusal("---\nname: [tea, cake]\ndescription: a\n---\n"), @"2: refused: the front matter cannot be read: expected string scalar; it is YAML, and a value with `: ` or ` #` in it stands in quotes");
    insta::assert_snapshot!(refusal("---\nname: tea\ndescription: a\nallowed-tools: {a: b}\n---\n"), @"4: refused: `allowed-tools` is neither words between spaces nor a list of words");
    insta::assert_snapshot!(refusal("---\nname: tea\ndescription: a\n\nmetadata: words\n---\n"), @"5: refused: `metadata` is not a map; it takes keys with texts");
}

#[test]
fn a_name_is_made_of_few_letters() {
    insta::assert_snapshot!(refusal("---\nname: Tea & Time\ndescription: a\n---\n"), @"2: refused: `name` is `Tea & Time`; it takes 1-64 of a-z, 0-9 and `-`");
    insta::assert_snapshot!(refusal("---\nname: ..\ndescription: a\n---\n"), @"2: refused: `name` is `..`; it takes 1-64 of a-z, 0-9 and `-`");
    insta::assert_snapshot!(refusal("---\n\nname: ../tea\ndescription: a\n---\n"), @"3: refused: `name` is `../tea`; it takes 1-64 of a-z, 0-9 and `-`");
    insta::assert_snapshot!(refusal("---\nname: 茶\ndescription: a\n---\n"), @"2: refused: `name` is `茶`; it takes 1-64 of a-z, 0-9 and `-`");
    let long = "a".repeat(65);
    assert!(
        refusal(&format!("---\nname: {long}\ndescription: a\n---\n")).starts_with("2: refused")
    );
    let longest = "a".repeat(64);
    let content = format!("---\nname: {longest}\ndescription: a\n---\n");
    assert_eq!(read(&longest, &content).unwrap().front_matter.name, longest);
}

#[test]
fn skills_slug_is_what_a_name_with_other_letters_is_loaded_under() {
    #[track_caller]
    fn check(written: &str, folder: &str, name: &str, findings: usize) {
        let content =
            format!("---\nname: \"{written}\"\ndescription: Tea (load when thirsty)\n---\nBoil.\n");
        let document = read(folder, &content).unwrap();
        assert_eq!(document.front_matter.name, name);
        assert_eq!(document.findings.len(), findings, "{:?}", document.findings);
    }
    check("Tea Time", "tea-time", "tea-time", 1);
    check("Tea_Time.v2", "Tea_Time.v2", "tea-time-v2", 1);
    check("TEA", "tea", "tea", 1);
    check("  tea . _ time_ ", "tea-time", "tea-time", 1);
    check("Tea", "other", "tea", 2);
    check("tea", "tea", "tea", 0);
    let content = "---\nname: Tea Time\ndescription: load when thirsty\n---\nBoil.\n";
    let findings = read("tea-time", content).unwrap().findings;
    insta::assert_snapshot!(said(&findings[0]), @"2: advice: `name` is `Tea Time`; it takes a-z, 0-9 and `-`, so the skill is loaded as `tea-time`");
}

#[test]
fn skills_slug_a_list_for_a_text_is_read_as_one_text() {
    let content = "---\nname: [tea]\ndescription:\n  - Tea\n  - load when thirsty\nallowed-tools: Read, Bash(git:*)\n---\nBoil.\n";
    let document = good(content);
    let description = document.front_matter.description(Language::English);
    assert_eq!(description, "Tea, load when thirsty");
    assert_eq!(document.front_matter.allowed_tools, ["Read", "Bash(git:*)"]);
    let findings: Vec<_> = document.findings.iter().map(said).collect();
    insta::assert_snapshot!(findings.join("\n"), @r"
    2: advice: `name` is a list; it is read as one text
    4: advice: `description` is a list; it is read as one text
    ");
}

#[test]
fn what_the_format_forbids_and_can_be_borne_is_found() {
    let content = "---\nname: -tea--time\ndescription: load when thirsty\n---\nBoil.\n";
    let all = |content| {
        let findings = good(content).findings;
        findings.iter().map(said).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(all(content), @r"
    2: wrong: `name` is `-tea--time`; `-` stands between letters or digits, and one at a time
    2: wrong: `name` is `-tea--time` and the folder `tea`; they must be the same
    ");
    let long = format!(
        "---\nname: tea\ndescription: load when {}\ncompatibility: {}\n---\nBoil.\n",
        "茶".repeat(1015),
        "x".repeat(501)
    );
    insta::assert_snapshot!(all(&long), @r"
    3: wrong: `description` has 1025 characters; it takes at most 1024
    4: wrong: `compatibility` has 501 characters; it takes at most 500
    ");
    insta::assert_snapshot!(findings("version: 2\nDescription-zh: 茶\n"), @r"
    4: advice: `version` is no key of the format and is not read; there are `name`, `description`, `description-zh`, `license`, `compatibility`, `metadata`, `allowed-tools`, and what else there is to say goes below `metadata`
    5: advice: `Description-zh` is no key of the format and is not read; there are `name`, `description`, `description-zh`, `license`, `compatibility`, `metadata`, `allowed-tools`, and what else there is to say goes below `metadata`
    ");
    insta::assert_snapshot!(findings("metadata:\n  sayso-os: beos\n  tags: [a, b]\n"), @r"
    5: advice: `tags` in `metadata` is not a text; the format has texts only
    5: wrong: `sayso-os` names `beos`; it takes `linux`, `macos`, `windows`
    ");
    insta::assert_snapshot!(findings("metadata:\n  sayso-steps: 31\n"), @"5: wrong: `sayso-steps` is `31`, but must be a whole number from 1 to 30");
    insta::assert_snapshot!(findings("metadata:\n  sayso-steps: many\n"), @"5: wrong: `sayso-steps` is `many`, but must be a whole number from 1 to 30");
}

#[test]
fn a_skill_may_need_more_steps() {
    let steps = |written: &str| {
        let content = format!(
            "---\nname: tea\ndescription: load when thirsty\nmetadata:\n  sayso-steps: {written}\n---\nBoil.\n"
        );
        good(&content).front_matter.steps
    };
    assert_eq!(steps("30"), Some(30));
    assert_eq!(steps("\"12\""), Some(12));
    assert_eq!(steps("0"), None);
}

#[test]
fn a_description_says_when_to_load_the_skill() {
    #[track_caller]
    fn check(description: &str, says: bool) {
        let content = format!("---\nname: tea\ndescription: \"{description}\"\n---\nBoil.\n");
        assert_eq!(good(&content).findings.is_empty(), says, "{description}");
    }
    check("Brewing tea (load when the user is thirsty)", true);
    check("Brewing tea. Use when the user is thirsty", true);
    check("Use this skill for tea", true);
    check("Load before boiling water", true);
    check("泡茶指南（用户口渴时加载）", true);
    check("烧水之前加载", true);
    check("Brewing tea", false);
    check("Download tea, whenceforth", false);
    check("泡茶指南", false);
}
