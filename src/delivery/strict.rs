//! The budget of each place of one kind: of chats, or of a whole channel.
//!
//! After a refusal a place is strict for a spell: no bursts, and a tenth slower than the platform
//! publishes, because clocks and latencies differ. When it is refused again soon after the spell,
//! the next one is twice as long, so a flood is refused once for each doubling and not once for
//! each message.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use governor::{DefaultKeyedRateLimiter, RateLimiter};
use sayso_channel::Pace;

use super::quota::quota;

/// The first strict spell lasts for this many messages ...
const SPELL_MESSAGES: u32 = 10;
/// ... and no shorter than this.
const SHORTEST_SPELL: Duration = Duration::from_secs(5);
/// The longest strict spell.
const LONGEST_SPELL: Duration = Duration::from_mins(10);
/// How much may be overdrawn; more is forgiven, since cosmetic traffic would never come back.
const MOST_DEBT: u32 = 30;

/// What may be said in each of several places.
pub(super) struct Paced<K: Hash + Eq + Clone> {
    /// What the platform publishes, with bursts.
    published: DefaultKeyedRateLimiter<K>,
    /// What is kept to after a refusal.
    strict: DefaultKeyedRateLimiter<K>,
    first_spell: Duration,
    /// Shared by the queues of a channel, each of which holds it for one look or change.
    places: Mutex<HashMap<K, Place>>,
}

/// A place in which something was overdrawn or refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Place {
    /// What outcomes took beyond the published budget.
    debt: u32,
    refused: Option<Refused>,
}

/// How strict a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Refused {
    spell: Duration,
    until: Instant,
}

impl<K: Hash + Eq + Clone> Paced<K> {
    /// Returns full budgets.
    pub(super) fn new(pace: Pace) -> Self {
        let strict = Pace {
            burst: 1,
            every: pace.every * 11 / 10,
        };
        Self {
            published: RateLimiter::keyed(quota(pace)),
            strict: RateLimiter::keyed(quota(strict)),
            first_spell: (pace.every * SPELL_MESSAGES).max(SHORTEST_SPELL),
            places: Mutex::default(),
        }
    }

    /// Waits for the strict pace in a place that is strict.
    pub(super) async fn hold(&self, key: &K) {
        if self.is_strict(key) {
            self.strict.until_key_ready(key).await;
        }
    }

    /// Charges something that does not wait.
    pub(super) fn charge(&self, key: &K) {
        if self.published.check_key(key).is_err() {
            let mut places = self.places();
            let place = places.entry(key.clone()).or_default();
            place.debt = (place.debt + 1).min(MOST_DEBT);
        }
    }

    /// Charges something that goes only where there is room.
    pub(super) fn allows(&self, key: &K) -> bool {
        !self.is_strict(key) && self.pays_debt(key) && self.published.check_key(key).is_ok()
    }

    /// Waits until there is room, and charges it.
    pub(super) async fn wait(&self, key: &K) {
        self.hold(key).await;
        while !self.pays_debt(key) {
            self.published.until_key_ready(key).await;
            self.forgive(key);
        }
        self.published.until_key_ready(key).await;
    }

    /// Returns whether more was said than the platform publishes.
    pub(super) fn is_overdrawn(&self, key: &K) -> bool {
        self.places().get(key).is_some_and(|place| place.debt > 0)
    }

    /// Returns whether the place was refused something not long ago.
    pub(super) fn is_strict(&self, key: &K) -> bool {
        let until = self.strict_until(key);
        until.is_some_and(|until| Instant::now() < until)
    }

    /// Returns until when a place is strict that was refused something.
    pub(super) fn strict_until(&self, key: &K) -> Option<Instant> {
        let places = self.places();
        let refused = places.get(key).and_then(|place| place.refused);
        refused.map(|refused| refused.until)
    }

