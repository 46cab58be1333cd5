//! The line of figures: each is told to people at once, and all of them as one JSON line in the end.

use std::fmt::{Display, Formatter};

use serde_json::{Map, Value, json};

use crate::figures::{Figures, rounded};
use crate::platform::Platform;

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
