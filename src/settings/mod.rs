//! What owners change of the configuration in chat: the rows of their changes, and the tool
//! `config`.
//!
//! The file stays under the operator's control. Changes override it from the next start on, as far
//! as it permits them at that time. The implementation of [`Operated`], which knows the file,
//! decides what may be changed and how far.
//!
//! # Files
//!
//! What owners change of the configuration in chat: the tool `config` over `changed_settings`.
//!
//! The declaration of a key says whether and how far (`.in_chat(..)`), and `config/overlay.rs`
//! checks each as a start does; `app` lays them over what is written.
//!
//! # Invariants
//!
//! - The file is never written. A change that what is written does not allow any more is dropped,
//!   and said.
//! - Nothing that opens access, names a host, a command or a secret, or weakens the policy can be
//!   changed so; a test goes through every key.

mod tool;

pub use tool::ConfigTool;

use sayso_store::changed_settings::ChangedSetting;

/// A change: a dotted key, and its value.
pub type Change = (String, String);

/// Why a change may not be made, for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ChangeRefused(pub String);

/// The parts of the operator's configuration that are shown and may be changed.
pub trait Operated: Send + Sync {
    /// Returns every key with its value under these changes, by name; `None` is a secret that is
    /// set.
    fn values(&self, changes: &[Change]) -> Vec<(String, Option<String>)>;

    /// Returns the keys that may be changed.
    fn changeable(&self) -> Vec<&'static str>;

    /// Says why a key may not get a value on top of earlier changes, if it may not.
    fn judge(&self, earlier: &[Change], key: &str, value: &str) -> Result<(), ChangeRefused>;
}

/// Returns changes as they are laid over what is written, in this order.
pub fn changes_of(rows: &[ChangedSetting]) -> Vec<Change> {
    rows.iter()
        .map(|row| (row.key.clone(), row.value.clone()))
        .collect()
}