    /// Notes that the platform refused something for so long.
    pub(super) fn note_refusal(&self, key: K, pause: Duration, now: Instant) {
        let mut places = self.places();
        let place = places.entry(key).or_default();
        place.refused = Some(Refused::next(place.refused, self.first_spell, pause, now));
    }

    /// Forgets the places whose budgets are full again.
    pub(super) fn forget_idle(&self) {
        let now = Instant::now();
        self.places().retain(|key, place| {
            while place.debt > 0 && self.published.check_key(key).is_ok() {
                place.debt -= 1;
            }
            let is_remembered = |refused: Refused| now < refused.until + refused.spell;
            place.refused = place.refused.filter(|refused| is_remembered(*refused));
            *place != Place::default()
        });
        for limiter in [&self.published, &self.strict] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    /// Pays what was overdrawn as far as there is room; says whether nothing is left of it.
    fn pays_debt(&self, key: &K) -> bool {
        let mut places = self.places();
        let Some(place) = places.get_mut(key) else {
            return true;
        };
        while place.debt > 0 {
            if self.published.check_key(key).is_err() {
                return false;
            }
            place.debt -= 1;
        }
        true
    }

    /// Takes one off what was overdrawn.
    fn forgive(&self, key: &K) {
        if let Some(place) = self.places().get_mut(key) {
            place.debt = place.debt.saturating_sub(1);
        }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<K, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refused {
    /// Returns how strict a place is after a refusal. One that comes in the middle of a spell is
    /// about something that was on its way, or about what others say.
    fn next(known: Option<Self>, first: Duration, pause: Duration, now: Instant) -> Self {
        let spell = match known {
            Some(known) if now < known.until => known.spell,
            Some(known) if now < known.until + known.spell => (known.spell * 2).min(LONGEST_SPELL),
            Some(_) | None => first,
        };
        Self {
            spell,
            until: now + spell.max(pause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_secs(1);

    fn paced() -> Paced<u8> {
        Paced::new(Pace {
            burst: 3,
            every: EVERY,
        })
    }

    #[test]
    fn what_is_overdrawn_is_paid_before_anything_cosmetic() {
        let paced = paced();
        for _ in 0..4 {
            paced.charge(&1);
        }
        assert!(paced.is_overdrawn(&1));
        assert!(!paced.allows(&1));
        assert!(paced.allows(&2), "another place");
    }

    #[test]
    fn refused_place_is_strict_and_has_nothing_cosmetic() {
        let paced = paced();
        assert!(paced.allows(&1));
        paced.note_refusal(1, EVERY, Instant::now());
        assert!(paced.is_strict(&1));
        assert!(!paced.allows(&1));
        assert!(!paced.is_strict(&2));
    }

    #[test]
    fn spells_double_for_who_is_refused_again_soon_after_one() {
        let (first, now) = (Duration::from_secs(10), Instant::now());
        let next = |known, now| Refused::next(known, first, EVERY, now);
        let one = next(None, now);
        assert_eq!((one.spell, one.until), (first, now + first));
        let within = next(Some(one), now + EVERY);
        assert_eq!(within.spell, first);
        let soon = next(Some(one), one.until + EVERY);
        assert_eq!(soon.spell, first * 2);
        let late = next(Some(soon), soon.until + soon.spell);
        assert_eq!(late.spell, first);
        let mut longest = one;
        for _ in 0..20 {
            longest = next(Some(longest), longest.until);
        }
        assert_eq!(longest.spell, LONGEST_SPELL);
        let asked = Refused::next(None, first, first * 4, now);
        assert_eq!(asked.until, now + first * 4, "what it asks for counts");
    }

    #[test]
    fn places_at_rest_are_forgotten() {
        let paced = paced();
        paced.charge(&1);
        let long_ago = Instant::now().checked_sub(EVERY * 30);
        paced.note_refusal(2, EVERY, long_ago.unwrap());
        paced.forget_idle();
        assert!(paced.places().is_empty());
    }
}
