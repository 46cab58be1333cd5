//! A digest of texts, to know whether they are still the same.

use sha2::{Digest as _, Sha256};

/// Returns the SHA-256 of some texts, in hexadecimal; where one ends and the next begins counts.
pub(super) fn digest(texts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    format!("{:x}", hasher.finalize())
}
