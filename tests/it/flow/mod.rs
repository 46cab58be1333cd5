//! Floods: whose turn it is, what is bounded and who is told so, and what goes out when not everything
//! may.

mod bounds;
mod fairness;
mod limits;
mod slow;
