//! `[routines]`: a zone that exists, times of the day, and a time for what is late.

use std::time::Duration;

use chrono_tz::Tz;

use super::ConfigError;
use super::check::Check;
use super::checked::RoutineConfig;
use super::keys::RoutinesTable;
use super::messages::Rule;
use crate::routines::{Late, QuietHours};

/// The word for the zone of the machine.
const LOCAL: &str = "local";
const DAY_SECS: u64 = 24 * 60 * 60;

impl Check<'_> {
    /// Checks what stands in the section.
    pub(super) fn routines(&self, table: &RoutinesTable) -> Result<RoutineConfig, ConfigError> {
        let refuse = |key: &str, rule| self.settings.refuse(&format!("routines.{key}"), rule);
        let zone = match table.zone.as_str() {
            LOCAL => None,
            name => {
                let zone = name.parse::<Tz>();
                Some(zone.map_err(|_unknown| refuse("zone", Rule::Zone))?)
            }
        };
        let late = Late::named(&table.late).ok_or_else(|| refuse("late", Rule::LateRun))?;
        let quiet_hours = QuietHours::parse(&table.quiet_hours)
            .ok_or_else(|| refuse("quiet_hours", Rule::QuietHours))?;
        Ok(RoutineConfig {
            enabled: table.enabled,
            zone,
            shortest_minutes: table.shortest_minutes,
            most: usize::from(table.most),
            concurrent: usize::from(table.concurrent),
            spread: Duration::from_secs(table.spread_secs),
            late,
            triggered_per_hour: usize::from(table.triggered_per_hour),
            quiet_hours,
            keep_runs: (table.keep_runs_days > 0)
                .then(|| Duration::from_secs(table.keep_runs_days * DAY_SECS)),
        })
    }
}
