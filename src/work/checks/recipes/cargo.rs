//! Recipes of Rust projects, by `Cargo.toml`.

use sayso_core::transcript::CheckStrategy;

use super::Recipe;
use crate::files::ProjectFiles;

const RUST: &[&str] = &["rs"];
const MANIFEST: &str = "Cargo.toml";

pub(super) fn recipes(files: &ProjectFiles) -> Vec<Recipe> {
    if !files.has(MANIFEST) {
        return Vec::new();
    }
    let manifest: toml::Table = toml::from_str(files.text(MANIFEST)).unwrap_or_default();
    let whole = if manifest.contains_key("workspace") {
        " --workspace"
    } else {
        ""
    };
    let defined = files.present(&["build.rs", "rust-toolchain.toml", ".cargo/config.toml"]);
    let recipe = |strategy, command: String| {
        Recipe::found(strategy, command, MANIFEST).also_defined_by(defined.clone())
    };
    let mut found = vec![
        recipe(
            CheckStrategy::Types,
            format!("cargo check --all-targets{whole}"),
        )
        .of_language(RUST),
        recipe(CheckStrategy::Build, format!("cargo build{whole}")).of_language(RUST),
        recipe(CheckStrategy::Tests, format!("cargo test{whole}"))
            .including(&[CheckStrategy::Types, CheckStrategy::Build]),
    ];
    // Without a word of the project on lints, warnings are a matter of taste.
    let lints = ["lints", "workspace"]
        .iter()
        .filter_map(|key| manifest.get(*key)?.as_table());
    let has_lints = lints.into_iter().any(|table| {
        table.contains_key("clippy")
            || table
                .get("lints")
                .is_some_and(|it| it.get("clippy").is_some())
    });
    let inherits = manifest
        .get("lints")
        .and_then(|lints| lints.get("workspace"))
        .is_some();
    if has_lints || inherits || files.has("clippy.toml") || files.has(".clippy.toml") {
        let command = format!("cargo clippy --all-targets{whole} -- -D warnings");
        found.push(
            recipe(CheckStrategy::Lint, command)
                .of_language(RUST)
                .including(&[CheckStrategy::Types])
                .also_defined_by(files.present(&["clippy.toml", ".clippy.toml"])),
        );
    }
    found
}
