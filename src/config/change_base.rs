//! What changes are made to: everything that was written, before any of them.

use std::fmt;

use sayso_core::redact::LateSecrets;

use super::environment::Environment;
use super::settings::Settings;

/// A change: a dotted key, and its value as an environment variable would give it.
pub type Change = (String, String);

/// Everything that was written, to check changes against. It holds secrets as they are written, and
/// `Debug` prints none of it.
#[derive(Clone, Default)]
pub struct Written {
    /// With all defaults.
    pub(super) settings: Settings,
    pub(super) environment: Environment,
    pub(super) late_secrets: LateSecrets,
}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Written").finish_non_exhaustive()
    }
}

impl Written {
    /// Takes what was written.
    pub(super) fn new(settings: Settings, environment: Environment) -> Self {
        Self {
            settings,
            environment,
            late_secrets: LateSecrets::default(),
        }
    }
}
