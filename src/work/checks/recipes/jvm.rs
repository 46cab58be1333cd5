//! Recipes of projects that Maven or Gradle builds, with their wrapper where there is one.

use sayso_core::transcript::CheckStrategy;

use super::Recipe;
use crate::files::ProjectFiles;

const JVM: &[&str] = &["groovy", "java", "kt", "kts", "scala", "xml"];

pub(super) fn recipes(files: &ProjectFiles) -> Vec<Recipe> {
    let wrapped = |wrapper: &str, plain: &'static str| {
        if files.has(wrapper) {
            format!("./{wrapper}")
        } else {
            plain.to_owned()
        }
    };
    if files.has("pom.xml") {
        let maven = wrapped("mvnw", "mvn");
        let defined = files.present(&["mvnw"]);
        return both(
            "pom.xml",
            &defined,
            format!("{maven} -B -q -DskipTests compile"),
            format!("{maven} -B test"),
        );
    }
    let Some(script) = files.first(&["build.gradle", "build.gradle.kts"]) else {
        return Vec::new();
    };
    let gradle = wrapped("gradlew", "gradle");
    let defined = files.present(&["gradlew", "settings.gradle", "settings.gradle.kts"]);
    both(
        script,
        &defined,
        format!("{gradle} --console=plain classes"),
        format!("{gradle} --console=plain test"),
    )
}

fn both(script: &str, defined: &[String], build: String, tests: String) -> Vec<Recipe> {
    let recipe = |strategy, command: String| {
        Recipe::found(strategy, command, script).also_defined_by(defined.to_vec())
    };
    vec![
        recipe(CheckStrategy::Build, build).of_language(JVM),
        recipe(CheckStrategy::Tests, tests).including(&[CheckStrategy::Build]),
    ]
}
