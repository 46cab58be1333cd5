//! Durations as people compare them: in milliseconds, by rank.

use std::time::Duration;

/// Durations in milliseconds, in ascending order.
pub struct Figures(Vec<f64>);

impl Figures {
    /// Returns the figures of these durations.
    pub fn of(durations: &[Duration]) -> Self {
        let milliseconds = durations.iter().map(|it| it.as_secs_f64() * 1000.0);
        Self::of_milliseconds(&milliseconds.collect::<Vec<f64>>())
    }

    /// Returns the figures of these numbers of milliseconds, or of any other unit.
    pub fn of_milliseconds(milliseconds: &[f64]) -> Self {
        let mut milliseconds = milliseconds.to_vec();
        milliseconds.sort_by(f64::total_cmp);
        Self(milliseconds)
    }

    /// Returns the same figures without a constant part.
    pub fn less(&self, milliseconds: f64) -> Self {
        Self(self.0.iter().map(|each| each - milliseconds).collect())
    }

    /// Returns the figure that half are not above.
    pub fn median(&self) -> f64 {
        self.rank(0.50)
    }

    /// Returns the figure that 95 of 100 are not above.
    pub fn p95(&self) -> f64 {
        self.rank(0.95)
    }

    /// Returns the figure that this share is not above, by the nearest rank; no figures at all are no
    /// number.
    pub fn rank(&self, share: f64) -> f64 {
        let position = (share * self.0.len() as f64).ceil() as usize;
        let found = self.0.get(position.saturating_sub(1));
        found.copied().unwrap_or(f64::NAN)
    }
}

/// Rounds to two places, for people and for the line of figures.
pub fn rounded(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}
