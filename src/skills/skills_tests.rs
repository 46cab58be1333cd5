//! The built-in skills, and those that an operator adds.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use sayso_channel::Language;
use serde::Deserialize;

use super::folder::Folder;
use super::{Host, SKILL_FILE, SkillSource, Skills, builtin};

/// Longer texts cost every turn that is routed to them.
const LONGEST_TEXT: usize = 3000;

fn catalogue(language: Language) -> String {
    let catalogue = Skills::builtin().unwrap().catalogue(language);
    let lines: Vec<_> = catalogue
        .iter()
        .map(|skill| format!("{}: {}", skill.name, skill.description))
        .collect();
    lines.join("\n")
}

#[test]
fn skills_for_code_name_the_tools_of_projects_and_those_of_elsewhere() {
    let skills = Skills::builtin().unwrap();
    let reads = [
        "`read_file`",
        "`grep`",
        "`run_cmd`",
        "Elsewhere",
        "`file_read`",
        "`shell`",
    ];
    let changes = ["`apply_patch`", "`file_write`"];
    let changing = [
        "debugging",
        "refactoring",
        "testing",
        "rust-dev",
        "python-dev",
        "web-dev",
    ];
    for name in ["code-review"].into_iter().chain(changing) {
        let text = skills.load(name).unwrap();
        for word in reads {
            assert!(text.contains(word), "{name}: {word}");
        }
        for word in changes.iter().filter(|_| name != "code-review") {
            assert!(text.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn the_built_in_catalogue_in_english() {
    insta::assert_snapshot!(catalogue(Language::English), @r"
    git-workflow: Git workflow (load for git, commits, branches, version control)
    code-review: Code review (load to review code or check its quality)
    shell-safety: Safe shell commands (load before deleting, moving, installing, changing permissions or running a script)
    debugging: Finding the cause of a fault (load for errors, crashes, wrong results)
    new-feature: Building something new in code (load to add, create or implement a feature)
    refactoring: Changing structure, not behaviour (load to refactor, clean up, restructure code)
    testing: Writing and running tests (load for tests, specs, coverage, flaky tests)
    performance: Making things faster or smaller (load for slow, memory, optimise, profiling)
    security-review: Looking for weaknesses (load for security, vulnerabilities, secrets, permissions)
    documentation: Writing technical documents (load for README, docs, comments, guides)
    deployment: Bringing a version into service (load to deploy, publish, roll out, roll back)
    release-notes: Release notes and changelogs (load for changelogs, versions, announcements)
    incident-response: When a service is down or hacked (load for outages, alerts, breaches)
    rust-dev: Rust development (load to write Rust or debug compile errors)
    python-dev: Python development (load to write or debug Python, pip, pytest)
    web-dev: Web development (load for HTML, CSS, JavaScript, React, front ends)
    database: Databases and SQL (load for queries, schemas, migrations, indexes)
    containers: Docker, Compose, Kubernetes (load for images, containers, pods)
    system-admin: Linux administration (load for services, users, disks, networks, logs)
    web-automation: Working on websites by program (load to browse, scrape, fill in forms)
    web-research: Finding out from sources (load for research, comparing, fact checks)
    data-analysis: Answering questions from data (load for CSV, statistics, charts, trends)
    spreadsheets: Excel and other sheets (load for formulas, pivot tables, xlsx)
    file-organising: Sorting files and folders (load to move, rename, tidy up, find duplicates)
    scheduling: Dates, appointments, calendars (load to plan meetings, reminders, times)
    email-drafting: Writing e-mail (load to write, answer or tidy up a mail)
    meeting-notes: Minutes and summaries of talks (load for minutes, transcripts, action items)
    project-planning: Planning projects (load for plans, estimates, roadmaps, priorities)
    writing-editing: Writing and revising texts (load for articles, speeches, proofreading)
    translation: Translating texts (load to translate, localise or check a translation)
    learning: Studying a subject (load to learn, understand, practise or be tutored)
    ");
}

#[test]
fn the_built_in_catalogue_in_chinese() {
    insta::assert_snapshot!(catalogue(Language::Chinese), @r"
    git-workflow: Git 工作流（提到 git、提交代码、分支、版本控制时加载）
    code-review: 代码审查（要 review 代码、检查代码质量时加载）
    shell-safety: 命令行安全（删除、移动文件，安装软件，修改权限或运行脚本之前加载）
    debugging: 查找故障原因（出现报错、崩溃、结果不对时加载）
    new-feature: 在代码中实现新功能（要添加、创建、实现功能时加载）
    refactoring: 重构代码（要重构、清理、整理代码结构时加载）
    testing: 编写与运行测试（提到测试、用例、覆盖率时加载）
    performance: 性能优化（程序慢、占内存、要优化或分析性能时加载）
    security-review: 安全审查（提到安全、漏洞、密钥、权限时加载）
    documentation: 编写技术文档（提到文档、README、注释、说明时加载）
    deployment: 部署与上线（要部署、发布、上线、回滚时加载）
    release-notes: 发布说明与变更日志（写发布说明、版本号、公告时加载）
    incident-response: 故障与安全事件应急（服务宕机、告警、被入侵时加载）
    rust-dev: Rust 开发（编写 Rust、调试 Rust 编译错误时加载）
    python-dev: Python 开发（编写或调试 Python、pip、pytest 时加载）
    web-dev: 网页开发（编写 HTML、CSS、JavaScript、React、前端时加载）
    database: 数据库与 SQL（编写查询、表结构、迁移、索引时加载）
    containers: 容器（使用 Docker、Compose、Kubernetes、镜像时加载）
    system-admin: 系统运维（管理 Linux 服务、用户、磁盘、网络、日志时加载）
    web-automation: 网页浏览与自动化（要浏览网站、抓取数据、填写表单时加载）
    web-research: 网上调研（需要查资料、比较、核实事实时加载）
    data-analysis: 数据分析（处理 CSV、统计、图表、趋势时加载）
    spreadsheets: 电子表格（处理 Excel、公式、透视表、xlsx 时加载）
    file-organising: 整理文件（要移动、重命名、归类文件、查找重复时加载）
    scheduling: 日程与时间安排（安排会议、提醒、日历、时间时加载）
    email-drafting: 撰写邮件（要写邮件、回复邮件时加载）
    meeting-notes: 会议纪要（整理会议记录、录音文字、待办事项时加载）
    project-planning: 项目规划（制定计划、估算、路线图、优先级时加载）
    writing-editing: 写作与润色（写文章、讲稿或校对、润色文字时加载）
    translation: 翻译（要翻译、本地化或校对译文时加载）
    learning: 学习辅导（要学习、弄懂、练习某个主题时加载）
    ");
}

#[test]
fn built_in_texts_are_short_and_have_no_front_matter() {
    let skills = Skills::builtin().unwrap();
    for name in skills.names() {
        let text = skills.load(name).unwrap();
        assert!(text.starts_with("# "), "{name} begins with its title");
        assert!(text.len() < LONGEST_TEXT, "{name}: {} bytes", text.len());
    }
    assert_eq!(skills.load("unknown"), None);
}

#[test]
fn the_hash_is_of_the_whole_file() {
    let catalogue = Skills::builtin().unwrap().catalogue(Language::English);
    let hashes: Vec<_> = catalogue
        .iter()
        .filter_map(|skill| skill.content_hash.as_deref())
        .collect();
    assert_eq!(hashes.len(), catalogue.len());
    assert!(hashes.iter().all(|hash| hash.len() == 64));
}

fn on_disk() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("skills")
}

#[test]
fn everything_in_the_folder_of_skills_is_built_in() {
    let folders = std::fs::read_dir(on_disk()).unwrap();
    let mut there: Vec<_> = folders
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    let mut embedded: Vec<_> = builtin::SKILLS.iter().map(|skill| skill.folder).collect();
    embedded.sort_unstable();
    assert_eq!(embedded, there);
    for skill in builtin::SKILLS {
        let names: Vec<_> = skill.files.iter().map(|(name, _)| *name).collect();
        let listing = Folder::new(&on_disk().join(skill.folder)).list();
        assert_eq!(names, listing.files, "{}", skill.folder);
        assert_eq!(listing.links, Vec::<String>::new(), "{}", skill.folder);
    }
}

#[test]
fn a_file_of_a_built_in_skill_is_named_and_read() {
    let skills = Skills::builtin().unwrap();
    for skill in builtin::SKILLS {
        for (file, content) in skill.files {
            let text = skills.load(skill.folder).unwrap();
            let (body, note) = text.rsplit_once("\n\n").unwrap();
            assert!(body.contains(file), "{}: {file}", skill.folder);
            assert!(note.contains(file), "{}: {file}", skill.folder);
            assert_eq!(skills.file(skill.folder, file).unwrap().unwrap(), *content);
        }
        let outside = skills.file(skill.folder, "../rust-dev/SKILL.md").unwrap();
        assert!(outside.is_err());
    }
    assert_eq!(skills.file("unknown", SKILL_FILE), None);
}

/// Kinds of requests, each with the skill that is of use; for everything else there is none.
const INTENTS: [(&str, &str); 15] = [
    ("bug-fix", "debugging"),
    ("new-feature", "new-feature"),
    ("refactor", "refactoring"),
    ("testing", "testing"),
    ("deployment", "deployment"),
    ("security", "security-review"),
    ("performance", "performance"),
    ("documentation", "documentation"),
    ("shell-command", "shell-safety"),
    ("browser-task", "web-automation"),
    ("calendar", "scheduling"),
    ("email", "email-drafting"),
    ("learning", "learning"),
    ("data-analysis", "data-analysis"),
    ("file-operation", "file-organising"),
];

#[test]
fn there_is_a_skill_for_every_kind_of_request() {
    let skills = Skills::builtin().unwrap();
    for (intent, skill) in INTENTS {
        assert!(skills.load(skill).is_some(), "{intent}: {skill}");
    }
}

/// Messages of one label in both languages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    en: Vec<String>,
    zh: Vec<String>,
}

#[test]
fn the_routing_examples_cover_every_skill_in_both_languages() {
    let text = include_str!("../../tests/data/routing.toml");
    let examples: BTreeMap<String, Examples> = toml::from_str(text).unwrap();
    let mut seen = HashSet::new();
    for (label, Examples { en, zh }) in &examples {
        assert!(en.len() >= 3 && zh.len() >= 3, "{label}: too few");
        assert_eq!(en.len(), zh.len(), "{label}: half and half");
        for message in en.iter().chain(zh) {
            assert!(seen.insert(message), "twice: {message}");
        }
    }
    assert!(seen.len() >= 300, "{}", seen.len());
    assert!(examples["direct"].en.len() >= 30);
    let labels: HashSet<&str> = examples.keys().map(String::as_str).collect();
    let skills = Skills::builtin().unwrap();
    let names: HashSet<&str> = skills.names().chain(["direct"]).collect();
    assert_eq!(labels, names);
}

#[test]
fn a_line_says_in_brackets_when_to_load_the_skill() {
    for language in [Language::English, Language::Chinese] {
        for skill in Skills::builtin().unwrap().catalogue(language) {
            let (when, description) = (skill.when(), &skill.description);
            assert!(when.len() < description.len(), "{description}");
        }
    }
    let when = |description: &str| {
        let mut skill = Skills::builtin()
            .unwrap()
            .catalogue(Language::English)
            .remove(0);
        skill.description = description.to_owned();
        skill.when().to_owned()
    };
    assert_eq!(when("Git (load for git, commits)"), "for git, commits");
    assert_eq!(when("Git（提到 git 时加载）"), "提到 git");
    for whole in ["Use when git is named", "Git (the program)", "Git (load"] {
        assert_eq!(when(whole), whole);
    }
}

#[test]
fn skills_slug_of_two_operators_skills_with_one_name_the_second_is_refused() {
    let home = tempfile::tempdir().unwrap();
    for (folder, name) in [("a", "Tea Time"), ("b", "tea-time"), ("c", "Testing")] {
        let path = home.path().join(folder);
        std::fs::create_dir(&path).unwrap();
        let skill = format!("---\nname: {name}\ndescription: Of {folder}\n---\nBoil.\n");
        std::fs::write(path.join(SKILL_FILE), skill).unwrap();
    }
    let host = Host::new([]);
    let (skills, left_out) = Skills::builtin().unwrap().with_operator(home.path(), &host);
    let line = |name: &str| {
        let catalogue = skills.catalogue(Language::English);
        let found = catalogue.into_iter().find(|skill| skill.name == name);
        found.map(|skill| (skill.description, skill.source))
    };
    let operator = |text: &str| Some((text.to_owned(), SkillSource::Operator));
    assert_eq!(line("tea-time"), operator("Of a"));
    assert_eq!(line("testing"), operator("Of c"));
    let [second] = left_out.as_slice() else {
        panic!("{left_out:?}");
    };
    assert!(second.file.ends_with("b/SKILL.md"));
    assert!(second.why.contains("called `tea-time` as well"), "{second}");
}
