//! The terminal, the command line and the tour.
