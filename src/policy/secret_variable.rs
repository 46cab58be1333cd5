//! The environment variable of a secret.

/// Returns the variable that a command finds a secret in.
pub fn variable_of(name: &str) -> String {
    format!("SAYSO_SECRET_{}", name.to_ascii_uppercase())
}
