//! The other wire format of the fake model: Anthropic's messages. Both formats share the script: a
//! request is converted to the first format, and an answer is written in this one.

mod check;
mod reading;
mod writing;

pub(crate) use check::check;
pub(crate) use reading::as_chat;
pub(crate) use writing::{events, refusal, whole};

/// Returns the signature that proves that the model produced a thought.
fn signature_of(thought: &str) -> String {
    // FNV-1a.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = thought.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    format!("signed:{hash:016x}:{}", thought.len())
}
