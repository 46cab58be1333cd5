//! Recipes of JavaScript and TypeScript projects, by the scripts of `package.json`.

use sayso_core::transcript::CheckStrategy;
use serde_json::Value;

use super::Recipe;
use crate::files::ProjectFiles;

const MANIFEST: &str = "package.json";
const SCRIPTS: &[&str] = &[
    "cjs", "css", "cts", "js", "json", "jsx", "mjs", "mts", "svelte", "ts", "tsx", "vue",
];

/// What `npm init` writes where there is no test.
const NO_TEST: &str = "no test specified";

/// The names that scripts of each kind usually have, the first that exists counts.
const NAMES: [(CheckStrategy, &[&str]); 4] = [
    (CheckStrategy::Tests, &["test", "test:unit", "unit"]),
    (CheckStrategy::Lint, &["lint", "eslint"]),
    (
        CheckStrategy::Types,
        &["typecheck", "type-check", "check-types", "types", "tsc"],
    ),
    (CheckStrategy::Build, &["build", "compile"]),
];

pub(super) fn recipes(files: &ProjectFiles) -> Vec<Recipe> {
    if !files.has(MANIFEST) {
        return Vec::new();
    }
    let manifest: Value = serde_json::from_str(files.text(MANIFEST)).unwrap_or_default();
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    let script = |name: &str| scripts?.get(name)?.as_str();
    let manager = manager(files);
    let mut found = Vec::new();
    for (strategy, names) in NAMES {
        let mut names = names.iter();
        let name = names.find(|name| script(name).is_some_and(|it| !it.contains(NO_TEST)));
        if let Some(name) = name {
            let command = format!("{manager} run {name}");
            let recipe = Recipe::found(strategy, command, MANIFEST);
            found.push(match strategy {
                CheckStrategy::Tests => recipe,
                _ => recipe.of_language(SCRIPTS),
            });
        }
    }
    let has_types = found.iter().any(|it| it.strategy == CheckStrategy::Types);
    if !has_types && files.has("tsconfig.json") {
        let recipe = Recipe::found(
            CheckStrategy::Types,
            "npx --no-install tsc --noEmit",
            "tsconfig.json",
        );
        found.push(recipe.of_language(SCRIPTS));
    }
    found
}

/// Returns the program that runs scripts, by the lock file that it keeps.
fn manager(files: &ProjectFiles) -> &'static str {
    let lock = files.first(&["pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"]);
    match lock {
        Some("pnpm-lock.yaml") => "pnpm",
        Some("yarn.lock") => "yarn",
        Some(_) => "bun",
        None => "npm",
    }
}
