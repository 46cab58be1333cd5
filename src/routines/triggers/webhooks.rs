//! Signed calls from outside that start routines, as Standard Webhooks has them
//! (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>): the
//! headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, which signs
//! `{id}.{timestamp}.{body}` by HMAC-SHA256.
//!
//! A call without a right signature costs a hash and touches no database.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ring::hmac;
use sayso_core::transcript::RoutineId;
use sayso_store::routine_events::{self, NewEvent};
use sayso_store::{Store, StoreError, Tx, now_ms, routines};

use super::trigger::Trigger;
use crate::routines::context::RoutineContext;
use crate::routines::webhook_key::WebhookKey;

/// How many calls of one routine are taken in a minute, evenly or all at once.
const PER_MINUTE: NonZeroU32 = NonZeroU32::new(30).unwrap();
/// How far the time of a call may be from ours, in seconds: the tolerance of Standard Webhooks' own
/// libraries.
const WITHIN_SECS: i64 = 5 * 60;
/// How many calls wait for one routine at most.
const MOST_WAITING: i64 = 100;
/// When a sender is to come again where too many wait.
const AGAIN_AFTER: Duration = Duration::from_mins(1);
/// What the paths of webhooks begin with.
pub const PATH: &str = "/hooks/";
/// The longest name of a call, in bytes.
const ID_BYTES: usize = 200;
/// How many signatures of one call are looked at: a sender that changes its key sends two.
const SIGNATURES: usize = 4;

/// What takes signed calls.
pub struct Webhooks {
    store: Store,
    ctx: RoutineContext,
    key: Arc<WebhookKey>,
    rates: DefaultKeyedRateLimiter<RoutineId>,
}

/// A call, as it came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The routine, as the end of its path names it.
    pub routine: String,
    /// What names the call: the same call sent again has the same.
    pub id: String,
    /// When it was signed, in seconds since 1970.
    pub timestamp: String,
    /// Its signatures, apart by spaces.
    pub signature: String,
    /// What it says.
    pub body: Vec<u8>,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// It is committed, and starts a run.
    Taken,
    /// It was taken before.
    Known,
    /// It has no right signature, or was signed too long ago.
    Refused,
    /// Its body is no text.
    NotText,
    /// Its routine is no more, or is off.
    Off,
    /// There are too many; the sender may come again after this time.
    TooMany(Duration),
}

impl Webhooks {
    /// Returns what takes the calls of the routines of this database; `None` where webhooks have no
    /// key.
    pub fn new(store: Store, ctx: RoutineContext) -> Option<Self> {
        let key = Arc::clone(ctx.webhook_key.as_ref()?);
        Some(Self {
            store,
            ctx,
            key,
            rates: RateLimiter::keyed(Quota::per_minute(PER_MINUTE)),
        })
    }

    /// Takes a call. When this returns [`Received::Taken`], its event is committed.
    ///
    /// # Errors
    /// When the store fails; then the call is not taken.
    pub async fn receive(&self, delivery: Delivery) -> Result<Received, StoreError> {
        let Some(routine) = self.signed_routine(&delivery) else {
            return Ok(Received::Refused);
        };
        if let Err(early) = self.rates.check_key(&routine) {
            let wait = early.wait_time_from(DefaultClock::default().now());
            return Ok(Received::TooMany(wait));
        }
        let Ok(text) = String::from_utf8(delivery.body) else {
            return Ok(Received::NotText);
        };
        let event = NewEvent {
            routine,
            key: format!("call:{}", delivery.id),
            at_ms: now_ms(),
            text,
        };
        let received = self
            .store
            .write(move |tx| Box::pin(async move { take(tx, &event).await }))
            .await?;
        if received == Received::Taken {
            self.ctx.changed.notify_one();
        }
        Ok(received)
    }

    /// Returns the path at which a routine is called.
    pub fn path_of(routine: RoutineId) -> String {
        format!("{PATH}{}", as_letters(routine))
    }

    /// Returns the routine of a call that is signed with its key, and not too long ago.
    fn signed_routine(&self, delivery: &Delivery) -> Option<RoutineId> {
        let routine = of_letters(&delivery.routine)?;
        let signed_secs: i64 = delivery.timestamp.parse().ok()?;
        let now_secs = now_ms() / 1000;
        let is_near = now_secs.abs_diff(signed_secs) <= WITHIN_SECS.unsigned_abs();
        if !is_near || delivery.id.is_empty() || delivery.id.len() > ID_BYTES {
            return None;
        }
        let key = self.key.signing(routine);
        let mut signed = format!("{}.{}.", delivery.id, delivery.timestamp).into_bytes();
        signed.extend(&delivery.body);
        let is_right = |signature: &str| {
            let tag = signature.strip_prefix("v1,").map(|it| STANDARD.decode(it));
            // Compares in a time that does not tell how much of it is right.
            matches!(tag, Some(Ok(tag)) if hmac::verify(&key, &signed, &tag).is_ok())
        };
        let mut signatures = delivery.signature.split_ascii_whitespace().take(SIGNATURES);
        signatures.any(is_right).then_some(routine)
    }
}

/// Names a routine in a path: its number to the base of 26, so that people read no number of a row.
fn as_letters(routine: RoutineId) -> String {
    let mut left = routine.0.unsigned_abs();
    let mut letters = Vec::new();
    loop {
        letters.push(b'a' + u8::try_from(left % 26).unwrap_or_default());
        left /= 26;
        if left == 0 {
            break;
        }
    }
    letters.into_iter().rev().map(char::from).collect()
}

/// Reads what [`as_letters`] writes.
fn of_letters(text: &str) -> Option<RoutineId> {
    let digit = |letter: u8| {
        letter
            .is_ascii_lowercase()
            .then(|| i64::from(letter - b'a'))
    };
    let mut number: i64 = 0;
    for letter in text.bytes() {
        number = number.checked_mul(26)?.checked_add(digit(letter)?)?;
    }
    let routine = RoutineId(number);
    // One name for each: what begins with an `a` would be another name of the same.
    (as_letters(routine) == text).then_some(routine)
}

/// Writes the event of a call.
async fn take(tx: &mut Tx, event: &NewEvent) -> Result<Received, StoreError> {
    let row = routines::routine(tx, event.routine).await?;
    let row = row.filter(|row| row.enabled && Trigger::of(row) == Some(Trigger::Webhook));
    if row.is_none() {
        return Ok(Received::Off);
    }
    if routine_events::is_known(tx, event.routine, &event.key).await? {
        return Ok(Received::Known);
    }
    if routine_events::waiting(tx, event.routine).await?.count >= MOST_WAITING {
        return Ok(Received::TooMany(AGAIN_AFTER));
    }
    routine_events::add(tx, event).await?;
    routine_events::start_at(tx, event.routine, event.at_ms).await?;
    Ok(Received::Taken)
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::RoutineId;

    use super::{as_letters, of_letters};

    #[test]
    fn a_path_names_one_routine() {
        for number in [0, 1, 25, 26, 96_214_066_740_068_352, i64::MAX] {
            let letters = as_letters(RoutineId(number));
            assert!(letters.bytes().all(|it| it.is_ascii_lowercase()));
            assert_eq!(of_letters(&letters), Some(RoutineId(number)), "{letters}");
        }
        for other in ["", "ab", "A", "a1", "zzzzzzzzzzzzzzzz"] {
            assert_eq!(of_letters(other), None, "{other}");
        }
    }
}
