//! Whether something grows: by how much from part to part of what was read at even times, and how sure it is.
//!
//! What a process holds is no level with noise around it. It holds what it once needed at most, so it rises by
//! steps that stay, ever more rarely where nothing leaks. A straight line through such steps nearly always
//! looks certain to rise (Granger and Newbold, "Spurious regressions in econometrics", Journal of Econometrics
//! 1974); the remedy is to look at the steps themselves. `tests/it/growth.rs` counts how often either is wrong.

/// Into how many parts the readings are cut; each counts with its median, so that neighbours, which are
/// alike for reasons of their own, do not pass for independent witnesses.
const PARTS: usize = 10;
/// From each part to the next.
const STEPS: f64 = (PARTS - 1) as f64;
/// Student's t for 8 degrees of freedom, 95 of 100 on both sides (any table of the distribution).
const T_OF_8: f64 = 2.306;

/// By how much something grows from one reading to the next.
#[derive(Debug, Clone, Copy)]
pub struct Slope {
    /// The best guess.
    pub by: f64,
    /// The truth is at most this far from it, at least 95 times of 100.
    pub give_or_take: f64,
}

impl Slope {
    /// Takes the mean of the steps, and from how they differ how sure it is; `None` for fewer than two
    /// readings for each part.
    pub fn of(readings: &[f64]) -> Option<Self> {
        let width = readings.len() / PARTS;
        if width < 2 {
            return None;
        }
        // What does not fill a part is left out at the beginning, which is the least settled.
        let kept = &readings[readings.len() - width * PARTS..];
        let medians: Vec<f64> = kept.chunks(width).map(median).collect();
        let steps: Vec<f64> = medians.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mean = steps.iter().sum::<f64>() / STEPS;
        let missed: f64 = steps.iter().map(|step| (step - mean).powi(2)).sum();
        let error = (missed / (STEPS - 1.0) / STEPS).sqrt();
        let width = width as f64;
        Some(Self {
            by: mean / width,
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
