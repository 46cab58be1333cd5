//! Names of variables, keys, options and headers, and which of them say that their value is a
//! secret: `DB_PASSWORD`, `clientSecret`, `--api-key`, `X-Auth-Token`, `密码`.

use std::ops::Range;

use super::alphabet::{is_dotted, run, run_before};
use super::plain_words::is_hump;

/// The kind of a value that is hidden behind one of these names.
pub(super) const KIND: &str = "secret-value";

/// Where looking for a name begins: a part of every name that is recognized, in any case.
pub(super) const WORDS: [&str; 18] = [
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "creds",
    "auth",
    "sonar.login",
    "kennwort",
    "mot de passe",
    "contraseña",
    "пароль",
    "密码",
    "密钥",
    "令牌",
    "口令",
    "パスワード",
];
/// How a part of a name ends that is about a password.
const PASSWORDS: [&str; 8] = [
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "passwort",
    "kennwort",
];
/// How a part of a name ends that is about a key or token.
const TOKENS: [&str; 23] = [
    "secret",
    "secrets",
    "token",
    "tokens",
    "credential",
    "credentials",
    "creds",
    "apikey",
    "apikeys",
    "accesskey",
    "accountkey",
    "authkey",
    "masterkey",
    "privatekey",
    "secretkey",
    "servicekey",
    "sharedkey",
    "signingkey",
    "encryptionkey",
    "licensekey",
    "authtoken",
    "storepass",
    "keypass",
];
/// What stands before `key` where it is a secret.
const KEYS: [&str; 62] = [
    "access",
    "account",
    "admin",
    "algolia",
    "amplitude",
    "anthropic",
    "api",
    "app",
    "application",
    "auth",
    "aws",
    "azure",
    "client",
    "cohere",
    "consumer",
    "cosmos",
    "cryptr",
    "datadog",
    "db",
    "deepl",
    "deepseek",
    "deploy",
    "dd",
    "encrypt",
    "encryption",
    "etherscan",
    "fastly",
    "gemini",
    "google",
    "groq",
    "heroku",
    "hmac",
    "integration",
    "jwt",
    "license",
    "mailgun",
    "maps",
    "master",
    "mistral",
    "newrelic",
    "openai",
    "postmark",
    "preshared",
    "private",
    "pagerduty",
    "secret",
    "security",
    "sendgrid",
    "sentry",
    "server",
    "service",
    "shared",
    "sign",
    "signing",
    "storage",
    "stripe",
    "subscription",
    "twilio",
    "webhook",
    "wg",
    "write",
    "xai",
];
/// What a whole name is about that ends so: something beside a secret.
const HARMLESS_ENDS: [&str; 57] = [
    "algorithm",
    "alias",
    "arn",
    "audience",
    "budget",
    "class",
    "count",
    "description",
    "endpoint",
    "env",
    "expires",
    "expiry",
    "field",
    "file",
    "fingerprint",
    "format",
    "help",
    "hint",
    "host",
    "id",
    "ids",
    "index",
    "issuer",
    "kind",
    "label",
    "length",
    "limit",
    "max",
    "min",
    "mode",
    "name",
    "names",
    "parameter",
    "path",
    "pattern",
    "placeholder",
    "policy",
    "prefix",
    "price",
    "provider",
    "ref",
    "regex",
    "required",
    "scope",
    "scopes",
    "size",
    "source",
    "status",
    "store",
    "strength",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "vault",
    "version",
];
/// Parts that make a whole name harmless: what is published, and marks of places in lists.
const HARMLESS_PARTS: [&str; 16] = [
    "public",
    "pub",
    "csrf",
    "xsrf",
    "next",
    "page",
    "continuation",
    "continue",
    "sync",
    "resume",
    "max",
    "min",
    "num",
    "css",
    "design",
    "cancellation",
];
/// The longest name on either side of its word, in bytes.
const MAX_NAME: usize = 64;
/// The most parts of a name that are looked at.
const MAX_PARTS: usize = 16;

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Something that a person may have chosen.
    Password,
    /// Something that a machine made.
    Token,
    /// The value of an `Authorization` header: a scheme may stand before it.
    Authorization,
}

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) range: Range<usize>,
    pub(super) class: Class,
    /// Whether dashes stand before it: then a space may be all that parts it from its value.
    pub(super) is_option: bool,
}

/// Returns where the name is that a word is in; `None` when it is too long for one.
pub(super) fn range_at(bytes: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    if is_whole(bytes, &word) {
        return Some(word);
    }
    let before = run_before(bytes, word.start, is_dotted, MAX_NAME);
    let limit = bytes.len().min(word.end + MAX_NAME + 1);
    let behind = run(bytes.get(..limit)?, word.end, is_dotted);
    let text = bytes.get(word.start - before..word.end + behind)?;
    let stops = text.iter().rev().take_while(|byte| **byte == b'.').count();
    let end = (word.end + behind - stops).max(word.end);
    (before < MAX_NAME && behind <= MAX_NAME).then_some(word.start - before..end)
}

