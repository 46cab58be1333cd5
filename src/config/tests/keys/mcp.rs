//! The keys of `[[mcp]]`.

use sayso_policy::{McpRule, NamePattern};
use secrecy::ExposeSecret;

use super::{Case, read};
use crate::config::{Config, McpConfig, McpShownConfig, McpWayConfig};

/// An address, for keys that stand beside one.
pub(super) const SERVICE: (&str, &str) = ("mcp.0.url", "'https://mcp.example/'");
/// The keys that belong to an address, beside the secret of a client.
pub(super) const OF_SERVICES: [&str; 3] = ["mcp.0.token", "mcp.0.client_id", "mcp.0.redirect_port"];

pub(super) const CASES: &[Case] = &[
    Case {
        key: "mcp.0.name",
        default: None,
        good: ("'notes-2'", "notes-2", "notes-2"),
        bad: ("'Two words'", "a__b"),
        read: |config| files(config).name.clone(),
    },
    Case {
        key: "mcp.0.enabled",
        default: Some("1"),
        good: ("false", "false", "0"),
        bad: ("'yes'", "maybe"),
        read: |config| config.mcp.len().to_string(),
    },
    Case {
        key: "mcp.0.command",
        default: None,
        good: ("'/opt/server'", "/opt/server", "/opt/server"),
        bad: ("''", " "),
        read: |config| program(config).0,
    },
    Case {
        key: "mcp.0.args",
        default: Some(""),
        good: ("['-y', 'a b']", "['-y', 'a b']", "-y|a b"),
        bad: ("'-y'", "[1]"),
        read: |config| program(config).1,
    },
    Case {
        key: "mcp.0.env",
        default: Some(""),
        good: ("['LOG=a=b', 'X=']", "LOG=a=b,X=", "LOG:a=b|X:"),
        bad: ("['LOG']", "A=1,A=2"),
        read: |config| program(config).2,
    },
    Case {
        key: "mcp.0.url",
        default: Some(""),
        good: (
            "'http://10.0.0.9/mcp'",
            "http://10.0.0.9/mcp",
            "http://10.0.0.9/mcp",
        ),
        bad: ("'unix:/tmp/x'", "https://mia:word@example.org"),
        read: |config| address(config).0,
    },
    Case {
        key: "mcp.0.token",
        default: Some(""),
        good: ("'hush-hush-4'", "hush-hush-4", "hush-hush-4"),
        bad: ("7", "env:NO_SUCH"),
        read: |config| address(config).1,
    },
    Case {
        key: "mcp.0.client_id",
        default: Some(""),
        good: ("'sayso-7'", "sayso-7", "sayso-7"),
        bad: ("''", " "),
        read: |config| client(config).0,
    },
    Case {
        key: "mcp.0.client_secret",
        default: Some(""),
        good: ("'hush-hush-9'", "hush-hush-9", "hush-hush-9"),
        bad: ("7", "env:NO_SUCH"),
        read: |config| client(config).1,
    },
    Case {
        key: "mcp.0.redirect_port",
        default: Some(""),
        good: ("8976", "8976", "8976"),
        bad: ("80", "65536"),
        read: |config| client(config).2,
    },
    Case {
        key: "mcp.0.allow",
        default: Some(""),
        good: ("['read_*', 'list']", "read_*,list", "read_* list"),
        bad: ("['two words']", "[1]"),
        read: |config| joined(&rule(config).allow),
    },
    Case {
        key: "mcp.0.ask",
        default: Some(""),
        good: ("['move_*']", "move_*", "move_*"),
        bad: ("['']", "two words"),
        read: |config| joined(&rule(config).ask),
    },
    Case {
        key: "mcp.0.deny",
        default: Some(""),
        good: ("['*']", "*", "*"),
        bad: ("['']", "two words"),
        read: |config| joined(&rule(config).deny),
    },
    Case {
        key: "mcp.0.trust_read_only",
        default: Some("false"),
        good: ("true", "true", "true"),
        bad: ("1", "yes"),
        read: |config| rule(config).trust_read_only.to_string(),
    },
    Case {
        key: "mcp.0.start_timeout_secs",
        default: Some("60"),
        good: ("600", "600", "600"),
        bad: ("0", "601"),
        read: |config| files(config).start_timeout.as_secs().to_string(),
    },
    Case {
        key: "mcp.0.call_timeout_secs",
        default: Some("120"),
        good: ("3600", "3600", "3600"),
        bad: ("0", "3601"),
        read: |config| files(config).call_timeout.as_secs().to_string(),
    },
];

fn files(config: &Config) -> &McpConfig {
    config.mcp.first().unwrap()
}

fn rule(config: &Config) -> &McpRule {
    config.policy.mcp.of("files").unwrap()
}

fn joined(patterns: &[NamePattern]) -> String {
    let texts: Vec<_> = patterns.iter().map(NamePattern::as_str).collect();
    texts.join(" ")
}

