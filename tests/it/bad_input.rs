//! Bad input of every kind: who is told what, and that nothing is lost.
