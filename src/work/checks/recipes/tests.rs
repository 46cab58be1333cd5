//! Recipes of small projects of every kind, and what a change of them can affect.

use std::collections::BTreeMap;

use sayso_core::transcript::CheckStrategy::{Build, Custom, Lint, Runtime, Tests, Types};

use super::{ConfiguredChecks, RecipeSource, Request, plan, recipes};
use crate::files::{MANIFESTS, ProjectFiles};

/// Makes a project of files with their texts.
fn project(files: &[(&str, &str)]) -> ProjectFiles {
    let names = files.iter().map(|(name, _)| (*name).to_owned());
    let texts: BTreeMap<String, String> = files
        .iter()
        .filter(|(name, _)| MANIFESTS.contains(name))
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    ProjectFiles::new(names, texts)
}

/// Asserts the commands of a project, in the order in which they run.
#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let found = recipes(&project(files), &ConfiguredChecks::default());
    let commands: Vec<&str> = found.iter().map(|it| it.command.as_str()).collect();
    assert_eq!(commands, expected);
}

#[test]
fn rust() {
    check(
        &[("Cargo.toml", "[package]\nname = \"a\"\n")],
        &["cargo check --all-targets", "cargo build", "cargo test"],
    );
    let with_lints = "[workspace]\nmembers = []\n[workspace.lints.clippy]\nall = \"warn\"\n";
    check(
        &[("Cargo.toml", with_lints)],
        &[
            "cargo clippy --all-targets --workspace -- -D warnings",
            "cargo check --all-targets --workspace",
            "cargo build --workspace",
            "cargo test --workspace",
        ],
    );
    check(
        &[("Cargo.toml", "this is no TOML")],
        &["cargo check --all-targets", "cargo build", "cargo test"],
    );
}

#[test]
fn python() {
    check(&[("app.py", "")], &[]);
    check(&[("test_app.py", "")], &["python3 -B -m unittest"]);
    check(
        &[("app.py", ""), ("tests/test_app.py", "")],
        &["python3 -B -m unittest discover -s tests"],
    );
    check(
        &[("tests/__init__.py", ""), ("tests/test_app.py", "")],
        &["python3 -B -m unittest discover -s tests -t ."],
    );
    let pytest = "python3 -B -m pytest -q -p no:cacheprovider";
    check(&[("conftest.py", ""), ("test_app.py", "")], &[pytest]);
    check(&[("requirements-dev.txt", "pytest==8.1\n")], &[pytest]);
    check(&[("tox.ini", "[testenv]\ncommands = pytest\n")], &[pytest]);
    check(
        &[(
            "pyproject.toml",
            "[tool.ruff]\n[tool.mypy]\nstrict = true\n[tool.pytest.ini_options]\n",
        )],
        &[
            "ruff check --no-cache .",
            "python3 -B -m mypy --no-incremental .",
            pytest,
        ],
    );
    check(
        &[("setup.cfg", "[flake8]\n[mypy]\n")],
        &[
            "python3 -B -m flake8",
            "python3 -B -m mypy --no-incremental .",
        ],
    );
}

#[test]
fn javascript() {
    let scripts = r#"{"scripts": {"test": "vitest run", "lint": "eslint .", "build": "tsc"}}"#;
    check(
        &[("package.json", scripts), ("tsconfig.json", "{}")],
        &[
            "npm run lint",
            "npx --no-install tsc --noEmit",
            "npm run build",
            "npm run test",
        ],
    );
    let placeholder = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    check(&[("package.json", placeholder)], &[]);
    let typed = r#"{"scripts": {"typecheck": "tsc --noEmit", "test": "jest"}}"#;
    check(
        &[("package.json", typed), ("pnpm-lock.yaml", "")],
        &["pnpm run typecheck", "pnpm run test"],
    );
    check(&[("package.json", "[1, 2")], &[]);
}

