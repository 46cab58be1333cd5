//! Checking folders: what is said of which line, and what is never opened.

use std::fs;
use std::path::Path;

use sayso_channel::Language;
use tempfile::TempDir;

use super::check;
use crate::skills::messages;
use crate::skills::requirements::Host;

const HEAD: &str = "---\nname: tea\ndescription: Tea (load when thirsty)\n---\n";

fn write(place: &Path, file: &str, text: &str) {
    let path = place.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn checked(place: &Path) -> String {
    let checked = check(place, &Host::new([])).unwrap();
    let mut lines = Vec::new();
    for skill in checked {
        let file = skill.file.strip_prefix(place).unwrap_or(&skill.file);
        lines.push(format!("{}: {}", file.display(), skill.findings.len()));
        for finding in skill.findings {
            let what = messages::problem(&finding.problem, Language::English);
            lines.push(format!("  {}: {what}", finding.line));
        }
    }
    lines.join("\n")
}

#[test]
fn skills_are_found_below_a_folder() {
    let place = TempDir::new().unwrap();
    for folder in ["b/tea", ".hidden/tea", "node_modules/tea", "a/b/c/tea"] {
        write(
            place.path(),
            &format!("{folder}/SKILL.md"),
            &format!("{HEAD}Boil.\n"),
        );
    }
    write(place.path(), "b/README.md", "no skill");
    insta::assert_snapshot!(checked(place.path()), @r"
    .hidden/tea/SKILL.md: 0
    a/b/c/tea/SKILL.md: 0
    b/tea/SKILL.md: 0
    ");
    insta::assert_snapshot!(checked(&place.path().join("b/tea")), @"SKILL.md: 0");
    insta::assert_snapshot!(checked(&place.path().join("b/tea/SKILL.md")).lines().count(), @"1");
}

#[test]
fn links_lead_to_files_of_the_folder() {
    let place = TempDir::new().unwrap();
    let tea = place.path().join("tea");
    let text = "See [black](references/black.md#milk), [green](./references/green.md \"x\") and\n\
        [all](references/), [the web](https://example.com/a.md), [here](#top), `[x](no.md)`.\n\
        ```\n[not a link](nowhere.md)\n```\n\
        [out](../coffee/SKILL.md), [root](/etc/passwd), [back](references/../SKILL.md).\n";
    write(&tea, "SKILL.md", &format!("{HEAD}{text}"));
    write(&tea, "references/black.md", "# Black");
    insta::assert_snapshot!(checked(&tea), @r"
    SKILL.md: 3
      5: `./references/green.md` is not in the skill's folder
      10: `../coffee/SKILL.md` leads out of the skill's folder; only files in it are read
      10: `/etc/passwd` leads out of the skill's folder; only files in it are read
    ");
}

#[cfg(unix)]
#[test]
fn what_leads_out_of_the_folder_is_not_read() {
    let place = TempDir::new().unwrap();
    write(place.path(), "secret.md", HEAD);
    let tea = place.path().join("tea");
    write(&tea, "SKILL.md", &format!("{HEAD}Boil.\n"));
    std::os::unix::fs::symlink("../secret.md", tea.join("linked.md")).unwrap();
    let coffee = place.path().join("coffee");
    fs::create_dir(&coffee).unwrap();
    std::os::unix::fs::symlink("../secret.md", coffee.join("SKILL.md")).unwrap();
    insta::assert_snapshot!(checked(&tea), @r"
    SKILL.md: 1
      1: `linked.md` leads out of the skill's folder; only files in it are read
    ");
    insta::assert_snapshot!(checked(&coffee), @r"
    SKILL.md: 1
      1: `SKILL.md` leads out of the skill's folder; only files in it are read
    ");
}

#[test]
fn what_is_no_text_is_refused() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("SKILL.md"), b"---\nname: \xff\n---\n").unwrap();
    insta::assert_snapshot!(checked(place.path()), @r"
    SKILL.md: 1
      1: the file is not UTF-8 text
    ");
    let large = format!("{HEAD}{}", "x".repeat(1024 * 1024));
    fs::write(place.path().join("SKILL.md"), large).unwrap();
    insta::assert_snapshot!(checked(place.path()), @r"
    SKILL.md: 1
      1: the file has more than 1048576 bytes
    ");
}

#[test]
fn a_text_is_neither_empty_nor_endless() {
    let place = TempDir::new().unwrap();
    let tea = place.path().join("tea");
    write(&tea, "SKILL.md", HEAD);
    insta::assert_snapshot!(checked(&tea), @r"
    SKILL.md: 1
      5: there is no text below the front matter
    ");
    write(
        &tea,
        "SKILL.md",
        &format!("{HEAD}{}", "Boil.\n".repeat(501)),
    );
    insta::assert_snapshot!(checked(&tea), @r"
    SKILL.md: 1
      5: the text has 501 lines; beyond 500 they belong into files that are read when needed (`references/`)
    ");
}

#[test]
fn skills_slug_that_another_beside_it_has_is_found() {
    let place = TempDir::new().unwrap();
    for (folder, name) in [
        ("a", "Tea Time"),
        ("b", "tea_time"),
        ("other/b", "tea-time"),
    ] {
        let head = HEAD.replace("tea\n", &format!("{name}\n"));
        write(
            place.path(),
            &format!("{folder}/SKILL.md"),
            &format!("{head}Boil.\n"),
        );
    }
    let said = checked(place.path());
    let taken = "the skill in the folder `a` comes before it and is called `tea-time` as well";
    assert_eq!(said.matches(taken).count(), 1, "{said}");
    assert!(said.contains("loaded as `tea-time`"), "{said}");
}
