//! kill -9 at any moment: nothing lost, nothing doubled, nothing left running.
