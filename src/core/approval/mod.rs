//! Who may approve a call, and the proof that a person did: what `policy` and `approvals` both know,
//! so that neither names the other.

mod approved;
mod approver;

pub use approved::Approved;
pub use approver::Approver;
