//! Recorded answers as if they arrived in pieces, for the tests and the benchmark over them.

use super::{Progress, Protocol, Reading};
use crate::ProviderError;

/// The largest piece, in bytes.
const MAX_PIECE_BYTES: usize = 97;

/// Reads a body in pieces of pseudo-random length: equal seeds give equal pieces.
pub(crate) fn arrive<P: Protocol>(
    body: &[u8],
    status: u16,
    seed: u64,
) -> Result<P::Answer, ProviderError> {
    let mut reading = Reading::<P>::new(status);
    let mut state = seed;
    let mut rest = body;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(next_length(&mut state).min(rest.len()));
        rest = later;
        if reading.push(piece, &|_| {})? == Progress::Done {
            break;
        }
    }
    reading.finish(&|_| {})
}

/// A linear congruential generator, with the constants of Knuth's MMIX.
fn next_length(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    1 + (*state >> 33) as usize % MAX_PIECE_BYTES
}