/// Returns the program, its arguments and its variables; nothing of a service.
fn program(config: &Config) -> (String, String, String) {
    let McpWayConfig::Program {
        program,
        arguments,
        variables,
    } = &files(config).way
    else {
        return Default::default();
    };
    let variables: Vec<_> = variables
        .iter()
        .map(|variable| format!("{}:{}", variable.name, variable.value.expose_secret()))
        .collect();
    (program.clone(), arguments.join("|"), variables.join("|"))
}

/// Returns the address and the token; nothing of a program.
fn address(config: &Config) -> (String, String) {
    let McpWayConfig::Url { url, shown } = &files(config).way else {
        return Default::default();
    };
    let token = match shown {
        McpShownConfig::Token(token) => token.expose_secret().to_owned(),
        McpShownConfig::Login(_) => String::new(),
    };
    (url.to_string(), token)
}

/// Returns who we are where we log in: name, secret and port.
fn client(config: &Config) -> (String, String, String) {
    let McpWayConfig::Url {
        shown: McpShownConfig::Login(client),
        ..
    } = &files(config).way
    else {
        return Default::default();
    };
    let secret = client.secret.as_ref();
    let secret = secret.map(|secret| secret.expose_secret().to_owned());
    let port = client.redirect_port.map(|port| port.to_string());
    (
        client.id.clone().unwrap_or_default(),
        secret.unwrap_or_default(),
        port.unwrap_or_default(),
    )
}

#[track_caller]
fn refused(text: &str) -> String {
    read(text, &[]).unwrap_err().to_string()
}

#[test]
fn a_server_is_a_program_or_a_service() {
    let both = "[[mcp]]\nname = 'a'\ncommand = 'x'\nurl = 'https://a.example'";
    assert!(refused(both).contains("`mcp.0.url`"), "{}", refused(both));
    let neither = "[[mcp]]\nname = 'a'";
    assert!(refused(neither).contains("`mcp.0.command` is not set"));
    for (extra, key) in [("args = ['x']", "args"), ("env = ['A=b']", "env")] {
        let text = format!("[[mcp]]\nname = 'a'\nurl = 'https://a.example'\n{extra}");
        let error = refused(&text);
        assert!(error.contains(&format!("`mcp.0.{key}`")), "{error}");
    }
    let error = refused("[[mcp]]\nname = 'a'\ncommand = 'x'\ntoken = 'hush-hush-5'");
    assert!(error.contains("`mcp.0.token`"), "{error}");
}

#[test]
fn a_service_is_shown_a_token_or_logged_in_to() {
    let text = |keys: &str| format!("[[mcp]]\nname = 'a'\nurl = 'https://a.example'\n{keys}");
    let error = refused(&text("token = 'hush-hush-5'\nclient_id = 'me'"));
    assert!(error.contains("`mcp.0.client_id`"), "{error}");
    let error = refused(&text("client_secret = 'hush-hush-5'"));
    assert!(error.contains("`mcp.0.client_secret`"), "{error}");
    assert!(!error.contains("hush-hush-5"), "{error}");
    let error = refused("[[mcp]]\nname = 'a'\ncommand = 'x'\nredirect_port = 8976");
    assert!(error.contains("`mcp.0.redirect_port`"), "{error}");
}

#[test]
fn no_two_servers_have_one_name() {
    let one = "[[mcp]]\nname = 'a'\ncommand = 'x'\n";
    let error = refused(&one.repeat(2));
    assert!(
        error.contains("`mcp.1.name` is `a`, but must be"),
        "{error}"
    );
}

#[test]
fn a_token_goes_over_https_or_stays_on_this_machine() {
    let text = |url: &str| format!("[[mcp]]\nname = 'a'\nurl = '{url}'\ntoken = 'hush-hush-6'");
    let error = refused(&text("http://10.0.0.9/mcp"));
    assert!(error.contains("`mcp.0.url`"), "{error}");
    for url in [
        "https://a.example/mcp",
        "http://127.0.0.1:3001/mcp",
        "http://[::1]/mcp",
    ] {
        assert!(read(&text(url), &[]).is_ok(), "{url}");
    }
}

#[test]
fn a_variable_that_is_kept_elsewhere_is_a_secret_and_is_never_shown() {
    let text = "[[mcp]]\nname = 'a'\ncommand = 'x'\nenv = ['LOG=quiet-please', 'T=env:TOKEN_OF_A']";
    let config = read(text, &[("TOKEN_OF_A", "hush-hush-7")]).unwrap();
    let redactor = config.redactor().unwrap();
    assert_eq!(redactor.redact("quiet-please"), "quiet-please");
    assert!(
        !redactor
            .redact("it is hush-hush-7.")
            .contains("hush-hush-7")
    );
    let error = refused("[[mcp]]\nname = 'a'\ncommand = 'x'\nenv = ['T=hush-hush-8', 'bad']");
    assert!(!error.contains("hush-hush-8"), "{error}");
}
