//! Secrets that come while Sayso runs, such as tokens that are renewed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use secrecy::ExposeSecret as _;

use super::known::{Known, KnownSecret};

/// The number of secrets that are searched for per place: the current one and its predecessor,
/// which may still be in transit.
const OF_EACH: usize = 2;

/// Secrets that come late. Clones share them, and so do all redactors of a process that were made
/// with one of them.
#[derive(Clone, Default)]
pub struct LateSecrets {
    /// Locked by each writer until the new finder is built, so that writers run one at a time.
    places: Arc<Mutex<Places>>,
    /// Every redactor reads it; it is locked for one look or change.
    finder: Arc<RwLock<Option<Arc<Known>>>>,
    /// How often it changed.
    version: Arc<AtomicU64>,
}

/// The newest secrets of each place first.
type Places = BTreeMap<String, Vec<KnownSecret>>;

impl LateSecrets {
    /// Hides a secret from now on, in place of the second last one of the same place, such as a
    /// field of a login.
    pub fn learn(&self, place: &str, secret: KnownSecret) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let here = places.entry(place.to_owned()).or_default();
        let is_same = |other: &KnownSecret| is_same(other, &secret);
        if here.first().is_some_and(is_same) {
            return;
        }
        let is_known = here.iter().any(is_same);
        here.retain(|other| !is_same(other));
        here.insert(0, secret);
        here.truncate(OF_EACH);
        if is_known {
            return;
        }
        match Known::new(places.values().flatten().cloned()) {
            Ok(known) => {
                let mut finder = self.finder.write().unwrap_or_else(PoisonError::into_inner);
                *finder = Some(Arc::new(known));
                self.version.fetch_add(1, Ordering::Release);
            }
            Err(error) => tracing::error!(%error, "cannot redact a new secret"),
        }
    }

    /// Returns a number that changes with what is looked for.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Returns what finds them; `None` while there are none.
    pub(super) fn finder(&self) -> Option<Arc<Known>> {
        let finder = self.finder.read().unwrap_or_else(PoisonError::into_inner);
        finder.clone()
    }
}

fn is_same(one: &KnownSecret, other: &KnownSecret) -> bool {
    one.value.expose_secret() == other.value.expose_secret()
}

/// Shows nothing of what it knows.
impl fmt::Debug for LateSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LateSecrets").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_place_the_newest_two_are_hidden_however_many_places_there_are() {
        let late = LateSecrets::default();
        let learn = |place: &str, value: &str| {
            late.learn(place, KnownSecret::new("token", value.into()));
        };
        let is_hidden = |value: &str| !late.finder().unwrap().find(value).is_empty();
        for place in 0..100 {
            learn(
                &format!("login {place}"),
                &format!("token-{place}-of-login"),
            );
        }
        assert!(is_hidden("token-0-of-login") && is_hidden("token-99-of-login"));
        learn("login 0", "second-token-of-login");
        assert!(is_hidden("token-0-of-login") && is_hidden("second-token-of-login"));
        learn("login 0", "third-token-of-login");
        assert!(!is_hidden("token-0-of-login") && is_hidden("second-token-of-login"));
        // A caller that still has the previous secret reports it again.
        learn("login 0", "second-token-of-login");
        learn("login 0", "fourth-token-of-login");
        assert!(is_hidden("second-token-of-login") && !is_hidden("third-token-of-login"));
        assert!(is_hidden("token-99-of-login"));
    }
}
