//! Skills: what is said to who writes them, and what an operator adds.

/// `sayso skills check`.
mod check;
/// Skills in the folder of the operator.
mod operator;
