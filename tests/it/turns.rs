//! Turns: routing, clarifications, steps, tools, memory, history, stop.
