//! The figures: each is printed at once in readable form, and all of them as one JSON line in the
//! end.

use std::fmt::{Display, Formatter};

use serde_json::{Map, Value, json};

use crate::figures::{Figures, rounded};
use crate::platform::Platform;

/// Figures that must be nothing, whatever the machine.
const MUST_BE_NOTHING: [&str; 8] = [
    "lost",
    "doubled",
    "lost_2000_chats",
    "doubled_2000_chats",
    "killed_lost",
    "killed_doubled",
    "soak_lost",
    "soak_doubled",
];

/// Figures by name, in the order in which they were taken.
#[derive(Default)]
pub struct Line {
    figures: Map<String, Value>,
    /// What stands before each name.
    prefix: &'static str,
}

impl Line {
    /// What is noted from now on was measured on this platform.
    pub fn goes_on_with(&mut self, platform: Platform) {
        self.prefix = match platform {
            Platform::Telegram => "",
            Platform::Discord => "discord_",
        };
    }

    /// Notes one figure, with two places.
    pub fn note(&mut self, name: &str, figure: f64) {
        let (name, figure) = (format!("{}{name}", self.prefix), rounded(figure));
        println!("{name:<42} {figure:>9}");
        let written = if figure.fract().abs() > 0.0 {
            json!(figure)
        } else {
            json!(figure as i64)
        };
        self.figures.insert(name, written);
    }

    /// Returns what was measured that breaks a promise. Memory may grow by `may_grow` KiB in a
    /// minute.
    pub fn broken(&self, may_grow: f64) -> Vec<String> {
        let figure = |name: &str| self.figures.get(name).and_then(Value::as_f64);
        let mut broken = Vec::new();
        for prefix in ["", "discord_"] {
            for name in MUST_BE_NOTHING {
                let name = format!("{prefix}{name}");
                if figure(&name).is_some_and(|figure| figure > 0.0) {
                    broken.push(name);
                }
            }
            let grows = figure(&format!("{prefix}soak_memory_kib_per_min"));
            let is_level = figure(&format!("{prefix}soak_memory_level"));
            if grows.is_some_and(|by| by > may_grow) && is_level == Some(0.0) {
                broken.push(format!("{prefix}soak_memory_kib_per_min"));
            }
        }
        broken
    }

    /// Notes what half of the figures and what 95 of 100 are not above.
    pub fn note_pair(&mut self, name: &str, suffix: &str, figures: &Figures) {
        self.note(&format!("{name}_p50{suffix}"), figures.median());
        self.note(&format!("{name}_p95{suffix}"), figures.p95());
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", json!(self.figures))
    }
}
