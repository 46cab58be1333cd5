//! The storm: people speak all the time, one kind of bad weather follows the other, and somebody
//! asks how Sayso is. Shared by the behaviour test and the benchmark.

mod people;
mod sky;
mod watch;

use std::time::{Duration, Instant};

use crate::platform::Platform;
use crate::test_bot::TestBot;
pub use sky::Sky;

use people::People;
use watch::Watch;

/// How long health may take once the sky is clear, and how long a fault lasts at most until health
/// tells of it.
const CALMS_WITHIN: Duration = Duration::from_mins(2);
/// How long nothing may happen while an answer is owed.
const STILL_FOR: Duration = Duration::from_mins(3);
/// How much of the log a report keeps.
const LOG_LINES: usize = 200;

/// What is to come.
#[derive(Debug, Clone, Copy)]
pub struct Forecast {
    /// How many messages are said in all.
    pub messages: usize,
    /// How long each kind of bad weather lasts.
    pub spell: Duration,
    /// The only kind of bad weather, if not every kind comes.
    pub only: Option<Sky>,
    /// How long it is calm in between.
    pub calm: Duration,
    /// The interval of heartbeats that Discord asks for.
    pub heartbeat: Duration,
}

/// What became of it.
#[derive(Debug, Clone)]
pub struct Report {
    /// How many messages were said.
    pub said: usize,
    /// Messages without an answer.
    pub lost: Vec<String>,
    /// Messages that were answered more than once, without a mark that says so.
    pub doubled: Vec<String>,
    /// How many answers carry the mark of a repetition.
    pub marked: usize,
    /// What health said, one kind of weather after the other.
    pub spells: Vec<Spell>,
    /// How the process ended when it was asked to.
    pub exit_code: Option<i32>,
    /// The end of its log.
    pub log: String,
}

/// Lets everything happen on one platform.
pub async fn run(platform: Platform, forecast: Forecast) -> Report {
    let mut bot = TestBot::closed_on(platform, &[("ACCESS__ALLOW", platform.everybody())]).await;
    bot.set("HTTP__LISTEN", "127.0.0.1:0");
    bot.discord.beats_every(forecast.heartbeat);
    people::teach(&bot.model);
    bot.start();
    bot.settles_in().await;
    let watch = Watch::begin(&bot).await;
    let people = People::meet(&bot).await;

    let skies = match &forecast.only {
        Some(sky) => std::slice::from_ref(sky),
        None => Sky::all(platform),
    };
    let length = (forecast.spell + forecast.calm) * skies.len() as u32;
    let speaking = people.speak(forecast.messages, length);
    let mut spells = Vec::with_capacity(skies.len());
    let weather = async {
        for sky in skies {
            spells.push(pass(&bot, &watch, *sky, forecast).await);
        }
    };
    let (said, ()) = tokio::join!(speaking, weather);
    let tally = people.until_answered(&said, STILL_FOR).await;
    bot.assert_clean();
    let exit_code = bot.stop().await;
    Report {
        said: said.len(),
        lost: tally.lost,
        doubled: tally.doubled,
        marked: tally.marked,
        spells,
        exit_code,
        log: tail(&bot.log()),
    }
}

/// What health said of one kind of weather.
#[derive(Debug, Clone, Copy)]
pub struct Spell {
    /// The weather.
    pub sky: Sky,
    /// How soon after its beginning health told of it.
    pub noticed_after: Option<Duration>,
    /// How soon after its end health was well for good.
    pub well_after: Option<Duration>,
}

impl Report {
    /// Returns the spells that health did not tell of within so long, though the connection was down.
    pub fn unnoticed(&self, within: Duration) -> Vec<Sky> {
        let in_time = |spell: &&Spell| spell.noticed_after.is_some_and(|it| it <= within);
        let spells = self.spells.iter();
        spells
            .filter(|spell| spell.sky.must_be_noticed() && !in_time(spell))
            .map(|spell| spell.sky)
            .collect()
    }

    /// Returns the spells after which health was never well again.
    pub fn still_unwell(&self) -> Vec<Sky> {
        let spells = self.spells.iter();
        spells
            .filter(|spell| spell.well_after.is_none())
            .map(|spell| spell.sky)
            .collect()
    }
}

/// Lets one kind of weather begin, last and end, and waits until health is well again.
async fn pass(bot: &TestBot, watch: &Watch, sky: Sky, forecast: Forecast) -> Spell {
    let began = Instant::now();
    sky.begins(bot);
    // A fault that health must tell of lasts until it has, also on a machine that is slow.
    let is_told = || !sky.must_be_noticed() || watch.noticed_since(began).is_some();
    while began.elapsed() < forecast.spell || !(is_told() || began.elapsed() > CALMS_WITHIN) {
        sky.blows(bot);
        tokio::time::sleep(Sky::GUST).await;
    }
    let noticed_after = watch.noticed_since(began);
    let ended = Instant::now();
    sky.ends(bot);
    bot.heal();
    tokio::time::sleep(forecast.calm).await;
    let well_after = watch.waits_until_well(ended, CALMS_WITHIN).await;
    Spell {
        sky,
        noticed_after,
        well_after,
    }
}

fn tail(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let from = lines.len().saturating_sub(LOG_LINES);
    lines.get(from..).unwrap_or_default().join("\n")
}
