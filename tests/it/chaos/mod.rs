//! Bad weather between Sayso and its platforms: a thousand messages on each, while connections are
//! cut, refused, silent, limited and broken in every way that a fake can.

mod storm;

use std::time::Duration;

use crate::platform::{Platform, on_both};
use storm::Forecast;

on_both!(a_thousand_messages_outlive_every_kind_of_weather);

/// The spells are short here, and how soon health tells of a fault is not asked; `cargo bench --bench chaos` has those of real life.
const FORECAST: Forecast = Forecast {
    messages: 1_000,
    spell: Duration::from_millis(2_500),
    only: None,
    calm: Duration::from_secs(1),
    heartbeat: Duration::from_millis(500),
};

async fn a_thousand_messages_outlive_every_kind_of_weather(platform: Platform) {
    let report = storm::run(platform, FORECAST).await;
    assert_eq!(report.said, FORECAST.messages);
    assert_eq!(report.lost, Vec::<String>::new(), "{}", report.log);
    assert_eq!(report.doubled, Vec::<String>::new(), "{}", report.log);
    assert_eq!(report.unnoticed(Duration::MAX), [], "{:?}", report.spells);
    assert_eq!(report.still_unwell(), [], "{:?}", report.spells);
    assert_eq!(report.exit_code, Some(0), "{}", report.log);
    if platform == Platform::Discord {
        assert_eq!(report.marked, 0, "Discord drops what is sent twice");
    }
}
