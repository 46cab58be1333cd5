//! Recipes of Python projects. Commands leave no `__pycache__` behind (`-B`).

use sayso_core::transcript::CheckStrategy;

use super::Recipe;
use crate::files::ProjectFiles;

const PYTHON: &[&str] = &["py", "pyi"];

/// Files that list packages.
const REQUIREMENTS: [&str; 4] = [
    "requirements-dev.txt",
    "requirements-test.txt",
    "requirements.txt",
    "requirements_dev.txt",
];

/// Files that configure how tests run.
const DEFINES_TESTS: [&str; 7] = [
    "conftest.py",
    "pyproject.toml",
    "pytest.ini",
    "setup.cfg",
    "setup.py",
    "tests/conftest.py",
    "tox.ini",
];

pub(super) fn recipes(files: &ProjectFiles) -> Vec<Recipe> {
    let tests = tests(files);
    let lint = lint(files);
    let types = types(files);
    [lint, types, tests].into_iter().flatten().collect()
}

/// Returns how the tests run: with pytest where the project names it, else with unittest.
fn tests(files: &ProjectFiles) -> Option<Recipe> {
    let config = ["pytest.ini", "conftest.py", "tests/conftest.py"];
    let mentions = |name: &&str| files.text(name).contains("pytest");
    let mut listed = ["pyproject.toml", "setup.cfg", "setup.py", "tox.ini"]
        .into_iter()
        .chain(REQUIREMENTS);
    let by = files.first(&config).or_else(|| listed.find(mentions));
    let (command, source) = match by {
        Some(by) => ("python3 -B -m pytest -q -p no:cacheprovider", by),
        None => unittest(files)?,
    };
    let recipe = Recipe::found(CheckStrategy::Tests, command, source);
    Some(recipe.also_defined_by(files.present(&DEFINES_TESTS)))
}

/// Returns how unittest finds the tests: its own discovery sees `test*.py` at the root and in packages.
fn unittest(files: &ProjectFiles) -> Option<(&'static str, &'static str)> {
    let has_tests_in = |folder: &str| {
        files.any(|name| {
            let inside = name.strip_prefix(folder);
            inside.is_some_and(|it| !it.contains('/') && is_test_file(it))
        })
    };
    if has_tests_in("") {
        return Some(("python3 -B -m unittest", "test*.py"));
    }
    for (folder, package, plain) in [
        (
            "tests/",
            "python3 -B -m unittest discover -s tests -t .",
            "python3 -B -m unittest discover -s tests",
        ),
        (
            "test/",
            "python3 -B -m unittest discover -s test -t .",
            "python3 -B -m unittest discover -s test",
        ),
    ] {
        if has_tests_in(folder) {
            let is_package = files.has(&format!("{folder}__init__.py"));
            return Some((if is_package { package } else { plain }, folder));
        }
    }
    None
}

/// `test*.py` is the pattern of unittest's discovery.
fn is_test_file(name: &str) -> bool {
    name.starts_with("test") && name.strip_suffix(".py").is_some()
}

fn lint(files: &ProjectFiles) -> Option<Recipe> {
    let ruff = files.first(&["ruff.toml", ".ruff.toml"]).or_else(|| {
        files
            .text("pyproject.toml")
            .contains("[tool.ruff")
            .then_some("pyproject.toml")
    });
    if let Some(by) = ruff {
        let recipe = Recipe::found(CheckStrategy::Lint, "ruff check --no-cache .", by);
        return Some(recipe.of_language(PYTHON));
    }
    let flake8 = files.first(&[".flake8"]).or_else(|| {
        let mut configs = ["setup.cfg", "tox.ini"].into_iter();
        configs.find(|name| files.text(name).contains("[flake8]"))
    })?;
    let recipe = Recipe::found(CheckStrategy::Lint, "python3 -B -m flake8", flake8);
    Some(recipe.of_language(PYTHON))
}

fn types(files: &ProjectFiles) -> Option<Recipe> {
    let mypy = files.first(&["mypy.ini", ".mypy.ini"]).or_else(|| {
        let pyproject = files.text("pyproject.toml").contains("[tool.mypy");
        let setup = files.text("setup.cfg").contains("[mypy]");
        match (pyproject, setup) {
            (true, _) => Some("pyproject.toml"),
            (false, true) => Some("setup.cfg"),
            (false, false) => None,
        }
    });
    if let Some(by) = mypy {
        let command = "python3 -B -m mypy --no-incremental .";
        return Some(Recipe::found(CheckStrategy::Types, command, by).of_language(PYTHON));
    }
    let pyright = files.first(&["pyrightconfig.json"]).or_else(|| {
        let named = files.text("pyproject.toml").contains("[tool.pyright");
        named.then_some("pyproject.toml")
    })?;
    Some(Recipe::found(CheckStrategy::Types, "pyright", pyright).of_language(PYTHON))
}
