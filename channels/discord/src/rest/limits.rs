//! What Discord has said about its limits, and whether a request may go out now.
//!
//! Discord names a bucket in each answer, says how many requests are left in it and when it is full
//! again (<https://docs.discord.com/developers/topics/rate-limits>). Several routes may share a
//! bucket, and each major parameter has one of its own. Requests that run at the same time are
//! counted when they leave, so that together they do not ask for more than is left.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;

use super::route::Route;

/// How many windows and routes are remembered; what ends first is forgotten first.
const REMEMBERED: usize = 2048;
/// By how much an answer may differ about the end of one and the same window.
const SAME_WINDOW: Duration = Duration::from_millis(250);

/// What is known of the limits of one account.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// The name that Discord gives the bucket of a route.
    buckets: HashMap<String, String>,
    /// What is left in a bucket of a major parameter.
    windows: HashMap<(String, String), Window>,
    /// Until when nothing may go out, except for answers to interactions.
    all_until: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Window {
    left: u32,
    until: Instant,
}

/// What a refusal says about waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// This route has to wait.
    Route(Duration),
    /// Every route has to wait: the global limit, or a block by the proxy in front of Discord.
    All(Duration),
}

impl Limits {
    /// Counts a request that leaves now; how long it must wait instead, if it may not.
    pub(super) fn take(&mut self, route: &Route, now: Instant) -> Option<Duration> {
        if let Some(until) = self.all_until
            && until > now
            && !route.answers_interaction()
        {
            return Some(until - now);
        }
        let key = self.key(route);
        let window = self.windows.get_mut(&key)?;
        if window.until <= now {
            self.windows.remove(&key);
            return None;
        }
        match window.left.checked_sub(1) {
            Some(left) => {
                window.left = left;
                None
            }
            None => Some(window.until - now),
        }
    }

    /// Takes in what the headers of an answer say, and what its body said about waiting.
    pub(super) fn learn(
        &mut self,
        route: &Route,
        headers: &HeaderMap,
        limit: Option<Limit>,
        now: Instant,
    ) {
        if let Some(bucket) = text(headers, "x-ratelimit-bucket") {
            self.name_bucket(route, bucket);
        }
        match limit {
            Some(Limit::All(pause)) => {
                self.all_until = self.all_until.max(now.checked_add(pause));
            }
            Some(Limit::Route(pause)) => self.note(route, 0, pause, now),
            None => {
                let left =
                    text(headers, "x-ratelimit-remaining").and_then(|left| left.parse().ok());
                let pause = seconds(headers, "x-ratelimit-reset-after");
                if let (Some(left), Some(pause)) = (left, pause) {
                    self.note(route, left, pause, now);
                }
            }
        }
    }

    fn note(&mut self, route: &Route, left: u32, pause: Duration, now: Instant) {
        let Some(until) = now.checked_add(pause) else {
            return;
        };
        let key = self.key(route);
        let window = Window { left, until };
        let window = match self.windows.get(&key) {
            // Answers of one window come back in any order: the least that was left is true.
            Some(known) if until <= known.until + SAME_WINDOW && known.until > now => Window {
                left: left.min(known.left),
                until: until.max(known.until),
            },
            _ => window,
        };
        self.windows.insert(key, window);
        if self.windows.len() > REMEMBERED {
            self.forget_window(now);
        }
    }

    fn name_bucket(&mut self, route: &Route, bucket: &str) {
        let is_known = self
            .buckets
            .get(&route.template)
            .is_some_and(|known| known == bucket);
        if is_known {
            return;
        }
        // Routes come from our own code, so this bound is never met; it costs nothing to have it.
        if self.buckets.len() >= REMEMBERED {
            self.buckets.clear();
        }
        self.buckets
            .insert(route.template.clone(), bucket.to_owned());
    }

    /// A bucket that was not named yet goes by its route.
    fn key(&self, route: &Route) -> (String, String) {
        let bucket = self.buckets.get(&route.template).unwrap_or(&route.template);
        (bucket.clone(), route.major.clone())
    }

