//! Each setting does what it says.
