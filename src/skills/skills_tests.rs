//! The built-in skills, and those that an operator adds.

use sayso_channel::Language;

use super::Skills;

/// Longer texts cost every turn that is routed to them.
const LONGEST_TEXT: usize = 3000;

#[test]
fn the_built_in_catalogue_exists_in_both_languages() {
    let skills = Skills::builtin().unwrap();
    let lines = |language| {
        let catalogue = skills.catalogue(language);
        let lines: Vec<_> = catalogue
            .iter()
            .map(|skill| format!("{}: {}", skill.name, skill.description))
            .collect();
        lines.join("\n")
    };
    insta::assert_snapshot!(lines(Language::English), @r"
    git-workflow: Git workflow guide (load when the user mentions git, committing, branches or version control)
    code-review: Code review practice (load when the user asks for a review or a check of code quality)
    rust-dev: Rust development guide (load when the user writes Rust or debugs Rust compile errors)
    shell-safety: Safe use of the command line (load before deleting, moving, installing, changing permissions or running a script)
    ");
    insta::assert_snapshot!(lines(Language::Chinese), @r"
    git-workflow: Git 操作工作流指南（用户提到 git、提交代码、分支、版本控制时加载）
    code-review: 代码审查最佳实践（用户请求 review 代码、检查代码质量时加载）
    rust-dev: Rust 开发规范（用户进行 Rust 开发、调试 Rust 编译错误时加载）
    shell-safety: 命令行安全指南（删除、移动文件，安装软件，修改权限或运行脚本之前加载）
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
