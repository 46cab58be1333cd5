//! `sayso skills check`: each finding with its line, and an exit code for scripts.

use std::path::PathBuf;

use crate::command_line::CommandLine;

const GOOD: &str = "---\nname: tea\ndescription: Tea (load when somebody is thirsty)\n---\n# Tea\n";

fn put(here: &CommandLine, folder: &str, text: &str) {
    std::fs::create_dir_all(here.path(folder)).unwrap();
    here.write(&format!("{folder}/SKILL.md"), text);
}

#[tokio::test]
async fn good_skills_are_counted() {
    let here = CommandLine::new();
    put(&here, "skills/tea", GOOD);
    let ran = here.run(&["skills", "check"], "").await;
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ran.out, @"1 checked: 0 with errors, 0 with nothing but warnings");
}

#[tokio::test]
async fn what_is_wrong_is_said_with_its_line() {
    let here = CommandLine::new();
    put(
        &here,
        "skills/coffee",
        &GOOD.replace("---\n# Tea", "version: 2\n---\n[more](../tea/more.md)"),
    );
    put(
        &here,
        "skills/Tea Time",
        &GOOD.replace("name: tea", "name: Tea Time"),
    );
    put(
        &here,
        "skills/tea",
        &GOOD.replace(" (load when somebody is thirsty)", ""),
    );
    let ran = here.run(&["skills", "check", "skills"], "").await;
    assert_eq!(ran.code, Some(1));
    insta::assert_snapshot!(ran.out, @r"
    skills/Tea Time/SKILL.md:2: warning: `name` is `Tea Time`; it takes a-z, 0-9 and `-`, so the skill is loaded as `tea-time`
    skills/coffee/SKILL.md:2: `name` is `tea` and the folder `coffee`; they must be the same
    skills/coffee/SKILL.md:4: warning: `version` is no key of the format and is not read; there are `name`, `description`, `description-zh`, `license`, `compatibility`, `metadata`, `allowed-tools`, and what else there is to say goes below `metadata`
    skills/coffee/SKILL.md:6: `../tea/more.md` leads out of the skill's folder; only files in it are read
    skills/tea/SKILL.md:1: the skill in the folder `coffee` comes before it and is called `tea` as well; give one of them another name
    skills/tea/SKILL.md:3: warning: `description` does not say when to load the skill; write it as `what it is (load when ...)`
    3 checked: 2 with errors, 1 with nothing but warnings
    ");
}

#[tokio::test]
async fn advice_alone_fails_nothing() {
    let mut here = CommandLine::new();
    put(&here, "tea", "---\nname: tea\ndescription: 茶\n---\n# 茶\n");
    here.set("LANG", "zh_CN.UTF-8");
    let ran = here.run(&["skills", "check", "tea/SKILL.md"], "").await;
    assert_eq!(ran.code, Some(0));
    insta::assert_snapshot!(ran.out, @r"
    tea/SKILL.md:3: 警告：`description` 没有说明何时加载；请写成 `是什么（何时加载）`
    检查了 1 个：0 个有错误，1 个只有警告
    ");
}

#[tokio::test]
async fn a_place_without_skills_is_named() {
    let here = CommandLine::new();
    std::fs::create_dir(here.path("empty")).unwrap();
    let ran = here.run(&["skills", "check", "empty"], "").await;
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ran.err, @"error: no `SKILL.md` in `empty` or below it");
    let ran = here.run(&["skills", "check", "nowhere"], "").await;
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.err, @"error: cannot read `nowhere`: No such file or directory (os error 2)");
}

#[tokio::test]
async fn what_is_built_in_is_without_fault() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/skills");
    let ran = CommandLine::new()
        .run(&["skills", "check", folder], "")
        .await;
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
}

/// Public collections; without the material there is nothing to look at.
#[tokio::test]
async fn public_collections_are_read_as_expected() {
    let material = std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material")),
        PathBuf::from,
    );
    let folder = material.join("skills");
    let Ok(expected) = std::fs::read_to_string(folder.join("expected.json")) else {
        return;
    };
    let expected: Vec<(String, String)> = serde_json::from_str(&expected).unwrap();
    let checked = sayso::bench_support::check_skills(&folder, &sayso::bench_support::Host::new([]));
    let refused: Vec<String> = checked
        .unwrap()
        .into_iter()
        .filter(|skill| {
            let mut weights = skill.findings.iter().map(|one| one.problem.weight());
            weights.any(|weight| weight == sayso::bench_support::Weight::Refused)
        })
        .map(|skill| {
            skill
                .file
                .strip_prefix(&folder)
                .unwrap()
                .display()
                .to_string()
        })
        .collect();
    let mut should: Vec<String> = expected
        .into_iter()
        .filter(|(_, outcome)| outcome != "ok")
        .map(|(file, _)| file)
        .collect();
    should.sort();
    assert_eq!(refused, should);
}
