//! When a request has to be answered, on a clock that only goes forward.

use std::time::{Duration, Instant};

/// Bounds a deadline that makes no sense.
const LONGEST: f64 = 3600.0;
const RESERVE: Duration = Duration::from_millis(250);

#[derive(Clone, Copy)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(seconds: f64) -> Self {
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 };
        Deadline(Instant::now() + Duration::from_secs_f64(seconds))
    }

    /// The time that is left, or none.
    pub fn left(&self) -> Option<Duration> {
        self.0.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }

    pub fn seconds_left(&self) -> f64 {
        self.left().map_or(0.0, |left| left.as_secs_f64())
    }

    /// The deadline of the network: some time is kept for a decision on what a silent server had shown.
    pub fn of_network(&self) -> Self {
        let left = self.left().unwrap_or(Duration::ZERO);
        Deadline(self.0.checked_sub((left / 10).min(RESERVE)).unwrap_or(self.0))
    }
}