#[test]
fn others() {
    check(
        &[("go.mod", "module a")],
        &["go vet ./...", "go build ./...", "go test ./..."],
    );
    check(
        &[("pom.xml", ""), ("mvnw", "")],
        &["./mvnw -B -q -DskipTests compile", "./mvnw -B test"],
    );
    check(
        &[("build.gradle.kts", "")],
        &[
            "gradle --console=plain classes",
            "gradle --console=plain test",
        ],
    );
    check(
        &[
            ("CMakeLists.txt", "enable_testing()"),
            ("build/CMakeCache.txt", ""),
        ],
        &[
            "cmake --build build",
            "cmake --build build && ctest --test-dir build --output-on-failure",
        ],
    );
    check(
        &[(
            "Makefile",
            "CC := gcc\nall: a.o\n\tgcc\n.PHONY: test\ntest lint: all\n\t./t\n",
        )],
        &["make lint", "make all", "make test"],
    );
    check(
        &[("justfile", "build mode=\"debug\":\n  go\n@test:\n  t\n")],
        &["just build", "just test"],
    );
    check(&[("README.md", "")], &[]);
}

#[test]
fn a_language_comes_before_make() {
    check(
        &[("test_a.py", ""), ("Makefile", "test:\n\tx\nlint:\n\ty\n")],
        &["make lint", "python3 -B -m unittest"],
    );
}

#[test]
fn the_operator_has_the_last_word() {
    let files = project(&[("Cargo.toml", "")]);
    let configured = |none, commands: &[(_, &str)]| ConfiguredChecks {
        none,
        commands: commands
            .iter()
            .map(|(strategy, command)| (*strategy, (*command).to_owned()))
            .collect(),
    };
    let set = configured(
        false,
        &[(Tests, "make check"), (Types, ""), (Custom, "./x")],
    );
    let found = recipes(&files, &set);
    let commands: Vec<&str> = found.iter().map(|it| it.command.as_str()).collect();
    assert_eq!(commands, ["cargo build", "make check", "./x"]);
    assert_eq!(found[1].source, RecipeSource::Configured);
    assert_eq!(recipes(&files, &configured(true, &[])), []);
    let only = recipes(&files, &configured(true, &[(Runtime, "./serve")]));
    assert_eq!(only.len(), 1);
}

#[test]
fn only_what_a_change_can_affect_runs() {
    let files = project(&[
        ("pyproject.toml", "[tool.ruff]\n[tool.mypy]\n"),
        ("test_app.py", ""),
    ]);
    let all = recipes(&files, &ConfiguredChecks::default());
    let after = |paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let planned = plan(&all, Request::AfterChange(&paths));
        planned.iter().map(|it| it.strategy).collect::<Vec<_>>()
    };
    assert_eq!(after(&["app.py"]), [Lint, Types, Tests]);
    assert_eq!(after(&["data/prices.csv"]), [Tests]);
    assert_eq!(after(&["README.md", "docs/a.png"]), []);
    assert_eq!(after(&["pyproject.toml"]), [Lint, Types, Tests]);
    assert_eq!(plan(&all, Request::All).len(), 3);
}

#[test]
fn what_a_later_check_does_anyway_is_left_out() {
    let files = project(&[("Cargo.toml", "")]);
    let all = recipes(&files, &ConfiguredChecks::default());
    let paths = ["src/lib.rs".to_owned()];
    let planned = plan(&all, Request::AfterChange(&paths));
    let strategies: Vec<_> = planned.iter().map(|it| it.strategy).collect();
    assert_eq!(strategies, [Tests]);
    let all: Vec<_> = plan(&all, Request::All)
        .iter()
        .map(|it| it.strategy)
        .collect();
    assert_eq!(all, [Types, Build, Tests]);
}

#[test]
fn a_recipe_is_defined_by_files() {
    let files = project(&[
        ("Cargo.toml", "[package]"),
        ("build.rs", ""),
        ("src/lib.rs", ""),
    ]);
    let all = recipes(&files, &ConfiguredChecks::default());
    assert!(
        all.iter()
            .all(|it| it.defined_by == ["Cargo.toml", "build.rs"])
    );
}
