//! Secrets that come while Sayso runs, such as tokens that are renewed.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use secrecy::ExposeSecret as _;

use super::known::{Known, KnownSecret};

/// So many are looked for; an older one is let go.
const MOST: usize = 64;

/// Secrets that come late. Clones share them, and so do all redactors of a process that were made
/// with one of them.
#[derive(Clone, Default)]
pub struct LateSecrets {
    /// Whoever is given a secret writes, every redactor reads.
    shared: Arc<RwLock<Shared>>,
}

#[derive(Default)]
struct Shared {
    secrets: VecDeque<KnownSecret>,
    finder: Option<Arc<Known>>,
}

impl LateSecrets {
    /// Hides a secret from now on.
    pub fn learn(&self, secret: KnownSecret) {
        let mut shared = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        let value = secret.value.expose_secret();
        let is_same = |other: &KnownSecret| other.value.expose_secret() == value;
        if shared.secrets.iter().any(is_same) {
            return;
        }
        shared.secrets.push_back(secret);
        if shared.secrets.len() > MOST {
            shared.secrets.pop_front();
        }
        match Known::new(shared.secrets.iter().cloned()) {
            Ok(known) => shared.finder = Some(Arc::new(known)),
            Err(error) => tracing::error!(%error, "a new secret cannot be looked for"),
        }
    }

    /// Returns what finds them; `None` while there are none.
    pub(super) fn finder(&self) -> Option<Arc<Known>> {
        let shared = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        shared.finder.clone()
    }
}

/// Shows nothing of what it knows.
impl fmt::Debug for LateSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LateSecrets").finish_non_exhaustive()
    }
}
