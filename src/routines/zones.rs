//! The zones that schedules name.

use chrono_tz::Tz;

/// How a zone stands before five fields of cron.
pub(super) const PREFIX: &str = "CRON_TZ=";
/// The same as others write it.
const PREFIXES: [&str; 2] = [PREFIX, "TZ="];

/// A name that no zone has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no zone that is known; write one as `Europe/Berlin`")]
pub struct UnknownZone(String);

/// Splits the zone off a schedule: before it as cron has it, or behind it by its name.
///
/// # Errors
/// There is no such zone.
pub(super) fn split(text: &str) -> Result<(Option<Tz>, &str), UnknownZone> {
    for prefix in PREFIXES {
        if let Some(zoned) = text.strip_prefix(prefix) {
            let (name, rest) = zoned.split_once(char::is_whitespace).unwrap_or((zoned, ""));
            let name = name.trim_matches(['"', '\'']);
            let zone = name
                .parse()
                .map_err(|_unknown| UnknownZone(name.to_owned()))?;
            return Ok((Some(zone), rest.trim()));
        }
    }
    let Some((rest, last)) = text.rsplit_once(char::is_whitespace) else {
        return Ok((None, text));
    };
    let last = last.trim_matches(['(', ')']);
    let is_name = last == "UTC" || (last.contains('/') && last.starts_with(char::is_uppercase));
    match last.parse() {
        Ok(zone) if is_name => Ok((Some(zone), rest.trim().trim_end_matches(" in"))),
        _ => Ok((None, text)),
    }
}
