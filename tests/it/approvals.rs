//! Approvals: who may press what, when and where, and what runs then.
