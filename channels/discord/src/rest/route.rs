//! What Discord counts together: a method and a path without its ids, apart for each major
//! parameter.
//!
//! Requests that differ in nothing but ids share a limit, except for the ids of channels, servers
//! and webhooks, which have limits of their own
//! (<https://docs.discord.com/developers/topics/rate-limits>).

use std::fmt;

use reqwest::Method;

/// The beginnings of paths whose next step has limits of its own.
const MAJOR: [&str; 3] = ["channels", "guilds", "webhooks"];

/// What a request counts as.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Route {
    /// Method and path, with every id and token left out.
    pub(super) template: String,
    /// The id that has limits of its own; empty where there is none.
    pub(super) major: String,
}

impl Route {
    pub(super) fn of(method: &Method, path: &str) -> Self {
        let steps: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let has_token = matches!(steps.first(), Some(&"webhooks" | &"interactions"));
        let template = steps.iter().enumerate().map(|(index, step)| {
            let is_id = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
            if is_id || (has_token && index == 2) {
                "*"
            } else {
                step
            }
        });
        let template: Vec<&str> = template.collect();
        Self {
            template: format!("{method} /{}", template.join("/")),
            major: major(&steps),
        }
    }

    /// Returns whether the request answers an interaction: those count for no global limit.
    pub(super) fn answers_interaction(&self) -> bool {
        self.template.starts_with("POST /interactions/")
    }
}

/// Shows no id and no token.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.template)
    }
}

fn major(steps: &[&str]) -> String {
    match steps {
        [kind @ "webhooks", id, token, ..] => format!("{kind}/{id}/{token}"),
        [kind, id, ..] if MAJOR.contains(kind) => format!("{kind}/{id}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, template: &str, major: &str) {
        let route = Route::of(&Method::POST, path);
        assert_eq!(route.template, format!("POST {template}"));
        assert_eq!(route.major, major);
    }

    #[test]
    fn routes_differ_by_what_discord_counts_apart() {
        check(
            "/channels/12/messages",
            "/channels/*/messages",
            "channels/12",
        );
        check(
            "/channels/12/messages/34",
            "/channels/*/messages/*",
            "channels/12",
        );
        check("/applications/@me", "/applications/@me", "");
        check(
            "/webhooks/1/tok/messages/@original",
            "/webhooks/*/*/messages/@original",
            "webhooks/1/tok",
        );
        check(
            "/interactions/1/tok/callback",
            "/interactions/*/*/callback",
            "",
        );
    }
}
