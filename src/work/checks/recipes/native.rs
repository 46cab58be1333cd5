//! Recipes of Go modules, and of projects that CMake builds.

use sayso_core::transcript::CheckStrategy;

use super::Recipe;
use crate::files::ProjectFiles;

const GO: &[&str] = &["go"];
const C: &[&str] = &["c", "cc", "cmake", "cpp", "cxx", "h", "hh", "hpp", "hxx"];

pub(super) fn go(files: &ProjectFiles) -> Vec<Recipe> {
    const MODULE: &str = "go.mod";
    if !files.has(MODULE) {
        return Vec::new();
    }
    let linter = files.first(&[".golangci.yml", ".golangci.yaml", ".golangci.toml"]);
    let lint = match linter {
        Some(by) => Recipe::found(CheckStrategy::Lint, "golangci-lint run", by),
        None => Recipe::found(CheckStrategy::Lint, "go vet ./...", MODULE),
    };
    vec![
        lint.of_language(GO),
        Recipe::found(CheckStrategy::Build, "go build ./...", MODULE).of_language(GO),
        Recipe::found(CheckStrategy::Tests, "go test ./...", MODULE)
            .including(&[CheckStrategy::Build]),
    ]
}

pub(super) fn cmake(files: &ProjectFiles) -> Vec<Recipe> {
    const LISTS: &str = "CMakeLists.txt";
    if !files.has(LISTS) {
        return Vec::new();
    }
    let build = if files.has("build/CMakeCache.txt") {
        "cmake --build build"
    } else {
        "cmake -S . -B build && cmake --build build"
    };
    let mut found = vec![Recipe::found(CheckStrategy::Build, build, LISTS).of_language(C)];
    let text = files.text(LISTS);
    if text.contains("enable_testing") || text.contains("include(CTest)") {
        let command = format!("{build} && ctest --test-dir build --output-on-failure");
        let tests = Recipe::found(CheckStrategy::Tests, command, LISTS);
        found.push(tests.including(&[CheckStrategy::Build]));
    }
    found
}
