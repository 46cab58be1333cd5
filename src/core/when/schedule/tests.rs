//! Due times of schedules.
