//! The pace that a platform publishes, as the quota of a rate limiter.

use std::num::NonZeroU32;

use governor::Quota;
use sayso_channel::Pace;

/// Returns a pace as a rate limiter takes it.
pub(super) fn quota(pace: Pace) -> Quota {
    let burst = NonZeroU32::new(pace.burst).unwrap_or(NonZeroU32::MIN);
    Quota::with_period(pace.every)
        .unwrap_or_else(|| Quota::per_second(NonZeroU32::MAX))
        .allow_burst(burst)
}