/// Returns whether a word is a name by itself: those of other languages, and those of two words.
fn is_whole(bytes: &[u8], word: &Range<usize>) -> bool {
    let written = bytes.get(word.clone()).unwrap_or_default();
    !written.is_ascii() || written.contains(&b' ')
}

/// Returns the name in a range that a word is in; `None` when it promises no secret.
pub(super) fn name_at(bytes: &[u8], word: Range<usize>, range: Range<usize>) -> Option<Name> {
    if is_whole(bytes, &word) {
        return Some(Name {
            range,
            class: Class::Password,
            is_option: false,
        });
    }
    let mut parts = parts_of(bytes.get(range.clone())?);
    if parts.len() == 1 && parts.first().is_some_and(|part| is(part, "key")) {
        // `API key: ...` is written in two words.
        let before = range.start.checked_sub(1)?;
        if bytes.get(before) != Some(&b' ') {
            return None;
        }
        let length = run_before(bytes, before, |byte| byte.is_ascii_alphabetic(), MAX_NAME);
        parts.insert(0, bytes.get(before - length..before)?);
    }
    let class = class_of(&parts)?;
    let is_option = bytes.get(range.start) == Some(&b'-');
    Some(Name {
        range,
        class,
        is_option,
    })
}

/// Splits a name at its signs and humps, without the digits behind each part.
fn parts_of(name: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    for word in name.split(|byte| !byte.is_ascii_alphanumeric()) {
        let mut begin = 0;
        for at in 1..=word.len() {
            if at < word.len() && !is_hump(word, at) {
                continue;
            }
            let part = word.get(begin..at).unwrap_or_default();
            let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit());
            let part = part.get(..part.len() - digits.count()).unwrap_or_default();
            if !part.is_empty() && parts.len() < MAX_PARTS {
                parts.push(part);
            }
            begin = at;
        }
    }
    parts
}

fn class_of(parts: &[&[u8]]) -> Option<Class> {
    let last = parts.last()?;
    let is_harmless =
        is_any(last, &HARMLESS_ENDS) || parts.iter().any(|part| is_any(part, &HARMLESS_PARTS));
    if is_harmless {
        return None;
    }
    let mut class = None;
    for (at, part) in parts.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| parts.get(before));
        let is_key = (is(part, "key") || is(part, "keys"))
            && before.is_some_and(|before| is_any(before, &KEYS));
        let is_pass = is(part, "pass") && before.is_some();
        // The token of SonarQube stands where its user was once.
        let is_login = is(part, "login") && before.is_some_and(|before| is(before, "sonar"));
        if is_pass || ends_with_any(part, &PASSWORDS) {
            return Some(Class::Password);
        }
        if ends_with_any(part, &["authorization"]) {
            class = Some(Class::Authorization);
        } else if is_key || is_login || is(part, "auth") || ends_with_any(part, &TOKENS) {
            class = class.or(Some(Class::Token));
        }
    }
    class
}

fn is(part: &[u8], word: &str) -> bool {
    part.eq_ignore_ascii_case(word.as_bytes())
}

fn is_any(part: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| is(part, word))
}

fn ends_with_any(part: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| {
        let end = part.len().checked_sub(word.len());
        end.and_then(|end| part.get(end..))
            .is_some_and(|end| is(end, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str) -> Option<Class> {
        class_of(&parts_of(name.as_bytes()))
    }

    #[test]
    fn names_of_secrets_are_known_however_they_are_written() {
        for name in [
            "DB_PASSWORD",
            "smtpPass",
            "pgpassword",
            "user.pwd",
            "passwd2",
        ] {
            assert_eq!(class(name), Some(Class::Password), "{name}");
        }
        for name in [
            "HEROKU_API_KEY",
            "apiKey",
            "APIKey",
            "x-api-key",
            "ClientSecret",
            "_authToken",
            "some_api_token_123",
            "todo_secret_do_not_commit",
            "AZURE_STORAGE_KEY",
            "credentials",
        ] {
            assert_eq!(class(name), Some(Class::Token), "{name}");
        }
        assert_eq!(class("Proxy-Authorization"), Some(Class::Authorization));
    }

    #[test]
    fn names_about_something_else_are_none() {
        for name in [
            "tokenizer",
            "max_tokens",
            "token_count",
            "secretName",
            "public_key",
            "publicKeyToken",
            "primaryKey",
            "keyword",
            "monkey",
            "author",
            "credentialsId",
            "next_page_token",
            "api_url",
            "pass",
            "compass",
            "secretary",
            "key",
            "csrf-token",
            "access_token_url",
        ] {
            assert_eq!(class(name), None, "{name}");
        }
    }
}
