//! What was met lately: a bounded memory that forgets the oldest.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// The newest values by key, at most `capacity`. The tasks of all chats share it.
#[derive(Debug)]
pub(super) struct Recent<K, V>(Mutex<Kept<K, V>>);

#[derive(Debug)]
struct Kept<K, V> {
    capacity: usize,
    values: HashMap<K, V>,
    order: VecDeque<K>,
}

impl<K: Copy + Eq + Hash, V: Clone> Recent<K, V> {
    pub(super) fn new(capacity: usize) -> Self {
        Self(Mutex::new(Kept {
            capacity,
            values: HashMap::new(),
            order: VecDeque::new(),
        }))
    }

    /// Keeps a value and returns the one that it replaces.
    pub(super) fn keep(&self, key: K, value: V) -> Option<V> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = kept.values.insert(key, value);
        if earlier.is_none() {
            kept.order.push_back(key);
        }
        if kept.order.len() > kept.capacity
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.values.remove(&oldest);
        }
        earlier
    }

    /// Returns the value of a key.
    pub(super) fn find(&self, key: K) -> Option<V> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.values.get(&key).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn oldest_is_forgotten() {
        let recent = Recent::new(2);
        assert_eq!(recent.keep(1, 'a'), None);
        assert_eq!(recent.keep(1, 'b'), Some('a'));
        recent.keep(2, 'c');
        recent.keep(3, 'd');
        assert_eq!(
            [1, 2, 3].map(|key| recent.find(key)),
            [None, Some('c'), Some('d')]
        );
    }
}
