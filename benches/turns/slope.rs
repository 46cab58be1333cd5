//! Whether something grows: a straight line through what was read at even times, and how sure it is.

/// Into how many parts the readings are cut; each counts with its median, so that neighbours, which are
/// alike for reasons of their own, do not pass for independent witnesses.
const PARTS: usize = 10;
/// Student's t for 8 degrees of freedom, 95 of 100 on both sides (any table of the distribution).
const T_OF_8: f64 = 2.306;

/// By how much something grows from one reading to the next.
#[derive(Debug, Clone, Copy)]
pub struct Slope {
    /// The best guess.
    pub by: f64,
    /// The truth is at most this far from it, 95 times of 100.
    pub give_or_take: f64,
}

impl Slope {
    /// Fits a line by least squares; `None` for fewer than two readings for each part.
    pub fn of(readings: &[f64]) -> Option<Self> {
        let width = readings.len() / PARTS;
        if width < 2 {
            return None;
        }
        // What does not fill a part is left out at the beginning, which is the least settled.
        let kept = &readings[readings.len() - width * PARTS..];
        let medians: Vec<f64> = kept.chunks(width).map(median).collect();
        let middle = (PARTS - 1) as f64 / 2.0;
        let mean = medians.iter().sum::<f64>() / PARTS as f64;
        let places = (0..PARTS).map(|place| place as f64 - middle);
        let spread: f64 = places.clone().map(|place| place * place).sum();
        let together = places
            .clone()
            .zip(&medians)
            .map(|(place, it)| place * (it - mean));
        let by_part = together.sum::<f64>() / spread;
        let missed = places.zip(&medians).map(|(place, it)| {
            let miss = it - mean - by_part * place;
            miss * miss
        });
        let error = (missed.sum::<f64>() / (PARTS - 2) as f64 / spread).sqrt();
        let width = width as f64;
        Some(Self {
            by: by_part / width,
            give_or_take: T_OF_8 * error / width,
        })
    }

    /// Whether it may as well not grow at all, nor shrink.
    pub fn may_be_level(&self) -> bool {
        self.by.abs() <= self.give_or_take
    }

    /// The same in another unit.
    pub fn times(self, factor: f64) -> Self {
        Self {
            by: self.by * factor,
            give_or_take: self.give_or_take * factor,
        }
    }
}

fn median(of: &[f64]) -> f64 {
    let mut sorted = of.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
