//! `sayso skills install`: what is shown, and that only a yes changes anything.

use crate::command_line::CommandLine;

const TEA: &str =
    "---\nname: tea\ndescription: Tea (load when thirsty)\n---\nBoil\u{200b} the water.\n";

#[tokio::test]
async fn a_skill_is_shown_and_installed_after_a_yes_alone() {
    let here = CommandLine::new();
    std::fs::create_dir_all(here.path("tea")).unwrap();
    here.write("tea/SKILL.md", TEA);
    let installed = here.path("data/installed/tea/SKILL.md");
    for (answer, code) in [("", 1), ("n\n", 1), ("y\n", 0)] {
        assert!(!installed.exists());
        let ran = here.run(&["skills", "install", "tea"], answer).await;
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{ran:?}");
        assert!(ran.out.contains("Boil\\u{200b} the water."), "{}", ran.out);
        assert!(ran.out.contains("text that does not show"), "{}", ran.out);
    }
    assert_eq!(std::fs::read_to_string(installed).unwrap(), TEA);
    let ran = here.run(&["skills", "install", "none"], "y\n").await;
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out.trim(),
        "`none` was not taken: there is nothing of that name"
    );
}
