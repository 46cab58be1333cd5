//! Which long texts were looked through already and have no secret: a prompt repeats most of the one
//! before it.

use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use super::Redactor;

/// From which length on a text is worth remembering, in bytes.
const LONG: usize = 256;
/// How many texts are remembered, at 8 bytes each.
const REMEMBERED: usize = 4096;

/// A redactor that remembers the texts in which it found nothing, by hashes of 64 bits under a key of
/// this process. Secrets that come later make it look again.
pub struct RememberingRedactor {
    redactor: Redactor,
    keys: RandomState,
    /// The hash of a clean text, in the place that its last bits name; 0 for none.
    clean: Box<[AtomicU64]>,
}

impl RememberingRedactor {
    /// Returns one that has seen nothing.
    pub fn new(redactor: Redactor) -> Self {
        Self {
            redactor,
            keys: RandomState::new(),
            clean: (0..REMEMBERED).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Returns the redactor itself.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns the text with a mark in the place of each secret.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.len() < LONG {
            return self.redactor.redact(text);
        }
        let hash = self.hash(text);
        let place = self.clean.get(hash as usize % REMEMBERED);
        if place.is_some_and(|place| place.load(Ordering::Relaxed) == hash) {
            return Cow::Borrowed(text);
        }
        let shown = self.redactor.redact(text);
        if let (Cow::Borrowed(_), Some(place)) = (&shown, place) {
            place.store(hash, Ordering::Relaxed);
        }
        shown
    }

    /// The number of late secrets is taken before the text is looked through: one that comes meanwhile
    /// is looked for the next time.
    fn hash(&self, text: &str) -> u64 {
        let mut hasher = self.keys.build_hasher();
        hasher.write_u64(self.redactor.late.version());
        hasher.write(text.as_bytes());
        hasher.finish().max(1)
    }
}

/// Shows nothing of what it knows.
impl fmt::Debug for RememberingRedactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RememberingRedactor")
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{KnownSecret, LateSecrets};
    use super::*;

    #[test]
    fn a_clean_text_is_looked_through_again_once_a_secret_is_learned() {
        let late = LateSecrets::default();
        let redactor = Redactor::new([]).unwrap().with_late(late.clone());
        let remembering = RememberingRedactor::new(redactor);
        let text = format!("{} the-new-token-of-login", "words ".repeat(100));
        for _ in 0..2 {
            assert_eq!(remembering.redact(&text), text);
        }
        late.learn(
            "login",
            KnownSecret::new("token", "the-new-token-of-login".into()),
        );
        for _ in 0..2 {
            let shown = remembering.redact(&text);
            assert!(shown.ends_with("[redacted: token]"), "{shown}");
        }
    }

    #[test]
    fn a_text_with_a_secret_is_never_taken_for_clean() {
        let known = KnownSecret::new("key", "a-secret-of-this-instance".into());
        let remembering = RememberingRedactor::new(Redactor::new([known]).unwrap());
        let text = format!("a-secret-of-this-instance {}", "words ".repeat(100));
        for _ in 0..3 {
            assert!(!remembering.redact(&text).contains("a-secret"));
        }
    }
}
