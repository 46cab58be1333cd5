//! What the policy says to the model and to people.
