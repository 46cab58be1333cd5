//! Configurations that cannot be used: exit code 2, and the file, the key, the value and what is allowed.

use crate::command_line::CommandLine;

/// Checks what is said about this file by whatever would start with it.
async fn check(text: &str, said: &str) {
    let here = CommandLine::new();
    here.write("sayso.toml", text);
    for arguments in [&["run"][..], &["chat"], &["config", "check"]] {
        let ran = here.run(arguments, "").await;
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(2), ""),
            "{arguments:?}: {}",
            ran.err
        );
        assert_eq!(ran.err.trim_end(), said, "{arguments:?}");
        assert!(!here.path("data").exists(), "{arguments:?} has begun");
    }
}

#[tokio::test]
async fn what_is_not_toml_is_shown_where_it_begins() {
    check(
        "[agent]\nmax_steps = = 3\n",
        "error: ./sayso.toml:2:13: this is not TOML: extra `=`, expected nothing",
    )
    .await;
}

#[tokio::test]
async fn unknown_key_is_refused_with_those_that_exist() {
    check(
        "[policy]\nconfirm_exce = false\n",
        "error: ./sayso.toml:2: unknown key `policy.confirm_exce`; allowed in `[policy]`: \
         `allow_commands`, `allow_hosts`, `ask_hosts`, `deny_hosts`, \
         `allow_network`, `confirm_write`, `confirm_exec`, `sandbox`, \
         `sandboxed_commands`, `members_system`, `members_network`, `rules`, \
         `approval_expires_secs`\n\
         hint: did you mean `confirm_exec`?",
    )
    .await;
}

#[tokio::test]
async fn value_out_of_range_is_refused_with_the_range() {
    check(
        "[agent]\nmax_steps = 31\n",
        "error: ./sayso.toml:2: `agent.max_steps` is `31`, but must be a whole number from 1 to 30",
    )
    .await;
}

#[tokio::test]
async fn word_that_does_not_exist_is_refused_with_the_words() {
    check(
        "[agent]\nautonomy = \"reckless\"\n",
        "error: ./sayso.toml:2: `agent.autonomy` is `reckless`, but must be `read_only`, `supervised` or `full`",
    )
    .await;
}

#[tokio::test]
async fn secret_is_never_shown_in_a_refusal() {
    check(
        "[channels.telegram]\ntoken = \"hush hush\"\n",
        "error: ./sayso.toml:2: `channels.telegram.token` must be BotFather's token: digits, a colon, then `A-Z a-z 0-9 _ -`",
    )
    .await;
}

#[tokio::test]
async fn bad_variable_is_named() {
    let mut here = CommandLine::new();
    here.set("SAYSO__AGENT__MAX_STEPS", "many");
    let ran = here.run(&["chat"], "").await;
    assert_eq!(ran.code, Some(2));
    let said = "error: environment variable SAYSO__AGENT__MAX_STEPS: `agent.max_steps` is `many`, \
                but must be a whole number from 1 to 30\n";
    assert_eq!(ran.err, said);
}

#[tokio::test]
async fn missing_file_is_named() {
    let ran = CommandLine::new()
        .run(&["--config", "none.toml", "run"], "")
        .await;
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err,
        "error: `none.toml` does not exist (named by --config)\n"
    );
}

#[tokio::test]
async fn chat_f20_a_directory_is_called_one() {
    let here = CommandLine::new();
    std::fs::create_dir(here.path("cfg")).unwrap();
    let ran = here.run(&["--config", "cfg", "run"], "").await;
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err,
        "error: `cfg` is a directory, and must be a file (named by --config)\nhint: name the file \
         itself; Docker makes a directory where the file of a bind mount is missing\n"
    );
    here.write("cfg/sayso.toml", "");
    let ran = here.run(&["--config", "cfg", "config", "check"], "").await;
    assert!(
        ran.err
            .ends_with("hint: name the file in it: `cfg/sayso.toml`\n"),
        "{}",
        ran.err
    );
}

#[tokio::test]
async fn chat_f20_a_file_in_another_encoding_says_what_to_do() {
    let here = CommandLine::new();
    let units = "[agent]\nmax_steps = 3\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes);
    let marked: Vec<u8> = [0xff, 0xfe].into_iter().chain(units).collect();
    for (bytes, said) in [
        (&marked[..], "it is in UTF-16, and must be in UTF-8"),
        (&marked[2..], "it is in UTF-16, and must be in UTF-8"),
        (b"[agent]\n# caf\xe9\n", "line 2 is not in UTF-8"),
    ] {
        let path = here.write("sayso.toml", "");
        std::fs::write(path, bytes).unwrap();
        let ran = here.run(&["config", "check"], "").await;
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(said), "{}", ran.err);
        assert!(ran.err.contains("\nhint: save it as UTF-8"), "{}", ran.err);
    }
}

#[tokio::test]
async fn chat_f20_a_quoted_number_and_an_endpoint_are_found_before_anything_starts() {
    check(
        "[agent]\nmax_steps = \"10\"\n",
        "error: ./sayso.toml:2: `agent.max_steps` is the text `\"10\"`, but must be a whole number from \
         1 to 30\nhint: write it without quotes: `max_steps = 10`",
    )
    .await;
    check(
        "[[providers]]\nmodel = \"x\"\nbase_url = \"http://127.0.0.1:9/v1/chat/completions\"\n",
        "error: ./sayso.toml:3: `providers.0.base_url` is \
         `http://127.0.0.1:9/v1/chat/completions`, but must be the address without the endpoint, \
         which is added to it\nhint: write `http://127.0.0.1:9/v1`",
    )
    .await;
}
