//! Discord as a Sayso channel.
