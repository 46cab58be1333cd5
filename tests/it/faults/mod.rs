//! The fault matrix: what hangs, what is away, what is asked to end, and that nothing is lost by it.

mod line;
mod model;
mod platform;
mod sigterm;
mod storage;
mod tools;
