//! Reports once that a service no longer accepts a key, which would otherwise go unnoticed: another
//! key or another model takes over.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use sayso_core::transcript::KeyRefused;
use tokio::sync::mpsc;

/// Rings once for each key, until it was taken again.
///
/// The lock is held for a look by the turns that ask at the same time.
#[derive(Debug, Default)]
pub(super) struct KeyAlert {
    rung: Mutex<HashSet<KeyRefused>>,
    news: Option<mpsc::Sender<KeyRefused>>,
}

impl KeyAlert {
    /// Returns a bell that is heard here.
    pub(super) fn heard_by(news: mpsc::Sender<KeyRefused>) -> Self {
        Self {
            news: Some(news),
            ..Self::default()
        }
    }

    /// Reports a rejected key, once.
    pub(super) fn ring(&self, key: KeyRefused) {
        let Some(news) = &self.news else {
            return;
        };
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        if rung.contains(&key) {
            return;
        }
        match news.try_send(key.clone()) {
            Ok(()) => {
                rung.insert(key);
            }
            // It is refused again after its rest, and told then.
            Err(error) => tracing::warn!(%error, "cannot notify owners of a rejected API key"),
        }
    }

    /// Takes note that a key is taken.
    pub(super) fn forget(&self, key: &KeyRefused) {
        let mut rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        rung.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::KeyRefused;
    use tokio::sync::mpsc;

    use super::KeyAlert;

    #[test]
    fn a_key_is_told_of_once_until_it_was_taken_again() {
        let (sender, mut news) = mpsc::channel(4);
        let bell = KeyAlert::heard_by(sender);
        let key = KeyRefused {
            server: "main".to_owned(),
            number: 2,
            of: 3,
        };
        bell.ring(key.clone());
        bell.ring(key.clone());
        assert_eq!(news.try_recv(), Ok(key.clone()));
        assert!(news.try_recv().is_err());
        bell.forget(&key);
        bell.ring(key.clone());
        assert_eq!(news.try_recv(), Ok(key));
    }
}