    fn forget_window(&mut self, now: Instant) {
        self.windows.retain(|_, window| window.until > now);
        let first_to_end = self.windows.iter().min_by_key(|(_, window)| window.until);
        if self.windows.len() > REMEMBERED
            && let Some(key) = first_to_end.map(|(key, _)| key.clone())
        {
            self.windows.remove(&key);
        }
    }
}

/// Returns a header as text.
pub(super) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Returns a header that counts seconds, with or without a fraction.
pub(super) fn seconds(headers: &HeaderMap, name: &str) -> Option<Duration> {
    let seconds: f64 = text(headers, name)?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use reqwest::Method;

    use super::*;

    fn messages_of(channel: u64) -> Route {
        Route::of(&Method::POST, &format!("/channels/{channel}/messages"))
    }

    fn headers(bucket: &str, left: u32, reset_after: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("x-ratelimit-bucket", bucket.parse().unwrap());
        headers.insert("x-ratelimit-remaining", left.into());
        headers.insert("x-ratelimit-reset-after", reset_after.parse().unwrap());
        headers
    }

    #[test]
    fn exhausted_bucket_waits_for_its_end_and_opens_again() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        limits.learn(&messages_of(1), &headers("b", 0, "1.5"), None, now);
        let wait = Duration::from_millis(1500);
        assert_eq!(limits.take(&messages_of(1), now), Some(wait));
        assert_eq!(limits.take(&messages_of(1), now + wait), None);
    }

    #[test]
    fn each_channel_has_a_bucket_of_its_own() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        limits.learn(&messages_of(1), &headers("b", 0, "1.5"), None, now);
        assert_eq!(limits.take(&messages_of(2), now), None);
    }

    #[test]
    fn routes_of_one_bucket_share_what_is_left() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        let edits = Route::of(&Method::PATCH, "/channels/1/messages/9");
        limits.learn(&messages_of(1), &headers("b", 5, "1"), None, now);
        limits.learn(&edits, &headers("b", 0, "1"), None, now);
        assert!(limits.take(&messages_of(1), now).is_some());
    }

    #[test]
    fn requests_on_their_way_are_counted() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        limits.learn(&messages_of(1), &headers("b", 2, "1"), None, now);
        let taken: Vec<bool> = (0..3)
            .map(|_| limits.take(&messages_of(1), now).is_none())
            .collect();
        assert_eq!(taken, [true, true, false]);
    }

    #[test]
    fn late_answer_of_the_same_window_gives_nothing_back() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        limits.learn(&messages_of(1), &headers("b", 0, "1"), None, now);
        limits.learn(&messages_of(1), &headers("b", 3, "1"), None, now);
        assert!(limits.take(&messages_of(1), now).is_some());
    }

    #[test]
    fn next_window_is_a_new_one() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        limits.learn(&messages_of(1), &headers("b", 0, "1"), None, now);
        limits.learn(&messages_of(1), &headers("b", 4, "5"), None, now);
        assert_eq!(limits.take(&messages_of(1), now), None);
    }

    #[test]
    fn global_limit_holds_for_all_but_answers_to_interactions() {
        let (mut limits, now) = (Limits::default(), Instant::now());
        let pause = Duration::from_secs(3);
        limits.learn(
            &messages_of(1),
            &HeaderMap::new(),
            Some(Limit::All(pause)),
            now,
        );
        let callback = Route::of(&Method::POST, "/interactions/1/tok/callback");
        assert_eq!(limits.take(&messages_of(2), now), Some(pause));
        assert_eq!(limits.take(&callback, now), None);
        assert_eq!(limits.take(&messages_of(2), now + pause), None);
    }

    #[test]
    fn memory_of_buckets_is_bounded() {
        let (mut limits, mut now) = (Limits::default(), Instant::now());
        for channel in 0..10_000 {
            now += Duration::from_millis(1);
            limits.learn(&messages_of(channel), &headers("b", 0, "60"), None, now);
        }
        assert_eq!(limits.windows.len(), REMEMBERED);
        assert!(limits.take(&messages_of(9_999), now).is_some());
    }
}
