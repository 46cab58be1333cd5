//! `sayso policy explain` says what the configuration makes of a command, and without one what its
//! text says.

use crate::command_line::CommandLine;

const CONFIGURATION: &str = "[agent]\nautonomy = 'supervised'\n\
    [policy]\nallow_commands = ['git']\nconfirm_exec = false\nrules = 'rules.toml'\n";

const RULES: &str = "[[rule]]\nprefix = ['git', 'push']\ndecision = 'deny'\nroles = ['member']\n\
    justification = 'only owners publish'\nmatch = ['git push']\n";

#[tokio::test]
async fn without_a_configuration_the_text_is_judged() {
    let here = CommandLine::new();
    let ran = here.run(&["policy", "explain", "touch a"], "").await;
    insta::assert_snapshot!(ran.out, @"ask\ttouch a\tit changes files");
}

#[tokio::test]
async fn with_a_configuration_it_is_what_would_be_decided() {
    let here = CommandLine::new();
    let file = here.write("mine.toml", CONFIGURATION);
    here.write("rules.toml", RULES);
    let explained = async |more: &[&str]| {
        let file = file.to_str().unwrap();
        let arguments = [&["policy", "explain", "--config", file], more].concat();
        here.run(&arguments, "").await
    };
    let commands = ["touch a", "git push", "git add a"];
    let ran = explained(&commands).await;
    insta::assert_snapshot!(ran.out, @r"
    allow	touch a	`policy.confirm_exec` is `false`
    deny	git push	it is forbidden: only owners publish. Nobody can approve it; do not try it in other words
    allow	git add a	`policy.confirm_exec` is `false`
    ");
    assert!(
        ran.err
            .contains("level `supervised`, role `member`, command rules: 1"),
        "{}",
        ran.err
    );
    let full = ["--level", "full", "--role", "owner"];
    let ran = explained(&[&full[..], &commands].concat()).await;
    insta::assert_snapshot!(ran.out, @r"
    deny	touch a	`touch` is not in `policy.allow_commands`, which has `git`
    deny	git push	it needs the network, and `policy.allow_network` is `false`: it exchanges commits with another machine. Do it without the network, or say that the operator can allow it
    allow	git add a	its programs are on `policy.allow_commands`
    ");
    let ran = explained(&["--json", "--level", "read_only", "touch a"]).await;
    assert!(ran.out.contains(r#""decision":"deny""#), "{}", ran.out);
    assert!(
        ran.out.contains(r#""level":"read_only","role":"member""#),
        "{}",
        ran.out
    );
}
