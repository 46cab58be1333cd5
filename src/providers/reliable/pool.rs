//! One model of one service by all of its keys: whose turn it is, and who rests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sayso_core::transcript::{KeyRefused, ModelName};

use super::circuit::Circuit;
use super::reaction::{self, Concerns};
use crate::estimate::Correction;
use crate::{Provider, ProviderError};

/// How long a service counts as limiting requests after it refused one for their number: its limits
/// are per minute.
const LIMITING: Duration = Duration::from_mins(2);

/// The clients of one model: they differ by their key alone.
pub(super) struct Pool {
    keys: Vec<Key>,
    /// What fails whatever the key.
    circuit: Circuit,
    turn: AtomicUsize,
    /// When a request was refused last because there were too many.
    limited: Mutex<Option<Instant>>,
    /// Of this model: its tokens are its own.
    pub(super) correction: Correction,
}

/// One client.
pub(super) struct Key {
    pub(super) provider: Arc<dyn Provider>,
    pub(super) named: KeyRefused,
    /// Of this key for this model alone.
    circuit: Circuit,
}

impl Pool {
    /// Puts the clients of one model together.
    pub(super) fn new(providers: Vec<Arc<dyn Provider>>) -> Self {
        let of = providers.len();
        let key = |(place, provider): (usize, Arc<dyn Provider>)| Key {
            named: KeyRefused {
                server: provider.name().to_owned(),
                number: place + 1,
                of,
            },
            provider,
            circuit: Circuit::default(),
        };
        Self {
            keys: providers.into_iter().enumerate().map(key).collect(),
            circuit: Circuit::default(),
            turn: AtomicUsize::new(0),
            limited: Mutex::default(),
            correction: Correction::default(),
        }
    }

    /// Returns any of the clients: they have one name and one model.
    pub(super) fn any(&self) -> Option<&dyn Provider> {
        self.keys.first().map(|key| key.provider.as_ref())
    }

    /// Returns whether this is the model that is meant.
    pub(super) fn is(&self, name: &ModelName) -> bool {
        self.any()
            .is_some_and(|it| it.name() == name.server && it.model() == name.model)
    }

    /// Returns whether the service or all of its keys rest.
    pub(super) fn rests(&self, now: Instant) -> bool {
        self.circuit.is_open(now) || self.keys.iter().all(|key| key.circuit.is_open(now))
    }

    /// Returns whether the service rests, or refused a request a short while ago because there were
    /// too many.
    pub(super) fn is_limiting(&self, now: Instant) -> bool {
        let limited = *self.limited.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |then| now.saturating_duration_since(then) < LIMITING;
        self.rests(now) || limited.is_some_and(is_recent)
    }

    /// Returns the keys to ask with, in order: each question begins with another one, and keys that
    /// rest are left out, unless there are no others.
    pub(super) fn in_turn(&self, now: Instant) -> Vec<&Key> {
        let begin = self.turn.fetch_add(1, Ordering::Relaxed);
        let count = self.keys.len();
        let from = begin.checked_rem(count).unwrap_or_default();
        let all: Vec<&Key> = self.keys.iter().cycle().skip(from).take(count).collect();
        let awake: Vec<&Key> = all
            .iter()
            .copied()
            .filter(|key| !key.circuit.is_open(now))
            .collect();
        if awake.is_empty() { all } else { awake }
    }

    /// Takes note of an answer.
    pub(super) fn answered(&self, key: &Key) {
        key.circuit.answered();
        self.circuit.answered();
    }

    /// Takes note of a failure: it counts against the key or against the service.
    pub(super) fn failed(&self, key: &Key, error: &ProviderError) {
        let now = Instant::now();
        if matches!(error, ProviderError::RateLimited { .. }) {
            *self.limited.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
        }
        let circuit = match reaction::concerns(error) {
            Concerns::Key => &key.circuit,
            Concerns::Service | Concerns::Question => &self.circuit,
        };
        if reaction::counts_against(error) {
            circuit.failed(now);
        }
        if let Some(rest) = reaction::rest(error) {
            circuit.rests_until(now + rest);
        }
    }
}
