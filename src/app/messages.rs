//! How a channel is, where its own crate cannot say it: read in `/status`, `/health` and `doctor`.

/// Somebody else has the lease of the token.
pub fn token_is_taken() -> &'static str {
    "another Sayso listens with this token; this one takes over when that one ends"
}

/// The lease cannot be asked for; why is in the log.
pub fn store_does_not_answer() -> &'static str {
    "the database does not take what is written; the log says why"
}

/// Listening ended by itself.
pub fn ended_unasked() -> &'static str {
    "it ended although nobody asked it to"
}

/// Listening panicked.
pub fn broke_down() -> &'static str {
    "it broke down; this is a fault of Sayso"
}

/// What the operator does about a refused token.
pub fn hint_for_a_refused_token() -> &'static str {
    "put a valid token into the configuration and restart"
}

/// What follows for everybody else when a channel has stopped.
pub fn hint_for_the_others() -> &'static str {
    "the other channels go on"
}
