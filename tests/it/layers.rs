//! Which room may name which, and other rules of the house.
