//! Floods: fair scheduling, limits and their notices, and which messages are sent first when not
//! all can be.

mod bounds;
mod fairness;
mod limits;
mod slow;
